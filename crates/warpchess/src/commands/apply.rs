//! `warpchess apply`.

use clap::Args;
use warpchess_rules::VariantId;
use warpchess_rules::game::automatic_draw;
use warpchess_rules::notation::uci;

use super::{position, print};
use crate::failure::Failure;

/// Play moves and print the position after each, then how the game stands
#[derive(Args)]
pub(crate) struct Apply {
    /// The game
    variant: VariantId,
    /// The position to begin with; `-` for the game's start
    fen: String,
    /// The moves
    #[arg(value_name = "UCI")]
    moves: Vec<String>,
}

impl Apply {
    /// An illegal move is told after the positions before it, so that nothing of what was right is lost. Draws by
    /// counting end no sequence of moves, but are told at its end.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut position = position(self.variant, Some(&self.fen))?;
        let mut keys = vec![position.hash_key()];
        let mut problem = None;
        print(|out| {
            for (i, text) in self.moves.iter().enumerate() {
                match uci::parse(&*position, text) {
                    Ok(m) => {
                        position.play(m);
                        keys.push(position.hash_key());
                        writeln!(out, "{}", position.fen())?;
                    }
                    Err(error) => {
                        problem = Some(Failure::bad_input(format_args!("move {}: {error}", i + 1)));
                        return Ok(());
                    }
                }
            }
            let outcome = position.outcome().or_else(|| automatic_draw(&*position, &keys));
            writeln!(out, "{}", outcome.map_or_else(|| "ongoing".into(), |outcome| outcome.status()))
        })?;
        problem.map_or(Ok(()), Err)
    }
}
