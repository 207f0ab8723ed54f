//! Connections: how many there may be, and how long a client may take to say what it wants.

mod body;
mod stream;

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

use self::stream::Counted;
use crate::limits::{ClientAddr, HEAD_BYTES, HEADERS, Limits, network};

/// How long to wait when the system has no connection to give.
const BREATH: Duration = Duration::from_millis(100);

/// The connections there are, by client.
#[derive(Clone)]
struct Open {
    limits: Limits,
    by_client: Arc<Mutex<HashMap<ClientAddr, usize>>>,
}

/// A connection's place among them, given back when it is dropped.
struct Place {
    open: Open,
    client: ClientAddr,
}

impl Open {
    /// A place for one more, if there is one.
    fn take(&self, client: ClientAddr) -> Option<Place> {
        let mut counts = self.by_client.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |limit: usize, count: usize| limit > 0 && count >= limit;
        let all: usize = if self.limits.connections > 0 { counts.values().sum() } else { 0 };
        // Behind a proxy all come from one address.
        let own = if self.limits.behind_proxy || self.limits.trust(&client) {
            0
        } else {
            counts.get(&client).copied().unwrap_or(0)
        };
        if full(self.limits.connections, all) || full(self.limits.connections_of_one, own) {
            return None;
        }
        *counts.entry(client).or_default() += 1;
        metrics::gauge!("warpchess_connections").increment(1.0);
        Some(Place { open: self.clone(), client })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.open.by_client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
        metrics::gauge!("warpchess_connections").decrement(1.0);
    }
}

/// Answers on a port until `stop` is done; then until the requests under way are answered.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: Limits, stop: impl Future<Output = ()>) {
    let (head_within, body_within) = (limits.head_within, limits.body_within);
    let open = Open { limits, by_client: Arc::default() };
    let ask_to_end = watch::Sender::new(false);
    // Each connection holds a sender: when all are gone, so are the connections.
    let (alive, mut all_gone) = mpsc::channel::<()>(1);
    let mut stop = pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Of one connection, that is; or the system has no more files, which others may give back.
                    if !of_one_connection(&error) {
                        tracing::error!(%error, "cannot accept connections");
                        tokio::time::sleep(BREATH).await;
                    }
                    continue;
                }
            },
        };
        let Some(place) = open.take(network(peer.ip())) else {
            tokio::spawn(refuse(stream));
            continue;
        };
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = service_fn(move |request| body::answer(router.clone(), request, peer, body_within));
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(head_within).max_buf_size(HEAD_BYTES).max_headers(HEADERS);
        let io = TokioIo::new(Counted::new(stream, place));
        let connection = builder.serve_connection(io, service).with_upgrades();
        let (mut asked_to_end, alive) = (ask_to_end.subscribe(), alive.clone());
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = async { let _ = asked_to_end.wait_for(|asked| *asked).await; } => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            // That a client goes away is its right.
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended");
            }
            drop(alive);
        });
    }
    drop((listener, alive));
    ask_to_end.send_replace(true);
    let _ = all_gone.recv().await;
}

fn of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Tells a client that there are too many, without reading what it wants.
async fn refuse(stream: TcpStream) {
    const BODY: &str = r#"{"error":"too many connections","code":"too-many-connections"}"#;
    metrics::counter!("warpchess_connections_refused_total").increment(1);
    let head = format!(
        "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\ncontent-length: {}\r\nretry-after: 10\r\nconnection: close\r\n\r\n",
        BODY.len()
    );
    let written = async {
        stream.writable().await?;
        stream.try_write(format!("{head}{BODY}").as_bytes())
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), written).await;
    stream::linger(stream).await;
}
