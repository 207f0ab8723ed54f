//! The computer's move.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use warpchess_engine::{Clock, Effort, Level, Signals, think};

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
