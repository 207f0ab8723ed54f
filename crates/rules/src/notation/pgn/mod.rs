//! Games as text, in Portable Game Notation.
//!
//! [`Reader`] takes one game after the other from a text of any length, [`write()`] writes one. Which game is played is
//! told by the tag `Variant` (chess without it); the moves are those of [`san`](super::san).
//!
//! Source: Steven J. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994.
//!
//! # Examples
//! ```
//! use warpchess_rules::notation::pgn::{Reader, write};
//! let text = "[White \"A. N. Other\"]\n\n1. e4 {best} e5 (1... c5!?) 2. Nf3 *";
//! let record = Reader::new(text.as_bytes()).next().expect("one game")?;
//! assert_eq!(record.moves().len(), 3);
//! assert_eq!(record.tags.get("White"), Some("A. N. Other"));
//! assert!(write(&record).expect("legal moves").ends_with("\n\n1. e4 {best} 1... e5 (1... c5 $5) 2. Nf3 *\n"));
//! # Ok::<(), warpchess_rules::notation::pgn::PgnError>(())
//! ```

mod input;
mod lexer;
mod reader;
mod tree;
mod writer;

pub use reader::{Limits, PgnError, PgnErrorKind, Reader};
pub use tree::{Line, Node, Record, SEVEN_TAG_ROSTER, Score, TagNameError, Tags};
pub use writer::{IllegalMove, write};

/// The game of a record without a `Variant` tag.
const DEFAULT_VARIANT: &str = "chess";
