//! What clients send, and the small answers.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::Error;
use crate::games::{Action, Done, Refusal};

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub(super) enum Ask {
    /// To be told what happens in a game: from event `seen` on, or from how it stands.
    Join {
        game: String,
        #[serde(default)]
        seen: Option<i64>,
        /// The last chat line it has.
        #[serde(default)]
        said: Option<i64>,
    },
    /// Not to be told any more.
    Leave { game: String },
    /// A move.
    Move {
        game: String,
        ply: i64,
        uci: String,
        #[serde(default)]
        id: Option<String>,
    },
    /// Anything else that is done in a game.
    Do {
        game: String,
        action: String,
        #[serde(default)]
        id: Option<String>,
    },
    /// To say something.
    Chat {
        game: String,
        room: String,
        text: String,
        #[serde(default)]
        id: Option<String>,
    },
    /// To be told what is open in the lobby.
    Lobby,
    /// Not to be told any more.
    LeaveLobby,
    /// Whether the server is there, and what time it is.
    Ping {
        #[serde(default)]
        n: Option<i64>,
    },
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
    refused
}

/// Something was wrong that belongs to no game.
pub(super) fn error(error: &Error) -> Value {
    json!({ "t": "error", "code": error.code, "error": error.message })
}

/// An action by the name that clients give it.
pub(super) fn action(name: &str) -> Result<Action, Refusal> {
    let shortened: String = name.chars().take(30).collect();
    Action::named(name).ok_or_else(|| Refusal::Malformed(format!("there is no action '{shortened}'")))
}
