//! Positions, moves and games as text.

pub mod fen;
pub mod pgn;
pub mod san;
pub mod uci;
