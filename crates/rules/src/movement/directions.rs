//! The eight directions of a queen, for rides that do not begin where the rider stands.

use crate::core::{Bitboard, Square};

/// One of the eight directions of a queen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Direction(u8);

/// The first four run in rising order of the square index; the opposite of each is four further.
const STEPS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const NONE: u8 = 8;

static RAYS: [[Bitboard; 64]; 8] = {
    let mut table = [[Bitboard::EMPTY; 64]; 8];
    let mut d = 0;
    while d < 8 {
        let mut i = 0;
        while i < 64 {
            let mut at = Square::new(i as u8);
            while let Some(next) = at.step(STEPS[d].0, STEPS[d].1) {
                table[d][i] = table[d][i].with(next);
                at = next;
            }
            i += 1;
        }
        d += 1;
    }
    table
};

static DIRECTIONS: [[u8; 64]; 64] = {
    let mut table = [[NONE; 64]; 64];
    let mut d = 0;
    while d < 8 {
        let mut i = 0;
        while i < 64 {
            let mut at = Square::new(i as u8);
            while let Some(next) = at.step(STEPS[d].0, STEPS[d].1) {
                table[i][next.index()] = d as u8;
                at = next;
            }
            i += 1;
        }
        d += 1;
    }
    table
};

impl Direction {
    /// The direction in which a queen goes from one square to another, if she can on an empty board.
    #[inline]
    pub fn between(from: Square, to: Square) -> Option<Self> {
        let d = DIRECTIONS[from.index()][to.index()];
        if d == NONE { None } else { Some(Self(d)) }
    }
    /// The other way.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self(self.0 ^ 4)
    }
    /// Whether it is a bishop's and not a rook's.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self.0 & 1 == 1
    }
    /// All squares that way, as on an empty board.
    #[inline]
    pub fn ray(self, from: Square) -> Bitboard {
        RAYS[(self.0 & 7) as usize][from.index()]
    }
    /// The squares that way up to the first occupied one, that one included.
    #[inline]
    pub fn slide(self, from: Square, occupied: Bitboard) -> Bitboard {
        let ray = self.ray(from);
        let met = (ray & occupied).0;
        if met == 0 {
            return ray;
        }
        let nearest = if self.0 < 4 { met.trailing_zeros() } else { 63 - met.leading_zeros() };
        ray ^ self.ray(Square::new(nearest as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movement::queen_attacks;

    #[test]
    fn slides_in_all_directions_are_a_queens_attacks() {
        let mut seed = 3u64;
        for _ in 0..300 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let occupied = Bitboard(seed & seed.rotate_left(29));
            for from in Square::all() {
                let slides = (0..8).map(|d| Direction(d).slide(from, occupied)).fold(Bitboard::EMPTY, |a, b| a | b);
                assert_eq!(slides, queen_attacks(from, occupied));
            }
        }
    }

    #[test]
    fn directions_have_opposites() {
        let there = Direction::between(Square::B2, Square::G7).expect("a diagonal");
        assert!(there.is_diagonal());
        assert_eq!(Direction::between(Square::G7, Square::B2), Some(there.opposite()));
        assert_eq!(Direction::between(Square::B2, Square::C4), None);
        assert_eq!(Direction::between(Square::B2, Square::B2), None);
    }
}
