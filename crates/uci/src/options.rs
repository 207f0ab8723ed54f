//! The options: what there is, and what was chosen.

use std::fmt::Write;

use warpchess_engine::{Level, Limits};
use warpchess_rules::VariantId;

use crate::strength::{ELO_RANGE, FULL_SKILL, level_of_elo, level_of_skill};

const MAX_THREADS: i64 = 256;
/// In mebibytes.
const MAX_HASH: i64 = 1 << 16;
/// More lines than any game has moves make no sense.
const MAX_LINES: i64 = 256;
const MAX_OVERHEAD: i64 = 5000;

/// What was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) variant: VariantId,
    /// In mebibytes.
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    pub(crate) multipv: usize,
    /// In milliseconds.
    pub(crate) overhead: u64,
    pub(crate) limit_strength: bool,
    pub(crate) elo: i64,
    pub(crate) skill: i64,
    pub(crate) analyse: bool,
}

/// What a change of an option asks for besides being remembered.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// Another game.
    Variant,
    /// A hash table of another size.
    Hash,
    /// More threads, or fewer.
    Threads,
    /// An empty hash table.
    Clear,
}

/// Why an option cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum OptionError {
    #[error("there is no option '{0}' (uci lists them)")]
    Unknown(String),
    #[error("{name}: '{value}' is not a whole number from {least} to {most}")]
    Number { name: &'static str, value: String, least: i64, most: i64 },
    #[error("{name}: '{value}' is neither true nor false")]
    Switch { name: &'static str, value: String },
    #[error("{0}")]
    Variant(#[from] warpchess_rules::variants::UnknownVariant),
    #[error("Hash: {0} MiB are not to be had")]
    Memory(i64),
}

/// One option: its name and what it may be.
enum Kind {
    Variant,
    Spin { default: i64, least: i64, most: i64, set: fn(&mut Settings, i64) -> Effect },
    Check { default: bool, set: fn(&mut Settings, bool) },
    Button(Effect),
}

struct Item {
    name: &'static str,
    kind: Kind,
}

const fn spin(name: &'static str, default: i64, range: (i64, i64), set: fn(&mut Settings, i64) -> Effect) -> Item {
    Item { name, kind: Kind::Spin { default, least: range.0, most: range.1, set } }
}

const fn check(name: &'static str, set: fn(&mut Settings, bool)) -> Item {
    Item { name, kind: Kind::Check { default: false, set } }
}

/// In the order in which they are told. The game comes first, since its choice is what others refer to.
static ITEMS: &[Item] = &[
    Item { name: "UCI_Variant", kind: Kind::Variant },
    spin("Hash", 16, (1, MAX_HASH), |s, n| {
        s.hash = n as usize;
        Effect::Hash
    }),
    Item { name: "Clear Hash", kind: Kind::Button(Effect::Clear) },
    spin("Threads", 1, (1, MAX_THREADS), |s, n| {
        s.threads = n as usize;
        Effect::Threads
    }),
    spin("MultiPV", 1, (1, MAX_LINES), |s, n| {
        s.multipv = n as usize;
        Effect::None
    }),
    // That a board lets us think on the opponent's time changes nothing; it is asked for by `go ponder`.
    check("Ponder", |_, _| ()),
    spin("Move Overhead", 10, (0, MAX_OVERHEAD), |s, n| {
        s.overhead = n as u64;
        Effect::None
    }),
    spin("Skill Level", FULL_SKILL, (0, FULL_SKILL), |s, n| {
        s.skill = n;
        Effect::None
    }),
    check("UCI_LimitStrength", |s, on| s.limit_strength = on),
    spin("UCI_Elo", ELO_RANGE.1, ELO_RANGE, |s, n| {
        s.elo = n;
        Effect::None
    }),
    check("UCI_AnalyseMode", |s, on| s.analyse = on),
];

impl Settings {
    pub(crate) fn new() -> Self {
        let mut settings = Self {
            variant: VariantId::default(),
            hash: 1,
            threads: 1,
            multipv: 1,
            overhead: 0,
            limit_strength: false,
            elo: 0,
            skill: 0,
            analyse: false,
        };
        for item in ITEMS {
            match item.kind {
                Kind::Spin { default, set, .. } => {
                    set(&mut settings, default);
                }
                Kind::Check { default, set } => set(&mut settings, default),
                Kind::Variant | Kind::Button(_) => {}
            }
        }
        settings
    }

    /// How well to play; `None` for as well as can be. An analysis is never weakened.
    pub(crate) fn level(&self) -> Option<Level> {
        if self.analyse {
            None
        } else if self.limit_strength {
            level_of_elo(self.elo)
        } else {
            level_of_skill(self.skill)
        }
    }

    /// The limits that come from options.
    pub(crate) fn limits(&self) -> Limits {
        Limits { multipv: self.multipv, overhead: std::time::Duration::from_millis(self.overhead), ..Limits::default() }
    }

    /// Sets an option. A number outside its range becomes the nearest inside, which `told` is told.
    pub(crate) fn set(&mut self, name: &str, value: &str, told: impl FnOnce(String)) -> Result<Effect, OptionError> {
        let item = ITEMS
            .iter()
            .find(|item| item.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(excerpt(name)))?;
        let name = item.name;
        match item.kind {
            Kind::Button(effect) => Ok(effect),
            Kind::Variant => {
                self.variant = value.to_ascii_lowercase().parse()?;
                Ok(Effect::Variant)
            }
            Kind::Check { set, .. } => {
                let on = match value.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(OptionError::Switch { name, value: excerpt(value) }),
                };
                set(self, on);
                Ok(Effect::None)
            }
            Kind::Spin { least, most, set, .. } => {
                let number: i64 =
                    value.parse().map_err(|_| OptionError::Number { name, value: excerpt(value), least, most })?;
                let fitting = number.clamp(least, most);
                let mut changed = self.clone();
                let effect = set(&mut changed, fitting);
                if effect == Effect::Hash && !can_be_had(changed.hash) {
                    return Err(OptionError::Memory(fitting));
                }
                *self = changed;
                if fitting != number {
                    told(format!("{name} is set to {fitting}: {number} is not from {least} to {most}"));
                }
                Ok(effect)
            }
        }
    }
}

/// Whether the system would give so much memory. Better asked before than to be ended by it.
fn can_be_had(mebibytes: usize) -> bool {
    mebibytes.checked_mul(1 << 20).is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

fn excerpt(text: &str) -> String {
    warpchess_rules::notation::fen::excerpt(text)
}

/// The lines that answer `uci`.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for Item { name, kind } in ITEMS {
        let _ = write!(text, "option name {name} type ");
        let _ = match kind {
            Kind::Spin { default, least, most, .. } => {
                writeln!(text, "spin default {default} min {least} max {most}")
            }
            Kind::Check { default, .. } => writeln!(text, "check default {default}"),
            Kind::Button(_) => writeln!(text, "button"),
            Kind::Variant => {
                let ids: Vec<&str> = VariantId::all().map(VariantId::id).collect();
                writeln!(text, "combo default {} var {}", VariantId::default(), ids.join(" var "))
            }
        };
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> (Settings, Result<Effect, OptionError>, String) {
        let mut settings = Settings::new();
        let mut told = String::new();
        let effect = settings.set(name, value, |text| told = text);
        (settings, effect, told)
    }

    #[test]
    fn every_option_is_listed_with_its_default() {
        let text = list();
        assert!(text.starts_with("option name UCI_Variant type combo default chess var chess var teleport"));
        for line in [
            "option name Hash type spin default 16 min 1 max 65536",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name UCI_LimitStrength type check default false",
            "option name Clear Hash type button",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}\n{text}");
        }
        let settings = Settings::new();
        assert_eq!((settings.hash, settings.multipv, settings.overhead), (16, 1, 10));
        assert_eq!(settings.level(), None);
    }

    #[test]
    fn names_are_told_apart_without_their_case() {
        let (settings, effect, _) = set("mOVE oVERHEAD", "30");
        assert_eq!((settings.overhead, effect), (30, Ok(Effect::None)));
    }

    #[test]
    fn numbers_out_of_range_become_the_nearest_and_that_is_told() {
        let (settings, effect, told) = set("MultiPV", "0");
        assert_eq!((settings.multipv, effect), (1, Ok(Effect::None)));
        assert_eq!(told, "MultiPV is set to 1: 0 is not from 1 to 256");
    }

    #[test]
    fn what_cannot_be_set_is_named_and_changes_nothing() {
        for (name, value, message) in [
            ("Hush", "1", "there is no option 'Hush'"),
            ("Hash", "many", "Hash: 'many' is not a whole number from 1 to 65536"),
            ("Ponder", "1", "Ponder: '1' is neither true nor false"),
            ("UCI_Variant", "draughts", "unknown variant 'draughts', expected one of chess"),
        ] {
            let (settings, effect, _) = set(name, value);
            let error = effect.expect_err("an error").to_string();
            assert!(error.starts_with(message), "{error}");
            assert_eq!(settings, Settings::new());
        }
    }

    #[test]
    fn a_limit_of_strength_is_a_level_unless_the_board_analyses() {
        let mut settings = set("UCI_LimitStrength", "true").0;
        assert_eq!(settings.level().map(Level::number), Some(8));
        settings.set("UCI_Elo", "600", |_| ()).expect("in range");
        assert_eq!(settings.level().map(Level::number), Some(1));
        settings.set("UCI_AnalyseMode", "true", |_| ()).expect("a switch");
        assert_eq!(settings.level(), None);
        assert_eq!(set("Skill Level", "0").0.level().map(Level::number), Some(1));
    }
}
