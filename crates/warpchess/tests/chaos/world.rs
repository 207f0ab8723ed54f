//! What there is: servers that can be killed, what they stand on, and what was promised to players.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::chance::Chance;
use crate::proxy::Proxy;

/// What each player has for a game, and what a move adds, in milliseconds.
pub(crate) const LIMIT: i64 = 120_000;
pub(crate) const INCREMENT: i64 = 1000;

/// A server, as a process of its own.
pub(crate) struct Node {
    pub(crate) address: SocketAddr,
    arguments: Vec<String>,
    child: Mutex<Option<Child>>,
    pub(crate) proxy: Proxy,
}

impl Node {
    pub(crate) async fn start(database: &str, bus: &str, chance: Chance) -> Self {
        let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let listen = address.to_string();
        let arguments = ["serve", "--listen", &listen, "--database", database, "--bus", bus, "--workers", "0"];
        let limits = ["--max-requests", "0", "--max-logins", "0", "--max-connections-of-one", "0"];
        let arguments = arguments.iter().chain(&limits).map(ToString::to_string).collect();
        let proxy = Proxy::start(address, chance).await;
        let node = Self { address, arguments, child: Mutex::new(None), proxy };
        node.restart().await;
        node
    }

    /// Ends it without a warning, and starts it again.
    pub(crate) async fn restart(&self) {
        let began = Instant::now();
        loop {
            self.kill();
            let program = env!("CARGO_BIN_EXE_warpchess");
            let mut child = Command::new(program);
            child.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
            *self.child.lock().unwrap() = Some(child.spawn().unwrap());
            // It may end again at once, when what it stands on is not there either.
            while self.is_running() {
                if TcpStream::connect(self.address).await.is_ok() {
                    return;
                }
                assert!(began.elapsed() < Duration::from_secs(60), "the server does not answer");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "the server does not start");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn is_running(&self) -> bool {
        self.child.lock().unwrap().as_mut().is_some_and(|child| child.try_wait().unwrap().is_none())
    }

    fn kill(&self) {
        if let Some(mut child) = self.child.lock().unwrap().take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// The JSON of a reply; why there is none is of no interest.
    pub(crate) async fn api(
        &self,
        method: &str,
        path: &str,
        cookie: Option<&str>,
        body: Option<Value>,
    ) -> Option<Value> {
        let reply =
            tokio::time::timeout(Duration::from_secs(10), self.http(method, path, cookie, body)).await.ok()??;
        let (head, body) = reply.split_once("\r\n\r\n")?;
        let is_well = head.split_ascii_whitespace().nth(1)?.starts_with('2');
        is_well.then(|| serde_json::from_str(body).ok()).flatten()
    }

    /// What is there to read, when nothing goes wrong any more: a node may still be finding that its connections are gone.
    pub(crate) async fn read(&self, path: &str) -> Option<Value> {
        for _ in 0..20 {
            if let Some(json) = self.api("GET", path, None, None).await {
                return Some(json);
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        None
    }

    async fn http(&self, method: &str, path: &str, cookie: Option<&str>, body: Option<Value>) -> Option<String> {
        let mut stream = TcpStream::connect(self.address).await.ok()?;
        let body = body.map_or_else(String::new, |body| body.to_string());
        let cookie = cookie.map_or_else(String::new, |cookie| format!("cookie: {cookie}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{cookie}content-type: application/json\r\ncontent-length: \
             {}\r\nconnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.ok()?;
        Some(reply)
    }

    /// The cookie of somebody new.
    pub(crate) async fn visitor(&self) -> String {
        let reply = self.http("POST", "/api/challenges", None, Some(json!({}))).await.unwrap();
        let cookie = reply.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        cookie.unwrap_or_else(|| panic!("{reply}")).split(';').next().unwrap().to_owned()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A move that was acknowledged.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ack {
    pub(crate) game: String,
    /// Number of its event.
    pub(crate) seq: i64,
    /// How many plies were played with it.
    pub(crate) ply: usize,
    pub(crate) uci: String,
}

/// All that players share.
pub(crate) struct World {
    pub(crate) nodes: Vec<Node>,
    /// What was promised.
    pub(crate) acks: Mutex<HashSet<Ack>>,
    pub(crate) games: Mutex<Vec<String>>,
    /// What has been found to be wrong.
    pub(crate) wrong: Mutex<Vec<String>>,
    pub(crate) reconnects: AtomicU64,
    /// Acknowledgements of moves that were known already.
    pub(crate) repeated: AtomicU64,
    stopping: AtomicBool,
}

impl World {
    pub(crate) fn new(nodes: Vec<Node>) -> Self {
        Self {
            nodes,
            acks: Mutex::default(),
            games: Mutex::default(),
            wrong: Mutex::default(),
            reconnects: AtomicU64::new(0),
            repeated: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
        }
    }
    pub(crate) fn stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
    /// From now on nothing goes wrong any more, and nobody begins anything.
    pub(crate) fn stop(&self) {
        self.nodes.iter().for_each(|node| node.proxy.be_fair());
        self.stopping.store(true, Ordering::Relaxed);
    }
    pub(crate) fn wrong(&self, what: String) {
        self.wrong.lock().unwrap().push(what);
    }

    /// Begins a game; `None` when it cannot be done now.
    pub(crate) async fn begin(&self, variant: &str, white: &str, black: &str, chance: &mut Chance) -> Option<String> {
        let wish = json!({
            "variant": variant, "color": "white", "opponent": { "kind": "link" },
            "control": { "kind": "live", "limit": LIMIT, "increment": INCREMENT },
        });
        let node = chance.pick(&self.nodes)?;
        let made = node.api("POST", "/api/challenges", Some(white), Some(wish)).await?;
        let id = made["challenge"]["id"].as_str()?.to_owned();
        let path = format!("/api/challenges/{id}/accept");
        let begun = chance.pick(&self.nodes)?.api("POST", &path, Some(black), None).await?;
        let game = begun["game"].as_str()?.to_owned();
        self.games.lock().unwrap().push(game.clone());
        Some(game)
    }
}
