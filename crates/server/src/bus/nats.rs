//! The bus of several nodes: a NATS server, or a cluster of them.
//!
//! Each node hears everything, by one subscription, and gives it to those of its clients whom it concerns. So nothing is lost
//! between a client's coming and a subscription's taking effect, and no node has to tell the NATS server of every game that
//! somebody looks at. What cannot be sent in time is dropped, never waited for: a move must not wait for the bus. Whoever may
//! have missed something is told so, and reads the store.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::{Bus, Local, Subscription, Utf8Bytes};

/// What all subjects begin with, where the URL names nothing else.
const PREFIX: &str = "warpchess";
/// Where a node tells the others that it had to drop messages.
const LOST: &str = "lost";
/// How many messages may wait to be sent before more are dropped.
const WAITING: usize = 8192;
/// How long the server may take to answer at the start.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait before the next try to come back, at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Where a NATS server is: `nats://HOST:PORT`, with several servers of a cluster `nats://HOST:PORT,HOST:PORT`, and what
/// subjects begin with behind a slash if it is not to be `warpchess`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NatsUrl {
    servers: Vec<ServerAddr>,
    /// What subjects begin with.
    pub prefix: String,
}

impl FromStr for NatsUrl {
    type Err = String;
    fn from_str(url: &str) -> Result<Self, String> {
        let (scheme, rest) = url.split_once("://").ok_or("expected nats://HOST:PORT")?;
        if !["nats", "tls"].contains(&scheme) {
            return Err("expected nats://HOST:PORT, or tls://HOST:PORT".into());
        }
        let (hosts, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = if prefix.is_empty() { PREFIX } else { prefix };
        if !prefix.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
            return Err("expected letters, digits, '-' and '_' behind the slash".into());
        }
        let address =
            |host: &str| format!("{scheme}://{host}").parse::<ServerAddr>().map_err(|error| error.to_string());
        let servers = hosts.split(',').map(address).collect::<Result<_, _>>()?;
        Ok(Self { servers, prefix: prefix.to_owned() })
    }
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
#[error("the bus cannot be reached: {0}")]
pub struct NatsError(String);

enum Outgoing {
    Message(String, Utf8Bytes),
    /// Answered when everything before it has been sent.
    Flush(oneshot::Sender<()>),
}

/// A connection to it.
pub struct Nats {
    client: Client,
    prefix: String,
    here: Arc<Local>,
    outbox: mpsc::Sender<Outgoing>,
    /// Something was dropped, and the others do not know yet.
    dropped: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Nats {
    /// Connects. Later it comes back by itself whenever the connection is lost.
    ///
    /// # Errors
    /// When no server answers.
    pub async fn connect(url: &NatsUrl) -> Result<Self, NatsError> {
        let here = Arc::new(Local::default());
        let told = Arc::clone(&here);
        let options = ConnectOptions::new()
            .name("warpchess")
            .no_echo()
            .connection_timeout(PATIENCE)
            .reconnect_delay_callback(|tries| {
                let tries = u32::try_from(tries).unwrap_or(u32::MAX);
                Duration::from_millis(50).saturating_mul(tries).min(LONGEST_PAUSE)
            })
            .event_callback(move |event| {
                match event {
                    // Whatever was said meanwhile was not heard.
                    Event::Connected | Event::SlowConsumer(_) => told.miss_all(),
                    Event::Disconnected => {
                        tracing::warn!("the bus is gone; other nodes' moves are read from the store")
                    }
                    Event::ServerError(_) | Event::ClientError(_) => tracing::warn!(%event, "the bus complains"),
                    Event::LameDuckMode | Event::Draining | Event::Closed => tracing::info!(%event, "the bus"),
                }
                std::future::ready(())
            });
        let failed = |error: &dyn std::fmt::Display| NatsError(error.to_string());
        let client = tokio::time::timeout(PATIENCE, options.connect(url.servers.clone())).await;
        let client = client.map_err(|_| failed(&"no answer"))?.map_err(|error| failed(&error))?;
        let all = client.subscribe(format!("{}.>", url.prefix)).await.map_err(|error| failed(&error))?;
        // The subscription stands when this is through.
        client.flush().await.map_err(|error| failed(&error))?;
        let (outbox, outgoing) = mpsc::channel(WAITING);
        let dropped = Arc::new(AtomicBool::new(false));
        let tasks = vec![
            tokio::spawn(receive(all, url.prefix.clone(), Arc::clone(&here))),
            tokio::spawn(send(client.clone(), outgoing, url.prefix.clone(), Arc::clone(&dropped))),
        ];
        Ok(Self { client, prefix: url.prefix.clone(), here, outbox, dropped, tasks })
    }

    /// The connection, for what else is done by it.
    pub const fn client(&self) -> &Client {
        &self.client
    }
    /// What subjects begin with.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }
}

/// Gives what other nodes say to the clients of this one.
async fn receive(mut all: async_nats::Subscriber, prefix: String, here: Arc<Local>) {
    while let Some(message) = all.next().await {
        let subject = message.subject.as_str().strip_prefix(prefix.as_str()).and_then(|rest| rest.strip_prefix('.'));
        match (subject, Utf8Bytes::try_from(message.payload)) {
            (Some(LOST), _) => here.miss_all(),
            (Some(subject), Ok(text)) => here.publish(subject, text),
            // Nothing of ours is no text.
            (_, Err(_)) | (None, _) => {}
        }
    }
}

/// Sends what this node says, in order.
async fn send(client: Client, mut outgoing: mpsc::Receiver<Outgoing>, prefix: String, dropped: Arc<AtomicBool>) {
    while let Some(next) = outgoing.recv().await {
        let sent = match next {
            Outgoing::Message(subject, text) => {
                client.publish(format!("{prefix}.{subject}"), text.into()).await.map_err(|error| error.to_string())
            }
            Outgoing::Flush(done) => {
                let flushed = client.flush().await.map_err(|error| error.to_string());
                let _ = done.send(());
                flushed
            }
        };
        if let Err(error) = sent {
            tracing::warn!(error, "the bus takes nothing");
            dropped.store(true, Ordering::Relaxed);
            continue;
        }
        if dropped.swap(false, Ordering::Relaxed)
            && client.publish(format!("{prefix}.{LOST}"), "".into()).await.is_err()
        {
            dropped.store(true, Ordering::Relaxed);
        }
    }
}

impl Bus for Nats {
    fn publish(&self, subject: &str, message: Utf8Bytes) {
        self.here.publish(subject, message.clone());
        if self.outbox.try_send(Outgoing::Message(subject.to_owned(), message)).is_err() {
            self.dropped.store(true, Ordering::Relaxed);
        }
    }
    fn publish_here(&self, subject: &str, message: Utf8Bytes) {
        self.here.publish(subject, message);
    }
    fn subscribe(&self, subject: &str) -> Subscription {
        self.here.subscribe(subject)
    }
    fn is_shared(&self) -> bool {
        true
    }
    fn is_up(&self) -> bool {
        self.client.connection_state() == State::Connected && !self.dropped.load(Ordering::Relaxed)
    }
    fn flush(&self) -> BoxFuture<'_, ()> {
        async {
            let (done, is_done) = oneshot::channel();
            if self.outbox.send(Outgoing::Flush(done)).await.is_ok() {
                let _ = is_done.await;
            }
        }
        .boxed()
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_servers_and_perhaps_a_prefix() {
        let url: NatsUrl = "nats://127.0.0.1:4222".parse().unwrap();
        assert_eq!((url.servers.len(), url.prefix.as_str()), (1, "warpchess"));
        let url: NatsUrl = "nats://a:1,b:2/club-2".parse().unwrap();
        assert_eq!((url.servers.len(), url.prefix.as_str()), (2, "club-2"));
        assert!("tls://a:4222".parse::<NatsUrl>().is_ok());
        for wrong in ["local", "http://a:1", "nats://a:1/x.y", "nats://a:1/x y", "nats://a:1/*"] {
            assert!(wrong.parse::<NatsUrl>().is_err(), "{wrong}");
        }
    }
}
