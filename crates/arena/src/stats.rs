//! What the results of a match say about the strength of the two.
//!
//! Each opening is played twice with colors exchanged, and the pair, not the game, is what is counted: the two games of a pair
//! depend on each other through their opening. A pair has five results, from two losses to two wins.
//!
//! Sources: M. Van den Bergh, "Comments on normalized Elo" and "Comparing the approximations for the generalized log likelihood
//! ratio of a multinomial distribution" (the mathematics of Fishtest).

use serde::{Deserialize, Serialize};

/// The quantile of the normal distribution for 95 % of it around the middle.
const Z95: f64 = 1.959963984540054;
/// Normalized Elo of a game per unit of score over standard deviation.
const NELO: f64 = 800.0 / std::f64::consts::LN_10;

/// Games won, drawn and lost, and pairs by their points, from the view of one side.
///
/// # Examples
/// ```
/// use warpchess_arena::stats::Counts;
/// let counts = Counts { wins: 0, draws: 0, losses: 0, pairs: [34, 54, 63, 64, 75] };
/// let estimate = counts.estimate().expect("pairs that differ");
/// let error = estimate.error.expect("a finite interval");
/// assert_eq!(format!("{:.2} ± {error:.2}", estimate.elo), "55.58 ± 27.65");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs with 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
}

/// How strong one side looks against the other.
///
/// The interval is that of the normal approximation where this makes sense: where pairs came out differently, and the interval
/// lies between all games lost and all won. Elsewhere (few pairs, all alike, or nearly all won) it is Wilson's, which counts
/// with the largest variance that the score allows: wide, but never wrong by claiming to know. Superiority and normalized Elo
/// then count with that variance as well, so that nought lies outside all intervals exactly when superiority is beyond 97.5 %
/// either way.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// Difference on the logistic scale. Infinite when every pair was won, or lost, by two points.
    pub elo: f64,
    /// The true difference is above this and below [`high`](Self::high) with 95 %. Minus infinity when nothing was won.
    pub low: f64,
    /// Infinite when everything was won.
    pub high: f64,
    /// Half the width of that interval; `None` when it has no end.
    pub error: Option<f64>,
    /// The difference in standard deviations of a game, scaled to look like Elo; it does not depend on how many games are
    /// drawn. `None` when all pairs came out alike: then there is no deviation to measure it by.
    pub normalized: Option<f64>,
    /// Half the width of its 95 % interval; `None` when that has no end.
    pub normalized_error: Option<f64>,
    /// The lower end of that interval.
    pub normalized_low: Option<f64>,
    /// Its upper end.
    pub normalized_high: Option<f64>,
    /// Likelihood of superiority: the probability that the true difference is above nought.
    pub superiority: f64,
}

impl Counts {
    /// Games that are over.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
    /// Pairs both games of which are over.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }
    /// Points a game in the games that are over; one half without any.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + 0.5 * self.draws as f64) / games as f64,
        }
    }
    /// The estimate from complete pairs; `None` without one.
    pub fn estimate(&self) -> Option<Estimate> {
        let pairs = self.pair_count() as f64;
        if pairs == 0.0 {
            return None;
        }
        let shares = self.pairs.map(|count| count as f64 / pairs);
        let score: f64 = POINTS.iter().zip(shares).map(|(x, p)| x * p).sum();
        let variance: f64 = POINTS.iter().zip(shares).map(|(x, p)| p * (x - score).powi(2)).sum();
        let spread = variance > 0.0;
        let deviation = (variance / pairs).sqrt();
        let (mut low, mut high) = (score - Z95 * deviation, score + Z95 * deviation);
        let widened = !spread || low <= 0.0 || high >= 1.0;
        // What the score is to be from nought to be superior by one deviation; of few pairs, by the largest there can be if the
        // two are equal: Wilson's interval is made of just these scores that differ by no more than so many of these.
        let deviation = if widened { 0.5 / pairs.sqrt() } else { deviation };
        let normalized = |at: f64| {
            let variance = if widened { at * (1.0 - at) } else { variance };
            (at - 0.5) * NELO / (2.0 * variance).sqrt()
        };
        if widened {
            (low, high) = wilson(score, pairs);
        }
        let finite = |number: f64| Some(number).filter(|number| spread && number.is_finite());
        let (normalized_low, normalized_high) = (finite(normalized(low)), finite(normalized(high)));
        let (low, high) = (elo_of_score(low), elo_of_score(high));
        Some(Estimate {
            score,
            elo: elo_of_score(score),
            low,
            high,
            error: Some((high - low) / 2.0).filter(|error| error.is_finite()),
            normalized: finite(normalized(score)),
            normalized_error: normalized_low.zip(normalized_high).map(|(low, high)| (high - low) / 2.0),
            normalized_low,
            normalized_high,
            superiority: normal((score - 0.5) / deviation),
        })
    }
}

/// The interval in which the mean of values between 0 and 1 lies with 95 %, without assuming how they vary. Source: E. B. Wilson,
/// "Probable inference, the law of succession, and statistical inference", 1927.
pub fn wilson(mean: f64, count: f64) -> (f64, f64) {
    let share = Z95 * Z95 / count;
    let middle = (mean + share / 2.0) / (1.0 + share);
    let half = (mean * (1.0 - mean) * share + share * share / 4.0).sqrt() / (1.0 + share);
    // At the ends the exact values are these, and rounding must not hide that nothing else is known.
    let low = if mean <= 0.0 { 0.0 } else { middle - half };
    let high = if mean >= 1.0 { 1.0 } else { middle + half };
    (low, high)
}

/// Points a game of each result of a pair.
const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The difference in Elo that gives a score on the average. Infinite at and beyond 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The score that a difference in Elo gives on the average.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The cumulative normal distribution, by its series around nought (Abramowitz, Stegun, 26.2.11); beyond six deviations
/// nothing is left.
fn normal(x: f64) -> f64 {
    if x.abs() > 6.0 {
        return f64::from(u8::from(x > 0.0));
    }
    // Φ(x) = ½ + φ(x) (x + x³/3 + x⁵/15 + …).
    let (mut term, mut sum, mut n) = (x, x, 1.0);
    while term.abs() > 1e-17 {
        n += 2.0;
        term *= x * x / n;
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt()
}

/// In which measure the two hypotheses of a test are told.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Elo, as it is usually meant.
    #[default]
    Logistic,
    /// Normalized Elo: the number of games needed does not depend on how many are drawn.
    Normalized,
}

/// A sequential test of the hypothesis that the difference is `elo1` against the one that it is `elo0`: a generalized
/// sequential probability ratio test on pairs.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// What a test has come to.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// More games are needed.
    Undecided,
    /// The first hypothesis: no gain.
    H0,
    /// The second: a gain.
    H1,
}

/// Numbers that make no test.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses.
    #[error("elo0 must be less than elo1, not {0} and {1}")]
    Order(f64, f64),
    /// The error probabilities.
    #[error("alpha and beta must be above 0 and together below 1, not {0} and {1}")]
    Errors(f64, f64),
}

impl Sprt {
    /// A test. `alpha` is the probability to accept a gain that is none, `beta` that of missing one.
    ///
    /// # Errors
    /// When the numbers make no test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, SprtError> {
        // Written so that what is no number is refused.
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(SprtError::Order(elo0, elo1));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors(alpha, beta));
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }
    /// The log likelihood ratios at which the first and the second hypothesis are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }
    /// The log likelihood ratio of what was seen.
    pub fn ratio(&self, counts: &Counts) -> f64 {
        if counts.pair_count() == 0 {
            return 0.0;
        }
        // A result that was not seen yet may still come.
        let seen = counts.pairs.map(|count| (count as f64).max(1e-3));
        let total: f64 = seen.iter().sum();
        let shares = seen.map(|count| count / total);
        let (p0, p1) = match self.model {
            Model::Logistic => (with_mean(shares, score_of_elo(self.elo0)), with_mean(shares, score_of_elo(self.elo1))),
            Model::Normalized => {
                let t = |elo: f64| elo / NELO * std::f64::consts::SQRT_2;
                (with_ratio(shares, t(self.elo0)), with_ratio(shares, t(self.elo1)))
            }
        };
        total * shares.iter().zip(p1.iter().zip(p0)).map(|(share, (p1, p0))| share * (p1 / p0).ln()).sum::<f64>()
    }
    /// What that comes to.
    pub fn verdict(&self, counts: &Counts) -> Verdict {
        let (low, high) = self.bounds();
        match self.ratio(counts) {
            ratio if ratio >= high => Verdict::H1,
            ratio if ratio <= low => Verdict::H0,
            _ => Verdict::Undecided,
        }
    }
}

/// The distribution with a mean under which what was seen is likeliest: `p_i = s_i / (1 + θ (a_i - mean))`.
fn with_mean(seen: [f64; 5], mean: f64) -> [f64; 5] {
    tilted(seen, POINTS.map(|a| a - mean))
}

/// The same for a given ratio of (mean - ½) to standard deviation, found by iteration.
fn with_ratio(seen: [f64; 5], t: f64) -> [f64; 5] {
    let mut p = [0.2; 5];
    for _ in 0..50 {
        let mean: f64 = POINTS.iter().zip(p).map(|(a, p)| a * p).sum();
        let deviation = POINTS.iter().zip(p).map(|(a, p)| p * (a - mean).powi(2)).sum::<f64>().sqrt();
        let next =
            tilted(seen, POINTS.map(|a| a - 0.5 - 0.5 * t * deviation * (1.0 + ((a - mean) / deviation).powi(2))));
        let change = next.iter().zip(p).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        p = next;
        if change < 1e-9 {
            break;
        }
    }
    p
}

/// `p_i = seen_i / (1 + θ x_i)` with the θ for which the mean of x is nought. The sum over `seen_i x_i / (1 + θ x_i)` falls with
/// θ between the poles, so that halving finds it.
fn tilted(seen: [f64; 5], x: [f64; 5]) -> [f64; 5] {
    let least = x.iter().copied().fold(f64::INFINITY, f64::min);
    let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return seen;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let theta = (low + high) / 2.0;
        let sum: f64 = seen.iter().zip(x).map(|(s, x)| s * x / (1.0 + theta * x)).sum();
        if sum > 0.0 { low = theta } else { high = theta }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + theta * x[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn pairs(pairs: [u64; 5]) -> Counts {
        Counts { wins: 0, draws: 0, losses: 0, pairs }
    }
    #[track_caller]
    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
    }

    /// The numbers that fastchess' own tests expect, to the digits given there.
    #[test]
    fn elo_error_and_superiority_are_those_of_fastchess() {
        for (counts, elo, error, normalized, normalized_error, superiority, score) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 57.94, 28.28, 1.0, 0.579),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, -9.17, 10.96, 0.0505, 0.488),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, -19.01, 2.65, 0.0, 0.470),
        ] {
            let found = pairs(counts).estimate().expect("pairs");
            near(found.elo, elo, 0.005);
            near(found.error.expect("finite"), error, 0.005);
            near(found.normalized.expect("pairs that differ"), normalized, 0.005);
            near(found.normalized_error.expect("pairs that differ"), normalized_error, 0.005);
            near(found.superiority, superiority, 0.00005);
            near(found.score, score, 0.0005);
        }
    }

    /// Tests that ran on Fishtest, as fastchess' own tests give them.
    #[test]
    fn likelihood_ratios_are_those_of_fishtest() {
        for (counts, elo0, elo1, model, ratio) in [
            ([365, 16618, 36029 + 200, 16974, 390], 0.0, 2.0, Model::Normalized, 2.25),
            ([127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, Model::Normalized, 3.01),
            ([0, 0, 0, 0, 5550], 0.0, 5.0, Model::Normalized, 111.82),
            ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, Model::Logistic, -3.07),
            ([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, Model::Logistic, -4.98),
        ] {
            let test = Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test");
            near(test.ratio(&pairs(counts)), ratio, 0.01 * ratio.abs().max(1.0));
        }
    }

    #[test]
    fn a_test_ends_at_walds_bounds() {
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Logistic).expect("a test");
        near(test.bounds().0, -2.944, 0.001);
        near(test.bounds().1, 2.944, 0.001);
        assert_eq!(test.verdict(&pairs([0; 5])), Verdict::Undecided);
        assert_eq!(test.verdict(&pairs([5, 10, 40, 11, 5])), Verdict::Undecided);
        assert_eq!(test.verdict(&pairs([10, 100, 400, 250, 40])), Verdict::H1);
        assert_eq!(test.verdict(&pairs([40, 250, 400, 100, 10])), Verdict::H0);
    }

    #[test]
    fn what_is_no_test_is_refused() {
        for (elo0, elo1, alpha, beta) in [
            (5.0, 5.0, 0.05, 0.05),
            (5.0, 0.0, 0.05, 0.05),
            (f64::NAN, 0.0, 0.05, 0.05),
            (0.0, f64::INFINITY, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.5, 0.5),
            (0.0, 5.0, f64::NAN, 0.05),
        ] {
            assert!(Sprt::new(elo0, elo1, alpha, beta, Model::Logistic).is_err(), "{elo0} {elo1} {alpha} {beta}");
        }
    }

    #[test]
    fn one_sided_matches_have_a_bound_on_one_side() {
        assert_eq!(pairs([0; 5]).estimate(), None);
        let all = pairs([0, 0, 0, 0, 7]).estimate().expect("pairs");
        assert_eq!((all.elo, all.high, all.error, all.normalized), (f64::INFINITY, f64::INFINITY, None, None));
        // Wilson's lower end of seven of seven: 7 / (7 + 1.96²).
        near(all.low, elo_of_score(0.6457), 0.1);
        assert!(all.superiority > 0.99 && all.superiority < 1.0, "{}", all.superiority);
        let none = pairs([7, 0, 0, 0, 0]).estimate().expect("pairs");
        assert_eq!((none.elo, none.low, none.error), (f64::NEG_INFINITY, f64::NEG_INFINITY, None));
        near(none.high, -all.low, 1e-9);
    }

    #[test]
    fn a_tied_match_is_nought_with_an_error_and_no_infinity() {
        let even = pairs([0, 0, 9, 0, 0]).estimate().expect("pairs");
        assert_eq!((even.elo.to_string().as_str(), even.superiority), ("0", 0.5));
        assert_eq!((even.normalized, even.normalized_error), (None, None));
        assert!(even.error.is_some_and(|error| error > 100.0), "nine pairs are not many: {even:?}");
        let both = pairs([2, 3, 5, 3, 2]).estimate().expect("pairs");
        assert_eq!((both.elo.to_string(), both.normalized), ("0".to_owned(), Some(0.0)));
    }

    #[test]
    fn few_pairs_have_a_wide_interval_with_two_ends() {
        let few = pairs([0, 0, 1, 1, 1]).estimate().expect("pairs");
        assert!(few.error.is_some_and(|error| error > 150.0 && error.is_finite()), "{few:?}");
        assert!(few.low < few.elo && few.elo < few.high);
        let one = pairs([0, 0, 0, 1, 0]).estimate().expect("pairs");
        assert!(one.error.is_some_and(|error| error > 300.0), "{one:?}");
        assert!(one.superiority < 0.75, "one pair proves nothing: {}", one.superiority);
    }

    /// Superiority, Elo and normalized Elo are told side by side and must not contradict each other.
    #[test]
    fn superiority_and_both_intervals_agree_on_nought() {
        let mut widened = 0;
        for code in 1..4usize.pow(5) {
            let found = std::array::from_fn(|i| [0, 1, 2, 7][code / 4usize.pow(i as u32) % 4]);
            let estimate = pairs(found).estimate().expect("pairs");
            let sure = (estimate.superiority - 0.5).abs() > 0.475;
            assert_eq!(sure, estimate.low > 0.0 || estimate.high < 0.0, "{found:?} {estimate:?}");
            if let Some((low, high)) = estimate.normalized_low.zip(estimate.normalized_high) {
                assert_eq!(sure, low > 0.0 || high < 0.0, "{found:?} {estimate:?}");
                assert!(estimate.normalized.is_some_and(|elo| low <= elo && elo <= high), "{found:?} {estimate:?}");
            }
            widened += usize::from((estimate.high - estimate.elo) / (estimate.elo - estimate.low) > 1.3);
        }
        assert!(widened > 10, "{widened}");
        // A draw and three losses prove nothing yet.
        let few = pairs([1, 1, 0, 0, 0]).estimate().expect("pairs");
        near(few.superiority, 0.1444, 0.0001);
        assert!(few.high > 0.0 && few.normalized_high.is_some_and(|high| high > 0.0), "{few:?}");
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        for (x, phi) in [(0.0, 0.5), (1.0, 0.841344746), (-1.0, 0.158655254), (1.959963985, 0.975), (3.0, 0.998650102)]
        {
            near(normal(x), phi, 1e-8);
        }
        near(normal(5.9), 1.0, 1e-8);
    }
}
