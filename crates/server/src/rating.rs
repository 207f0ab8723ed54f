//! How strong players are: Glicko-2.
//!
//! Source: Mark Glickman, [Example of the Glicko-2 system](http://www.glicko.net/glicko/glicko2.pdf). There, games are
//! gathered into rating periods; here each game is rated when it ends, so that a rating moves while people watch. What
//! a period does to a rating besides, to make it less certain as time goes by, is done by the time that has gone by
//! ([`Rating::aged`]).

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

/// A deviation above this is marked with a question mark: the rating is provisional.
pub const PROVISIONAL: f64 = 110.0;
/// A rating is never more certain than this: it could hardly move any more.
const SUREST: f64 = 45.0;
/// The deviation of who never played, which nobody's exceeds.
const UNSUREST: f64 = 350.0;
/// No rating falls below this, or rises above that.
const RANGE: (f64, f64) = (400.0, 4000.0);
/// Volatility is kept where the iteration for it converges well.
const MOST_VOLATILE: f64 = 0.1;
/// How far one game can move a rating.
const LARGEST_STEP: f64 = 700.0;
/// Rating periods a day: after a year without games, one of 60 is back at 110, about.
const PERIODS_PER_DAY: f64 = 0.214_36;
/// Between the scale people know and the one that Glickman computes in.
const SCALE: f64 = 173.7178;
const DAY_MS: f64 = 86_400_000.0;

/// A player's rating in one game and speed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rating {
    /// The number that is shown, rounded.
    pub value: f64,
    /// How uncertain it is: with a chance of 95 % the player's strength lies within two deviations.
    pub deviation: f64,
    /// How much the player's results vary.
    pub volatility: f64,
}

impl Default for Rating {
    fn default() -> Self {
        Self { value: 1500.0, deviation: UNSUREST, volatility: 0.06 }
    }
}

/// The result of a game as one player sees it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Score {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
}

impl Score {
    /// As the other player sees it.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

impl Rating {
    /// As it is shown.
    pub fn shown(&self) -> i64 {
        self.value.round() as i64
    }

    /// Whether it rests on too few or too old games to mean much.
    pub fn provisional(&self) -> bool {
        self.deviation > PROVISIONAL
    }

    /// After so many milliseconds without games: as strong, less certain (step 6 of the source, by parts of a period).
    #[must_use]
    pub fn aged(self, millis: i64) -> Self {
        let periods = millis.max(0) as f64 / DAY_MS * PERIODS_PER_DAY;
        let deviation = (self.deviation / SCALE).hypot(self.volatility * periods.sqrt()) * SCALE;
        Self { deviation: deviation.min(UNSUREST), ..self }
    }

    /// After a game against `opponent`. Both ratings are those of before the game, aged.
    #[must_use]
    pub fn after(self, opponent: Self, score: Score) -> Self {
        let outcome = match score {
            Score::Win => Outcomes::WIN,
            Score::Draw => Outcomes::DRAW,
            Score::Loss => Outcomes::LOSS,
        };
        let (new, _) = glicko2(&self.into(), &opponent.into(), &outcome, &Glicko2Config::new());
        // Nothing a store could hold makes these numbers be no numbers; if it did, the rating would be lost for good.
        if !(new.rating.is_finite() && new.deviation.is_finite() && new.volatility.is_finite()) {
            return self;
        }
        let step = (new.rating - self.value).clamp(-LARGEST_STEP, LARGEST_STEP);
        Self {
            value: (self.value + step).clamp(RANGE.0, RANGE.1),
            deviation: new.deviation.clamp(SUREST, UNSUREST),
            volatility: new.volatility.min(MOST_VOLATILE),
        }
    }
}

/// What a game makes of two ratings, last changed so many milliseconds ago. `score` is white's.
pub fn rate(white: (Rating, i64), black: (Rating, i64), score: Score) -> (Rating, Rating) {
    let (white, black) = (white.0.aged(white.1), black.0.aged(black.1));
    (white.after(black, score), black.after(white, score.reversed()))
}

impl From<Rating> for Glicko2Rating {
    fn from(rating: Rating) -> Self {
        Self { rating: rating.value, deviation: rating.deviation, volatility: rating.volatility }
    }
}

#[cfg(test)]
mod tests {
    use skillratings::glicko2::glicko2_rating_period;

    use super::*;

    fn rating(value: f64, deviation: f64) -> Rating {
        Rating { value, deviation, volatility: 0.06 }
    }

    fn near(value: f64, wanted: f64, by: f64) {
        assert!((value - wanted).abs() <= by, "{value} is not {wanted}");
    }

    /// The worked example of the source, pages 4 to 6: three games of a period.
    #[test]
    fn the_published_example_comes_out() {
        let player: Glicko2Rating = rating(1500.0, 200.0).into();
        let games = [
            (rating(1400.0, 30.0).into(), Outcomes::WIN),
            (rating(1550.0, 100.0).into(), Outcomes::LOSS),
            (rating(1700.0, 300.0).into(), Outcomes::LOSS),
        ];
        let new = glicko2_rating_period(&player, &games, &Glicko2Config::new());
        near(new.rating, 1464.06, 0.01);
        near(new.deviation, 151.52, 0.01);
        near(new.volatility, 0.059_99, 0.000_01);
    }

    /// One game of the same example, computed by hand with the source's formulas: g = 0.9955, E = 0.6395, v = 4.3773.
    #[test]
    fn one_game_follows_the_same_formulas() {
        let phi: f64 = 200.0 / SCALE;
        let (g, e): (f64, f64) = (0.995_498, 0.639_468);
        let v = 1.0 / (g * g * e * (1.0 - e));
        let star = phi.hypot(0.06);
        let after = 1.0 / (1.0 / (star * star) + 1.0 / v);
        let new = rating(1500.0, 200.0).after(rating(1400.0, 30.0), Score::Win);
        near(new.value, 1500.0 + SCALE * after * g * (1.0 - e), 0.02);
        near(new.deviation, SCALE * after.sqrt(), 0.02);
    }

    #[test]
    fn who_never_played_is_provisional_and_who_plays_on_is_not() {
        let mut player = Rating::default();
        assert!(player.provisional());
        for i in 0..30 {
            let score = if i % 2 == 0 { Score::Win } else { Score::Loss };
            player = player.after(rating(1500.0, 60.0), score);
        }
        assert!(!player.provisional(), "{player:?}");
        near(player.value, 1500.0, 60.0);
    }

    #[test]
    fn a_rating_grows_uncertain_with_time_and_moves_nowhere() {
        let before = rating(1800.0, 60.0);
        let year = before.aged(365 * 86_400_000);
        assert_eq!(year.value, 1800.0);
        assert!(year.provisional() && year.deviation < 130.0, "{year:?}");
        assert_eq!(before.aged(i64::MAX).deviation, UNSUREST);
        near(before.aged(-5).deviation, before.deviation, 1e-9);
    }

    #[test]
    fn a_game_moves_equal_players_equally_apart() {
        let (white, black) = rate((rating(1500.0, 80.0), 0), (rating(1500.0, 80.0), 0), Score::Win);
        near(white.value - 1500.0, 1500.0 - black.value, 1e-9);
        assert!(white.value > 1510.0);
        let (white, black) = rate((rating(1500.0, 80.0), 0), (rating(1500.0, 80.0), 0), Score::Draw);
        near(white.value, 1500.0, 1e-9);
        near(black.value, 1500.0, 1e-9);
    }

    #[test]
    fn no_results_carry_a_rating_out_of_range() {
        let (mut high, mut low) = (rating(3990.0, 350.0), rating(410.0, 350.0));
        for _ in 0..200 {
            (high, low) = (high.after(low, Score::Win), low.after(high, Score::Loss));
            let upset = low.after(high, Score::Win);
            for r in [high, low, upset] {
                assert!((RANGE.0..=RANGE.1).contains(&r.value) && (SUREST..=UNSUREST).contains(&r.deviation), "{r:?}");
            }
        }
    }
}
