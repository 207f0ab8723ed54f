//! A match: many games, several at a time, counted.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use warpchess_engine::Signals;
use warpchess_rules::{Color, VariantId};

use crate::adjudicate::Adjudication;
use crate::control::Control;
use crate::games::{Games, GamesError};
use crate::journal::{Journal, JournalError, MatchEntry, MatchTerms};
use crate::openings::{Openings, Plan, mix};
use crate::play::{Broken, Played, Terms};
use crate::player::player;
use crate::record::{self, Heading};
use crate::spec::EngineSpec;
use crate::stats::{Counts, Sprt, Verdict};

/// A search is deep in calls.
const STACK: usize = 16 << 20;

/// A match between two engines.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The game.
    pub variant: VariantId,
    /// The two; results are told from the view of the first.
    pub engines: [EngineSpec; 2],
    /// The limit of those that have none of their own.
    pub control: Control,
    /// How many openings are played, with both colors each.
    pub pairs: u64,
    /// How they begin.
    pub openings: Plan,
    /// Games at a time.
    pub concurrency: usize,
    /// Ends games early.
    pub adjudication: Adjudication,
    /// Plies after which a game is drawn.
    pub max_plies: usize,
    /// Ends the match early.
    pub sprt: Option<Sprt>,
    /// How long a player without a clock may think.
    pub patience: Duration,
    /// How much more time than its clock says a player is given.
    pub margin: Duration,
    /// Where games are added.
    pub pgn: Option<PathBuf>,
    /// Where the state is kept; a match that was interrupted goes on from there.
    pub state: Option<PathBuf>,
}

impl Contest {
    /// A match with everything else as usual.
    pub fn new(variant: VariantId, engines: [EngineSpec; 2], control: Control, pairs: u64) -> Self {
        Self {
            variant,
            engines,
            control,
            pairs,
            openings: Plan::default(),
            concurrency: 1,
            adjudication: Adjudication::default(),
            max_plies: 600,
            sprt: None,
            patience: Duration::from_secs(120),
            margin: Duration::from_millis(100),
            pgn: None,
            state: None,
        }
    }
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// An engine cannot even begin.
    #[error("{name}: {problem}")]
    Engine {
        /// What it is called.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// An opening in the state file.
    #[error("opening: {0}")]
    Opening(String),
    /// The state.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The PGN file.
    #[error(transparent)]
    Pgn(#[from] GamesError),
    /// No thread can be started.
    #[error("no thread can be started: {0}")]
    Thread(std::io::Error),
}

/// A game that has just ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// Its number, from 0.
    pub game: u64,
    /// Who won.
    pub winner: Option<Color>,
    /// Which engine was White, 0 or 1.
    pub white: usize,
    /// How it ended, in words.
    pub ending: String,
    /// Which engine's fault that was, if it was one's.
    pub fault: Option<usize>,
    /// Its length.
    pub plies: usize,
}

/// How a match stands.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Standing {
    /// From the view of the first engine.
    pub counts: Counts,
    /// How games ended, by a word.
    pub endings: BTreeMap<String, u64>,
    /// Games that each engine lost by a fault: time, an illegal move, a program that ended or gave no answer.
    pub faults: [u64; 2],
    /// Plies of all games.
    pub plies: u64,
    /// Of the sequential test, where there is one: the log likelihood ratio.
    pub ratio: Option<f64>,
    /// And what that comes to.
    pub verdict: Option<Verdict>,
}

/// The standing, and what is needed to go on counting.
#[derive(Default)]
struct Ledger {
    standing: Standing,
    /// Twice the points of the first engine, by game.
    points: BTreeMap<u64, u8>,
}

impl Ledger {
    fn add(&mut self, entry: &MatchEntry, sprt: Option<&Sprt>) {
        if self.points.insert(entry.game, entry.points).is_some() {
            return;
        }
        let standing = &mut self.standing;
        match entry.points {
            0 => standing.counts.losses += 1,
            1 => standing.counts.draws += 1,
            _ => standing.counts.wins += 1,
        }
        *standing.endings.entry(entry.ending.clone()).or_default() += 1;
        standing.plies += entry.plies as u64;
        match entry.fault.as_deref() {
            Some("first") => standing.faults[0] += 1,
            Some(_) => standing.faults[1] += 1,
            None => {}
        }
        if let Some(other) = self.points.get(&(entry.game ^ 1)) {
            standing.counts.pairs[usize::from(other + entry.points).min(4)] += 1;
        }
        if let Some(sprt) = sprt {
            standing.ratio = Some(sprt.ratio(&standing.counts));
            standing.verdict = Some(sprt.verdict(&standing.counts));
        }
    }
    fn decided(&self) -> bool {
        self.standing.verdict.is_some_and(|verdict| verdict != Verdict::Undecided)
    }
}

/// What a worker sends.
enum Message {
    Played { game: u64, fen: String, played: Box<Played> },
    Failed(ContestError),
}

/// Plays a match. `watch` is told of each game, with the standing after it.
///
/// # Errors
/// When an engine cannot begin, or a file cannot be read or written. What was played until then is in the state file.
pub fn run(contest: &Contest, watch: &mut dyn FnMut(&Finished, &Standing)) -> Result<Standing, ContestError> {
    contest.check()?;
    let mut ledger = Ledger::default();
    let (mut journal, mut fens) = (None, BTreeMap::new());
    let mut known = None;
    if let Some(path) = &contest.state {
        let (opened, entries) = Journal::open(path, &contest.terms())?;
        for entry in &entries {
            ledger.add(entry, contest.sprt.as_ref());
            fens.insert(entry.game / 2, entry.fen.clone());
            known = entry.pgn_bytes.or(known);
        }
        journal = Some(opened);
    }
    let mut games = contest.pgn.as_deref().map(|path| Games::open(path, known)).transpose()?;
    let to_play: Vec<u64> = (0..2 * contest.pairs).filter(|game| !ledger.points.contains_key(game)).collect();
    if to_play.is_empty() || ledger.decided() {
        return Ok(ledger.standing);
    }

    let cancel = Signals::new();
    let queue = Mutex::new(to_play.into_iter());
    let workers = contest.concurrency.max(1);
    let (sender, messages) = channel();
    thread::scope(|scope| {
        for _ in 0..workers {
            let worker = Worker { contest, queue: &queue, fens: &fens, cancel: &cancel, sender: sender.clone() };
            let spawned = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, || worker.work())
                .map_err(ContestError::Thread);
            if let Err(error) = spawned {
                cancel.stop();
                return Err(error);
            }
        }
        drop(sender);
        let result = messages.into_iter().try_for_each(|message| {
            let Message::Played { game, fen, played } = (match message {
                Message::Failed(error) => return Err(error),
                played => played,
            }) else {
                return Ok(());
            };
            // A game that ended after the test was decided counts no more.
            if ledger.decided() {
                return Ok(());
            }
            let pgn_bytes = match &mut games {
                Some(games) => Some(games.add(&contest.text(game, &played)?)?),
                None => None,
            };
            let entry = contest.entry(game, fen, &played, pgn_bytes);
            if let Some(journal) = &mut journal {
                journal.note(&entry)?;
            }
            ledger.add(&entry, contest.sprt.as_ref());
            let fault = played.ending.fault().map(|color| contest.engine_of(game, color));
            let finished = Finished {
                game,
                winner: played.winner,
                white: contest.engine_of(game, Color::White),
                ending: played.ending.to_string(),
                fault,
                plies: played.game.len(),
            };
            watch(&finished, &ledger.standing);
            if ledger.decided() {
                cancel.stop();
            }
            Ok(())
        });
        cancel.stop();
        result
    })?;
    Ok(ledger.standing)
}

impl Contest {
    /// Which engine has a color in a game: in the first of a pair the first is White.
    fn engine_of(&self, game: u64, color: Color) -> usize {
        usize::from((color == Color::Black) != (game % 2 == 1))
    }
    /// The limit of each engine.
    pub fn controls(&self) -> [Control; 2] {
        [0, 1].map(|i| self.engines[i].control.unwrap_or(self.control))
    }
    /// Before anything is opened or begun.
    fn check(&self) -> Result<(), ContestError> {
        for engine in &self.engines {
            if let Some(weights) = engine.weights().filter(|weights| !weights.set.knows(self.variant)) {
                let problem = format!("weights: '{}' has no number for {}", weights.file.display(), self.variant);
                return Err(ContestError::Engine { name: engine.name.clone(), problem });
            }
        }
        Ok(())
    }
    fn terms(&self) -> MatchTerms {
        MatchTerms {
            warpchess_match: MatchTerms::FORMAT,
            variant: self.variant.id().into(),
            first: self.engines[0].text.clone(),
            second: self.engines[1].text.clone(),
            weights: [0, 1].map(|i| self.engines[i].weights().map(|weights| weights.sum())),
            control: self.control,
            openings: self.openings,
            adjudication: self.adjudication,
            max_plies: self.max_plies,
        }
    }
    fn entry(&self, game: u64, fen: String, played: &Played, pgn_bytes: Option<u64>) -> MatchEntry {
        let engine = |color| self.engine_of(game, color);
        MatchEntry {
            game,
            points: match played.winner {
                None => 1,
                Some(winner) if engine(winner) == 0 => 2,
                Some(_) => 0,
            },
            fen,
            ending: played.ending.word().into(),
            fault: played.ending.fault().map(|color| ["first", "second"][engine(color)].into()),
            plies: played.game.len(),
            pgn_bytes,
        }
    }
    fn text(&self, game: u64, played: &Played) -> Result<String, ContestError> {
        let [white, black] = [Color::White, Color::Black].map(|color| self.engine_of(game, color));
        let controls = self.controls();
        let heading = Heading {
            event: "Warpchess match",
            round: format!("{}.{}", game / 2 + 1, game % 2 + 1),
            names: [&self.engines[white].name, &self.engines[black].name],
            controls: [controls[white], controls[black]],
        };
        record::write(played, &heading).map_err(|error| {
            let path = self.pgn.clone().unwrap_or_default();
            ContestError::Pgn(GamesError { path, error: std::io::Error::other(error) })
        })
    }
}

/// Plays games until there are no more.
struct Worker<'a> {
    contest: &'a Contest,
    queue: &'a Mutex<std::vec::IntoIter<u64>>,
    /// Openings that were played before the match was interrupted.
    fens: &'a BTreeMap<u64, String>,
    cancel: &'a Signals,
    sender: Sender<Message>,
}

impl Worker<'_> {
    fn next(&self) -> Option<u64> {
        if self.cancel.stopped() {
            return None;
        }
        self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next()
    }

    fn work(self) {
        let contest = self.contest;
        let [mut first, mut second] = [0, 1].map(|i| player(&contest.engines[i], contest.variant, self.cancel));
        let mut openings = Openings::new(contest.variant, contest.openings);
        let terms = Terms {
            variant: contest.variant,
            adjudication: contest.adjudication,
            max_plies: contest.max_plies,
            patience: contest.patience,
            margin: contest.margin,
            cancel: self.cancel,
        };
        while let Some(game) = self.next() {
            let pair = game / 2;
            let fen = self.fens.get(&pair).cloned().unwrap_or_else(|| openings.fen(pair));
            let seed = mix(contest.openings.seed ^ mix(game));
            let [a, b] = contest.controls();
            let (first, second) = (&mut *first, &mut *second);
            let (players, controls): ([&mut dyn crate::player::Player; 2], _) =
                if game % 2 == 0 { ([first, second], [a, b]) } else { ([second, first], [b, a]) };
            let message = match terms.play(players, controls, &fen, seed) {
                Ok(played) => Message::Played { game, fen, played: Box::new(played) },
                Err(Broken::Start(color, problem)) => {
                    let name = contest.engines[contest.engine_of(game, color)].name.clone();
                    Message::Failed(ContestError::Engine { name, problem })
                }
                Err(Broken::Opening(problem)) => Message::Failed(ContestError::Opening(problem)),
                Err(Broken::Cancelled) => return,
            };
            if self.sender.send(message).is_err() {
                return;
            }
        }
    }
}
