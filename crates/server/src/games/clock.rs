//! The clocks of a game: when a turn began, what it cost, and when it is overdue. Only times in the row count, so that any
//! node reckons the same.
//!
//! Before both players have made their first move no time is taken off, unless they have the clocks started by hand; who leaves
//! it undone for too long has the game called off. From then on a turn costs the time since the one before, less what the network took. How much of that is
//! made good is bounded by a quota that fills again with each move: who pretends to be far away gains little.

use serde::Serialize;
use utoipa::ToSchema;
use warpchess_rules::Color;

use super::control::Control;
use crate::store::games::{GameRow, Status};

/// Plies before which a game can be called off and no clock runs.
pub const OPENING_PLIES: i64 = 2;

/// How much of a player's lag is made good.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct LagQuota {
    /// What each move adds, in milliseconds.
    gain: i64,
    /// What can be saved up.
    pub(crate) most: i64,
}

impl LagQuota {
    /// A tenth of what a move may take in a game of forty.
    pub(crate) fn of(control: Control) -> Self {
        match control {
            Control::Live { limit, increment } => {
                let gain = ((limit / 40 + increment) / 10).clamp(100, 1000);
                Self { gain, most: gain * 3 }
            }
            Control::Days { .. } | Control::Unlimited => Self { gain: 0, most: 0 },
        }
    }
}

/// What the clocks show, in milliseconds, and whose runs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Clocks {
    /// White's.
    pub white: i64,
    /// Black's.
    pub black: i64,
    /// Whose runs.
    pub running: Option<&'static str>,
}

/// The time of a turn was over before it was made use of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Late;

/// Whether time is taken off at this point of the game.
pub(super) const fn runs(game: &GameRow) -> bool {
    match game.control {
        Control::Live { .. } => game.ply >= OPENING_PLIES || game.clocks_started,
        Control::Days { .. } => true,
        Control::Unlimited => false,
    }
}

/// A player's turn begins.
pub(crate) fn start(game: &mut GameRow, turn: Color, now: i64) {
    game.turn_started_at = game.control.initial().map(|_| now);
    let by_hand = game.clocks_started && game.control.is_live();
    let allowed = if game.ply < OPENING_PLIES && !by_hand {
        game.control.first_move()
    } else {
        let seat = game.seat(turn);
        seat.ms.map(|ms| ms + seat.lag_ms)
    };
    game.deadline_at = allowed.map(|ms| now + ms);
}

/// Nobody's turn any more: the game is over. What has run so far is taken off.
pub(crate) fn stop(game: &mut GameRow, turn: Color, now: i64) {
    let left = left(game, turn, turn, now);
    game.seat_mut(turn).ms = left;
    game.turn_started_at = None;
    game.deadline_at = None;
}

/// Takes a turn's time off the mover's clock and adds the increment.
pub(crate) fn charge(game: &mut GameRow, mover: Color, now: i64, lag: i64) -> Result<(), Late> {
    let (Some(started), Some(ms)) = (game.turn_started_at, game.seat(mover).ms) else { return Ok(()) };
    if !runs(game) {
        return Ok(());
    }
    let control = game.control;
    let quota = LagQuota::of(control);
    let seat = game.seat_mut(mover);
    let elapsed = (now - started).max(0);
    let made_good = lag.clamp(0, seat.lag_ms).min(elapsed);
    let left = ms - (elapsed - made_good);
    if left <= 0 {
        return Err(Late);
    }
    seat.lag_ms = (seat.lag_ms - made_good + quota.gain).min(quota.most);
    seat.ms = match control {
        Control::Live { increment, .. } => Some(left + increment),
        Control::Days { .. } | Control::Unlimited => control.initial(),
    };
    Ok(())
}

/// What a player's clock shows.
fn left(game: &GameRow, color: Color, turn: Color, now: i64) -> Option<i64> {
    let ms = game.seat(color).ms?;
    match game.turn_started_at {
        Some(started) if color == turn && game.status == Status::Started && runs(game) => {
            Some((ms - (now - started).max(0)).max(0))
        }
        _ => Some(ms),
    }
}

/// What both clocks show.
pub(crate) fn clocks(game: &GameRow, turn: Color, now: i64) -> Option<Clocks> {
    let running = game.turn_started_at.filter(|_| game.status == Status::Started && runs(game));
    Some(Clocks {
        white: left(game, Color::White, turn, now)?,
        black: left(game, Color::Black, turn, now)?,
        running: running.map(|_| turn.name()),
    })
}
