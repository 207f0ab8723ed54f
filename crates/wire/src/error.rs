//! What was wrong with a request.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;
use warpchess_rules::game::GameError;
use warpchess_rules::notation::pgn::{PgnError, PgnErrorKind};
use warpchess_rules::notation::san::SanError;
use warpchess_rules::{Color, FenError, FenField};

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
    /// The reason for programs that tell it in another language: a word, empty where there is but the sentence.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub code: &'static str,
    /// The values that belong to the word.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<&'static str, String>,
}

impl Error {
    pub(crate) fn new(field: Field, message: impl Display) -> Self {
        let mut message = message.to_string();
        // Whole requests are quoted by those who read JSON.
        if let Some((end, _)) = message.char_indices().nth(LONGEST) {
            message.truncate(end);
            message.push('…');
        }
        Self { message, field, part: None, code: "", params: BTreeMap::new() }
    }

    /// The same, with its reason for programs.
    pub(crate) fn because(self, code: &'static str, params: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self { code, params: params.into_iter().collect(), ..self }
    }

    /// A text that a person wrote as a move.
    pub(crate) fn san(field: Field, error: &SanError) -> Self {
        let plain = Self::new(field, error);
        match error {
            SanError::Unknown { text } => plain.because("moveUnknown", [("text", text.clone())]),
            SanError::Illegal { text, .. } => plain.because("moveIllegal", [("text", text.clone())]),
            SanError::Ambiguous { text, candidates } => {
                plain.because("moveAmbiguous", [("text", text.clone()), ("moves", candidates.join(", "))])
            }
        }
    }

    /// The move of a ply (from 0) that cannot be played.
    pub(crate) fn ply(ply: usize, text: &str, error: &GameError) -> Self {
        let plain = Self::new(Field::Moves, format_args!("move {}: {error}", ply + 1));
        let n = ("n", (ply + 1).to_string());
        match error {
            GameError::Over(_) => plain.because("over", [n]),
            _ => plain.because("moves", [n, ("text", text.chars().take(40).collect())]),
        }
    }
}

impl From<FenError> for Error {
    fn from(error: FenError) -> Self {
        let plain = Self { part: Some(part(error.field)), ..Self::new(Field::Fen, &error) };
        plain.because(error.reason.code, error.reason.params)
    }
}

impl From<PgnError> for Error {
    fn from(error: PgnError) -> Self {
        let plain = Self::new(Field::Pgn, &error);
        let (code, mut params) = match error.kind {
            PgnErrorKind::Variant(_) => ("pgnVariant", BTreeMap::new()),
            PgnErrorKind::Fen(inner) => {
                // The reason of the FEN is the reason of the game.
                let inner = Self::from(inner);
                (if inner.code.is_empty() { "pgnFen" } else { inner.code }, inner.params)
            }
            PgnErrorKind::NoFen => ("pgnNoFen", BTreeMap::new()),
            PgnErrorKind::Move(inner) => {
                let inner = Self::san(Field::Pgn, &inner);
                (inner.code, inner.params)
            }
            PgnErrorKind::EarlyVariation
            | PgnErrorKind::Unopened
            | PgnErrorKind::OpenVariation
            | PgnErrorKind::OpenComment => ("pgnBrackets", BTreeMap::new()),
            PgnErrorKind::Stray(c) => ("pgnStray", BTreeMap::from([("text", c.to_string())])),
            PgnErrorKind::TooMuch(_) => ("pgnTooMuch", BTreeMap::new()),
            PgnErrorKind::Tag(_) => ("pgnTag", BTreeMap::new()),
            PgnErrorKind::Io(_) => return plain,
        };
        params.insert("line", error.line.to_string());
        if let Some((number, color)) = error.at {
            params.insert("move", format!("{number}{}", if color == Color::White { "." } else { "..." }));
        }
        Self { code, params, ..plain }
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
