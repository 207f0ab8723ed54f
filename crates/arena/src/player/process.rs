//! A program, its lines of input and its lines of output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use warpchess_engine::Signals;
use warpchess_rules::notation::fen::excerpt;

use super::Fault;
use crate::spec::Program;

/// How often a wait looks whether it still makes sense.
const LOOK: Duration = Duration::from_millis(50);
/// How long a program may take to end when it is told to.
const FAREWELL: Duration = Duration::from_millis(500);

/// Ended when dropped.
pub(super) struct Process<'a> {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    /// The last that it said on its standard error.
    complaint: Arc<Mutex<String>>,
    cancel: &'a Signals,
}

impl<'a> Process<'a> {
    pub(super) fn start(program: &Program, cancel: &'a Signals) -> Result<Self, Fault> {
        let mut command = Command::new(&program.file);
        command.args(&program.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &program.dir {
            command.current_dir(dir);
        }
        let file = program.file.display();
        let mut child =
            command.spawn().map_err(|error| Fault::Start(format!("'{file}' cannot be started: {error}")))?;
        let input = child.stdin.take();
        let (sender, lines) = channel();
        if let Some(output) = child.stdout.take() {
            // These threads end with the program, whose ends of the pipes they read.
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                while output.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                    let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                    if sender.send((Instant::now(), text)).is_err() {
                        return;
                    }
                    line.clear();
                }
            });
        }
        let complaint = Arc::new(Mutex::new(String::new()));
        if let Some(errors) = child.stderr.take() {
            let complaint = Arc::clone(&complaint);
            thread::spawn(move || {
                for line in BufReader::new(errors).lines().map_while(Result::ok) {
                    if !line.trim().is_empty() {
                        *complaint.lock().unwrap_or_else(PoisonError::into_inner) = excerpt(line.trim());
                    }
                }
            });
        }
        Ok(Self { child, input, lines, complaint, cancel })
    }

    /// Tells it something.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Fault> {
        let written = self.input.as_mut().map(|input| writeln!(input, "{line}").and_then(|()| input.flush()));
        match written {
            Some(Ok(())) => Ok(()),
            _ => Err(self.obituary()),
        }
    }

    /// The next line, and when it came; `None` when the time is over.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Fault> {
        loop {
            if self.cancel.stopped() {
                return Err(Fault::Cancelled);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.obituary()),
            }
        }
    }

    /// Lines up to one that begins so; `each` hears those before it. `None` when the time is over.
    pub(super) fn until(
        &mut self,
        word: &str,
        deadline: Instant,
        mut each: impl FnMut(&str),
    ) -> Result<Option<(Instant, String)>, Fault> {
        loop {
            match self.line(deadline)? {
                None => return Ok(None),
                Some((at, line)) if line.split_whitespace().next() == Some(word) => return Ok(Some((at, line))),
                Some((_, line)) => each(&line),
            }
        }
    }

    /// How it ended.
    fn obituary(&mut self) -> Fault {
        let deadline = Instant::now() + FAREWELL;
        let mut status = None;
        while status.is_none() && Instant::now() < deadline {
            status = self.child.try_wait().ok().flatten();
            thread::sleep(Duration::from_millis(2));
        }
        let how = status.map_or_else(|| "its output was closed".to_owned(), |status| status.to_string());
        let said = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        Fault::Died(if said.is_empty() { how } else { format!("{how}; it said '{said}'") })
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        // Politely first: some programs have children of their own.
        let _ = self.say_quit();
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process<'_> {
    fn say_quit(&mut self) -> std::io::Result<()> {
        self.input.as_mut().map_or(Ok(()), |input| writeln!(input, "quit").and_then(|()| input.flush()))
    }
}
