//! Games with variations and comments, from and to PGN. A tree is a list of moves of which each names the one before
//! it, so that it can be as deep as it likes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use warpchess_rules::notation::pgn::{self, Line, Node, Reader, Record, Score, Tags};
use warpchess_rules::notation::{san, uci};
use warpchess_rules::{AnyPosition, VariantId};

use crate::error::{Error, Field};

/// More moves than this are not written.
const MAX_NODES: usize = 100_000;
/// More variations inside one another than this are not written; a reader would refuse them.
const MAX_DEPTH: usize = 64;

/// A move of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeMove {
    /// Which move of the list this one follows; null for one of the first. Of several that follow the same, the first is
    /// the main line, the others are variations.
    #[serde(default)]
    parent: Option<usize>,
    uci: String,
    /// What people write; not needed for writing.
    #[serde(default)]
    san: String,
    /// Who played it, and the number of its full move; not needed for writing.
    #[serde(default)]
    turn: String,
    #[serde(default)]
    fullmove: u16,
    #[serde(default)]
    nags: Vec<u8>,
    #[serde(default)]
    comments: Vec<String>,
    /// Comments before the move, where it begins a variation.
    #[serde(default)]
    before: Vec<String>,
}

/// A game with variations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    variant: String,
    /// The first position; null for the usual one.
    #[serde(default)]
    fen: Option<String>,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    /// Comments before the first move.
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    nodes: Vec<TreeMove>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[serde(default)]
    result: String,
}

/// The first game of a PGN.
#[derive(Clone, Debug, Serialize)]
pub struct FirstGame {
    #[serde(flatten)]
    tree: Tree,
    /// Whether other games follow.
    more: bool,
}

impl FirstGame {
    /// Reads it.
    ///
    /// # Errors
    /// Names the line and the move that cannot be read.
    pub(crate) fn read(text: &str) -> Result<Self, Error> {
        let mut reader = Reader::new(text.as_bytes());
        let record = match reader.next() {
            None => return Err(Error::new(Field::Pgn, "there is no game in the text").because("pgnEmpty", [])),
            Some(record) => record?,
        };
        Ok(Self { tree: Tree::of(&record), more: reader.next().is_some() })
    }
}

impl Tree {
    fn of(record: &Record) -> Self {
        let fen = Some(record.start.fen()).filter(|fen| *fen != record.variant.start().fen());
        // The rest says it, or nothing is said.
        let told = |name: &str, value: &str| {
            !matches!(name, "Variant" | "FEN" | "SetUp" | "Result") && !matches!(value, "?" | "????.??.??")
        };
        let tags = record.tags.iter().filter(|(name, value)| told(name, value));
        let mut nodes = Vec::new();
        flatten(&record.line, record.start.boxed_clone(), None, &mut nodes);
        Self {
            variant: record.variant.id().to_owned(),
            fen,
            tags: tags.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            comments: record.line.comments.clone(),
            nodes,
            result: record.score.as_str().to_owned(),
        }
    }

    /// Writes it as a PGN.
    ///
    /// # Errors
    /// Names the part at fault: a tag, the position, a move that is not legal.
    pub(crate) fn write(&self) -> Result<String, Error> {
        let variant: VariantId = self.variant.parse().map_err(|error| Error::new(Field::Variant, error))?;
        let mut record = Record::new(variant);
        if let Some(fen) = &self.fen {
            record.start = variant.from_fen(fen)?;
        }
        let mut tags = Tags::new();
        for (name, value) in &self.tags {
            tags.set(name, value).map_err(|error| Error::new(Field::Tags, error))?;
        }
        record.tags = tags;
        record.score = Score::from_text(&self.result).unwrap_or_default();
        let children = self.children()?;
        let first = children.last().map_or(&[][..], Vec::as_slice);
        record.line = self.line(first, &children, record.start.boxed_clone(), 0)?;
        record.line.comments.clone_from(&self.comments);
        pgn::write(&record).map_err(|error| Error::new(Field::Moves, error))
    }

    /// What follows each move; what begins the game comes last.
    fn children(&self) -> Result<Vec<Vec<usize>>, Error> {
        if self.nodes.len() > MAX_NODES {
            return Err(Error::new(Field::Moves, format_args!("more than {MAX_NODES} moves")));
        }
        let mut children = vec![Vec::new(); self.nodes.len() + 1];
        for (i, node) in self.nodes.iter().enumerate() {
            let parent = node.parent.unwrap_or(self.nodes.len());
            if node.parent.is_some_and(|parent| parent >= i) {
                return Err(Error::new(Field::Moves, format_args!("move {i} stands before the one it follows")));
            }
            children[parent].push(i);
        }
        Ok(children)
    }

    fn line(
        &self,
        first: &[usize],
        children: &[Vec<usize>],
        mut position: Box<dyn AnyPosition>,
        depth: usize,
    ) -> Result<Line, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::new(Field::Moves, format_args!("more than {MAX_DEPTH} variations inside one another")));
        }
        let mut line = Line::default();
        let mut next = first;
        while let Some((&main, others)) = next.split_first() {
            let node = &self.nodes[main];
            let mv = uci::parse(&*position, &node.uci).map_err(|error| Error::new(Field::Moves, error))?;
            if line.moves.is_empty() && depth > 0 {
                line.comments.clone_from(&node.before);
            }
            let mut variations = Vec::new();
            for other in others {
                let variation = std::slice::from_ref(other);
                variations.push(self.line(variation, children, position.boxed_clone(), depth + 1)?);
            }
            let (nags, comments) = (node.nags.clone(), node.comments.clone());
            line.moves.push(Node { mv, nags, comments, variations });
            position.play(mv);
            next = &children[main];
        }
        Ok(line)
    }
}

/// The recursion is as deep as the variations, which the reader bounds.
fn flatten(line: &Line, mut position: Box<dyn AnyPosition>, parent: Option<usize>, nodes: &mut Vec<TreeMove>) {
    let mut parent = parent;
    for (i, node) in line.moves.iter().enumerate() {
        let here = nodes.len();
        nodes.push(TreeMove {
            parent,
            uci: node.mv.to_string(),
            san: san::write(&*position, node.mv),
            turn: position.turn().name().to_owned(),
            fullmove: position.fullmove_number(),
            nags: node.nags.clone(),
            comments: node.comments.clone(),
            // Those of the game itself stand apart.
            before: if i == 0 && here > 0 { line.comments.clone() } else { Vec::new() },
        });
        for variation in &node.variations {
            flatten(variation, position.boxed_clone(), parent, nodes);
        }
        position.play(node.mv);
        parent = Some(here);
    }
}
