//! How much of the clock to use for a move. Source: <https://www.chessprogramming.org/Time_Management>.

use crate::limits::Limits;
use std::time::Duration;
use warpchess_rules::Move;

/// The times of one search.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    /// No new iteration after this, stretched while the best move is in doubt.
    soft: Option<Duration>,
    /// Stop at once at this.
    hard: Option<Duration>,
    best: Option<Move>,
    value: i32,
    /// Iterations in a row with the same best move.
    steady: u32,
}

/// What an iteration came to.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) best: Move,
    pub(crate) value: i32,
    pub(crate) depth: i32,
    /// The share of all nodes that were searched below the best move.
    pub(crate) effort: f64,
}

impl Schedule {
    pub(crate) fn new(limits: &Limits) -> Self {
        let (mut soft, mut hard) = (None, limits.movetime.map(|t| t.saturating_sub(limits.overhead)));
        if let Some(clock) = limits.clock {
            let left = clock.remaining.saturating_sub(limits.overhead);
            let moves = clock.moves_to_go.map_or(28, |n| n.clamp(1, 28));
            // Never more than the clock holds without the increment, which comes only after the move.
            let most = left.mul_f64(if moves == 1 { 0.85 } else { 0.4 });
            let share = left / moves + clock.increment.mul_f64(0.75);
            soft = Some(share.mul_f64(0.7).min(most));
            let limit = (share * 3).min(most);
            hard = Some(hard.map_or(limit, |h: Duration| h.min(limit)));
        }
        Self { soft, hard, best: None, value: 0, steady: 0 }
    }

    /// Whether there is anything to measure.
    pub(crate) const fn timed(&self) -> bool {
        self.hard.is_some()
    }

    /// Whether the time is over.
    pub(crate) fn over(&self, elapsed: Duration) -> bool {
        self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// After an iteration: whether to leave it at that. A best move that holds needs less time, one that has just lost worth
    /// or its place more; and the less of all work went into refuting the others, the less is to be found among them.
    pub(crate) fn enough(&mut self, standing: Standing, elapsed: Duration, choices: usize) -> bool {
        let Standing { best, value, depth, effort } = standing;
        let dropped = (self.value - value).clamp(0, 100);
        self.steady = if self.best == Some(best) { self.steady + 1 } else { 0 };
        (self.best, self.value) = (Some(best), value);
        let Some(soft) = self.soft else { return false };
        if choices == 1 && depth >= 4 {
            return true;
        }
        let steadiness = 1.5 - 0.12 * f64::from(self.steady.min(7));
        let doubt = if depth >= 7 { (1.55 - effort.clamp(0.0, 1.0)) * 1.3 } else { 1.0 };
        elapsed >= soft.mul_f64(steadiness * doubt * (1.0 + f64::from(dropped) / 100.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::GameClock;
    use warpchess_rules::{MoveKind, Square};

    #[test]
    fn a_move_in_doubt_gets_more_time() {
        let clock = GameClock { remaining: Duration::from_secs(60), ..GameClock::default() };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        // After how many milliseconds ten iterations with these efforts (and changes of mind) end the search.
        let stops = |effort: f64, changes: bool| {
            (0..10_000)
                .find(|&millis| {
                    let mut schedule = Schedule::new(&limits);
                    (8..18).any(|depth| {
                        let to = Square::new(if changes { depth as u8 } else { 8 });
                        let best = Move::new(MoveKind::Normal, Square::A1, to);
                        let elapsed = if depth == 17 { Duration::from_millis(millis) } else { Duration::ZERO };
                        schedule.enough(Standing { best, value: 10, depth, effort }, elapsed, 20)
                    })
                })
                .expect("ends")
        };
        assert!(stops(0.9, false) < stops(0.3, false));
        assert!(stops(0.5, false) < stops(0.5, true));
    }

    #[test]
    fn the_clock_is_never_used_up() {
        for millis in [0, 1, 10, 100, 1000, 60_000, 3_600_000] {
            for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                let remaining = Duration::from_millis(millis);
                let clock = GameClock { remaining, increment: Duration::from_millis(10), moves_to_go };
                let overhead = Duration::from_millis(10);
                let schedule = Schedule::new(&Limits { clock: Some(clock), overhead, ..Limits::default() });
                let hard = schedule.hard.expect("a limit");
                assert!(hard <= remaining.saturating_sub(overhead), "{millis} {moves_to_go:?}: {hard:?}");
                assert!(schedule.over(remaining));
            }
        }
    }
}
