//! Search and evaluation for every game that [`warpchess_rules`] knows.
//!
//! [`think`] answers one question; an [`Engine`] (or [`engine_for`] a game known only at run time) keeps its memory from
//! move to move. The library prints nothing, starts nothing and reads no clock: the caller gives it one.
#![forbid(unsafe_code)]

mod bench;
mod checks;
mod correction;
mod engine;
mod eval;
mod history;
mod levels;
mod limits;
mod node;
mod params;
mod picker;
mod quiesce;
mod report;
mod score;
mod see;
mod selective;
mod think;
mod time;
mod tt;
pub mod tuning;
mod worker;

pub use bench::{BENCH_DEPTH, BenchRow, bench, bench_signature};
pub use engine::{AnyEngine, Engine, Options, SetupError, engine_for};
pub use eval::{WeightSet, WeightsError};
pub use levels::{Level, UnknownLevel};
#[cfg(not(target_arch = "wasm32"))]
pub use limits::SystemClock;
pub use limits::{Clock, GameClock, Limits, NodeClock, Signals};
pub use params::Params;
pub use report::{Bound, Info, Line, SearchResult};
pub use score::{MAX_PLY, Score};
pub use think::{Effort, think};
pub use tt::TranspositionTable;
