//! `warpchess tune`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use warpchess_engine::WeightSet;
use warpchess_engine::tuning::tune;
use warpchess_rules::VariantId;

use super::print;
use crate::failure::Failure;

/// The largest file that is read.
const MOST: u64 = 4 << 30;

const RECIPE: &str = "\
Fitted numbers are worth keeping if they win a match against those before:

  warpchess selfplay chess --games 2000 --nodes 4000 --out chess.tsv
  warpchess tune chess --in chess.tsv --out weights.tsv
  warpchess match chess --first weights=weights.tsv --nodes 4000 --games 400";

/// Fit the evaluation to the results of games
#[derive(Args)]
#[command(after_help = RECIPE)]
pub(crate) struct Tune {
    /// The game
    variant: VariantId,
    /// Positions with results, as `warpchess selfplay` writes them; several files are read as one
    #[arg(long = "in", value_name = "FILE", required = true)]
    input: Vec<PathBuf>,
    /// The file to write the numbers to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Numbers to begin with instead of those built in
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Rounds of measuring what each number does and descending; it ends before when a round brings nothing
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: u16,
}

impl Tune {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let start = self.weights.as_deref().map(read_weights).transpose()?;
        // Before the work, so that it is not done in vain.
        let existed = self.out.exists();
        let trouble = |error| Failure::failed(format_args!("cannot write '{}': {error}", self.out.display()));
        drop(std::fs::OpenOptions::new().append(true).create(true).open(&self.out).map_err(trouble)?);
        let fitted = self.fit(start.as_ref());
        if fitted.is_err() && !existed {
            // An empty file would only mislead.
            let _ = std::fs::remove_file(&self.out);
        }
        let found = fitted?;
        let mut text = format!(
            "# tune {} --rounds {}: {} positions, error {:.6} before and {:.6} after, scale {:.0}, edge {:.0}\n",
            self.variant, self.rounds, found.positions, found.error.0, found.error.1, found.scale, found.edge
        );
        text += &found.set.to_string();
        std::fs::write(&self.out, text).map_err(trouble)?;
        print(|out| {
            writeln!(out, "positions {}", found.positions)?;
            writeln!(out, "error before {:.6}", found.error.0)?;
            writeln!(out, "error after  {:.6}", found.error.1)?;
            writeln!(out, "numbers changed {}", found.set.len())
        })
    }

    fn fit(&self, start: Option<&WeightSet>) -> Result<warpchess_engine::tuning::Fit, Failure> {
        let mut text = String::new();
        let mut ends = Vec::new();
        for path in &self.input {
            text += &read_text(path)?;
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            ends.push(text.lines().count());
        }
        let told = std::io::stderr().is_terminal();
        let mut report = |round: usize, error: f64| {
            if told {
                eprintln!("round {round}: error {error:.6}");
            }
        };
        tune(self.variant, &text, start, usize::from(self.rounds), &mut report).map_err(|error| {
            use warpchess_engine::tuning::TuneError;
            match error {
                TuneError::Line { line, error } => {
                    // The line of the file it is in.
                    let file = ends.iter().position(|end| line <= *end).unwrap_or(0);
                    let before = if file == 0 { 0 } else { ends[file - 1] };
                    Failure::bad_input(format_args!(
                        "'{}', line {}: {}: {error}",
                        self.input[file].display(),
                        line - before,
                        self.variant
                    ))
                }
                TuneError::Empty => Failure::bad_input(format_args!(
                    "'{}': {error}, lines of a FEN, a result and a score expected",
                    self.input[0].display()
                )),
            }
        })
    }
}

/// The text of a file that is input.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    let bad = |error: std::io::Error| Failure::bad_input(format_args!("cannot read '{}': {error}", path.display()));
    let size = std::fs::metadata(path).map_err(bad)?.len();
    if size > MOST {
        return Err(Failure::bad_input(format_args!("'{}' has {size} bytes, at most {MOST} expected", path.display())));
    }
    std::fs::read_to_string(path).map_err(bad)
}

/// A file of numbers of the evaluation.
pub(super) fn read_weights(path: &Path) -> Result<WeightSet, Failure> {
    read_text(path)?.parse().map_err(|error| Failure::bad_input(format_args!("'{}', {error}", path.display())))
}
