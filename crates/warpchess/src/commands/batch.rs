//! `warpchess batch`.

use std::io::{self, BufRead, Write};

use clap::Args;
use warpchess_rules::VariantId;

use crate::failure::{Failure, printable};

/// Answer lines `variant<TAB>fen<TAB>depth` on standard input with perft counts
#[derive(Args)]
pub(crate) struct Batch {}

impl Batch {
    /// One line of output a line of input, at once, so that another program can ask and wait for the answer.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut input = io::stdin().lock();
        let mut out = io::stdout().lock();
        let mut line = Vec::new();
        let (mut lines, mut bad) = (0u64, 0u64);
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) => break,
                Ok(_) => lines += 1,
                Err(error) => return Err(Failure::bad_input(format_args!("cannot read line {}: {error}", lines + 1))),
            }
            let answer = answer(&line).map_or_else(
                |problem| {
                    bad += 1;
                    printable(&format!("error: line {lines}: {problem}"))
                },
                |count| count.to_string(),
            );
            match writeln!(out, "{answer}").and_then(|()| out.flush()) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                Err(error) => return Err(Failure::bad_input(format_args!("cannot write to standard output: {error}"))),
            }
        }
        match bad {
            0 => Ok(()),
            _ => Err(Failure::failed(format_args!("{bad} of {lines} lines could not be answered"))),
        }
    }
}

fn answer(line: &[u8]) -> Result<u64, String> {
    let line = std::str::from_utf8(line).map_err(|error| format!("not UTF-8 text: {error}"))?;
    let fields: Vec<&str> = line.trim_end_matches(['\n', '\r']).split('\t').collect();
    let &[variant, fen, depth] = &fields[..] else {
        return Err(format!("{} tab-separated fields, 3 expected (variant, fen, depth)", fields.len()));
    };
    let variant: VariantId = variant.parse().map_err(|error| format!("{error}"))?;
    let depth: u32 = depth.trim().parse().map_err(|_| format!("depth '{:.20}' is not a whole number from 0", depth))?;
    let position = variant.from_fen(fen).map_err(|error| error.to_string())?;
    Ok(position.perft(depth))
}
