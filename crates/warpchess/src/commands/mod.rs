//! One module a command: its arguments, and what it does with them.

pub(crate) mod admin;
pub(crate) mod apply;
pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod lab;
pub(crate) mod loadtest;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod pgn;
pub(crate) mod play;
pub(crate) mod selfplay;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tune;
pub(crate) mod uci;
pub(crate) mod variants;
pub(crate) mod worker;

use std::io::{self, Write};

use warpchess_rules::{AnyPosition, Position, VariantId};

use crate::failure::Failure;

/// Words that stand for a game's own starting position where a FEN is asked for.
const START: [&str; 2] = ["-", "startpos"];

/// The position of an optional FEN; without one, or with `-` or `startpos`, the game's start.
fn position(variant: VariantId, fen: Option<&str>) -> Result<Box<dyn AnyPosition>, Failure> {
    match fen.filter(|fen| !START.contains(fen)) {
        None => Ok(variant.start()),
        Some(fen) => variant.from_fen(fen).map_err(|error| Failure::bad_input(format_args!("{variant}: {error}"))),
    }
}

/// Writes to standard output through a buffer. That the reader has gone away (`| head`) is no failure.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::bad_input(format_args!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// The same with the game's type.
fn typed<P: Position>(fen: Option<&str>) -> Result<P, Failure> {
    match fen.filter(|fen| !START.contains(fen)) {
        None => Ok(P::start()),
        Some(fen) => P::from_fen(fen).map_err(|error| Failure::bad_input(format_args!("{}: {error}", P::INFO.id))),
    }
}
