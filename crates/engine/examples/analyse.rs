//! Analyses a position: `analyse VARIANT DEPTH NODES [FEN]`.

use std::time::Duration;
use warpchess_engine::{Limits, Options, Signals, SystemClock, engine_for};
use warpchess_rules::VariantId;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [variant, depth, nodes, fen @ ..] = &args[..] else { return Err("VARIANT DEPTH NODES [FEN]".into()) };
    let variant: VariantId = variant.parse()?;
    let mut engine = engine_for(variant, &Options { hash: 64, ..Options::default() });
    engine.set_game(fen.first().map(String::as_str), &[])?;
    let limits = Limits { depth: Some(depth.parse()?), nodes: Some(nodes.parse()?), ..Limits::default() };
    let result = engine.search(&limits, &SystemClock::start(), &Signals::new(), &mut |info| {
        for line in info.lines {
            let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
            println!(
                "depth {}/{} {} nodes {} nps {:.0} hash {} pv {}",
                info.depth,
                line.seldepth,
                line.score,
                info.nodes,
                info.nodes as f64 / info.time.max(Duration::from_nanos(1)).as_secs_f64(),
                info.permille_full,
                moves.join(" ")
            );
        }
    });
    println!("best {:?} {}", result.best, result.score);
    Ok(())
}
