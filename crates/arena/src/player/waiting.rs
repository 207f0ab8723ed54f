//! How long a thread was ready to run, and was not let: on a machine with more to do than processors, a search that stops in
//! time can still be told to have come late.

use std::time::Duration;

/// Time that this thread has spent waiting for a processor since it began, where the system tells: on Linux, the second number of
/// `schedstat`, in nanoseconds. Source: the kernel's documentation, "Scheduler Statistics".
pub(super) fn waited() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// How much it has become since.
pub(super) fn since(before: Option<Duration>) -> Duration {
    before.zip(waited()).map_or(Duration::ZERO, |(before, now)| now.saturating_sub(before))
}
