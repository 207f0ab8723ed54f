//! What every game offers, and what follows from it.

use std::fmt;

use crate::board::Color;

/// How a position stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Ongoing,
    /// The side named has won.
    Checkmate(Color),
    Stalemate,
    /// Fifty moves have passed, in a game that ends by that at once.
    FiftyMoves,
    /// The king was destroyed; the side named has won.
    KingDestroyed(Color),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wins = |winner: &Color| match winner {
            Color::White => "white-wins",
            Color::Black => "black-wins",
        };
        match self {
            Status::Ongoing => f.write_str("ongoing"),
            Status::Checkmate(winner) => write!(f, "checkmate {}", wins(winner)),
            Status::Stalemate => f.write_str("stalemate"),
            Status::FiftyMoves => f.write_str("draw-50"),
            Status::KingDestroyed(winner) => write!(f, "king-destroyed {}", wins(winner)),
        }
    }
}

/// A position of one of the games.
pub(crate) trait Position: Clone {
    /// A turn; it means something only in the position it was made for.
    type Turn: Copy;

    /// The FEN, in the one form in which it is written.
    fn fen(&self) -> String;

    /// The UCI text of a turn.
    fn uci(&self, turn: Self::Turn) -> String;

    /// Every legal turn, once, with the position after it.
    fn successors(&self) -> Vec<(Self::Turn, Self)>;

    /// How the game stands.
    fn status(&self) -> Status;

    /// The number of leaf nodes of the tree of legal turns.
    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.successors().len() as u64,
            _ => self.successors().iter().map(|(_, after)| after.perft(depth - 1)).sum(),
        }
    }
}
