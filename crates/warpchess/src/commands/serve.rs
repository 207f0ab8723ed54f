//! `warpchess serve`.

use std::io::{Write, stdout};
use std::net::{IpAddr, SocketAddr};
use std::path::absolute;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;
use warpchess_server::jobs::NODES;
use warpchess_server::limits::Limits;
use warpchess_server::{Config, shutdown_signal};

use crate::failure::Failure;

/// Serve the games in the browser, and let people play each other
#[derive(Args)]
pub(crate) struct Serve {
    /// The address to listen on, with or without a port; 0.0.0.0 for every address of this machine
    #[arg(long, value_name = "ADDRESS[:PORT]", env = "WARPCHESS_LISTEN", default_value = "127.0.0.1")]
    listen: Listen,

    /// The port to listen on where --listen names none; 0 for any that is free
    #[arg(long, value_name = "N", env = "PORT", default_value_t = 8080)]
    port: u16,

    /// Where games and accounts are kept: sqlite:FILE, sqlite::memory: or postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL", env = "WARPCHESS_DATABASE", default_value = "sqlite:warpchess.db")]
    database: String,

    /// Seconds that a request waits for the database before it is told that the database is away
    #[arg(long, value_name = "SECONDS", env = "WARPCHESS_DATABASE_PATIENCE",
        default_value_t = Config::default().database_patience.as_secs(), value_parser = crate::numbers::between(1u64..=60))]
    database_patience: u64,

    /// How several servers with one database tell each other what happened: nats://HOST:PORT; local for a server that is alone
    #[arg(long, value_name = "URL", env = "WARPCHESS_BUS", default_value = "local")]
    bus: String,

    /// Where the server is seen from outside, as in `https://chess.example.org`
    #[arg(long, value_name = "URL", env = "WARPCHESS_BASE_URL")]
    base_url: Option<String>,

    /// Threads that compute the moves of the computer opponent, and as many that analyse games when nobody needs the
    /// processor; 0 leaves both to other servers and workers
    #[arg(long, value_name = "N", env = "WARPCHESS_WORKERS", default_value_t = 1)]
    workers: usize,

    /// How far analyses search each position, in nodes
    #[arg(long, value_name = "NODES", env = "WARPCHESS_ANALYSIS_NODES", default_value_t = NODES,
        value_parser = crate::numbers::between(1u64..=1_000_000_000))]
    analysis_nodes: u64,

    /// Requests a second from one address, over a while; 0 for any number
    #[arg(long, value_name = "N", env = "WARPCHESS_MAX_REQUESTS", default_value_t = Limits::default().requests)]
    max_requests: u32,

    /// Logins and new accounts a minute from one address; 0 for any number
    #[arg(long, value_name = "N", env = "WARPCHESS_MAX_LOGINS", default_value_t = Limits::default().logins)]
    max_logins: u32,

    /// Chat lines a minute of one person in one game; 0 for any number
    #[arg(long, value_name = "N", env = "WARPCHESS_MAX_CHAT", default_value_t = Limits::default().chat)]
    max_chat: u32,

    /// Connections at once; 0 for any number
    #[arg(long, value_name = "N", env = "WARPCHESS_MAX_CONNECTIONS", default_value_t = Limits::default().connections)]
    max_connections: usize,

    /// Connections at once from one address; 0 for any number
    #[arg(long, value_name = "N", env = "WARPCHESS_MAX_CONNECTIONS_OF_ONE",
        default_value_t = Limits::default().connections_of_one)]
    max_connections_of_one: usize,

    /// An address that may ask and connect as often as it likes, as for a load test; repeat for more
    #[arg(long = "trust", value_name = "ADDRESS", env = "WARPCHESS_TRUST", value_delimiter = ',')]
    trusted: Vec<IpAddr>,

    /// The server is reached through a proxy alone, which writes the client's address into X-Forwarded-For
    #[arg(long, env = "WARPCHESS_BEHIND_PROXY")]
    behind_proxy: bool,

    /// How the log is written on standard error; RUST_LOG says what of, as in RUST_LOG=info
    #[arg(long, value_name = "FORM", env = "WARPCHESS_LOG", default_value = "text")]
    log: Log,
}

/// A form of log lines.
#[derive(Copy, Clone, ValueEnum)]
pub(super) enum Log {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

impl Log {
    /// Has standard error written so from now on.
    pub(super) fn begin(self) {
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
        let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
        match self {
            Self::Text => log.init(),
            Self::Json => log.json().flatten_event(true).init(),
        }
    }
}

/// An address with or without a port.
#[derive(Copy, Clone)]
enum Listen {
    Address(IpAddr),
    Socket(SocketAddr),
}

impl std::str::FromStr for Listen {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let address = text.parse().map(Self::Address).or_else(|_| text.parse().map(Self::Socket));
        address.map_err(|_| "expected an IP address, or one with a port as in 0.0.0.0:8080".to_owned())
    }
}

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.log.begin();

        let address = match self.listen {
            Listen::Address(address) => SocketAddr::new(address, self.port),
            Listen::Socket(address) => address,
        };
        let kept = place(&self.database);
        let config = Config {
            database: self.database,
            database_patience: Duration::from_secs(self.database_patience),
            bus: self.bus,
            base_url: self.base_url,
            workers: self.workers,
            analysis_nodes: self.analysis_nodes,
            limits: Limits {
                requests: self.max_requests,
                logins: self.max_logins,
                chat: self.max_chat,
                connections: self.max_connections,
                connections_of_one: self.max_connections_of_one,
                behind_proxy: self.behind_proxy,
                trusted: self.trusted,
                ..Limits::default()
            },
            ..Config::default()
        };
        more_files();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::failed(format!("cannot start threads: {error}")))?;
        runtime
            .block_on(warpchess_server::serve(address, config, |at| announce(at, &kept), shutdown_signal()))
            .map_err(Failure::failed)
    }
}

/// Each connection takes a file, of which a program may have 1,024 where nobody asked for more.
fn more_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Where that is forbidden there are fewer connections.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// Where a database is, for people: the file with its folder.
fn place(database: &str) -> String {
    match database.strip_prefix("sqlite:") {
        Some(":memory:") => "memory, and gone with the server".to_owned(),
        Some(file) => {
            let file = file.split('?').next().unwrap_or_default().trim_start_matches("//");
            absolute(file).map_or_else(|_| file.to_owned(), |path| path.display().to_string())
        }
        None => "the database server".to_owned(),
    }
}

/// Prints the address, for people and for scripts that chose port 0, and where games are kept.
fn announce(address: SocketAddr, kept: &str) {
    // Standard output may be closed: that is no reason not to serve.
    let _ = writeln!(stdout(), "Warpchess is at http://{address} (Ctrl-C stops it)\nGames are kept in {kept}");
    let _ = stdout().flush();
}
