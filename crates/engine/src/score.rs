//! What a position is worth: hundredths of a pawn inside the search, a word for mates outside.

use std::fmt;

/// Deepest line the search can follow, in plies.
pub const MAX_PLY: usize = 100;
/// A side to move that is mated here and now is worth `-MATE`.
pub(crate) const MATE: i32 = 32_000;
/// Beyond every value.
pub(crate) const INFINITE: i32 = MATE + 1;
/// Values beyond this (either sign) are mates found by search. A mate stored `MAX_PLY` plies from the root may itself be
/// `MAX_PLY` plies long.
pub(crate) const MATE_BOUND: i32 = MATE - 2 * MAX_PLY as i32 - 1;
/// Largest value an evaluation may give.
pub(crate) const EVAL_BOUND: i32 = 20_000;

/// A value as people and protocols read it, from the view of the side to move.
///
/// # Examples
/// ```
/// use warpchess_engine::Score;
/// assert_eq!(Score::Mate(3).to_string(), "mate 3");
/// assert!(Score::Mate(3) > Score::Mate(5));
/// assert!(Score::Mate(-5) > Score::Mate(-3));
/// assert!(Score::Cp(900) > Score::Mate(-1));
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Mate in so many own moves; negative when the side to move gets mated, 0 when it is mated already.
    /// A king destroyed counts as mate.
    Mate(i32),
}

impl Score {
    /// The score of a search value.
    pub(crate) const fn from_value(value: i32) -> Self {
        if value > MATE_BOUND {
            Self::Mate((MATE - value + 1) / 2)
        } else if value < -MATE_BOUND {
            Self::Mate(-((MATE + value + 1) / 2))
        } else {
            Self::Cp(value)
        }
    }
    /// The search value of a score.
    pub(crate) const fn value(self) -> i32 {
        match self {
            Self::Cp(cp) => cp,
            Self::Mate(n) if n > 0 => MATE - 2 * n + 1,
            Self::Mate(n) => -MATE - 2 * n,
        }
    }
    /// Hundredths of a pawn, unless it is a mate.
    pub const fn cp(self) -> Option<i32> {
        match self {
            Self::Cp(cp) => Some(cp),
            Self::Mate(_) => None,
        }
    }
    /// Moves to mate, if it is one.
    pub const fn mate(self) -> Option<i32> {
        match self {
            Self::Cp(_) => None,
            Self::Mate(n) => Some(n),
        }
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.value().cmp(&other.value())
    }
}

/// As UCI writes it: `cp 31`, `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(cp) => write!(f, "cp {cp}"),
            Self::Mate(n) => write!(f, "mate {n}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_winner() {
        // The move that mates is ply 1, the position it leaves is worth -(MATE - 1) to the side mated.
        assert_eq!(Score::from_value(MATE - 1), Score::Mate(1));
        assert_eq!(Score::from_value(MATE - 3), Score::Mate(2));
        assert_eq!(Score::from_value(-(MATE - 2)), Score::Mate(-1));
        assert_eq!(Score::from_value(-(MATE - 4)), Score::Mate(-2));
        assert_eq!(Score::from_value(-MATE), Score::Mate(0));
        for n in -20..20 {
            assert_eq!(Score::from_value(Score::Mate(n).value()), Score::Mate(n));
        }
    }
}
