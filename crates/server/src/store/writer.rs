//! Writing.
//!
//! SQLite has one writer at a time, and making a transaction durable costs as much for one row as for a thousand. So one
//! task owns the connection that writes: whatever waits is written in one transaction, and answered when that is on the disk.
//! A job that fails takes back its own part alone. PostgreSQL does the same by itself: there each job is a transaction.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use sqlx::{Acquire, Connection};
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::{mpsc, oneshot};

use super::StoreError;

/// How many jobs share a transaction at most.
const BATCH: usize = 256;
/// How many jobs may wait before those who ask for more do.
const QUEUE: usize = 4096;

/// A job with its type forgotten.
pub(super) trait Task: Send {
    /// Does it; `false` when what it wrote has to be taken back.
    fn run<'c>(&'c mut self, connection: &'c mut AnyConnection) -> BoxFuture<'c, bool>;
    /// Tells the outcome to whoever asked. `lost` says why nothing was kept although the job itself went well.
    fn finish(self: Box<Self>, lost: Option<&str>);
}

struct Job<F, T, E> {
    job: Option<F>,
    result: Option<Result<T, E>>,
    answer: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Task for Job<F, T, E>
where
    F: for<'c> FnOnce(&'c mut AnyConnection) -> BoxFuture<'c, Result<T, E>> + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn run<'c>(&'c mut self, connection: &'c mut AnyConnection) -> BoxFuture<'c, bool> {
        Box::pin(async move {
            let Some(job) = self.job.take() else { return false };
            // One job's fault is not to end the writer, and with it everybody's game.
            let result = match AssertUnwindSafe(job(connection)).catch_unwind().await {
                Ok(result) => result,
                Err(_) => Err(StoreError::Commit("the job panicked".into()).into()),
            };
            let kept = result.is_ok();
            self.result = Some(result);
            kept
        })
    }
    fn finish(self: Box<Self>, lost: Option<&str>) {
        let result = match (self.result, lost) {
            (Some(Ok(_)), Some(why)) => Err(StoreError::Commit(why.to_owned()).into()),
            (Some(result), _) => result,
            (None, why) => Err(StoreError::Commit(why.unwrap_or("the job was not run").to_owned()).into()),
        };
        // Nobody may be waiting any more.
        let _ = self.answer.send(result);
    }
}

/// The way in for what writes.
#[derive(Clone)]
pub(super) enum Writer {
    Grouped(mpsc::Sender<Box<dyn Task>>),
    Each(AnyPool),
}

impl Writer {
    /// A writer that groups what waits; it owns the connection.
    pub(super) fn grouped(pool: AnyPool) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        tokio::spawn(write_all(pool, receiver));
        Self::Grouped(sender)
    }

    pub(super) async fn write<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: for<'c> FnOnce(&'c mut AnyConnection) -> BoxFuture<'c, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        match self {
            Self::Grouped(sender) => {
                let (answer, answered) = oneshot::channel();
                let task = Box::new(Job { job: Some(job), result: None, answer });
                sender.send(task).await.map_err(|_| StoreError::Closed)?;
                answered.await.map_err(|_| StoreError::Closed)?
            }
            Self::Each(pool) => {
                let pool = pool.clone();
                // A task of its own: whoever waits may go away, what was begun is done.
                let done = tokio::spawn(async move {
                    let mut connection = pool.acquire().await.map_err(StoreError::from)?;
                    let mut transaction = connection.begin().await.map_err(StoreError::from)?;
                    let value = job(&mut transaction).await?;
                    transaction.commit().await.map_err(|error| StoreError::Commit(error.to_string()))?;
                    Ok(value)
                });
                done.await.unwrap_or_else(|error| Err(StoreError::Commit(error.to_string()).into()))
            }
        }
    }
}

/// Writes until all senders are gone.
async fn write_all(pool: AnyPool, mut jobs: mpsc::Receiver<Box<dyn Task>>) {
    let mut batch = Vec::with_capacity(BATCH);
    while jobs.recv_many(&mut batch, BATCH).await > 0 {
        let lost = match pool.acquire().await {
            Ok(mut connection) => {
                let written = write_batch(&mut connection, &mut batch).await;
                if written.is_err() {
                    // It may be inside a transaction still: the next batch gets another.
                    let _ = connection.close().await;
                }
                written.err()
            }
            Err(error) => Some(error),
        };
        if let Some(error) = &lost {
            tracing::error!(%error, jobs = batch.len(), "a transaction was lost");
        }
        let why = lost.map(|error| error.to_string());
        for task in batch.drain(..) {
            task.finish(why.as_deref());
        }
    }
    pool.close().await;
}

async fn write_batch(connection: &mut AnyConnection, batch: &mut [Box<dyn Task>]) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for task in batch {
        sqlx::query("SAVEPOINT job").execute(&mut *transaction).await?;
        if !task.run(&mut transaction).await {
            sqlx::query("ROLLBACK TO job").execute(&mut *transaction).await?;
        }
        sqlx::query("RELEASE job").execute(&mut *transaction).await?;
    }
    transaction.commit().await
}
