//! Solves a file of problems, lines `variant<TAB>fen<TAB>moves`, and tells for each when the first key was proved and when all
//! was done: `solve FILE [VARIANT]`.

use warpchess_engine::{Signals, SystemClock};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Position, VariantId};
use warpchess_solver::{Options, Solution, solve};

struct Run<'a> {
    fen: &'a str,
    moves: u32,
}

impl VariantVisitor for Run<'_> {
    type Output = Result<Solution, Box<dyn std::error::Error>>;
    fn visit<P: Position>(self) -> Self::Output {
        let position = P::from_fen(self.fen)?;
        Ok(solve(&position, self.moves, &Options::default(), &SystemClock::start(), &Signals::new())?)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = args.first() else { return Err("solve FILE [VARIANT]".into()) };
    let (mut first, mut all) = (0.0, 0.0);
    for line in std::fs::read_to_string(file)?.lines().filter(|l| !l.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [variant, fen, moves, ..] = fields[..] else { return Err(format!("bad line {line}").into()) };
        if args.get(1).is_some_and(|wanted| wanted != variant) {
            continue;
        }
        let variant: VariantId = variant.parse()?;
        let solution = variant.visit(Run { fen, moves: moves.parse()? })?;
        let keys: Vec<String> = solution.keys.iter().map(|key| key.m.to_string()).collect();
        let found = solution.found.map_or(f64::NAN, |found| found.time.as_secs_f64());
        let time = solution.time.as_secs_f64();
        println!("{fen}\t{moves}\t{}\t{}\t{found:.6}\t{time:.6}\t{}", solution.verdict, keys.join(","), solution.nodes);
        (first, all) = (first + found, all + time);
    }
    eprintln!("first keys {first:.3} s, all {all:.3} s");
    Ok(())
}
