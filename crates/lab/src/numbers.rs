//! Shares with their errors, and what is to be said of many numbers.

use serde::Serialize;
use warpchess_arena::stats::wilson;

/// The quantile of the normal distribution for 95 % of it around the middle.
const Z95: f64 = 1.959963984540054;

/// A mean of values between 0 and 1, and where the true one lies with 95 %.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct Share {
    /// The mean.
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// How many values.
    pub of: u64,
}

impl Share {
    /// Of points: `wins` ones, `draws` halves, `losses` noughts. The interval is the normal one; where it would go beyond 0 or 1,
    /// or have no width because all came out alike, it is Wilson's, which never claims to know without having seen.
    pub fn of_points(wins: u64, draws: u64, losses: u64) -> Option<Self> {
        let of = wins + draws + losses;
        if of == 0 {
            return None;
        }
        let count = of as f64;
        let value = (wins as f64 + 0.5 * draws as f64) / count;
        let squares = wins as f64 + 0.25 * draws as f64;
        let variance = (squares / count - value * value).max(0.0);
        let half = Z95 * (variance / count).sqrt();
        let (mut low, mut high) = (value - half, value + half);
        if variance <= 0.0 || low < 0.0 || high > 1.0 {
            (low, high) = wilson(value, count);
        }
        Some(Self { value, error: (high - low) / 2.0, low, high, of })
    }
    /// Of cases, some of which have a property.
    pub fn of_cases(with: u64, of: u64) -> Option<Self> {
        Self::of_points(with, 0, of - with.min(of))
    }
}

/// What is to be said of many numbers. Quartiles are interpolated.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Summary {
    pub mean: f64,
    pub least: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    pub most: f64,
}

impl Summary {
    /// Of these; all noughts when there are none.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self {
            mean: mean(&values),
            least: quantile(&values, 0.0),
            lower_quartile: quantile(&values, 0.25),
            median: quantile(&values, 0.5),
            upper_quartile: quantile(&values, 0.75),
            most: quantile(&values, 1.0),
        }
    }
}

/// Nought when there are no values.
pub(crate) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// Of values in order.
fn quantile(values: &[f64], share: f64) -> f64 {
    let Some(last) = values.len().checked_sub(1) else { return 0.0 };
    let place = share * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    values[below] + (values[above] - values[below]) * (place - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_the_error_of_its_variance() {
        // 40 wins, 40 draws, 20 losses: mean 0.6, variance 0.5 - 0.36 = 0.14.
        let share = Share::of_points(40, 40, 20).expect("games");
        assert!((share.value - 0.6).abs() < 1e-12);
        assert!((share.error - 1.96 * (0.14f64 / 100.0).sqrt()).abs() < 1e-4, "{share:?}");
        assert_eq!(Share::of_points(0, 0, 0), None);
    }

    #[test]
    fn results_that_are_all_alike_prove_little() {
        let draws = Share::of_points(0, 4, 0).expect("games");
        assert!(draws.low > 0.0 && draws.low < 0.25 && draws.high < 1.0, "{draws:?}");
        let wins = Share::of_points(10, 0, 0).expect("games");
        assert_eq!(wins.high, 1.0);
        assert!((wins.low - 10.0 / (10.0 + 1.96 * 1.96)).abs() < 1e-3, "{wins:?}");
    }

    #[test]
    fn quartiles_are_those_of_the_books() {
        let summary = Summary::new([7.0, 1.0, 3.0, 5.0]);
        assert_eq!((summary.least, summary.lower_quartile, summary.median), (1.0, 2.5, 4.0));
        assert_eq!((summary.upper_quartile, summary.most, summary.mean), (5.5, 7.0, 4.0));
        assert_eq!(Summary::new([]), Summary::default());
    }
}
