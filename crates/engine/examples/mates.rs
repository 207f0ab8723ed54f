//! Makes the set of mates that the tests ask for: `mates VARIANT COUNT [SEED]` prints lines `variant<TAB>fen<TAB>moves to mate`.
//!
//! Positions come from games the engine plays with itself, a little at random. Each claim is proved by trying every
//! defence, and that there is no shorter mate by trying everything.

use std::collections::HashSet;
use warpchess_engine::{Engine, Limits, NodeClock, Options, Score, Signals};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Move, Position, VariantId};

/// Whether the side to move can force the end of the game in its favor within `n` of its moves.
fn mates<P: Position>(position: &P, n: u32) -> bool {
    position.legal_moves().iter().any(|&m| mates_by(position, m, n))
}

/// Whether it can with this move.
fn mates_by<P: Position>(position: &P, m: Move, n: u32) -> bool {
    let after = position.after(m);
    let replies = after.legal_moves();
    if replies.is_empty() {
        return after.outcome_without_moves().winner == Some(position.turn());
    }
    n > 1 && after.automatic_draw().is_none() && replies.iter().all(|&r| mates(&after.after(r), n - 1))
}

struct Make {
    count: usize,
    seed: u64,
}

impl VariantVisitor for Make {
    type Output = ();
    fn visit<P: Position>(mut self) -> Self::Output {
        let mut engine = Engine::<P>::new(&Options::default());
        let clock = NodeClock { per_second: 1_000_000 };
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut random = move |n: usize| {
            self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.seed >> 33) as usize % n
        };
        while found.len() < self.count {
            let mut position = P::start();
            for ply in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.automatic_draw().is_some() {
                    break;
                }
                engine.set_position(position.clone());
                let result = engine.search(&Limits::nodes(5_000), &clock, &Signals::new(), &mut |_| ());
                // What the search announces, and what it may have overlooked: the set must not show its own blind spots.
                let announced = match result.score {
                    Score::Mate(n @ 1..=3) => Some(n as u32),
                    _ => None,
                };
                let shallow = (1..=if moves.len() <= 40 { 2 } else { 1 }).find(|&n| mates(&position, n));
                if let (Some(n), Some(best)) = (shallow.or(announced), result.best) {
                    let wanted = found.iter().filter(|f| **f == n).count() <= self.count / 3;
                    if wanted
                        && position.halfmove_clock() < 80
                        && seen.insert(position.hash_key())
                        && (shallow.is_some() || mates_by(&position, best, n) && !(n > 1 && mates(&position, n - 1)))
                    {
                        found.push(n);
                        println!("{}\t{}\t{n}", P::INFO.id, Position::fen(&position));
                        if found.len() == self.count {
                            break;
                        }
                    }
                }
                let m = if ply < 8 || random(6) == 0 {
                    moves[random(moves.len())]
                } else {
                    result.best.unwrap_or(moves[0])
                };
                position.play_unchecked(m, &mut ());
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [variant, count, rest @ ..] = &args[..] else { return Err("mates VARIANT COUNT [SEED]".into()) };
    let variant: VariantId = variant.parse()?;
    let seed = rest.first().map_or(Ok(1), |s| s.parse())?;
    variant.visit(Make { count: count.parse()?, seed });
    Ok(())
}
