//! `warpchess moves`.

use clap::Args;
use warpchess_rules::VariantId;
use warpchess_rules::notation::san;
use warpchess_wire::view::legal_moves;

use super::{position, print};
use crate::failure::Failure;

/// List the legal moves of a position
#[derive(Args)]
pub(crate) struct Moves {
    /// The game
    variant: VariantId,
    /// The position; the game's start if left out or `-`
    fen: Option<String>,
    /// Print `uci<TAB>san`
    #[arg(long, conflicts_with = "json")]
    san: bool,
    /// Print an array of moves with kind, gesture, captures and check
    #[arg(long)]
    json: bool,
}

impl Moves {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let position = position(self.variant, self.fen.as_deref())?;
        if self.json {
            let mut moves = legal_moves(&*position);
            moves.sort_by(|a, b| a.uci().cmp(b.uci()));
            let moves = serde_json::to_value(moves).map_err(Failure::failed)?;
            return print(|out| writeln!(out, "{moves:#}"));
        }
        let mut moves = position.legal_moves();
        moves.sort_by_cached_key(ToString::to_string);
        print(|out| {
            for &m in &moves {
                if self.san {
                    writeln!(out, "{m}\t{}", san::write(&*position, m))?;
                } else {
                    writeln!(out, "{m}")?;
                }
            }
            Ok(())
        })
    }
}
