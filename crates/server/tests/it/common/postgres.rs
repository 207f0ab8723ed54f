//! A real PostgreSQL server in a temporary folder, one a test program, gone with it.

use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sqlx::{Connection, Executor};

/// `nobody`: PostgreSQL refuses to run as root.
const NOBODY: u32 = 65534;

/// Waits for its input to end, which it does with the test program however that ends, then stops the server and
/// takes its folder away.
const GUARD: &str =
    r#"folder=$1; shift; "$@" & server=$!; cat >/dev/null; kill -QUIT $server; wait $server; rm -rf "$folder""#;

pub(crate) struct Server {
    pub(crate) port: u16,
    _guard: Child,
    _alive: ChildStdin,
}

/// The URL of a database that nobody has used.
pub(crate) async fn fresh_database() -> Option<String> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = tokio::task::spawn_blocking(|| SERVER.get_or_init(Server::start)).await.unwrap().as_ref()?;
    let name = format!("test{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let mut admin = connect(server.port).await.unwrap();
    admin.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    Some(format!("postgres://postgres@127.0.0.1:{}/{name}", server.port))
}

async fn connect(port: u16) -> Result<sqlx::PgConnection, sqlx::Error> {
    sqlx::PgConnection::connect(&format!("postgres://postgres@127.0.0.1:{port}/postgres")).await
}

/// Where the programs are. Debian keeps them out of the path.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut places: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    places.sort();
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    places.into_iter().rev().find(|place| place.join("initdb").is_file() && place.join("postgres").is_file())
}

impl Server {
    pub(crate) fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(std::env::var_os("CI").is_none(), "PostgreSQL is not installed (Debian: postgresql)");
            eprintln!("SKIPPED on PostgreSQL: it is not installed (Debian: postgresql)");
            return None;
        };
        // Kept: it is taken away by the guard, when the server is down.
        let folder = tempfile::Builder::new().prefix("warpchess-pg").tempdir().unwrap().keep();
        let as_root = folder.metadata().is_ok_and(|it| std::os::unix::fs::MetadataExt::uid(&it) == 0);
        if as_root {
            chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let command = |program: &Path| {
            let mut command = Command::new(program);
            if as_root {
                command.uid(NOBODY).gid(NOBODY);
            }
            command.current_dir(&folder).env("LC_ALL", "C").stdout(Stdio::null());
            command
        };
        let data = folder.join("data");
        let made = command(&programs.join("initdb"))
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync", "-D"])
            .arg(&data)
            .status()
            .unwrap();
        assert!(made.success(), "initdb failed");

        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut guard = command(Path::new("/bin/sh"))
            .args(["-c", GUARD, "guard"])
            .arg(&folder)
            .arg(programs.join("postgres"))
            .arg("-D")
            .arg(&data)
            .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=300"])
            .args(["-c", "fsync=off", "-c", "shared_buffers=32MB", "-k"])
            .arg(&folder)
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let alive = guard.stdin.take().unwrap();
        let server = Self { port, _guard: guard, _alive: alive };
        server.wait();
        Some(server)
    }

    /// Until it answers.
    fn wait(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let began = Instant::now();
        while let Err(error) = runtime.block_on(connect(self.port)) {
            assert!(began.elapsed() < Duration::from_secs(120), "PostgreSQL does not answer: {error}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
