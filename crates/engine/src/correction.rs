//! How far the static evaluation has been off for positions with the same pawns: a running mean, added to it.
//! Source: <https://www.chessprogramming.org/Static_Evaluation_Correction_History>.

use warpchess_rules::{Color, Position};

const SIZE: usize = 1 << 14;
/// Steps of a hundredth of a pawn.
const GRAIN: i32 = 256;
/// Largest correction, in hundredths of a pawn.
const MOST: i32 = 60;
const WEIGHTS: i32 = 256;

/// The corrections of one thread, by side to move and pawns.
pub(crate) struct Correction {
    table: Box<[[i32; SIZE]; 2]>,
}

impl Correction {
    pub(crate) fn new() -> Self {
        Self { table: vec![[0; SIZE]; 2].try_into().unwrap_or_else(|_| unreachable!("two sides")) }
    }
    #[inline]
    fn index<P: Position>(position: &P) -> usize {
        let mut hash = 0u64;
        for board in position.boards() {
            let pawns = board.pawns();
            let white = (pawns & board.color(Color::White)).0;
            let black = (pawns & board.color(Color::Black)).0;
            hash = (hash.rotate_left(25) ^ white).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ black;
            hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        (hash >> (64 - 14)) as usize
    }
    /// What to add to the static evaluation.
    #[inline]
    pub(crate) fn of<P: Position>(&self, position: &P) -> i32 {
        self.table[position.turn().index()][Self::index(position)] / GRAIN
    }
    /// A search to `depth` has found a value that differs so much from the static evaluation.
    pub(crate) fn learn<P: Position>(&mut self, position: &P, depth: i32, difference: i32) {
        let entry = &mut self.table[position.turn().index()][Self::index(position)];
        let weight = (depth + 1).min(16);
        let mixed = (*entry * (WEIGHTS - weight) + difference.clamp(-400, 400) * GRAIN * weight) / WEIGHTS;
        *entry = mixed.clamp(-MOST * GRAIN, MOST * GRAIN);
    }
}
