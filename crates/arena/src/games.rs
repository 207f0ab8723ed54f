//! Records of games in a file that grows while they are played.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why games cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct GamesError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub error: std::io::Error,
}

/// A PGN file that grows by a game at a time.
#[derive(Debug)]
pub struct Games {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Games {
    /// Opens the file. Games after the last that a journal knows of (`known` bytes) were not counted: they are cut off.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn open(path: &Path, known: Option<u64>) -> Result<Self, GamesError> {
        let opened = || {
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
            let there = file.metadata()?.len();
            if let Some(known) = known.filter(|&known| known < there) {
                file.set_len(known)?;
            }
            let length = file.seek(SeekFrom::End(0))?;
            Ok(Self { path: path.to_owned(), file, length })
        };
        opened().map_err(|error| GamesError { path: path.to_owned(), error })
    }

    /// Adds a game and tells the length of the file with it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, text: &str) -> Result<u64, GamesError> {
        let text = if self.length == 0 { text.to_owned() } else { format!("\n{text}") };
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.flush())
            .map_err(|error| GamesError { path: self.path.clone(), error })?;
        self.length += text.len() as u64;
        Ok(self.length)
    }
}
