//! How far the static evaluation has been off for positions alike: running means, added to it.
//! Source: <https://www.chessprogramming.org/Static_Evaluation_Correction_History>.

use crate::history::Slot;
use warpchess_rules::{Color, Position};

const BITS: u32 = 14;
/// Steps of a hundredth of a pawn.
const GRAIN: i32 = 256;
/// Largest correction by one table, in hundredths of a pawn.
const MOST: i32 = 64;
const WEIGHTS: i32 = 256;

/// The corrections of one thread, by side to move and what is alike: the pawns, the pieces of either side, the move before.
pub(crate) struct Correction {
    tables: Box<[i16]>,
}

/// Places in the tables.
#[derive(Copy, Clone)]
pub(crate) struct Places([usize; Correction::TABLES]);

#[inline]
fn mix(hash: u64, more: u64) -> u64 {
    let hash = (hash ^ more).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}

impl Correction {
    const TABLES: usize = 4;

    pub(crate) fn new() -> Self {
        Self { tables: vec![0; Self::TABLES << (BITS + 1)].into() }
    }

    #[inline]
    pub(crate) fn places<P: Position>(position: &P, last: Option<Slot>) -> Places {
        let (mut pawns, mut white, mut black) = (0, 0, 0);
        for board in position.boards() {
            let (p, w, b) = (board.pawns(), board.color(Color::White), board.color(Color::Black));
            pawns = mix(mix(pawns, (p & w).0), (p & b).0);
            white = mix(white, (w & !p).0);
            black = mix(black, (b & !p).0);
        }
        let last = last.map_or(0, |slot| mix(0, slot.number() + 1));
        let side = position.turn().index();
        let mut places = [0; Self::TABLES];
        for (i, hash) in [pawns, white, black, last].into_iter().enumerate() {
            let hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
            places[i] = (2 * i + side) << BITS | (hash >> (64 - BITS)) as usize;
        }
        Places(places)
    }

    /// What to add to the static evaluation.
    #[inline]
    pub(crate) fn sum(&self, places: Places) -> i32 {
        places.0.iter().map(|&i| i32::from(self.tables[i])).sum::<i32>() / GRAIN
    }

    /// A search to `depth` has found a value that differs so much from the static evaluation.
    pub(crate) fn learn(&mut self, places: Places, depth: i32, difference: i32) {
        let weight = (depth + 1).min(16);
        let target = difference.clamp(-400, 400) * GRAIN;
        for i in places.0 {
            let entry = &mut self.tables[i];
            let mixed = (i32::from(*entry) * (WEIGHTS - weight) + target * weight) / WEIGHTS;
            *entry = mixed.clamp(-MOST * GRAIN, MOST * GRAIN) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::variants::Chess;

    #[test]
    fn what_is_learnt_is_for_positions_alike() {
        let mut correction = Correction::new();
        let position = Chess::start();
        let here = Correction::places(&position, None);
        for _ in 0..20 {
            correction.learn(here, 8, 50);
        }
        let learnt = correction.sum(here);
        assert!(learnt > 20, "{learnt}");
        // The same pawns count, though the pieces stand elsewhere.
        let alike = Chess::from_fen("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2").expect("fen");
        let partly = correction.sum(Correction::places(&alike, None));
        assert!(partly > 0 && partly < learnt, "{partly}");
        let other = Chess::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").expect("fen");
        assert_eq!(correction.sum(Correction::places(&other, None)), 0);
    }
}
