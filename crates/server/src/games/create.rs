//! New games.

use warpchess_rules::{Game, VariantId};

use super::RULES_VERSION;
use super::clock::{self, LagQuota};
use super::control::Control;
use super::give_time::Given;
use super::live::Live;
use crate::ids;
use crate::store::games::{GameRow, Seat, Status};

/// A game to be begun.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Which.
    pub variant: VariantId,
    /// Where it begins, if not as usual. It has been read before.
    pub initial_fen: Option<String>,
    /// How much time there is.
    pub control: Control,
    /// Whether ratings change.
    pub rated: bool,
    /// White.
    pub white: Seat,
    /// Black.
    pub black: Seat,
    /// The game before it.
    pub rematch_of: Option<String>,
}

impl NewGame {
    /// The game at its beginning, not stored yet and without its first event.
    pub(crate) fn begin(self, now: i64) -> Live {
        let ms = self.control.initial();
        let lag_ms = LagQuota::of(self.control).most;
        let seat = |seat: Seat| Seat { ms, lag_ms, rating_diff: None, ..seat };
        let row = GameRow {
            id: ids::random(ids::GAME),
            variant: self.variant,
            rules_version: RULES_VERSION,
            initial_fen: self.initial_fen,
            moves: String::new(),
            ply: 0,
            version: 0,
            clocks: Vec::new(),
            status: Status::Started,
            winner: None,
            reason: None,
            rated: self.rated,
            control: self.control,
            white: seat(self.white),
            black: seat(self.black),
            given: Given::default(),
            clocks_started: false,
            turn_started_at: None,
            deadline_at: None,
            engine_due_at: None,
            draw_offer: None,
            takeback_offer: None,
            rematch_offer: None,
            rematch_id: None,
            rematch_of: self.rematch_of,
            created_at: now,
            last_move_at: None,
            ended_at: None,
            imported: false,
        };
        let mut live = Live::new(row, []);
        let turn = live.turn();
        clock::start(&mut live.row, turn, now);
        live
    }
}

/// The same again with colors changed.
pub(crate) fn rematch(row: &GameRow, now: i64) -> Live {
    // What the players are worth now is looked up when the game is stored.
    let new = NewGame {
        variant: row.variant,
        initial_fen: row.initial_fen.clone(),
        control: row.control,
        rated: row.rated,
        white: row.black.clone(),
        black: row.white.clone(),
        rematch_of: Some(row.id.clone()),
    };
    new.begin(now)
}

/// Whether a game can begin at a position: a sentence says why not.
///
/// # Errors
/// What was expected.
pub(crate) fn check_fen(variant: VariantId, fen: &str) -> Result<String, String> {
    let game = Game::from_fen(variant, fen).map_err(|error| error.to_string())?;
    match game.outcome() {
        None => Ok(game.position().fen()),
        Some(outcome) => Err(format!("the game would be over before it begins ({})", outcome.status())),
    }
}

/// A beginning by chance. It is settled with the challenge: whoever accepts sees what is to be played.
///
/// # Errors
/// When the game always begins at the same position.
pub(crate) fn by_chance(variant: VariantId) -> Result<String, String> {
    let start = variant.random_setup(u64::from_le_bytes(ids::random_bytes()));
    start.map(|start| start.fen()).ok_or_else(|| format!("{variant} always begins at the same position"))
}
