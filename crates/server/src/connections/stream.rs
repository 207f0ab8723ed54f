//! The bytes of a connection: how it ends, and what is said to requests that cannot be read.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::Place;

/// For how long, and for how many bytes, a client that is still sending is listened to after the last word was said.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: usize = 1 << 20;

/// A connection that counts as long as it is open, also when it has become a WebSocket.
pub(super) struct Counted {
    stream: Option<TcpStream>,
    place: Option<Place>,
    /// What is still to be written in the place of something else.
    pending: Vec<u8>,
}

impl Counted {
    pub(super) fn new(stream: TcpStream, place: Place) -> Self {
        Self { stream: Some(stream), place: Some(place), pending: Vec::new() }
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    fn poll_pending(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            let written = self.stream()?.poll_write(cx, &pending);
            self.pending = pending;
            let written = ready!(written)?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.pending.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    /// Takes what hyper says without words, to say it with some.
    fn poll_worded(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<Option<usize>>> {
        ready!(self.poll_pending(cx))?;
        let Some(worded) = worded(bytes) else { return Poll::Ready(Ok(None)) };
        self.pending = worded;
        // What cannot be written now is when it is flushed.
        if let Poll::Ready(Err(error)) = self.poll_pending(cx) {
            return Poll::Ready(Err(error));
        }
        Poll::Ready(Ok(Some(bytes.len())))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let (Some(stream), Some(place)) = (self.stream.take(), self.place.take()) else { return };
        // The client has ended it: there is nothing to wait for.
        if matches!(stream.try_read(&mut [0]), Ok(0)) {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                linger(stream).await;
                drop(place);
            });
        }
    }
}

/// Says that nothing more will be said, and listens for a moment to what the client still sends. The system answers what
/// comes to a closed connection by ending it at once, and then the client never reads the last words that were said to it.
pub(super) async fn linger(mut stream: TcpStream) {
    let listen = async {
        std::future::poll_fn(|cx| Pin::new(&mut stream).poll_shutdown(cx)).await?;
        let mut heard = 0;
        let mut scrap = [0; 2048];
        while heard < LINGER_BYTES {
            stream.readable().await?;
            match stream.try_read(&mut scrap) {
                Ok(0) => break,
                Ok(count) => heard += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok::<_, io::Error>(())
    };
    let _ = timeout(LINGER, listen).await;
}

/// hyper answers a head that it cannot read with a status and nothing else. The same with words; `None` for all other replies.
fn worded(reply: &[u8]) -> Option<Vec<u8>> {
    let head = reply.strip_prefix(b"HTTP/1.1 ").or_else(|| reply.strip_prefix(b"HTTP/1.0 "))?;
    let (status, code, sentence) = match head.get(..3)? {
        b"400" => ("400 Bad Request", "bad-request", "the head of this request cannot be read as HTTP"),
        b"414" => ("414 URI Too Long", "too-long", "the address of this request is too long"),
        b"431" => (
            "431 Request Header Fields Too Large",
            "head-too-large",
            "the head of this request is too long, or has too many headers",
        ),
        _ => return None,
    };
    let text = std::str::from_utf8(head).ok()?;
    let has = |header: &str| text.split("\r\n").any(|line| line.eq_ignore_ascii_case(header));
    if !text.ends_with("\r\n\r\n") || !has("content-length: 0") {
        return None;
    }
    let body = serde_json::json!({ "error": sentence, "code": code }).to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    Some((head + &body).into_bytes())
}

impl AsyncRead for Counted {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_read(cx, buffer)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match ready!(self.poll_worded(cx, bytes))? {
            Some(taken) => Poll::Ready(Ok(taken)),
            None => self.stream()?.poll_write(cx, bytes),
        }
    }
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // A reply without a body is in one piece.
        let first: &[u8] = slices.iter().find(|slice| !slice.is_empty()).map_or(&[], |slice| slice);
        match ready!(self.poll_worded(cx, first))? {
            Some(taken) => Poll::Ready(Ok(taken)),
            None => self.stream()?.poll_write_vectored(cx, slices),
        }
    }
    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_pending(cx))?;
        self.stream()?.poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_pending(cx))?;
        self.stream()?.poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_without_words_get_some_and_other_replies_are_left_alone() {
        let bare = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        let told = String::from_utf8(worded(bare).unwrap()).unwrap();
        let (head, body) = told.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())) && body.contains("head-too-large"), "{told}");
        for other in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 10\r\n\r\n",
            "400",
            "",
        ] {
            assert!(worded(other.as_bytes()).is_none(), "{other}");
        }
    }
}
