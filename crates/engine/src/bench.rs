//! A fixed piece of work, whose node count tells whether play has changed and whose time tells how fast it is.

use crate::engine::{Options, engine_for};
use crate::limits::{Clock, Limits, NodeClock, Signals};
use std::time::Duration;
use warpchess_rules::VariantId;

/// The depth of the signature that is kept with the engine, in `bench-signature.txt`.
pub const BENCH_DEPTH: u32 = 7;

/// What one game's part of the bench came to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BenchRow {
    /// Which game.
    pub variant: VariantId,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken by the caller's clock.
    pub time: Duration,
}

/// Searches some positions of every game to a depth.
///
/// The positions are the start and those after 12, 24, … plies of a random game with a fixed seed.
///
/// # Examples
/// ```
/// use warpchess_engine::{NodeClock, bench, bench_signature};
/// let clock = NodeClock { per_second: 1_000_000 };
/// assert_eq!(bench_signature(&bench(2, &clock)), bench_signature(&bench(2, &clock)));
/// ```
pub fn bench(depth: u32, clock: &dyn Clock) -> Vec<BenchRow> {
    let mut total = 0;
    VariantId::all()
        .map(|variant| {
            let began = clock.elapsed(total);
            let nodes = positions(variant).iter().map(|fen| search(variant, fen, depth)).sum();
            total += nodes;
            BenchRow { variant, nodes, time: clock.elapsed(total).saturating_sub(began) }
        })
        .collect()
}

/// The nodes of all games: a signature of the engine, which changes when its play does, and is the same on every machine.
pub fn bench_signature(rows: &[BenchRow]) -> u64 {
    rows.iter().map(|row| row.nodes).sum()
}

fn search(variant: VariantId, fen: &str, depth: u32) -> u64 {
    let mut engine = engine_for(variant, &Options::default());
    if engine.set_game(Some(fen), &[]).is_err() {
        return 0;
    }
    let clock = NodeClock { per_second: 1_000_000 };
    engine.search(&Limits::depth(depth), &clock, &Signals::new(), &mut |_| ()).nodes
}

fn positions(variant: VariantId) -> Vec<String> {
    const EVERY: usize = 12;
    let mut position = variant.start();
    let mut fens = vec![position.fen()];
    let mut seed = 2003u64;
    for ply in 1..=4 * EVERY {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        position.play(moves[(seed >> 33) as usize % moves.len()]);
        if ply % EVERY == 0 {
            fens.push(position.fen());
        }
    }
    fens
}
