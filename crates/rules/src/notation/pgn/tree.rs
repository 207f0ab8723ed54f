//! A game record as data: tags, and moves with their comments and variations.

use crate::core::{Color, Move};
use crate::position::{AnyPosition, Outcome};
use crate::variants::VariantId;
use std::fmt;

/// The tags that every PGN begins with, in their order.
pub const SEVEN_TAG_ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// How a recorded game ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Score {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not, or not known.
    #[default]
    Unknown,
}

impl Score {
    /// As it is written in a PGN.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
    /// Reads it, the short form of a draw and other dashes included.
    pub fn from_text(text: &str) -> Option<Self> {
        match text.replace(['–', '—', '−', '‐', '‑'], "-").as_str() {
            "1-0" => Some(Self::WhiteWins),
            "0-1" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2" | "½-½" | "½" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }
}

impl From<Option<Outcome>> for Score {
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome.map(|outcome| outcome.winner) {
            Some(Some(Color::White)) => Self::WhiteWins,
            Some(Some(Color::Black)) => Self::BlackWins,
            Some(None) => Self::Draw,
            None => Self::Unknown,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The tags of a game. Each name stands once; names keep the order in which they came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

/// A name that no tag can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not the name of a tag (letters, digits and _)")]
pub struct TagNameError(pub String);

impl Tags {
    /// No tags.
    pub const fn new() -> Self {
        Self(Vec::new())
    }
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
    /// Gives a tag a value; one that it had is forgotten.
    ///
    /// # Errors
    /// When the name cannot be written.
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> Result<(), TagNameError> {
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(TagNameError(crate::notation::fen::excerpt(name)));
        }
        match self.0.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value.into(),
            None => self.0.push((name.to_owned(), value.into())),
        }
        Ok(())
    }
    /// Takes a tag away.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(n, _)| n != name);
    }
    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A sequence of moves: the game itself, or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<Node>,
}

/// A move in a line, with what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs (1 is `!`, 2 is `?`, …).
    pub nags: Vec<u8>,
    /// Comments after it.
    pub comments: Vec<String>,
    /// What could have been played instead of it.
    pub variations: Vec<Line>,
}

impl Node {
    /// A move of which nothing is said.
    pub const fn new(mv: Move) -> Self {
        Self { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl From<Move> for Node {
    fn from(mv: Move) -> Self {
        Self::new(mv)
    }
}

impl Line {
    /// How many moves there are, those of all variations included.
    pub fn total_moves(&self) -> usize {
        self.moves.iter().map(|node| 1 + node.variations.iter().map(Self::total_moves).sum::<usize>()).sum()
    }
}

impl FromIterator<Move> for Line {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self { comments: Vec::new(), moves: moves.into_iter().map(Node::new).collect() }
    }
}

/// A recorded game.
#[derive(Clone, Debug)]
pub struct Record {
    /// Which game it is.
    pub variant: VariantId,
    /// All tags as they were found. A writer takes `Variant`, `FEN`, `SetUp` and `Result` from the other fields.
    pub tags: Tags,
    /// The position it begins with.
    pub start: Box<dyn AnyPosition>,
    /// The moves.
    pub line: Line,
    /// How it ended, as the record says.
    pub score: Score,
    /// The line of the file on which it begins; 0 when it comes from no file.
    pub file_line: u64,
}

impl Record {
    /// A record without moves.
    pub fn new(variant: VariantId) -> Self {
        Self {
            variant,
            tags: Tags::new(),
            start: variant.start(),
            line: Line::default(),
            score: Score::Unknown,
            file_line: 0,
        }
    }
    /// The moves that were played, variations left out.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.line.moves.iter().map(|node| node.mv)
    }
}
