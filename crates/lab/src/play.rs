//! One game of the engine against itself.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};
use warpchess_arena::{Control, mix, today};
use warpchess_engine::{
    AnyEngine, Bound, Clock, Limits, NodeClock, Options, Score, SearchResult, Signals, SystemClock, engine_for,
};
use warpchess_rules::notation::pgn::{self, Tags};
use warpchess_rules::{Color, EndReason, Game, Move, Outcome, VariantId};

use crate::study::{Beginning, Effort, Study};

/// Among so many best moves one is chosen.
const LINES: usize = 6;
/// Worth of a mate in the record of a game, in hundredths of a pawn.
pub(crate) const MATE: i32 = 10_000;
/// The word for games that were given up because of their length.
const TOO_LONG: &str = "tooLong";

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recorded {
    /// From 0.
    pub number: u64,
    /// Where it began; `None` for the game's own start.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fen: Option<String>,
    /// The moves, in UCI.
    pub moves: Vec<String>,
    /// What the mover thought before each, from White's view, in hundredths of a pawn; mates are ±10000.
    pub scores: Vec<i32>,
    /// Why it ended: the name of an [`EndReason`], or `tooLong`.
    pub ending: String,
    /// Who won.
    pub winner: Option<Winner>,
    /// Length of the PGN file with this game in it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pgn_bytes: Option<u64>,
}

/// A color, in a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Winner {
    White,
    Black,
}

impl From<Color> for Winner {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl From<Winner> for Color {
    fn from(winner: Winner) -> Self {
        match winner {
            Winner::White => Self::White,
            Winner::Black => Self::Black,
        }
    }
}

impl Recorded {
    /// Plays it over.
    pub(crate) fn replay(&self, variant: VariantId) -> Result<Game, String> {
        let mut game = match &self.fen {
            None => Game::new(variant),
            Some(fen) => Game::from_fen(variant, fen).map_err(|error| error.to_string())?,
        };
        for text in &self.moves {
            game.play_uci(text).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }
}

/// An engine that plays both sides.
pub(crate) struct Player<'a> {
    study: &'a Study,
    engine: Box<dyn AnyEngine>,
    signals: Signals,
}

impl<'a> Player<'a> {
    pub(crate) fn new(study: &'a Study) -> Self {
        let options = Options { hash: study.hash, ..Options::default() };
        Self { study, engine: engine_for(study.variant, &options), signals: Signals::new() }
    }

    /// Plays a game and tells it as a record and as PGN. Depends on nothing but the study and the number.
    pub(crate) fn play(&mut self, number: u64, fen: Option<String>) -> Result<(Recorded, String), String> {
        let study = self.study;
        let mut game = match &fen {
            None => Game::new(study.variant),
            Some(fen) => Game::from_fen(study.variant, fen).map_err(|error| error.to_string())?,
        };
        self.engine.clear();
        let (mut moves, mut scores) = (Vec::<String>::new(), Vec::new());
        let seed = mix(study.seed ^ mix(number));
        let (winner, ending) = loop {
            if let Some(outcome) = game.outcome() {
                break (outcome.winner, outcome.reason.name());
            }
            // What may be claimed is claimed: nobody plays on for nothing.
            if let Some(reason) = game.claimable() {
                break (None, reason.name());
            }
            if game.len() >= study.max_plies {
                break (None, TOO_LONG);
            }
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            self.engine.set_game(fen.as_deref(), &texts).map_err(|error| error.to_string())?;
            let (m, score) = self.think(game.len(), mix(seed ^ game.len() as u64))?;
            let worth = match score {
                Score::Cp(cp) => cp.clamp(1 - MATE, MATE - 1),
                Score::Mate(n) => {
                    if n > 0 {
                        MATE
                    } else {
                        -MATE
                    }
                }
            };
            scores.push(if game.position().turn() == Color::White { worth } else { -worth });
            moves.push(m.to_string());
            game.play(m).map_err(|error| error.to_string())?;
        };
        let pgn = self.record(&game, number, winner)?;
        let winner = winner.map(Winner::from);
        Ok((Recorded { number, fen, moves, scores, ending: ending.into(), winner, pgn_bytes: None }, pgn))
    }

    fn think(&mut self, ply: usize, seed: u64) -> Result<(Move, Score), String> {
        let variety = match self.study.beginning {
            Beginning::Start(variety) if ply < variety.plies as usize => Some(variety.within),
            _ => None,
        };
        let found = catch_unwind(AssertUnwindSafe(|| self.search(variety.is_some(), seed)))
            .map_err(|_| "the search failed".to_owned())?;
        let mut choice = found.best.map(|best| (best, found.score));
        // A mate is not one of several good moves.
        if let Some(within) = variety.filter(|_| found.score.mate().is_none()) {
            let floor = found.score.cp().unwrap_or_default() - within;
            let near: Vec<_> = found
                .lines
                .iter()
                .filter(|line| line.bound == Bound::Exact && line.score.cp().is_some_and(|cp| cp >= floor))
                .filter_map(|line| Some((*line.moves.first()?, line.score)))
                .collect();
            choice = (seed.checked_rem(near.len() as u64)).and_then(|i| near.get(i as usize).copied()).or(choice);
        }
        choice.ok_or_else(|| format!("the engine has no move in {}", self.engine.fen()))
    }

    fn search(&mut self, several: bool, seed: u64) -> SearchResult {
        let limits = |control| match control {
            Control::Nodes(nodes) => Limits::nodes(nodes),
            Control::Depth(depth) => Limits::depth(depth),
            Control::MoveTime(time) => Limits::movetime(time),
            Control::Clock { base, .. } => Limits::movetime(base),
        };
        let limits = match self.study.effort {
            Effort::Limit(control) => limits(control),
            Effort::Level(level) => level.limits(self.engine.info()),
        };
        // Time matters only where it is the limit; otherwise everything goes by nodes and comes out the same each time.
        let clock: Box<dyn Clock> = match limits.movetime {
            Some(_) => Box::new(SystemClock::start()),
            None => Box::new(NodeClock { per_second: 1_000_000 }),
        };
        match self.study.effort {
            _ if several => {
                let limits = Limits { multipv: LINES, ..limits };
                self.engine.search(&limits, &*clock, &self.signals, &mut |_| ())
            }
            Effort::Level(level) => level.choose(&mut *self.engine, None, &*clock, &self.signals, seed),
            Effort::Limit(_) => self.engine.search(&limits, &*clock, &self.signals, &mut |_| ()),
        }
    }

    fn record(&self, game: &Game, number: u64, winner: Option<Color>) -> Result<String, String> {
        let mut tags = Tags::new();
        let name = format!("Warpchess, {}", self.study.effort);
        for (tag, value) in [
            ("Event", "Warpchess laboratory".to_owned()),
            ("Date", today()),
            ("Round", (number + 1).to_string()),
            ("White", name.clone()),
            ("Black", name),
            ("PlyCount", game.len().to_string()),
        ] {
            tags.set(tag, value).map_err(|error| error.to_string())?;
        }
        let mut record = game.to_record(tags);
        // A claim or a game given up is nothing that the position tells.
        record.score = pgn::Score::from(Some(match winner {
            Some(winner) => Outcome::win(winner, EndReason::Resignation),
            None => Outcome::draw(EndReason::Agreement),
        }));
        pgn::write(&record).map_err(|error| error.to_string())
    }
}
