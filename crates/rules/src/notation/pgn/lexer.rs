//! Cuts the text of a PGN into tokens of bounded size.

use super::input::Input;
use super::tree::Score;
use std::io::{self, BufRead};

/// The longest word that is kept, in bytes; none that means anything comes near.
const MAX_WORD: usize = 255;
/// A line that begins so inside a comment shows that the comment was never closed.
const NEXT_GAME: &[u8] = b"[Event \"";
/// Joined files have it in their midst, too.
const BOM: &[u8] = b"\xef\xbb\xbf";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// Something in brackets that is no tag.
    BadTag(String),
    /// `{…}` or `;…`, blanks folded.
    Comment(String),
    /// `$n` or a sign such as `!?`.
    Nag(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `1-0` and so on.
    Score(Score),
    /// Anything else: a move, if all is well.
    Word(String),
    /// A token longer than any that makes sense; says which sort.
    TooLong(&'static str),
    /// A comment that did not end.
    OpenComment,
    /// A byte that begins no token.
    Stray(char),
    /// The end of the text.
    End,
}

pub(super) struct Lexer<R> {
    pub(super) input: Input<R>,
    /// The line on which the last token began.
    pub(super) line: u64,
    max_text: usize,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(reader: R, max_text: usize) -> Self {
        Self { input: Input::new(reader), line: 1, max_text }
    }

    pub(super) fn next(&mut self) -> io::Result<Token> {
        loop {
            self.skip_blanks()?;
            self.line = self.input.line;
            let Some(byte) = self.input.peek()? else { return Ok(Token::End) };
            return Ok(match byte {
                b'[' => self.tag()?,
                b'{' => self.comment()?,
                b';' => self.line_comment()?,
                b'$' => self.nag()?,
                b'(' => self.single(Token::Open),
                b')' => self.single(Token::Close),
                b'*' => self.single(Token::Score(Score::Unknown)),
                b'}' | b']' => self.single(Token::Stray(byte as char)),
                _ => match self.word()? {
                    Some(token) => token,
                    None => continue,
                },
            });
        }
    }

    fn single(&mut self, token: Token) -> Token {
        self.input.advance();
        token
    }

    /// Goes past blanks, byte order marks and lines for other programs' eyes (`%` in the first column).
    fn skip_blanks(&mut self) -> io::Result<()> {
        while let Some(byte) = self.input.peek()? {
            match byte {
                b'%' if self.input.at_line_start => self.skip_line()?,
                _ if byte.is_ascii_whitespace() || byte == 0x0b => self.input.advance(),
                0xef if self.input.peek_many(BOM.len())? == BOM => {
                    let at_line_start = self.input.at_line_start;
                    self.input.skip_if(BOM)?;
                    self.input.at_line_start = at_line_start;
                }
                0xc2 if self.input.skip_if(b"\xc2\xa0")? => {}
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    fn skip_line(&mut self) -> io::Result<()> {
        while self.input.next()?.is_some() {
            if self.input.at_line_start {
                break;
            }
        }
        Ok(())
    }

    fn tag(&mut self) -> io::Result<Token> {
        let line = self.input.line;
        self.input.advance();
        self.skip_inner_blanks()?;
        let mut name = Vec::new();
        while let Some(byte) = self.input.peek()?.filter(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) {
            if name.len() == MAX_WORD {
                return self.bad_tag(line, "a tag's name is too long");
            }
            name.push(if byte == b'-' { b'_' } else { byte });
            self.input.advance();
        }
        self.skip_inner_blanks()?;
        if name.is_empty() {
            return self.bad_tag(line, "a tag's name expected after '['");
        }
        if self.input.peek()? != Some(b'"') {
            return self.bad_tag(line, "a value in quotes expected after a tag's name");
        }
        self.input.advance();
        let mut value = Vec::new();
        loop {
            let byte = match self.input.next()? {
                // Many writers forget to escape quotes; only the one before the bracket ends the value.
                Some(b'"') if self.bracket_follows()? => break,
                Some(b'\\') if matches!(self.input.peek()?, Some(b'"' | b'\\')) => self.input.next()?.unwrap_or(b'\\'),
                Some(byte) if !matches!(byte, b'\n' | b'\r') => byte,
                _ => return self.bad_tag(line, "a tag's value has no end"),
            };
            if value.len() == self.max_text {
                return self.bad_tag(line, "a tag's value is too long");
            }
            value.push(byte);
        }
        self.skip_inner_blanks()?;
        self.input.advance();
        Ok(Token::Tag(decode(name), decode(value)))
    }

    fn bracket_follows(&mut self) -> io::Result<bool> {
        let next = self.input.peek_many(16)?.iter().find(|b| !matches!(b, b' ' | b'\t'));
        Ok(next == Some(&b']'))
    }

    fn skip_inner_blanks(&mut self) -> io::Result<()> {
        while let Some(b' ' | b'\t') = self.input.peek()? {
            self.input.advance();
        }
        Ok(())
    }

    /// A tag gone wrong ends with its line.
    fn bad_tag(&mut self, line: u64, problem: &str) -> io::Result<Token> {
        if self.input.line == line {
            self.skip_line()?;
        }
        Ok(Token::BadTag(problem.into()))
    }

    fn comment(&mut self) -> io::Result<Token> {
        self.input.advance();
        let mut text = Vec::new();
        let mut too_long = false;
        loop {
            if self.input.at_line_start && self.input.peek_many(NEXT_GAME.len())? == NEXT_GAME {
                return Ok(Token::OpenComment);
            }
            match self.input.next()? {
                None => return Ok(Token::OpenComment),
                Some(b'}') => break,
                Some(byte) => push_folded(&mut text, byte),
            }
            if text.len() > self.max_text {
                too_long = true;
                text.clear();
            }
        }
        Ok(if too_long { Token::TooLong("comment") } else { comment(text) })
    }

    fn line_comment(&mut self) -> io::Result<Token> {
        self.input.advance();
        let mut text = Vec::new();
        let mut too_long = false;
        while let Some(byte) = self.input.next()? {
            if self.input.at_line_start {
                break;
            }
            push_folded(&mut text, byte);
            if text.len() > self.max_text {
                too_long = true;
                text.clear();
            }
        }
        Ok(if too_long { Token::TooLong("comment") } else { comment(text) })
    }

    fn nag(&mut self) -> io::Result<Token> {
        self.input.advance();
        let mut digits = String::new();
        while let Some(byte) = self.input.peek()?.filter(u8::is_ascii_digit) {
            if digits.len() < 20 {
                digits.push(byte as char);
            }
            self.input.advance();
        }
        Ok(digits.parse().map_or_else(|_| Token::Word(format!("${digits}")), Token::Nag))
    }

    /// A move, a score or a sign; `None` for what says nothing (a move's number).
    fn word(&mut self) -> io::Result<Option<Token>> {
        let mut word = Vec::new();
        let mut too_long = false;
        while let Some(byte) = self.input.peek()? {
            match byte {
                b'{' | b'}' | b';' | b'[' | b']' | b'$' | b')' | b'*' => break,
                // "e8(Q)" is one word; any other bracket begins a variation.
                b'(' if self.input.peek_at(1)?.is_some_and(|b| b.is_ascii_alphabetic())
                    && self.input.peek_at(2)? == Some(b')')
                    && matches!(word.last(), Some(b'1'..=b'8')) =>
                {
                    word.extend_from_slice(self.input.peek_many(3)?);
                    (0..3).for_each(|_| self.input.advance());
                    continue;
                }
                b'(' => break,
                b'.' | b':' if !word.is_empty() && word.iter().all(u8::is_ascii_digit) => {
                    while let Some(b'.' | b':') = self.input.peek()? {
                        self.input.advance();
                    }
                    return Ok(None);
                }
                _ if byte.is_ascii_whitespace() || byte == 0x0b => break,
                _ => {}
            }
            if word.len() < MAX_WORD {
                word.push(byte);
            } else {
                too_long = true;
            }
            self.input.advance();
        }
        if too_long {
            return Ok(Some(Token::TooLong("word")));
        }
        let word = decode(word);
        let dots = word.chars().all(|c| matches!(c, '.' | '…'));
        let number = word != "0000" && word.chars().all(|c| c.is_ascii_digit());
        if dots || number {
            return Ok(None);
        }
        if let Some(score) = Score::from_text(&word) {
            return Ok(Some(Token::Score(score)));
        }
        Ok(Some(sign(&word).map_or(Token::Word(word), Token::Nag)))
    }
}

fn comment(mut text: Vec<u8>) -> Token {
    if text.last() == Some(&b' ') {
        text.pop();
    }
    Token::Comment(decode(text))
}

/// Adds a byte of a comment; blanks and line ends in a row count as one blank, because writers wrap lines.
fn push_folded(text: &mut Vec<u8>, byte: u8) {
    if !byte.is_ascii_whitespace() {
        text.push(byte);
    } else if text.last().is_some_and(|&last| last != b' ') {
        text.push(b' ');
    }
}

/// UTF-8 if it can be, else Latin-1, in which every text makes sense.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|&b| b as char).collect())
}

/// The number of a sign that judges a move or a position.
pub(super) fn sign(text: &str) -> Option<u8> {
    Some(match text {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "□" => 7,
        "=" => 10,
        "∞" => 13,
        "+=" | "+/=" | "⩲" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" | "+−" => 18,
        "-+" | "−+" => 19,
        _ => return None,
    })
}
