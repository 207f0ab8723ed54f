//! What is measured, and the games that are played for it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use serde::{Deserialize, Serialize};
use warpchess_arena::journal::{Entry, Journal, JournalError, Terms, told};
use warpchess_arena::{Control, Games, GamesError, Openings, Plan};
use warpchess_engine::Level;
use warpchess_rules::VariantId;

use crate::facts::{Facts, measure};
use crate::play::{Player, Recorded};

/// A search is deep in calls.
const STACK: usize = 16 << 20;

/// How hard the engine thinks about a move.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Effort {
    /// Within a limit. Clocks are for matches.
    Limit(Control),
    /// As a level plays.
    Level(Level),
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Limit(control) => control.fmt(f),
            Self::Level(level) => write!(f, "level {}", level.number()),
        }
    }
}

/// How games from one start become different games.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Variety {
    /// In so many first plies the mover takes any of the moves that look nearly best to him.
    pub plies: u32,
    /// Nearly best are moves that look no more than this worse than the best, in hundredths of a pawn.
    pub within: i32,
}

impl Default for Variety {
    fn default() -> Self {
        Self { plies: 10, within: 30 }
    }
}

/// Where games begin.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Beginning {
    /// The game's own start, and then moves that are nearly best: this measures what the start is worth.
    Start(Variety),
    /// Positions after random moves that look level: this takes the worth of the start away on purpose.
    Random(Plan),
}

/// A measurement.
#[derive(Clone, Debug)]
pub struct Study {
    /// The game.
    pub variant: VariantId,
    /// How many games are played.
    pub games: u64,
    /// How hard the engine thinks.
    pub effort: Effort,
    /// Where the games begin.
    pub beginning: Beginning,
    /// The position taken for the game's start; `None` for the start of the rules. Random openings have
    /// their own.
    pub fen: Option<String>,
    /// Makes the choices; the same seed makes the same games when the effort is told in nodes or depth.
    pub seed: u64,
    /// Games at a time; does not change what comes out.
    pub concurrency: usize,
    /// Plies after which a game is given up as drawn.
    pub max_plies: usize,
    /// Mebibytes of the engine's table.
    pub hash: usize,
    /// Where games are added.
    pub pgn: Option<PathBuf>,
    /// Where the games are kept; a measurement that was interrupted goes on from there.
    pub state: Option<PathBuf>,
}

impl Study {
    /// A measurement with everything else as usual.
    pub fn new(variant: VariantId, games: u64, effort: Effort) -> Self {
        Self {
            variant,
            games,
            effort,
            beginning: Beginning::Start(Variety::default()),
            fen: None,
            seed: 1,
            concurrency: 1,
            max_plies: 600,
            hash: 8,
            pgn: None,
            state: None,
        }
    }

    fn terms(&self) -> StudyTerms {
        StudyTerms {
            warpchess_lab: StudyTerms::FORMAT,
            variant: self.variant.id().into(),
            rules: self.variant.info().rules_version,
            effort: self.effort.to_string(),
            beginning: self.beginning,
            fen: self.fen.clone(),
            seed: self.seed,
            max_plies: self.max_plies,
        }
    }
}

/// Why a measurement cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The state.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The PGN file.
    #[error(transparent)]
    Pgn(#[from] GamesError),
    /// A game that the state tells of cannot be played over: it comes from other rules.
    #[error("{}: game {number} cannot be played over: {problem}", path.display())]
    Replay {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        number: u64,
        /// What is wrong.
        problem: String,
    },
    /// The engine found no move where there is one, or its search failed.
    #[error("game {number}: {problem}")]
    Engine {
        /// Its number, from 1.
        number: u64,
        /// What is wrong.
        problem: String,
    },
    /// No thread can be started.
    #[error("no thread can be started: {0}")]
    Thread(std::io::Error),
}

/// What must be the same for games to belong to one measurement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct StudyTerms {
    /// The form of the file.
    warpchess_lab: u32,
    variant: String,
    rules: u16,
    effort: String,
    beginning: Beginning,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    fen: Option<String>,
    seed: u64,
    max_plies: usize,
}

impl StudyTerms {
    const FORMAT: u32 = 1;
}

impl Terms for StudyTerms {
    const KIND: &'static str = "measurement";
    const MARK: &'static str = "warpchess_lab";
    fn parts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("the form of the file", told(&self.warpchess_lab)),
            ("the game", told(&self.variant)),
            ("the version of its rules", told(&self.rules)),
            ("the effort", told(&self.effort)),
            ("the beginning", told(&self.beginning)),
            ("the position of the start", told(&self.fen)),
            ("the seed", told(&self.seed)),
            ("the greatest length", told(&self.max_plies)),
        ]
    }
}

impl Entry for Recorded {}

/// What a worker sends.
enum Message {
    Played(Box<Recorded>, String),
    Failed(StudyError),
}

/// Plays the games of a study, and tells what was seen in each, in the order of their numbers. `watch` is told of each game that
/// ends; those that the state knew already are told first.
///
/// # Errors
/// When a file cannot be read or written, or the engine fails. What was played until then is in the state file.
pub fn run(study: &Study, watch: &mut dyn FnMut(&Facts)) -> Result<Vec<Facts>, StudyError> {
    let mut all = BTreeMap::new();
    let (mut journal, mut known) = (None, None);
    if let Some(path) = &study.state {
        let (opened, entries) = Journal::<StudyTerms, Recorded>::open(path, &study.terms())?;
        for recorded in entries {
            known = recorded.pgn_bytes.or(known);
            // More may have been played than is asked for now.
            if recorded.number >= study.games || all.contains_key(&recorded.number) {
                continue;
            }
            let number = recorded.number;
            let facts = recorded
                .replay(study.variant)
                .and_then(|game| measure(&game, &recorded))
                .map_err(|problem| StudyError::Replay { path: path.clone(), number: number + 1, problem })?;
            watch(&facts);
            all.insert(number, facts);
        }
        journal = Some(opened);
    }
    let mut games = study.pgn.as_deref().map(|path| Games::open(path, known)).transpose()?;
    let to_play: Vec<u64> = (0..study.games).filter(|number| !all.contains_key(number)).collect();
    let stop = AtomicBool::new(false);
    let queue = Mutex::new(to_play.into_iter());
    let (sender, messages) = channel();
    thread::scope(|scope| {
        for _ in 0..study.concurrency.max(1) {
            let worker = Worker { study, queue: &queue, stop: &stop, sender: sender.clone() };
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || worker.work());
            if let Err(error) = spawned {
                stop.store(true, Ordering::Relaxed);
                return Err(StudyError::Thread(error));
            }
        }
        drop(sender);
        let result = messages.into_iter().try_for_each(|message| {
            let (mut recorded, pgn) = match message {
                Message::Failed(error) => return Err(error),
                Message::Played(recorded, pgn) => (recorded, pgn),
            };
            let number = recorded.number;
            let facts = recorded
                .replay(study.variant)
                .and_then(|game| measure(&game, &recorded))
                .map_err(|problem| StudyError::Engine { number: number + 1, problem })?;
            if let Some(games) = &mut games {
                recorded.pgn_bytes = Some(games.add(&pgn)?);
            }
            if let Some(journal) = &mut journal {
                journal.note(&recorded)?;
            }
            watch(&facts);
            all.insert(number, facts);
            Ok(())
        });
        stop.store(true, Ordering::Relaxed);
        result
    })?;
    Ok(all.into_values().collect())
}

/// Plays games until there are no more.
struct Worker<'a> {
    study: &'a Study,
    queue: &'a Mutex<std::vec::IntoIter<u64>>,
    stop: &'a AtomicBool,
    sender: Sender<Message>,
}

impl Worker<'_> {
    fn next(&self) -> Option<u64> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next()
    }

    fn work(self) {
        let study = self.study;
        let mut player = Player::new(study);
        let mut openings = match study.beginning {
            Beginning::Start(_) => None,
            Beginning::Random(plan) => Some(Openings::new(study.variant, plan)),
        };
        while let Some(number) = self.next() {
            let fen = openings.as_mut().map(|openings| openings.fen(number)).or_else(|| study.fen.clone());
            let message = match player.play(number, fen) {
                Ok((recorded, pgn)) => Message::Played(Box::new(recorded), pgn),
                Err(problem) => Message::Failed(StudyError::Engine { number: number + 1, problem }),
            };
            if self.sender.send(message).is_err() {
                return;
            }
        }
    }
}
