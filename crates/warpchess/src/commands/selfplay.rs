//! `warpchess selfplay`.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use warpchess_engine::tuning::{Match, play};
use warpchess_rules::VariantId;

use super::tune::read_weights;
use crate::failure::Failure;
use crate::files::Files;
use crate::numbers::between;

const FORMAT: &str = "\
A line of the file is a quiet position: its FEN, the result of its game for White (1, 0.5 or 0) and what a search found it worth
for White, in hundredths of a pawn, parted by tabs. The first line tells the terms, and `# game N` ends each game: called again, the
command goes on after the last game that is complete, and refuses if the terms differ.

  warpchess selfplay chess --games 2000 --nodes 4000 --out chess.tsv
  warpchess tune chess --in chess.tsv --out weights.tsv";

/// Play the engine against itself and write the positions that an evaluation can learn from
#[derive(Args)]
#[command(after_help = FORMAT)]
pub(crate) struct SelfPlay {
    /// The game
    variant: VariantId,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = between(1u64..=100_000_000))]
    games: u64,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = Match::default().nodes, value_parser = between(1..=u64::MAX))]
    nodes: u64,
    /// Plies played at random at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = between(0u16..=100))]
    random: u16,
    /// Makes the openings; the same seed makes the same games
    #[arg(long, value_name = "N", default_value_t = Match::default().seed, value_parser = between(0..=u64::MAX))]
    seed: u64,
    /// Games at a time; the file comes out the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = between(1u16..=512))]
    concurrency: u16,
    /// Numbers of the evaluation instead of those built in
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The file to write, or to go on with
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl SelfPlay {
    pub(crate) fn run(self) -> Result<(), Failure> {
        Files::default().read("--weights", self.weights.as_deref()).write("--out", Some(&self.out)).check()?;
        let weights = self.weights.as_deref().map(|path| read_weights(path, self.variant)).transpose()?;
        let terms = Match { nodes: self.nodes, seed: self.seed, random: usize::from(self.random), weights };
        let mut header =
            format!("# selfplay {} --nodes {} --random {} --seed {}", self.variant, self.nodes, self.random, self.seed);
        if let Some(weights) = &terms.weights {
            header += &format!(" --weights of {:08x}", checksum(&weights.to_string()));
        }
        let (mut file, first) = self.open(&header)?;
        let bar = bar(self.games);
        bar.set_position(first.min(self.games));
        let (next, failed) = (AtomicU64::new(first), AtomicBool::new(false));
        let (send, receive) = mpsc::channel::<(u64, Vec<String>)>();
        let mut positions = 0u64;
        let done = std::thread::scope(|scope| {
            for _ in 0..self.concurrency {
                let (send, next, failed, terms) = (send.clone(), &next, &failed, &terms);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        if number >= self.games || failed.load(Relaxed) {
                            break;
                        }
                        if send.send((number, play(self.variant, terms, number))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(send);
            // Games end in any order and are written in theirs.
            let mut waiting = BTreeMap::new();
            let mut due = first;
            for (number, lines) in receive {
                waiting.insert(number, lines);
                while let Some(lines) = waiting.remove(&due) {
                    positions += lines.len() as u64;
                    due += 1;
                    let mut text = lines.join("\n");
                    if !text.is_empty() {
                        text.push('\n');
                    }
                    text += &format!("# game {due}\n");
                    if let Err(error) = file.write_all(text.as_bytes()) {
                        failed.store(true, Relaxed);
                        return Err(error);
                    }
                    bar.set_position(due);
                    bar.set_message(format!("{positions} positions"));
                }
            }
            Ok(())
        });
        bar.finish_and_clear();
        done.map_err(|error| self.trouble("write", &error))?;
        if std::io::stderr().is_terminal() {
            let played = self.games.saturating_sub(first);
            eprintln!("{played} games, {positions} positions added to {}", self.out.display());
        }
        Ok(())
    }

    fn trouble(&self, what: &str, error: &std::io::Error) -> Failure {
        Failure::bad_input(format_args!("cannot {what} '{}': {error}", self.out.display()))
    }

    /// The file ready to be written on, and how many games it has. What follows its last complete game is cut off.
    fn open(&self, header: &str) -> Result<(File, u64), Failure> {
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.out)
            .map_err(|error| self.trouble("open", &error))?;
        // It is read to its end, which a device may not have.
        if !file.metadata().is_ok_and(|found| found.is_file()) {
            return Err(Failure::bad_input(format_args!("--out {}: a regular file expected", self.out.display())));
        }
        let mut text = String::new();
        if let Err(error) = file.read_to_string(&mut text) {
            return Err(match error.kind() {
                std::io::ErrorKind::InvalidData => Failure::bad_input(format_args!(
                    "'{}' is no file of this command: it is no text; nothing was changed",
                    self.out.display()
                )),
                _ => self.trouble("read", &error),
            });
        }
        let (kept, games) = if text.is_empty() || !text.contains('\n') && header.starts_with(&*text) {
            (0, 0)
        } else {
            let first = text.lines().next().unwrap_or_default();
            if first != header {
                let said: String = first.chars().take(120).collect();
                return Err(Failure::bad_input(format_args!(
                    "'{}' begins with '{said}', '{header}' expected; nothing was changed",
                    self.out.display()
                )));
            }
            complete(&text)
        };
        file.set_len(kept).map_err(|error| self.trouble("write", &error))?;
        file.seek(SeekFrom::End(0)).map_err(|error| self.trouble("write", &error))?;
        if kept == 0 {
            writeln!(file, "{header}").map_err(|error| self.trouble("write", &error))?;
        }
        Ok((file, games))
    }
}

/// How much of a file belongs to complete games, in bytes, and how many there are.
fn complete(text: &str) -> (u64, u64) {
    let mut at = 0;
    let (mut kept, mut games) = (text.find('\n').map_or(0, |i| i + 1), 0);
    for line in text.split_inclusive('\n') {
        at += line.len();
        if let Some(number) = line.strip_prefix("# game ").and_then(|n| n.strip_suffix('\n'))
            && let Ok(number) = number.parse()
        {
            (kept, games) = (at, number);
        }
    }
    (kept as u64, games)
}

/// FNV-1a, to tell one set of numbers from another in a file's first line.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Progress, on a terminal only.
fn bar(total: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template("[{bar:40}] {pos}/{len} games, {msg}, {eta} to go") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_last_complete_game_is_cut_off() {
        let head = "# selfplay chess\n";
        let one = "fen\t1\t20\n# game 1\n";
        assert_eq!(complete(head), (head.len() as u64, 0));
        assert_eq!(complete(&format!("{head}{one}")), ((head.len() + one.len()) as u64, 1));
        for tail in ["fen\t1\t3\n", "fen\t1", "# game 2", "# game x\n"] {
            assert_eq!(complete(&format!("{head}{one}{tail}")), ((head.len() + one.len()) as u64, 1), "{tail}");
        }
    }
}
