//! What ratings are for: a game at a speed.

use std::fmt;
use std::str::FromStr;

use warpchess_rules::VariantId;

use crate::games::Speed;

/// A word that is no speed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not known, expected a speed ({}), with a game's id and '-' before it for a game other than {}", .0.chars().take(40).collect::<String>(), Speed::ALL.map(Speed::name).join(", "), VariantId::default())]
pub struct UnknownPerf(String);

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
            return capital(self.speed);
        }
        format!("{} {}", self.variant.info().names[0], capital(self.speed))
    }
}

fn capital(speed: Speed) -> String {
    let name = speed.name();
    name[..1].to_uppercase() + &name[1..]
}

impl fmt::Display for Perf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.variant != VariantId::default() {
            write!(f, "{}-", self.variant)?;
        }
        f.write_str(self.speed.name())
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
}
