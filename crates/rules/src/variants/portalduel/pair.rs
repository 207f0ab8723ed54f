use crate::core::zobrist::{self, Domain};
use crate::core::{Color, Square};
use crate::notation::fen::{FenError, FenField, Params, excerpt};
use std::fmt;

const IN_HAND: u8 = 64;

/// White's and Black's portal.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) struct Pair([u8; 2]);

/// What the two portals are to the pieces.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Not both are on the board yet; the one that is has no effect.
    Placing,
    /// Two squares that lead to each other, White's portal first.
    Linked(Square, Square),
    /// Both portals met on a square, which is like any other from then on.
    Locked(Square),
}

impl Pair {
    /// None on the board.
    pub(super) const IN_HAND: Self = Self([IN_HAND; 2]);

    /// Reads two squares, White's portal first, `-` for one that is not placed yet.
    ///
    /// # Errors
    /// Other text, or Black's portal before White's.
    pub(super) fn read(text: &str) -> Result<Self, FenError> {
        let err = |problem: String, code, params: &Params<'_>| {
            Err(FenError::new(FenField::Portals, problem).because(code, params))
        };
        let mut pair = Self::IN_HAND;
        let mut rest = text;
        for color in Color::ALL {
            if let Some(more) = rest.strip_prefix('-') {
                rest = more;
                continue;
            }
            match rest.split_at_checked(2).and_then(|(square, more)| Some((square.parse::<Square>().ok()?, more))) {
                Some((square, more)) => {
                    pair.set(color, square);
                    rest = more;
                }
                None => {
                    let problem =
                        format!("no square (a1 to h8) or '-' for {}'s portal in '{}'", color.name(), excerpt(text));
                    return err(problem, "portalText", &[("color", &color.name()), ("text", &excerpt(text))]);
                }
            }
        }
        if !rest.is_empty() {
            let problem = format!("'{}' follows after the two portals of '{}'", excerpt(rest), excerpt(text));
            return err(problem, "follows", &[("text", &excerpt(rest))]);
        }
        match (pair.of(Color::White), pair.of(Color::Black)) {
            (None, Some(_)) => {
                err(format!("'{}', but White places a portal first", excerpt(text)), "portalWhiteFirst", &[])
            }
            (Some(white), None) if white.rank() != Self::home(Color::White) => {
                let problem =
                    format!("White's portal on {white} with Black's not placed yet, a square of rank 4 expected");
                err(problem, "portalRank", &[("square", &white)])
            }
            _ => Ok(pair),
        }
    }
    /// The rank, counted from 0, on which a side places its portal.
    pub(super) const fn home(color: Color) -> u8 {
        color.rank(3)
    }
    /// A side's portal, if placed.
    #[inline]
    pub(super) const fn of(self, color: Color) -> Option<Square> {
        let square = self.0[color as usize];
        if square == IN_HAND { None } else { Some(Square::new(square)) }
    }
    /// Puts a side's portal on a square; returns the change of the hash.
    #[inline]
    pub(super) fn set(&mut self, color: Color, square: Square) -> u64 {
        let before = self.key(color);
        self.0[color.index()] = square.index() as u8;
        before ^ self.key(color)
    }
    /// What the two are to the pieces.
    #[inline]
    pub(super) const fn state(self) -> State {
        match (self.of(Color::White), self.of(Color::Black)) {
            (Some(a), Some(b)) if a.index() == b.index() => State::Locked(a),
            (Some(a), Some(b)) => State::Linked(a, b),
            _ => State::Placing,
        }
    }
    /// Both squares while they lead to each other.
    #[inline]
    pub(super) const fn linked(self) -> Option<(Square, Square)> {
        if let State::Linked(a, b) = self.state() { Some((a, b)) } else { None }
    }
    /// The hash of both.
    #[inline]
    pub(super) fn hash(self) -> u64 {
        self.key(Color::White) ^ self.key(Color::Black)
    }
    #[inline]
    fn key(self, color: Color) -> u64 {
        match self.of(color) {
            None => 0,
            Some(square) => zobrist::key(Domain::Marker, (color.index() << 6 | square.index()) as u32),
        }
    }
}

/// The FEN field.
impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            match self.of(color) {
                Some(square) => write!(f, "{square}")?,
                None => f.write_str("-")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
