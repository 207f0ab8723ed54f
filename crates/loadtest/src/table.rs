//! Two players at a board.

use std::time::Duration;

use hyper::Method;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until, timeout};
use warpchess_rules::Color;

use crate::LoadError;
use crate::http::{Http, Who};
use crate::script::Script;
use crate::socket::{self, Socket};

/// After how long an answer counts as lost.
const PATIENCE: Duration = Duration::from_secs(30);
/// Hours enough for both: no flag is to fall.
const LIMIT: i64 = 3 * 60 * 60_000;

/// A player.
struct Seat {
    socket: Socket,
}

/// A game that is played.
pub(crate) struct Table<'a> {
    pub(crate) game: String,
    script: &'a Script,
    white: Seat,
    black: Seat,
    /// How many moves were acknowledged.
    pub(crate) ply: usize,
}

/// How long a move took, from when it was to be sent.
pub(crate) struct Moved {
    pub(crate) sent: Duration,
    pub(crate) acknowledged: Duration,
    pub(crate) with_both: Duration,
}

/// A game to look at when all is over.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) game: String,
    pub(crate) moves: Vec<String>,
}

impl<'a> Table<'a> {
    /// Begins a game and sits both players down. `first` and `second` are the servers and the players.
    pub(crate) async fn begin(
        script: &'a Script,
        first: (&mut Http, &str, Who),
        second: (&mut Http, &str, Who),
    ) -> Result<Self, LoadError> {
        let ((http, authority, mut who), (other_http, other_authority, mut other)) = (first, second);
        let wish = json!({
            "variant": script.variant.id(), "color": "white", "opponent": { "kind": "link" },
            "control": { "kind": "live", "limit": LIMIT, "increment": 0 },
        });
        let made = http.ask(Method::POST, "/api/challenges", &mut who, Some(wish)).await?;
        let id = text(&made, "/challenge/id")?;
        let begun = other_http.ask(Method::POST, &format!("/api/challenges/{id}/accept"), &mut other, None).await?;
        let game = text(&begun, "/game")?;
        let white = Seat::take(authority, &who, &game).await?;
        let black = Seat::take(other_authority, &other, &game).await?;
        Ok(Self { game, script, white, black, ply: 0 })
    }

    /// Waits, but reads what comes meanwhile: connections are kept alive by that.
    pub(crate) async fn think(&mut self, until: Instant) -> Result<(), LoadError> {
        loop {
            tokio::select! {
                () = sleep_until(until) => return Ok(()),
                text = self.white.socket.next() => { text?; }
                text = self.black.socket.next() => { text?; }
            }
        }
    }

    /// Plays the next move, which was to be sent at `due`.
    pub(crate) async fn turn(&mut self, due: Instant) -> Result<Moved, LoadError> {
        let Some(turn) = self.script.turns.get(self.ply) else { return Err(LoadError::Lost("no move is left".into())) };
        let (mover, other) = match turn.by {
            Color::White => (&mut self.white.socket, &mut self.black.socket),
            Color::Black => (&mut self.black.socket, &mut self.white.socket),
        };
        let sent = due.elapsed();
        let message = format!(
            r#"{{"t":"move","game":"{}","ply":{},"uci":"{}","id":"m{}"}}"#,
            self.game, self.ply, turn.uci, self.ply
        );
        mover.send(message).await?;
        let wanted = self.ply + 1;
        let told_mover = async {
            let (mut acknowledged, mut seen) = (None, None);
            loop {
                let text = mover.next().await?;
                let told = socket::read(&text)?;
                match &*told.t {
                    "ack" => acknowledged = Some(due.elapsed()),
                    "event" if is_move(&told, wanted)? => seen = Some(due.elapsed()),
                    "refused" | "error" => return Err(LoadError::refused(&told)),
                    _ => {}
                }
                if let (Some(acknowledged), Some(seen)) = (acknowledged, seen) {
                    return Ok((acknowledged, seen));
                }
            }
        };
        let told_other = async {
            loop {
                let text = other.next().await?;
                let told = socket::read(&text)?;
                if &*told.t == "event" && is_move(&told, wanted)? {
                    return Ok(due.elapsed());
                }
            }
        };
        let both = timeout(PATIENCE, async { tokio::try_join!(told_mover, told_other) });
        let ((acknowledged, by_mover), by_other) = both.await.map_err(|_| LoadError::Silence(PATIENCE))??;
        self.ply = wanted;
        Ok(Moved { sent, acknowledged, with_both: by_mover.max(by_other) })
    }

    /// Whether all moves thought out are played.
    pub(crate) fn is_through(&self) -> bool {
        self.ply >= self.script.turns.len()
    }

    /// What was played.
    pub(crate) fn played(&self) -> Played {
        let moves = self.script.turns.iter().take(self.ply).map(|turn| turn.uci.clone()).collect();
        Played { game: self.game.clone(), moves }
    }

    /// Gives the game up, and plays another with colors changed.
    pub(crate) async fn again(&mut self) -> Result<(), LoadError> {
        timeout(PATIENCE, self.rematch()).await.map_err(|_| LoadError::Silence(PATIENCE))?
    }

    async fn rematch(&mut self) -> Result<(), LoadError> {
        let Self { game, white, black, .. } = self;
        white.act(game, "resign").await?;
        white.event("end").await?;
        black.event("end").await?;
        white.act(game, "rematch-offer").await?;
        black.event("rematch-offer").await?;
        black.act(game, "rematch-accept").await?;
        let next = black.event("rematch").await?.ok_or_else(|| LoadError::Lost("a rematch without a game".into()))?;
        for seat in [&mut *white, &mut *black] {
            seat.socket.send(json!({ "t": "leave", "game": game }).to_string()).await?;
            seat.join(&next).await?;
        }
        std::mem::swap(white, black);
        self.game = next;
        self.ply = 0;
        Ok(())
    }
}

/// Whether an event is the move that was waited for. A later one without it means that one was lost.
fn is_move(told: &socket::Told<'_>, ply: usize) -> Result<bool, LoadError> {
    match (told.kind.as_deref(), told.ply) {
        (Some("move"), Some(at)) if at > ply => Err(LoadError::Lost(format!("move {ply} did not come, but {at}"))),
        (Some("move"), at) => Ok(at == Some(ply)),
        _ => Ok(false),
    }
}

fn text(json: &Value, pointer: &str) -> Result<String, LoadError> {
    let found = json.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    found.ok_or_else(|| LoadError::Lost(format!("no {pointer} in {json}")))
}

impl Seat {
    async fn take(authority: &str, who: &Who, game: &str) -> Result<Self, LoadError> {
        let mut seat = Self { socket: Socket::connect(authority, who).await? };
        seat.join(game).await?;
        Ok(seat)
    }

    async fn join(&mut self, game: &str) -> Result<(), LoadError> {
        self.socket.send(json!({ "t": "join", "game": game }).to_string()).await?;
        loop {
            let text = self.socket.next().await?;
            let told = socket::read(&text)?;
            match &*told.t {
                "joined" => return Ok(()),
                "refused" | "error" => return Err(LoadError::refused(&told)),
                _ => {}
            }
        }
    }

    async fn act(&mut self, game: &str, action: &str) -> Result<(), LoadError> {
        self.socket.send(json!({ "t": "do", "game": game, "action": action }).to_string()).await
    }

    /// Waits for an event; what follows the game, if it says so.
    async fn event(&mut self, kind: &str) -> Result<Option<String>, LoadError> {
        loop {
            let text = self.socket.next().await?;
            let told = socket::read(&text)?;
            match &*told.t {
                "event" if told.kind.as_deref() == Some(kind) => return Ok(told.rematch.map(Into::into)),
                "refused" | "error" => return Err(LoadError::refused(&told)),
                _ => {}
            }
        }
    }
}
