//! Random games, compared move by move with the slow generator that shares no code with this crate.

use std::path::PathBuf;
use warpchess_oracle::State;
use warpchess_rules::{Position, VariantId, variants::VariantVisitor};

/// xorshift64*: the same games on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// Where the games begin: the vectors' positions, the start first.
fn openings(variant: VariantId) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(format!("{variant}.moves.tsv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split('\t').next().map(str::to_owned))
        .collect()
}

struct Compare {
    variant: VariantId,
    plies: usize,
    seed: u64,
}

impl VariantVisitor for Compare {
    type Output = usize;
    fn visit<P: Position>(self) -> usize {
        let variant = self.variant;
        let mut dice = Dice(self.seed);
        let mut seen = 0;
        for opening in openings(variant) {
            let mut ours = P::from_fen(&opening).unwrap_or_else(|e| panic!("{variant}: {opening}: {e}"));
            let mut theirs =
                State::parse(variant.id(), &opening).unwrap_or_else(|e| panic!("{variant}: {opening}: {e}"));
            for _ in 0..self.plies {
                let fen = ours.fen();
                let moves = ours.legal_moves();
                let mut texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
                texts.sort();
                assert_eq!(texts, theirs.legal(), "{variant}: {fen}");
                if moves.is_empty() {
                    assert_eq!(ours.outcome_without_moves().status(), theirs.status(), "{variant}: {fen}");
                    break;
                }
                let m = moves[dice.below(moves.len())];
                ours.play_unchecked(m, &mut ());
                theirs = theirs.apply(&m.to_string()).unwrap_or_else(|e| panic!("{variant}: {e}"));
                assert_eq!(ours.fen(), theirs.fen(), "{variant}: {m} in {fen}");
                seen += 1;
            }
        }
        seen
    }
}

#[test]
fn random_games_agree_with_the_slow_generator() {
    let plies: usize = if cfg!(debug_assertions) { 10 } else { 60 };
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    for variant in VariantId::all() {
        let seen = variant.visit(Compare { variant, plies, seed });
        assert!(seen > 500, "{variant}: {seen} positions");
    }
}
