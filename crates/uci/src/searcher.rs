//! The thread that searches.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use warpchess_engine::{AnyEngine, Level, Limits, SearchResult, Signals, SystemClock};

use crate::output::Output;
use crate::report;

/// What both threads hold.
pub(crate) struct Shared<W> {
    pub(crate) output: Output<W>,
    pub(crate) signals: Signals,
    /// From the start of a search until its `bestmove` is about to be told.
    pub(crate) searching: AtomicBool,
}

impl<W: Write> Shared<W> {
    pub(crate) fn new(output: Output<W>) -> Self {
        Self { output, signals: Signals::new(), searching: AtomicBool::new(false) }
    }
}

/// A search to be made. The engine comes with it and goes back when it is done.
pub(crate) struct Job {
    pub(crate) engine: Box<dyn AnyEngine>,
    pub(crate) limits: Limits,
    /// Started when `go` was read.
    pub(crate) clock: SystemClock,
    /// How well to play, and what makes its choices; `None` for as well as can be.
    pub(crate) strength: Option<(Level, u64)>,
}

/// Searches until nobody asks any more.
pub(crate) fn search_jobs<W: Write>(shared: &Shared<W>, jobs: Receiver<Job>, done: Sender<Box<dyn AnyEngine>>) {
    for Job { mut engine, limits, clock, strength } in jobs {
        // Should the engine ever fail, a board still gets a move, and the next search another chance.
        let found = catch_unwind(AssertUnwindSafe(|| search(shared, &mut *engine, &limits, clock, strength)));
        let answer = match found {
            Ok(result) => report::best(result.best, result.ponder),
            Err(_) => {
                engine.clear();
                shared.output.error("the search failed; this is a fault of the engine");
                report::best(engine.legal_moves().first().copied(), None)
            }
        };
        shared.searching.store(false, Ordering::Release);
        shared.output.say(answer);
        if done.send(engine).is_err() {
            return;
        }
    }
}

fn search<W: Write>(
    shared: &Shared<W>,
    engine: &mut dyn AnyEngine,
    limits: &Limits,
    clock: SystemClock,
    strength: Option<(Level, u64)>,
) -> SearchResult {
    let mut told = Vec::new();
    let result = match strength {
        Some((level, seed)) => level.choose_within(engine, limits, &clock, &shared.signals, seed),
        None => engine.search(limits, &clock, &shared.signals, &mut |info| {
            if let Some(text) = report::iteration(info) {
                shared.output.say(text);
                if shared.output.failed() {
                    shared.signals.stop();
                }
                told = info.lines.first().map(|line| line.moves.clone()).unwrap_or_default();
            }
        }),
    };
    if told.is_empty() || told != result.pv {
        shared.output.say(report::end(&result));
    }
    result
}
