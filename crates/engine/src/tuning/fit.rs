//! The numbers that foretell results best.

use super::Sample;
use crate::eval::{Evaluator, WeightSet, Weights};
use std::marker::PhantomData;
use warpchess_rules::{Color, Position, VariantId};

/// What came of fitting.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// Every number that differs from those the game begins with.
    pub set: WeightSet,
    /// Mean squared error of the results foretold, before and after.
    pub error: (f64, f64),
    /// How many positions it was learnt from.
    pub positions: usize,
    /// Hundredths of a pawn that make odds of e to 1.
    pub scale: f64,
    /// What it is worth to be White, in hundredths of a pawn: no number of the evaluation, but results cannot be told without it.
    pub edge: f64,
}

/// Samples of one game, as fitting needs them.
#[derive(Debug)]
pub struct Samples<P> {
    positions: Vec<P>,
    results: Vec<f32>,
    scores: Vec<i16>,
    game: PhantomData<P>,
}

impl<P> Default for Samples<P> {
    fn default() -> Self {
        Self { positions: Vec::new(), results: Vec::new(), scores: Vec::new(), game: PhantomData }
    }
}

impl<P: Position> Samples<P> {
    /// Adds one.
    pub fn push(&mut self, sample: &Sample<P>) {
        self.positions.push(sample.position.clone());
        self.results.push(sample.result as f32);
        self.scores.push(sample.score.clamp(-20_000, 20_000) as i16);
    }
    /// How many there are.
    pub const fn len(&self) -> usize {
        self.positions.len()
    }
    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
    /// What each position is worth to White by these numbers.
    fn values(&self, weights: &Weights) -> Vec<f32> {
        let evaluator = Evaluator::with::<P>(weights.clone());
        let value = |position: &P| {
            let value = evaluator.evaluate(position, evaluator.accumulate(position));
            (if position.turn() == Color::White { value } else { -value }) as f32
        };
        self.positions.iter().map(value).collect()
    }
}

/// Share of a sample's target that is the game's result; the rest is what the search thought of it.
const RESULT_SHARE: f64 = 0.5;
/// How far a number is moved to see what it does.
const STEP: i32 = 4;
/// Holds numbers that matter in few positions near where they were: error a sample for a squared change of one.
const PULL: f64 = 1e-7;
/// Steps of one descent, and how far a step goes at most, in hundredths of a pawn.
const STEPS: i32 = 200;
const RATE: f64 = 0.4;

fn write(weights: &mut Weights, numbers: &[i32]) {
    let mut numbers = numbers.iter();
    weights.visit(&mut |_, value| {
        if let Some(number) = numbers.next() {
            *value = *number;
        }
    });
}

/// How a value foretells a result.
#[derive(Copy, Clone, Debug)]
struct Curve {
    /// Hundredths of a pawn that make odds of e to 1.
    scale: f64,
    /// Added to White's value. Where one side wins more games from level positions, the numbers would be bent to explain it.
    edge: f64,
}

impl Curve {
    fn expected(self, value: f64) -> f64 {
        1.0 / (1.0 + (-(value + self.edge) / self.scale).exp())
    }
    /// The one by which the search's scores foretell the results best.
    fn of<P>(samples: &Samples<P>) -> Self {
        let error = |curve: &Self| -> f64 {
            let pairs = samples.scores.iter().zip(&samples.results);
            pairs.map(|(s, r)| (curve.expected(f64::from(*s)) - f64::from(*r)).powi(2)).sum()
        };
        let best = |curves: &mut dyn Iterator<Item = Self>| {
            curves.map(|c| (c, error(&c))).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(c, _)| c)
        };
        let mut curve = Self { scale: 170.0, edge: 0.0 };
        // One after the other, a few times: they hardly depend on each other.
        for _ in 0..3 {
            curve = best(&mut (6..=60).map(|s| Self { scale: f64::from(s * 10), ..curve })).unwrap_or(curve);
            curve = best(&mut (-30..=30).map(|e| Self { edge: f64::from(e * 10), ..curve })).unwrap_or(curve);
        }
        curve
    }
}

/// What the numbers are fitted to: how much each sample is expected to score, and by which curve.
struct Target {
    curve: Curve,
    scores: Vec<f64>,
}

impl Target {
    fn of<P: Position>(samples: &Samples<P>) -> Self {
        let curve = Curve::of(samples);
        let mix = |(score, result): (&i16, &f32)| {
            RESULT_SHARE * f64::from(*result) + (1.0 - RESULT_SHARE) * curve.expected(f64::from(*score))
        };
        Self { curve, scores: samples.scores.iter().zip(&samples.results).map(mix).collect() }
    }
    fn error(&self, values: &[f32]) -> f64 {
        let errors = values.iter().zip(&self.scores).map(|(v, t)| (self.curve.expected(f64::from(*v)) - t).powi(2));
        errors.sum::<f64>() / values.len().max(1) as f64
    }
}

/// Starts from some numbers and finds better ones, in `rounds` rounds of measuring what each number does and descending.
/// `report` is told the rounds done and the error after them, first with no round.
pub fn fit<P: Position>(
    samples: &Samples<P>,
    start: &WeightSet,
    rounds: usize,
    report: &mut dyn FnMut(usize, f64),
) -> Fit {
    let mut weights = start.weights(P::INFO);
    let target = Target::of(samples);
    let before = target.error(&samples.values(&weights));
    report(0, before);
    let mut after = before;
    for round in 1..=rounds {
        let next = descend(&weights, samples, &target);
        let error = target.error(&samples.values(&next));
        if error >= after {
            break;
        }
        (weights, after) = (next, error);
        report(round, after);
    }
    let unfitted = Weights::unfitted(P::INFO).list();
    let changed = weights.list().into_iter().zip(unfitted).filter(|(now, then)| now.1 != then.1).map(|(now, _)| now);
    // A game that is being played is in the registry.
    let variant: VariantId = P::INFO.id.parse().unwrap_or_default();
    Fit {
        set: WeightSet::new(variant, changed.collect()),
        error: (before, after),
        positions: samples.len(),
        scale: target.curve.scale,
        edge: target.curve.edge,
    }
}

/// How the names of numbers begin that show the way in positions which are won in any case: results say nothing about them.
const STEERING: &str = "bare_";

/// Takes the evaluation as linear about the weights, and descends by Adam.
/// Source: D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization" (2014).
fn descend<P: Position>(weights: &Weights, samples: &Samples<P>, target: &Target) -> Weights {
    let base = samples.values(weights);
    let (names, numbers): (Vec<String>, Vec<i32>) = weights.list().into_iter().unzip();
    // What a change of one does to each sample, a column a number; numbers that do nothing are left out.
    let mut columns: Vec<(usize, Vec<(u32, f32)>)> = Vec::new();
    for i in (0..numbers.len()).filter(|i| !names[*i].starts_with(STEERING)) {
        let mut changed = numbers.clone();
        changed[i] += STEP;
        let mut moved = weights.clone();
        write(&mut moved, &changed);
        let column: Vec<(u32, f32)> = samples
            .values(&moved)
            .iter()
            .zip(&base)
            .enumerate()
            .filter(|(_, (a, b))| a != b)
            .map(|(s, (a, b))| (s as u32, (a - b) / STEP as f32))
            .collect();
        if !column.is_empty() {
            columns.push((i, column));
        }
    }
    let n = samples.len().max(1) as f64;
    let mut change = vec![0f64; columns.len()];
    let (mut m, mut v) = (vec![0f64; columns.len()], vec![0f64; columns.len()]);
    let mut now = vec![0f32; base.len()];
    for step in 1..=STEPS {
        now.copy_from_slice(&base);
        for ((_, column), c) in columns.iter().zip(&change) {
            let c = *c as f32;
            for &(s, d) in column {
                now[s as usize] += c * d;
            }
        }
        let slope = |(value, target_score): (&f32, &f64)| {
            let e = target.curve.expected(f64::from(*value));
            (2.0 * (e - target_score) * e * (1.0 - e) / target.curve.scale / n) as f32
        };
        let slopes: Vec<f32> = now.iter().zip(&target.scores).map(slope).collect();
        // Long steps first, short ones at the end.
        let rate = RATE * (1.0 - f64::from(step - 1) / f64::from(STEPS));
        for (k, (_, column)) in columns.iter().enumerate() {
            let sum: f64 = column.iter().map(|&(s, d)| f64::from(slopes[s as usize] * d)).sum();
            let gradient = sum + 2.0 * PULL * change[k];
            m[k] = 0.9 * m[k] + 0.1 * gradient;
            v[k] = 0.99 * v[k] + 0.01 * gradient * gradient;
            let (mean, spread) = (m[k] / (1.0 - 0.9f64.powi(step)), v[k] / (1.0 - 0.99f64.powi(step)));
            change[k] -= rate * mean / (spread.sqrt() + 1e-12);
        }
    }
    let mut result = numbers;
    for ((i, _), c) in columns.iter().zip(&change) {
        result[*i] += c.round() as i32;
    }
    let mut next = weights.clone();
    write(&mut next, &result);
    next
}

#[cfg(test)]
mod tests {
    use super::super::{Match, game};
    use super::*;
    use warpchess_rules::variants::Chess;

    #[test]
    fn fitting_foretells_results_better() {
        let terms = Match { nodes: 200, ..Match::default() };
        let mut samples = Samples::<Chess>::default();
        for number in 0..10 {
            game::<Chess>(&terms, number).iter().for_each(|s| samples.push(s));
        }
        assert!(samples.len() > 100);
        let mut told = Vec::new();
        let found = fit(&samples, &WeightSet::default(), 2, &mut |round, error| told.push((round, error)));
        assert!(found.error.1 < found.error.0, "{:?}", found.error);
        assert!(!found.set.is_empty());
        assert_eq!(told.first(), Some(&(0, found.error.0)));
        assert_eq!(told.last().map(|t| t.1), Some(found.error.1));
        // Going on from what was found begins where that ended.
        let again = fit(&samples, &found.set, 0, &mut |_, _| ());
        assert_eq!((again.error.0, &again.set), (found.error.1, &found.set));
    }

    #[test]
    fn an_edge_of_one_color_is_not_taken_for_a_value() {
        // Scores that tell the result, in games which Black wins more often than they say.
        let mut samples = Samples::<Chess>::default();
        for k in 0..4000i32 {
            let score = (k * 37 % 801) - 400;
            let curve = Curve { scale: 200.0, edge: -120.0 };
            let white = f64::from(k * 7919 % 1000) / 1000.0 < curve.expected(f64::from(score));
            samples.push(&Sample { position: Chess::start(), score, result: f64::from(u8::from(white)) });
        }
        let found = Curve::of(&samples);
        assert!((found.edge + 120.0).abs() <= 20.0 && (found.scale - 200.0).abs() <= 30.0, "{found:?}");
    }
}
