//! Riders. Every rider's lines run in rising order of the square index on one side of it and in falling order on the
//! other, the nightrider's too, so one method serves all: obstruction difference
//! (<https://www.chessprogramming.org/Obstruction_Difference>). With BMI2 rooks and bishops use PEXT tables instead.

use crate::core::{Bitboard, Square};

const ROOK: [(i8, i8); 2] = [(1, 0), (0, 1)];
const BISHOP: [(i8, i8); 2] = [(1, 1), (-1, 1)];
const NIGHTRIDER: [(i8, i8); 4] = [(1, 2), (2, 1), (-1, 2), (-2, 1)];

/// The squares of one line through a square: those after it and those before it.
#[derive(Copy, Clone)]
struct Line {
    upper: u64,
    lower: u64,
}

impl Line {
    #[inline]
    const fn attacks(self, occupied: u64) -> u64 {
        let upper = self.upper & occupied;
        let lower = self.lower & occupied | 1;
        let beyond = u64::MAX << (63 - lower.leading_zeros());
        let nearest = upper & upper.wrapping_neg();
        (self.upper | self.lower) & (nearest << 1).wrapping_add(beyond)
    }
}

const fn ray(from: Square, step: (i8, i8)) -> u64 {
    let mut set = 0;
    let mut at = from;
    while let Some(next) = at.step(step.0, step.1) {
        set |= 1 << next.index();
        at = next;
    }
    set
}

const fn lines<const M: usize>(directions: [(i8, i8); M]) -> [[Line; M]; 64] {
    let mut table = [[Line { upper: 0, lower: 0 }; M]; 64];
    let mut i = 0;
    while i < 64 {
        let mut d = 0;
        while d < M {
            let (x, y) = directions[d];
            table[i][d] = Line { upper: ray(Square::new(i as u8), (x, y)), lower: ray(Square::new(i as u8), (-x, -y)) };
            d += 1;
        }
        i += 1;
    }
    table
}

const ROOK_LINES: [[Line; 2]; 64] = lines(ROOK);
const BISHOP_LINES: [[Line; 2]; 64] = lines(BISHOP);
static NIGHTRIDER_LINES: [[Line; 4]; 64] = lines(NIGHTRIDER);

const fn rays<const M: usize>(lines: &[[Line; M]; 64]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let mut d = 0;
        while d < M {
            table[i].0 |= lines[i][d].upper | lines[i][d].lower;
            d += 1;
        }
        i += 1;
    }
    table
}

static ROOK_RAYS: [Bitboard; 64] = rays(&ROOK_LINES);
static BISHOP_RAYS: [Bitboard; 64] = rays(&BISHOP_LINES);
static NIGHTRIDER_RAYS: [Bitboard; 64] = rays(&lines(NIGHTRIDER));

/// For two squares on a common line (of a queen or of a nightrider): the squares between, and the whole line.
struct Pairs {
    between: [[Bitboard; 64]; 64],
    line: [[Bitboard; 64]; 64],
}

static PAIRS: Pairs = {
    let mut pairs = Pairs { between: [[Bitboard::EMPTY; 64]; 64], line: [[Bitboard::EMPTY; 64]; 64] };
    let all: [(i8, i8); 8] =
        [ROOK[0], ROOK[1], BISHOP[0], BISHOP[1], NIGHTRIDER[0], NIGHTRIDER[1], NIGHTRIDER[2], NIGHTRIDER[3]];
    let mut i = 0;
    while i < 64 {
        let from = Square::new(i as u8);
        let mut d = 0;
        while d < 16 {
            let (mut x, mut y) = all[d / 2];
            if d % 2 == 1 {
                (x, y) = (-x, -y);
            }
            let whole = ray(from, (x, y)) | ray(from, (-x, -y)) | 1 << i;
            let mut passed = 0;
            let mut at = from;
            while let Some(next) = at.step(x, y) {
                pairs.between[i][next.index()] = Bitboard(passed);
                pairs.line[i][next.index()] = Bitboard(whole);
                passed |= 1 << next.index();
                at = next;
            }
            d += 1;
        }
        i += 1;
    }
    pairs
};

/// The squares strictly between two squares of a queen's or a nightrider's line; none for others.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    PAIRS.between[a.index()][b.index()]
}
/// The whole queen's or nightrider's line through two squares, both included; empty when they share none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    PAIRS.line[a.index()][b.index()]
}
/// A rook's lines on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}
/// A bishop's lines on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}
/// A nightrider's lines on an empty board.
#[inline]
pub fn nightrider_rays(square: Square) -> Bitboard {
    NIGHTRIDER_RAYS[square.index()]
}
/// Squares a nightrider attacks: it stops at the first piece it touches down on.
#[inline]
pub fn nightrider_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let [a, b, c, d] = NIGHTRIDER_LINES[square.index()];
    let occ = occupied.0;
    Bitboard(a.attacks(occ) | b.attacks(occ) | c.attacks(occ) | d.attacks(occ))
}
/// Squares a queen attacks.
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
mod slide {
    use super::{BISHOP_LINES, Bitboard, Line, ROOK_LINES, Square};

    static ROOKS: [[Line; 2]; 64] = ROOK_LINES;
    static BISHOPS: [[Line; 2]; 64] = BISHOP_LINES;

    /// Squares a rook attacks, the first piece met on each ray included.
    #[inline]
    pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        let [a, b] = ROOKS[square.index()];
        Bitboard(a.attacks(occupied.0) | b.attacks(occupied.0))
    }
    /// Squares a bishop attacks, the first piece met on each ray included.
    #[inline]
    pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        let [a, b] = BISHOPS[square.index()];
        Bitboard(a.attacks(occupied.0) | b.attacks(occupied.0))
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod slide {
    use super::{BISHOP_LINES, Bitboard, Line, ROOK_LINES, Square};
    const EDGE_FILES: u64 = 0x8181_8181_8181_8181;
    const EDGE_RANKS: u64 = 0xff00_0000_0000_00ff;

    struct Table<const N: usize> {
        /// Relevant blockers of a square and where its attack sets begin.
        squares: [(u64, usize); 64],
        attacks: [u64; N],
    }

    /// The size is a power of two, so that masking an index replaces the bounds check.
    #[allow(long_running_const_eval)]
    const fn fill<const N: usize>(lines: &[[Line; 2]; 64]) -> Table<N> {
        let mut table = Table { squares: [(0, 0); 64], attacks: [0; N] };
        let mut offset = 0;
        let mut s = 0;
        while s < 64 {
            let [a, b] = lines[s];
            let here = 1u64 << s;
            let file = 0x0101_0101_0101_0101 << (s % 8);
            let rank = 0xff << (s / 8 * 8);
            let edges = EDGE_FILES & !file | EDGE_RANKS & !rank;
            let mask = (a.upper | a.lower | b.upper | b.lower) & !edges & !here;
            table.squares[s] = (mask, offset);
            // Carry-rippler: the subsets of the mask come in the order in which PEXT numbers them.
            let mut subset = 0u64;
            loop {
                table.attacks[offset] = a.attacks(subset) | b.attacks(subset);
                offset += 1;
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    break;
                }
            }
            s += 1;
        }
        table
    }

    static ROOKS: Table<{ 1 << 17 }> = fill(&ROOK_LINES);
    static BISHOPS: Table<{ 1 << 13 }> = fill(&BISHOP_LINES);

    /// The bits of `value` under `mask`, pushed together.
    #[inline]
    #[allow(unsafe_code)]
    fn pext(value: u64, mask: u64) -> usize {
        // SAFETY: this module is compiled only for builds in which every target has BMI2. The intrinsic makes perft a
        // fifth faster than the portable lines above, and there is no safe way to it outside such a function.
        unsafe { std::arch::x86_64::_pext_u64(value, mask) as usize }
    }

    #[inline]
    fn look_up<const N: usize>(table: &Table<N>, square: Square, occupied: Bitboard) -> Bitboard {
        let (mask, offset) = table.squares[square.index()];
        Bitboard(table.attacks[(offset + pext(occupied.0, mask)) & (N - 1)])
    }

    /// Squares a rook attacks, the first piece met on each ray included.
    #[inline]
    pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        look_up(&ROOKS, square, occupied)
    }
    /// Squares a bishop attacks, the first piece met on each ray included.
    #[inline]
    pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        look_up(&BISHOPS, square, occupied)
    }
}

pub use slide::{bishop_attacks, rook_attacks};

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(from: Square, directions: &[(i8, i8)], occupied: Bitboard) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for &(x, y) in directions {
            for (x, y) in [(x, y), (-x, -y)] {
                let mut at = from;
                while let Some(next) = at.step(x, y) {
                    set = set.with(next);
                    if occupied.has(next) {
                        break;
                    }
                    at = next;
                }
            }
        }
        set
    }

    #[test]
    fn riders_agree_with_walking_on_random_boards() {
        let mut seed = 7u64;
        for _ in 0..500 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let occupied = Bitboard(seed & seed.rotate_left(23));
            for square in Square::all() {
                assert_eq!(rook_attacks(square, occupied), walk(square, &ROOK, occupied));
                assert_eq!(bishop_attacks(square, occupied), walk(square, &BISHOP, occupied));
                assert_eq!(nightrider_attacks(square, occupied), walk(square, &NIGHTRIDER, occupied));
            }
        }
    }

    #[test]
    fn between_and_line_know_knight_lines() {
        assert_eq!(between(Square::A1, Square::C5), Bitboard::from(Square::B3));
        assert_eq!(between(Square::A1, Square::A4), Bitboard::from(Square::A2).with(Square::A3));
        assert_eq!(between(Square::A1, Square::C4), Bitboard::EMPTY);
        assert_eq!(
            line(Square::B3, Square::C5),
            [Square::A1, Square::B3, Square::C5, Square::D7].into_iter().collect()
        );
    }
}
