//! Time, as the server sees it. Tests have a clock of their own.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::BoxFuture;
use tokio::sync::watch;

/// Tells the time, and waits for a time.
pub trait Clock: Send + Sync + 'static {
    /// Milliseconds since 1970.
    fn now(&self) -> i64;
    /// Done at that time, or a little later.
    fn sleep_until(&self, at: i64) -> BoxFuture<'static, ()>;
}

/// The clock of all parts of a server.
pub type SharedClock = Arc<dyn Clock>;

/// The system's.
#[derive(Copy, Clone, Debug, Default)]
pub struct SystemClock;

/// No single wait is longer: the system's clock may be set meanwhile.
const LONGEST_WAIT: i64 = 60_000;

impl Clock for SystemClock {
    fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
    fn sleep_until(&self, at: i64) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            loop {
                let left = at.saturating_sub(SystemClock.now());
                if left <= 0 {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(left.min(LONGEST_WAIT).unsigned_abs())).await;
            }
        })
    }
}

/// A clock that stands until it is moved, for tests.
#[derive(Clone, Debug)]
pub struct ManualClock(watch::Sender<i64>);

impl ManualClock {
    /// It shows `now`, in milliseconds since 1970.
    pub fn new(now: i64) -> Self {
        Self(watch::Sender::new(now))
    }
    /// Moves it on.
    pub fn advance(&self, by: Duration) {
        self.0.send_modify(|now| *now += i64::try_from(by.as_millis()).unwrap_or(0));
    }
}

impl Clock for ManualClock {
    fn now(&self) -> i64 {
        *self.0.borrow()
    }
    fn sleep_until(&self, at: i64) -> BoxFuture<'static, ()> {
        let mut seen = self.0.subscribe();
        Box::pin(async move {
            if seen.wait_for(|now| *now >= at).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
