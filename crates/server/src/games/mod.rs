//! Games between people, and against the computer: how they come about, what may be done in them, and who is told.

pub mod action;
pub mod challenges;
pub mod chat;
pub mod clock;
pub(crate) mod computer;
mod control;
pub(crate) mod create;
pub mod event;
mod give_time;
pub mod import;
mod live;
pub mod lobby;
pub mod players;
pub mod presence;
mod service;
pub(crate) mod sweeper;
pub mod view;
mod wish;

pub use action::{Action, Done, Refusal};
pub use challenges::Challenges;
pub use control::{Control, DAYS, LONGEST_INCREMENT, LONGEST_LIMIT, Speed};
pub use create::NewGame;
pub use give_time::Given;
pub use service::{Games, LONGEST_GAP};

/// Counts changes of the rules that make games begun before them impossible to replay.
pub const RULES_VERSION: i64 = 1;
