//! A game from its first position to its result: what a position alone cannot tell.

use crate::core::{Color, Effect, Move};
use crate::notation::fen::FenError;
use crate::notation::pgn::{Line, Record, Score, Tags};
use crate::notation::san::{self, SanError};
use crate::notation::uci::{self, UciError};
use crate::position::{AnyPosition, EndReason, Outcome};
use crate::variants::VariantId;

/// Plies without progress after which a draw can be claimed.
pub const CLAIM_PLIES: u16 = 100;
/// Plies without progress after which the game is drawn.
pub const DRAW_PLIES: u16 = 150;
/// Occurrences of a position after which a draw can be claimed.
pub const CLAIM_REPETITIONS: usize = 3;
/// Occurrences of a position after which the game is drawn.
pub const DRAW_REPETITIONS: usize = 5;

/// Why something cannot be done in a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// It is over.
    #[error("the game is over ({})", .0.status())]
    Over(Outcome),
    /// No legal move has this UCI text.
    #[error(transparent)]
    Uci(#[from] UciError),
    /// No, or more than one, legal move has this text.
    #[error(transparent)]
    San(#[from] SanError),
    /// The move is not legal.
    #[error("'{uci}' is not a legal move in {fen}")]
    Illegal {
        /// The move in UCI form.
        uci: String,
        /// The position.
        fen: String,
    },
    /// Neither the threefold repetition nor the fifty moves have come about.
    #[error(
        "no draw to claim: the position stands for the {repetitions}. time (3 needed), {plies} plies without progress \
         (100 needed)"
    )]
    NoClaim {
        /// How often the position has occurred.
        repetitions: usize,
        /// The halfmove clock.
        plies: u16,
    },
}

/// A ply that was played.
#[derive(Clone, Debug)]
struct Ply {
    mv: Move,
    effects: Vec<Effect>,
    /// The position after it.
    after: Box<dyn AnyPosition>,
}

/// A game: its positions, and the results that only its history or its players can give.
///
/// # Examples
/// ```
/// use warpchess_rules::{EndReason, Game, VariantId};
/// let mut game = Game::new(VariantId::from_name("chess").expect("a game"));
/// for san in ["f3", "e5", "g4", "Qh4#"] {
///     game.play_san(san)?;
/// }
/// assert_eq!(game.outcome().map(|o| o.reason), Some(EndReason::Checkmate));
/// game.take_back();
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), warpchess_rules::game::GameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    variant: VariantId,
    start: Box<dyn AnyPosition>,
    plies: Vec<Ply>,
    /// Hash keys of all positions, the first one included.
    keys: Vec<u64>,
    /// What the players or the clock decided.
    decided: Option<Outcome>,
}

fn repetitions(position: &dyn AnyPosition, keys: &[u64]) -> usize {
    let now = position.hash_key();
    keys.iter().filter(|&&key| key == now).count()
}

/// The draw that ends a game of itself because of what happened before: fivefold repetition, or seventy-five moves.
/// `keys` are the hash keys of all positions of the game, this one's included.
pub fn automatic_draw(position: &dyn AnyPosition, keys: &[u64]) -> Option<Outcome> {
    if repetitions(position, keys) >= DRAW_REPETITIONS {
        return Some(Outcome::draw(EndReason::FivefoldRepetition));
    }
    (position.halfmove_clock() >= DRAW_PLIES).then_some(Outcome::draw(EndReason::SeventyFiveMoves))
}

impl Game {
    /// A game from the usual position.
    pub fn new(variant: VariantId) -> Self {
        Self::from_position(variant, variant.start())
    }
    /// A game from a FEN.
    ///
    /// # Errors
    /// Names the field of the FEN at fault.
    pub fn from_fen(variant: VariantId, fen: &str) -> Result<Self, FenError> {
        Ok(Self::from_position(variant, variant.from_fen(fen)?))
    }
    fn from_position(variant: VariantId, start: Box<dyn AnyPosition>) -> Self {
        let keys = vec![start.hash_key()];
        Self { variant, start, plies: Vec::new(), keys, decided: None }
    }
    /// The moves that were played in a record. A score that the position does not give (a resignation, a draw agreed)
    /// is not taken over, because the record does not tell its reason.
    ///
    /// # Errors
    /// When a move is not legal, or follows after the game's end.
    pub fn from_record(record: &Record) -> Result<Self, GameError> {
        let mut game = Self::from_position(record.variant, record.start.clone());
        record.moves().try_for_each(|m| game.play(m))?;
        Ok(game)
    }

    /// Which game it is.
    pub const fn variant(&self) -> VariantId {
        self.variant
    }
    /// The position now.
    pub fn position(&self) -> &dyn AnyPosition {
        self.plies.last().map_or(&*self.start, |ply| &*ply.after)
    }
    /// The position after so many plies; `None` beyond the last.
    pub fn position_at(&self, ply: usize) -> Option<&dyn AnyPosition> {
        match ply.checked_sub(1) {
            None => Some(&*self.start),
            Some(i) => self.plies.get(i).map(|ply| &*ply.after),
        }
    }
    /// How many plies were played.
    pub fn len(&self) -> usize {
        self.plies.len()
    }
    /// Whether none was played.
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }
    /// The moves played.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator {
        self.plies.iter().map(|ply| ply.mv)
    }
    /// What the move of a ply (from 0) did, step by step.
    pub fn effects(&self, ply: usize) -> &[Effect] {
        self.plies.get(ply).map_or(&[], |ply| &ply.effects)
    }
    /// The text of the move of a ply (from 0).
    pub fn san(&self, ply: usize) -> Option<String> {
        Some(san::write(self.position_at(ply)?, self.plies.get(ply)?.mv))
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// When the game is over or the move is not legal; the game stays as it is.
    pub fn play(&mut self, m: Move) -> Result<(), GameError> {
        self.ongoing()?;
        if !self.position().is_legal(m) {
            return Err(GameError::Illegal { uci: m.to_string(), fen: self.position().fen() });
        }
        self.push(m);
        Ok(())
    }
    /// Plays the move of a UCI text.
    ///
    /// # Errors
    /// When the game is over or no legal move is written so.
    pub fn play_uci(&mut self, text: &str) -> Result<Move, GameError> {
        self.ongoing()?;
        let m = uci::parse(self.position(), text)?;
        self.push(m);
        Ok(m)
    }
    /// Plays the move that a text for people means (see [`san::parse`]); UCI is understood, too.
    ///
    /// # Errors
    /// When the game is over, or the text does not mean exactly one legal move.
    pub fn play_san(&mut self, text: &str) -> Result<Move, GameError> {
        self.ongoing()?;
        let m = san::parse(self.position(), text)?;
        self.push(m);
        Ok(m)
    }
    fn push(&mut self, mv: Move) {
        let mut after = self.position().boxed_clone();
        let effects = after.play(mv);
        self.keys.push(after.hash_key());
        self.plies.push(Ply { mv, effects, after });
    }
    /// Takes the last ply back, and with it what ended the game.
    pub fn take_back(&mut self) -> Option<Move> {
        let ply = self.plies.pop()?;
        self.keys.pop();
        self.decided = None;
        Some(ply.mv)
    }

    /// How often the position has occurred, this time included. Equal are positions with equal possibilities: clocks do
    /// not count.
    pub fn repetitions(&self) -> usize {
        repetitions(self.position(), &self.keys)
    }
    /// How the game has ended, if it has: by its position, by repetition or the clock of the rules, or by its players.
    /// Mate and stalemate come before every draw by counting.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.decided.is_some() {
            return self.decided;
        }
        if let Some(outcome) = self.position().outcome() {
            return Some(outcome);
        }
        automatic_draw(self.position(), &self.keys)
    }
    /// The draw that a player could claim now.
    pub fn claimable(&self) -> Option<EndReason> {
        if self.outcome().is_some() {
            None
        } else if self.repetitions() >= CLAIM_REPETITIONS {
            Some(EndReason::ThreefoldRepetition)
        } else if self.position().halfmove_clock() >= CLAIM_PLIES {
            Some(EndReason::FiftyMoves)
        } else {
            None
        }
    }
    /// Claims a draw by threefold repetition or fifty moves.
    ///
    /// # Errors
    /// When the game is over or there is nothing to claim.
    pub fn claim_draw(&mut self) -> Result<Outcome, GameError> {
        self.ongoing()?;
        let reason = self.claimable().ok_or_else(|| GameError::NoClaim {
            repetitions: self.repetitions(),
            plies: self.position().halfmove_clock(),
        })?;
        self.decide(Outcome::draw(reason))
    }
    /// A player gives up.
    ///
    /// # Errors
    /// When the game is over.
    pub fn resign(&mut self, loser: Color) -> Result<Outcome, GameError> {
        self.decide(Outcome::win(!loser, EndReason::Resignation))
    }
    /// A player's time runs out: lost, unless the opponent could not win by any legal moves.
    ///
    /// # Errors
    /// When the game is over.
    pub fn time_out(&mut self, loser: Color) -> Result<Outcome, GameError> {
        let winner = Some(!loser).filter(|&color| self.position().can_win(color));
        self.decide(Outcome { winner, reason: EndReason::Timeout })
    }
    /// Both players want a draw.
    ///
    /// # Errors
    /// When the game is over.
    pub fn agree_draw(&mut self) -> Result<Outcome, GameError> {
        self.decide(Outcome::draw(EndReason::Agreement))
    }
    fn decide(&mut self, outcome: Outcome) -> Result<Outcome, GameError> {
        self.ongoing()?;
        self.decided = Some(outcome);
        Ok(outcome)
    }
    fn ongoing(&self) -> Result<(), GameError> {
        self.outcome().map_or(Ok(()), |outcome| Err(GameError::Over(outcome)))
    }

    /// The game as a record, ready to be written as PGN.
    ///
    /// # Examples
    /// ```
    /// use warpchess_rules::{Game, VariantId, notation::pgn::{self, Tags}};
    /// let mut game = Game::new(VariantId::from_name("chess").expect("a game"));
    /// game.play_san("e4").expect("a legal move");
    /// let text = pgn::write(&game.to_record(Tags::new())).expect("legal moves");
    /// assert!(text.ends_with("\n\n1. e4 *\n"));
    /// ```
    pub fn to_record(&self, mut tags: Tags) -> Record {
        let outcome = self.outcome();
        let termination = outcome.map(|outcome| match outcome.reason {
            EndReason::Timeout => "time forfeit",
            _ => "normal",
        });
        if let Some(termination) = termination.filter(|_| tags.get("Termination").is_none()) {
            let named = tags.set("Termination", termination);
            debug_assert_eq!(named, Ok(()));
        }
        Record {
            variant: self.variant,
            tags,
            start: self.start.clone(),
            line: self.moves().collect::<Line>(),
            score: Score::from(outcome),
            file_line: 0,
        }
    }
}
