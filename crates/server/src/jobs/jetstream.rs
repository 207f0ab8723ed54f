//! The queue of several nodes: a JetStream work queue, from which each job goes to one worker of all.
//!
//! What is in it is lost or given twice without harm: the truth is in the database, into which workers look as well. So the
//! queue is there for speed alone, and nothing waits for it that could do without.

use std::sync::Arc;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use async_nats::jetstream::{self, Context, Message};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::{Mutex, mpsc, watch};
use tokio::task::JoinHandle;

use super::queue::{Delivery, Queue};
use crate::bus::Nats;

/// How long a job may lie in the queue. Workers find older ones in the database.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// After how long a job that was handed over and not seen to is handed over again.
const AGAIN: Duration = Duration::from_secs(30);
/// How often it is.
const TRIES: i64 = 5;
/// Within how long a job that is told twice is in the queue once.
const ONCE: Duration = Duration::from_secs(10);
/// How long one request for work waits.
const WAIT: Duration = Duration::from_secs(20);
/// How long to wait when the queue cannot be had.
const PAUSE: Duration = Duration::from_secs(1);
/// How long telling of a job may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// A JetStream work queue.
pub struct JetStream {
    context: Context,
    subject: String,
    /// How many workers of this process wait for work.
    waiting: watch::Sender<usize>,
    jobs: Mutex<mpsc::Receiver<Delivery>>,
    task: JoinHandle<()>,
}

impl JetStream {
    /// The queue on the server of a bus. It is made when it is not there, and again if it is lost.
    pub fn new(bus: &Nats) -> Arc<Self> {
        let context = jetstream::new(bus.client().clone());
        // Not below the bus's own subjects, or each node would hear every job.
        let stream = format!("{}-analyses", bus.prefix());
        let (sender, jobs) = mpsc::channel(1);
        let waiting = watch::Sender::new(0);
        let task = tokio::spawn(pull_all(context.clone(), stream.clone(), waiting.subscribe(), sender));
        Arc::new(Self { context, subject: stream, waiting, jobs: Mutex::new(jobs), task })
    }
}

impl Drop for JetStream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A worker that waits, until it does not any more.
struct Waiting<'a>(&'a watch::Sender<usize>);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

impl Queue for JetStream {
    fn push<'a>(&'a self, job: &'a str) -> BoxFuture<'a, ()> {
        async move {
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Msg-Id", job);
            let told = async {
                let stored =
                    self.context.publish_with_headers(self.subject.clone(), headers, job.to_owned().into()).await;
                stored.map_err(|error| error.to_string())?.await.map_err(|error| error.to_string())
            };
            match tokio::time::timeout(PATIENCE, told).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => tracing::warn!(error, job, "a job is not in the queue; it is in the database"),
                Err(_) => tracing::warn!(job, "a job is not in the queue; it is in the database"),
            }
        }
        .boxed()
    }

    fn next(&self) -> BoxFuture<'_, Delivery> {
        async {
            self.waiting.send_modify(|count| *count += 1);
            let _waiting = Waiting(&self.waiting);
            match self.jobs.lock().await.recv().await {
                Some(delivery) => delivery,
                None => std::future::pending().await,
            }
        }
        .boxed()
    }
}

/// The consumer that all workers share.
async fn consumer(context: &Context, name: &str) -> Result<PullConsumer, String> {
    let stream = context.get_or_create_stream(Config {
        name: name.to_owned(),
        subjects: vec![name.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        max_age: KEPT,
        duplicate_window: ONCE,
        ..Config::default()
    });
    let stream = stream.await.map_err(|error| error.to_string())?;
    let workers = pull::Config {
        durable_name: Some("workers".into()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: AGAIN,
        max_deliver: TRIES,
        ..pull::Config::default()
    };
    stream.get_or_create_consumer("workers", workers).await.map_err(|error| error.to_string())
}

/// Asks for work whenever a worker waits for some, so that none lies where nobody has time for it.
async fn pull_all(context: Context, name: String, mut waiting: watch::Receiver<usize>, jobs: mpsc::Sender<Delivery>) {
    loop {
        let workers = match consumer(&context, &name).await {
            Ok(workers) => workers,
            Err(error) => {
                tracing::warn!(error, "the queue of jobs cannot be had; workers look into the database");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        while let Ok(permit) = jobs.reserve().await {
            if waiting.wait_for(|count| *count > 0).await.is_err() {
                return;
            }
            match pull(&workers).await {
                Ok(Some(message)) => permit.send(delivery(message)),
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(error, "the queue of jobs is gone; workers look into the database");
                    tokio::time::sleep(PAUSE).await;
                    break;
                }
            }
        }
        if jobs.is_closed() {
            return;
        }
    }
}

async fn pull(workers: &PullConsumer) -> Result<Option<Message>, String> {
    let batch = workers.batch().max_messages(1).expires(WAIT).messages().await;
    let mut batch = batch.map_err(|error| error.to_string())?;
    batch.next().await.transpose().map_err(|error| error.to_string())
}

fn delivery(message: Message) -> Delivery {
    let job = String::from_utf8_lossy(&message.payload).into_owned();
    let taken = async move {
        if let Err(error) = message.ack().await {
            // It is handed over once more, and found to be done.
            tracing::debug!(%error, "a job could not be taken out of the queue");
        }
    };
    Delivery::with(job, taken.boxed())
}
