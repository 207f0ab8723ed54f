use std::fmt::{self, Write};
use std::str::FromStr;

/// A square of an eight by eight board: 0 is a1, 7 is h1, 63 is h8.
/// In games on two boards a square is always read together with its [`Area`].
///
/// # Examples
/// ```
/// use warpchess_rules::Square;
/// let e4: Square = "e4".parse()?;
/// assert_eq!((e4.file(), e4.rank()), (4, 3));
/// # Ok::<(), warpchess_rules::ParseSquareError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

macro_rules! named {
    ($($name:ident)*) => {
        #[allow(missing_docs)]
        impl Square {
            named!(@ 0u8; $($name)*);
        }
    };
    (@ $n:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Self = Self($n);
        named!(@ $n + 1; $($rest)*);
    };
    (@ $n:expr;) => {};
}
named!(A1 B1 C1 D1 E1 F1 G1 H1 A2 B2 C2 D2 E2 F2 G2 H2 A3 B3 C3 D3 E3 F3 G3 H3 A4 B4 C4 D4 E4 F4 G4 H4
       A5 B5 C5 D5 E5 F5 G5 H5 A6 B6 C6 D6 E6 F6 G6 H6 A7 B7 C7 D7 E7 F7 G7 H7 A8 B8 C8 D8 E8 F8 G8 H8);

impl Square {
    /// The square with this index.
    ///
    /// # Panics
    /// When the index is 64 or more.
    #[inline]
    pub const fn new(index: u8) -> Self {
        debug_assert!(index < 64);
        Self(index & 63)
    }
    /// The square on a file and a rank, both counted from 0; `None` off the board.
    #[inline]
    pub const fn at(file: i8, rank: i8) -> Option<Self> {
        if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some(Self((rank * 8 + file) as u8)) }
    }
    /// All squares, a1 to h8, rank by rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }
    /// 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }
    /// 0 for the a-file, 7 for the h-file.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }
    /// 0 for the first rank, 7 for the eighth.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }
    /// The square `delta` steps further in index order; wraps round the board, so only for deltas known to stay on it.
    #[inline]
    #[must_use]
    pub const fn offset(self, delta: i8) -> Self {
        Self(self.0.wrapping_add(delta as u8) & 63)
    }
    /// The square so many files and ranks away; `None` off the board.
    #[inline]
    pub const fn step(self, files: i8, ranks: i8) -> Option<Self> {
        Self::at(self.file() as i8 + files, self.rank() as i8 + ranks)
    }
    /// How many king's steps away a square is.
    #[inline]
    pub const fn distance(self, other: Self) -> i32 {
        let (files, ranks) = (self.file().abs_diff(other.file()), self.rank().abs_diff(other.rank()));
        if files > ranks { files as i32 } else { ranks as i32 }
    }
    /// The letter of the file.
    pub const fn file_char(self) -> char {
        (b'a' + self.file()) as char
    }
    /// The digit of the rank.
    pub const fn rank_char(self) -> char {
        (b'1' + self.rank()) as char
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.file_char())?;
        f.write_char(self.rank_char())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square (a1 to h8)")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;
    fn from_str(s: &str) -> Result<Self, ParseSquareError> {
        match s.as_bytes() {
            &[f @ b'a'..=b'h', r @ b'1'..=b'8'] => Ok(Self((r - b'1') * 8 + f - b'a')),
            _ => Err(ParseSquareError(s.chars().take(16).collect())),
        }
    }
}

/// A part of the playing field with its own turns: one for most games, two where play alternates between areas.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Area {
    /// The first, or the only one.
    #[default]
    A,
    /// The second.
    B,
}

impl Area {
    /// 0 or 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
    /// The other area.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
    /// `'A'` or `'B'`.
    pub const fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
        }
    }
}
