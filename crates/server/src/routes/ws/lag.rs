//! How long a message takes to a client and back, as the server sees it: by frames that a client's WebSocket answers by
//! itself. What the client says about it counts for nothing.

use std::time::{Duration, Instant};

/// What is believed at most of one answer.
const MOST: Duration = Duration::from_secs(5);

/// Measures lag.
#[derive(Debug)]
pub(super) struct Lag {
    began: Instant,
    /// The mean of the last answers, in milliseconds.
    mean: Option<f64>,
}

impl Lag {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), mean: None }
    }
    /// What to send.
    pub(super) fn ping(&self) -> Vec<u8> {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX).to_be_bytes().to_vec()
    }
    /// What came back.
    pub(super) fn pong(&mut self, answer: &[u8]) {
        let Ok(sent) = <[u8; 8]>::try_from(answer) else { return };
        let sent = Duration::from_micros(u64::from_be_bytes(sent));
        let Some(took) = self.began.elapsed().checked_sub(sent) else { return };
        let took = took.min(MOST).as_secs_f64() * 1000.0;
        self.mean = Some(self.mean.map_or(took, |mean| mean * 0.7 + took * 0.3));
    }
    /// There and back, in milliseconds; 0 while nothing is known.
    pub(super) fn millis(&self) -> i64 {
        self.mean.map_or(0, |mean| mean.round() as i64)
    }
}
