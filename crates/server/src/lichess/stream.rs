//! Replies that go on: one JSON object a line, and now and then an empty line to show that the connection stands.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::App;

/// What such replies are.
pub(crate) const NDJSON: &str = "application/x-ndjson";
/// How long a stream is silent at most.
const SILENCE: Duration = Duration::from_secs(6);
/// How many lines wait for a client that does not read. Then whoever writes waits, too.
const WAITING: usize = 32;
/// Proxies that gather replies before they pass them on would keep them for ever.
const NO_BUFFERING: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));

/// The client has gone, or the server is about to.
#[derive(Debug)]
pub(crate) struct Gone;

/// Where a stream's lines are written.
pub(crate) struct Lines {
    sender: mpsc::Sender<Bytes>,
    app: App,
    silent_until: Instant,
}

impl Lines {
    /// Writes a line.
    pub(crate) async fn json(&mut self, value: &Value) -> Result<(), Gone> {
        self.text(format!("{value}\n")).await
    }

    /// Writes a text.
    pub(crate) async fn text(&mut self, text: String) -> Result<(), Gone> {
        self.silent_until = Instant::now() + SILENCE;
        tokio::select! {
            sent = self.sender.send(text.into()) => sent.map_err(|_| Gone),
            () = self.app.stopped() => Err(Gone),
        }
    }

    /// Waits for what happens next; meanwhile shows that the connection stands.
    pub(crate) async fn wait<T>(&mut self, next: impl Future<Output = T>) -> Result<T, Gone> {
        let mut next = std::pin::pin!(next);
        let app = self.app.clone();
        let mut stopped = std::pin::pin!(app.stopped());
        loop {
            tokio::select! {
                next = &mut next => return Ok(next),
                () = self.sender.closed() => return Err(Gone),
                () = &mut stopped => return Err(Gone),
                () = sleep_until(self.silent_until) => {}
            }
            self.text("\n".to_owned()).await?;
        }
    }
}

/// A body of what a stream gives. What compresses bodies asks again after their end, which `unfold` does not bear.
pub(crate) fn body<E>(stream: impl Stream<Item = Result<Bytes, E>> + Send + 'static) -> Body
where
    E: Into<axum::BoxError> + 'static,
{
    Body::from_stream(stream.fuse())
}

/// A reply whose lines are written by `write`, which is dropped when the client goes.
pub(crate) fn reply<F, W>(app: &App, kind: &'static str, write: F) -> Response
where
    F: FnOnce(Lines) -> W,
    W: Future<Output = Result<(), Gone>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(WAITING);
    let write = write(Lines { sender, app: app.clone(), silent_until: Instant::now() + SILENCE });
    metrics::gauge!("warpchess_streams").increment(1.0);
    tokio::spawn(async move {
        let _ = write.await;
        metrics::gauge!("warpchess_streams").decrement(1.0);
    });
    let lines = stream::unfold(receiver, |mut receiver| async {
        receiver.recv().await.map(|bytes| (Ok::<_, Infallible>(bytes), receiver))
    });
    (
        [(CONTENT_TYPE, HeaderValue::from_static(kind)), (CACHE_CONTROL, HeaderValue::from_static("no-store"))],
        [NO_BUFFERING],
        body(lines),
    )
        .into_response()
}
