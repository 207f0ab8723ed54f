//! Writing.
//!
//! SQLite has one writer at a time, and making a transaction durable costs as much for one row as for a thousand. So one
//! task owns the connection that writes: whatever waits is written in one transaction, and answered when that is on the disk.
//! A job that fails takes back its own part alone. PostgreSQL does the same by itself: there each job is a transaction.
//!
//! Moves, which are most of what is written, are no jobs: those that wait are stored together (see [`super::moves`]), in both
//! databases.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use sqlx::{Acquire, Connection};
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::{mpsc, oneshot};

use super::moves::{self, MoveRow};
use super::{Kind, Outage, StoreError};

/// How many jobs share a transaction at most.
const BATCH: usize = 256;
/// How many jobs may wait before those who ask for more do.
const QUEUE: usize = 4096;

/// A job with its type forgotten.
pub(super) trait Task: Send {
    /// Does it; `false` when what it wrote has to be taken back.
    fn run<'c>(&'c mut self, connection: &'c mut AnyConnection) -> BoxFuture<'c, bool>;
    /// Tells the outcome to whoever asked. `lost` makes what became of the transaction although the job itself went well.
    fn finish(self: Box<Self>, lost: Option<&Lost>);
}

/// What became of a transaction that did not end well, for each of those who had a part in it.
pub(super) struct Lost {
    why: String,
    down: bool,
    /// Its end was begun: it may be kept.
    at_end: bool,
}

impl Lost {
    fn of(error: &StoreError) -> Self {
        let outage = error.outage();
        Self { why: error.to_string(), down: outage == Some(Outage::Down), at_end: outage == Some(Outage::Lost) }
    }
    fn error(&self) -> StoreError {
        match self.at_end {
            true => StoreError::Commit(self.why.clone()),
            false => StoreError::GivenUp { why: self.why.clone(), down: self.down },
        }
    }
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
                Err(_) => Err(StoreError::panicked("the job panicked").into()),
            };
            let kept = result.is_ok();
            self.result = Some(result);
            kept
        })
    }
    fn finish(self: Box<Self>, lost: Option<&Lost>) {
        let result = match (self.result, lost) {
            (Some(Ok(_)) | None, Some(lost)) => Err(lost.error().into()),
            (Some(result), _) => result,
            (None, None) => Err(StoreError::panicked("the job was not run").into()),
        };
        // Nobody may be waiting any more.
        let _ = self.answer.send(result);
    }
}

/// A move that waits to be stored, and who waits for the answer: whether it was, or whether the game had changed meanwhile.
struct Move {
    row: MoveRow,
    answer: oneshot::Sender<Result<bool, StoreError>>,
}

/// What waits to be written.
enum Work {
    Job(Box<dyn Task>),
    Move(Box<Move>),
}

/// The way in for what writes.
#[derive(Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Work>,
    /// Where each job has a transaction of its own, the connections for them.
    each: Option<AnyPool>,
}

impl Writer {
    /// A writer that groups what waits; it owns the connection.
    pub(super) fn grouped(pool: AnyPool) -> Self {
        Self { queue: queue(pool, Kind::Sqlite), each: None }
    }

    /// A writer that groups moves alone.
    pub(super) fn each(pool: AnyPool) -> Self {
        Self { queue: queue(pool.clone(), Kind::Postgres), each: Some(pool) }
    }

    pub(super) async fn play(&self, row: MoveRow) -> Result<bool, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Work::Move(Box::new(Move { row, answer }))).await.map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    pub(super) async fn write<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: for<'c> FnOnce(&'c mut AnyConnection) -> BoxFuture<'c, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        match &self.each {
            None => {
                let (answer, answered) = oneshot::channel();
                let task = Box::new(Job { job: Some(job), result: None, answer });
                self.queue.send(Work::Job(task)).await.map_err(|_| StoreError::Closed)?;
                answered.await.map_err(|_| StoreError::Closed)?
            }
            Some(pool) => {
                let pool = pool.clone();
                // A task of its own: whoever waits may go away, what was begun is done.
                let done = tokio::spawn(async move {
                    let mut connection = pool.acquire().await.map_err(StoreError::from)?;
                    let mut transaction = connection.begin().await.map_err(StoreError::from)?;
                    let value = job(&mut transaction).await?;
                    transaction.commit().await.map_err(|error| StoreError::Commit(error.to_string()))?;
                    Ok(value)
                });
                done.await.unwrap_or_else(|error| Err(StoreError::panicked(error.to_string()).into()))
            }
        }
    }
}

fn queue(pool: AnyPool, kind: Kind) -> mpsc::Sender<Work> {
    let (sender, receiver) = mpsc::channel(QUEUE);
    tokio::spawn(write_all(pool, kind, receiver));
    sender
}

/// Writes until all senders are gone.
async fn write_all(pool: AnyPool, kind: Kind, mut queue: mpsc::Receiver<Work>) {
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        let (mut jobs, mut rows, mut askers) = (Vec::new(), Vec::new(), Vec::new());
        for work in batch.drain(..) {
            match work {
                Work::Job(job) => jobs.push(job),
                Work::Move(waiting) => {
                    rows.push(waiting.row);
                    askers.push(waiting.answer);
                }
            }
        }
        let written = match pool.acquire().await {
            Ok(mut connection) => {
                let written = write_batch(&mut connection, kind, &rows, &mut jobs).await;
                if written.is_err() {
                    // It may be inside a transaction still: the next batch gets another.
                    let _ = connection.close().await;
                }
                written
            }
            Err(error) => Err(error.into()),
        };
        if let Err(error) = &written {
            tracing::error!(%error, jobs = jobs.len(), moves = rows.len(), "a transaction was lost");
        }
        let (kept, lost) = match written {
            Ok(kept) => (kept, None),
            Err(error) => (Vec::new(), Some(Lost::of(&error))),
        };
        for task in jobs {
            task.finish(lost.as_ref());
        }
        let mut kept = kept.into_iter();
        for asker in askers {
            let answer = kept.next().ok_or_else(|| match &lost {
                Some(lost) => lost.error(),
                None => StoreError::panicked("a move was not stored"),
            });
            // Nobody may be waiting any more.
            let _ = asker.send(answer);
        }
    }
    if kind == Kind::Sqlite {
        pool.close().await;
    }
}

/// Writes all in one transaction; for each move, whether it was stored.
async fn write_batch(
    connection: &mut AnyConnection,
    kind: Kind,
    rows: &[MoveRow],
    jobs: &mut [Box<dyn Task>],
) -> Result<Vec<bool>, StoreError> {
    let mut transaction = match kind {
        Kind::Sqlite => connection.begin_with("BEGIN IMMEDIATE").await?,
        Kind::Postgres => Connection::begin(&mut *connection).await?,
    };
    let kept = if rows.is_empty() { Vec::new() } else { moves::play(&mut transaction, kind, rows).await? };
    for task in jobs {
        sqlx::query("SAVEPOINT job").execute(&mut *transaction).await?;
        if !task.run(&mut transaction).await {
            sqlx::query("ROLLBACK TO job").execute(&mut *transaction).await?;
        }
        sqlx::query("RELEASE job").execute(&mut *transaction).await?;
    }
    transaction.commit().await.map_err(|error| StoreError::Commit(error.to_string()))?;
    Ok(kept)
}
