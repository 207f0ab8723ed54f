//! One client.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::future::select_all;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{FutureExt, SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use tungstenite::error::ProtocolError;

use super::lag::Lag;
use super::message::{self, Ask};
use crate::App;
use crate::auth::Identity;
use crate::bus::{self, Missed, Subscription};
use crate::fields;
use crate::games::lobby::Connected;
use crate::games::presence::Guard;
use crate::games::{Action, LONGEST_GAP, Refusal};
use crate::ids;
use crate::limits::ClientAddr;
use crate::routes::games::{PLAY, done, need, say};
use crate::store::chat::Room;

/// How many games a client may follow at once.
const MOST_GAMES: usize = 16;
/// How often lag is measured.
const PING: Duration = Duration::from_secs(5);
/// After how many of these the store is asked whether anything was missed that another node has done, which may have gone
/// down before it could tell.
const LOOK: u32 = 3;
/// After how long without any sign of life a client counts as gone.
const SILENCE: Duration = Duration::from_secs(30);
/// How long a message may take to be handed to the network.
const SLOW: Duration = Duration::from_secs(20);
/// How many messages a client may send at once, and how many a second after that.
const BURST: f64 = 60.0;
const PER_SECOND: f64 = 20.0;

/// Where something came from.
#[derive(Clone, Debug)]
enum From {
    Game(String),
    Room(String),
    /// Who is there.
    Here(String),
    Lobby,
    Player,
}

/// A game that is followed.
struct Followed {
    /// Number of the last event that was sent.
    seq: i64,
    room: Room,
    /// Number of the last line of chat that was sent.
    said: i64,
    _here: Guard,
}

pub(super) struct Connection {
    app: App,
    who: Identity,
    client: Option<ClientAddr>,
    games: HashMap<String, Followed>,
    subscriptions: Vec<(From, Subscription)>,
    _connected: Connected,
    lag: Lag,
    /// What the client may still send.
    tokens: f64,
    filled_at: Instant,
    heard_at: Instant,
    ticks: u32,
}

/// The connection is over.
struct Over;

type Sink = SplitSink<WebSocket, Message>;

enum Next {
    Client(Option<Result<Message, axum::Error>>),
    Bus(usize, Result<Utf8Bytes, Missed>),
    Tick,
    Stop,
}

impl Connection {
    pub(super) fn new(app: App, who: Identity, client: Option<ClientAddr>) -> Self {
        let now = Instant::now();
        let connected = app.challenges().connected(&who);
        Self {
            _connected: connected,
            app,
            who,
            client,
            games: HashMap::new(),
            subscriptions: Vec::new(),
            lag: Lag::new(),
            tokens: BURST,
            filled_at: now,
            heard_at: now,
            ticks: 0,
        }
    }

    pub(super) async fn run(mut self, socket: WebSocket) {
        let (mut sink, mut stream) = socket.split();
        // Over is over: there is nobody to be told.
        let _ = self.serve(&mut sink, &mut stream).await;
    }

    async fn serve(&mut self, sink: &mut Sink, stream: &mut SplitStream<WebSocket>) -> Result<(), Over> {
        if let Some(subject) = bus::player_subject(self.who.user.as_deref(), Some(&self.who.session)) {
            self.subscriptions.push((From::Player, self.app.games().bus().subscribe(&subject)));
        }
        let welcome = json!({
            "t": "welcome", "protocol": 1, "now": self.app.now(),
            "you": { "name": self.who.name, "user": self.who.user },
        });
        send(sink, welcome).await?;
        let mut ticks = interval(PING);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let next = {
                let mut next = pin!(self.next(stream, &mut ticks));
                let at_once = poll_fn(|context| Poll::Ready(next.as_mut().poll(context))).await;
                match at_once {
                    Poll::Ready(next) => next,
                    // What has been said is sent when there is nothing more to say: two messages are one packet.
                    Poll::Pending => {
                        flush(sink).await?;
                        next.await
                    }
                }
            };
            match next {
                Next::Client(Some(Ok(message))) => self.heard(sink, message).await?,
                Next::Client(Some(Err(error))) => return broken(sink, error).await,
                Next::Client(None) => return Err(Over),
                Next::Bus(index, message) => self.told(sink, index, message).await?,
                // The client comes again, here or to another node, and misses nothing.
                Next::Stop => return close(sink, close_code::RESTART, "the server restarts").await,
                Next::Tick => {
                    if self.heard_at.elapsed() > SILENCE {
                        return close(sink, close_code::AWAY, "no sign of life").await;
                    }
                    put(sink, Message::Ping(self.lag.ping().into())).await?;
                    self.ticks += 1;
                    let bus = self.app.games().bus();
                    if bus.is_shared() && (self.ticks.is_multiple_of(LOOK) || !bus.is_up()) {
                        self.look_after(sink).await?;
                    }
                }
            }
        }
    }

    async fn next(&mut self, stream: &mut SplitStream<WebSocket>, ticks: &mut tokio::time::Interval) -> Next {
        let told = async {
            if self.subscriptions.is_empty() {
                return std::future::pending().await;
            }
            // Waiting for a message and giving up loses none.
            let waits = self.subscriptions.iter_mut().map(|(_, subscription)| subscription.next().boxed());
            let (message, index, _) = select_all(waits).await;
            (index, message)
        };
        tokio::select! {
            message = stream.next() => Next::Client(message),
            (index, message) = told => Next::Bus(index, message),
            _ = ticks.tick() => Next::Tick,
            () = self.app.stopped() => Next::Stop,
        }
    }

    /// A message of the client.
    async fn heard(&mut self, sink: &mut Sink, message: Message) -> Result<(), Over> {
        self.heard_at = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Pong(answer) => {
                self.lag.pong(&answer);
                return Ok(());
            }
            Message::Ping(_) => return Ok(()),
            Message::Binary(_) => return close(sink, close_code::UNSUPPORTED, "messages are text").await,
            Message::Close(_) => return Err(Over),
        };
        if !self.may_send() {
            return close(sink, close_code::POLICY, "too many messages").await;
        }
        let ask = match fields::read::<Ask>(text.as_bytes(), "message") {
            Ok(ask) => ask,
            Err(error) => {
                return send(sink, message::error(&error)).await;
            }
        };
        match ask {
            Ask::Ping { n } => {
                let pong = json!({ "t": "pong", "n": n, "now": self.app.now(), "lag": self.lag.millis() });
                send(sink, pong).await
            }
            Ask::Join { game, seen, said } => self.join(sink, &game, seen, said).await,
            Ask::Leave { game } => {
                self.leave(&game);
                Ok(())
            }
            Ask::Move { game, ply, uci, id } => {
                let action = Ok(Action::Move { ply, uci, id: id.clone() });
                self.act(sink, &game, id, action).await
            }
            Ask::Do { game, action, id } => self.act(sink, &game, id, message::action(&action)).await,
            Ask::Chat { game, room, text, id } => self.chat(sink, &game, &room, &text, id).await,
            Ask::Lobby => self.lobby(sink).await,
            Ask::LeaveLobby => {
                self.subscriptions.retain(|(from, _)| !matches!(from, From::Lobby));
                Ok(())
            }
        }
    }

    fn may_send(&mut self) -> bool {
        let now = Instant::now();
        let passed = now.duration_since(self.filled_at).as_secs_f64();
        self.filled_at = now;
        self.tokens = (self.tokens + passed * PER_SECOND).min(BURST) - 1.0;
        self.tokens >= 0.0
    }

    async fn join(&mut self, sink: &mut Sink, id: &str, seen: Option<i64>, said: Option<i64>) -> Result<(), Over> {
        let Some(game) = game_id(id) else {
            return refuse(sink, id, None, &Refusal::NoGame(id.chars().take(20).collect())).await;
        };
        self.leave(game);
        if self.games.len() >= MOST_GAMES {
            let refusal = Refusal::Malformed("game", format!("a connection follows {MOST_GAMES} games at most"));
            return refuse(sink, game, None, &refusal).await;
        }
        let games = self.app.games().clone();
        // First to listen, then to look: so nothing falls in between.
        let events = games.bus().subscribe(&bus::game_subject(game));
        let chat = games.bus().subscribe(&bus::room_subject(game));
        let here = games.bus().subscribe(&self.app.presence().subject(game));
        let state = match games.state(game, Some(&self.who)).await {
            Ok(state) => state,
            Err(refusal) => return refuse(sink, game, None, &refusal).await,
        };
        let color = state.you.and_then(crate::store::games::color);
        let room = if color.is_some() { Room::Players } else { Room::Spectators };
        let missed = seen.filter(|&seen| seen > 0 && seen <= state.seq && state.seq - seen <= LONGEST_GAP);
        let from = missed.unwrap_or(state.seq);
        let seq = state.seq;
        let mut welcome = json!({ "t": "joined", "game": game, "seq": from, "room": room.name(), "now": state.now });
        welcome["state"] = serde_json::to_value(&state).unwrap_or_default();
        send(sink, welcome).await?;
        let here_now = self.app.presence().enter(game, color);
        let said = said.unwrap_or(0);
        self.games.insert(game.to_owned(), Followed { seq: from, room, said, _here: here_now });
        self.subscriptions.push((From::Game(game.to_owned()), events));
        self.subscriptions.push((From::Room(game.to_owned()), chat));
        self.subscriptions.push((From::Here(game.to_owned()), here));
        if from < seq {
            self.catch_up(sink, game).await?;
        }
        self.catch_up_talk(sink, game).await?;
        put(sink, Message::Text(self.app.presence().message(game).into())).await
    }

    fn leave(&mut self, id: &str) {
        let game = game_id(id).unwrap_or(id);
        if self.games.remove(game).is_none() {
            return;
        }
        self.subscriptions.retain(|(from, _)| match from {
            From::Game(of) | From::Room(of) | From::Here(of) => of != game,
            From::Lobby | From::Player => true,
        });
    }

    async fn act(
        &mut self,
        sink: &mut Sink,
        id: &str,
        request: Option<String>,
        action: Result<Action, Refusal>,
    ) -> Result<(), Over> {
        let game = game_id(id).unwrap_or(id);
        let done = match (action, game_id(id)) {
            _ if need(&self.who, &PLAY).is_err() => Err(Refusal::NotAllowed),
            (Err(refusal), _) => Err(refusal),
            (_, None) => Err(Refusal::NoGame(id.chars().take(20).collect())),
            (Ok(action), Some(game)) => done(&self.app, &self.who, game, action, self.lag.millis()).await,
        };
        match done {
            Ok(done) => send(sink, message::ack(game, request.as_deref(), &done)).await,
            Err(refusal) => refuse(sink, game, request.as_deref(), &refusal).await,
        }
    }

    async fn chat(
        &mut self,
        sink: &mut Sink,
        id: &str,
        room: &str,
        text: &str,
        request: Option<String>,
    ) -> Result<(), Over> {
        let game = game_id(id).unwrap_or(id);
        let said = match (Room::named(room), game_id(id)) {
            _ if need(&self.who, &PLAY).is_err() => Err(Refusal::NotAllowed),
            (_, None) => Err(Refusal::NoGame(id.chars().take(20).collect())),
            (None, _) => Err(Refusal::Malformed("room", "there are the rooms 'players' and 'spectators'".into())),
            (Some(room), Some(game)) => say(&self.app, &self.who, self.client.as_ref(), game, room, text).await,
        };
        match said {
            Ok(seq) => send(sink, json!({ "t": "ack", "game": game, "id": request, "chat": seq })).await,
            Err(refusal) => refuse(sink, game, request.as_deref(), &refusal).await,
        }
    }

    async fn lobby(&mut self, sink: &mut Sink) -> Result<(), Over> {
        self.subscriptions.retain(|(from, _)| !matches!(from, From::Lobby));
        self.subscriptions.push((From::Lobby, self.app.games().bus().subscribe(bus::LOBBY)));
        self.tell_lobby(sink).await
    }

    async fn tell_lobby(&self, sink: &mut Sink) -> Result<(), Over> {
        match self.app.challenges().lobby().await {
            Ok(challenges) => send(sink, json!({ "t": "lobby", "challenges": challenges })).await,
            Err(error) => send(sink, message::error(&error)).await,
        }
    }

    /// A message of the bus.
    async fn told(&mut self, sink: &mut Sink, index: usize, message: Result<Utf8Bytes, Missed>) -> Result<(), Over> {
        let Some((from, _)) = self.subscriptions.get(index) else { return Ok(()) };
        match (from.clone(), message) {
            (From::Game(game), Ok(text)) => self.event(sink, &game, text).await,
            (From::Game(game), Err(Missed)) => self.catch_up(sink, &game).await,
            (From::Room(game), Ok(text)) => self.talk(sink, &game, text).await,
            (From::Room(game), Err(Missed)) => self.catch_up_talk(sink, &game).await,
            (From::Lobby, Err(Missed)) => self.tell_lobby(sink).await,
            (From::Here(_) | From::Lobby | From::Player, Ok(text)) => put(sink, Message::Text(text)).await,
            // Who is there is told again with the next change.
            (From::Here(_) | From::Player, Err(Missed)) => Ok(()),
        }
    }

    /// An event: sent if it is the next, fetched if some are missing, left out if it was sent.
    async fn event(&mut self, sink: &mut Sink, game: &str, text: Utf8Bytes) -> Result<(), Over> {
        let Some(followed) = self.games.get_mut(game) else { return Ok(()) };
        match sequence(&text) {
            Some(seq) if seq <= followed.seq => Ok(()),
            Some(seq) if seq == followed.seq + 1 => {
                followed.seq = seq;
                put(sink, Message::Text(text)).await
            }
            _ => self.catch_up(sink, game).await,
        }
    }

    /// What is said, to those who are to hear it. What is for no room is for both, as the progress of an analysis.
    async fn talk(&mut self, sink: &mut Sink, game: &str, text: Utf8Bytes) -> Result<(), Over> {
        let Some(followed) = self.games.get_mut(game) else { return Ok(()) };
        let Ok(told) = serde_json::from_str::<Talk>(&text) else { return Ok(()) };
        match (told.room, told.seq) {
            (Some(room), _) if room != followed.room.name() => Ok(()),
            // Two lines said at once may come in either order: none is left out for its number.
            (_, seq) => {
                followed.said = followed.said.max(seq.unwrap_or(0));
                put(sink, Message::Text(text)).await
            }
        }
    }

    /// Sends what was said and not heard, from the store.
    async fn catch_up_talk(&mut self, sink: &mut Sink, game: &str) -> Result<(), Over> {
        let Some(followed) = self.games.get_mut(game) else { return Ok(()) };
        let Ok(lines) = self.app.games().said(game, followed.room, followed.said).await else {
            return close(sink, close_code::AGAIN, WITHOUT_STORE).await;
        };
        for line in lines {
            followed.said = followed.said.max(line.seq);
            put(sink, Message::Text(line.to_json().into())).await?;
        }
        Ok(())
    }

    async fn look_after(&mut self, sink: &mut Sink) -> Result<(), Over> {
        let games: Vec<String> = self.games.keys().cloned().collect();
        for game in games {
            self.catch_up(sink, &game).await?;
        }
        Ok(())
    }

    /// Sends what was missed, from the store.
    async fn catch_up(&mut self, sink: &mut Sink, game: &str) -> Result<(), Over> {
        let Some(followed) = self.games.get_mut(game) else { return Ok(()) };
        // The store may let one wait: what was said meanwhile is not to.
        flush(sink).await?;
        // Without the store there is no telling what was missed: the client has to come again.
        let Ok(missed) = self.app.games().events_after(game, followed.seq).await else {
            return close(sink, close_code::AGAIN, WITHOUT_STORE).await;
        };
        for event in missed {
            followed.seq = event.seq;
            put(sink, Message::Text(event.data.into())).await?;
        }
        Ok(())
    }
}

/// Why a connection ends that cannot be told what it has missed.
const WITHOUT_STORE: &str = "the database cannot be reached";

/// A game's id, from that of a game or of a player's side of one.
fn game_id(text: &str) -> Option<&str> {
    ids::is_game_id(text).then(|| &text[..ids::GAME])
}

/// The number of an event, from its text.
fn sequence(text: &str) -> Option<i64> {
    #[derive(serde::Deserialize)]
    struct Numbered {
        seq: i64,
    }
    serde_json::from_str::<Numbered>(text).ok().map(|event| event.seq)
}

/// What matters about something that is told in a room.
#[derive(serde::Deserialize)]
struct Talk {
    room: Option<String>,
    seq: Option<i64>,
}

async fn refuse(sink: &mut Sink, game: &str, id: Option<&str>, refusal: &Refusal) -> Result<(), Over> {
    let game: String = game.chars().take(20).collect();
    send(sink, message::refused(&game, id, refusal)).await
}

async fn send(sink: &mut Sink, message: Value) -> Result<(), Over> {
    put(sink, Message::Text(message.to_string().into())).await
}

/// Puts a message where it will be sent from.
async fn put(sink: &mut Sink, message: Message) -> Result<(), Over> {
    in_time(sink.feed(message)).await
}

/// Hands messages to the network. A client that does not take them is given up.
async fn flush(sink: &mut Sink) -> Result<(), Over> {
    in_time(sink.flush()).await
}

async fn in_time(sending: impl Future<Output = Result<(), axum::Error>>) -> Result<(), Over> {
    match timeout(SLOW, sending).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(Over),
    }
}

/// Tells a client why what it has sent ends the connection.
async fn broken(sink: &mut Sink, error: axum::Error) -> Result<(), Over> {
    let inner = error.into_inner();
    match inner.downcast_ref::<tungstenite::Error>() {
        Some(tungstenite::Error::Capacity(_)) => {
            close(sink, close_code::SIZE, "a message has at most 4096 bytes").await
        }
        Some(tungstenite::Error::Utf8(_)) => close(sink, close_code::INVALID, "messages are text in UTF-8").await,
        // Unless it has gone without a word.
        Some(tungstenite::Error::Protocol(why)) if *why != ProtocolError::ResetWithoutClosingHandshake => {
            close(sink, close_code::PROTOCOL, "this is no WebSocket frame").await
        }
        _ => Err(Over),
    }
}

async fn close(sink: &mut Sink, code: u16, reason: &'static str) -> Result<(), Over> {
    let frame = CloseFrame { code, reason: reason.into() };
    if put(sink, Message::Close(Some(frame))).await.is_ok() {
        let _ = flush(sink).await;
    }
    Err(Over)
}
