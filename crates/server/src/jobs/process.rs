//! `warpchess worker`: a process that does nothing but analyses.

use std::future::Future;
use std::sync::Arc;

use super::{Jobs, NODES, work};
use crate::app::{StartError, open_bus};
use crate::clock::SystemClock;
use crate::store::Store;

/// How such a process is set up.
#[derive(Clone, Debug)]
pub struct Process {
    /// The URL of the database.
    pub database: String,
    /// How servers are told of progress; see [`Config::bus`](crate::Config::bus).
    pub bus: String,
    /// How many games are analysed at once.
    pub threads: usize,
}

impl Process {
    /// Works until `stop` is done; what is not finished then is given back.
    ///
    /// # Errors
    /// When the database or the bus cannot be had.
    pub async fn run(self, ready: impl FnOnce(), stop: impl Future<Output = ()>) -> Result<(), StartError> {
        let store = Store::open_existing(&self.database).await?;
        let (bus, queue) = open_bus(&self.bus).await?;
        let jobs = Jobs::new(store.clone(), bus, Arc::new(SystemClock), queue, NODES);
        ready();
        tokio::select! {
            () = work(jobs.clone(), self.threads) => {}
            () = stop => {}
        }
        jobs.release(self.threads).await;
        store.close().await;
        Ok(())
    }
}
