//! What has been played, in a file, so that a match, or another long run of games, can be taken up again.
//!
//! JSON, one object a line: the terms of the run, then a line a finished game, written when the game is over. A line that was
//! not written to its end (the machine went down) is cut off.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::adjudicate::Adjudication;
use crate::control::Control;
use crate::openings::Plan;

const FORMAT: u32 = 1;

/// What must be the same for games to belong to one run.
pub trait Terms: Serialize + DeserializeOwned {
    /// What such a run is called.
    const KIND: &'static str;
    /// The name of the first field, by which the files are known.
    const MARK: &'static str;
    /// What each part is called, and its value as it is told when it differs.
    fn parts(&self) -> Vec<(&'static str, String)>;
}

/// A finished game.
pub trait Entry: Serialize + DeserializeOwned {
    /// What is wrong with its values, if anything.
    fn fault(&self) -> Option<String> {
        None
    }
}

/// What must be the same for games to belong to one match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct MatchTerms {
    /// The form of the file.
    pub(crate) warpchess_match: u32,
    pub(crate) variant: String,
    pub(crate) first: String,
    pub(crate) second: String,
    /// Sums of the numbers of the evaluation that they were given.
    #[serde(skip_serializing_if = "is_none_of_two", default)]
    pub(crate) weights: [Option<String>; 2],
    pub(crate) control: Control,
    pub(crate) openings: Plan,
    pub(crate) adjudication: Adjudication,
    pub(crate) max_plies: usize,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct MatchEntry {
    /// From 0; the games of a pair follow each other, in the first of them the first engine is White.
    pub(crate) game: u64,
    /// Twice the points of the first engine.
    pub(crate) points: u8,
    /// The opening.
    pub(crate) fen: String,
    pub(crate) ending: String,
    /// Whose fault it was (`first` or `second`), if a fault ended it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) fault: Option<String>,
    pub(crate) plies: usize,
    /// Length of the PGN file with this game in it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) pgn_bytes: Option<u64>,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// It is no journal.
    #[error("{}: line {line} is no record of a {kind}: {problem}", path.display())]
    Content {
        /// What was expected there.
        kind: &'static str,
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// It belongs to another run.
    #[error("{}: this is the state of another {kind}: {what} was {there}, not {here}", path.display())]
    Other {
        /// What such a run is called.
        kind: &'static str,
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// In the file.
        there: String,
        /// Now.
        here: String,
    },
}

/// An open journal.
#[derive(Debug)]
pub struct Journal<T, E> {
    path: PathBuf,
    file: File,
    holds: PhantomData<fn(T, E)>,
}

fn is_none_of_two(sums: &[Option<String>; 2]) -> bool {
    sums.iter().all(Option::is_none)
}

impl MatchTerms {
    pub(crate) const FORMAT: u32 = FORMAT;
}

/// A value as it is told in an error.
pub fn told(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl Terms for MatchTerms {
    const KIND: &'static str = "match";
    const MARK: &'static str = "warpchess_match";
    fn parts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("the form of the file", told(&self.warpchess_match)),
            ("the game", told(&self.variant)),
            ("the first engine", told(&self.first)),
            ("the second engine", told(&self.second)),
            ("the sum of the first engine's weights", told(&self.weights[0])),
            ("the sum of the second engine's weights", told(&self.weights[1])),
            ("the limit", told(&self.control)),
            ("the openings", told(&self.openings)),
            ("the adjudication", told(&self.adjudication)),
            ("the greatest length", told(&self.max_plies)),
        ]
    }
}

impl Entry for MatchEntry {
    fn fault(&self) -> Option<String> {
        (self.points > 2).then(|| format!("{} half points", self.points))
    }
}

impl<T: Terms, E: Entry> Journal<T, E> {
    /// Opens the journal of a run and reads what was played; begins one where there is none.
    ///
    /// # Errors
    /// When the file cannot be read or written, is no journal, or belongs to another run.
    pub fn open(path: &Path, terms: &T) -> Result<(Self, Vec<E>), JournalError> {
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        // It is read to its end, which a device may not have.
        if !file.metadata().map_err(io)?.is_file() {
            return Err(io(std::io::Error::other("a regular file expected")));
        }
        let content = |line, problem| JournalError::Content { kind: T::KIND, path: path.to_owned(), line, problem };
        let (mut entries, mut good) = (Vec::new(), 0);
        let mut reader = BufReader::new(&mut file);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(io)?;
            // What has no end was being written when the power failed.
            if line.last() != Some(&b'\n') {
                break;
            }
            if number == 1 {
                let there: T = serde_json::from_slice(&line).map_err(|error| content(number, error.to_string()))?;
                let differs = |((_, there), (_, here)): &((&str, String), (&str, String))| there != here;
                if let Some(((what, there), (_, here))) = there.parts().into_iter().zip(terms.parts()).find(differs) {
                    return Err(JournalError::Other { kind: T::KIND, path: path.to_owned(), what, there, here });
                }
            } else {
                let entry: E = serde_json::from_slice(&line).map_err(|error| content(number, error.to_string()))?;
                if let Some(fault) = entry.fault() {
                    return Err(content(number, fault));
                }
                entries.push(entry);
            }
            good += length as u64;
        }
        // A file that is something else is not to be overwritten.
        let mark = format!("{{\"{}\"", T::MARK);
        if good == 0 && !line.is_empty() && !line.starts_with(mark.as_bytes()) {
            return Err(content(1, "it is another kind of file".into()));
        }
        file.set_len(good).and_then(|()| file.seek(SeekFrom::End(0))).map_err(io)?;
        let mut journal = Self { path: path.to_owned(), file, holds: PhantomData };
        if good == 0 {
            journal.write(terms)?;
        }
        Ok((journal, entries))
    }

    /// Notes a finished game, for good.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn note(&mut self, entry: &E) -> Result<(), JournalError> {
        self.write(entry)
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let written = serde_json::to_vec(value).map_err(std::io::Error::other).and_then(|mut line| {
            line.push(b'\n');
            self.file.write_all(&line)?;
            self.file.sync_data()
        });
        written.map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    struct Scratch(PathBuf);
    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("warpchess-journal-{}-{name}", std::process::id()));
            let _ = fs::remove_file(&path);
            Self(path)
        }
    }
    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    type Matches = Journal<MatchTerms, MatchEntry>;

    fn terms() -> MatchTerms {
        MatchTerms {
            warpchess_match: FORMAT,
            variant: "chess".into(),
            first: String::new(),
            weights: [None, None],
            second: "level=3".into(),
            control: Control::Nodes(100),
            openings: Plan::default(),
            adjudication: Adjudication::default(),
            max_plies: 400,
        }
    }
    fn entry(game: u64) -> MatchEntry {
        let (fen, ending) = ("8/8/8 w".into(), "checkmate".into());
        MatchEntry { game, points: 2, fen, ending, fault: None, plies: 30, pgn_bytes: Some(7) }
    }

    #[test]
    fn what_was_noted_is_there_again_but_for_a_line_without_end() {
        let scratch = Scratch::new("again");
        let (mut journal, before) = Matches::open(&scratch.0, &terms()).expect("a new journal");
        assert_eq!(before, []);
        journal.note(&entry(0)).and_then(|()| journal.note(&entry(3))).expect("a disk");
        drop(journal);
        let mut file = OpenOptions::new().append(true).open(&scratch.0).expect("the file");
        file.write_all(b"{\"game\":4,\"poi").expect("a disk");
        let (mut journal, entries) = Matches::open(&scratch.0, &terms()).expect("a journal");
        assert_eq!(entries, [entry(0), entry(3)]);
        journal.note(&entry(5)).expect("a disk");
        assert_eq!(Matches::open(&scratch.0, &terms()).expect("a journal").1.len(), 3);
    }

    #[test]
    fn the_state_of_another_match_is_refused() {
        let scratch = Scratch::new("other");
        Matches::open(&scratch.0, &terms()).expect("a new journal");
        let other = MatchTerms { control: Control::Nodes(200), ..terms() };
        let error = Matches::open(&scratch.0, &other).expect_err("another match").to_string();
        assert!(error.ends_with("the limit was {\"nodes\":100}, not {\"nodes\":200}"), "{error}");
    }

    #[test]
    fn another_file_is_never_overwritten() {
        let scratch = Scratch::new("poem");
        for text in ["Roses are red\n", "violets", "\n"] {
            fs::write(&scratch.0, text).expect("a disk");
            assert!(
                matches!(Matches::open(&scratch.0, &terms()), Err(JournalError::Content { line: 1, .. })),
                "{text}"
            );
            assert_eq!(fs::read_to_string(&scratch.0).expect("the file"), text);
        }
    }
}
