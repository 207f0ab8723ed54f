//! Reads games one after the other.

use super::lexer::{Lexer, Token, sign};
use super::tree::{Line, Node, Record, Score, Tags};
use crate::core::Color;
use crate::notation::fen::FenError;
use crate::notation::san::{self, SanError};
use crate::position::AnyPosition;
use crate::variants::{UnknownVariant, VariantId};
use std::fmt;
use std::io::{self, BufRead};

/// What a text takes besides its bytes.
const OVERHEAD: usize = 32;
/// More tags than this make no sense.
const MAX_TAGS: usize = 1000;

/// How much of one game is read before it is refused. The bounds keep a hostile text from taking the memory; no
/// game that was ever played or annotated comes near.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Variations inside one another.
    pub depth: usize,
    /// Moves, those of variations included.
    pub moves: usize,
    /// Bytes of tags and comments.
    pub text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 64, moves: 100_000, text: 4 << 20 }
    }
}

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnErrorKind {
    /// The tag `Variant` names no game.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// The tag `FEN` holds no position of the game.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// `[SetUp "1"]` promises a position that is not there.
    #[error("the tag SetUp is 1, but there is no tag FEN")]
    NoFen,
    /// A move is no move, not legal, or could be several.
    #[error(transparent)]
    Move(#[from] SanError),
    /// A tag is not written as it should be.
    #[error("{0}")]
    Tag(String),
    /// `(` before any move.
    #[error("a variation before the first move, to which there is no alternative")]
    EarlyVariation,
    /// `)` without `(`.
    #[error("')' without a variation to close")]
    Unopened,
    /// The game ends inside a variation.
    #[error("the game ends inside a variation, ')' expected")]
    OpenVariation,
    /// The game ends inside a comment.
    #[error("a comment has no end, '}}' expected")]
    OpenComment,
    /// A closing bracket that closes nothing.
    #[error("'{0}' closes nothing")]
    Stray(char),
    /// More than the [`Limits`] allow.
    #[error("too much for one game: {0}")]
    TooMuch(String),
    /// The text could not be had.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A game that could not be read: where, and why.
///
/// It is written as `games.pgn:12: game 3, move 7...: 'Qh9' is not the text of a move`.
#[derive(Debug)]
pub struct PgnError {
    /// The name given by [`Reader::named`].
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u64,
    /// Which game of the text it is, from 1.
    pub game: u64,
    /// Number of the full move and the side to move, once moves have begun.
    pub at: Option<(u16, Color)>,
    /// Why.
    pub kind: PgnErrorKind,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}: game {}", self.line, self.game)?,
            None => write!(f, "line {}: game {}", self.line, self.game)?,
        }
        if let Some((number, color)) = self.at {
            let dots = if color == Color::White { "." } else { "..." };
            write!(f, ", move {number}{dots}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for PgnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.kind)
    }
}

/// Reads the games of a text one after the other, as an iterator. A game that cannot be read gives an error in its
/// place, and the next one is read on. After an error of the input itself there is nothing more.
///
/// Memory is bounded by one game, and a game's by [`Limits`].
///
/// # Examples
/// ```
/// use warpchess_rules::notation::pgn::Reader;
/// let text = "1. e4 e5 1-0\n\n1. e4 Ke4 *\n\n1. d4 1/2-1/2";
/// let games: Vec<_> = Reader::new(text.as_bytes()).named("three.pgn").collect();
/// assert!(games[0].is_ok() && games[2].is_ok());
/// let error = games[1].as_ref().unwrap_err().to_string();
/// assert!(error.starts_with("three.pgn:3: game 2, move 1...: 'Ke4' is not a legal move in rnbqkbnr/"), "{error}");
/// ```
pub struct Reader<R> {
    lexer: Lexer<R>,
    limits: Limits,
    file: Option<String>,
    games: u64,
    /// A token that turned out to belong to the next game, and its line.
    ahead: Option<(Token, u64)>,
    failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from a text.
    pub fn new(text: R) -> Self {
        Self::with_limits(text, Limits::default())
    }
    /// Reads from a text with other bounds than the usual.
    pub fn with_limits(text: R, limits: Limits) -> Self {
        Self { lexer: Lexer::new(text, limits.text), limits, file: None, games: 0, ahead: None, failed: false }
    }
    /// Gives the text a name for error messages.
    #[must_use]
    pub fn named(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }
    /// The line reached, for telling how far reading has come.
    pub fn line(&self) -> u64 {
        self.lexer.input.line
    }

    fn token(&mut self) -> io::Result<Token> {
        if let Some((token, line)) = self.ahead.take() {
            self.lexer.line = line;
            return Ok(token);
        }
        self.lexer.next()
    }

    fn put_back(&mut self, token: Token) {
        self.ahead = Some((token, self.lexer.line));
    }

    /// The next game; `None` at the end.
    fn game(&mut self) -> Option<Result<Record, PgnError>> {
        let mut game = Unfinished::new(self.limits);
        let mut error: Option<PgnError> = None;
        // Variations open since the error, so that a score inside one does not end the game.
        let mut depth = 0;
        loop {
            let token = match self.token() {
                Ok(token) => token,
                Err(io) => {
                    self.failed = true;
                    self.games += u64::from(!game.begun);
                    return Some(Err(self.error(&game, io.into())));
                }
            };
            // A game can end without a score.
            let ends = match &token {
                Token::Tag(name, _) => game.moves_begun || game.event_seen && name == "Event",
                Token::End => true,
                _ => false,
            };
            if ends {
                if token != Token::End {
                    self.put_back(token);
                }
                if !game.begun {
                    return None;
                }
                return Some(error.map_or_else(|| self.finish(game), Err));
            }
            if !game.begun && !matches!(token, Token::Comment(_)) {
                self.games += 1;
                game.begin(&token, self.lexer.line);
            }
            if let Token::Tag(name, _) = &token {
                game.event_seen |= name == "Event";
            }
            if error.is_some() {
                match token {
                    Token::Open => depth += 1,
                    Token::Close => depth -= 1,
                    Token::Score(_) if depth <= 0 => return error.map(Err),
                    Token::Word(_) | Token::Score(_) => game.moves_begun = true,
                    _ => {}
                }
                continue;
            }
            let opens = token == Token::Open;
            match game.take(token, self.lexer.line) {
                Ok(false) => {}
                Ok(true) => return Some(self.finish(game)),
                Err(kind) => {
                    error = Some(self.error(&game, kind));
                    depth = game.depth() as i64 + i64::from(opens);
                    game.forget();
                }
            }
        }
    }

    fn finish(&self, mut game: Unfinished) -> Result<Record, PgnError> {
        match game.close() {
            Ok(()) => game.record().ok_or_else(|| unreachable!("a closed game has a position")),
            Err(kind) => Err(self.error(&game, kind)),
        }
    }

    fn error(&self, game: &Unfinished, kind: PgnErrorKind) -> PgnError {
        let line = match kind {
            PgnErrorKind::Variant(_) => game.variant_line,
            PgnErrorKind::Fen(_) | PgnErrorKind::NoFen => game.fen_line,
            _ => self.lexer.line,
        };
        PgnError { file: self.file.clone(), line, game: self.games, at: game.at(), kind }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, PgnError>;
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed { None } else { self.game() }
    }
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("file", &self.file).field("games", &self.games).finish_non_exhaustive()
    }
}

/// A line that is being read.
struct Frame {
    line: Line,
    /// Before the last move, where a variation of it begins.
    before: Option<Box<dyn AnyPosition>>,
    now: Box<dyn AnyPosition>,
}

impl Frame {
    fn new(now: Box<dyn AnyPosition>) -> Self {
        Self { line: Line::default(), before: None, now }
    }
}

/// A game that is being read.
struct Unfinished {
    limits: Limits,
    /// Whether anything of it was seen.
    begun: bool,
    /// Whether its tags are over.
    moves_begun: bool,
    event_seen: bool,
    file_line: u64,
    variant_line: u64,
    fen_line: u64,
    tags: Tags,
    /// Comments between tags and moves.
    comments: Vec<String>,
    variant: Option<(VariantId, Box<dyn AnyPosition>)>,
    /// The game, and in it the variations open.
    frames: Vec<Frame>,
    score: Option<Score>,
    moves: usize,
    text: usize,
}

impl Unfinished {
    fn new(limits: Limits) -> Self {
        Self {
            limits,
            begun: false,
            moves_begun: false,
            event_seen: false,
            file_line: 0,
            variant_line: 0,
            fen_line: 0,
            tags: Tags::new(),
            comments: Vec::new(),
            variant: None,
            frames: Vec::new(),
            score: None,
            moves: 0,
            text: 0,
        }
    }

    /// Notes where it begins.
    fn begin(&mut self, first: &Token, line: u64) {
        self.begun = true;
        self.file_line = line;
        if matches!(first, Token::Tag(..)) {
            // What stands between two games is said about neither.
            self.comments.clear();
        }
    }

    /// Takes a token; tells whether it was the game's last.
    fn take(&mut self, token: Token, line: u64) -> Result<bool, PgnErrorKind> {
        match token {
            Token::Tag(name, value) => {
                self.spend(name.len() + value.len() + OVERHEAD)?;
                if self.tags.len() == MAX_TAGS {
                    return Err(PgnErrorKind::TooMuch(format!("more than {MAX_TAGS} tags")));
                }
                match name.as_str() {
                    "Variant" => self.variant_line = line,
                    "FEN" | "SetUp" => self.fen_line = line,
                    _ => {}
                }
                self.tags.set(&name, value).map_err(|error| PgnErrorKind::Tag(error.to_string()))?;
                return Ok(false);
            }
            Token::BadTag(problem) => return Err(PgnErrorKind::Tag(problem)),
            Token::Comment(text) if text.is_empty() => return Ok(false),
            Token::Comment(text) if !self.moves_begun => {
                self.spend(text.len() + OVERHEAD)?;
                self.comments.push(text);
                return Ok(false);
            }
            _ => self.begin_moves()?,
        }
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else { return Ok(false) };
        match token {
            Token::Comment(text) => {
                let length = text.len();
                frame.line.moves.last_mut().map_or(&mut frame.line.comments, |node| &mut node.comments).push(text);
                self.spend(length + OVERHEAD)?;
            }
            Token::Nag(nag) => {
                if let Some(node) = frame.line.moves.last_mut() {
                    node.nags.push(nag);
                }
                self.spend(1)?;
            }
            Token::Open => {
                let before = frame.before.clone().ok_or(PgnErrorKind::EarlyVariation)?;
                if depth > self.limits.depth {
                    return Err(PgnErrorKind::TooMuch(format!(
                        "more than {} variations inside one another",
                        self.limits.depth
                    )));
                }
                self.frames.push(Frame::new(before));
            }
            Token::Close => {
                if depth == 1 {
                    return Err(PgnErrorKind::Unopened);
                }
                let line = self.frames.pop().map(|frame| frame.line).unwrap_or_default();
                if let Some(node) = self.frames.last_mut().and_then(|frame| frame.line.moves.last_mut())
                    && line != Line::default()
                {
                    node.variations.push(line);
                }
            }
            Token::Score(score) if depth == 1 => {
                self.score = Some(score);
                return Ok(true);
            }
            // Some writers end variations with a score, too.
            Token::Score(_) => {}
            Token::Word(word) => {
                let (word, nag) = split_sign(&word);
                match word {
                    // Said by the move itself.
                    "" | "+" | "#" | "++" | "e.p." | "e.p" | "ep" => {}
                    _ => self.play(word)?,
                }
                if let Some(nag) = nag
                    && let Some(node) = self.frames.last_mut().and_then(|frame| frame.line.moves.last_mut())
                {
                    node.nags.push(nag);
                    self.spend(1)?;
                }
            }
            Token::TooLong(what) => return Err(PgnErrorKind::TooMuch(format!("a {what} without end"))),
            Token::OpenComment => return Err(PgnErrorKind::OpenComment),
            Token::Stray(c) => return Err(PgnErrorKind::Stray(c)),
            Token::Tag(..) | Token::BadTag(_) | Token::End => {}
        }
        Ok(false)
    }

    /// Counts what something takes of memory.
    fn spend(&mut self, bytes: usize) -> Result<(), PgnErrorKind> {
        self.text += bytes;
        if self.text > self.limits.text {
            return Err(PgnErrorKind::TooMuch(format!("more than {} bytes of tags and comments", self.limits.text)));
        }
        Ok(())
    }

    /// Finds the game and its first position in the tags.
    fn begin_moves(&mut self) -> Result<(), PgnErrorKind> {
        if self.moves_begun {
            return Ok(());
        }
        self.moves_begun = true;
        let name = self.tags.get("Variant").filter(|name| !name.trim().is_empty());
        let variant = VariantId::from_name(name.unwrap_or(super::DEFAULT_VARIANT))?;
        let start = match self.tags.get("FEN").filter(|fen| !fen.trim().is_empty()) {
            Some(fen) => variant.from_fen(fen)?,
            None if self.tags.get("SetUp") == Some("1") => return Err(PgnErrorKind::NoFen),
            None => variant.start(),
        };
        let mut frame = Frame::new(start.clone());
        frame.line.comments = std::mem::take(&mut self.comments);
        self.frames.push(frame);
        self.variant = Some((variant, start));
        Ok(())
    }

    fn play(&mut self, word: &str) -> Result<(), PgnErrorKind> {
        self.moves += 1;
        if self.moves > self.limits.moves {
            return Err(PgnErrorKind::TooMuch(format!("more than {} moves", self.limits.moves)));
        }
        if let Some(frame) = self.frames.last_mut() {
            let mv = san::parse(&*frame.now, word)?;
            frame.before = Some(frame.now.clone());
            frame.now.play(mv);
            frame.line.moves.push(Node::new(mv));
        }
        Ok(())
    }

    /// The move that is due.
    fn at(&self) -> Option<(u16, Color)> {
        self.frames.last().map(|frame| (frame.now.fullmove_number(), frame.now.turn()))
    }

    /// How many variations are open.
    fn depth(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// Lets go of what was read of a game that is refused.
    fn forget(&mut self) {
        self.frames.clear();
        self.comments.clear();
    }

    /// Ends the game, if it can end here.
    fn close(&mut self) -> Result<(), PgnErrorKind> {
        self.begin_moves()?;
        if self.frames.len() > 1 { Err(PgnErrorKind::OpenVariation) } else { Ok(()) }
    }

    fn record(mut self) -> Option<Record> {
        let line = self.frames.pop()?.line;
        let (variant, start) = self.variant?;
        let told = self.tags.get("Result").and_then(|text| Score::from_text(text.trim()));
        let score = self.score.or(told).unwrap_or_default();
        Some(Record { variant, tags: self.tags, start, line, score, file_line: self.file_line })
    }
}

/// Takes `!?` and the like off the end of a move.
fn split_sign(word: &str) -> (&str, Option<u8>) {
    let mv = word.trim_end_matches(['!', '?']);
    let signs = &word[mv.len()..];
    // Enthusiasts write more than two.
    let shortened = signs.char_indices().nth(2).map_or(signs, |(i, _)| &signs[..i]);
    (mv, sign(shortened))
}
