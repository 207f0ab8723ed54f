//! The engine of this library.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use warpchess_engine::{AnyEngine, GameClock, Limits, Options, Signals, SystemClock, engine_for};
use warpchess_rules::VariantId;

use super::waiting::Watch;
use super::{Answer, Fault, Player, Turn};
use crate::control::Control;
use crate::spec::Own;

/// Taken off every time limit, for what lies between the engine and the clock.
const OVERHEAD: Duration = Duration::from_millis(10);

pub(super) struct OwnPlayer<'a> {
    own: &'a Own,
    engine: Box<dyn AnyEngine>,
    /// Whether one thread does all the searching.
    alone: bool,
    cancel: &'a Signals,
}

impl<'a> OwnPlayer<'a> {
    pub(super) fn new(own: &'a Own, variant: VariantId, cancel: &'a Signals) -> Self {
        let defaults = Options::default();
        let options = Options {
            hash: own.hash.unwrap_or(defaults.hash),
            threads: own.threads.unwrap_or(defaults.threads),
            params: (*own.params).clone(),
            weights: own.weights.as_ref().map(|weights| weights.set.clone()),
        };
        Self { own, engine: engine_for(variant, &options), alone: options.threads <= 1, cancel }
    }
}

fn limits(turn: &Turn<'_>) -> Limits {
    let clock = turn.clock();
    match clock.control() {
        Control::Clock { increment, .. } => Limits {
            clock: clock.remaining().map(|remaining| GameClock {
                remaining,
                increment,
                moves_to_go: clock.moves_to_go(),
            }),
            overhead: OVERHEAD,
            ..Limits::default()
        },
        Control::MoveTime(time) => Limits { overhead: OVERHEAD, ..Limits::movetime(time) },
        Control::Nodes(nodes) => Limits::nodes(nodes),
        Control::Depth(depth) => Limits::depth(depth),
    }
}

impl Player for OwnPlayer<'_> {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.engine.clear();
        Ok(())
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let watch = Watch::start(self.alone);
        let clock = SystemClock::start();
        let moves: Vec<&str> = turn.moves.iter().map(String::as_str).collect();
        self.engine.set_game(Some(turn.start), &moves).map_err(|error| Fault::Died(error.to_string()))?;
        let limits = limits(turn);
        // Should the engine ever fail, it loses this game; the match goes on.
        let found = catch_unwind(AssertUnwindSafe(|| match self.own.level {
            Some(level) => level.choose_within(&mut *self.engine, &limits, &clock, self.cancel, turn.seed),
            None => self.engine.search(&limits, &clock, self.cancel, &mut |_| ()),
        }))
        .map_err(|_| Fault::Died("the search failed".into()))?;
        if self.cancel.stopped() {
            return Err(Fault::Cancelled);
        }
        let (took, waited) = watch.stop();
        Ok(Answer {
            text: found.best.map_or_else(|| "(none)".into(), |m| m.to_string()),
            score: Some(found.score),
            depth: Some(found.depth),
            took,
            waited,
        })
    }
}
