//! A real PostgreSQL server.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sqlx::{Connection, Executor};

use super::service::{Service, program};

pub(crate) struct Postgres(Service);

/// The URL of a database that nobody has used, on a server that all tests of a program share.
pub(crate) async fn fresh_database() -> Option<String> {
    static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
    let server = tokio::task::spawn_blocking(|| SERVER.get_or_init(Postgres::start)).await.unwrap().as_ref()?;
    Some(server.database().await)
}

/// Where Debian keeps the programs, newest first: out of the path.
fn folders() -> Vec<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.sort();
    folders.reverse();
    folders
}

impl Postgres {
    /// A new server; `None` where it is not installed.
    pub(crate) fn start() -> Option<Self> {
        let initdb = program("initdb", folders(), "postgresql")?;
        let program = program("postgres", folders(), "postgresql")?;
        // A crash, of the program alone: what was written to files is there.
        let service = Service::new("pg", "QUIT", |folder, port| {
            let mut line = vec![program.into_os_string(), "-D".into(), folder.join("data").into_os_string()];
            line.extend(["-p".into(), OsString::from(port.to_string())]);
            let settings = ["listen_addresses=127.0.0.1", "max_connections=300", "fsync=off", "shared_buffers=32MB"];
            line.extend(settings.iter().flat_map(|setting| ["-c".into(), OsString::from(setting)]));
            line.extend(["-k".into(), folder.as_os_str().to_owned()]);
            line
        });
        let made = service
            .command(&initdb)
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync", "-D"])
            .arg(service.folder.join("data"))
            .status()
            .unwrap();
        assert!(made.success(), "initdb failed");
        let mut server = Self(service);
        server.resume();
        Some(server)
    }

    /// Ends it as if it had crashed.
    #[allow(dead_code)] // Not all test programs do.
    pub(crate) fn stop(&mut self) {
        self.0.stop();
    }

    /// Starts it, and waits until it answers.
    pub(crate) fn resume(&mut self) {
        self.0.start();
        let port = self.0.port;
        // Callers may be in a runtime, which must not wait for another.
        let answers = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let began = Instant::now();
            while let Err(error) = runtime.block_on(connect(port)) {
                assert!(began.elapsed() < Duration::from_secs(120), "PostgreSQL does not answer: {error}");
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        answers.join().unwrap();
    }

    /// The URL of a database that nobody has used.
    pub(crate) async fn database(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut admin = connect(self.0.port).await.unwrap();
        admin.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.0.port)
    }
}

async fn connect(port: u16) -> Result<sqlx::PgConnection, sqlx::Error> {
    sqlx::PgConnection::connect(&format!("postgres://postgres@127.0.0.1:{port}/postgres")).await
}
