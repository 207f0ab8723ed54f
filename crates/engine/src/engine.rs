//! The engine as its users hold it: a game, the memory that outlives a move, and searches.

use crate::eval::{Evaluator, WeightSet};
use crate::limits::{Clock, Limits, Signals};
use crate::params::Params;
use crate::report::{Info, SearchResult};
use crate::tt::TranspositionTable;
use crate::worker::{Memory, Shared, Worker};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use warpchess_rules::notation::uci::{self, UciError};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{FenError, Move, Position, VariantId, VariantInfo};

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of the transposition table in mebibytes.
    pub hash: usize,
    /// Threads that search together. WebAssembly has one only.
    pub threads: usize,
    /// The tunable numbers of the search.
    pub params: Params,
    /// Numbers of the evaluation instead of those built in.
    pub weights: Option<WeightSet>,
}

impl Default for Options {
    fn default() -> Self {
        Self { hash: 16, threads: 1, params: Params::default(), weights: None }
    }
}

/// A position or a move that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// One of the moves after it.
    #[error("move {number}: {error}")]
    Move {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        error: UciError,
    },
}

/// An engine for one game, known to the compiler.
///
/// # Examples
/// ```
/// use warpchess_engine::{Engine, Limits, NodeClock, Options, Score, Signals};
/// use warpchess_rules::variants::Chess;
/// let mut engine = Engine::<Chess>::new(&Options::default());
/// engine.set_game(Some("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), &[])?;
/// let clock = NodeClock { per_second: 1_000_000 };
/// let found = engine.search(&Limits::depth(3), &clock, &Signals::new(), &mut |_| ());
/// assert_eq!(found.score, Score::Mate(1));
/// assert_eq!(found.best.map(|m| m.to_string()).as_deref(), Some("a1a8"));
/// # Ok::<(), warpchess_engine::SetupError>(())
/// ```
pub struct Engine<P> {
    position: P,
    /// Hash keys of the game, the present position's last.
    keys: Vec<u64>,
    table: Arc<TranspositionTable>,
    /// Size of the table in mebibytes.
    hash: usize,
    evaluator: Arc<Evaluator>,
    params: Params,
    /// One a thread.
    memory: Vec<Memory>,
}

impl<P: Position> Engine<P> {
    /// An engine at the start of the game.
    pub fn new(options: &Options) -> Self {
        let position = P::start();
        Self {
            keys: vec![position.hash_key()],
            position,
            table: Arc::new(TranspositionTable::new(options.hash)),
            hash: options.hash,
            evaluator: Arc::new(match &options.weights {
                Some(set) => Evaluator::with::<P>(set.weights(P::INFO)),
                None => Evaluator::new::<P>(),
            }),
            params: options.params.clone(),
            memory: memories::<P>(options.threads),
        }
    }
    /// The position to search.
    pub const fn position(&self) -> &P {
        &self.position
    }
    /// Sets a position without a past.
    pub fn set_position(&mut self, position: P) {
        self.keys = vec![position.hash_key()];
        self.position = position;
    }
    /// Plays a legal move on.
    pub fn play(&mut self, m: Move) {
        self.position.play_unchecked(m, &mut ());
        self.keys.push(self.position.hash_key());
    }
}

/// An [`Engine`] whose game is not known to the compiler. Get one from [`engine_for`].
pub trait AnyEngine: Send {
    /// Sets the position: a FEN (the usual start without one) and the moves played since, in UCI.
    ///
    /// # Errors
    /// When the FEN cannot be read or a move is not legal; the engine keeps its position then.
    fn set_game(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), SetupError>;
    /// Searches the position. `info` is told of every iteration.
    fn search(
        &mut self,
        limits: &Limits,
        clock: &dyn Clock,
        signals: &Signals,
        info: &mut dyn FnMut(&Info<'_>),
    ) -> SearchResult;
    /// Forgets what earlier searches found, for a new game.
    fn clear(&mut self);
    /// Changes the size of the transposition table, in mebibytes; what it held is forgotten.
    fn resize(&mut self, mebibytes: usize);
    /// Changes how many threads search together.
    fn set_threads(&mut self, threads: usize);
    /// The legal moves of the position.
    fn legal_moves(&self) -> Vec<Move>;
    /// The position's FEN.
    fn fen(&self) -> String;
    /// What the game is made of.
    fn info(&self) -> &'static VariantInfo;
}

impl<P: Position> Engine<P> {
    /// See [`AnyEngine::set_game`].
    ///
    /// # Errors
    /// When the FEN cannot be read or a move is not legal.
    pub fn set_game(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), SetupError> {
        let mut position = match fen {
            Some(fen) => P::from_fen(fen)?,
            None => P::start(),
        };
        let mut keys = vec![position.hash_key()];
        for (i, text) in moves.iter().enumerate() {
            let m = uci::parse(&position, text).map_err(|error| SetupError::Move { number: i + 1, error })?;
            position.play_unchecked(m, &mut ());
            keys.push(position.hash_key());
        }
        (self.position, self.keys) = (position, keys);
        Ok(())
    }
    /// See [`AnyEngine::search`].
    pub fn search(
        &mut self,
        limits: &Limits,
        clock: &dyn Clock,
        signals: &Signals,
        info: &mut dyn FnMut(&Info<'_>),
    ) -> SearchResult {
        self.table.age();
        let shared = Shared {
            table: &self.table,
            evaluator: &self.evaluator,
            params: &self.params,
            limits,
            signals,
            clock,
            helped: AtomicU64::new(0),
            done: AtomicBool::new(false),
        };
        let (position, keys) = (&self.position, &self.keys);
        let Some((first, others)) = self.memory.split_first_mut() else { unreachable!("a thread at least") };
        #[cfg(not(target_arch = "wasm32"))]
        if !others.is_empty() {
            return std::thread::scope(|scope| {
                for (i, memory) in others.iter_mut().enumerate() {
                    let helper = Worker::new(&shared, memory, keys.clone(), i + 1);
                    // A thread that cannot be had is done without.
                    let _ = std::thread::Builder::new().spawn_scoped(scope, move || helper.help(position));
                }
                Worker::new(&shared, first, keys.clone(), 0).search(position, info)
            });
        }
        let _ = others;
        Worker::new(&shared, first, keys.clone(), 0).search(position, info)
    }
}

fn memories<P: Position>(threads: usize) -> Vec<Memory> {
    let threads = if cfg!(target_arch = "wasm32") { 1 } else { threads.max(1) };
    (0..threads).map(|_| Memory::new::<P>()).collect()
}

impl<P: Position> AnyEngine for Engine<P> {
    fn set_game(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), SetupError> {
        self.set_game(fen, moves)
    }
    fn search(
        &mut self,
        limits: &Limits,
        clock: &dyn Clock,
        signals: &Signals,
        info: &mut dyn FnMut(&Info<'_>),
    ) -> SearchResult {
        self.search(limits, clock, signals, info)
    }
    fn clear(&mut self) {
        self.resize(self.hash);
        // All of it, killers of the last line too: after this the same search comes out the same.
        self.memory = memories::<P>(self.memory.len());
    }
    fn set_threads(&mut self, threads: usize) {
        self.memory = memories::<P>(threads);
    }
    fn resize(&mut self, mebibytes: usize) {
        // Not both at once, the old one and the new.
        self.table = Arc::new(TranspositionTable::new(0));
        self.table = Arc::new(TranspositionTable::new(mebibytes));
        self.hash = mebibytes;
    }
    fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves().to_vec()
    }
    fn fen(&self) -> String {
        Position::fen(&self.position)
    }
    fn info(&self) -> &'static VariantInfo {
        P::INFO
    }
}

/// An engine for a game, at its start.
///
/// # Examples
/// ```
/// use warpchess_engine::{Limits, NodeClock, Options, Signals, engine_for};
/// use warpchess_rules::VariantId;
/// for variant in VariantId::all() {
///     let mut engine = engine_for(variant, &Options::default());
///     let clock = NodeClock { per_second: 1_000_000 };
///     assert!(engine.search(&Limits::depth(1), &clock, &Signals::new(), &mut |_| ()).best.is_some());
/// }
/// ```
pub fn engine_for(variant: VariantId, options: &Options) -> Box<dyn AnyEngine> {
    struct Make<'a>(&'a Options);
    impl VariantVisitor for Make<'_> {
        type Output = Box<dyn AnyEngine>;
        fn visit<P: Position>(self) -> Self::Output {
            Box::new(Engine::<P>::new(self.0))
        }
    }
    variant.visit(Make(options))
}
