//! Positions, moves and games as text.

pub mod fen;
#[doc(hidden)]
pub mod fuzz;
pub mod pgn;
pub mod san;
pub mod uci;
