//! Matches between engines: this library's own at different settings, other builds of it, and any program that speaks UCI.
//!
//! [`run`] plays a [`Contest`]. Every move and every result is judged by the rules crate; what an engine says is never believed.
//! [`stats`] tells what the results mean.
//!
//! # Examples
//! ```
//! use warpchess_arena::{Contest, Control, run};
//! let engines = ["level=2".parse()?, "level=1".parse()?];
//! let contest = Contest::new("chess".parse()?, engines, Control::Nodes(500), 1);
//! let standing = run(&contest, &mut |finished, _| println!("game {}: {}", finished.game, finished.ending))?;
//! assert_eq!(standing.counts.games(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod adjudicate;
mod contest;
mod control;
mod games;
pub mod journal;
mod openings;
mod play;
mod player;
mod record;
mod spec;
pub mod stats;

pub use adjudicate::{Adjudication, DrawRule, RuleError, WinRule};
pub use contest::{Contest, ContestError, Finished, Standing, run};
pub use control::{Clock, Control, ControlError};
pub use games::{Games, GamesError};
pub use journal::JournalError;
pub use openings::{Openings, Plan, mix};
pub use play::Ending;
pub use record::today;
pub use spec::{EngineSpec, Own, Program, Source, SpecError, Weights};
