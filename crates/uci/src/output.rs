//! Lines of output, from two threads.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where answers go. Each call writes whole lines and hands them on at once.
pub(crate) struct Output<W>(Mutex<To<W>>);

struct To<W> {
    writer: W,
    /// What went wrong first; nothing is written after that.
    failure: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub(crate) fn new(writer: W) -> Self {
        Self(Mutex::new(To { writer, failure: None }))
    }
    fn lock(&self) -> MutexGuard<'_, To<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Writes a line or several. If that fails, [`failed`](Self::failed) tells from then on.
    pub(crate) fn say(&self, lines: impl Display) {
        let To { writer, failure } = &mut *self.lock();
        if failure.is_none() {
            *failure = writeln!(writer, "{lines}").and_then(|()| writer.flush()).err();
        }
    }
    /// Whether nobody hears any more what is said.
    pub(crate) fn failed(&self) -> bool {
        self.lock().failure.is_some()
    }
    /// How a session over this output ends: that nobody listens any more is no failure of it.
    pub(crate) fn end(self) -> io::Result<()> {
        let To { failure, .. } = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.filter(|error| error.kind() != io::ErrorKind::BrokenPipe).map_or(Ok(()), Err)
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
