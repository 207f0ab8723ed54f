//! What ratings are for: a game at a speed.

use std::fmt;
use std::str::FromStr;

use warpchess_rules::VariantId;

/// How fast a game is, by the time a player has for it. The words and bounds are those of Lichess.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speed {
    /// Under half a minute.
    UltraBullet,
    /// Under three minutes.
    Bullet,
    /// Under eight minutes.
    Blitz,
    /// Under 25 minutes.
    Rapid,
    /// Longer.
    Classical,
    /// By days, or without a clock.
    Correspondence,
}

impl Speed {
    /// Every one.
    pub const ALL: [Self; 6] =
        [Self::UltraBullet, Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical, Self::Correspondence];

    /// Of a live game: a game is taken to last forty moves.
    pub const fn of_clock(limit_seconds: i64, increment_seconds: i64) -> Self {
        match limit_seconds.saturating_add(increment_seconds.saturating_mul(40)) {
            ..30 => Self::UltraBullet,
            30..180 => Self::Bullet,
            180..480 => Self::Blitz,
            480..1500 => Self::Rapid,
            _ => Self::Classical,
        }
    }

    /// The word that the API uses.
    pub const fn key(self) -> &'static str {
        match self {
            Self::UltraBullet => "ultraBullet",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }

    /// The word for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UltraBullet => "UltraBullet",
            Self::Bullet => "Bullet",
            Self::Blitz => "Blitz",
            Self::Rapid => "Rapid",
            Self::Classical => "Classical",
            Self::Correspondence => "Correspondence",
        }
    }
}

/// A word that is no speed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not known, expected a speed ({}), with a game's id and '-' before it for a game other than {}", .0.chars().take(40).collect::<String>(), Speed::ALL.map(Speed::key).join(", "), VariantId::default())]
pub struct UnknownPerf(String);

impl FromStr for Speed {
    type Err = UnknownPerf;
    fn from_str(text: &str) -> Result<Self, UnknownPerf> {
        Self::ALL.into_iter().find(|speed| speed.key() == text).ok_or_else(|| UnknownPerf(text.to_owned()))
    }
}

/// A game at a speed: what Lichess calls a perf. The first game of the registry goes by the speed alone, as clients
/// expect; others have their id before it, as in `portalchess-blitz`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Perf {
    /// The game.
    pub variant: VariantId,
    /// The speed.
    pub speed: Speed,
}

impl Perf {
    /// Every one.
    pub fn all() -> impl Iterator<Item = Self> {
        VariantId::all().flat_map(|variant| Speed::ALL.map(|speed| Self { variant, speed }))
    }

    /// Its name for people.
    pub fn name(self) -> String {
        if self.variant == VariantId::default() {
            return self.speed.name().to_owned();
        }
        format!("{} {}", self.variant.info().names[0], self.speed.name())
    }
}

impl fmt::Display for Perf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.variant != VariantId::default() {
            write!(f, "{}-", self.variant)?;
        }
        f.write_str(self.speed.key())
    }
}

impl FromStr for Perf {
    type Err = UnknownPerf;
    fn from_str(text: &str) -> Result<Self, UnknownPerf> {
        let unknown = || UnknownPerf(text.to_owned());
        let (variant, speed) = match text.rsplit_once('-') {
            Some((variant, speed)) => (variant.parse().map_err(|_| unknown())?, speed),
            None => (VariantId::default(), text),
        };
        Ok(Self { variant, speed: speed.parse().map_err(|_| unknown())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perf_is_written_as_it_is_read() {
        for perf in Perf::all() {
            assert_eq!(perf.to_string().parse::<Perf>().unwrap(), perf);
        }
        for text in ["", "fast", "-blitz", "halma-blitz", "chess-", "chess-blitz-x"] {
            assert!(text.parse::<Perf>().is_err(), "{text}");
        }
        assert_eq!("chess-blitz".parse::<Perf>().unwrap().to_string(), "blitz");
    }

    #[test]
    fn speeds_have_the_bounds_that_players_know() {
        for (limit, increment, key) in [
            (15, 0, "ultraBullet"),
            (30, 0, "bullet"),
            (60, 0, "bullet"),
            (120, 1, "bullet"),
            (180, 0, "blitz"),
            (300, 3, "blitz"),
            (600, 0, "rapid"),
            (900, 10, "rapid"),
            (1800, 0, "classical"),
            (i64::MAX, i64::MAX, "classical"),
        ] {
            assert_eq!(Speed::of_clock(limit, increment).key(), key, "{limit}+{increment}");
        }
    }
}
