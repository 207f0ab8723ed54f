//! Random games, compared move by move with the slow generator that shares no code with this crate.

use std::collections::BTreeSet;
use std::path::PathBuf;
use warpchess_oracle::State;
use warpchess_rules::{AnyPosition, Position, VariantId, variants::VariantVisitor};

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
        let mut dice = Dice(self.seed);
        let mut seen = 0;
        for opening in openings(self.variant) {
            let mut ours = P::from_fen(&opening).unwrap_or_else(|e| panic!("{opening}: {e}"));
            let mut theirs = State::parse(self.variant.id(), &opening).unwrap_or_else(|e| panic!("{opening}: {e}"));
            for _ in 0..self.plies {
                let fen = ours.fen();
                let moves = ours.legal_moves();
                let mut texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
                texts.sort();
                assert_eq!(texts, theirs.legal(), "{}: {fen}", self.variant);
                assert_eq!(ours.count_legal(), moves.len() as u64, "{fen}");
                assert_eq!(ours.hash_key(), ours.compute_hash(), "{fen}");
                let all: BTreeSet<_> = moves.iter().collect();
                for m in &ours.noisy_moves() {
                    assert!(all.contains(m), "noisy but not legal: {m} in {fen}");
                }
                if ours.in_check() {
                    assert!(
                        P::from_fen(&with_other_side(&fen)).is_err(),
                        "in check, so no move of the other side: {fen}"
                    );
                }
                if moves.is_empty() {
                    break;
                }
                let m = moves[dice.below(moves.len())];
                ours.play_unchecked(m, &mut ());
                theirs = theirs.apply(&m.to_string()).unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(Position::fen(&ours), theirs.fen(), "{}: {m} in {fen}", self.variant);
                let read = P::from_fen(&ours.fen()).unwrap_or_else(|e| panic!("{}: {e}", ours.fen()));
                assert_eq!(read, ours, "FEN round trip of {}", ours.fen());
                assert_eq!(read.hash_key(), ours.hash_key(), "{}", ours.fen());
                seen += 1;
            }
        }
        seen
    }
}

/// The FEN with the turn given to the other side and no ep square.
fn with_other_side(fen: &str) -> String {
    let mut fields: Vec<_> = fen.split(' ').collect();
    fields[1] = if fields[1] == "w" { "b" } else { "w" };
    fields.join(" ")
}

#[test]
fn random_games_agree_with_the_slow_generator() {
    let plies: usize = if cfg!(debug_assertions) { 10 } else { 60 };
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    for variant in VariantId::all() {
        let seen = variant.visit(Compare { variant, plies, seed });
        let _: Box<dyn AnyPosition> = variant.start();
        assert!(seen > 500, "{variant}: {seen} positions");
    }
}
