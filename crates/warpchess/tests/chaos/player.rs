//! A player who does as `docs/protocol.md` says, on a network that does not.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};
use warpchess_rules::{Color, Game, VariantId};

use crate::chance::Chance;
use crate::world::{Ack, World};

/// After how long without a word a player comes again.
const SILENCE: Duration = Duration::from_millis(1500);
/// How long a player thinks at most, in milliseconds.
const THINK: u64 = 120;
/// How long the answer to a move may take when nothing goes wrong any more.
const PATIENCE: Duration = Duration::from_secs(60);

/// A move that waits for its answer. It is sent again until it has one.
struct Pending {
    ply: usize,
    uci: String,
    id: String,
}

type Socket = WebSocketStream<TcpStream>;

pub(crate) struct Player {
    world: Arc<World>,
    cookie: String,
    color: Color,
    variant: VariantId,
    chance: Chance,
    game: String,
    /// Number of the last event that was seen.
    seq: i64,
    board: Game,
    is_over: bool,
    /// Whether it is known how the game stands.
    is_joined: bool,
    pending: Option<Pending>,
    named: u64,
    socket: Option<Socket>,
}

impl Player {
    pub(crate) fn new(world: &Arc<World>, cookie: String, color: Color, variant: VariantId, chance: Chance) -> Self {
        Self {
            world: Arc::clone(world),
            cookie,
            color,
            variant,
            chance,
            game: String::new(),
            seq: 0,
            board: Game::new(variant),
            is_over: false,
            is_joined: false,
            pending: None,
            named: 0,
            socket: None,
        }
    }

    /// Plays a game to its end, or until everything stops; then each move that was sent has its answer.
    pub(crate) async fn play(&mut self, game: &str) {
        self.game = game.to_owned();
        self.board = Game::new(self.variant);
        (self.seq, self.is_over, self.is_joined, self.socket) = (0, false, false, None);
        while !self.world.stopping() && !self.is_over {
            self.step(true).await;
        }
        self.finish().await;
    }

    /// Has every move answered.
    async fn finish(&mut self) {
        let began = Instant::now();
        while self.pending.is_some() {
            if self.world.stopping() && began.elapsed() > PATIENCE {
                self.world.wrong(format!("{}: a move was never answered", self.game));
                return;
            }
            self.step(false).await;
        }
    }

    /// Comes again when nothing goes wrong any more, is told what was missed, and compares.
    pub(crate) async fn compare(&mut self) {
        if self.game.is_empty() {
            return;
        }
        let began = Instant::now();
        self.socket = None;
        self.is_joined = false;
        // Once what was missed has come, the next silence is the end.
        loop {
            let silent = self.silent().await;
            if self.is_joined && silent {
                break;
            }
            if began.elapsed() > PATIENCE {
                self.world.wrong(format!("{}: a client cannot come back", self.game));
                return;
            }
        }
        let path = format!("/api/games/{}", self.game);
        let Some(state) = self.world.nodes[0].read(&path).await else {
            self.world.wrong(format!("{}: the server does not tell of it", self.game));
            return;
        };
        let here: Vec<String> = self.board.moves().map(|m| m.to_string()).collect();
        let over = state["status"] != "started";
        if state["moves"] != json!(here) || state["seq"] != self.seq || over != self.is_over {
            self.world.wrong(format!(
                "{}: a client ends with event {} and {here:?}, over: {}; the server with {state}",
                self.game, self.seq, self.is_over
            ));
        }
    }

    async fn silent(&mut self) -> bool {
        match self.message(Duration::from_millis(500)).await {
            Some(Some(message)) => {
                self.told(&message).await;
                false
            }
            Some(None) => false,
            None => self.socket.is_some(),
        }
    }

    async fn step(&mut self, may_move: bool) {
        let is_due = may_move && self.is_joined && !self.is_over && self.pending.is_none() && self.is_to_move();
        let wait = if is_due { Duration::from_millis(self.chance.below(THINK)) } else { SILENCE };
        match self.message(wait).await {
            Some(Some(message)) => self.told(&message).await,
            Some(None) => {}
            None if is_due => self.act().await,
            // Nothing is heard: perhaps nobody is there.
            None => self.socket = None,
        }
    }

    fn is_to_move(&self) -> bool {
        self.board.outcome().is_none() && self.board.position().turn() == self.color
    }

    /// A message, if one comes within this time; `Some(None)` when the connection was lost or made.
    async fn message(&mut self, wait: Duration) -> Option<Option<Value>> {
        let Some(socket) = &mut self.socket else {
            self.connect().await;
            return Some(None);
        };
        match timeout(wait, socket.next()).await {
            Err(_) => None,
            Ok(Some(Ok(Message::Text(text)))) => Some(serde_json::from_str(&text).ok()),
            Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => {
                self.socket = None;
                Some(None)
            }
            Ok(Some(Ok(_))) => Some(None),
        }
    }

    async fn connect(&mut self) {
        let Some(node) = self.chance.pick(&self.world.nodes) else { return };
        let address = node.proxy.address;
        let made = async {
            let mut request = format!("ws://{address}/ws").into_client_request().ok()?;
            request.headers_mut().insert("cookie", self.cookie.parse().ok()?);
            let stream = TcpStream::connect(address).await.ok()?;
            Some(client_async(request, stream).await.ok()?.0)
        };
        self.socket = timeout(Duration::from_secs(5), made).await.ok().flatten();
        if self.socket.is_none() {
            sleep(Duration::from_millis(50 + self.chance.below(100))).await;
            return;
        }
        self.world.reconnects.fetch_add(1, Ordering::Relaxed);
        self.join().await;
        self.send_pending().await;
    }

    async fn join(&mut self) {
        let seen = (self.seq > 0).then_some(self.seq);
        self.send(json!({ "t": "join", "game": self.game, "seen": seen })).await;
    }

    async fn send(&mut self, message: Value) {
        if let Some(socket) = &mut self.socket
            && socket.send(Message::Text(message.to_string().into())).await.is_err()
        {
            self.socket = None;
        }
    }

    async fn send_pending(&mut self) {
        if let Some(Pending { ply, uci, id }) = &self.pending {
            let message = json!({ "t": "move", "game": self.game, "ply": ply, "uci": uci, "id": id });
            self.send(message).await;
        }
    }

    /// Does something, now that it is one's turn.
    async fn act(&mut self) {
        if self.board.len() > 6 && self.chance.once_in(80) {
            return self.do_it("resign").await;
        }
        let moves = self.board.position().legal_moves();
        let Some(chosen) = self.chance.pick(&moves) else { return };
        self.named += 1;
        let id = format!("m{}", self.named);
        self.pending = Some(Pending { ply: self.board.len(), uci: chosen.to_string(), id });
        self.send_pending().await;
        if self.chance.once_in(40) {
            self.do_it("takeback-offer").await;
        }
    }

    async fn do_it(&mut self, action: &str) {
        self.send(json!({ "t": "do", "game": self.game, "action": action })).await;
    }

    async fn told(&mut self, message: &Value) {
        if message["game"] != *self.game {
            return;
        }
        match message["t"].as_str().unwrap_or_default() {
            "joined" => self.joined(message),
            "event" => self.event(message).await,
            "ack" => {
                if let Some(pending) = self.pending.take_if(|pending| message["id"] == *pending.id) {
                    if message["duplicate"] == true {
                        self.world.repeated.fetch_add(1, Ordering::Relaxed);
                    }
                    let (game, seq) = (self.game.clone(), message["seq"].as_i64().unwrap_or(0));
                    let ack = Ack { game, seq, ply: pending.ply + 1, uci: pending.uci };
                    self.world.acks.lock().unwrap().insert(ack);
                }
            }
            "refused" => match message["code"].as_str().unwrap_or_default() {
                // The server does not know whether it was done: one asks again.
                "internal" | "busy" | "database-down" | "database-lost" => {
                    sleep(Duration::from_millis(100)).await;
                    self.send_pending().await;
                }
                _ => {
                    self.pending.take_if(|pending| message["id"] == *pending.id);
                }
            },
            _ => {}
        }
    }

    /// How the game stands. Where the events that were missed follow, they are what counts.
    fn joined(&mut self, message: &Value) {
        let state = &message["state"];
        let seq = state["seq"].as_i64().unwrap_or(0);
        let follow = self.seq > 0 && message["seq"] == self.seq;
        // It may have been on its way for long.
        if seq >= self.seq && !follow {
            let mut board = Game::new(self.variant);
            for uci in state["moves"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                if let Err(error) = board.play_uci(uci) {
                    self.world.wrong(format!("{}: a client was told an illegal game: {error}", self.game));
                }
            }
            (self.board, self.seq) = (board, seq);
            self.is_over = state["status"] != "started";
        }
        self.is_joined = true;
    }

    async fn event(&mut self, event: &Value) {
        let seq = event["seq"].as_i64().unwrap_or(0);
        if seq <= self.seq {
            return;
        }
        if seq > self.seq + 1 {
            // Something is missing: it is asked for.
            return self.join().await;
        }
        self.seq = seq;
        let ply = usize::try_from(event["ply"].as_u64().unwrap_or(0)).unwrap_or(0);
        match event["kind"].as_str().unwrap_or_default() {
            "move" => {
                let played = self.board.play_uci(event["uci"].as_str().unwrap_or_default());
                if let Err(error) = played {
                    self.world.wrong(format!("{}: a client was told an illegal move: {error}", self.game));
                }
                if self.board.len() != ply {
                    self.world.wrong(format!("{}: ply {ply} as number {}", self.game, self.board.len()));
                }
            }
            "takeback" => {
                while self.board.len() > ply {
                    self.board.take_back();
                }
            }
            "takeback-offer" if event["by"] != self.color.name() && !self.chance.once_in(3) => {
                self.do_it("takeback-accept").await;
            }
            _ => {}
        }
        self.is_over |= !event["end"].is_null();
    }
}
