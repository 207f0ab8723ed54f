//! What kind of game somebody wants, and with whom.

use serde::Deserialize;
use utoipa::ToSchema;

use super::control::Control;
use crate::fields::{Wrong, needed};

/// Who is challenged.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", try_from = "OpponentForm")]
pub enum Opponent {
    /// Anybody.
    Lobby,
    /// Whoever gets the link.
    Link,
    /// An account.
    User {
        /// Its name.
        name: String,
    },
    /// The computer.
    Computer {
        /// 1 to 8.
        level: u8,
    },
}

/// An opponent as it is sent: all fields that any has, so that what is wrong with one is told by its name.
#[derive(Deserialize)]
struct OpponentForm {
    kind: String,
    name: Option<String>,
    level: Option<i64>,
}

impl TryFrom<OpponentForm> for Opponent {
    type Error = Wrong;
    fn try_from(form: OpponentForm) -> Result<Self, Wrong> {
        Ok(match form.kind.as_str() {
            "lobby" => Self::Lobby,
            "link" => Self::Link,
            "user" => Self::User { name: needed("name", form.name)? },
            "computer" => {
                let level = u8::try_from(needed("level", form.level)?).ok().filter(|level| (1..=8).contains(level));
                Self::Computer { level: level.ok_or_else(|| Wrong::new("level", "a level is from 1 to 8"))? }
            }
            _ => return Err(Wrong::new("kind", "an opponent's kind is lobby, link, user or computer")),
        })
    }
}

/// What kind of game somebody wants.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wish {
    /// The variant's id.
    pub variant: String,
    /// Another beginning than the usual.
    #[serde(default)]
    pub fen: Option<String>,
    /// `random` for a beginning by chance, in games that have such.
    #[serde(default)]
    pub setup: Option<String>,
    /// How much time.
    pub control: Control,
    /// The challenger's color: `white`, `black` or `random`.
    #[serde(default)]
    pub color: Option<String>,
    /// Whether ratings are to change.
    #[serde(default)]
    pub rated: bool,
    /// Who is challenged.
    pub opponent: Opponent,
    /// The lowest rating of an opponent from the lobby.
    #[serde(default)]
    pub min_rating: Option<i64>,
    /// The highest.
    #[serde(default)]
    pub max_rating: Option<i64>,
}
