//! Ends games whose time is over: also those that nobody watches, and those whose node is gone. Every node does it; the
//! store lets one of them succeed.

use super::action::Refusal;
use super::service::Games;
use crate::store::games;

/// How many games are ended at a time.
const BATCH: i64 = 100;
/// Deadlines set by other nodes are seen this late at most, in milliseconds.
const LONGEST_SLEEP: i64 = 1000;
/// How long to wait when the database fails.
const AFTER_FAILURE: i64 = 1000;

/// Sweeps as long as it is polled.
pub(crate) async fn run(all: Games) {
    let mut tidied_at = all.clock().now();
    loop {
        let now = all.clock().now();
        if now - tidied_at > 60_000 {
            all.forget_idle();
            tidied_at = now;
        }
        let next = match sweep(&all).await {
            Ok(next) => next.unwrap_or(i64::MAX).min(now + LONGEST_SLEEP),
            Err(error) => {
                tracing::warn!(%error, "the sweeper cannot read games");
                now + AFTER_FAILURE
            }
        };
        all.sweep_due(next).await;
    }
}

/// Ends what is overdue, and tells when the next is.
async fn sweep(all: &Games) -> Result<Option<i64>, crate::store::StoreError> {
    loop {
        let overdue = {
            let mut db = all.store().read().await?;
            games::overdue(&mut db, all.clock().now(), BATCH).await?
        };
        if overdue.is_empty() {
            let mut db = all.store().read().await?;
            return games::next_deadline(&mut db).await;
        }
        let ended = futures_util::future::join_all(overdue.iter().map(|id| all.sweep(id))).await;
        let stuck = ended.iter().all(|end| !matches!(end, Ok(_) | Err(Refusal::FlagStands(_))));
        if stuck {
            // Not to ask in vain without end.
            return Ok(Some(all.clock().now() + AFTER_FAILURE));
        }
    }
}
