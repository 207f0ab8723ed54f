//! `warpchess pgn`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use warpchess_rules::notation::pgn::{Reader, Record, Score, write};
use warpchess_rules::notation::san;
use warpchess_rules::{Game, VariantId};

use super::print;
use crate::failure::{Failure, printable};

/// Files shorter than this are read before a progress bar would be seen.
const LONG: u64 = 4 << 20;

/// Check, convert or count games in PGN files
#[derive(Args)]
pub(crate) struct Pgn {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Report every game that cannot be read, with file, line, move number and reason
    Check(Files),
    /// Write the games again, cleanly; those that cannot be read are reported and left out
    Export {
        #[command(flatten)]
        files: Files,
        /// The form to write
        #[arg(long, value_enum, default_value_t = Format::Pgn)]
        format: Format,
    },
    /// Count games, results, lengths and endings
    Stats(Files),
}

#[derive(Args)]
struct Files {
    /// PGN files; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

#[derive(Copy, Clone, ValueEnum)]
enum Format {
    /// Portable Game Notation
    Pgn,
    /// One JSON object a line: variant, tags, fen, moves in UCI and in SAN
    Json,
    /// One line a game: `variant<TAB>fen<TAB>moves in UCI`
    Uci,
}

impl Pgn {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.task {
            Task::Check(files) => {
                let (good, bad) = files.each_that(contradiction, |_| Ok(()))?;
                print(|out| writeln!(out, "{} games, {good} good, {bad} bad", good + bad))?;
                verdict(bad)
            }
            Task::Export { files, format } => {
                let mut out = io::BufWriter::new(io::stdout().lock());
                let (_, bad) = files.each(|record| out.write_all(&format.write(&record)))?;
                match out.flush() {
                    Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(write_failed(error)),
                    _ => verdict(bad),
                }
            }
            Task::Stats(files) => {
                let mut stats = BTreeMap::new();
                let (_, bad) = files.each(|record| {
                    stats.entry(record.variant).or_insert_with(Stats::default).add(&record);
                    Ok(())
                })?;
                print(|out| stats.iter().try_for_each(|(variant, stats)| stats.print(*variant, out)))?;
                verdict(bad)
            }
        }
    }
}

fn verdict(bad: u64) -> Result<(), Failure> {
    match bad {
        0 => Ok(()),
        1 => Err(Failure::failed("1 game could not be read")),
        _ => Err(Failure::failed(format_args!("{bad} games could not be read"))),
    }
}

/// What is wrong with the result that a game claims: another in its tag than after its moves, or not the one on the board.
fn contradiction(record: &Record) -> Option<String> {
    let claimed = record.score.as_str();
    if let Some(tag) = record.tags.get("Result")
        && Score::from_text(tag.trim()).is_some_and(|told| told != record.score)
    {
        return Some(format!("the tag Result says {tag}, the end of the moves {claimed}"));
    }
    // Draws by counting may have gone unnoticed.
    let outcome = Game::from_record(record).ok()?.position().outcome()?;
    let reached = outcome.score();
    (record.score != Score::Unknown && reached != claimed)
        .then(|| format!("the result is given as {claimed}, but the game ends {reached} ({})", outcome.reason.name()))
}

fn write_failed(error: io::Error) -> Failure {
    Failure::bad_input(format_args!("cannot write to standard output: {error}"))
}

impl Files {
    /// Hands every game that can be read to `take` and reports the others; tells how many there were of each.
    fn each(&self, take: impl FnMut(Record) -> io::Result<()>) -> Result<(u64, u64), Failure> {
        self.each_that(|_| None, take)
    }

    /// The same, and games that `objection` has something to say about count as bad too.
    fn each_that(
        &self,
        objection: impl Fn(&Record) -> Option<String>,
        mut take: impl FnMut(Record) -> io::Result<()>,
    ) -> Result<(u64, u64), Failure> {
        let (mut good, mut bad) = (0, 0);
        for path in &self.files {
            let (text, bar) = open(path)?;
            for game in Reader::new(text).named(path.display().to_string()) {
                match game {
                    Ok(record) => {
                        if let Some(said) = objection(&record) {
                            bad += 1;
                            let said = format!("{}:{}: {said}", path.display(), record.file_line);
                            bar.suspend(|| eprintln!("{}", printable(&said)));
                            continue;
                        }
                        good += 1;
                        match take(record) {
                            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok((good, bad)),
                            result => result.map_err(write_failed)?,
                        }
                    }
                    Err(error) => {
                        bad += 1;
                        bar.suspend(|| eprintln!("{}", printable(&error.to_string())));
                    }
                }
            }
            bar.finish_and_clear();
        }
        Ok((good, bad))
    }
}

/// A file to read, and a bar that follows the reading if the file is long and somebody is watching.
fn open(path: &Path) -> Result<(Box<dyn BufRead>, ProgressBar), Failure> {
    let bar = ProgressBar::hidden();
    if path.as_os_str() == "-" {
        return Ok((Box::new(BufReader::new(io::stdin())), bar));
    }
    let refuse = |error: io::Error| Failure::bad_input(format_args!("cannot read {}: {error}", path.display()));
    let file = File::open(path).map_err(refuse)?;
    let metadata = file.metadata().map_err(refuse)?;
    if metadata.is_dir() {
        return Err(Failure::bad_input(format_args!(
            "cannot read {}: it is a directory, a PGN file expected",
            path.display()
        )));
    }
    if metadata.len() >= LONG && io::stderr().is_terminal() {
        bar.set_length(metadata.len());
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.set_message(path.display().to_string());
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {eta}") {
            bar.set_style(style);
        }
    }
    let read: Box<dyn Read> = Box::new(bar.wrap_read(file));
    Ok((Box::new(BufReader::with_capacity(1 << 16, read)), bar))
}

impl Format {
    fn write(self, record: &Record) -> Vec<u8> {
        let uci: Vec<String> = record.moves().map(|m| m.to_string()).collect();
        let fen = record.start.fen();
        match self {
            // A record that was read has legal moves only.
            Self::Pgn => write(record).map_or_else(|error| format!("% {error}\n\n"), |text| text + "\n").into_bytes(),
            Self::Uci => format!("{}\t{fen}\t{}\n", record.variant, uci.join(" ")).into_bytes(),
            Self::Json => {
                let mut position = record.start.clone();
                let sans: Vec<String> = record
                    .moves()
                    .map(|m| {
                        let text = san::write(&*position, m);
                        position.play(m);
                        text
                    })
                    .collect();
                let tags: serde_json::Map<_, _> =
                    record.tags.iter().map(|(name, value)| (name.into(), value.into())).collect();
                let line = json!({
                    "variant": record.variant.id(), "tags": tags, "fen": fen, "moves": uci, "san": sans,
                    "result": record.score.as_str(),
                });
                format!("{line}\n").into_bytes()
            }
        }
    }
}

/// What is counted of one game's records.
#[derive(Default)]
struct Stats {
    games: u64,
    white: u64,
    black: u64,
    draws: u64,
    plies: Vec<usize>,
    endings: BTreeMap<&'static str, u64>,
}

impl Stats {
    fn add(&mut self, record: &Record) {
        self.games += 1;
        match record.score {
            Score::WhiteWins => self.white += 1,
            Score::BlackWins => self.black += 1,
            Score::Draw => self.draws += 1,
            Score::Unknown => {}
        }
        self.plies.push(record.line.moves.len());
        let ending = Game::from_record(record).ok().and_then(|game| game.outcome());
        *self.endings.entry(ending.map_or("open", |outcome| outcome.reason.name())).or_default() += 1;
    }

    fn print(&self, variant: VariantId, out: &mut dyn Write) -> io::Result<()> {
        let mut plies = self.plies.clone();
        plies.sort_unstable();
        let unknown = self.games - self.white - self.black - self.draws;
        writeln!(out, "{variant}: {} games", self.games)?;
        writeln!(out, "  White won {}, Black won {}, drawn {}, unknown {unknown}", self.white, self.black, self.draws)?;
        if let (Some(least), Some(most)) = (plies.first(), plies.last()) {
            let mean = plies.iter().sum::<usize>() as f64 / plies.len() as f64;
            writeln!(out, "  plies: {least} to {most}, mean {mean:.1}, median {}", plies[plies.len() / 2])?;
        }
        let endings: Vec<String> = self.endings.iter().map(|(name, n)| format!("{name} {n}")).collect();
        writeln!(out, "  last positions: {}", endings.join(", "))
    }
}
