//! Random games, in which rare kinds of moves are as likely as common ones, compared with the slow generator that shares
//! no code with this crate: legal moves, positions and results.

use std::path::PathBuf;
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

/// Plays one game and compares every position of it; tells how many there were.
fn compare(variant: VariantId, mut ours: Box<dyn AnyPosition>, plies: usize, dice: &mut Dice) -> usize {
    let mut theirs = State::parse(variant.id(), &ours.fen()).unwrap_or_else(|e| panic!("{variant}: {e}"));
    for ply in 0..plies {
        let fen = ours.fen();
        assert_eq!(fen, theirs.fen(), "{variant}");
        let moves = ours.legal_moves();
        let mut texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
        texts.sort();
        assert_eq!(texts, theirs.legal(), "{variant}: {fen}");
        let status = ours.outcome().map(|o| o.status()).filter(|s| s != "draw-insufficient");
        assert_eq!(status.as_deref().unwrap_or("ongoing"), theirs.status(), "{variant}: {fen}");
        if moves.is_empty() {
            return ply + 1;
        }
        let m = dice.choose(&*ours, &moves);
        ours.play(m);
        theirs = theirs.apply(&m.to_string()).unwrap_or_else(|e| panic!("{variant}: {m} in {fen}: {e}"));
    }
    plies
}

#[test]
fn random_games_agree_with_the_slow_generator_from_start_to_end() {
    let games = if cfg!(debug_assertions) { 12 } else { 80 };
    for variant in VariantId::all() {
        let mut dice = Dice(variant.id().len() as u64);
        let compared: usize = (0..games).map(|_| compare(variant, variant.start(), 200, &mut dice)).sum();
        assert!(compared > 50 * games, "{variant}: {compared} positions");
    }
}

/// From the positions of `vectors/`, where portals, pockets and declarations are in every odd arrangement.
#[test]
fn random_games_agree_with_the_slow_generator_from_odd_positions() {
    let plies = if cfg!(debug_assertions) { 10 } else { 60 };
    for variant in VariantId::all() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(format!("{variant}.moves.tsv"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let fens = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').next());
        let mut dice = Dice(1);
        let compared: usize = fens
            .map(|fen| variant.from_fen(fen).unwrap_or_else(|e| panic!("{variant}: {fen}: {e}")))
            .map(|position| compare(variant, position, plies, &mut dice))
            .sum();
        assert!(compared > 500, "{variant}: {compared} positions");
    }
}
