//! A real server program of others in a temporary folder, gone with the test program however that ends.

use std::ffi::OsString;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// `nobody`: some programs refuse to run as root.
const NOBODY: u32 = 65534;

/// Waits for a word, or for its input to end, which it does with the test program; then ends the server, and takes the folder
/// away unless the word says that it is still needed.
const GUARD: &str = r#"
folder=$1; signal=$2; shift 2
"$@" & server=$!
read -r word
kill "-$signal" $server; wait $server
[ "$word" = keep ] || rm -rf "$folder""#;

/// A program, running or not.
pub(crate) struct Service {
    pub(crate) folder: PathBuf,
    pub(crate) port: u16,
    /// By which it is ended: not kindly.
    signal: &'static str,
    line: Vec<OsString>,
    guard: Option<Child>,
}

impl Service {
    /// Not started yet. `line` makes its command line from its folder and its port.
    pub(crate) fn new(name: &str, signal: &'static str, line: impl FnOnce(&Path, u16) -> Vec<OsString>) -> Self {
        // Kept: it is taken away by the guard, when the server is down.
        let folder = tempfile::Builder::new().prefix(&format!("warpchess-{name}")).tempdir().unwrap().keep();
        if as_root(&folder) {
            chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let line = line(&folder, port);
        Self { folder, port, signal, line, guard: None }
    }

    /// A command that runs in its folder, and not as root.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        if as_root(&self.folder) || is_nobodys(&self.folder) {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.current_dir(&self.folder).env("LC_ALL", "C").stdout(Stdio::null());
        command
    }

    pub(crate) fn start(&mut self) {
        let guard = self
            .command(Path::new("/bin/sh"))
            .args(["-c", GUARD, "guard"])
            .arg(&self.folder)
            .arg(self.signal)
            .args(&self.line)
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        self.guard = Some(guard.unwrap());
    }

    /// Ends it as if it had crashed. It can be started again.
    #[allow(dead_code)] // Not all test programs do.
    pub(crate) fn stop(&mut self) {
        let Some(mut guard) = self.guard.take() else { return };
        let mut word = guard.stdin.take().unwrap();
        word.write_all(b"keep\n").unwrap();
        guard.wait().unwrap();
    }
}

fn as_root(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|it| std::os::unix::fs::MetadataExt::uid(&it) == 0)
}

fn is_nobodys(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|it| std::os::unix::fs::MetadataExt::uid(&it) == NOBODY)
}

/// A program that has to be there, found in these folders or in the path. Where tests are run for others it is an error
/// when it is missing.
pub(crate) fn program(name: &str, folders: Vec<PathBuf>, package: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut all = folders.into_iter().chain(std::env::split_paths(&path)).map(|folder| folder.join(name));
    let found = all.find(|program| program.is_file());
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "{name} is not installed (Debian: {package})");
        eprintln!("SKIPPED: {name} is not installed (Debian: {package})");
    }
    found
}
