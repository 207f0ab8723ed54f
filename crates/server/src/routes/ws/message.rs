//! What clients send, and the small answers.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::Error;
use crate::fields::{Wrong, needed};
use crate::games::{Action, Done, Refusal};

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "AskForm")]
pub(super) enum Ask {
    /// To be told what happens in a game: from event `seen` on, or from how it stands.
    Join {
        game: String,
        seen: Option<i64>,
        /// The last chat line it has.
        said: Option<i64>,
    },
    /// Not to be told any more.
    Leave { game: String },
    /// A move.
    Move { game: String, ply: i64, uci: String, id: Option<String> },
    /// Anything else that is done in a game.
    Do { game: String, action: String, id: Option<String> },
    /// To say something.
    Chat { game: String, room: String, text: String, id: Option<String> },
    /// To be told what is open in the lobby.
    Lobby,
    /// Not to be told any more.
    LeaveLobby,
    /// Whether the server is there, and what time it is.
    Ping { n: Option<i64> },
}

/// A message as it is sent: all fields that any has, so that what is wrong with one is told by its name.
#[derive(Deserialize)]
struct AskForm {
    t: String,
    game: Option<String>,
    seen: Option<i64>,
    said: Option<i64>,
    ply: Option<i64>,
    uci: Option<String>,
    id: Option<String>,
    action: Option<String>,
    room: Option<String>,
    text: Option<String>,
    n: Option<i64>,
}

impl TryFrom<AskForm> for Ask {
    type Error = Wrong;
    fn try_from(form: AskForm) -> Result<Self, Wrong> {
        let game = needed("game", form.game);
        Ok(match form.t.as_str() {
            "join" => Self::Join { game: game?, seen: form.seen, said: form.said },
            "leave" => Self::Leave { game: game? },
            "move" => {
                Self::Move { game: game?, ply: needed("ply", form.ply)?, uci: needed("uci", form.uci)?, id: form.id }
            }
            "do" => Self::Do { game: game?, action: needed("action", form.action)?, id: form.id },
            "chat" => {
                let (room, text) = (needed("room", form.room)?, needed("text", form.text)?);
                Self::Chat { game: game?, room, text, id: form.id }
            }
            "lobby" => Self::Lobby,
            "leave-lobby" => Self::LeaveLobby,
            "ping" => Self::Ping { n: form.n },
            other => {
                let other: String = other.chars().take(20).collect();
                return Err(Wrong::new("t", format!("there are no messages '{other}'")));
            }
        })
    }
}

/// The answer to what was done.
pub(super) fn ack(game: &str, id: Option<&str>, done: &Done) -> Value {
    let mut ack = json!({ "t": "ack", "game": game, "id": id, "seq": done.seq, "ply": done.ply });
    if done.duplicate {
        ack["duplicate"] = true.into();
    }
    if let Some(rematch) = &done.rematch {
        ack["rematch"] = rematch.as_str().into();
    }
    ack
}

/// The answer to what was not done.
pub(super) fn refused(game: &str, id: Option<&str>, refusal: &Refusal) -> Value {
    let mut refused =
        json!({ "t": "refused", "game": game, "id": id, "code": refusal.code(), "error": refusal.to_string() });
    if let Refusal::Stale { now, .. } | Refusal::Early { now, .. } = refusal {
        refused["ply"] = (*now).into();
    }
    if let Some(seconds) = refusal.retry_after() {
        refused["retryAfter"] = seconds.into();
    }
    if let Some(field) = refusal.field() {
        refused["field"] = field.into();
    }
    refused
}

/// Something was wrong that belongs to no game.
pub(super) fn error(error: &Error) -> Value {
    let mut told = json!({ "t": "error", "code": error.code, "error": error.message });
    if let Some(field) = &error.field {
        told["field"] = field.as_ref().into();
    }
    told
}

/// An action by the name that clients give it.
pub(super) fn action(name: &str) -> Result<Action, Refusal> {
    let shortened: String = name.chars().take(30).collect();
    Action::named(name).ok_or_else(|| Refusal::Malformed("action", format!("there is no action '{shortened}'")))
}
