//! A slow second opinion on the rules of all Warpchess games, for tests.
//!
//! A plain mailbox move generator: every move is tried on a copy of the board, and a king is attacked
//! if generating the moves of the other side finds its capture. It shares no code and no types with
//! the rules crate (strings in, strings out), so that a mistake has to be made twice to be missed.
//!
//! ```
//! use warpchess_oracle::{State, legal};
//!
//! let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
//! assert_eq!(legal("chess", start)?.len(), 20);
//!
//! let state = State::parse("teleport", start)?.apply("a1a2")?;
//! assert_eq!(state.fen(), "rnbqkbnr/pppppppp/8/8/8/8/RPPPPPPP/PNBQKBNR b Kkq - 1 1");
//! # Ok::<(), String>(())
//! ```
#![forbid(unsafe_code)]

mod board;
mod castling;
mod classic;
mod duel;
mod fen;
mod howe;
mod neutral;
mod pocket;
mod position;
mod steps;

use classic::Classic;
use duel::Duel;
use howe::{Geometry, Howe};
use neutral::Neutral;
use pocket::Pocket;
use position::Position;

/// The ids of the games, as understood by everything in this crate that takes a `variant`.
pub const VARIANTS: [&str; 7] =
    ["chess", "teleport", "pocketmutation", "porthole", "portalduel", "twinportal", "splitportal"];

/// The legal moves of a position in UCI form, sorted by bytes.
///
/// # Errors
/// If there is no such variant or `fen` is not a position of it.
pub fn legal(variant: &str, fen: &str) -> Result<Vec<String>, String> {
    Ok(State::parse(variant, fen)?.legal())
}

/// How a position stands: `ongoing`, `checkmate white-wins`, `checkmate black-wins`, `stalemate`,
/// `draw-50`, `king-destroyed white-wins` or `king-destroyed black-wins`.
///
/// # Errors
/// If there is no such variant or `fen` is not a position of it.
pub fn status(variant: &str, fen: &str) -> Result<String, String> {
    Ok(State::parse(variant, fen)?.status())
}

/// The FEN after a move.
///
/// # Errors
/// If there is no such variant, `fen` is not a position of it or `uci` is not a legal move there.
pub fn apply(variant: &str, fen: &str, uci: &str) -> Result<String, String> {
    Ok(State::parse(variant, fen)?.apply(uci)?.fen())
}

/// The number of leaf nodes of the tree of legal moves, `depth` plies deep.
///
/// # Errors
/// If there is no such variant or `fen` is not a position of it.
pub fn perft(variant: &str, fen: &str, depth: u32) -> Result<u64, String> {
    Ok(State::parse(variant, fen)?.perft(depth))
}

/// A position of one of the games; quicker than FENs for playing a whole game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State(Game);

#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "short-lived, and never many at a time")]
enum Game {
    Classic(Classic),
    Pocket(Pocket),
    Neutral(Neutral),
    Duel(Duel),
    Howe(Howe),
}

/// Evaluates an expression for whichever game it is; `$wrap` makes a [`Game`] of its positions.
macro_rules! for_game {
    ($state:expr, |$position:ident, $wrap:ident| $body:expr) => {
        match &$state.0 {
            Game::Classic($position) => {
                let $wrap = Game::Classic;
                let _ = $wrap;
                $body
            }
            Game::Pocket($position) => {
                let $wrap = Game::Pocket;
                let _ = $wrap;
                $body
            }
            Game::Neutral($position) => {
                let $wrap = Game::Neutral;
                let _ = $wrap;
                $body
            }
            Game::Duel($position) => {
                let $wrap = Game::Duel;
                let _ = $wrap;
                $body
            }
            Game::Howe($position) => {
                let $wrap = Game::Howe;
                let _ = $wrap;
                $body
            }
        }
    };
}

impl State {
    /// Reads a position.
    ///
    /// # Errors
    /// If there is no such variant or `fen` is not a position of it; the text names the field.
    pub fn parse(variant: &str, fen: &str) -> Result<State, String> {
        let game = match variant {
            "chess" => Game::Classic(Classic::read(fen, false)?),
            "teleport" => Game::Classic(Classic::read(fen, true)?),
            "pocketmutation" => Game::Pocket(Pocket::read(fen)?),
            "porthole" => Game::Neutral(Neutral::read(fen)?),
            "portalduel" => Game::Duel(Duel::read(fen)?),
            "twinportal" => Game::Howe(Howe::read(fen, Geometry::Twin)?),
            "splitportal" => Game::Howe(Howe::read(fen, Geometry::Split)?),
            _ => {
                return Err(format!("variant: `{variant}` is none of {}", VARIANTS.join(", ")));
            }
        };
        Ok(State(game))
    }

    /// The FEN, in the one form in which it is written.
    pub fn fen(&self) -> String {
        for_game!(self, |position, _wrap| position.fen())
    }

    /// The legal moves in UCI form, sorted by bytes.
    pub fn legal(&self) -> Vec<String> {
        self.successors().into_iter().map(|(uci, _)| uci).collect()
    }

    /// The legal moves in UCI form, sorted by bytes, with the positions after them.
    pub fn successors(&self) -> Vec<(String, State)> {
        let mut moves: Vec<(String, State)> = for_game!(self, |position, wrap| {
            let turns = position.successors().into_iter();
            turns.map(|(turn, next)| (position.uci(turn), State(wrap(next)))).collect()
        });
        moves.sort_by(|(a, _), (b, _)| a.cmp(b));
        moves
    }

    /// How the position stands, in the words of [`status`].
    pub fn status(&self) -> String {
        for_game!(self, |position, _wrap| position.status().to_string())
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If `uci` is not a legal move; the text names the move and the position.
    pub fn apply(&self, uci: &str) -> Result<State, String> {
        let found = self.successors().into_iter().find(|(text, _)| text == uci);
        found.map(|(_, next)| next).ok_or_else(|| format!("move: `{uci}` is not legal in `{}`", self.fen()))
    }

    /// The number of leaf nodes of the tree of legal moves, `depth` plies deep.
    pub fn perft(&self, depth: u32) -> u64 {
        for_game!(self, |position, _wrap| position.perft(depth))
    }
}
