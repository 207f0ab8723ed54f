//! What a move cost, and what that is called.
//!
//! The curve and the bounds are those of Lichess: chances of winning from `WinPercent.winningChances`
//! ([scalachess, `eval.scala`](https://github.com/lichess-org/scalachess/blob/master/core/src/main/scala/eval.scala)), bounds of
//! 0.1, 0.2 and 0.3 on the scale from -1 to 1 and the rules for mates from
//! [`Advice.scala`](https://github.com/lichess-org/lila/blob/master/modules/tree/src/main/Advice.scala), the mean loss of
//! hundredths of a pawn from `AccuracyCP`. They were fitted to chess; for the other games they are a convention.

use warpchess_rules::Color;

use crate::store::analysis::Eval;

/// Evaluations beyond this count as this for the mean loss.
const CEILING: i64 = 1000;

/// What a bad move is called.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgment {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Judgment {
    /// As people and clients call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        }
    }
    /// The number of its sign in a PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

/// The chances of winning of hundredths of a pawn: from -1, lost, to 1, won.
pub fn winning_chances(cp: i64) -> f64 {
    2.0 / (1.0 + (-0.003_682_08 * cp as f64).exp()) - 1.0
}

/// The chances of winning of a side. A mate wins.
fn chances(eval: Eval, side: Color) -> f64 {
    let white = match eval {
        Eval::Cp(cp) => winning_chances(cp),
        Eval::Mate(mate) => f64::from(i8::from(mate > 0)) * 2.0 - 1.0,
    };
    if side == Color::White { white } else { -white }
}

fn of_side(value: i64, side: Color) -> i64 {
    if side == Color::White { value } else { -value }
}

/// What a move cost the mover's chances of winning: 0 and up to 2. `before` and `after` are White's view. After a mate that
/// is on the board (`Mate(0)`) the mover has lost nothing.
pub fn loss(before: Eval, after: Eval, mover: Color) -> f64 {
    if after == Eval::Mate(0) {
        return 0.0;
    }
    (chances(before, mover) - chances(after, mover)).max(0.0)
}

/// What a move is called that led from one evaluation to another, if it was bad.
pub fn judge(before: Eval, after: Eval, mover: Color) -> Option<Judgment> {
    use Judgment::{Blunder, Inaccuracy, Mistake};
    match (before, after) {
        // The mover has mated.
        (_, Eval::Mate(0)) => None,
        (Eval::Cp(_), Eval::Cp(_)) => {
            let loss = loss(before, after, mover);
            [(0.3, Blunder), (0.2, Mistake), (0.1, Inaccuracy)]
                .into_iter()
                .find(|(from, _)| *from <= loss)
                .map(|(_, judgment)| judgment)
        }
        // The mover has allowed a mate.
        (Eval::Cp(cp), Eval::Mate(mate)) if of_side(mate, mover) < 0 => Some(match of_side(cp, mover) {
            ..-999 => Inaccuracy,
            -999..-700 => Mistake,
            _ => Blunder,
        }),
        // The mover has missed one.
        (Eval::Mate(mate), Eval::Cp(cp)) if of_side(mate, mover) > 0 => Some(match of_side(cp, mover) {
            1000.. => Inaccuracy,
            701..1000 => Mistake,
            _ => Blunder,
        }),
        (Eval::Mate(one), Eval::Mate(other)) if of_side(one, mover) > 0 && of_side(other, mover) < 0 => Some(Blunder),
        _ => None,
    }
}

/// What a player did wrong in a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Inaccuracies.
    pub inaccuracy: u32,
    /// Mistakes.
    pub mistake: u32,
    /// Blunders.
    pub blunder: u32,
    lost: i64,
    moves: i64,
}

impl Summary {
    /// Takes a move in, and what it is called.
    pub fn add(&mut self, before: Eval, after: Eval, mover: Color, called: Option<Judgment>) {
        match called {
            Some(Judgment::Inaccuracy) => self.inaccuracy += 1,
            Some(Judgment::Mistake) => self.mistake += 1,
            Some(Judgment::Blunder) => self.blunder += 1,
            None => {}
        }
        let lost = if after == Eval::Mate(0) { 0 } else { cut(before, mover) - cut(after, mover) };
        self.lost += lost.max(0);
        self.moves += 1;
    }
    /// The mean loss of a move, in hundredths of a pawn.
    pub fn acpl(&self) -> i64 {
        if self.moves == 0 { 0 } else { (self.lost as f64 / self.moves as f64).round() as i64 }
    }
}

/// An evaluation as a number, of a side.
fn cut(eval: Eval, side: Color) -> i64 {
    let white = match eval {
        Eval::Cp(cp) => cp.clamp(-CEILING, CEILING),
        Eval::Mate(mate) => CEILING * mate.signum(),
    };
    of_side(white, side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Judgment::{Blunder, Inaccuracy, Mistake};

    #[test]
    fn chances_follow_the_curve() {
        assert_eq!(winning_chances(0), 0.0);
        // 100 hundredths win 59.1 %, 300 win 75.1 % (lichess.org/page/accuracy): twice that less one.
        assert!((winning_chances(100) - 0.1821).abs() < 1e-3);
        assert!((winning_chances(300) - 0.5023).abs() < 1e-3);
        assert_eq!(winning_chances(-250), -winning_chances(250));
    }

    #[test]
    fn a_loss_of_chances_is_called_by_its_size() {
        for (before, after, mover, expected) in [
            (20, 0, Color::White, None),
            (0, -50, Color::White, None),
            (0, -60, Color::White, Some(Inaccuracy)),
            (0, -115, Color::White, Some(Mistake)),
            (0, -170, Color::White, Some(Blunder)),
            (0, 170, Color::Black, Some(Blunder)),
            (0, 170, Color::White, None),
            (0, -170, Color::Black, None),
            // A piece less hardly matters where all is decided.
            (1500, 1200, Color::White, None),
        ] {
            assert_eq!(judge(Eval::Cp(before), Eval::Cp(after), mover), expected, "{before} {after}");
        }
    }

    #[test]
    fn mates_allowed_and_missed_are_judged_by_what_was_to_lose() {
        for (before, after, expected) in [
            (Eval::Cp(0), Eval::Mate(-3), Some(Blunder)),
            (Eval::Cp(-800), Eval::Mate(-3), Some(Mistake)),
            (Eval::Cp(-1200), Eval::Mate(-3), Some(Inaccuracy)),
            (Eval::Mate(3), Eval::Cp(100), Some(Blunder)),
            (Eval::Mate(3), Eval::Cp(800), Some(Mistake)),
            (Eval::Mate(3), Eval::Cp(1200), Some(Inaccuracy)),
            (Eval::Mate(3), Eval::Mate(-2), Some(Blunder)),
            (Eval::Mate(3), Eval::Mate(6), None),
            (Eval::Mate(-3), Eval::Mate(-1), None),
            (Eval::Cp(0), Eval::Mate(3), None),
            (Eval::Mate(1), Eval::Mate(0), None),
        ] {
            assert_eq!(judge(before, after, Color::White), expected, "{before:?} {after:?}");
        }
        assert_eq!(judge(Eval::Cp(0), Eval::Mate(3), Color::Black), Some(Blunder));
        assert_eq!(judge(Eval::Mate(-3), Eval::Cp(0), Color::Black), Some(Blunder));
    }

    #[test]
    fn the_mean_loss_is_bounded_by_a_move() {
        let mut white = Summary::default();
        for (before, after) in
            [(Eval::Cp(0), Eval::Cp(-100)), (Eval::Mate(2), Eval::Mate(-2)), (Eval::Cp(0), Eval::Cp(300))]
        {
            white.add(before, after, Color::White, judge(before, after, Color::White));
        }
        assert_eq!(white.acpl(), 700);
        assert_eq!((white.blunder, white.inaccuracy), (1, 1));
        assert_eq!(Summary::default().acpl(), 0);
    }
}
