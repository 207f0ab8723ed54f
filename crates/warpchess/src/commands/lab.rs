//! `warpchess lab`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use warpchess_arena::{Control, Plan};
use warpchess_engine::Level;
use warpchess_lab::{Beginning, Effort, Facts, Report, Share, Study, StudyError, Use, Variety, chart, run};
use warpchess_rules::{Color, Game, Outcome, VariantId};

use super::print;
use crate::failure::Failure;
use crate::files::{Files, STANDARD, replace};
use crate::numbers::between;

/// Nodes a move without another limit.
const NODES: u64 = 5000;

const HELP: &str = "\
From the start, each game is another since in the first plies the mover takes any of the moves that look nearly best:
both sides give away as much, so that White's edge shows. With --openings random games begin after random moves
that look level, which takes the edge away.

A measurement with --state goes on where it was interrupted when it is called again, also with more --games.
Limited by nodes or depth, the same seed gives the same games. What the numbers mean: docs/lab.md

  warpchess lab teleport --games 400 --svg teleport.svg
  warpchess lab chess --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1' (a knight at odds)
  warpchess lab chess --nodes 20000 --state chess.state --json chess.json --concurrency 2";

/// Measure a game by self-play: balance, draws, length, and what is special about it
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Lab {
    /// The game
    variant: VariantId,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = between(1u64..=1_000_000))]
    games: u64,
    /// Nodes a move [default: 5000]
    #[arg(long, value_name = "N", group = "limit", value_parser = between(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, value_name = "N", group = "limit", value_parser = between(1..=u32::MAX))]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", group = "limit", value_parser = between(1u64..=86_400_000))]
    movetime: Option<u64>,
    /// As a level of the engine plays, 1 to 8
    #[arg(long, value_name = "N", group = "limit", value_parser = between(1u8..=8))]
    level: Option<u8>,
    /// Where games begin
    #[arg(long, value_enum, default_value_t = OpeningsArg::Start)]
    openings: OpeningsArg,
    /// Take this position for the game's start
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// From the start: plies in which the mover takes any nearly best move; random: random plies
    #[arg(long, value_name = "N", default_value_t = Variety::default().plies, value_parser = between(0u32..=100))]
    plies: u32,
    /// How much worse than the best, in hundredths of a pawn, a nearly best move may look
    #[arg(long, value_name = "CP", default_value_t = Variety::default().within, value_parser = between(0i32..=1000))]
    within: i32,
    /// Of random openings: the most, in hundredths of a pawn, that either side may be better
    #[arg(long, value_name = "CP", default_value_t = Plan::default().balance, value_parser = between(0..=i32::MAX))]
    balance: i32,
    /// Makes the choices; the same seed makes the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = between(0..=u64::MAX))]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = between(1u16..=512))]
    concurrency: u16,
    /// A draw after so many plies
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = between(1..=u16::MAX))]
    max_plies: u16,
    /// Write the numbers as JSON to this file; - for standard output, without the table
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw them into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Add the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Keep the games in this file, and go on from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum OpeningsArg {
    /// At the game's start
    Start,
    /// After random moves
    Random,
}

impl Lab {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let json = self.json.clone();
        let svg = self.svg.clone();
        let files = Files::default().write("--json", self.json.as_deref()).write("--svg", self.svg.as_deref());
        files.write("--pgn", self.pgn.as_deref()).write("--state", self.state.as_deref()).check()?;
        let study = self.study()?;
        let bar = bar(study.games);
        let mut counts = [0u64; 3];
        let facts = run(&study, &mut |game| {
            counts[result(game)] += 1;
            bar.set_position(counts.iter().sum());
            bar.set_message(standing(counts));
        })
        .map_err(|error| match error {
            StudyError::Journal(_) | StudyError::Pgn(_) | StudyError::Replay { .. } => Failure::bad_input(error),
            error => Failure::failed(error),
        })?;
        bar.finish_and_clear();
        let report = Report::new(&study, &facts);
        if let Some(path) = &svg {
            replace("--svg", path, &chart(&report))?;
        }
        let text = serde_json::to_string_pretty(&report).map_err(Failure::failed)? + "\n";
        match json {
            Some(path) if path.as_os_str() == STANDARD => return print(|out| out.write_all(text.as_bytes())),
            Some(path) => replace("--json", &path, &text)?,
            None => {}
        }
        print(|out| table(out, &report))
    }

    fn study(self) -> Result<Study, Failure> {
        let effort = match (self.nodes, self.depth, self.movetime, self.level) {
            (_, Some(depth), ..) => Effort::Limit(Control::Depth(depth)),
            (_, _, Some(ms), _) => Effort::Limit(Control::MoveTime(Duration::from_millis(ms))),
            (.., Some(level)) => Effort::Level(Level::new(level).map_err(Failure::bad_input)?),
            (nodes, ..) => Effort::Limit(Control::Nodes(nodes.unwrap_or(NODES))),
        };
        let beginning = match self.openings {
            OpeningsArg::Start => Beginning::Start(Variety { plies: self.plies, within: self.within }),
            OpeningsArg::Random => {
                Beginning::Random(Plan { plies: self.plies, balance: self.balance, seed: self.seed })
            }
        };
        if let Some(fen) = &self.fen {
            if self.openings == OpeningsArg::Random {
                return Err(Failure::bad_input(
                    "--fen: random openings begin at the game's own start; leave out --openings random",
                ));
            }
            let game = Game::from_fen(self.variant, fen);
            let game = game.map_err(|error| Failure::bad_input(format_args!("--fen: {error}")))?;
            // What may be claimed is claimed, so that no move would be played.
            let over = game
                .outcome()
                .map(|outcome| outcome.status())
                .or_else(|| game.claimable().map(|reason| Outcome::draw(reason).status()));
            if let Some(over) = over {
                return Err(Failure::bad_input(format_args!(
                    "--fen: the game is over ({over}): nothing can be played"
                )));
            }
        }
        Ok(Study {
            beginning,
            fen: self.fen,
            seed: self.seed,
            concurrency: usize::from(self.concurrency),
            max_plies: usize::from(self.max_plies),
            pgn: self.pgn,
            state: self.state,
            ..Study::new(self.variant, self.games, effort)
        })
    }
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

fn result(game: &Facts) -> usize {
    match game.winner {
        Some(Color::White) => 0,
        None => 1,
        Some(Color::Black) => 2,
    }
}

fn standing([wins, draws, losses]: [u64; 3]) -> String {
    let score = Share::of_points(wins, draws, losses)
        .map_or_else(String::new, |share| format!("  White {}", with_error(share)));
    format!("White +{wins} ={draws} -{losses}{score}")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn with_error(share: Share) -> String {
    format!("{:.1} ± {:.1} %", 100.0 * share.value, 100.0 * share.error)
}

fn maybe(share: Option<Share>) -> String {
    share.map_or_else(|| "no games".into(), with_error)
}

/// Everything, for people.
fn table(out: &mut dyn Write, report: &Report) -> std::io::Result<()> {
    writeln!(out, "{}: {} games, {}, seed {}", report.name, report.games, report.effort, report.seed)?;
    let Some(white) = &report.white else { return Ok(()) };
    match report.beginning {
        Beginning::Start(variety) => writeln!(
            out,
            "  from the start, {} plies of moves no more than {} hundredths worse than the best",
            variety.plies, variety.within
        )?,
        Beginning::Random(plan) => writeln!(out, "  after {} random plies that look level", plan.plies)?,
    }
    if report.distinct < report.games {
        writeln!(out, "  only {} of the games differ: more --plies or a larger --within make more", report.distinct)?;
    }
    writeln!(out, "\nBalance (errors are 95 %)")?;
    let elo = white.elo.map_or_else(String::new, |elo| format!(", {:+.0} Elo", elo + 0.0));
    writeln!(out, "  White scores      {}{elo}", with_error(white.score))?;
    writeln!(out, "  wins draws losses {} {} {}", white.wins, white.draws, white.losses)?;
    writeln!(out, "  won by somebody   {}", maybe(report.decisive))?;
    writeln!(out, "\nEndings                    White   drawn   Black")?;
    for ending in &report.endings {
        writeln!(out, "  {:22} {:7} {:7} {:7}", ending.reason, ending.white, ending.drawn, ending.black)?;
    }
    let plies = &report.plies;
    writeln!(out, "\nLength in plies")?;
    writeln!(
        out,
        "  mean {:.1}, median {:.0}, quartiles {:.0} and {:.0}, from {:.0} to {:.0}",
        plies.mean, plies.median, plies.lower_quartile, plies.upper_quartile, plies.least, plies.most
    )?;
    let most = report.lengths.iter().map(|l| l.white + l.drawn + l.black).max().unwrap_or(0).max(1);
    for length in &report.lengths {
        let total = length.white + length.drawn + length.black;
        let bar = "#".repeat((total * 40).div_ceil(most) as usize);
        writeln!(out, "  {:>9} {total:6} {bar}", moves(length.from, length.to))?;
    }
    let choices = &report.choices;
    writeln!(out, "\nLegal moves")?;
    writeln!(
        out,
        "  mean {:.1}, median {:.0}, most {:.0}; only one in {} of the turns",
        choices.turns.mean,
        choices.turns.median,
        choices.turns.most,
        choices.forced.map_or_else(|| percent(0.0), |share| percent(share.value))
    )?;
    for bin in choices.by_move.iter().filter(|bin| bin.turns > 0) {
        writeln!(out, "  {:>9} {:6.1}", moves(bin.from, bin.to), bin.mean)?;
    }
    uses(out, &report.uses)?;
    decides(out, report)?;
    let material = &report.material;
    writeln!(
        out,
        "\nMaterial of both sides: {:.1} pawns at the start, {:.1} at the end",
        material.start / 100.0,
        material.end / 100.0
    )?;
    if !report.becomes.is_empty() {
        let becomes: Vec<String> = report.becomes.iter().map(|(letter, count)| format!("{letter} {count}")).collect();
        writeln!(out, "Pieces became {}", becomes.join(", "))?;
    }
    if !report.first_moves.is_empty() {
        writeln!(out, "\nFirst move      games   White scores")?;
        for first in &report.first_moves {
            writeln!(out, "  {:12} {:6}   {}", first.san, first.score.of, with_error(first.score))?;
        }
    }
    if !report.shortest.is_empty() {
        writeln!(out, "\nShortest wins")?;
    }
    for win in &report.shortest {
        let decided = win.decided.map_or_else(String::new, |ply| format!(", decided at ply {ply}"));
        writeln!(out, "  game {}: {} wins in {} plies ({}{decided})", win.game, win.winner, win.plies, win.ending)?;
        if let Some(fen) = &win.fen {
            writeln!(out, "    from {fen}")?;
        }
        writeln!(out, "    {}", win.text)?;
    }
    Ok(())
}

fn uses(out: &mut dyn Write, uses: &[Use]) -> std::io::Result<()> {
    if uses.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nMoves that are not ordinary    of turns  a game  in games  first at  captures  checks")?;
    for one in uses {
        let first = one.first.map_or_else(|| "-".into(), |first| format!("{first:.0}"));
        let label = if one.part { format!("  {}", one.label) } else { one.label.to_owned() };
        writeln!(
            out,
            "  {label:28} {:>8} {:7.2} {:>9} {first:>9} {:9} {:7}",
            percent(one.share),
            one.per_game,
            one.games.map_or_else(String::new, |share| percent(share.value)),
            one.captures,
            one.checks
        )?;
    }
    Ok(())
}

fn decides(out: &mut dyn Write, report: &Report) -> std::io::Result<()> {
    let decides = &report.decides;
    if report.uses.iter().any(|one| one.special) {
        writeln!(out, "\nWhat is special decides")?;
        writeln!(out, "  of all turns      {}", maybe(decides.turns))?;
        let chance = |share: f64| format!("(by chance {})", percent(share));
        writeln!(out, "  in the last three {} {}", maybe(decides.finish), chance(decides.finish_chance))?;
        writeln!(out, "  the turn that won {} {}", maybe(decides.blow), chance(decides.blow_chance))?;
    }
    writeln!(out, "\nLead changes")?;
    writeln!(out, "  {:.2} a game, some in {}", report.leads.changes, maybe(report.leads.games))?;
    writeln!(out, "  won after having been behind: {}", maybe(report.leads.comebacks))
}

fn moves(from: u16, to: Option<u16>) -> String {
    to.map_or_else(|| format!("{from}+"), |to| format!("{from}-{to}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standing_tells_whites_score() {
        assert_eq!(standing([0, 0, 0]), "White +0 =0 -0");
        assert_eq!(standing([40, 40, 20]), "White +40 =40 -20  White 60.0 ± 7.3 %");
    }

    #[test]
    fn bins_are_told_as_moves() {
        assert_eq!((moves(11, Some(20)), moves(141, None)), ("11-20".into(), "141+".into()));
    }
}
