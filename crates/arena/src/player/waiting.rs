//! How long a thread was kept from running: on a machine with more to do than processors, a search that stops in time can still
//! be told to have come late.

use std::time::{Duration, Instant};

/// Watches the thread that made it.
pub(super) struct Watch {
    began: Instant,
    /// What the thread had waited for a processor.
    queued: Option<Duration>,
    /// What it had run; `None` where threads work for it, whose time is its own and not on its clock.
    ran: Option<Duration>,
}

impl Watch {
    /// Begins. `alone` if the thread does all the work itself, and never sleeps.
    pub(super) fn start(alone: bool) -> Self {
        // Within the time that is told: a thread may have to wait between any two of these.
        let began = Instant::now();
        Self { began, queued: queued(), ran: if alone { ran() } else { None } }
    }

    /// How long it took since, and for how much of that the thread did not run.
    pub(super) fn stop(self) -> (Duration, Duration) {
        let ran = self.ran.zip(ran()).map(|(before, now)| now.saturating_sub(before));
        let queued = self.queued.zip(queued()).map_or(Duration::ZERO, |(before, now)| now.saturating_sub(before));
        let took = self.began.elapsed();
        // What a thread waits for a processor is but a part of it: there are pages that are read from a disk, locks of the
        // allocator that other games hold, and a hypervisor that runs other machines.
        let idle = ran.map_or(Duration::ZERO, |ran| took.saturating_sub(ran));
        (took, queued.max(idle).min(took))
    }
}

/// Time that this thread has spent waiting for a processor since it began, where the system tells: on Linux, the second number of
/// `schedstat`, in nanoseconds. Source: the kernel's documentation, "Scheduler Statistics".
fn queued() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// Time that this thread has run since it began, where the system tells. The first number of `schedstat` is the same, but only as
/// of the last tick.
#[cfg(target_os = "linux")]
fn ran() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(now.tv_sec).ok()?, u32::try_from(now.tv_nsec).ok()?))
}

#[cfg(not(target_os = "linux"))]
fn ran() -> Option<Duration> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Something that takes a processor for so long, by the thread's own clock.
    fn work(time: Duration) {
        let begun = ran().unwrap();
        while ran().unwrap() - begun < time {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn what_a_thread_did_not_run_is_not_its_own_and_what_it_ran_is() {
        let (work_time, wait_time) = (Duration::from_millis(30), Duration::from_millis(60));
        let watch = Watch::start(true);
        work(work_time);
        // As a page that has to come from a disk: no processor is waited for.
        std::thread::sleep(wait_time);
        let (took, waited) = watch.stop();
        assert!(waited >= wait_time, "{waited:?} of {took:?}");
        assert!(took - waited >= work_time, "{waited:?} of {took:?}");
    }

    #[test]
    fn who_has_others_work_is_excused_by_the_queue_alone() {
        let watch = Watch::start(false);
        std::thread::sleep(Duration::from_millis(200));
        let (took, waited) = watch.stop();
        assert!(took >= Duration::from_millis(200) && waited < took, "{waited:?} of {took:?}");
    }
}
