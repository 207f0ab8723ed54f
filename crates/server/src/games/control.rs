//! Time controls.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Wrong, needed};

/// How much time the players have.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", try_from = "ControlForm")]
pub enum Control {
    /// A clock for the whole game, with an increment after each move; both in milliseconds.
    Live {
        /// What each player begins with.
        limit: i64,
        /// What is added after each move.
        increment: i64,
    },
    /// So many days for each move.
    Days {
        /// How many.
        days: i64,
    },
    /// No clock.
    Unlimited,
}

/// The days that can be had for a move.
pub const DAYS: [i64; 7] = [1, 2, 3, 5, 7, 10, 14];
/// Longest limit, in milliseconds.
pub const LONGEST_LIMIT: i64 = 3 * 60 * 60_000;
/// Longest increment, in milliseconds.
pub const LONGEST_INCREMENT: i64 = 180_000;
const DAY: i64 = 24 * 60 * 60_000;

/// A control as it is sent: all fields that any has, so that what is wrong with one is told by its name.
#[derive(Deserialize)]
struct ControlForm {
    kind: String,
    limit: Option<i64>,
    increment: Option<i64>,
    days: Option<i64>,
}

impl TryFrom<ControlForm> for Control {
    type Error = Wrong;
    fn try_from(form: ControlForm) -> Result<Self, Wrong> {
        Ok(match form.kind.as_str() {
            "live" => {
                Self::Live { limit: needed("limit", form.limit)?, increment: needed("increment", form.increment)? }
            }
            "days" => Self::Days { days: needed("days", form.days)? },
            "unlimited" => Self::Unlimited,
            _ => return Err(Wrong::new("kind", "a control's kind is live, days or unlimited")),
        })
    }
}

impl Control {
    /// Whether it can be played: which part cannot, and the sentence that says why not.
    ///
    /// # Errors
    /// What was expected.
    pub fn check(self) -> Result<(), Wrong> {
        match self {
            Self::Live { limit, increment } => {
                if !(0..=LONGEST_LIMIT).contains(&limit) {
                    return Err(Wrong::new("limit", format!("the limit is {limit} ms, expected 0 to {LONGEST_LIMIT}")));
                }
                if !(0..=LONGEST_INCREMENT).contains(&increment) {
                    let message = format!("the increment is {increment} ms, expected 0 to {LONGEST_INCREMENT}");
                    return Err(Wrong::new("increment", message));
                }
                // Somebody has to have the time to move at all.
                if limit + increment < 1000 {
                    return Err(Wrong::new("limit", "limit and increment together are less than a second"));
                }
                Ok(())
            }
            Self::Days { days } if DAYS.contains(&days) => Ok(()),
            Self::Days { days } => Err(Wrong::new("days", format!("{days} days for a move, expected one of {DAYS:?}"))),
            Self::Unlimited => Ok(()),
        }
    }

    /// Its class, as Lichess classes: by the time of a game of forty moves.
    pub const fn speed(self) -> Speed {
        let Self::Live { limit, increment } = self else { return Speed::Correspondence };
        match (limit + 40 * increment) / 1000 {
            ..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            _ => Speed::Classical,
        }
    }

    /// What a player's clock shows at the beginning, in milliseconds.
    pub const fn initial(self) -> Option<i64> {
        match self {
            // With an increment alone the first move has that.
            Self::Live { limit: 0, increment } => Some(increment),
            Self::Live { limit, .. } => Some(limit),
            Self::Days { days } => Some(days * DAY),
            Self::Unlimited => None,
        }
    }

    /// How long a player may leave the first move undone before the game is called off, in milliseconds.
    pub const fn first_move(self) -> Option<i64> {
        match self {
            Self::Live { .. } => Some(match self.speed() {
                Speed::UltraBullet => 15_000,
                Speed::Bullet => 20_000,
                Speed::Blitz => 25_000,
                Speed::Rapid => 30_000,
                Speed::Classical | Speed::Correspondence => 60_000,
            }),
            Self::Days { days } => Some(days * DAY),
            Self::Unlimited => None,
        }
    }

    /// How long a player may be away before the opponent may claim the game, in milliseconds; `None` where nobody has to be
    /// there.
    pub const fn patience(self) -> Option<i64> {
        match (self, self.speed()) {
            (Self::Days { .. } | Self::Unlimited, _) => None,
            (_, Speed::UltraBullet | Speed::Bullet) => Some(10_000),
            (_, Speed::Blitz) => Some(20_000),
            (_, Speed::Rapid) => Some(40_000),
            (_, Speed::Classical | Speed::Correspondence) => Some(90_000),
        }
    }

    /// Whether players are expected to sit there.
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Live { .. })
    }
}

/// The class of a time control. Ratings are kept for each.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub enum Speed {
    UltraBullet,
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
}

impl Speed {
    /// All, fastest first.
    pub const ALL: [Self; 6] =
        [Self::UltraBullet, Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical, Self::Correspondence];

    /// Its name in the API and the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UltraBullet => "ultraBullet",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }
}

impl std::str::FromStr for Speed {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|speed| speed.name() == name);
        known.ok_or_else(|| format!("unknown speed '{name}', expected one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_classed_by_a_game_of_forty_moves() {
        for (limit, increment, speed) in [
            (15, 0, Speed::UltraBullet),
            (60, 0, Speed::Bullet),
            (120, 1, Speed::Bullet),
            (180, 0, Speed::Blitz),
            (300, 3, Speed::Blitz),
            (600, 0, Speed::Rapid),
            (1800, 0, Speed::Classical),
        ] {
            let control = Control::Live { limit: limit * 1000, increment: increment * 1000 };
            assert_eq!(control.speed(), speed, "{limit}+{increment}");
        }
        assert_eq!(Control::Days { days: 3 }.speed(), Speed::Correspondence);
    }

    #[test]
    fn controls_that_cannot_be_played_are_told() {
        assert!(Control::Live { limit: 0, increment: 0 }.check().is_err());
        assert!(Control::Live { limit: -1, increment: 2000 }.check().is_err());
        assert!(Control::Live { limit: 60_000, increment: i64::MAX }.check().is_err());
        assert!(Control::Days { days: 4 }.check().is_err());
        assert!(Control::Live { limit: 0, increment: 1000 }.check().is_ok());
    }
}
