//! The numbers of the evaluation.

use super::Pair;

/// Tunable numbers of the evaluation, in hundredths of a pawn: middlegame and endgame where there are two.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub(crate) struct Weights {
    /// Being to move.
    pub(crate) tempo: i32,
    /// A square in reach, by what kind of piece reaches it.
    pub(crate) mobility_leaper: Pair,
    pub(crate) mobility_diagonal: Pair,
    pub(crate) mobility_orthogonal: Pair,
    pub(crate) mobility_queen: Pair,
    /// Two pieces that move on diagonals only, on squares of both colors.
    pub(crate) diagonal_pair: Pair,
    /// A rook-like piece on a file without own pawns, and without any.
    pub(crate) half_open_file: Pair,
    pub(crate) open_file: Pair,
    /// Pawns.
    pub(crate) isolated: Pair,
    pub(crate) doubled: Pair,
    pub(crate) connected: Pair,
    pub(crate) passed: [Pair; 8],
    /// By which a passed pawn's endgame worth grows for each step the enemy king is farther from its path, and shrinks for
    /// each the own king is, times its rank.
    pub(crate) passed_kings: i32,
    /// What is attacked by a pawn, and by a piece worth less.
    pub(crate) attacked_by_pawn: Pair,
    /// Danger to a king: what an attacking piece adds by its size, a square attacked next to the king, one of them that only the
    /// king defends; the square of the sum is divided.
    pub(crate) danger_piece: [i32; 4],
    pub(crate) danger_square: i32,
    pub(crate) danger_weak: i32,
    pub(crate) danger_divisor: i32,
    /// Pawns before an own king one and two steps ahead, and a file there without own pawns.
    pub(crate) shield_near: i32,
    pub(crate) shield_far: i32,
    pub(crate) shield_missing: i32,
    /// Share (in hundredths) of what the best capture wins that counts already: for the side that has the next turn in another
    /// area; for the opponent in the area due, his best and his second best.
    pub(crate) pending: i32,
    pub(crate) threat_best: i32,
    pub(crate) threat_second: i32,
}

impl Default for Weights {
    fn default() -> Self {
        let p = Pair::new;
        Self {
            tempo: 14,
            mobility_leaper: p(4, 4),
            mobility_diagonal: p(4, 5),
            mobility_orthogonal: p(2, 5),
            mobility_queen: p(1, 3),
            diagonal_pair: p(25, 45),
            half_open_file: p(10, 6),
            open_file: p(22, 8),
            isolated: p(-10, -12),
            doubled: p(-6, -18),
            connected: p(7, 6),
            passed: [p(0, 0), p(2, 8), p(4, 12), p(8, 22), p(22, 42), p(45, 80), p(75, 130), p(0, 0)],
            passed_kings: 2,
            attacked_by_pawn: p(30, 25),
            danger_piece: [18, 18, 24, 38],
            danger_square: 7,
            danger_weak: 9,
            danger_divisor: 380,
            shield_near: 12,
            shield_far: 6,
            shield_missing: 14,
            pending: 70,
            threat_best: 8,
            threat_second: 40,
        }
    }
}
