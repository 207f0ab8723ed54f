//! Direct mates, proved: does the side to move win within a number of moves against every defence, by which first moves,
//! and how does it go on? For every game that [`warpchess_rules`] knows.
//!
//! Mate is whatever makes the opponent lose by the rules of the game at hand. The proof leaves no move out; repetition and
//! draws by counting moves play no part in it, as is the custom with composed problems.
//!
//! The library prints nothing and reads no clock: the caller gives it one.
//!
//! # Examples
//! ```
//! use warpchess_engine::{NodeClock, Signals};
//! use warpchess_rules::{Position, variants::Chess};
//! use warpchess_solver::{Options, Verdict, solve};
//! // A rook and a king against a king.
//! let position = Chess::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1")?;
//! let clock = NodeClock { per_second: 1_000_000 };
//! let solution = solve(&position, 2, &Options::default(), &clock, &Signals::new())?;
//! assert_eq!(solution.verdict, Verdict::Mate { moves: 1, shortest: true });
//! assert_eq!(solution.keys[0].m.to_string(), "a1a8");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod prover;
mod record;
mod solve;
mod table;
mod tree;

pub use prover::Limits;
pub use record::record;
pub use solve::{Found, Key, Keys, MAX_MOVES, Options, ProblemError, Solution, Verdict, solve};
pub use tree::{Answer, Defence, Try};
