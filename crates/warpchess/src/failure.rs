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

    /// The input cannot be understood: exit code 2. The message says what, where, and what was expected.
    pub(crate) fn bad_input(message: impl Display) -> Self {
        Failure { code: 2, message: message.to_string() }
    }

    /// Tells it on standard error.
    pub(crate) fn report(self) -> ExitCode {
        eprintln!("error: {}", self.message);
        ExitCode::from(self.code)
    }
}
