//! How a server is set up.

use std::sync::Arc;
use std::time::Duration;

use crate::assets::{Assets, Embedded};
use crate::clock::{SharedClock, SystemClock};
use crate::limits::Limits;

/// What a server is made of. The default keeps everything in memory; `warpchess serve` names a database.
#[derive(Clone)]
pub struct Config {
    /// Where the page's files come from.
    pub assets: Arc<dyn Assets>,
    /// The URL of the database: `sqlite:FILE`, `sqlite::memory:`, `postgres://…`.
    pub database: String,
    /// How long a request waits for the database before it is told that it is away.
    pub database_patience: Duration,
    /// How nodes tell each other what happened: `local` for one node alone.
    pub bus: String,
    /// Where the server is seen from outside, as in `https://example.org`; unknown when it is `None`.
    pub base_url: Option<String>,
    /// Threads that compute: so many for moves of the computer opponent, and as many, which let all others go first, for
    /// analyses. 0 leaves both to other processes.
    pub workers: usize,
    /// How far analyses search each position, in nodes.
    pub analysis_nodes: u64,
    /// What clients may take.
    pub limits: Limits,
    /// What time it is.
    pub clock: SharedClock,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            assets: Arc::new(Embedded),
            database: "sqlite::memory:".into(),
            database_patience: crate::store::PATIENCE,
            bus: "local".into(),
            base_url: None,
            workers: 1,
            analysis_nodes: crate::jobs::NODES,
            limits: Limits::default(),
            clock: Arc::new(SystemClock),
        }
    }
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Config")
            .field("bus", &self.bus)
            .field("base_url", &self.base_url)
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}
