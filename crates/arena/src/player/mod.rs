//! Those who play.

mod own;
mod process;
mod program;
mod waiting;

use std::time::Duration;

use warpchess_engine::{Score, Signals};
use warpchess_rules::{AnyPosition, Color, VariantId};

use crate::control::Clock;
use crate::spec::{EngineSpec, Source};

/// What a player is asked.
pub(crate) struct Turn<'a> {
    /// The position the game began with.
    pub(crate) start: &'a str,
    /// The moves since.
    pub(crate) moves: &'a [String],
    pub(crate) position: &'a dyn AnyPosition,
    /// White's and Black's clock.
    pub(crate) clocks: [Clock; 2],
    /// What makes the choices of weak levels.
    pub(crate) seed: u64,
    /// How long a player may think that has no clock.
    pub(crate) patience: Duration,
    /// How much longer than its clock says a move may take.
    pub(crate) margin: Duration,
}

impl Turn<'_> {
    pub(crate) fn clock(&self) -> &Clock {
        &self.clocks[usize::from(self.position.turn() == Color::Black)]
    }
    /// After so long a move comes too late.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.clock().allowed().map(|allowed| allowed + self.margin)
    }
}

/// What a player answers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answer {
    /// The move, as text that nobody has judged yet.
    pub(crate) text: String,
    /// What the player thinks of its position.
    pub(crate) score: Option<Score>,
    pub(crate) depth: Option<u32>,
    pub(crate) took: Duration,
    /// How much of that the player was kept from thinking, through no fault of its own.
    pub(crate) waited: Duration,
}

/// Why a player does not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// It cannot even begin. The match is over.
    Start(String),
    /// The program is gone.
    Died(String),
    /// No answer came.
    Silent(Duration),
    /// Nobody wants an answer any more.
    Cancelled,
}

/// One who plays games of one variant, one after the other.
pub(crate) trait Player {
    /// Makes ready for another game.
    fn new_game(&mut self) -> Result<(), Fault>;
    /// Thinks.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault>;
}

/// Makes a player. `cancel` ends all it does.
pub(crate) fn player<'a>(spec: &'a EngineSpec, variant: VariantId, cancel: &'a Signals) -> Box<dyn Player + 'a> {
    match &spec.source {
        Source::Own(own) => Box::new(own::OwnPlayer::new(own, variant, cancel)),
        Source::Program(program) => Box::new(program::ProgramPlayer::new(program, variant, cancel)),
    }
}
