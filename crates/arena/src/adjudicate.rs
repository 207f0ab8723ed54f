//! Ending games early of which both players think the same.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use warpchess_engine::Score;
use warpchess_rules::Color;

/// A game is drawn when both players have seen nearly nothing for some moves.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this full move.
    pub from_move: u16,
    /// Moves of both players in a row.
    pub moves: u32,
    /// In hundredths of a pawn.
    pub within: i32,
}

/// A game is won when both players have seen a large advantage for some moves.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WinRule {
    /// Moves of both players in a row.
    pub moves: u32,
    /// In hundredths of a pawn.
    pub beyond: i32,
}

/// A text that is no rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{text}' is no rule; expected {expected}, whole numbers")]
pub struct RuleError {
    text: String,
    expected: &'static str,
}

impl RuleError {
    fn new(text: &str, expected: &'static str) -> Self {
        Self { text: warpchess_rules::notation::fen::excerpt(text), expected }
    }
}

fn numbers<const N: usize>(text: &str, expected: &'static str) -> Result<[u16; N], RuleError> {
    let error = || RuleError::new(text, expected);
    let numbers: Vec<u16> = text.split(':').map(|n| n.parse().map_err(|_| error())).collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| error())
}

/// `FROM:MOVES:CENTIPAWNS`
impl FromStr for DrawRule {
    type Err = RuleError;
    fn from_str(text: &str) -> Result<Self, RuleError> {
        let expected = "FROM:MOVES:CENTIPAWNS with MOVES from 1";
        let [from_move, moves, within] = numbers(text, expected)?;
        if moves == 0 {
            return Err(RuleError::new(text, expected));
        }
        Ok(Self { from_move, moves: u32::from(moves), within: i32::from(within) })
    }
}

/// `MOVES:CENTIPAWNS`
impl FromStr for WinRule {
    type Err = RuleError;
    fn from_str(text: &str) -> Result<Self, RuleError> {
        // A side that sees nothing at all would have won at once.
        let expected = "MOVES:CENTIPAWNS, both from 1";
        let [moves, beyond] = numbers(text, expected)?;
        if moves == 0 || beyond == 0 {
            return Err(RuleError::new(text, expected));
        }
        Ok(Self { moves: u32::from(moves), beyond: i32::from(beyond) })
    }
}

/// Which rules are used.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// Off by default.
    pub draw: Option<DrawRule>,
    /// Off by default.
    pub win: Option<WinRule>,
}

/// What the players of one game have thought so far.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Opinions {
    level: u32,
    white: u32,
    black: u32,
}

/// How the rules end a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ruling {
    Draw,
    Win(Color),
}

impl Opinions {
    /// Hears what the player who has just moved thinks; the ruling, if that is enough for one.
    pub(crate) fn hear(
        &mut self,
        rules: &Adjudication,
        mover: Color,
        fullmove: u16,
        score: Option<Score>,
    ) -> Option<Ruling> {
        // A mate is beyond every number.
        let worth = |score: Score| score.cp().unwrap_or(if score > Score::Cp(0) { i32::MAX } else { -i32::MAX });
        let white = score.map(worth).map(|cp| if mover == Color::White { cp } else { -cp });
        let count = |runs: u32, goes_on: bool| if goes_on { runs + 1 } else { 0 };
        if let Some(rule) = rules.win {
            self.white = count(self.white, white.is_some_and(|cp| cp >= rule.beyond));
            self.black = count(self.black, white.is_some_and(|cp| cp <= -rule.beyond));
            for (runs, color) in [(self.white, Color::White), (self.black, Color::Black)] {
                if runs >= 2 * rule.moves {
                    return Some(Ruling::Win(color));
                }
            }
        }
        if let Some(rule) = rules.draw {
            self.level = count(self.level, white.is_some_and(|cp| cp.abs() <= rule.within));
            if self.level >= 2 * rule.moves && fullmove >= rule.from_move {
                return Some(Ruling::Draw);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rulings(rules: Adjudication, first_move: u16, scores: &[Score]) -> Vec<Option<Ruling>> {
        let mut opinions = Opinions::default();
        (0u16..)
            .zip(scores)
            .map(|(ply, &score)| {
                let mover = if ply % 2 == 0 { Color::White } else { Color::Black };
                opinions.hear(&rules, mover, first_move + ply / 2, Some(score))
            })
            .collect()
    }

    #[test]
    fn a_win_needs_both_to_agree() {
        let rules = Adjudication { win: Some("2:500".parse().expect("a rule")), draw: None };
        let agreed = [Score::Cp(600), Score::Cp(-550), Score::Mate(9), Score::Mate(-8)];
        assert_eq!(rulings(rules, 1, &agreed), [None, None, None, Some(Ruling::Win(Color::White))]);
        let doubted = [Score::Cp(600), Score::Cp(-300), Score::Cp(600), Score::Cp(-600)];
        assert_eq!(rulings(rules, 1, &doubted), [None; 4]);
        let lost = [Score::Cp(-600), Score::Cp(600), Score::Cp(-600), Score::Cp(600)];
        assert_eq!(rulings(rules, 1, &lost).last(), Some(&Some(Ruling::Win(Color::Black))));
    }

    #[test]
    fn a_draw_is_not_given_early() {
        let rules = Adjudication { draw: Some("10:1:15".parse().expect("a rule")), win: None };
        assert_eq!(rulings(rules, 9, &[Score::Cp(3), Score::Cp(-15), Score::Cp(0)]), [None, None, Some(Ruling::Draw)]);
        assert_eq!(rulings(rules, 30, &[Score::Cp(3), Score::Cp(-16), Score::Cp(0)]), [None; 3]);
        assert_eq!(rulings(Adjudication::default(), 99, &[Score::Cp(0); 40]), [None; 40]);
    }

    #[test]
    fn a_move_without_a_score_agrees_to_nothing() {
        let rules = Adjudication { draw: Some("1:1:15".parse().expect("a rule")), win: None };
        let mut opinions = Opinions::default();
        assert_eq!(opinions.hear(&rules, Color::White, 9, Some(Score::Cp(0))), None);
        assert_eq!(opinions.hear(&rules, Color::Black, 9, None), None);
        assert_eq!(opinions.hear(&rules, Color::White, 10, Some(Score::Cp(0))), None);
    }

    #[test]
    fn what_is_no_rule_is_named() {
        assert_eq!(
            "40:8".parse::<DrawRule>().map_err(|e| e.to_string()),
            Err("'40:8' is no rule; expected FROM:MOVES:CENTIPAWNS with MOVES from 1, whole numbers".into())
        );
        assert!("a:8".parse::<WinRule>().is_err());
        for nothing in ["0:0", "0:500", "3:0"] {
            assert!(
                nothing.parse::<WinRule>().is_err_and(|error| error.to_string().contains("both from 1")),
                "{nothing}"
            );
        }
        assert!("0:0:0".parse::<DrawRule>().is_err() && "0:1:0".parse::<DrawRule>().is_ok());
    }
}
