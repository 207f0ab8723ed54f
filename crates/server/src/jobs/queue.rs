//! How workers hear of work. The truth about it is in the database: the queue carries ids of jobs and nothing else, may
//! lose them, and may give one twice.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::Notify;

/// Hands ids of jobs to workers.
pub trait Queue: Send + Sync + 'static {
    /// Tells workers that a job waits.
    fn push<'a>(&'a self, job: &'a str) -> BoxFuture<'a, ()>;
    /// The next job that waits, when there is one. Whoever stops waiting for it takes none away.
    fn next(&self) -> BoxFuture<'_, Delivery>;
}

/// A job that was handed over.
pub struct Delivery {
    /// Its id: that of the game.
    pub job: String,
    taken: Option<BoxFuture<'static, ()>>,
}

impl Delivery {
    /// A delivery that nobody waits to hear of.
    pub fn new(job: impl Into<String>) -> Self {
        Self { job: job.into(), taken: None }
    }
    /// A delivery of which the queue is told by `taken`, when the worker has seen to it.
    pub fn with(job: impl Into<String>, taken: BoxFuture<'static, ()>) -> Self {
        Self { job: job.into(), taken: Some(taken) }
    }
    /// Tells the queue that the job is seen to: the worker has it in the database, or somebody else has.
    pub async fn taken(self) {
        if let Some(taken) = self.taken {
            taken.await;
        }
    }
}

impl std::fmt::Debug for Delivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Delivery").field(&self.job).finish()
    }
}

/// The queue of a process that is alone.
#[derive(Debug, Default)]
pub struct Local {
    jobs: Mutex<VecDeque<String>>,
    waiting: Notify,
}

/// More are forgotten: the database has them.
const MOST: usize = 1024;

impl Queue for Local {
    fn push<'a>(&'a self, job: &'a str) -> BoxFuture<'a, ()> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.len() < MOST {
            jobs.push_back(job.to_owned());
        }
        self.waiting.notify_one();
        std::future::ready(()).boxed()
    }
    fn next(&self) -> BoxFuture<'_, Delivery> {
        Box::pin(async {
            loop {
                let job = {
                    let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
                    let job = jobs.pop_front();
                    if !jobs.is_empty() {
                        // One notification may have stood for several.
                        self.waiting.notify_one();
                    }
                    job
                };
                match job {
                    Some(job) => return Delivery::new(job),
                    None => self.waiting.notified().await,
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_job_goes_to_one_worker_in_order() {
        let queue = Local::default();
        for job in ["a", "b", "c"] {
            queue.push(job).await;
        }
        let (one, two) = tokio::join!(queue.next(), queue.next());
        assert_eq!((one.job.as_str(), two.job.as_str()), ("a", "b"));
        let third = queue.next().await;
        assert_eq!(third.job, "c");
        third.taken().await;
        assert!(queue.next().now_or_never().is_none());
        let (late, ()) = tokio::join!(queue.next(), queue.push("d"));
        assert_eq!(late.job, "d");
    }
}
