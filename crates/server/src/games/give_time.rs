//! More time for the opponent: a kindness, or a handicap agreed on.

use warpchess_rules::Color;

use super::action::Refusal;
use super::clock::OPENING_PLIES;
use super::event::What;
use super::live::{Applied, Live};

/// The most that a clock shows, and that is given at once, in milliseconds.
const MOST: i64 = 24 * 60 * 60_000;

impl Live {
    /// Gives the opponent time. The game goes on; it has no meaning where moves take days.
    pub(super) fn give_time(&mut self, by: Color, seconds: i64, now: i64) -> Result<Applied, Refusal> {
        let to = !by;
        if !self.row.control.is_live() {
            return Err(Refusal::NoClock);
        }
        let ms = seconds.checked_mul(1000).filter(|ms| (1..=MOST).contains(ms));
        let ms = ms.ok_or_else(|| Refusal::Malformed(format!("'seconds' is expected to be 1 to {}", MOST / 1000)))?;
        let turn = self.turn();
        let seat = self.row.seat_mut(to);
        let left = seat.ms.ok_or(Refusal::NoClock)?;
        if left + ms > MOST {
            return Err(Refusal::Malformed(format!("a clock shows at most {} seconds", MOST / 1000)));
        }
        seat.ms = Some(left + ms);
        // Before both have moved it is something else that is due: the first move.
        if turn == to && self.row.ply >= OPENING_PLIES {
            self.row.deadline_at = self.row.deadline_at.map(|at| at + ms);
        }
        Ok(self.happened(now, What::MoreTime { by: by.name(), seconds }))
    }
}
