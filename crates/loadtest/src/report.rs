//! What was measured.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::histogram::Histogram;
use crate::usage::Usage;

/// Durations in milliseconds.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Quantiles {
    /// Their mean.
    pub mean: f64,
    /// Half took no longer.
    pub p50: f64,
    /// Of twenty, nineteen took no longer.
    pub p95: f64,
    /// Of a hundred, ninety-nine took no longer.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl From<&Histogram> for Quantiles {
    fn from(histogram: &Histogram) -> Self {
        let millis = |duration: Duration| (duration.as_secs_f64() * 1e5).round() / 100.0;
        Self {
            mean: millis(histogram.mean()),
            p50: millis(histogram.quantile(0.5)),
            p95: millis(histogram.quantile(0.95)),
            p99: millis(histogram.quantile(0.99)),
            max: millis(histogram.longest()),
        }
    }
}

/// What a process used while it was measured.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Used {
    /// Which.
    pub process: String,
    /// Processor time for a move, in microseconds: of the program, and of the system on its behalf.
    pub micros_per_move: f64,
    /// Processors kept busy, on the average.
    pub processors: f64,
    /// Memory at the end, in mebibytes.
    pub memory_mib: f64,
    /// The most it ever had.
    pub memory_peak_mib: f64,
}

impl Used {
    pub(crate) fn between(process: String, before: Usage, after: Usage, moves: u64, took: Duration) -> Self {
        let processor = after.processor.saturating_sub(before.processor);
        let tenths = |value: f64| (value * 10.0).round() / 10.0;
        let mib = |bytes: u64| tenths(bytes as f64 / f64::from(1 << 20));
        Self {
            process,
            micros_per_move: tenths(processor.as_secs_f64() * 1e6 / moves.max(1) as f64),
            processors: (processor.as_secs_f64() / took.as_secs_f64().max(1e-9) * 100.0).round() / 100.0,
            memory_mib: mib(after.memory),
            memory_peak_mib: mib(after.memory_peak),
        }
    }
}

/// What came of a test.
#[derive(Clone, Debug, Serialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Games at once.
    pub games: usize,
    /// Which.
    pub variants: Vec<String>,
    /// Seconds from a move to the next in a game.
    pub think: f64,
    /// Seconds that were measured.
    pub seconds: f64,
    /// Seconds until all games were under way.
    pub ramp_up: f64,
    /// Moves in that time.
    pub moves: u64,
    /// Of these in a second.
    pub moves_per_second: f64,
    /// From when a move was to be sent until both players had it.
    pub to_both: Quantiles,
    /// From when it was to be sent until it was acknowledged, that is, stored.
    pub to_acknowledgement: Quantiles,
    /// Of that, what the generator itself was late.
    pub generator_late: Quantiles,
    /// What went wrong, and how often.
    pub errors: BTreeMap<String, u64>,
    /// Games looked at afterwards, and found to hold every acknowledged move once and in order.
    pub verified: usize,
    /// Games found otherwise.
    pub wrong: Vec<String>,
    /// The processes, as far as they are on this machine.
    pub used: Vec<Used>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} games of {} at once, a move every {} s in each, {:.0} s measured after {:.1} s of ramp-up",
            self.games,
            self.variants.join(", "),
            self.think,
            self.seconds,
            self.ramp_up
        )?;
        writeln!(f, "{} moves, {:.0} a second", self.moves, self.moves_per_second)?;
        writeln!(f, "\n| milliseconds | mean | p50 | p95 | p99 | max |\n| --- | ---: | ---: | ---: | ---: | ---: |")?;
        for (name, q) in [
            ("move to both players", &self.to_both),
            ("move to acknowledgement", &self.to_acknowledgement),
            ("of that, the generator late", &self.generator_late),
        ] {
            writeln!(f, "| {name} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |", q.mean, q.p50, q.p95, q.p99, q.max)?;
        }
        if !self.used.is_empty() {
            writeln!(f, "\n| process | processor µs a move | processors | memory MiB | peak |")?;
            writeln!(f, "| --- | ---: | ---: | ---: | ---: |")?;
            for u in &self.used {
                let Used { process, micros_per_move, processors, memory_mib, memory_peak_mib } = u;
                writeln!(
                    f,
                    "| {process} | {micros_per_move:.0} | {processors:.2} | {memory_mib:.0} | {memory_peak_mib:.0} |"
                )?;
            }
        }
        writeln!(f, "\n{} games verified, {} wrong", self.verified, self.wrong.len())?;
        for game in &self.wrong {
            writeln!(f, "wrong: {game}")?;
        }
        if self.errors.is_empty() {
            return write!(f, "no errors");
        }
        let errors: Vec<String> = self.errors.iter().map(|(what, count)| format!("{count} × {what}")).collect();
        write!(f, "errors:\n{}", errors.join("\n"))
    }
}
