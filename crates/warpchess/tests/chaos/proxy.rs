//! A bad network between clients and a server: messages come twice, late and out of order, and connections break.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{Sink, SinkExt, Stream, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{accept_hdr_async, client_async};

use crate::chance::Chance;

/// A message in so many is late, comes twice, or is the last before the connection breaks.
const LATE: u64 = 8;
const TWICE: u64 = 10;
const BREAKS: u64 = 150;
/// How late a message is at most, in milliseconds: several others overtake it.
const LATEST: u64 = 150;

/// What was done to messages.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) late: AtomicU64,
    pub(crate) twice: AtomicU64,
    pub(crate) breaks: AtomicU64,
}

pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    pub(crate) counts: Arc<Counts>,
    /// Whether messages pass as they are.
    fair: Arc<AtomicBool>,
    /// Changes when all connections are to break.
    cut: watch::Sender<u64>,
    _tasks: JoinSet<()>,
}

/// What each connection knows.
#[derive(Clone)]
struct Line {
    counts: Arc<Counts>,
    fair: Arc<AtomicBool>,
    chance: Arc<Mutex<Chance>>,
}

impl Proxy {
    pub(crate) async fn start(server: SocketAddr, mut chance: Chance) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (counts, fair, cut) = (Arc::<Counts>::default(), Arc::<AtomicBool>::default(), watch::Sender::new(0));
        let mut tasks = JoinSet::new();
        let (all_counts, is_fair, is_cut) = (Arc::clone(&counts), Arc::clone(&fair), cut.clone());
        tasks.spawn(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                let chance = Arc::new(Mutex::new(chance.split()));
                let line = Line { counts: Arc::clone(&all_counts), fair: Arc::clone(&is_fair), chance };
                let mut cut = is_cut.subscribe();
                cut.mark_unchanged();
                tokio::spawn(async move {
                    tokio::select! {
                        _ = relay(stream, server, line) => {}
                        _ = cut.changed() => {}
                    }
                });
            }
        });
        Self { address, counts, fair, cut, _tasks: tasks }
    }
    /// Breaks all connections.
    pub(crate) fn cut(&self) {
        self.cut.send_modify(|count| *count += 1);
    }
    /// From now on nothing goes wrong.
    pub(crate) fn be_fair(&self) {
        self.fair.store(true, Ordering::Relaxed);
    }
}

#[allow(clippy::result_large_err)] // The handshake's own type.
async fn relay(stream: TcpStream, server: SocketAddr, line: Line) -> Result<(), Error> {
    let mut cookie = None;
    let client = accept_hdr_async(stream, |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
        cookie = request.headers().get("cookie").cloned();
        Ok(response)
    });
    let client = client.await?;
    let mut request = format!("ws://{server}/ws").into_client_request()?;
    if let Some(cookie) = cookie {
        request.headers_mut().insert("cookie", cookie);
    }
    let (server, _) = client_async(request, TcpStream::connect(server).await?).await?;
    let ((to_client, from_client), (to_server, from_server)) = (client.split(), server.split());
    // Over as soon as one direction is: the connection breaks without a word.
    tokio::select! {
        ended = pump(from_client, to_server, line.clone()) => ended,
        ended = pump(from_server, to_client, line) => ended,
    }
}

/// Passes messages on, badly.
async fn pump(
    mut from: impl Stream<Item = Result<Message, Error>> + Unpin,
    mut to: impl Sink<Message, Error = Error> + Unpin,
    line: Line,
) -> Result<(), Error> {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    loop {
        tokio::select! {
            message = from.next() => {
                let Some(message) = message else { return Ok(()) };
                let message = message?;
                match &message {
                    Message::Text(_) => {}
                    Message::Close(_) => {
                        // What was said before it is not to be lost by it, as it would not be.
                        to.send(message).await?;
                        return Ok(());
                    }
                    // Each side of the proxy answers these by itself.
                    _ => continue,
                }
                let delays = match line.fate() {
                    Some(delays) => delays,
                    None => return Ok(()),
                };
                for delay in delays {
                    if delay == 0 {
                        to.send(message.clone()).await?;
                    } else {
                        let (sender, message) = (sender.clone(), message.clone());
                        tokio::spawn(async move {
                            tokio::time::sleep(Duration::from_millis(delay)).await;
                            let _ = sender.send(message);
                        });
                    }
                }
            }
            Some(late) = receiver.recv() => to.send(late).await?,
        }
    }
}

impl Line {
    /// When a message arrives: after so many milliseconds, each time that it does. `None` when the connection breaks.
    fn fate(&self) -> Option<Vec<u64>> {
        if self.fair.load(Ordering::Relaxed) {
            return Some(vec![0]);
        }
        let mut chance = self.chance.lock().unwrap();
        if chance.once_in(BREAKS) {
            self.counts.breaks.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let mut delays = vec![0];
        if chance.once_in(LATE) {
            self.counts.late.fetch_add(1, Ordering::Relaxed);
            delays[0] = 1 + chance.below(LATEST);
        }
        if chance.once_in(TWICE) {
            self.counts.twice.fetch_add(1, Ordering::Relaxed);
            delays.push(chance.below(LATEST));
        }
        Some(delays)
    }
}
