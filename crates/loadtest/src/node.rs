//! A server of the test's own.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::LoadError;

/// A server process, ended when it is dropped.
#[derive(Debug)]
pub struct Node {
    child: Child,
    /// Where it is.
    pub url: String,
}

impl Node {
    /// Starts one on a free port, with limits that let one address do everything.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(program: &Path, database: &str, bus: &str) -> Result<Self, LoadError> {
        let failed = |why: &dyn std::fmt::Display| LoadError::Server(why.to_string());
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--workers", "0", "--database", database, "--bus", bus];
        let limits = ["--max-requests", "--max-logins", "--max-connections", "--max-connections-of-one"];
        let mut child = Command::new(program)
            .args(arguments.map(OsStr::new))
            .args(limits.iter().flat_map(|limit| [limit, "0"]))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        let output = child.stdout.take();
        let mut node = Self { child, url: String::new() };
        let mut line = String::new();
        let mut output = BufReader::new(output.ok_or_else(|| failed(&"it has no standard output"))?);
        output.read_line(&mut line).map_err(|error| failed(&error))?;
        let url = line.split_ascii_whitespace().find(|word| word.starts_with("http://"));
        node.url = url.ok_or_else(|| failed(&"it ended before it told its address"))?.to_owned();
        // What else it says is said to nobody, but it must not fail for that.
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        Ok(node)
    }
    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
