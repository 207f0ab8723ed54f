//! Random games from the start of every game, in which rare kinds of moves are as likely as common ones, compared with
//! the slow generator that shares no code with this crate: legal moves, positions and results.

use warpchess_oracle::State;
use warpchess_rules::{AnyPosition, Move, VariantId};

/// Knuth's linear congruential generator: the same games on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
    /// A capture, a move of a kind drawn by lot, or any move.
    fn choose(&mut self, position: &dyn AnyPosition, moves: &[Move]) -> Move {
        let eligible: Vec<_> = match self.below(3) {
            0 => moves.iter().copied().filter(|&m| position.captured(m).is_some()).collect(),
            1 => {
                let kind = moves[self.below(moves.len())].kind();
                moves.iter().copied().filter(|m| m.kind() == kind).collect()
            }
            _ => Vec::new(),
        };
        let eligible = if eligible.is_empty() { moves } else { &eligible };
        eligible[self.below(eligible.len())]
    }
}

#[test]
fn random_games_agree_with_the_slow_generator_from_start_to_end() {
    let games = if cfg!(debug_assertions) { 12 } else { 80 };
    for variant in VariantId::all() {
        let mut dice = Dice(variant.id().len() as u64);
        let mut compared = 0;
        for _ in 0..games {
            let mut ours = variant.start();
            let mut theirs = State::parse(variant.id(), &ours.fen()).unwrap_or_else(|e| panic!("{variant}: {e}"));
            for _ in 0..200 {
                let fen = ours.fen();
                assert_eq!(fen, theirs.fen(), "{variant}");
                let moves = ours.legal_moves();
                let mut texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
                texts.sort();
                assert_eq!(texts, theirs.legal(), "{variant}: {fen}");
                let status = ours.outcome().map(|o| o.status()).filter(|s| s != "draw-insufficient");
                let expected = theirs.status();
                assert_eq!(status.as_deref().unwrap_or("ongoing"), expected, "{variant}: {fen}");
                compared += 1;
                if moves.is_empty() {
                    break;
                }
                let m = dice.choose(&*ours, &moves);
                ours.play(m);
                theirs = theirs.apply(&m.to_string()).unwrap_or_else(|e| panic!("{variant}: {m} in {fen}: {e}"));
            }
        }
        assert!(compared > 50 * games, "{variant}: {compared} positions");
    }
}
