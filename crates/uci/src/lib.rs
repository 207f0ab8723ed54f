//! The Universal Chess Interface, by which other programs' boards use the engine.
//!
//! [`run`] reads commands and writes answers until it is told to quit or its input ends. The search has a thread of its own, so
//! that commands are answered while it thinks. Bad input is named in a line `info string error: …` and otherwise ignored.
//!
//! What is particular here:
//! - `UCI_Variant` chooses the game. A line `info string variant …` tells its board, as Fairy-Stockfish does.
//! - A finished game is answered with `bestmove (none)`. `bestmove 0000` is a move: in the games on two boards it is the text of
//!   a pass and of a teleport that was declared.
//! - A command that changes the position or the options while a search runs ends the search first.
//!
//! Source: Stefan Meyer-Kahlen, Rudolf Huber, "UCI protocol", 2006.
//!
//! # Examples
//! ```
//! let mut answers = Vec::new();
//! warpchess_uci::run("isready\nquit\n".as_bytes(), &mut answers)?;
//! assert_eq!(answers, b"readyok\n");
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

mod command;
mod go;
mod input;
mod options;
mod output;
mod report;
mod searcher;
mod session;
mod strength;

use std::io::{self, BufRead, Write};
use std::sync::mpsc;
use std::thread;

use output::Output;
use searcher::{Shared, search_jobs};
use session::Session;

/// The search is deep in calls, and some positions are large.
const STACK: usize = 16 << 20;

/// Speaks the protocol until `quit` or the end of the input. That the output is gone is no failure: nobody listens then.
///
/// # Errors
/// When the input cannot be read, the output cannot be written though it is still there, or no thread can be started.
pub fn run(input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let shared = Shared::new(Output::new(output));
    let (jobs, to_do) = mpsc::channel();
    let (done, finished) = mpsc::channel();
    thread::scope(|scope| {
        thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || search_jobs(&shared, to_do, done))?;
        // Dropped at the end, also after an error: that ends the thread.
        Session::new(&shared, jobs, finished).listen(input)
    })?;
    shared.output.end()
}
