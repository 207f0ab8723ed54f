//! The command line.
#![forbid(unsafe_code)]

mod cli;
mod commands;
mod failure;
mod files;
mod numbers;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Cli::read().and_then(cli::Cli::run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
