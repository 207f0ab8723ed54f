//! `warpchess show`.

use std::path::PathBuf;

use clap::Args;
use warpchess_diagram::{svg, text};
use warpchess_rules::VariantId;

use super::position;
use crate::failure::Failure;
use crate::files::{STANDARD, replace};

/// Print a position as text, or draw it as SVG
#[derive(Args)]
pub(crate) struct Show {
    /// The game
    variant: VariantId,
    /// The position; the game's start if left out or `-`
    fen: Option<String>,
    /// Draw it into this file instead; `-` for standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Show {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let position = position(self.variant, self.fen.as_deref())?;
        match self.svg {
            None => {
                anstream::print!("{}", text::board(&*position));
                Ok(())
            }
            Some(file) if file.as_os_str() == STANDARD => {
                super::print(|out| out.write_all(svg::diagram(&*position).as_bytes()))
            }
            Some(file) => replace("--svg", &file, &svg::diagram(&*position)),
        }
    }
}
