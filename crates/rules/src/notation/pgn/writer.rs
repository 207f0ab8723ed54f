//! Writes a game in the form that the specification calls export format.

use super::tree::{Line, Record, SEVEN_TAG_ROSTER};
use crate::core::{Color, Move};
use crate::notation::san;
use crate::position::AnyPosition;

/// No line of moves is longer, unless a word or a comment that cannot be broken is.
const COLUMNS: usize = 80;

/// A record holds a move that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{uci}' is not a legal move in {fen}")]
pub struct IllegalMove {
    /// The move in UCI form.
    pub uci: String,
    /// The position.
    pub fen: String,
}

/// Writes a game, with a line end after it; put an empty line between two games.
///
/// Tags stand in the order of the specification: the seven of the roster (with `?` for what is not known), then the
/// others by name. `Result` tells the record's score, `Variant` its game unless that is chess, `FEN` and `SetUp` its
/// first position unless it is the usual one.
///
/// # Errors
/// When a move of the record is not legal.
///
/// # Examples
/// ```
/// use warpchess_rules::{VariantId, notation::{pgn, san}};
/// let mut record = pgn::Record::new(VariantId::from_name("Chess").expect("a game"));
/// let e4 = san::parse(&*record.start, "e4").expect("a legal move");
/// record.line = [e4].into_iter().collect();
/// record.tags.set("White", "Ann \"Ace\" Other").expect("a good name");
/// let text = pgn::write(&record)?;
/// assert!(text.contains("[White \"Ann \\\"Ace\\\" Other\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 *\n"));
/// # Ok::<(), pgn::IllegalMove>(())
/// ```
pub fn write(record: &Record) -> Result<String, IllegalMove> {
    let mut text = String::new();
    write_tags(record, &mut text);
    text.push('\n');
    let mut moves = Wrapped { text, column: 0, pending: String::new(), joins: false };
    write_line(&record.line, record.start.clone(), &mut moves)?;
    moves.word(record.score.as_str());
    moves.end_line();
    Ok(moves.text)
}

fn write_tags(record: &Record, text: &mut String) {
    let usual = record.variant.start().fen();
    let fen = Some(record.start.fen()).filter(|fen| *fen != usual);
    let told = |name: &str| match name {
        "Result" => Some(record.score.as_str()),
        "Variant" => Some(record.variant.id()).filter(|&id| id != super::DEFAULT_VARIANT),
        "FEN" => fen.as_deref(),
        "SetUp" => fen.as_ref().map(|_| "1"),
        _ => record.tags.get(name),
    };
    let mut others: Vec<&str> = record.tags.iter().map(|(name, _)| name).chain(["Variant", "FEN", "SetUp"]).collect();
    others.retain(|name| !SEVEN_TAG_ROSTER.contains(name));
    others.sort_unstable();
    others.dedup();
    for name in SEVEN_TAG_ROSTER {
        write_tag(name, told(name).unwrap_or(if name == "Date" { "????.??.??" } else { "?" }), text);
    }
    for name in others {
        if let Some(value) = told(name) {
            write_tag(name, value, text);
        }
    }
}

fn write_tag(name: &str, value: &str, text: &mut String) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            _ if c.is_control() => text.push(' '),
            _ => text.push(c),
        }
    }
    text.push_str("\"]\n");
}

/// The depth of the recursion is that of the variations.
fn write_line(line: &Line, mut position: Box<dyn AnyPosition>, out: &mut Wrapped) -> Result<(), IllegalMove> {
    for text in &line.comments {
        out.comment(text);
    }
    // Black's move needs a number after anything that is no move.
    let mut numbered = false;
    for node in &line.moves {
        let number = position.fullmove_number();
        if position.turn() == Color::White {
            out.word(&format!("{number}."));
        } else if !numbered {
            out.word(&format!("{number}..."));
        }
        out.word(&legal_san(&*position, node.mv)?);
        for nag in &node.nags {
            out.word(&format!("${nag}"));
        }
        for text in &node.comments {
            out.comment(text);
        }
        for variation in &node.variations {
            out.open();
            write_line(variation, position.clone(), out)?;
            out.close();
        }
        numbered = node.comments.is_empty() && node.variations.is_empty();
        position.play(node.mv);
    }
    Ok(())
}

fn legal_san(position: &dyn AnyPosition, m: Move) -> Result<String, IllegalMove> {
    if position.is_legal(m) {
        Ok(san::write(position, m))
    } else {
        Err(IllegalMove { uci: m.to_string(), fen: position.fen() })
    }
}

/// A text in which lines are broken between words.
struct Wrapped {
    text: String,
    column: usize,
    /// The last word, to which a bracket may still be added.
    pending: String,
    /// Whether the next word is joined to it.
    joins: bool,
}

impl Wrapped {
    fn word(&mut self, word: &str) {
        if self.joins {
            self.joins = false;
        // A line must not begin with what readers take for something else there, not even inside a comment.
        } else if word.starts_with(['%', '[']) && !self.pending.is_empty() {
            self.pending.push(' ');
        } else {
            self.flush();
        }
        self.pending.push_str(word);
    }

    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let length = self.pending.chars().count();
        if self.column > 0 && self.column + 1 + length > COLUMNS {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.pending);
        self.column += length;
        self.pending.clear();
    }

    fn end_line(&mut self) {
        self.flush();
        self.text.push('\n');
        self.column = 0;
    }

    fn open(&mut self) {
        self.word("(");
        self.joins = true;
    }

    fn close(&mut self) {
        self.joins = false;
        self.pending.push(')');
    }

    /// A comment in braces, or, where it holds the brace that would end it, up to the end of a line.
    fn comment(&mut self, text: &str) {
        let words = comment_words(text);
        let Some((first, rest)) = words.split_first() else { return };
        if text.contains('}') {
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            self.word(&format!(";{}", words.join(" ")));
            self.end_line();
        } else {
            self.word(&format!("{{{first}"));
            rest.iter().for_each(|word| self.word(word));
            self.pending.push('}');
        }
    }
}

/// The words of a comment. A command, as `[%clk 0:03:00]`, is one: many readers do not find it when its line is broken.
fn comment_words(text: &str) -> Vec<String> {
    let is_open = |word: &str| word.rfind("[%").is_some_and(|at| !word[at..].contains(']'));
    let mut rest: &[&str] = &text.split_ascii_whitespace().collect::<Vec<_>>();
    let mut words = Vec::new();
    while let Some(&first) = rest.first() {
        let mut count = 1;
        // The next may begin in the word in which one ends.
        let mut last = first;
        while is_open(last) {
            // One that never ends is no command.
            let Some(end) = rest[count..].iter().position(|word| word.contains(']')) else { break };
            count += end + 1;
            last = rest[count - 1];
        }
        words.push(rest[..count].join(" "));
        rest = &rest[count..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_in_a_comment_is_one_word() {
        assert_eq!(
            comment_words("good [%clk 0:03:00][%eval 0.2] [%csl Ra1, Gb2] [note] x"),
            ["good", "[%clk 0:03:00][%eval 0.2]", "[%csl Ra1, Gb2]", "[note]", "x"]
        );
        assert_eq!(comment_words("[%clk 0:03:00 and [%eval"), ["[%clk", "0:03:00", "and", "[%eval"]);
        assert_eq!(comment_words("[%clk"), ["[%clk"]);
        assert!(comment_words("  ").is_empty());
    }
}
