//! Lines of output, from two threads.

use std::fmt::Display;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where answers go. Each call writes whole lines and hands them on at once.
pub(crate) struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    pub(crate) fn new(to: W) -> Self {
        Self(Mutex::new(to))
    }
    fn lock(&self) -> MutexGuard<'_, W> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Writes a line or several. Nobody is left to be told if that fails.
    pub(crate) fn say(&self, lines: impl Display) {
        let mut to = self.lock();
        let _ = writeln!(to, "{lines}").and_then(|()| to.flush());
    }
    /// Tells something to people, in one line whatever the text holds.
    pub(crate) fn note(&self, text: impl Display) {
        let text: String = text.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.say(format_args!("info string {}", text.trim_end()));
    }
    /// Tells what was wrong with a command.
    pub(crate) fn error(&self, text: impl Display) {
        self.note(format_args!("error: {text}"));
    }
}
