//! Measures a game by self-play, for those who invent games: who is better off, how often and why games are drawn, how long
//! they are, how much there is to choose from, how often what is special about the game is used, and whether it decides.
//!
//! [`run`] plays a [`Study`], [`measure`] takes the facts from a game, [`Report::new`] makes statistics of the facts, [`chart`]
//! draws them. Everything special is known by the kinds of moves that the rules crate tells; no game is known by its name.
//!
//! # Examples
//! ```
//! use warpchess_lab::{Effort, Report, Study, run};
//! use warpchess_arena::Control;
//! let study = Study::new("teleport".parse()?, 2, Effort::Limit(Control::Nodes(50)));
//! let facts = run(&study, &mut |_| ())?;
//! let report = Report::new(&study, &facts);
//! assert_eq!(report.games, 2);
//! assert!(warpchess_lab::chart(&report).starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod chart;
mod facts;
mod features;
mod numbers;
mod play;
mod report;
mod study;
mod svg;

pub use chart::chart;
pub use facts::{Facts, Turn, measure};
pub use features::Feature;
pub use numbers::{Share, Summary};
pub use play::Recorded;
pub use report::{
    Bin, Choices, Decides, Ending, FORMAT, FirstMove, Leads, Length, Material, Report, ShortWin, Use, White,
};
pub use study::{Beginning, Effort, Study, StudyError, Variety, run};
