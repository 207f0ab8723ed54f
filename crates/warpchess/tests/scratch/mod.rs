//! A folder for a test's files.
#![allow(dead_code, reason = "each test file that takes this in uses a part of it")]

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A folder that is gone when the test ends.
pub(crate) struct Scratch(TempDir);

impl Scratch {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
    /// The path of a file in it, which need not be there.
    pub(crate) fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path().join(name), content).expect("a file");
        self.file(name)
    }
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a file")
    }
}
