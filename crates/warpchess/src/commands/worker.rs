//! `warpchess worker`.

use clap::Args;
use warpchess_server::jobs::Process;
use warpchess_server::shutdown_signal;

use super::serve::Log;
use crate::failure::Failure;

/// Analyse games for a server, in a process of its own, on this machine or another
///
/// What is to be done stands in the database. Any number of workers may run; the games of one that dies are taken on by others.
#[derive(Args)]
pub(crate) struct Worker {
    /// The server's database: sqlite:FILE or postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL", env = "WARPCHESS_DATABASE", default_value = "sqlite:warpchess.db")]
    database: String,

    /// How servers are told of progress; local for not at all: they see it in the database
    #[arg(long, value_name = "URL", env = "WARPCHESS_BUS", default_value = "local")]
    bus: String,

    /// How many games are analysed at once
    #[arg(long, value_name = "N", env = "WARPCHESS_THREADS", default_value_t = 1, value_parser = threads)]
    threads: usize,

    /// How the log is written on standard error; RUST_LOG says what of, as in RUST_LOG=info
    #[arg(long, value_name = "FORM", env = "WARPCHESS_LOG", default_value = "text")]
    log: Log,
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1024).contains(number));
    number.ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

impl Worker {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.log.begin();
        let Self { database, bus, threads, .. } = self;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| Failure::failed(format!("cannot start threads: {error}")))?;
        let ready = || eprintln!("working with {threads} threads (Ctrl-C stops it)");
        let worked = Process { database, bus, threads }.run(ready, shutdown_signal());
        runtime.block_on(worked).map_err(Failure::failed)
    }
}
