//! `warpchess variants`.

use clap::Args;
use serde_json::Value;
use warpchess_rules::VariantId;

use super::print;
use crate::failure::Failure;

/// List the games
#[derive(Args)]
pub(crate) struct Variants {
    /// Print everything about each as JSON: boards, areas, pieces, markers, kinds of moves
    #[arg(long)]
    json: bool,
}

impl Variants {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let infos = VariantId::all().map(VariantId::info);
        if self.json {
            let all = Value::Array(infos.map(|info| info.to_json()).collect());
            return print(|out| writeln!(out, "{all:#}"));
        }
        print(|out| {
            let width = infos.clone().map(|info| info.id.len()).max().unwrap_or(0);
            for info in infos {
                writeln!(out, "{:width$}  {}: {}", info.id, info.names[0], info.summary[0])?;
            }
            Ok(())
        })
    }
}
