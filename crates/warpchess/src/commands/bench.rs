//! `warpchess bench`.

use clap::Args;
use serde_json::json;
use warpchess_engine::{BENCH_DEPTH, SystemClock, bench, bench_signature};

use super::print;
use crate::failure::Failure;

/// Search fixed positions of every game: the sum of the nodes changes when the engine's play does
#[derive(Args)]
pub(crate) struct Bench {
    /// How deep, in plies; only at the usual depth is the sum the one kept in crates/engine/bench-signature.txt
    #[arg(long, value_name = "N", default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let rows = bench(self.depth, &SystemClock::start());
        let signature = bench_signature(&rows);
        let rate = |nodes: u64, seconds: f64| (nodes as f64 / seconds.max(1e-9)).round();
        let seconds: f64 = rows.iter().map(|row| row.time.as_secs_f64()).sum();
        print(|out| {
            if self.json {
                let games: Vec<_> = rows
                    .iter()
                    .map(|row| {
                        let seconds = row.time.as_secs_f64();
                        json!({
                            "variant": row.variant.id(), "nodes": row.nodes, "seconds": seconds,
                            "nodesPerSecond": rate(row.nodes, seconds),
                        })
                    })
                    .collect();
                let all = json!({
                    "depth": self.depth, "games": games, "seconds": seconds,
                    "nodesPerSecond": rate(signature, seconds), "signature": signature,
                });
                return writeln!(out, "{all:#}");
            }
            writeln!(out, "{:16}{:>12}{:>10}{:>12}", "game", "nodes", "seconds", "nodes/s")?;
            for row in &rows {
                let seconds = row.time.as_secs_f64();
                let rate = rate(row.nodes, seconds);
                writeln!(out, "{:16}{:>12}{seconds:>10.3}{rate:>12.0}", row.variant.id(), row.nodes)?;
            }
            writeln!(out, "{:16}{signature:>12}{seconds:>10.3}{:>12.0}", "signature", rate(signature, seconds))
        })
    }
}
