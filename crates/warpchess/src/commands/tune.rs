//! `warpchess tune`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use warpchess_engine::WeightSet;
use warpchess_engine::tuning::tune;
use warpchess_rules::VariantId;

use super::print;
use crate::failure::Failure;
use crate::files::{Files, read_text, replace};
use crate::numbers::between;

/// The largest file that is read.
const MOST: u64 = 4 << 30;
/// The same of files of numbers, which have some hundred lines a game.
const MOST_WEIGHTS: u64 = 16 << 20;

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
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = between(1u16..=1000))]
    rounds: u16,
}

impl Tune {
    pub(crate) fn run(self) -> Result<(), Failure> {
        // Before the work, so that it is not done in vain.
        let files = Files::default().read("--weights", self.weights.as_deref());
        let files = self.input.iter().fold(files, |files, path| files.read("--in", Some(path)));
        files.write("--out", Some(&self.out)).check()?;
        let start = self.weights.as_deref().map(|path| read_weights(path, self.variant)).transpose()?;
        let found = self.fit(start.as_ref())?;
        let mut text = format!(
            "# tune {} --rounds {}: {} positions, error {:.6} before and {:.6} after, scale {:.0}, edge {:.0}\n",
            self.variant, self.rounds, found.positions, found.error.0, found.error.1, found.scale, found.edge
        );
        text += &found.set.to_string();
        replace("--out", &self.out, &text)?;
        print(|out| {
            writeln!(out, "positions {}", found.positions)?;
            writeln!(out, "error before {:.6}", found.error.0)?;
            writeln!(out, "error after  {:.6}", found.error.1)?;
            writeln!(out, "numbers changed {}", found.set.len())
        })
    }

    /// Files that tell of what game they are must be of this one. Others are taken by what stands in them.
    fn check_terms(&self, path: &Path, content: &str) -> Result<(), Failure> {
        for (i, line) in content.lines().enumerate() {
            let Some(terms) = line.strip_prefix("# selfplay ") else { continue };
            let game = terms.split_whitespace().next().unwrap_or_default();
            if game != self.variant.id() {
                let game: String = game.chars().take(40).collect();
                return Err(Failure::bad_input(format_args!(
                    "'{}', line {}: positions of '{game}', of '{}' expected",
                    path.display(),
                    i + 1,
                    self.variant
                )));
            }
        }
        Ok(())
    }

    fn fit(&self, start: Option<&WeightSet>) -> Result<warpchess_engine::tuning::Fit, Failure> {
        let mut text = String::new();
        let mut ends = Vec::new();
        for path in &self.input {
            let content = read_text(path, MOST)?;
            self.check_terms(path, &content)?;
            text += &content;
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

/// A file of numbers of the evaluation that has some for a game.
pub(super) fn read_weights(path: &Path, variant: VariantId) -> Result<WeightSet, Failure> {
    let set: WeightSet = read_text(path, MOST_WEIGHTS)?
        .parse()
        .map_err(|error| Failure::bad_input(format_args!("'{}', {error}", path.display())))?;
    if !set.knows(variant) {
        return Err(Failure::bad_input(format_args!("'{}' has no number for {variant}", path.display())));
    }
    Ok(set)
}
