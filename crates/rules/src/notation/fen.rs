//! Parts of FEN that games share. A game's own file puts them together and adds its own fields.

use crate::core::usable_ep;
use crate::core::{Area, Bitboard, Board, Castling, Color, Core, MAX_CLOCK, Piece, Role, Square};
use crate::info::VariantInfo;
use std::fmt;

/// The longest text that is looked at: no legal position of any game needs more.
const MAX_LEN: usize = 2048;

/// A field of a FEN.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FenField {
    Text,
    Placement,
    Pocket,
    Side,
    Area,
    Castling,
    EnPassant,
    Portals,
    Intents,
    Halfmove,
    Fullmove,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Placement => "placement",
            Self::Pocket => "pocket",
            Self::Side => "side to move",
            Self::Area => "area due",
            Self::Castling => "castling",
            Self::EnPassant => "en passant",
            Self::Portals => "portals",
            Self::Intents => "declared teleports",
            Self::Halfmove => "halfmove clock",
            Self::Fullmove => "fullmove number",
        })
    }
}

/// Why a FEN was refused: which field, what is wrong, what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("FEN field '{field}': {problem}")]
pub struct FenError {
    /// The field at fault.
    pub field: FenField,
    /// One sentence in English.
    pub problem: String,
    /// The same for programs.
    pub reason: Reason,
}

/// Why something was refused, for programs that tell it in another language: a word, and the values that belong to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reason {
    /// The word; empty where there is but the sentence.
    pub code: &'static str,
    /// Names and values.
    pub params: Vec<(&'static str, String)>,
}

/// The values of a [`Reason`], before they are texts.
pub type Params<'a> = [(&'static str, &'a dyn fmt::Display)];

impl Reason {
    /// A word and its values.
    pub fn new(code: &'static str, params: &Params<'_>) -> Self {
        Self { code, params: params.iter().map(|&(name, value)| (name, value.to_string())).collect() }
    }
}

impl FenError {
    /// An error about a field.
    pub fn new(field: FenField, problem: impl Into<String>) -> Self {
        Self { field, problem: problem.into(), reason: Reason::default() }
    }
    /// The same, with its reason for programs.
    #[must_use]
    pub fn because(self, code: &'static str, params: &Params<'_>) -> Self {
        Self { reason: Reason::new(code, params), ..self }
    }
}

/// A piece of the offending text, short enough to print.
pub fn excerpt(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(40).chain(['…']).collect() }
}

/// The blank-separated fields of a FEN, taken one after the other.
#[derive(Debug)]
pub struct Fields<'a> {
    rest: std::str::SplitAsciiWhitespace<'a>,
}

impl<'a> Fields<'a> {
    /// Looks at a text.
    ///
    /// # Errors
    /// When it is absurdly long.
    pub fn new(fen: &'a str) -> Result<Self, FenError> {
        if fen.len() > MAX_LEN {
            return Err(FenError::new(
                FenField::Text,
                format!("{} bytes of text, at most {MAX_LEN} expected", fen.len()),
            )
            .because("long", &[("most", &MAX_LEN)]));
        }
        Ok(Self { rest: fen.split_ascii_whitespace() })
    }
    /// The next field.
    ///
    /// # Errors
    /// When there is none left.
    pub fn next(&mut self, field: FenField) -> Result<&'a str, FenError> {
        self.rest.next().ok_or_else(|| FenError::new(field, "missing").because("missing", &[]))
    }
    /// The two clocks, which end every FEN.
    ///
    /// # Errors
    /// When they are no numbers in range, or something follows.
    pub fn clocks(&mut self) -> Result<(u16, u16), FenError> {
        let halfmove = number(FenField::Halfmove, self.next(FenField::Halfmove)?, 0)?;
        let fullmove = number(FenField::Fullmove, self.next(FenField::Fullmove)?, 1)?;
        match self.rest.next() {
            None => Ok((halfmove, fullmove)),
            Some(more) => Err(FenError::new(
                FenField::Text,
                format!("'{}' follows after the fullmove number, nothing expected", excerpt(more)),
            )
            .because("follows", &[("text", &excerpt(more))])),
        }
    }
}

fn number(field: FenField, text: &str, least: u16) -> Result<u16, FenError> {
    text.parse()
        .ok()
        .filter(|n| (least..=MAX_CLOCK).contains(n) && text.bytes().all(|b| b.is_ascii_digit()))
        .ok_or_else(|| {
            FenError::new(field, format!("'{}' is not a number from {least} to {MAX_CLOCK}", excerpt(text)))
                .because("number", &[("text", &excerpt(text)), ("least", &least), ("most", &MAX_CLOCK)])
        })
}

/// Reads a placement of ranks 8 to 1 into one area; `files` are the area's first file and its number of files.
///
/// # Errors
/// Wrong number of ranks, a rank of wrong length, a letter that is no piece of the game.
pub fn read_placement<const N: usize>(
    core: &mut Core<N>,
    info: &VariantInfo,
    area: Area,
    text: &str,
    (first, width): (u8, u8),
) -> Result<(), FenError> {
    let err = |problem: String, code, params: &Params<'_>| {
        Err(FenError::new(FenField::Placement, problem).because(code, params))
    };
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        let problem = format!("{} ranks in '{}', 8 expected", ranks.len(), excerpt(text));
        return err(problem, "ranks", &[("n", &ranks.len())]);
    }
    for (rank, text) in (0..8u8).rev().zip(ranks) {
        let mut file = 0;
        let mut after_digit = false;
        for c in text.chars() {
            if let Some(d) = c.to_digit(10) {
                if d == 0 || d > u32::from(width) || after_digit {
                    let problem = format!(
                        "'{c}' in rank {} ('{}'), one number from 1 to {width} at a time expected",
                        rank + 1,
                        excerpt(text)
                    );
                    return err(problem, "gap", &[("text", &c), ("rank", &(rank + 1)), ("width", &width)]);
                }
                file += d as u8;
                after_digit = true;
            } else {
                let piece = Piece::from_letter(c).ok().filter(|p| info.has_role(p.role())).ok_or_else(|| {
                    FenError::new(
                        FenField::Placement,
                        format!("'{c}' in rank {} is not a piece of {}", rank + 1, info.names[0]),
                    )
                    .because("letter", &[("text", &c), ("rank", &(rank + 1))])
                })?;
                if file < width {
                    core.put(area, Square::new(rank * 8 + first + file), piece, &mut ());
                }
                file += 1;
                after_digit = false;
            }
            if file > width {
                break;
            }
        }
        if file != width {
            let problem = format!("rank {} ('{}') does not have {width} squares", rank + 1, excerpt(text));
            return err(problem, "width", &[("rank", &(rank + 1)), ("width", &width)]);
        }
    }
    Ok(())
}

/// Writes one area's placement.
pub fn write_placement(board: &Board, (first, width): (u8, u8)) -> String {
    let mut text = String::with_capacity(72);
    for rank in (0..8u8).rev() {
        let mut gap = 0;
        for file in first..first + width {
            match board.piece_at(Square::new(rank * 8 + file)) {
                None => gap += 1,
                Some(piece) => {
                    if gap > 0 {
                        text.push((b'0' + gap) as char);
                        gap = 0;
                    }
                    text.push(piece.letter());
                }
            }
        }
        if gap > 0 {
            text.push((b'0' + gap) as char);
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// Reads `w` or `b`.
///
/// # Errors
/// Anything else.
pub fn read_side(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::new(FenField::Side, format!("'{}', 'w' or 'b' expected", excerpt(text)))
            .because("side", &[("text", &excerpt(text))])),
    }
}

/// Reads castling rights and checks that king and rook stand at home for each.
///
/// # Errors
/// Letters other than `KQkq`, a letter twice, a right without its king or rook.
pub fn read_castling(board: &Board, text: &str) -> Result<Castling, FenError> {
    let mut rights = Castling::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for c in text.chars() {
        let Some(&(_, color, side)) = Castling::LETTERS.iter().find(|l| l.0 == c) else {
            return Err(FenError::new(
                FenField::Castling,
                format!("'{}', letters of 'KQkq' or '-' expected", excerpt(text)),
            )
            .because("castlingText", &[("text", &excerpt(text))]));
        };
        if rights.has(color, side) {
            return Err(FenError::new(FenField::Castling, format!("'{c}' stands twice"))
                .because("castlingTwice", &[("text", &c)]));
        }
        let king = Castling::king_from(color);
        let rook = Castling::rook_from(color, side);
        if !board.pieces(color, Role::King).has(king) || !board.pieces(color, Role::Rook).has(rook) {
            return Err(FenError::new(
                FenField::Castling,
                format!("'{c}' needs a king on {king} and a rook on {rook}"),
            )
            .because("castlingHome", &[("text", &c), ("king", &king), ("rook", &rook)]));
        }
        rights = rights.with(color, side);
    }
    Ok(rights)
}

/// Writes castling rights.
pub fn write_castling(rights: Castling) -> String {
    let text: String = Castling::LETTERS.iter().filter(|l| rights.has(l.1, l.2)).map(|l| l.0).collect();
    if text.is_empty() { "-".into() } else { text }
}

/// Reads an ep square for the side `us` to capture on: it must fit a double step just made, and is dropped if no pawn of
/// `us` can use it. `blocked` are squares that a double step cannot have crossed or ended on besides occupied ones;
/// `mask` the area's squares.
///
/// # Errors
/// No square, or one that no double step can have passed over.
pub fn read_ep(
    board: &Board,
    us: Color,
    text: &str,
    mask: Bitboard,
    blocked: Bitboard,
) -> Result<Option<Square>, FenError> {
    read_ep_from(board, us, text, mask, blocked, !(board.occupied() | blocked))
}

/// The same for games in which a double step may leave something behind: `origins` are the squares it can have started
/// from.
///
/// # Errors
/// No square, or one that no double step can have passed over.
pub fn read_ep_from(
    board: &Board,
    us: Color,
    text: &str,
    mask: Bitboard,
    blocked: Bitboard,
    origins: Bitboard,
) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let square: Square = text.parse().ok().filter(|&s| mask.has(s)).ok_or_else(|| {
        FenError::new(FenField::EnPassant, format!("'{}' is not a square or '-'", excerpt(text)))
            .because("square", &[("text", &excerpt(text))])
    })?;
    let (from, to) = (square.offset(us.forward()), square.offset(-us.forward()));
    let empty = !(board.occupied() | blocked);
    let fits =
        square.rank() == us.rank(5) && empty.has(square) && origins.has(from) && board.pieces(!us, Role::Pawn).has(to);
    if !fits {
        return Err(FenError::new(
            FenField::EnPassant,
            format!("no pawn can have made a double step over {square} just now"),
        )
        .because("epStep", &[("square", &square)]));
    }
    Ok(usable_ep(board, !us, from, to, mask))
}

/// Writes an ep square.
pub fn write_ep(ep: Option<Square>) -> String {
    ep.map_or_else(|| "-".into(), |s| s.to_string())
}

/// Checks that each side has exactly one king on the board.
///
/// # Errors
/// None, or more than one.
pub fn check_kings(board: &Board) -> Result<(), FenError> {
    for color in Color::ALL {
        let n = board.kings(color).len();
        if n != 1 {
            return Err(FenError::new(
                FenField::Placement,
                format!("{n} {} kings, exactly one expected", color.name()),
            )
            .because("kings", &[("n", &n), ("color", &color.name())]));
        }
    }
    Ok(())
}

/// Checks that no pawn of a color stands on these ranks (counted from its own side, from 0).
///
/// # Errors
/// Names the first pawn that does.
pub fn check_pawns(board: &Board, ranks: &[u8]) -> Result<(), FenError> {
    for color in Color::ALL {
        for &rank in ranks {
            let wrong = board.pieces(color, Role::Pawn) & Bitboard::rank(color.rank(rank));
            if let Some(square) = wrong.first() {
                return Err(FenError::new(
                    FenField::Placement,
                    format!("a {} pawn cannot stand on {square}", color.name()),
                )
                .because("pawn", &[("color", &color.name()), ("square", &square)]));
            }
        }
    }
    Ok(())
}

/// The error for a side that could capture a king at once.
pub fn opponent_in_check(square: Square) -> FenError {
    FenError::new(FenField::Side, format!("the side not to move is in check on {square}"))
        .because("opponentInCheck", &[("square", &square)])
}
