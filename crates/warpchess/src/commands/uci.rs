//! `warpchess uci`.

use std::io;

use clap::Args;

use crate::failure::Failure;

/// Speak the Universal Chess Interface, for other programs' boards
#[derive(Args)]
pub(crate) struct Uci {}

impl Uci {
    pub(crate) fn run(self) -> Result<(), Failure> {
        warpchess_uci::run(io::stdin().lock(), io::stdout())
            .map_err(|error| Failure::bad_input(format_args!("the session ended: {error}")))
    }
}
