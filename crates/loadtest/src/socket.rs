//! A player's connection.

use std::borrow::Cow;

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::LoadError;
use crate::http::Who;

/// What is asked of a message. The rest is not read.
#[derive(Deserialize)]
pub(crate) struct Told<'a> {
    #[serde(borrow)]
    pub(crate) t: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) kind: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(crate) ply: Option<usize>,
    #[serde(borrow, default)]
    pub(crate) code: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) error: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) rematch: Option<Cow<'a, str>>,
}

pub(crate) fn read(text: &str) -> Result<Told<'_>, LoadError> {
    serde_json::from_str(text).map_err(|error| LoadError::Lost(format!("a message cannot be read: {error}")))
}

pub(crate) struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    pub(crate) async fn connect(authority: &str, who: &Who) -> Result<Self, LoadError> {
        let failed = |why: &dyn std::fmt::Display| LoadError::Request { path: "/ws".to_owned(), why: why.to_string() };
        let mut request = format!("ws://{authority}/ws").into_client_request().map_err(|error| failed(&error))?;
        if let Some((name, value)) = who.header() {
            request.headers_mut().insert(name, value.parse().map_err(|error| failed(&error))?);
        }
        let stream = TcpStream::connect(authority).await.map_err(|error| failed(&error))?;
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        // Thousands of these are held: each has what a message or two take.
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let connected = client_async_with_config(request, stream, Some(config)).await;
        Ok(Self(connected.map_err(|error| failed(&error))?.0))
    }

    pub(crate) async fn send(&mut self, text: String) -> Result<(), LoadError> {
        self.0.send(Message::Text(text.into())).await.map_err(|error| LoadError::Lost(error.to_string()))
    }

    /// The next text. Waiting for it and giving up loses none.
    pub(crate) async fn next(&mut self) -> Result<Utf8Bytes, LoadError> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text),
                Some(Ok(Message::Close(frame))) => {
                    let why = frame.map_or_else(String::new, |frame| format!(": {} {}", frame.code, frame.reason));
                    return Err(LoadError::Lost(format!("the server closed the connection{why}")));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(LoadError::Lost(error.to_string())),
                None => return Err(LoadError::Lost("the connection ended".into())),
            }
        }
    }
}
