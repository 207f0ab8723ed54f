//! What a process uses, as Linux tells it.

use std::fs;
use std::time::Duration;

/// What a process has used so far.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Time on processors, in the program and in the system for it.
    pub processor: Duration,
    /// Memory now, in bytes.
    pub memory: u64,
    /// The most memory it ever had, in bytes.
    pub memory_peak: u64,
}

impl Usage {
    /// Of a process; `None` where that cannot be told, as on other systems or for a process that is gone.
    pub fn of(pid: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        Some(Self {
            processor: processor(&stat, rustix::param::clock_ticks_per_second())?,
            memory: kibibytes(&status, "VmRSS:")? * 1024,
            memory_peak: kibibytes(&status, "VmHWM:")? * 1024,
        })
    }
    /// Of this one.
    pub fn own() -> Option<Self> {
        Self::of(std::process::id())
    }
}

/// From `/proc/PID/stat`: the name in parentheses may hold anything, so fields are counted from its end.
fn processor(stat: &str, ticks_per_second: u64) -> Option<Duration> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(Duration::from_secs_f64(ticks as f64 / ticks_per_second.max(1) as f64))
}

fn kibibytes(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_spaces_and_parentheses_does_not_shift_the_fields() {
        let stat = "42 (a) b (c)) S 1 42 42 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 5 0 100 1000 10";
        assert_eq!(processor(stat, 100), Some(Duration::from_secs(3)));
        assert_eq!(kibibytes("Name:\tx\nVmRSS:\t    2048 kB\n", "VmRSS:"), Some(2048));
        assert_eq!(processor("nonsense", 100), None);
    }
}
