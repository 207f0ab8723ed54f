use crate::core::zobrist::{self, Domain};
use crate::core::{Bitboard, Square};
use crate::notation::fen::{FenError, FenField, Params, excerpt};
use std::fmt;

/// Neutral portals: a multiset of squares. Their number never changes in a game, so at most 255 of them fit any stack in
/// a byte.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Portals {
    /// Squares with at least one.
    squares: Bitboard,
    /// Squares with at least two.
    stacks: Bitboard,
    counts: [u8; 64],
}

impl Portals {
    const MOST: usize = u8::MAX as usize;

    /// None.
    pub(super) const NONE: Self = Self { squares: Bitboard::EMPTY, stacks: Bitboard::EMPTY, counts: [0; 64] };

    /// Reads squares written one after the other, a square once for each portal on it, or `-`.
    pub(super) fn read(text: &str) -> Result<Self, FenError> {
        let mut portals = Self::NONE;
        if text == "-" {
            return Ok(portals);
        }
        let err = |problem: String, code, params: &Params<'_>| {
            Err(FenError::new(FenField::Portals, problem).because(code, params))
        };
        if text.len() / 2 > Self::MOST {
            let problem = format!("{} portals, at most {} expected", text.len() / 2, Self::MOST);
            return err(problem, "portalsMost", &[("n", &(text.len() / 2)), ("most", &Self::MOST)]);
        }
        for pair in text.as_bytes().chunks(2) {
            let Some(square) = std::str::from_utf8(pair).ok().and_then(|s| s.parse::<Square>().ok()) else {
                let pair = String::from_utf8_lossy(pair);
                let problem =
                    format!("'{pair}' in '{}' is not a square, squares from a1 to h8 or '-' expected", excerpt(text));
                return err(problem, "square", &[("text", &pair)]);
            };
            portals.change(square, 1);
        }
        Ok(portals)
    }
    /// Squares that have a portal.
    #[inline]
    pub(super) const fn squares(&self) -> Bitboard {
        self.squares
    }
    /// Squares that have more than one.
    #[inline]
    pub(super) const fn stacks(&self) -> Bitboard {
        self.stacks
    }
    /// How many lie on a square.
    #[inline]
    pub(super) const fn count(&self, square: Square) -> u8 {
        self.counts[square.index()]
    }
    /// [Squares](Self::squares) and [stacks](Self::stacks) as they would be with one portal moved.
    #[inline]
    pub(super) const fn after_shift(&self, from: Square, to: Square) -> (Bitboard, Bitboard) {
        let (mut squares, mut stacks) = (self.squares.with(to), self.stacks);
        match self.count(from) {
            1 => squares = squares.without(from),
            2 => stacks = stacks.without(from),
            _ => {}
        }
        if self.squares.has(to) {
            stacks = stacks.with(to);
        }
        (squares, stacks)
    }
    /// Moves one portal to another square; returns the change of the hash.
    #[inline]
    pub(super) fn shift(&mut self, from: Square, to: Square) -> u64 {
        let before = self.key(from) ^ self.key(to);
        self.change(from, -1);
        self.change(to, 1);
        before ^ self.key(from) ^ self.key(to)
    }
    /// The hash of all portals, whatever order they came in.
    pub(super) fn hash(&self) -> u64 {
        self.squares.into_iter().fold(0, |hash, square| hash ^ self.key(square))
    }

    #[inline]
    fn change(&mut self, square: Square, by: i8) {
        let count = &mut self.counts[square.index()];
        *count = count.saturating_add_signed(by);
        let here = Bitboard::from(square);
        self.squares = self.squares & !here | if *count > 0 { here } else { Bitboard::EMPTY };
        self.stacks = self.stacks & !here | if *count > 1 { here } else { Bitboard::EMPTY };
    }
    #[inline]
    fn key(&self, square: Square) -> u64 {
        match self.count(square) {
            0 => 0,
            n => zobrist::key(Domain::Marker, u32::from(n) << 6 | square.index() as u32),
        }
    }
}

/// Adds a portal to each square.
impl FromIterator<Square> for Portals {
    fn from_iter<T: IntoIterator<Item = Square>>(iter: T) -> Self {
        let mut portals = Self::NONE;
        for square in iter {
            portals.change(square, 1);
        }
        portals
    }
}

/// The FEN field: by rank, then file.
impl fmt::Display for Portals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.squares.is_empty() {
            return f.write_str("-");
        }
        for square in self.squares {
            for _ in 0..self.count(square) {
                write!(f, "{square}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Portals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
