//! The game that was asked about last.

use warpchess_rules::Game;

use crate::error::Error;
use crate::request::{GameText, variant_id};

/// The game that was asked about last, all moves played. A client asks about one game many times, and after each move;
/// what is the same need not be played again.
#[derive(Default)]
pub struct Memory(Option<Kept>);

struct Kept {
    fen: Option<String>,
    moves: Vec<String>,
    game: Game,
}

impl Kept {
    fn begin(text: &GameText) -> Result<Self, Error> {
        let first = GameText { variant: text.variant.clone(), fen: text.fen.clone(), moves: Vec::new() };
        Ok(Self { game: first.replay()?, fen: first.fen, moves: first.moves })
    }
}

impl Memory {
    /// The game, all moves played.
    ///
    /// # Errors
    /// As [`GameText::replay`].
    pub fn replay(&mut self, text: &GameText) -> Result<&Game, Error> {
        let variant = variant_id(&text.variant)?;
        let same = |kept: &Kept| kept.game.variant() == variant && kept.fen == text.fen;
        let kept = match self.0.take().filter(same) {
            Some(kept) => self.0.insert(kept),
            None => self.0.insert(Kept::begin(text)?),
        };
        let common = kept.moves.iter().zip(&text.moves).take_while(|(a, b)| a == b).count();
        while kept.moves.len() > common {
            kept.moves.pop();
            kept.game.take_back();
        }
        for (ply, uci) in text.moves.iter().enumerate().skip(common) {
            kept.game.play_uci(uci).map_err(|error| Error::ply(ply, uci, &error))?;
            kept.moves.push(uci.clone());
        }
        Ok(&kept.game)
    }
}
