//! `warpchess solve`.

mod batch;
mod json;
mod text;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use warpchess_engine::{Signals, SystemClock};
use warpchess_rules::notation::pgn;
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{AnyPosition, Position, VariantId};
use warpchess_solver::{Keys, Limits, MAX_MOVES, Options, Solution, Verdict, record, solve};

use super::{START, print};
use crate::failure::Failure;
use crate::files::{Files, replace};
use crate::numbers::between;

const NOTES: &str = "\
Standard output begins with the keys, a line each, in UCI and as people write them; then comes the verdict in words.
Exit codes: 0 there is a mate, 1 it is proved that there is none, 3 not decided within the limits, 2 bad input, or a file
that cannot be read or written.

  warpchess solve chess '8/8/8/8/8/5k1K/8/q7 b - - 0 1' --mate 2 --tree
  warpchess solve chess --file problems.epd --time 60

A line of FILE is a FEN (the clocks may be left out), then operations: `FEN dm 3; id \"Loyd\";` or `FEN; mate 3`. `#` begins a comment.";

/// Prove a mate in N moves against every defence, or that there is none
#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Solve {
    /// The game
    variant: VariantId,
    /// The position; `-` for the game's start
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    fen: Option<String>,
    /// In how many moves of the side to move, at most; with --file for lines that do not tell
    #[arg(long, value_name = "N", required_unless_present = "file", value_parser = between(1..=MAX_MOVES))]
    mate: Option<u32>,
    /// Solve every line of this file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Stop at the first key, without asking whether there is a shorter mate or another key
    #[arg(long, conflicts_with = "all_keys")]
    first_key: bool,
    /// Find all first moves that mate within N, not only those of the shortest mate
    #[arg(long)]
    all_keys: bool,
    /// Print the whole solution: every defence and what it is answered with
    #[arg(long)]
    tree: bool,
    /// Print first moves that fail to no more than MAX defences, with these
    #[arg(long, value_name = "MAX", num_args = 0..=1, default_missing_value = "1", value_parser = between(1..=u16::MAX))]
    tries: Option<u16>,
    /// Write keys, tries and trees to this file as a game with variations; of --file a game as soon as it is solved
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Print JSON and nothing else
    #[arg(long)]
    json: bool,
    /// Visit no more nodes than this for a problem
    #[arg(long, value_name = "N", value_parser = between(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Take no more time than this for a problem
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Size of the table of positions
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = between(1u32..=1 << 16))]
    hash: u32,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "a number of seconds above 0 expected".to_owned())
}

/// A problem and its solution.
struct Solved {
    variant: VariantId,
    start: Box<dyn AnyPosition>,
    /// In how many moves the mate was to be.
    asked: u32,
    /// Whether other keys were not asked for.
    first_key: bool,
    solution: Solution,
}

/// How a problem ends, from good to bad: the exit code of a file is that of its worst line.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    Mate,
    NoMate,
    Undecided,
    BadInput,
}

impl Ending {
    fn of(solution: &Solution) -> Self {
        match solution.verdict {
            Verdict::Mate { .. } => Self::Mate,
            Verdict::NoMate => Self::NoMate,
            Verdict::Undecided => Self::Undecided,
        }
    }
    /// What standard output has told already is not told again.
    fn exit(self) -> Result<(), Failure> {
        match self {
            Self::Mate => Ok(()),
            Self::NoMate => Err(Failure::silent(1)),
            Self::Undecided => Err(Failure::silent(3)),
            Self::BadInput => Err(Failure::silent(2)),
        }
    }
}

impl Solve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        // Before the work, so that it is not done in vain.
        Files::default().read("--file", self.file.as_deref()).write("--pgn", self.pgn.as_deref()).check()?;
        if let Some(file) = &self.file {
            return batch::run(&self, file);
        }
        let (Some(fen), Some(mate)) = (&self.fen, self.mate) else {
            return Err(Failure::bad_input("a FEN and --mate N expected"));
        };
        let solved = self.solve(fen, mate)?;
        if self.json {
            print(|out| writeln!(out, "{:#}", json::solved(&solved)))?;
        } else {
            print(|out| text::solved(out, &solved, self.tree))?;
            eprintln!("{}", text::effort(&solved.solution));
        }
        if let Some(file) = &self.pgn {
            replace("--pgn", file, &solved.pgn()?)?;
        }
        Ending::of(&solved.solution).exit()
    }

    fn solve(&self, fen: &str, asked: u32) -> Result<Solved, Failure> {
        if !(1..=MAX_MOVES).contains(&asked) {
            return Err(Failure::bad_input(format_args!("--mate {asked}: a number from 1 to {MAX_MOVES} expected")));
        }
        let keys = match (self.first_key, self.all_keys) {
            (true, _) => Keys::First,
            (_, true) => Keys::All,
            _ => Keys::Shortest,
        };
        let options = Options {
            keys,
            tree: self.tree || self.pgn.is_some(),
            tries: self.tries.map_or(0, usize::from),
            hash: self.hash as usize,
            limits: Limits { nodes: self.nodes, time: self.time },
            ..Options::default()
        };
        self.variant.visit(Ask { variant: self.variant, fen, asked, options: &options })
    }
}

impl Solved {
    /// The solution as a game with variations.
    fn pgn(&self) -> Result<String, Failure> {
        let mut record = record(self.variant, &*self.start, &self.solution);
        // The name of a tag that is a constant can be written.
        let _ = record.tags.set("Event", format!("Mate in {}", self.asked));
        pgn::write(&record).map_err(Failure::failed)
    }
}

struct Ask<'a> {
    variant: VariantId,
    fen: &'a str,
    asked: u32,
    options: &'a Options,
}

impl VariantVisitor for Ask<'_> {
    type Output = Result<Solved, Failure>;
    fn visit<P: Position>(self) -> Self::Output {
        let position = match self.fen {
            fen if START.contains(&fen) => P::start(),
            fen => P::from_fen(fen).map_err(|error| Failure::bad_input(format_args!("{}: {error}", P::INFO.id)))?,
        };
        let solution = solve(&position, self.asked, self.options, &SystemClock::start(), &Signals::new())
            .map_err(|error| Failure::bad_input(format_args!("{}: {error}", P::INFO.id)))?;
        let first_key = self.options.keys == Keys::First;
        Ok(Solved { variant: self.variant, start: Box::new(position), asked: self.asked, first_key, solution })
    }
}
