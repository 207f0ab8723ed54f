//! What a search tells.

use crate::score::Score;
use std::time::Duration;
use warpchess_rules::Move;

/// What a score says about the true one.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// At most this.
    Upper,
    /// At least this.
    Lower,
    /// This, as far as the search has seen.
    Exact,
}

/// One of the best lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What it is worth to the side to move.
    pub score: Score,
    /// Whether it is worth that, or the search has only seen that it is worth no more or no less.
    pub bound: Bound,
    /// Its moves, the first of them at the root. Never empty.
    pub moves: Vec<Move>,
    /// Deepest ply reached on the way.
    pub seldepth: u32,
}

/// Told after each iteration, and when a line falls outside the window in which it was expected: then that line, the last,
/// has a bound that is not exact, and lines behind it are not told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info<'a> {
    /// Plies of the iteration that is done or under way.
    pub depth: u32,
    /// The best lines, best first.
    pub lines: &'a [Line],
    /// Nodes visited so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub permille_full: u32,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play; `None` only when there is no legal move (among those asked for).
    pub best: Option<Move>,
    /// The answer expected, for thinking on the opponent's time.
    pub ponder: Option<Move>,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Last iteration that was completed, in plies.
    pub depth: u32,
    /// Deepest ply of the best line's search.
    pub seldepth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// The best line, beginning with `best`.
    pub pv: Vec<Move>,
    /// As many of the best lines as were asked for.
    pub lines: Vec<Line>,
}
