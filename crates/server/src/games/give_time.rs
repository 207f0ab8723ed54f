//! More time for the opponent: a kindness, or a handicap agreed on. And clocks that are started by hand.

use std::fmt;

use warpchess_rules::Color;

use super::action::{Done, Refusal};
use super::clock::{self, OPENING_PLIES};
use super::event::What;
use super::live::{Applied, Live};

/// The most that a clock shows, and that is given at once, in milliseconds.
pub(super) const MOST: i64 = 24 * 60 * 60_000;

/// What players gave each other, and when: a clock that is set back shows what was given since, too.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given(Vec<Gift>);

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Gift {
    /// How many plies were played.
    ply: i64,
    to: Color,
    ms: i64,
}

impl Given {
    /// As it is stored. What is not understood is nothing.
    pub(crate) fn read(text: &str) -> Self {
        let gift = |word: &str| {
            let (at, to) = word.char_indices().find(|(_, c)| c.is_ascii_alphabetic())?;
            let to = if to == 'w' { Color::White } else { Color::Black };
            Some(Gift { ply: word.get(..at)?.parse().ok()?, to, ms: word.get(at + 1..)?.parse().ok()? })
        };
        Self(text.split_ascii_whitespace().filter_map(gift).collect())
    }

    /// Notes what was given when so many plies were played.
    fn add(&mut self, ply: i64, to: Color, ms: i64) {
        match self.0.iter_mut().find(|gift| gift.ply == ply && gift.to == to) {
            Some(gift) => gift.ms += ms,
            None => self.0.push(Gift { ply, to, ms }),
        }
    }

    /// What was given to somebody after so many plies were played, in milliseconds.
    pub(super) fn since(&self, ply: i64, to: Color) -> i64 {
        self.0.iter().filter(|gift| gift.to == to && gift.ply >= ply).map(|gift| gift.ms).sum()
    }

    /// What was given in positions that were taken back counts as given in the one that is left.
    pub(super) fn take_back(&mut self, ply: i64) {
        for Gift { ply: at, to, ms } in std::mem::take(&mut self.0) {
            self.add(at.min(ply), to, ms);
        }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Gift { ply, to, ms }) in self.0.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{ply}{}{ms}", &to.name()[..1])?;
        }
        Ok(())
    }
}

impl Live {
    /// Gives the opponent time. The game goes on; it has no meaning where moves take days.
    pub(super) fn give_time(&mut self, by: Color, seconds: i64, now: i64) -> Result<Applied, Refusal> {
        let to = !by;
        if !self.row.control.is_live() {
            return Err(Refusal::NoClock);
        }
        let ms = seconds.checked_mul(1000).filter(|ms| (1..=MOST).contains(ms));
        let ms = ms.ok_or_else(|| {
            Refusal::Malformed("seconds", format!("'seconds' is expected to be 1 to {}", MOST / 1000))
        })?;
        let turn = self.turn();
        let runs = clock::runs(&self.row);
        let seat = self.row.seat_mut(to);
        let left = seat.ms.ok_or(Refusal::NoClock)?;
        if left + ms > MOST {
            return Err(Refusal::Malformed("seconds", format!("a clock shows at most {} seconds", MOST / 1000)));
        }
        seat.ms = Some(left + ms);
        self.row.given.add(self.row.ply, to, ms);
        // Before both have moved it is something else that is due: the first move.
        if turn == to && runs {
            self.row.deadline_at = self.row.deadline_at.map(|at| at + ms);
        }
        Ok(self.happened(now, What::MoreTime { by: by.name(), seconds }))
    }

    /// Has the clock of the side to move run from now on, although not both have moved. Nothing happens if it runs.
    pub(super) fn start_clocks(&mut self, now: i64) -> Result<Applied, Refusal> {
        self.ongoing()?;
        if !self.row.control.is_live() {
            return Err(Refusal::NoClock);
        }
        if self.row.clocks_started || self.row.ply >= OPENING_PLIES {
            let (seq, ply) = (self.row.version, self.row.ply);
            return Ok(Applied::Before(Done { seq, ply, duplicate: true, rematch: None }));
        }
        if self.is_overdue(now) {
            return Ok(self.time_over(now, Some(Refusal::Over("noStart".into()))));
        }
        let turn = self.turn();
        self.row.clocks_started = true;
        clock::start(&mut self.row, turn, now);
        Ok(self.happened(now, What::ClocksStart))
    }
}

/// The clock of somebody is set back to what it showed after a move that still stands, the ply of which is `since`, or to
/// what it began with; what was given since stays given.
pub(super) fn restored(given: &Given, of: Color, shown: Option<i64>, since: i64) -> Option<i64> {
    shown.map(|ms| (ms + given.since(since, of)).min(MOST.max(ms)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::games::color;

    #[test]
    fn what_was_given_is_read_as_it_was_written() {
        let mut given = Given::default();
        for (ply, to, ms) in [(0, "white", 1000), (3, "black", 15_000), (3, "black", 5000), (4, "white", 7000)] {
            given.add(ply, color(to).unwrap(), ms);
        }
        assert_eq!(given.to_string(), "0w1000 3b20000 4w7000");
        assert_eq!(Given::read(&given.to_string()), given);
        assert_eq!(Given::read(""), Given::default());
        assert_eq!(Given::read("nonsense 5 w 7q8x"), Given::default());
        given.take_back(2);
        assert_eq!(given.to_string(), "0w1000 2b20000 2w7000");
        assert_eq!((given.since(1, Color::White), given.since(0, Color::White)), (7000, 8000));
    }
}
