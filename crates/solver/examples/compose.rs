//! Makes sets of mates: `compose VARIANT COUNT LEAST MOST [SEED]` prints lines `variant<TAB>fen<TAB>moves<TAB>keys`.
//!
//! Positions come from games that the engine plays with itself, a little at random: those in which its search announces a
//! mate in LEAST to MOST moves, at most one a game. The solver proves each and finds its keys; one that turns out shorter
//! than announced counts as what it is. Lengths come in equal shares, as far as they come.

use warpchess_engine::{Engine, Limits, NodeClock, Options, Score, Signals};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Position, VariantId};
use warpchess_solver::{Verdict, solve};

struct Compose {
    count: usize,
    least: u32,
    most: u32,
    seed: u64,
}

impl VariantVisitor for Compose {
    type Output = ();
    fn visit<P: Position>(mut self) -> Self::Output {
        let clock = NodeClock { per_second: 1_000_000 };
        let mut engine = Engine::<P>::new(&Options::default());
        let mut found: Vec<u32> = Vec::new();
        let share = self.count.div_ceil((self.most - self.least + 1) as usize);
        let mut random = move |n: usize| {
            self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.seed >> 33) as usize % n
        };
        while found.len() < self.count {
            let mut position = P::start();
            for ply in 0..250 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.automatic_draw().is_some() {
                    break;
                }
                engine.set_position(position.clone());
                let result = engine.search(&Limits::nodes(10_000), &clock, &Signals::new(), &mut |_| ());
                if let Score::Mate(n) = result.score
                    && n > 0
                    && (self.least..=self.most).contains(&(n as u32))
                    && position.halfmove_clock() < 80
                {
                    let options = warpchess_solver::Options { hash: 512, ..Default::default() };
                    let solution = solve(&position, n as u32, &options, &clock, &Signals::new());
                    let Ok(solution) = solution else { break };
                    let Verdict::Mate { moves, shortest: true } = solution.verdict else {
                        eprintln!("announced in {n}, but {}: {}", solution.verdict, Position::fen(&position));
                        break;
                    };
                    if moves >= self.least && found.iter().filter(|&&f| f == moves).count() < share {
                        found.push(moves);
                        let keys: Vec<String> = solution.keys.iter().map(|key| key.m.to_string()).collect();
                        println!("{}\t{}\t{moves}\t{}", P::INFO.id, Position::fen(&position), keys.join(","));
                        break;
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
    let [variant, count, least, most, rest @ ..] = &args[..] else {
        return Err("compose VARIANT COUNT LEAST MOST [SEED]".into());
    };
    let variant: VariantId = variant.parse()?;
    let (least, most) = (least.parse()?, most.parse()?);
    if !(1..=most).contains(&least) {
        return Err(format!("mates in {least} to {most}: numbers in their order expected, from 1").into());
    }
    let seed = rest.first().map_or(Ok(1), |s| s.parse())?;
    variant.visit(Compose { count: count.parse()?, least, most, seed });
    Ok(())
}
