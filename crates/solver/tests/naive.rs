//! The solver against a search that knows nothing but the rules: the same verdict, the same keys with the same lengths, in
//! positions around mates in every game.

use warpchess_engine::{NodeClock, Signals};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Color, Move, Position, VariantId};
use warpchess_solver::{Keys, Options, ProblemError, Verdict, solve};

/// Tries everything, without memory and without order, until its patience is at an end.
struct Naive {
    attacker: Color,
    patience: u32,
}

impl Naive {
    fn attacks<P: Position>(&mut self, position: &P, moves: u32) -> Option<bool> {
        if moves == 0 {
            return Some(false);
        }
        for m in position.legal_moves() {
            if self.is_beaten(&position.after(m), moves - 1)? {
                return Some(true);
            }
        }
        Some(false)
    }
    fn is_beaten<P: Position>(&mut self, position: &P, moves: u32) -> Option<bool> {
        self.patience = self.patience.checked_sub(1)?;
        if let Some(outcome) = position.outcome() {
            return Some(outcome.winner == Some(self.attacker));
        }
        if moves == 0 {
            return Some(false);
        }
        for m in position.legal_moves() {
            let after = position.after(m);
            let over = after.outcome();
            let beaten = match over {
                Some(outcome) => outcome.winner == Some(self.attacker),
                None => self.attacks(&after, moves)?,
            };
            if !beaten {
                return Some(false);
            }
        }
        Some(true)
    }
}

struct Compare {
    fens: Vec<String>,
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }
}

/// Keys with their lengths, found the naive way; `None` when it takes too long.
fn naive_keys<P: Position>(position: &P, moves: u32, patience: u32) -> Option<Vec<(u32, String, Move)>> {
    let mut naive = Naive { attacker: position.turn(), patience };
    let mut keys = Vec::new();
    for m in position.legal_moves() {
        for length in 1..=moves {
            if naive.is_beaten(&position.after(m), length - 1)? {
                keys.push((length, m.to_string(), m));
                break;
            }
        }
    }
    keys.sort();
    Some(keys)
}

impl VariantVisitor for Compare {
    /// How many positions were compared, by the number of moves asked for, and how many had a mate.
    type Output = ([usize; 4], usize);
    fn visit<P: Position>(self) -> Self::Output {
        let clock = NodeClock { per_second: 1_000_000 };
        let mut dice = Dice(7);
        let (mut compared, mut mates) = ([0; 4], 0);
        for fen in &self.fens {
            let mut position = P::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
            for _ in 0..4 {
                for moves in 1..=3 {
                    let patience = if moves == 3 { 60_000 } else { 200_000 };
                    let Some(expected) = naive_keys(&position, moves, patience) else { break };
                    let options = Options { keys: Keys::All, hash: 1, ..Options::default() };
                    let solution = match solve(&position, moves, &options, &clock, &Signals::new()) {
                        Ok(solution) => solution,
                        Err(ProblemError::Over(_)) => break,
                        Err(error) => panic!("{fen}: {error}"),
                    };
                    let found: Vec<_> = solution.keys.iter().map(|k| (k.mate, k.m.to_string(), k.m)).collect();
                    let at = format!("{}: mate in {moves} in {}", P::INFO.id, position.fen());
                    assert_eq!(found, expected, "{at}");
                    assert!(solution.all_keys && solution.complete, "{at}");
                    let verdict = match expected.first() {
                        Some(&(moves, ..)) => Verdict::Mate { moves, shortest: true },
                        None => Verdict::NoMate,
                    };
                    assert_eq!(solution.verdict, verdict, "{at}");
                    compared[moves as usize] += 1;
                    mates += usize::from(!expected.is_empty());
                }
                let moves = position.legal_moves();
                if moves.is_empty() || position.outcome().is_some() {
                    break;
                }
                position.play_unchecked(moves[dice.below(moves.len())], &mut ());
            }
        }
        (compared, mates)
    }
}

#[test]
fn the_solver_finds_what_trying_everything_finds() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/mates.tsv");
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    for variant in VariantId::all() {
        let rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let fens = rows.filter(|row| row[0] == variant.id()).map(|row| row[1].to_owned()).collect();
        let (compared, mates) = variant.visit(Compare { fens });
        eprintln!("{variant}: {compared:?} positions compared, {mates} with a mate");
        assert!(compared[1] > 80 && compared[2] > 50 && mates > 50, "{variant}: {compared:?}, {mates} mates");
    }
}
