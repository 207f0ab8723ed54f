//! `warpchess match`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use warpchess_arena::stats::{Estimate, Model, Sprt, Verdict};
use warpchess_arena::{
    Adjudication, Contest, ContestError, Control, DrawRule, EngineSpec, Finished, Plan, Source, Standing, WinRule, run,
};
use warpchess_rules::VariantId;

use super::print;
use crate::failure::Failure;
use crate::files::Files;
use crate::numbers::between;

const ENGINES: &str = "\
An ENGINE is a list of KEY=VALUE, parted by blanks; values with blanks stand in quotes. Without cmd= it is the engine built in.
  name=NAME             what it is called in records
  cmd='FILE ARGS'       a program that speaks UCI, such as another build: cmd='./old/warpchess uci'
  option.NAME=VALUE     an option that the program is given; dir=DIR where it runs
  level=1..8            the engine built in, as strong as this level
  hash=MIB threads=N param.NAME=N  the engine built in: the size of its table, its threads, one of its tunable numbers
  weights=FILE          the engine built in, with numbers of the evaluation from a file that `warpchess tune` wrote
  tc= movetime= nodes= depth=  its own limit instead of the match's

A match with --state goes on where it was interrupted when it is called again. Results are told from the view of the first.

  warpchess match chess --first param.null_depth=4 --nodes 20000 --games 400
  warpchess match teleport --first \"cmd='./new uci'\" --second \"cmd='./old uci'\" --tc 5+0.05 --sprt 0:5 --concurrency 2";

/// Play two engines against each other and tell how strong they are
#[derive(Args)]
#[command(after_help = ENGINES)]
pub(crate) struct Match {
    /// The game
    variant: VariantId,
    /// The one whose results are told; without it the engine built in
    #[arg(long, value_name = "ENGINE", default_value = "")]
    first: EngineSpec,
    /// Its opponent; without it the engine built in
    #[arg(long, value_name = "ENGINE", default_value = "")]
    second: EngineSpec,
    /// How many games: each opening is played twice, with colors exchanged
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = between(2u64..=1_000_000))]
    games: u64,
    /// Time for a game: [MOVES/]SECONDS[+INCREMENT] [default: 10+0.1]
    #[arg(long, value_name = "TIME", group = "limit")]
    tc: Option<Control>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", group = "limit", value_parser = between(1u64..=86_400_000))]
    movetime: Option<u64>,
    /// Nodes a move
    #[arg(long, value_name = "N", group = "limit", value_parser = between(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, value_name = "N", group = "limit", value_parser = between(1..=u32::MAX))]
    depth: Option<u32>,
    /// Random plies of an opening; 0 for the game's usual start
    #[arg(long, value_name = "N", default_value_t = Plan::default().plies, value_parser = between(0u32..=100))]
    plies: u32,
    /// The most, in hundredths of a pawn, that either side may be better in an opening
    #[arg(long, value_name = "CP", default_value_t = Plan::default().balance, value_parser = between(0..=i32::MAX))]
    balance: i32,
    /// Makes the openings; the same seed makes the same
    #[arg(long, value_name = "N", default_value_t = Plan::default().seed, value_parser = between(0..=u64::MAX))]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = between(1u16..=512))]
    concurrency: u16,
    /// Stop as soon as it is clear whether the difference is rather ELO1 than ELO0 [default errors: 0.05:0.05]
    #[arg(long, value_name = "ELO0:ELO1[:ALPHA:BETA]", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// In which measure ELO0 and ELO1 are meant
    #[arg(long, value_enum, default_value_t = ModelArg::Logistic, requires = "sprt")]
    sprt_model: ModelArg,
    /// A draw, from full move FROM on, when both see no more than CP for MOVES moves each
    #[arg(long, value_name = "FROM:MOVES:CP")]
    draw: Option<DrawRule>,
    /// A win when both see at least CP for MOVES moves each
    #[arg(long, value_name = "MOVES:CP")]
    win: Option<WinRule>,
    /// A draw after so many plies
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = between(1..=u16::MAX))]
    max_plies: u16,
    /// Milliseconds that a move may take longer than its clock allows: a busy machine is nobody's fault
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = between(0u64..=86_400_000))]
    margin: u64,
    /// Seconds that a program without a clock may think; then it is told to stop, and has lost if 2 seconds later there is no move
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = between(1u64..=86_400))]
    patience: u64,
    /// Add the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Keep the state in this file, and go on from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Tell the standing after so many games
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = between(1..=u64::MAX))]
    every: u64,
    /// Print the result as JSON, and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum ModelArg {
    /// Elo
    Logistic,
    /// Elo in standard deviations
    Normalized,
}

/// By how much of its length an interval may be longer on one side and be told by half of that alone.
const EVEN: f64 = 0.1;

impl Match {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let every = self.every;
        let json = self.json;
        self.check_files()?;
        let contest = self.contest()?;
        let total = 2 * contest.pairs;
        let bar = bar(total);
        let mut told = None;
        let standing = run(&contest, &mut |finished, standing| {
            bar.set_position(standing.counts.games());
            bar.set_message(line(standing));
            if finished.fault.is_some() {
                bar.suspend(|| eprintln!("{}", fault(&contest, finished)));
            }
            if !json && standing.counts.games().is_multiple_of(every) {
                told = Some(standing.counts.games());
                // That nobody reads along is no reason to end the match.
                bar.suspend(|| drop(writeln!(std::io::stdout(), "{}", line(standing))));
            }
        })
        .map_err(|error| match error {
            ContestError::Thread(_) => Failure::failed(error),
            error => Failure::bad_input(error),
        })?;
        bar.finish_and_clear();
        print(|out| {
            if json {
                return writeln!(out, "{:#}", as_json(&contest, &standing));
            }
            if told != Some(standing.counts.games()) {
                writeln!(out, "{}", line(&standing))?;
            }
            summary(out, &contest, &standing)
        })
    }

    /// Neither is to be written over the other, nor over what an engine is made of.
    fn check_files(&self) -> Result<(), Failure> {
        let mut files = Files::default();
        for (argument, engine) in [("--first", &self.first), ("--second", &self.second)] {
            let file = match &engine.source {
                // A name without a folder is looked for by the system.
                Source::Program(program) => Some(&*program.file).filter(|file| file.components().count() > 1),
                Source::Own(_) => engine.weights().map(|weights| &*weights.file),
            };
            files = files.read(argument, file);
        }
        files.write("--pgn", self.pgn.as_deref()).write("--state", self.state.as_deref()).check()
    }

    fn contest(self) -> Result<Contest, Failure> {
        if self.games == 0 || !self.games.is_multiple_of(2) {
            return Err(Failure::bad_input(format_args!(
                "--games {}: an even number expected, since each opening is played with both colors",
                self.games
            )));
        }
        let control = match (self.movetime, self.nodes, self.depth) {
            (Some(ms), ..) => Control::MoveTime(Duration::from_millis(ms)),
            (_, Some(nodes), _) => Control::Nodes(nodes),
            (.., Some(depth)) => Control::Depth(depth),
            _ => match self.tc {
                Some(control) => control,
                None => "10+0.1".parse().map_err(Failure::bad_input)?,
            },
        };
        let model = match self.sprt_model {
            ModelArg::Logistic => Model::Logistic,
            ModelArg::Normalized => Model::Normalized,
        };
        let sprt = self.sprt.as_deref().map(|text| sprt(text, model)).transpose()?;
        // Two by one name could not be told apart in the records.
        let mut engines = [self.first, self.second];
        EngineSpec::tell_apart(&mut engines);
        Ok(Contest {
            openings: Plan { plies: self.plies, balance: self.balance, seed: self.seed },
            concurrency: usize::from(self.concurrency),
            adjudication: Adjudication { draw: self.draw, win: self.win },
            max_plies: usize::from(self.max_plies),
            sprt,
            patience: Duration::from_secs(self.patience),
            margin: Duration::from_millis(self.margin),
            pgn: self.pgn,
            state: self.state,
            ..Contest::new(self.variant, engines, control, self.games / 2)
        })
    }
}

fn sprt(text: &str, model: Model) -> Result<Sprt, Failure> {
    let bad =
        || Failure::bad_input(format_args!("--sprt '{text}': ELO0:ELO1 or ELO0:ELO1:ALPHA:BETA expected, such as 0:5"));
    let numbers: Vec<f64> = text.split(':').map(str::parse).collect::<Result<_, _>>().map_err(|_| bad())?;
    let (elo0, elo1, alpha, beta) = match numbers[..] {
        [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
        [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
        _ => return Err(bad()),
    };
    Sprt::new(elo0, elo1, alpha, beta, model)
        .map_err(|error| Failure::bad_input(format_args!("--sprt '{text}': {error}")))
}

/// Progress, on a terminal only.
fn bar(total: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template("{wide_msg}\n[{bar:40}] {pos}/{len} games, {eta} to go") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// The standing in one line.
fn line(standing: &Standing) -> String {
    let counts = standing.counts;
    let mut text = format!("{} games +{} ={} -{}", counts.games(), counts.wins, counts.draws, counts.losses);
    if let Some(estimate) = counts.estimate() {
        text += &format!(
            "  {:.1} %  Elo {}  LOS {:.1} %  pairs {:?}",
            100.0 * estimate.score,
            elo(&estimate),
            100.0 * estimate.superiority,
            counts.pairs
        );
    }
    if let Some(ratio) = standing.ratio {
        text += &format!("  LLR {ratio:.2}");
    }
    text
}

/// The difference with its error; where one side won everything, what is known of it.
fn elo(estimate: &Estimate) -> String {
    match estimate.error {
        Some(_) => within(estimate.elo, estimate.low, estimate.high),
        None if estimate.elo > 0.0 => format!("+∞ (at least {})", number(estimate.low)),
        None => format!("-∞ (at most {})", number(estimate.high)),
    }
}

/// A difference and its interval, which of few games is longer on the side of nought.
fn within(elo: f64, low: f64, high: f64) -> String {
    let half = (high - low) / 2.0;
    let even = ((high - elo) - (elo - low)).abs() < EVEN * (high - low);
    // The short form is not to say anything else about nought.
    if even && (low > 0.0) == (elo - half > 0.0) && (high < 0.0) == (elo + half < 0.0) {
        return format!("{} ± {half:.1}", number(elo));
    }
    format!("{} [{}, {}]", number(elo), number(low), number(high))
}

/// A difference. What rounds to nought has no sign.
fn number(elo: f64) -> String {
    format!("{:+.1}", (elo * 10.0).round() / 10.0 + 0.0)
}

fn fault(contest: &Contest, finished: &Finished) -> String {
    let name = |engine: usize| &contest.engines[engine].name;
    format!(
        "game {} ({} against {}): {}",
        finished.game + 1,
        name(finished.white),
        name(1 - finished.white),
        finished.ending
    )
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Undecided => "undecided",
        Verdict::H0 => "H0 accepted: no gain",
        Verdict::H1 => "H1 accepted: a gain",
    }
}

/// The limit, or both.
fn control(contest: &Contest) -> String {
    match contest.controls() {
        [first, second] if first == second => first.to_string(),
        [first, second] => format!("{first} against {second}"),
    }
}

/// The table at the end.
fn summary(out: &mut dyn Write, contest: &Contest, standing: &Standing) -> std::io::Result<()> {
    let counts = standing.counts;
    let [first, second] = &contest.engines;
    writeln!(out, "\n{} against {} in {}, {}", first.name, second.name, contest.variant, control(contest))?;
    writeln!(
        out,
        "  games     +{} ={} -{}, {:.1} %",
        counts.wins,
        counts.draws,
        counts.losses,
        100.0 * counts.score()
    )?;
    if let Some(estimate) = counts.estimate() {
        writeln!(out, "  pairs     {:?} with 0, ½, 1, 1½, 2 points", counts.pairs)?;
        writeln!(out, "  Elo       {} (95 %)", elo(&estimate))?;
        match estimate.normalized.zip(estimate.normalized_low.zip(estimate.normalized_high)) {
            Some((elo, (low, high))) => writeln!(out, "  normalized {} (95 %)", within(elo, low, high))?,
            None => writeln!(out, "  normalized unknown: all pairs came out alike")?,
        }
        writeln!(out, "  LOS       {:.1} %", 100.0 * estimate.superiority)?;
    }
    if let (Some(sprt), Some(ratio), Some(found)) = (contest.sprt, standing.ratio, standing.verdict) {
        let (low, high) = sprt.bounds();
        writeln!(out, "  SPRT      LLR {ratio:.2} between {low:.2} and {high:.2}: {}", verdict(found))?;
    }
    if counts.games() > 0 {
        writeln!(out, "  length    {:.1} plies", standing.plies as f64 / counts.games() as f64)?;
        let endings: Vec<String> = standing.endings.iter().map(|(word, count)| format!("{word} {count}")).collect();
        writeln!(out, "  endings   {}", endings.join(", "))?;
    }
    for (engine, faults) in contest.engines.iter().zip(standing.faults).filter(|(_, faults)| *faults > 0) {
        writeln!(out, "  faults    {faults} games lost by {}", engine.name)?;
    }
    Ok(())
}

fn as_json(contest: &Contest, standing: &Standing) -> serde_json::Value {
    let finite = |number: f64| number.is_finite().then_some(number);
    let estimate = standing.counts.estimate().map(|e| {
        json!({
            "score": e.score,
            "elo": finite(e.elo), "eloError": e.error, "eloLow": finite(e.low), "eloHigh": finite(e.high),
            "normalizedElo": e.normalized, "normalizedEloError": e.normalized_error,
            "normalizedEloLow": e.normalized_low, "normalizedEloHigh": e.normalized_high,
            "superiority": e.superiority,
        })
    });
    let sprt = contest.sprt.zip(standing.ratio).map(|(sprt, ratio)| {
        let (low, high) = sprt.bounds();
        json!({ "ratio": ratio, "low": low, "high": high, "verdict": standing.verdict })
    });
    json!({
        "variant": contest.variant.id(),
        "first": contest.engines[0].name,
        "second": contest.engines[1].name,
        "control": control(contest),
        "controls": contest.controls().map(|control| control.to_string()),
        "counts": standing.counts,
        "estimate": estimate,
        "sprt": sprt,
        "endings": standing.endings,
        "faults": standing.faults,
        "plies": standing.plies,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_arena::stats::Counts;

    #[test]
    fn differences_beyond_measure_are_said_to_be() {
        let of = |pairs| elo(&Counts { pairs, ..Counts::default() }.estimate().expect("pairs"));
        assert_eq!(of([34, 54, 63, 64, 75]), "+55.6 ± 27.7");
        assert_eq!(of([0, 0, 0, 0, 7]), "+∞ (at least +104.2)");
        assert_eq!(of([7, 0, 0, 0, 0]), "-∞ (at most -104.2)");
        assert_eq!(of([1, 1, 0, 0, 0]), "-338.0 ± 516.1");
        let few = Counts { pairs: [1, 1, 0, 0, 0], ..Counts::default() }.estimate().expect("pairs");
        let ends = few.normalized_low.zip(few.normalized_high).expect("pairs that differ");
        let told = few.normalized.map(|elo| within(elo, ends.0, ends.1));
        assert_eq!(told.as_deref(), Some("-278.6 [-1425.0, +131.5]"));
        // Half of the length alone would say that nought is possible.
        assert_eq!(within(95.0, 1.0, 195.0), "+95.0 [+1.0, +195.0]");
        assert!(of([0, 0, 9, 0, 0]).starts_with("+0.0 ± "), "{}", of([0, 0, 9, 0, 0]));
        assert_eq!((number(12.345), number(-0.04), number(-0.0)), ("+12.3".into(), "+0.0".into(), "+0.0".into()));
    }

    #[test]
    fn a_test_is_two_numbers_or_four() {
        assert!(sprt("0:5", Model::Logistic).is_ok() && sprt("-3:1:0.1:0.1", Model::Logistic).is_ok());
        for bad in ["", "5", "0:5:0.1", "a:b", "5:0"] {
            assert!(sprt(bad, Model::Logistic).is_err(), "{bad}");
        }
    }
}
