//! What was wrong with a request.

use std::fmt::Display;

use serde::Serialize;
use warpchess_rules::{FenError, FenField};

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
    /// A PGN to read.
    Pgn,
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
    /// The field of the FEN at fault, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<&'static str>,
}

impl Error {
    pub(crate) fn new(field: Field, message: impl Display) -> Self {
        let mut message = message.to_string();
        // Whole requests are quoted by those who read JSON.
        if let Some((end, _)) = message.char_indices().nth(LONGEST) {
            message.truncate(end);
            message.push('…');
        }
        Self { message, field, part: None }
    }
}

impl From<FenError> for Error {
    fn from(error: FenError) -> Self {
        Self { part: Some(part(error.field)), ..Self::new(Field::Fen, error) }
    }
}

/// A field of a FEN as clients know it.
const fn part(field: FenField) -> &'static str {
    match field {
        FenField::Text => "text",
        FenField::Placement => "placement",
        FenField::Pocket => "pocket",
        FenField::Side => "side",
        FenField::Area => "area",
        FenField::Castling => "castling",
        FenField::EnPassant => "ep",
        FenField::Portals => "portals",
        FenField::Intents => "intents",
        FenField::Halfmove => "halfmove",
        FenField::Fullmove => "fullmove",
    }
}
