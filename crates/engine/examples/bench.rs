//! Prints the engine's node signature and its speed: `bench [DEPTH]`.

use warpchess_engine::{SystemClock, bench, bench_signature};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(9), |d| d.parse())?;
    let rows = bench(depth, &SystemClock::start());
    for row in &rows {
        let rate = row.nodes as f64 / row.time.as_secs_f64().max(1e-9) / 1000.0;
        println!("{:16} {:10} nodes {:8.0} knps", row.variant.id(), row.nodes, rate);
    }
    println!("{} nodes", bench_signature(&rows));
    Ok(())
}
