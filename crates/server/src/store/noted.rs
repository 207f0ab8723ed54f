//! Whether something was written for a request: when the database goes away before the reply, that is what decides whether it
//! may be said that nothing was done.

use std::cell::Cell;
use std::future::Future;

tokio::task_local! {
    static WRITTEN: Cell<bool>;
}

/// Answers a request, and remembers meanwhile whether something was written for it.
pub(crate) async fn noting<T>(answer: impl Future<Output = T>) -> T {
    WRITTEN.scope(Cell::new(false), answer).await
}

/// Something was written.
pub(crate) fn note() {
    let _ = WRITTEN.try_with(|written| written.set(true));
}

/// Whether something was written for this request; nothing, where nobody remembers.
pub(crate) fn has_written() -> bool {
    WRITTEN.try_with(Cell::get).unwrap_or(false)
}
