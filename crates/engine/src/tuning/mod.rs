//! Fitting the evaluation to games that the engine plays against itself.
//!
//! [`play`] plays a game and tells its quiet positions with the result; [`tune`] finds the numbers that foretell the results
//! best. Source: <https://www.chessprogramming.org/Texel%27s_Tuning_Method>.

mod fit;
mod sample;
mod selfplay;

use crate::eval::WeightSet;
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Position, VariantId};

pub use fit::{Fit, Samples, fit};
pub use sample::{Sample, SampleError};
pub use selfplay::{Match, game};

/// Plays a game of the engine against itself and tells its quiet positions, a line each in the form of [`Sample`]. The same
/// match and number play the same game.
///
/// # Examples
/// ```
/// use warpchess_engine::tuning::{Match, play};
/// use warpchess_rules::VariantId;
/// let lines = play(VariantId::default(), &Match { nodes: 100, ..Match::default() }, 0);
/// assert!(lines.iter().all(|line| line.split('\t').count() == 3));
/// ```
pub fn play(variant: VariantId, terms: &Match, number: u64) -> Vec<String> {
    struct Play<'a>(&'a Match, u64);
    impl VariantVisitor for Play<'_> {
        type Output = Vec<String>;
        fn visit<P: Position>(self) -> Vec<String> {
            game::<P>(self.0, self.1).iter().map(ToString::to_string).collect()
        }
    }
    variant.visit(Play(terms, number))
}

/// Where lines of samples are at fault, or nothing can be learnt from them.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TuneError {
    /// A line.
    #[error("line {line}: {error}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong with it.
        error: SampleError,
    },
    /// Nothing but comments.
    #[error("no positions")]
    Empty,
}

/// Reads samples, a line each, and fits the numbers of a game to them, beginning with those of `start` or those built in.
/// Lines that are empty or begin with `#` say nothing. `report` is told the rounds done and the error after them, first with
/// no round.
///
/// # Errors
/// Names the line that is no sample of the game.
pub fn tune(
    variant: VariantId,
    text: &str,
    start: Option<&WeightSet>,
    rounds: usize,
    report: &mut dyn FnMut(usize, f64),
) -> Result<Fit, TuneError> {
    struct Tune<'a> {
        text: &'a str,
        start: &'a WeightSet,
        rounds: usize,
        report: &'a mut dyn FnMut(usize, f64),
    }
    impl VariantVisitor for Tune<'_> {
        type Output = Result<Fit, TuneError>;
        fn visit<P: Position>(self) -> Self::Output {
            let mut samples = Samples::<P>::default();
            for (i, line) in self.text.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
                let sample = Sample::read(line).map_err(|error| TuneError::Line { line: i + 1, error })?;
                samples.push(&sample);
            }
            if samples.is_empty() {
                return Err(TuneError::Empty);
            }
            Ok(fit(&samples, self.start, self.rounds, self.report))
        }
    }
    variant.visit(Tune { text, start: start.unwrap_or(WeightSet::built_in()), rounds, report })
}
