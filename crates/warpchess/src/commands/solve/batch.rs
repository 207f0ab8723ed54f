//! Many problems from a file, in the manner of EPD.

use std::path::Path;

use warpchess_rules::notation::san;

use super::{Ending, Solve, Solved, json, text};
use crate::commands::{START, print};
use crate::failure::{Failure, printable};

/// Operations of a line that end its FEN.
const OPERATIONS: [&str; 4] = ["dm", "mate", "id", "bm"];

/// One line of the file.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    fen: String,
    mate: Option<u32>,
    id: Option<String>,
}

impl Line {
    /// `FEN dm 3; id "name";` with the operations in any order; `FEN; mate 3` is understood, too.
    fn read(line: &str) -> Result<Self, String> {
        let (mut fen, mut operations) = (Vec::new(), Vec::new());
        for (i, part) in line.split(';').enumerate() {
            let words: Vec<&str> = part.split_whitespace().collect();
            let from =
                if i == 0 { words.iter().position(|word| OPERATIONS.contains(word)).unwrap_or(words.len()) } else { 0 };
            let (before, operation) = words.split_at(from);
            fen.extend_from_slice(before);
            if !operation.is_empty() {
                operations.push(operation.to_vec());
            }
        }
        let mut read = Self { fen: fen.join(" "), mate: None, id: None };
        for operation in operations {
            match operation[..] {
                ["dm" | "mate", number] => {
                    read.mate = Some(number.parse().map_err(|_| format!("'{number}' is no number of moves"))?);
                }
                ["dm" | "mate", ..] => return Err(format!("'{}': one number expected", operation.join(" "))),
                ["id", ref words @ ..] => read.id = Some(words.join(" ").trim_matches('"').to_owned()),
                _ => {}
            }
        }
        Ok(read)
    }
}

impl Solve {
    fn solve_line(&self, line: &str) -> Result<(Option<String>, Solved), Failure> {
        let Line { fen, mate, id } = Line::read(line).map_err(Failure::bad_input)?;
        let mate = mate.or(self.mate);
        let mate = mate.ok_or_else(|| Failure::bad_input("no number of moves: `dm N` or --mate N expected"))?;
        let solved = match self.solve(&fen, mate) {
            // An EPD has no clocks, and a problem needs none.
            Err(error) if !START.contains(&&*fen) => self.solve(&format!("{fen} 0 1"), mate).map_err(|_| error)?,
            solved => solved?,
        };
        Ok((id, solved))
    }
}

/// Solves every line, tells of each, and ends like the worst of them.
pub(super) fn run(args: &Solve, file: &Path) -> Result<(), Failure> {
    let content =
        if file.as_os_str() == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(file) };
    let content =
        content.map_err(|error| Failure::bad_input(format_args!("cannot read {}: {error}", file.display())))?;
    let mut worst = Ending::Mate;
    let mut all = Vec::new();
    for (i, line) in content.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let number = i + 1;
        match args.solve_line(line) {
            Err(failure) => {
                worst = Ending::BadInput;
                eprintln!("{}:{number}: {}", printable(&file.display().to_string()), printable(failure.message()));
            }
            Ok((id, solved)) => {
                worst = worst.max(Ending::of(&solved.solution));
                print(|out| {
                    if args.json {
                        let mut value = json::solved(&solved);
                        value["line"] = number.into();
                        value["id"] = id.into();
                        return writeln!(out, "{value}");
                    }
                    let name = id.map_or_else(|| number.to_string(), |id| printable(&id));
                    let keys = solved
                        .solution
                        .keys
                        .iter()
                        .map(|key| format!("{} {}", key.m, san::write(&*solved.start, key.m)));
                    let keys: Vec<String> = keys.collect();
                    writeln!(out, "{name}\t{}\t{}", text::verdict(&solved), keys.join(", "))
                })?;
                if args.pgn.is_some() {
                    all.push(solved);
                }
            }
        }
    }
    args.write_pgn(&all)?;
    worst.exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_a_fen_and_operations() {
        let read = |line| Line::read(line).expect("a good line");
        let epd = read("8/8/8/8/8/5k1K/8/q7 b - - dm 3; id \"Loyd 1\"; c0 \"x\";");
        let fen = "8/8/8/8/8/5k1K/8/q7 b - -";
        assert_eq!(epd, Line { fen: fen.into(), mate: Some(3), id: Some("Loyd 1".into()) });
        assert_eq!(read("8/8/8/8/8/5k1K/8/q7 b - -; mate 3"), Line { fen: fen.into(), mate: Some(3), id: None });
        assert_eq!(read(fen), Line { fen: fen.into(), mate: None, id: None });
        assert!(Line::read("8/8 b - - dm x;").is_err() && Line::read("8/8 b - - dm;").is_err());
    }
}
