//! The computer's move.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use warpchess_engine::{AnyEngine, Clock, Effort, Level, Limits, Line, Options, Signals, engine_for, think};
use warpchess_rules::VariantId;
use warpchess_rules::notation::san;

use crate::error::{Error, Field};
use crate::request::GameText;

/// How many nodes make a second where no clock can be read and the client does not tell: what a slow phone does.
#[cfg(target_arch = "wasm32")]
const NODES_PER_SECOND: u64 = 300_000;

/// What to search, and how well.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Search {
    /// The game.
    #[serde(flatten)]
    pub game: GameText,
    /// How strong an opponent: 1 to 8.
    pub level: u8,
    /// Upper bound on the time, besides the level's own bounds.
    #[serde(default)]
    pub millis: Option<u64>,
    /// Makes the choice among moves that are nearly as good: the same seed chooses the same.
    #[serde(default)]
    pub seed: u64,
    /// How fast this client is, as it has seen in earlier searches. WebAssembly without imports has no clock: there
    /// `millis` is a number of nodes by this measure. Elsewhere it is ignored.
    #[serde(default)]
    pub nodes_per_second: Option<u64>,
}

/// The move found.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The move.
    uci: String,
    /// What the position is worth to the side to move, in hundredths of a pawn; null when it is a mate.
    score_cp: Option<i32>,
    /// Mate in so many moves; negative when the side to move is mated.
    mate: Option<i32>,
    /// Plies of the last iteration that was completed.
    depth: u32,
    /// Nodes visited.
    nodes: u64,
    /// The line expected, beginning with `uci`.
    pv: Vec<String>,
}

impl Search {
    /// Searches.
    ///
    /// # Errors
    /// Names the part of the request that is at fault; also when the game is over.
    pub fn find(&self) -> Result<Found, Error> {
        let level = Level::new(self.level).map_err(|error| Error::new(Field::Level, error))?;
        let game = self.game.replay()?;
        let over = || Error::new(Field::Moves, "the game is over: there is no move to find");
        if game.outcome().is_some() {
            return Err(over());
        }
        let moves: Vec<&str> = self.game.moves.iter().map(String::as_str).collect();
        let effort = Effort::Level { level, movetime: self.millis.map(Duration::from_millis), seed: self.seed };
        let fen = self.game.fen.as_deref();
        let result = think(game.variant(), fen, &moves, &effort, &self.clock(), &Signals::new())
            .map_err(|error| Error::new(Field::Moves, error))?;
        Ok(Found {
            uci: result.best.ok_or_else(over)?.to_string(),
            score_cp: result.score.cp(),
            mate: result.score.mate(),
            depth: result.depth,
            nodes: result.nodes,
            pv: result.pv.iter().map(ToString::to_string).collect(),
        })
    }

    #[cfg(target_arch = "wasm32")]
    fn clock(&self) -> impl Clock {
        warpchess_engine::NodeClock { per_second: self.nodes_per_second.unwrap_or(NODES_PER_SECOND) }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn clock(&self) -> impl Clock {
        warpchess_engine::SystemClock::start()
    }
}

/// The most nodes of one request: a minute of a slow machine.
const MAX_NODES: u64 = 50_000_000;
/// The most lines.
const MAX_LINES: usize = 10;

/// A position to look into. Ask again with more nodes to see further: in WebAssembly what was found before is kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Analyse {
    /// The game.
    #[serde(flatten)]
    pub game: GameText,
    /// How many lines to find.
    pub lines: usize,
    /// Nodes to visit.
    pub nodes: u64,
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    /// Plies of the last iteration that was completed.
    depth: u32,
    nodes: u64,
    /// The best lines, best first.
    lines: Vec<LineForm>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LineForm {
    /// Hundredths of a pawn, for the side to move; null when it is a mate.
    score_cp: Option<i32>,
    /// Mate in so many moves; negative when the side to move is mated.
    mate: Option<i32>,
    /// The moves in UCI, and as people write them.
    pv: Vec<String>,
    san: Vec<String>,
}

impl Analyse {
    /// Looks.
    ///
    /// # Errors
    /// Names the part of the request that is at fault; also when the game is over.
    pub fn lines(&self) -> Result<Analysis, Error> {
        let game = self.game.replay()?;
        if game.outcome().is_some() {
            return Err(Error::new(Field::Moves, "the game is over: there is no move to find"));
        }
        let moves: Vec<&str> = self.game.moves.iter().map(String::as_str).collect();
        let limits = Limits {
            nodes: Some(self.nodes.clamp(1, MAX_NODES)),
            multipv: self.lines.clamp(1, MAX_LINES),
            ..Limits::default()
        };
        // Never asked for the time: the limit is one of nodes.
        let clock = warpchess_engine::NodeClock { per_second: 1_000_000 };
        let found = with_engine(game.variant(), |engine| {
            engine.set_game(self.game.fen.as_deref(), &moves)?;
            Ok(engine.search(&limits, &clock, &Signals::new(), &mut |_| ()))
        });
        let found = found.map_err(|error: warpchess_engine::SetupError| Error::new(Field::Moves, error))?;
        let form = |line: &Line| {
            let mut position = game.position().boxed_clone();
            let texts = line.moves.iter().map(|&m| {
                let text = san::write(&*position, m);
                position.play(m);
                text
            });
            LineForm {
                score_cp: line.score.cp(),
                mate: line.score.mate(),
                san: texts.collect(),
                pv: line.moves.iter().map(ToString::to_string).collect(),
            }
        };
        Ok(Analysis { depth: found.depth, nodes: found.nodes, lines: found.lines.iter().map(form).collect() })
    }
}

/// In a browser the engine and its memory outlive the request.
#[cfg(target_arch = "wasm32")]
fn with_engine<T>(variant: VariantId, look: impl FnOnce(&mut dyn AnyEngine) -> T) -> T {
    use std::cell::RefCell;
    thread_local! {
        static KEPT: RefCell<Option<(VariantId, Box<dyn AnyEngine>)>> = const { RefCell::new(None) };
    }
    KEPT.with_borrow_mut(|kept| {
        if kept.as_ref().is_none_or(|(known, _)| *known != variant) {
            *kept = Some((variant, engine_for(variant, &Options::default())));
        }
        match kept {
            Some((_, engine)) => look(&mut **engine),
            None => look(&mut *engine_for(variant, &Options::default())),
        }
    })
}

#[cfg(not(target_arch = "wasm32"))]
fn with_engine<T>(variant: VariantId, look: impl FnOnce(&mut dyn AnyEngine) -> T) -> T {
    look(&mut *engine_for(variant, &Options::default()))
}
