//! What can be asked for.

use clap::error::ErrorKind;
use clap::{Command as Described, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::{
    admin, apply, batch, bench, lab, loadtest, matches, moves, perft, pgn, play, selfplay, serve, show, solve, tune,
    uci, variants, worker,
};
use crate::failure::Failure;

/// Chess whose pieces leave their squares in other ways: portals, a pocket, changing places, two boards.
#[derive(Parser)]
#[command(name = "warpchess", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Variants(variants::Variants),
    Moves(moves::Moves),
    Apply(apply::Apply),
    Show(show::Show),
    Play(play::Play),
    Pgn(pgn::Pgn),
    Solve(Box<solve::Solve>),
    Perft(perft::Perft),
    Batch(batch::Batch),
    Serve(serve::Serve),
    Admin(admin::Admin),
    Loadtest(loadtest::Loadtest),
    Worker(worker::Worker),
    Uci(uci::Uci),
    Match(Box<matches::Match>),
    Selfplay(selfplay::SelfPlay),
    Tune(tune::Tune),
    Bench(bench::Bench),
    Lab(Box<lab::Lab>),
}

impl Cli {
    /// Reads the command line. Help and version are printed and end the program; what is wrong with the input is told
    /// in one line, where clap has several.
    pub(crate) fn read() -> Result<Self, Failure> {
        let described = negatives(Cli::command());
        let read = described.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
        read.map_err(|error| match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
            _ => Failure::bad_input(one_line(&error.render().to_string()) + " (see --help)"),
        })
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Variants(c) => c.run(),
            Command::Moves(c) => c.run(),
            Command::Apply(c) => c.run(),
            Command::Show(c) => c.run(),
            Command::Play(c) => c.run(),
            Command::Pgn(c) => c.run(),
            Command::Solve(c) => c.run(),
            Command::Perft(c) => c.run(),
            Command::Batch(c) => c.run(),
            Command::Serve(c) => c.run(),
            Command::Admin(c) => c.run(),
            Command::Loadtest(c) => c.run(),
            Command::Worker(c) => c.run(),
            Command::Uci(c) => c.run(),
            Command::Match(c) => c.run(),
            Command::Selfplay(c) => c.run(),
            Command::Tune(c) => c.run(),
            Command::Bench(c) => c.run(),
            Command::Lab(c) => c.run(),
        }
    }
}

/// Lets a negative number be the value of an argument, which then tells what it expects; otherwise `-1` would be taken for an
/// unknown argument.
fn negatives(command: Described) -> Described {
    command
        .mut_args(|argument| match argument.get_action().takes_values() {
            true => argument.allow_negative_numbers(true),
            false => argument,
        })
        .mut_subcommands(negatives)
}

/// What clap says, up to its usage lines, without its own `error:`.
fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let said: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information")).collect();
    let said = said.join(" ");
    said.strip_prefix("error: ").unwrap_or(&said).to_owned()
}
