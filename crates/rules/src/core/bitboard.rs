use super::Square;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares of one area: bit 0 is a1, bit 7 h1, bit 63 h8.
///
/// # Examples
/// ```
/// use warpchess_rules::{Bitboard, Square};
/// let set = Bitboard::from(Square::E4) | Bitboard::from(Square::A1);
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>(), ["a1", "e4"]);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);
    /// The a-file.
    pub const FILE_A: Self = Self(0x0101_0101_0101_0101);
    /// The h-file.
    pub const FILE_H: Self = Self(0x8080_8080_8080_8080);
    /// Files a to d.
    pub const QUEENSIDE: Self = Self(0x0f0f_0f0f_0f0f_0f0f);

    /// The squares of a rank, counted from 0.
    #[inline]
    pub const fn rank(rank: u8) -> Self {
        Self(0xff << (rank * 8))
    }
    /// The squares of a file, counted from 0.
    #[inline]
    pub const fn file(file: u8) -> Self {
        Self(0x0101_0101_0101_0101 << file)
    }
    /// How many squares.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }
    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Whether there is at least one.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }
    /// Whether there are two or more.
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }
    /// Whether the square belongs to the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 & (1 << square.index()) != 0
    }
    /// The set with a square added.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.index())
    }
    /// The set with a square taken out.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.index()))
    }
    /// The lowest square, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as u8)) }
    }
    /// All squares moved by `delta` steps of the square index, wrapping nowhere: bits pushed off the board vanish.
    /// The caller masks files.
    #[inline]
    #[must_use]
    pub const fn shift(self, delta: i8) -> Self {
        if delta >= 0 { Self(self.0 << delta) } else { Self(self.0 >> -delta) }
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self(1 << square.index())
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(iter: T) -> Self {
        iter.into_iter().fold(Self::EMPTY, Self::with)
    }
}

macro_rules! operators {
    ($($op:ident $f:ident $assign:ident $g:ident $sign:tt),*) => {$(
        impl $op for Bitboard {
            type Output = Self;
            #[inline]
            fn $f(self, other: Self) -> Self { Self(self.0 $sign other.0) }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $g(&mut self, other: Self) { self.0 = self.0 $sign other.0 }
        }
    )*};
}
operators!(BitAnd bitand BitAndAssign bitand_assign &, BitOr bitor BitOrAssign bitor_assign |, BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The squares of a [`Bitboard`] in rising order.
#[derive(Clone, Debug)]
pub struct BitboardIter(u64);

impl Iterator for BitboardIter {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for BitboardIter {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = BitboardIter;
    #[inline]
    fn into_iter(self) -> BitboardIter {
        BitboardIter(self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
