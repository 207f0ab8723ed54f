//! What every variant is made of: squares, pieces, boards, moves, effects and hash keys.

mod bitboard;
mod board;
mod effect;
mod moves;
mod piece;
mod square;
mod state;
pub mod zobrist;

pub use bitboard::{Bitboard, BitboardIter};
pub use board::Board;
pub use effect::{Effect, Marker, MarkerKind, MarkerView, Observer, Place};
pub use moves::{Counter, First, Move, MoveKind, MoveList, MoveSink, Sieve};
pub use piece::{Color, ParseRoleError, Piece, Powers, Role};
pub use square::{Area, ParseSquareError, Square};
pub(crate) use state::usable_ep;
pub use state::{Castling, Core, MAX_CLOCK, Side};
