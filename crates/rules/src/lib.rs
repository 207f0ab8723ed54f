//! Rules of chess and of variants whose pieces leave their squares in other ways: through portals, through a pocket,
//! by changing places.
//!
//! [`Position`] is the interface of all games, [`variants`] holds one type a game, [`VariantId`] finds a game by name.
//!
//! # Examples
//! ```
//! use warpchess_rules::{Position, variants::Chess};
//! let mut position = Chess::start();
//! let m = position.legal_moves()[0];
//! position.play_unchecked(m, &mut ());
//! assert_eq!(position.legal_moves().len(), 20);
//! ```
#![deny(unsafe_code)]

pub mod core;
pub mod game;
pub mod info;
pub mod movement;
pub mod notation;
pub mod perft;
mod position;
pub mod testkit;
pub mod variants;

pub use crate::core::{
    Area, Bitboard, Board, Castling, Color, Core, Counter, Effect, First, Marker, MarkerKind, MarkerView, Move,
    MoveKind, MoveList, MoveSink, Observer, ParseSquareError, Piece, Place, Powers, Role, Side, Square,
};
pub use game::Game;
pub use info::{Feature, VariantInfo};
pub use notation::fen::{FenError, FenField};
pub use position::{AnyPosition, EndReason, Outcome, Position, Reach, Which};
pub use variants::VariantId;
