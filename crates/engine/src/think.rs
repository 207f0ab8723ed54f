//! One call for those who want a move and keep nothing: browsers, command lines, servers.

use crate::engine::{Options, SetupError, engine_for};
use crate::levels::Level;
use crate::limits::{Clock, Limits, Signals};
use crate::report::SearchResult;
use std::time::Duration;
use warpchess_rules::VariantId;

/// How hard to think.
#[derive(Clone, Debug)]
pub enum Effort {
    /// As an opponent of some strength, within a time if one is given.
    Level {
        /// How strong.
        level: Level,
        /// Upper bound on the time, besides the level's own bounds.
        movetime: Option<Duration>,
        /// Makes the choice among near-best moves; the same seed chooses the same.
        seed: u64,
    },
    /// As well as can be under limits.
    Limits(Limits),
}

/// Thinks about a position: the game's start or a FEN, and the moves played since, in UCI.
///
/// # Errors
/// When the FEN cannot be read or a move is not legal.
///
/// # Examples
/// ```
/// use warpchess_engine::{Effort, Level, NodeClock, Signals, think};
/// let effort = Effort::Level { level: Level::new(1)?, movetime: None, seed: 7 };
/// let clock = NodeClock { per_second: 500_000 };
/// let answer = think("chess".parse()?, None, &["e2e4"], &effort, &clock, &Signals::new())?;
/// assert!(answer.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn think(
    variant: VariantId,
    fen: Option<&str>,
    moves: &[&str],
    effort: &Effort,
    clock: &dyn Clock,
    signals: &Signals,
) -> Result<SearchResult, SetupError> {
    let mut engine = engine_for(variant, &Options::default());
    engine.set_game(fen, moves)?;
    Ok(match effort {
        Effort::Level { level, movetime, seed } => level.choose(&mut *engine, *movetime, clock, signals, *seed),
        Effort::Limits(limits) => engine.search(limits, clock, signals, &mut |_| ()),
    })
}
