//! How long an engine may think.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A day is enough for anybody.
const MAX_SECONDS: f64 = 86_400.0;

/// The limit for a move, or for all.
///
/// # Examples
/// ```
/// use warpchess_arena::Control;
/// let control: Control = "40/60+0.5".parse()?;
/// assert_eq!(control.to_string(), "40/60+0.5");
/// # Ok::<(), warpchess_arena::ControlError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// A clock.
    Clock {
        /// Time at the start, and once more after every `moves` moves.
        base: Duration,
        /// Added after each move.
        increment: Duration,
        /// `None`: the time is for the whole game.
        moves: Option<u32>,
    },
    /// Time a move.
    MoveTime(Duration),
    /// Nodes a move.
    Nodes(u64),
    /// Depth in plies.
    Depth(u32),
}

/// A text that is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no time control; expected [MOVES/]SECONDS[+INCREMENT], such as 10+0.1 or 40/60")]
pub struct ControlError(pub String);

impl FromStr for Control {
    type Err = ControlError;

    /// Reads a clock.
    fn from_str(text: &str) -> Result<Self, ControlError> {
        let bad = || ControlError(warpchess_rules::notation::fen::excerpt(text));
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|&n: &u32| n > 0).ok_or_else(bad)?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = seconds(base).filter(|base| !base.is_zero()).ok_or_else(bad)?;
        Ok(Self::Clock { base, increment: seconds(increment).ok_or_else(bad)?, moves })
    }
}

/// A time in seconds, to the millisecond.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    (0.0..=MAX_SECONDS).contains(&number).then(|| Duration::from_millis((number * 1000.0).round() as u64))
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Clock { base, increment, moves } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if !increment.is_zero() {
                    write!(f, "+{}", increment.as_secs_f64())?;
                }
                Ok(())
            }
            Self::MoveTime(time) => write!(f, "{} s a move", time.as_secs_f64()),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// The clock of one player.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    control: Control,
    remaining: Duration,
    played: u32,
}

impl Clock {
    /// As it stands before the first move.
    pub const fn new(control: Control) -> Self {
        let remaining = match control {
            Control::Clock { base, .. } => base,
            _ => Duration::ZERO,
        };
        Self { control, remaining, played: 0 }
    }
    /// What it was set to.
    pub const fn control(&self) -> Control {
        self.control
    }
    /// Time left, if it counts down.
    pub fn remaining(&self) -> Option<Duration> {
        matches!(self.control, Control::Clock { .. }).then_some(self.remaining)
    }
    /// Moves until more time comes.
    pub const fn moves_to_go(&self) -> Option<u32> {
        match self.control {
            Control::Clock { moves: Some(moves), .. } => Some(moves - self.played % moves),
            _ => None,
        }
    }
    /// The longest the next move may take.
    pub fn allowed(&self) -> Option<Duration> {
        match self.control {
            Control::MoveTime(time) => Some(time),
            _ => self.remaining(),
        }
    }
    /// A move was made that took so long; the player has not overstepped his time.
    pub fn press(&mut self, took: Duration) {
        self.played += 1;
        if let Control::Clock { base, increment, moves } = self.control {
            self.remaining = self.remaining.saturating_sub(took) + increment;
            if moves.is_some_and(|moves| self.played.is_multiple_of(moves)) {
                self.remaining += base;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_people_write_them() {
        for (text, base, increment, moves) in
            [("10+0.1", 10_000, 100, None), ("40/60", 60_000, 0, Some(40)), ("0.25", 250, 0, None)]
        {
            let millis = Duration::from_millis;
            let control = Control::Clock { base: millis(base), increment: millis(increment), moves };
            assert_eq!(text.parse(), Ok(control));
            assert_eq!(control.to_string(), text);
        }
        for text in ["", "x", "0", "-1", "1+", "1+-2", "0/10", "1e9", "NaN", "40/", "1+2+3"] {
            assert!(text.parse::<Control>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_is_wound_up() {
        let mut clock = Clock::new("2/10+1".parse().expect("a control"));
        let left = |clock: &Clock| (clock.remaining().map(|t| t.as_secs()), clock.moves_to_go());
        assert_eq!(left(&clock), (Some(10), Some(2)));
        clock.press(Duration::from_secs(4));
        assert_eq!(left(&clock), (Some(7), Some(1)));
        clock.press(Duration::from_secs(4));
        assert_eq!(left(&clock), (Some(14), Some(2)));
        let nodes = Clock::new(Control::Nodes(5));
        assert_eq!((nodes.remaining(), nodes.allowed()), (None, None));
    }
}
