//! A client of the WebSocket at a server on a real port.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use warpchess_server::{Config, ServeError, serve};

/// A server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    ended: JoinHandle<Result<(), ServeError>>,
}

impl Server {
    pub(crate) async fn start(config: Config) -> Self {
        Self::at(config, "127.0.0.1:0".parse().unwrap()).await
    }
    pub(crate) async fn at(config: Config, address: SocketAddr) -> Self {
        let (ready, is_ready) = oneshot::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let ended = tokio::spawn(serve(address, config, move |at| ready.send(at).unwrap(), async {
            let _ = stopped.await;
        }));
        Self { address: is_ready.await.unwrap(), stop: Some(stop), ended }
    }
    pub(crate) async fn stop(mut self) {
        let _ = self.stop.take().unwrap().send(());
        self.ended.await.unwrap().unwrap();
    }
    pub(crate) async fn client(&self, cookie: &str) -> Client {
        Client::connect(self.address, Some(cookie), None).await.unwrap()
    }
    /// A new browser: its cookie.
    pub(crate) async fn visitor(&self) -> String {
        let reply = self.http("POST", "/api/challenges", None, Some(json!({}))).await;
        let cookie = reply.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        cookie.unwrap_or_else(|| panic!("{reply}")).split(';').next().unwrap().to_owned()
    }
    /// A request: the whole reply.
    pub(crate) async fn http(&self, method: &str, path: &str, cookie: Option<&str>, body: Option<Value>) -> String {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let body = body.map_or_else(String::new, |body| body.to_string());
        let cookie = cookie.map_or_else(String::new, |cookie| format!("cookie: {cookie}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{cookie}content-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.unwrap();
        reply
    }
    /// The JSON of a reply.
    pub(crate) async fn api(&self, method: &str, path: &str, cookie: &str, body: Option<Value>) -> Value {
        let reply = self.http(method, path, Some(cookie), body).await;
        let (_, body) = reply.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {reply}"))
    }
    /// A game between two visitors: its id.
    pub(crate) async fn game(&self, white: &str, black: &str, variant: &str) -> String {
        let wish = json!({
            "variant": variant, "color": "white", "opponent": { "kind": "link" },
            "control": { "kind": "live", "limit": 300_000, "increment": 0 },
        });
        let made = self.api("POST", "/api/challenges", white, Some(wish)).await;
        let id = made["challenge"]["id"].as_str().unwrap_or_else(|| panic!("{made}"));
        let begun = self.api("POST", &format!("/api/challenges/{id}/accept"), black, None).await;
        begun["game"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned()
    }
}

pub(crate) struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// What came while something else was waited for.
    pub(crate) seen: Vec<Value>,
}

impl Client {
    pub(crate) async fn connect(
        address: SocketAddr,
        cookie: Option<&str>,
        origin: Option<&str>,
    ) -> Result<Self, Error> {
        let mut request = format!("ws://{address}/ws").into_client_request()?;
        if let Some(cookie) = cookie {
            request.headers_mut().insert("cookie", cookie.parse().unwrap());
        }
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        let (socket, _) = connect_async(request).await?;
        Ok(Self { socket, seen: Vec::new() })
    }
    pub(crate) async fn send(&mut self, message: Value) {
        self.socket.send(Message::Text(message.to_string().into())).await.unwrap();
    }
    pub(crate) async fn send_raw(&mut self, message: Message) {
        let _ = self.socket.send(message).await;
    }
    /// The next message; `None` when the connection is closed.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(60), self.socket.next()).await.expect("a message");
            match message {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }
    /// With which code the server ends the connection; `None` if it does so without one.
    pub(crate) async fn end(&mut self) -> Option<u16> {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(60), self.socket.next()).await.expect("an end");
            match message {
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                Some(Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }
    /// The next message for which something holds; others are set aside.
    pub(crate) async fn until(&mut self, what: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.seen.iter().position(&what) {
            return self.seen.remove(index);
        }
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("closed after {:?}", self.seen));
            if what(&message) {
                return message;
            }
            self.seen.push(message);
        }
    }
    pub(crate) async fn wait(&mut self, t: &str) -> Value {
        self.until(|message| message["t"] == t).await
    }
    /// Sends, and waits for the answer.
    pub(crate) async fn ask(&mut self, message: Value) -> Value {
        self.send(message).await;
        self.until(|answer| ["ack", "refused", "joined", "error", "pong"].iter().any(|t| answer["t"] == *t)).await
    }
    pub(crate) async fn join(&mut self, game: &str, seen: Option<i64>) -> Value {
        self.ask(json!({ "t": "join", "game": game, "seen": seen })).await
    }
    pub(crate) async fn play(&mut self, game: &str, ply: i64, uci: &str, id: &str) -> Value {
        self.ask(json!({ "t": "move", "game": game, "ply": ply, "uci": uci, "id": id })).await
    }
    /// The event of a number.
    pub(crate) async fn event(&mut self, seq: i64) -> Value {
        self.until(|message| message["t"] == "event" && message["seq"] == seq).await
    }
}
