//! Many problems from a file, in the manner of EPD.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use warpchess_rules::notation::san;

use super::{Ending, Solve, Solved, json, text};
use crate::commands::{START, print};
use crate::failure::{Failure, printable};
use crate::files::{Growing, STANDARD};

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
        let mut read = Self { fen: String::new(), mate: None, id: None };
        for (i, part) in parts(line)?.into_iter().enumerate() {
            let from = if i == 0 { operation(part) } else { 0 };
            let (before, operation) = part.split_at(from);
            read.fen.push_str(before.trim());
            let (word, value) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
            let value = value.trim();
            match word {
                "dm" | "mate" if value.is_empty() || value.contains(char::is_whitespace) => {
                    return Err(format!("'{operation}': one number expected"));
                }
                "dm" | "mate" => {
                    read.mate = Some(value.parse().map_err(|_| format!("'{value}' is no number of moves"))?);
                }
                "id" => read.id = Some(value.trim_matches('"').to_owned()),
                _ => {}
            }
        }
        read.fen = read.fen.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(read)
    }
}

/// The parts of a line between semicolons that do not stand in quotes.
fn parts(line: &str) -> Result<Vec<&str>, String> {
    let (mut parts, mut from, mut quoted) = (Vec::new(), 0, false);
    for (i, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => {
                parts.push(line[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    if quoted {
        return Err("a \" is not closed".into());
    }
    parts.push(line[from..].trim());
    Ok(parts)
}

/// Where the first operation after a FEN begins.
fn operation(part: &str) -> usize {
    let mut words = part.split_whitespace();
    let word = words.find(|word| OPERATIONS.contains(word));
    // A word is a piece of the text it was found in.
    word.map_or(part.len(), |word| word.as_ptr() as usize - part.as_ptr() as usize)
}

/// Whether a FEN ends with a number, as its clocks do.
fn has_clocks(fen: &str) -> bool {
    fen.rsplit(' ').next().is_some_and(|last| !last.is_empty() && last.bytes().all(|c| c.is_ascii_digit()))
}

impl Solve {
    fn solve_line(&self, line: &str) -> Result<(Option<String>, Solved), Failure> {
        let Line { fen, mate, id } = Line::read(line).map_err(Failure::bad_input)?;
        let mate = mate.or(self.mate);
        let mate = mate.ok_or_else(|| Failure::bad_input("no number of moves: `dm N` or --mate N expected"))?;
        // An EPD has no clocks, and a problem needs none.
        let with_clocks = format!("{fen} 0 1");
        let readable = |fen: &str| self.variant.from_fen(fen).is_ok();
        // Where neither can be read, the error is to be told of what is there.
        let as_it_is = START.contains(&&*fen) || readable(&fen) || !readable(&with_clocks) && has_clocks(&fen);
        let fen = if as_it_is { fen } else { with_clocks };
        Ok((id, self.solve(&fen, mate)?))
    }

    /// One line of output, or an object; then what was asked for besides.
    fn tell(&self, out: &mut dyn Write, number: usize, id: Option<String>, solved: &Solved) -> io::Result<()> {
        if self.json {
            let mut value = json::solved(solved);
            value["line"] = number.into();
            value["id"] = id.into();
            return writeln!(out, "{value}");
        }
        let name = id.map_or_else(|| number.to_string(), |id| printable(&id));
        let keys = solved.solution.keys.iter().map(|key| format!("{} {}", key.m, san::write(&*solved.start, key.m)));
        let keys: Vec<String> = keys.collect();
        writeln!(out, "{name}\t{}\t{}", text::verdict(solved), keys.join(", "))?;
        text::details(out, solved, self.tree)
    }
}

/// Solves every line, tells of each at once, and ends like the worst of them.
pub(super) fn run(args: &Solve, file: &Path) -> Result<(), Failure> {
    let bad = |error: io::Error| Failure::bad_input(format_args!("cannot read {}: {error}", file.display()));
    let mut input: Box<dyn BufRead> = match file.as_os_str() == STANDARD {
        true => Box::new(io::stdin().lock()),
        false => Box::new(BufReader::new(File::open(file).map_err(bad)?)),
    };
    let mut pgn = args.pgn.as_deref().map(|path| Growing::new("--pgn", path));
    let mut worst = None;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(bad)? == 0 {
            break;
        }
        let solved = match std::str::from_utf8(&line) {
            Ok(line) if line.trim().is_empty() || line.starts_with('#') => continue,
            Ok(line) => args.solve_line(line),
            Err(error) => Err(Failure::bad_input(format_args!("not UTF-8 text: {error}"))),
        };
        let ending = match solved {
            Err(failure) => {
                eprintln!("{}:{number}: {}", printable(&file.display().to_string()), printable(failure.message()));
                Ending::BadInput
            }
            Ok((id, solved)) => {
                print(|out| args.tell(out, number, id, &solved))?;
                if let Some(pgn) = &mut pgn {
                    let blank = if pgn.is_new() { "" } else { "\n" };
                    pgn.add(&format!("{blank}{}", solved.pgn()?))?;
                }
                Ending::of(&solved.solution)
            }
        };
        worst = worst.max(Some(ending));
    }
    match worst {
        Some(worst) => worst.exit(),
        None => Err(Failure::bad_input(format_args!(
            "{}: no problem in it, lines of a FEN and a number of moves expected",
            file.display()
        ))),
    }
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
        let quoted = read("8/8/8/8/8/5k1K/8/q7 b - - id \"a;b  c\"; dm 3;");
        assert_eq!(quoted, Line { fen: fen.into(), mate: Some(3), id: Some("a;b  c".into()) });
        assert_eq!(Line::read("8/8 b - - id \"a; dm 3;"), Err("a \" is not closed".into()));
        assert!(Line::read("8/8 b - - dm x;").is_err() && Line::read("8/8 b - - dm;").is_err());
    }
}
