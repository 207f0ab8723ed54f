//! Requests that have JSON answers, over a connection that is kept.

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, SET_COOKIE};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use crate::LoadError;

/// Who asks: a browser with its cookie, or a program with a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// A browser that has no cookie yet.
    Nobody,
    Cookie(String),
    Token(String),
}

impl Who {
    /// The header that says so.
    pub(crate) fn header(&self) -> Option<(hyper::header::HeaderName, String)> {
        match self {
            Self::Nobody => None,
            Self::Cookie(cookie) => Some((COOKIE, cookie.clone())),
            Self::Token(token) => Some((AUTHORIZATION, format!("Bearer {token}"))),
        }
    }
}

/// The host and port of `http://HOST:PORT`.
pub(crate) fn authority(url: &str) -> Result<String, LoadError> {
    let rest = url.strip_prefix("http://").map(|rest| rest.trim_end_matches('/'));
    let rest = rest.filter(|rest| !rest.is_empty() && !rest.contains('/'));
    let rest = rest.ok_or_else(|| LoadError::Url(url.to_owned()))?;
    Ok(if rest.contains(':') { rest.to_owned() } else { format!("{rest}:80") })
}

pub(crate) struct Http {
    authority: String,
    connection: Option<SendRequest<Full<Bytes>>>,
}

impl Http {
    pub(crate) const fn new(authority: String) -> Self {
        Self { authority, connection: None }
    }

    /// The answer's JSON. Whoever was nobody gets the cookie that comes with it.
    pub(crate) async fn ask(
        &mut self,
        method: Method,
        path: &str,
        who: &mut Who,
        body: Option<Value>,
    ) -> Result<Value, LoadError> {
        let failed = |why: &dyn std::fmt::Display| LoadError::Request { path: path.to_owned(), why: why.to_string() };
        let mut request = Request::builder().method(method).uri(path).header(HOST, &self.authority);
        if let Some((name, value)) = who.header() {
            request = request.header(name, value);
        }
        let body = match body {
            Some(body) => {
                request = request.header(CONTENT_TYPE, "application/json");
                Full::from(body.to_string())
            }
            None => Full::default(),
        };
        let request = request.body(body).map_err(|error| failed(&error))?;
        let mut connection = match self.connection.take().filter(|connection| !connection.is_closed()) {
            Some(connection) => connection,
            None => self.connect().await.map_err(|error| failed(&error))?,
        };
        connection.ready().await.map_err(|error| failed(&error))?;
        let reply = connection.send_request(request).await.map_err(|error| failed(&error))?;
        let (head, body) = reply.into_parts();
        let bytes = body.collect().await.map_err(|error| failed(&error))?.to_bytes();
        self.connection = Some(connection);
        if !head.status.is_success() {
            let text = String::from_utf8_lossy(&bytes);
            return Err(failed(&format!("{}: {}", head.status, text.chars().take(200).collect::<String>())));
        }
        let cookie = head.headers.get(SET_COOKIE).and_then(|value| value.to_str().ok()?.split(';').next());
        if let (Who::Nobody, Some(cookie)) = (&who, cookie) {
            *who = Who::Cookie(cookie.to_owned());
        }
        serde_json::from_slice(&bytes).map_err(|error| failed(&error))
    }

    async fn connect(&self) -> Result<SendRequest<Full<Bytes>>, Box<dyn std::error::Error + Send + Sync>> {
        let stream = TcpStream::connect(&self.authority).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(sender)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_names_a_host_and_perhaps_a_port() {
        assert_eq!(authority("http://127.0.0.1:8080").unwrap(), "127.0.0.1:8080");
        assert_eq!(authority("http://chess.example/").unwrap(), "chess.example:80");
        for url in ["https://chess.example", "chess.example", "http://", "http://a/b"] {
            assert!(authority(url).is_err(), "{url}");
        }
    }
}
