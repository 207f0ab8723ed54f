//! When to stop: depth, nodes, time, and a caller who has changed his mind.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use warpchess_rules::Move;

/// The chess clock of the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct GameClock {
    /// Time left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time comes; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What bounds a search. The default has no bound: it thinks until stopped or until [`MAX_PLY`](crate::MAX_PLY) is reached.
///
/// # Examples
/// ```
/// use warpchess_engine::Limits;
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// assert!(limits.nodes.is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Most nodes to visit.
    pub nodes: Option<u64>,
    /// Time for this move, all of which is used.
    pub movetime: Option<Duration>,
    /// The clock, from which the engine takes what it thinks fit.
    pub clock: Option<GameClock>,
    /// Stop when a mate in so many moves (or fewer) is found.
    pub mate: Option<u32>,
    /// Never stop by itself, not even when all is decided.
    pub infinite: bool,
    /// Only these moves at the root; empty for all. Moves that are not legal are left out.
    pub search_moves: Vec<Move>,
    /// How many best lines to find.
    pub multipv: usize,
    /// Taken off every time limit for what lies between the engine and its clock.
    pub overhead: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            movetime: None,
            clock: None,
            mate: None,
            infinite: false,
            search_moves: Vec::new(),
            multipv: 1,
            overhead: Duration::ZERO,
        }
    }
}

impl Limits {
    /// Search to a depth.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }
    /// Search so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
    /// Search for a time.
    pub fn movetime(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }
}

/// What a caller may tell a search while it runs, from another thread.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Signals {
    /// Nothing told yet.
    pub const fn new() -> Self {
        Self { stop: AtomicBool::new(false), pondering: AtomicBool::new(false) }
    }
    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
    /// Whether it is to end.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
    /// Before a search: `true` if it is made on the opponent's time, so that time limits do not count yet.
    pub fn reset(&self, pondering: bool) {
        self.stop.store(false, Ordering::Relaxed);
        self.pondering.store(pondering, Ordering::Relaxed);
    }
    /// The move pondered on was played: time limits count from here.
    pub fn ponderhit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }
    /// Whether time limits are suspended.
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}

/// Tells how long a search has been running. The engine has no clock of its own, since browsers give WebAssembly none.
pub trait Clock: Sync {
    /// Time since the search began, which has visited so many nodes so far.
    fn elapsed(&self, nodes: u64) -> Duration;
}

/// The system's clock, started when made.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Copy, Clone, Debug)]
pub struct SystemClock(std::time::Instant);

#[cfg(not(target_arch = "wasm32"))]
impl SystemClock {
    /// Starts now.
    #[allow(clippy::new_without_default)]
    pub fn start() -> Self {
        Self(std::time::Instant::now())
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Clock for SystemClock {
    fn elapsed(&self, _: u64) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that goes by work done: for machines without a clock, and for searches that must come out the same each time.
#[derive(Copy, Clone, Debug)]
pub struct NodeClock {
    /// Nodes that make a second.
    pub per_second: u64,
}

impl Clock for NodeClock {
    fn elapsed(&self, nodes: u64) -> Duration {
        let rate = self.per_second.max(1);
        Duration::from_secs(nodes / rate) + Duration::from_nanos(nodes % rate * 1_000_000_000 / rate)
    }
}
