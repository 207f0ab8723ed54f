//! Counts of durations: exact enough, and of a fixed size however many there are.

use std::time::Duration;

/// Steps within each doubling: a value is known to a thirty-second part.
const STEPS: u64 = 32;
/// Doublings of a microsecond: up to more than an hour.
const DOUBLINGS: u64 = 32;

/// Durations, counted.
#[derive(Clone, Debug)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    longest: Duration,
    sum: Duration,
}

impl Default for Histogram {
    fn default() -> Self {
        let size = usize::try_from(STEPS * DOUBLINGS).unwrap_or(0);
        Self { counts: vec![0; size], total: 0, longest: Duration::ZERO, sum: Duration::ZERO }
    }
}

/// Where a number of microseconds is counted. Below [`STEPS`] each has a place of its own.
fn place(micros: u64) -> usize {
    let place = if micros < STEPS {
        micros
    } else {
        let doubling = u64::from(micros.ilog2()) - u64::from(STEPS.ilog2());
        STEPS + doubling * STEPS + (micros >> doubling) - STEPS
    };
    usize::try_from(place.min(STEPS * DOUBLINGS - 1)).unwrap_or(0)
}

/// The most that is counted at a place.
fn upper(place: usize) -> u64 {
    let place = place as u64;
    if place < STEPS {
        return place;
    }
    let doubling = place / STEPS - 1;
    ((place % STEPS + STEPS + 1) << doubling) - 1
}

impl Histogram {
    /// Counts one.
    pub fn record(&mut self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        if let Some(count) = self.counts.get_mut(place(micros)) {
            *count += 1;
        }
        self.total += 1;
        self.sum += took;
        self.longest = self.longest.max(took);
    }
    /// How many there are.
    pub const fn count(&self) -> u64 {
        self.total
    }
    /// The longest.
    pub const fn longest(&self) -> Duration {
        self.longest
    }
    /// Their mean; zero when there are none.
    pub fn mean(&self) -> Duration {
        u32::try_from(self.total).ok().filter(|&n| n > 0).map_or(Duration::ZERO, |n| self.sum / n)
    }
    /// The duration that this part of all does not exceed, rounded up by at most a thirty-second part.
    pub fn quantile(&self, part: f64) -> Duration {
        let wanted = (self.total as f64 * part).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (place, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return Duration::from_micros(upper(place)).min(self.longest);
            }
        }
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_true_to_a_thirty_second_part() {
        let mut histogram = Histogram::default();
        (1..=10_000).for_each(|micros| histogram.record(Duration::from_micros(micros)));
        for (part, micros) in [(0.5, 5000.0), (0.95, 9500.0), (0.99, 9900.0), (1.0, 10_000.0)] {
            let told = histogram.quantile(part).as_micros() as f64;
            assert!(told >= micros && told <= micros * (1.0 + 1.0 / 32.0), "{part}: {told}");
        }
        assert_eq!(histogram.count(), 10_000);
        assert_eq!(histogram.longest(), Duration::from_millis(10));
        assert_eq!(histogram.mean(), Duration::from_nanos(5_000_500));
    }

    #[test]
    fn every_duration_has_a_place_that_holds_it() {
        let mut last = 0;
        for micros in (0..100_000).chain((17..40).map(|bits| 1 << bits)) {
            let place = place(micros);
            assert!(place >= last, "{micros}");
            last = place;
            assert!(upper(place) >= micros || micros > u64::from(u32::MAX), "{micros} at {place}");
        }
        assert_eq!(Histogram::default().quantile(0.99), Duration::ZERO);
    }
}
