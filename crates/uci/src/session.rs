//! The thread that listens: what each command does.

use std::io::{self, BufRead, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{SystemTime, UNIX_EPOCH};

use warpchess_diagram::text;
use warpchess_engine::{AnyEngine, Options, SystemClock, engine_for};
use warpchess_rules::AnyPosition;

use crate::command::{self, Command};
use crate::go::Go;
use crate::input::{Line, MAX_LINE, read_line};
use crate::options::{self, Effect, Settings};
use crate::report;
use crate::searcher::{Job, Shared};

/// A session between `uci` and `quit`.
pub(crate) struct Session<'a, W> {
    shared: &'a Shared<W>,
    jobs: Sender<Job>,
    finished: Receiver<Box<dyn AnyEngine>>,
    /// `None` while it is with the thread that searches.
    engine: Option<Box<dyn AnyEngine>>,
    settings: Settings,
    /// The engine's position.
    position: Box<dyn AnyPosition>,
}

impl<'a, W: Write> Session<'a, W> {
    pub(crate) fn new(shared: &'a Shared<W>, jobs: Sender<Job>, finished: Receiver<Box<dyn AnyEngine>>) -> Self {
        let settings = Settings::new();
        let position = settings.variant.start();
        let engine = Some(make(&settings));
        Self { shared, jobs, finished, engine, settings, position }
    }

    /// Answers commands until `quit` or the end of input.
    pub(crate) fn listen(mut self, mut input: impl BufRead) -> io::Result<()> {
        let result = loop {
            if self.shared.output.failed() {
                break Ok(());
            }
            let (line, clock) = match read_line(&mut input) {
                Ok(Line::End) => break Ok(()),
                Ok(Line::TooLong) => {
                    self.shared.output.error(format_args!("a line of more than {MAX_LINE} bytes was left out"));
                    continue;
                }
                // Time runs from when a command was read, not from when it is understood.
                Ok(Line::Text(line)) => (line, SystemClock::start()),
                Err(error) => break Err(error),
            };
            match command::parse(&line) {
                Ok(Command::Quit) => break Ok(()),
                Ok(command) => self.obey(command, clock),
                Err(error) => self.shared.output.error(error),
            }
        };
        self.shared.signals.stop();
        result
    }

    fn obey(&mut self, command: Command<'_>, clock: SystemClock) {
        let output = &self.shared.output;
        match command {
            Command::Uci => {
                let version = env!("CARGO_PKG_VERSION");
                let options = options::list();
                output.say(format_args!(
                    "id name Warpchess {version}\nid author The Warpchess developers\n\n{options}\nuciok"
                ));
            }
            Command::IsReady => output.say("readyok"),
            Command::Stop => self.shared.signals.stop(),
            Command::PonderHit => self.shared.signals.ponderhit(),
            Command::Display => output.say(display(&*self.position)),
            Command::NewGame => self.engine().clear(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(&go, clock),
            Command::Nothing | Command::Quit => {}
        }
    }

    /// The engine, which is fetched back from a search that is under way.
    fn engine(&mut self) -> &mut Box<dyn AnyEngine> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.fetch(),
        };
        self.engine.insert(engine)
    }

    fn fetch(&self) -> Box<dyn AnyEngine> {
        let Shared { output, signals, searching } = self.shared;
        if searching.load(Ordering::Acquire) && !signals.stopped() {
            output.note("the search was ended by a command that cannot wait for it");
        }
        signals.stop();
        self.finished.recv().unwrap_or_else(|_| make(&self.settings))
    }

    fn set_option(&mut self, name: &str, value: &str) {
        // Whatever is to change, a search under way was asked for with what was before.
        self.engine();
        let output = &self.shared.output;
        match self.settings.set(name, value, |text| output.note(text)) {
            Err(error) => output.error(format_args!("setoption: {error}")),
            Ok(Effect::None) => {}
            Ok(Effect::Clear) => self.engine().clear(),
            Ok(Effect::Hash) => {
                let hash = self.settings.hash;
                self.engine().resize(hash);
            }
            Ok(Effect::Threads) => {
                let threads = self.settings.threads;
                self.engine().set_threads(threads);
            }
            Ok(Effect::Variant) => {
                output.say(report::variant(self.settings.variant));
                self.position = self.settings.variant.start();
                self.engine = Some(make(&self.settings));
            }
        }
    }

    /// What cannot be read leaves the position as it is.
    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) {
        let variant = self.settings.variant;
        let engine = self.engine();
        let set = engine.set_game(fen, moves).map_err(|error| error.to_string());
        // An engine's own FEN can always be read.
        match set.and_then(|()| variant.from_fen(&engine.fen()).map_err(|error| error.to_string())) {
            Ok(position) => self.position = position,
            Err(error) => self.shared.output.error(format_args!("position: {error}; it stays as it was")),
        }
    }

    fn go(&mut self, go: &Go<'_>, clock: SystemClock) {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.fetch(),
        };
        let Shared { output, signals, searching } = self.shared;
        go.errors.iter().for_each(|error| output.error(error));
        let limits = go.limits(&*self.position, self.settings.limits(), |error| output.error(error));
        let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64);
        let strength = self.settings.level().map(|level| (level, seed));
        signals.reset(go.ponder);
        searching.store(true, Ordering::Release);
        if let Err(lost) = self.jobs.send(Job { engine, limits, clock, strength }) {
            // The thread is gone, which it never should be: a board still gets an answer.
            searching.store(false, Ordering::Release);
            output.say(report::best(lost.0.engine.legal_moves().first().copied(), None));
            self.engine = Some(lost.0.engine);
        }
    }
}

fn make(settings: &Settings) -> Box<dyn AnyEngine> {
    engine_for(settings.variant, &Options { hash: settings.hash, threads: settings.threads, ..Options::default() })
}

/// The position for people, and as other programs look for it.
fn display(position: &dyn AnyPosition) -> String {
    let board = text::board(position);
    let checkers: Vec<String> = position
        .checked_kings()
        .iter()
        .map(|(area, square)| match position.info().alternating() {
            true => format!("{}{square}", area.letter()),
            false => square.to_string(),
        })
        .collect();
    let outcome = position.outcome().map_or_else(|| "ongoing".to_owned(), |outcome| outcome.status());
    format!(
        "\n{}\n\nFen: {}\nKey: {:016X}\nChecked: {}\nMoves: {}\nStatus: {outcome}",
        anstream::adapter::strip_str(board.trim_end()),
        position.fen(),
        position.hash_key(),
        checkers.join(" "),
        position.legal_moves().len(),
    )
}
