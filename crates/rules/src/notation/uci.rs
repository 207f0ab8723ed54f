//! Moves in UCI's long algebraic form; writing is [`Move`]'s `Display`.

use super::fen::excerpt;
use crate::core::{Move, MoveList};
use crate::position::AnyPosition;
use std::fmt::{self, Write};

/// A text that is no legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{text}' is not a legal move in {fen}")]
pub struct UciError {
    /// The text, shortened.
    pub text: String,
    /// The position.
    pub fen: String,
}

/// Finds the legal move with this UCI text.
///
/// # Errors
/// When no legal move is written so.
///
/// # Examples
/// ```
/// use warpchess_rules::{Position, notation::uci, variants::Chess};
/// let m = uci::parse(&Chess::start(), "g1f3")?;
/// assert_eq!(m.to_string(), "g1f3");
/// # Ok::<(), uci::UciError>(())
/// ```
pub fn parse(position: &dyn AnyPosition, text: &str) -> Result<Move, UciError> {
    find(&position.legal_moves(), text).ok_or_else(|| UciError { text: excerpt(text), fen: position.fen() })
}

/// Finds the move with this UCI text in a list.
pub fn find(moves: &MoveList, text: &str) -> Option<Move> {
    moves.iter().copied().find(|&m| is_written(m, text))
}

/// Whether a move is written so. No text is made to compare with: an engine is sent all moves of a game before each search.
fn is_written(m: Move, text: &str) -> bool {
    struct Rest<'a>(&'a str);
    impl fmt::Write for Rest<'_> {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(part).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let mut rest = Rest(text);
    write!(rest, "{m}").is_ok() && rest.0.is_empty()
}
