//! Games of the engine against itself, a little at random in the opening.

use super::Sample;
use crate::engine::{Engine, Options};
use crate::eval::WeightSet;
use crate::limits::{Limits, NodeClock, Signals};
use crate::picker::is_noisy;
use crate::score::Score;
use warpchess_rules::{Color, Position};

/// How games are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// Nodes a move.
    pub nodes: u64,
    /// Makes the openings.
    pub seed: u64,
    /// Plies played at random at the beginning of each game.
    pub random: usize,
    /// Numbers of the evaluation instead of those built in.
    pub weights: Option<WeightSet>,
}

impl Default for Match {
    fn default() -> Self {
        Self { nodes: 4000, seed: 1, random: 10, weights: None }
    }
}

const LONGEST: usize = 300;
/// A game is decided when it has looked so for this many plies.
const DECIDED: i32 = 1000;
const DECIDED_PLIES: u32 = 6;
/// Beyond this a position teaches nothing about what leads there.
const TOO_CLEAR: i32 = 1500;

/// SplitMix64. Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }
}

/// The quiet positions of the game of this number. The same terms and number play the same game.
pub fn game<P: Position>(terms: &Match, number: u64) -> Vec<Sample<P>> {
    let mut random =
        Random(terms.seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number.wrapping_mul(0xd134_2543_de82_ef95));
    let options = Options { hash: 4, weights: terms.weights.clone(), ..Options::default() };
    let mut engine = Engine::<P>::new(&options);
    let clock = NodeClock { per_second: 1_000_000 };
    let mut found: Vec<(P, i32)> = Vec::new();
    let mut keys = Vec::new();
    let mut decided = [0; 2];
    // A game that just goes on counts as drawn.
    let mut result = 0.5;
    for ply in 0..LONGEST {
        let position = engine.position().clone();
        if let Some(outcome) = position.outcome() {
            result = outcome.winner.map_or(0.5, points);
            break;
        }
        let key = position.hash_key();
        keys.push(key);
        if position.halfmove_clock() >= 100 || keys.iter().filter(|k| **k == key).count() >= 3 {
            break;
        }
        let moves = position.legal_moves();
        if ply < terms.random {
            engine.play(moves[random.below(moves.len())]);
            continue;
        }
        let search = engine.search(&Limits::nodes(terms.nodes), &clock, &Signals::new(), &mut |_| ());
        let Some(best) = search.best else { break };
        let sign = if position.turn() == Color::White { 1 } else { -1 };
        let value = match search.score {
            Score::Cp(cp) => cp * sign,
            Score::Mate(n) => 10_000 * sign * n.signum(),
        };
        for (color, decided) in Color::ALL.into_iter().zip(&mut decided) {
            let ahead = if color == Color::White { value } else { -value };
            *decided = if ahead > DECIDED { *decided + 1 } else { 0 };
            if *decided >= DECIDED_PLIES {
                result = points(color);
            }
        }
        if decided.contains(&DECIDED_PLIES) {
            break;
        }
        if !position.in_check() && !is_noisy(&position, best) && value.abs() < TOO_CLEAR {
            found.push((position, value));
        }
        engine.play(best);
    }
    found.into_iter().map(|(position, score)| Sample { position, result, score }).collect()
}

fn points(winner: Color) -> f64 {
    if winner == Color::White { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::variants::Chess;

    #[test]
    fn a_game_comes_out_the_same_for_its_number_and_differently_for_others() {
        let terms = Match { nodes: 150, ..Match::default() };
        let one = game::<Chess>(&terms, 5);
        assert_eq!(one, game::<Chess>(&terms, 5));
        assert_ne!(one, game::<Chess>(&terms, 6));
        assert_ne!(one, game::<Chess>(&Match { seed: 2, ..terms }, 5));
    }

    #[test]
    fn only_quiet_positions_are_kept() {
        let samples = game::<Chess>(&Match { nodes: 150, ..Match::default() }, 1);
        assert!(!samples.is_empty());
        assert!(samples.iter().all(|s| !s.position.in_check() && s.score.abs() < TOO_CLEAR));
        assert!(samples.iter().all(|s| s.result == samples[0].result), "one game has one result");
    }
}
