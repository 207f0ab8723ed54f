//! `warpchess perft`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::Args;
use warpchess_rules::perft::{perft, perft_no_bulk};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Move, Position, VariantId};

use super::print;
use crate::failure::Failure;

/// Count the leaves of the legal move tree
#[derive(Args)]
pub(crate) struct Perft {
    /// The game
    variant: VariantId,
    /// How many plies deep
    depth: u32,
    /// The position; the game's start if left out or `-`
    fen: Option<String>,
    /// Print the leaves below each legal move
    #[arg(long)]
    divide: bool,
    /// Play the moves of the last ply too instead of counting them in bulk
    #[arg(long)]
    no_bulk: bool,
    /// How many threads share the moves of the first ply
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

impl Perft {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let start = Instant::now();
        let rows = self.variant.visit(Divide(&self))?;
        let seconds = start.elapsed().as_secs_f64();
        let total: u64 = match self.depth {
            0 => 1,
            _ => rows.iter().map(|row| row.1).sum(),
        };
        print(|out| {
            if self.divide && self.depth > 0 {
                for (m, nodes) in &rows {
                    writeln!(out, "{m}: {nodes}")?;
                }
            }
            writeln!(out, "{total}")
        })?;
        eprintln!("{total} nodes in {seconds:.3} s, {:.1} million/s", total as f64 / seconds.max(1e-9) / 1e6);
        Ok(())
    }
}

struct Divide<'a>(&'a Perft);

impl VariantVisitor for Divide<'_> {
    type Output = Result<Vec<(Move, u64)>, Failure>;

    fn visit<P: Position>(self) -> Self::Output {
        let args = self.0;
        let position = super::typed::<P>(args.fen.as_deref())?;
        let count = if args.no_bulk { perft_no_bulk::<P> } else { perft::<P> };
        let mut moves = position.legal_moves();
        moves.sort_by_cached_key(ToString::to_string);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some(&m) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
                done.push((m, count(&position.after(m), args.depth.saturating_sub(1))));
            }
            done
        };
        let mut rows = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..args.threads).map(|_| scope.spawn(work)).collect();
            let mut rows = work();
            for helper in helpers {
                match helper.join() {
                    Ok(done) => rows.extend(done),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            rows
        });
        rows.sort_by_cached_key(|(m, _)| m.to_string());
        Ok(rows)
    }
}
