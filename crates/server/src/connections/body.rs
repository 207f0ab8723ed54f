//! Bodies of requests: they have to be there in time, and a reply that comes before they are says what becomes of the
//! connection.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{CONNECTION, EXPECT};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use axum::{BoxError, Router};
use hyper::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::time::{Sleep, timeout};
use tower::ServiceExt;

use crate::fields::TooSlow;
use crate::limits::Peer;

/// What is read, and thrown away, of a body that nobody wanted, so that the connection can go on.
const SHORT: u64 = 64 * 1024;
/// How long that may take.
const SOON: Duration = Duration::from_secs(1);

/// Answers a request. Where the answer does not depend on the body, which then may still be on its way, the rest is read if
/// that is a small thing; otherwise the reply says that the connection ends with it.
pub(super) async fn answer(
    router: Router,
    request: Request<Incoming>,
    peer: SocketAddr,
    within: Duration,
) -> Result<Response, Infallible> {
    let (mut parts, body) = request.into_parts();
    parts.extensions.insert(Peer(peer));
    if body.is_end_stream() {
        return router.oneshot(Request::from_parts(parts, Body::empty())).await;
    }
    // The client waits to be told to send it: whoever reads it does that.
    let waits = parts.headers.contains_key(EXPECT);
    let arriving = Arriving { body, until: Box::pin(tokio::time::sleep(within)), late: false, ended: false };
    let body = Hurried(Arc::new(Mutex::new(arriving)));
    let rest = Hurried(Arc::clone(&body.0));
    let mut response = router.oneshot(Request::from_parts(parts, Body::new(body))).await?;
    let goes_on = response.status() == StatusCode::SWITCHING_PROTOCOLS || rest.is_end_stream();
    if !goes_on && (waits || !rest.drained().await) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}

/// A body on its way.
struct Arriving {
    body: Incoming,
    until: Pin<Box<Sleep>>,
    /// It took too long.
    late: bool,
    ended: bool,
}

/// A body that has to be there in time: one that comes byte by byte would hold its connection for ever.
struct Hurried(Arc<Mutex<Arriving>>);

impl Hurried {
    fn arriving(&self) -> std::sync::MutexGuard<'_, Arriving> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what is left, if it is short and comes soon: whether it was.
    async fn drained(mut self) -> bool {
        if self.arriving().late || self.size_hint().lower() > SHORT {
            return false;
        }
        let rest = async {
            let mut read = 0;
            while read <= SHORT {
                match poll_fn(|cx| Pin::new(&mut self).poll_frame(cx)).await {
                    None => return true,
                    Some(Ok(frame)) => read += frame.data_ref().map_or(0, |bytes| bytes.len() as u64),
                    Some(Err(_)) => return false,
                }
            }
            false
        };
        timeout(SOON, rest).await.unwrap_or(false)
    }
}

impl HttpBody for Hurried {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let mut arriving = self.arriving();
        match Pin::new(&mut arriving.body).poll_frame(cx) {
            Poll::Ready(frame) => {
                arriving.ended |= frame.is_none();
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending if arriving.until.as_mut().poll(cx).is_ready() => {
                arriving.late = true;
                Poll::Ready(Some(Err(TooSlow.into())))
            }
            Poll::Pending => Poll::Pending,
        }
    }
    fn is_end_stream(&self) -> bool {
        let arriving = self.arriving();
        arriving.ended || arriving.body.is_end_stream()
    }
    fn size_hint(&self) -> SizeHint {
        self.arriving().body.size_hint()
    }
}
