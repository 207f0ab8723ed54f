//! Numbers of the evaluation as text: what fitting writes, and what the engine is given to play with.

use super::weights::Weights;
use std::sync::OnceLock;
use warpchess_rules::{VariantId, VariantInfo};

/// Numbers of the evaluation that differ from those a game begins with, for any number of games.
///
/// As text a line a number: the game's id, the number's name and its value, parted by tabs. Lines that are empty or begin with
/// `#` say nothing.
///
/// # Examples
/// ```
/// use warpchess_engine::WeightSet;
/// let set: WeightSet = "# By hand.\nchess\ttempo\t20\n".parse()?;
/// assert_eq!(set.len(), 1);
/// let wrong = "chess\ttempo\tfast".parse::<WeightSet>();
/// assert_eq!(wrong.unwrap_err().to_string(), "line 1: 'fast' for tempo, a whole number from -20000 to 20000 expected");
/// # Ok::<(), warpchess_engine::WeightsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WeightSet(Vec<(VariantId, String, i32)>);

/// A text that is no set of numbers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct WeightsError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

/// The largest number that means anything.
const MOST: i32 = 20_000;

static BUILT_IN: &str = include_str!("../../data/weights.tsv");

impl WeightSet {
    /// The numbers that come with the engine.
    pub(crate) fn built_in() -> &'static Self {
        static SET: OnceLock<WeightSet> = OnceLock::new();
        // A test reads the text; no caller can do anything about it.
        SET.get_or_init(|| BUILT_IN.parse().unwrap_or_default())
    }
    /// A set for one game.
    pub(crate) fn new(variant: VariantId, numbers: Vec<(String, i32)>) -> Self {
        Self(numbers.into_iter().map(|(name, value)| (variant, name, value)).collect())
    }
    /// The numbers of a game: those it begins with, changed by the set.
    pub(crate) fn weights(&self, info: &VariantInfo) -> Weights {
        let mut weights = Weights::unfitted(info);
        let own: Vec<_> = self.0.iter().filter(|(variant, ..)| variant.id() == info.id).collect();
        if !own.is_empty() {
            weights.visit(&mut |name, value| {
                if let Some((.., number)) = own.iter().find(|(_, n, _)| n == name) {
                    *value = *number;
                }
            });
        }
        weights
    }
    /// How many numbers it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Whether it has any for a game.
    pub fn knows(&self, variant: VariantId) -> bool {
        self.0.iter().any(|(v, ..)| *v == variant)
    }
}

impl std::str::FromStr for WeightSet {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut set = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let err = |problem| WeightsError { line: i + 1, problem };
            let line = line.trim_end_matches('\r');
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let [variant, name, value] = line.split('\t').collect::<Vec<_>>()[..] else {
                let excerpt: String = line.chars().take(40).collect();
                return Err(err(format!("'{excerpt}', a game, a name and a number parted by tabs expected")));
            };
            let variant: VariantId = variant.parse().map_err(|e| err(format!("{e}")))?;
            let excerpt = |text: &str| text.chars().take(40).collect::<String>();
            if !Weights::unfitted(variant.info()).list().iter().any(|(n, _)| n == name) {
                return Err(err(format!("the evaluation of {variant} has no number '{}'", excerpt(name))));
            }
            let number = value.parse().ok().filter(|n| (-MOST..=MOST).contains(n)).ok_or_else(|| {
                err(format!("'{}' for {name}, a whole number from -{MOST} to {MOST} expected", excerpt(value)))
            })?;
            if set.iter().any(|(v, n, _)| *v == variant && n == name) {
                return Err(err(format!("{name} of {variant} a second time")));
            }
            set.push((variant, name.to_owned(), number));
        }
        Ok(Self(set))
    }
}

impl std::fmt::Display for WeightSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|(variant, name, value)| writeln!(f, "{variant}\t{name}\t{value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<WeightSet>().expect_err(text).to_string()
    }

    #[test]
    fn the_numbers_built_in_can_be_read() {
        assert_eq!(BUILT_IN.parse::<WeightSet>().as_ref(), Ok(WeightSet::built_in()));
    }

    #[test]
    fn what_is_no_set_is_named_with_its_line() {
        assert_eq!(
            refused("\nchess tempo 3"),
            "line 2: 'chess tempo 3', a game, a name and a number parted by tabs expected"
        );
        assert!(refused("# x\n\ncheckers\ttempo\t3").starts_with("line 3: unknown variant 'checkers'"));
        assert_eq!(refused("chess\tspeed\t3"), "line 1: the evaluation of chess has no number 'speed'");
        assert_eq!(refused("chess\ttempo\t3\nchess\ttempo\t4"), "line 2: tempo of chess a second time");
        assert!(refused("chess\ttempo\t99999999999").contains("a whole number from -20000 to 20000 expected"));
        assert!(refused(&format!("chess\ttempo\t{}", "9".repeat(1000))).len() < 200);
    }

    #[test]
    fn a_set_written_is_read_again_and_changes_its_game_only() {
        for variant in VariantId::all() {
            let numbers: Vec<_> =
                Weights::unfitted(variant.info()).list().into_iter().map(|(n, v)| (n, v + 1)).collect();
            let set = WeightSet::new(variant, numbers.clone());
            let read: WeightSet = set.to_string().parse().expect("its own text");
            assert_eq!(read, set);
            for other in VariantId::all() {
                let expected = if other == variant { numbers.clone() } else { Weights::unfitted(other.info()).list() };
                assert_eq!(read.weights(other.info()).list(), expected, "{variant}, {other}");
            }
        }
    }
}
