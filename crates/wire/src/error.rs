//! What was wrong with a request.

use std::fmt::Display;

use serde::Serialize;

/// The part of a request that is at fault.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Field {
    /// The request as a whole: no JSON, no such operation, a value of the wrong type.
    Request,
    /// The game's id.
    Variant,
    /// The position.
    Fen,
    /// The moves.
    Moves,
    /// The move to read.
    Text,
    /// The level of play.
    Level,
    /// The tags of a PGN.
    Tags,
}

/// How many characters of a message there are at most.
const LONGEST: usize = 300;

/// Why a request has no answer: one sentence in English, and the part at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// What was wrong, where, and what was expected.
    pub message: String,
    /// Where.
    pub field: Field,
}

impl Error {
    pub(crate) fn new(field: Field, message: impl Display) -> Self {
        let mut message = message.to_string();
        // Whole requests are quoted by those who read JSON.
        if let Some((end, _)) = message.char_indices().nth(LONGEST) {
            message.truncate(end);
            message.push('…');
        }
        Self { message, field }
    }
}
