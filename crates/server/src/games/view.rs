//! A game as clients are told it.

use serde::Serialize;
use utoipa::ToSchema;

use super::clock::Clocks;
use super::control::Control;
use super::event::{End, name};
use super::live::{Live, end};
use crate::auth::Identity;
use crate::store::games::{GameRow, Seat, Status};

/// Everything about a game but the rules' view of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameState {
    /// Its id.
    pub id: String,
    /// The variant's id.
    pub variant: &'static str,
    /// The rules by which it is played.
    pub rules_version: i64,
    /// Where it began; null for the usual beginning.
    pub initial_fen: Option<String>,
    /// The moves, in UCI form.
    pub moves: Vec<String>,
    /// How many they are.
    pub ply: i64,
    /// Whose turn it is.
    pub turn: &'static str,
    /// Number of the last event.
    pub seq: i64,
    /// `started`, `aborted` or `ended`.
    pub status: &'static str,
    /// How it has ended.
    pub end: Option<End>,
    /// Whether ratings change.
    pub rated: bool,
    /// Its class.
    pub speed: &'static str,
    /// How much time there is.
    pub control: Control,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// The side of whoever asked; null for spectators.
    pub you: Option<&'static str>,
    /// What the clocks show at `now`.
    pub clock: Option<Clocks>,
    /// For how many milliseconds a player may be away before the opponent may claim the game; null where nobody has to be there.
    pub patience: Option<i64>,
    /// When the side to move loses by time, or the game is called off, at the latest.
    pub deadline_at: Option<i64>,
    /// Who offers a draw.
    pub draw_offer: Option<&'static str>,
    /// Who asks to take back.
    pub takeback_offer: Option<&'static str>,
    /// Who offers another game.
    pub rematch_offer: Option<&'static str>,
    /// The game that followed.
    pub rematch: Option<String>,
    /// The game before it.
    pub rematch_of: Option<String>,
    /// When it began.
    pub created_at: i64,
    /// When the last move was made.
    pub last_move_at: Option<i64>,
    /// What time it is on the server.
    pub now: i64,
}

/// A player as others see one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Player {
    /// The name.
    pub name: String,
    /// The account.
    pub user: Option<String>,
    /// The computer's level.
    pub level: Option<u8>,
    /// When the game began.
    pub rating: Option<i64>,
    /// Whether that was known badly.
    pub provisional: bool,
    /// What the game changed about it.
    pub rating_diff: Option<i64>,
}

impl From<&Seat> for Player {
    fn from(seat: &Seat) -> Self {
        Self {
            name: seat.name.clone(),
            user: seat.user.clone(),
            level: seat.level,
            rating: seat.rating,
            provisional: seat.provisional,
            rating_diff: seat.rating_diff,
        }
    }
}

impl GameState {
    pub(crate) fn of(live: &Live, who: Option<&Identity>, now: i64) -> Self {
        let row: &GameRow = &live.row;
        Self {
            id: row.id.clone(),
            variant: row.variant.id(),
            rules_version: row.rules_version,
            initial_fen: row.initial_fen.clone(),
            moves: row.moves().map(str::to_owned).collect(),
            ply: row.ply,
            turn: live.turn().name(),
            seq: row.version,
            status: row.status.name(),
            end: (row.status != Status::Started).then(|| end(row)),
            rated: row.rated,
            speed: row.speed().name(),
            control: row.control,
            white: (&row.white).into(),
            black: (&row.black).into(),
            you: name(who.and_then(|who| live.color_of(who))),
            clock: live.clocks(now),
            patience: row.control.patience(),
            deadline_at: row.deadline_at,
            draw_offer: name(row.draw_offer),
            takeback_offer: name(row.takeback_offer),
            rematch_offer: name(row.rematch_offer),
            rematch: row.rematch_id.clone(),
            rematch_of: row.rematch_of.clone(),
            created_at: row.created_at,
            last_move_at: row.last_move_at,
            now,
        }
    }
}
