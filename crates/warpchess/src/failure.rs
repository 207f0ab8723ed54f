//! How a command ends that could not do what it was asked.

use std::fmt::Display;
use std::process::ExitCode;

/// One sentence and an exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// Something that was to be done or checked came out badly: exit code 1.
    pub(crate) fn failed(message: impl Display) -> Self {
        Failure { code: 1, message: message.to_string() }
    }

    /// The input cannot be understood, or a file cannot be read or written: exit code 2. The message says what, where, and what was expected.
    pub(crate) fn bad_input(message: impl Display) -> Self {
        Failure { code: 2, message: message.to_string() }
    }

    /// An exit code alone, for commands that have already told why.
    pub(crate) fn silent(code: u8) -> Self {
        Failure { code, message: String::new() }
    }

    /// The sentence.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Tells it on standard error.
    pub(crate) fn report(self) -> ExitCode {
        if !self.message.is_empty() {
            eprintln!("error: {}", printable(&self.message));
        }
        ExitCode::from(self.code)
    }
}

/// A message that quotes input, on one line and without what would drive a terminal: control characters are written out.
pub(crate) fn printable(message: &str) -> String {
    message.chars().fold(String::with_capacity(message.len()), |mut text, c| {
        if c.is_control() {
            text.extend(c.escape_default())
        } else {
            text.push(c)
        }
        text
    })
}
