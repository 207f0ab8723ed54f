//! Leapers: destinations looked up by square.

use crate::core::{Bitboard, Color, Square};

const fn leaps<const M: usize>(steps: [(i8, i8); M]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let mut j = 0;
        while j < M {
            if let Some(to) = Square::new(i).step(steps[j].0, steps[j].1) {
                table[i as usize] = table[i as usize].with(to);
            }
            j += 1;
        }
        i += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] = leaps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] = leaps([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaps([(-1, 1), (1, 1)]), leaps([(-1, -1), (1, -1)])];

/// Squares a knight leaps to.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}
/// Squares a king steps to.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}
/// Squares a pawn captures on.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}
/// Squares that any of these pawns captures on.
#[inline]
pub fn pawn_attack_set(color: Color, pawns: Bitboard) -> Bitboard {
    let forward = pawns.shift(color.forward());
    (forward & !Bitboard::FILE_A).shift(-1) | (forward & !Bitboard::FILE_H).shift(1)
}
