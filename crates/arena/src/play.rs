//! One game.

use std::fmt;
use std::time::Duration;

use warpchess_engine::{Score, Signals};
use warpchess_rules::{Color, EndReason, Game, VariantId};

use crate::adjudicate::{Adjudication, Opinions, Ruling};
use crate::control::{Clock, Control};
use crate::player::{Answer, Fault, Player, Turn};

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules of the game.
    Rules(EndReason),
    /// Somebody's time ran out, by so much.
    Time(Color, Duration),
    /// Somebody played what is no legal move.
    Illegal(Color, String),
    /// Somebody's program ended.
    Died(Color, String),
    /// Somebody's program gave no answer for so long.
    Silent(Color, Duration),
    /// Both players thought it won.
    AdjudicatedWin,
    /// Both players thought it level.
    AdjudicatedDraw,
    /// It was too long.
    TooLong,
}

impl Ending {
    /// One of the words that PGN has for this.
    pub const fn termination(&self) -> &'static str {
        match self {
            Self::Rules(_) => "normal",
            Self::Time(..) | Self::Silent(..) => "time forfeit",
            Self::Illegal(..) => "rules infraction",
            Self::Died(..) => "abandoned",
            Self::AdjudicatedWin | Self::AdjudicatedDraw | Self::TooLong => "adjudication",
        }
    }
    /// A word for tables.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Rules(reason) => reason.name(),
            Self::Time(..) => "time",
            Self::Illegal(..) => "illegalMove",
            Self::Died(..) => "died",
            Self::Silent(..) => "silent",
            Self::AdjudicatedWin => "adjudicatedWin",
            Self::AdjudicatedDraw => "adjudicatedDraw",
            Self::TooLong => "tooLong",
        }
    }
    /// Whose fault it was, if a fault ended it.
    pub const fn fault(&self) -> Option<Color> {
        match self {
            Self::Time(color, _) | Self::Illegal(color, _) | Self::Died(color, _) | Self::Silent(color, _) => {
                Some(*color)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |time: &Duration| time.as_millis() as f64 / 1000.0;
        match self {
            Self::Rules(reason) => f.write_str(reason.name()),
            Self::Time(color, late) => write!(f, "{}'s time ran out ({} s too late)", side(*color), seconds(late)),
            Self::Illegal(color, text) => write!(f, "{} played '{text}', which is no legal move", side(*color)),
            Self::Died(color, how) => write!(f, "{}'s program ended: {how}", side(*color)),
            Self::Silent(color, time) => {
                write!(f, "{}'s program gave no answer for {} s", side(*color), seconds(time))
            }
            Self::AdjudicatedWin => f.write_str("adjudicated: both saw it won"),
            Self::AdjudicatedDraw => f.write_str("adjudicated: both saw it level"),
            Self::TooLong => f.write_str("adjudicated: too long"),
        }
    }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// What a player said with its move.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Said {
    pub(crate) score: Option<Score>,
    pub(crate) depth: Option<u32>,
    pub(crate) took: Duration,
}

/// A game that is over.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) game: Game,
    pub(crate) winner: Option<Color>,
    pub(crate) ending: Ending,
    /// One a ply.
    pub(crate) said: Vec<Said>,
}

/// Why a game has no end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    /// A player cannot even begin.
    Start(Color, String),
    /// The opening is none.
    Opening(String),
    /// Nobody wants it any more.
    Cancelled,
}

/// What all games of a match have in common.
pub(crate) struct Terms<'a> {
    pub(crate) variant: VariantId,
    pub(crate) adjudication: Adjudication,
    /// Plies after which a game is drawn.
    pub(crate) max_plies: usize,
    pub(crate) patience: Duration,
    pub(crate) margin: Duration,
    pub(crate) cancel: &'a Signals,
}

impl Terms<'_> {
    /// Plays a game, White's player first.
    ///
    /// # Errors
    /// When a player cannot even begin, or all is cancelled.
    pub(crate) fn play(
        &self,
        [white, black]: [&mut dyn Player; 2],
        controls: [Control; 2],
        start: &str,
        seed: u64,
    ) -> Result<Played, Broken> {
        let mut game = Game::from_fen(self.variant, start).map_err(|error| Broken::Opening(error.to_string()))?;
        let mut clocks = controls.map(Clock::new);
        let mut moves: Vec<String> = Vec::new();
        let mut said = Vec::new();
        let mut opinions = Opinions::default();
        let mut end = None;
        for (color, player) in [(Color::White, &mut *white), (Color::Black, &mut *black)] {
            if let Err(fault) = player.new_game() {
                end = Some((Some(!color), ending(color, fault)?));
                break;
            }
        }
        let (winner, ending) = loop {
            if let Some(end) = end {
                break end;
            }
            if let Some(outcome) = game.outcome() {
                break (outcome.winner, Ending::Rules(outcome.reason));
            }
            // What may be claimed is claimed: engines do not ask for it.
            if let Some(reason) = game.claimable() {
                break (None, Ending::Rules(reason));
            }
            if game.len() >= self.max_plies {
                break (None, Ending::TooLong);
            }
            if self.cancel.stopped() {
                return Err(Broken::Cancelled);
            }
            let color = game.position().turn();
            let fullmove = game.position().fullmove_number();
            let index = usize::from(color == Color::Black);
            let player = if color == Color::White { &mut *white } else { &mut *black };
            let turn = Turn {
                start,
                moves: &moves,
                position: game.position(),
                clocks,
                seed,
                patience: self.patience,
                margin: self.margin,
            };
            let deadline = turn.deadline();
            let Answer { text, score, depth, took, waited } = match player.think(&turn) {
                Ok(answer) => answer,
                Err(fault) => break (Some(!color), ending(color, fault)?),
            };
            let used = took.saturating_sub(waited);
            if let Some(late) = deadline.and_then(|deadline| used.checked_sub(deadline)).filter(|late| !late.is_zero())
            {
                // Not lost against a side that could not win.
                let winner = Some(!color).filter(|&winner| game.position().can_win(winner));
                break (winner, Ending::Time(color, late));
            }
            if game.play_uci(&text).is_err() {
                let text = warpchess_rules::notation::fen::excerpt(&text);
                break (Some(!color), Ending::Illegal(color, text));
            }
            // Neither is it taken off the clock, where it would be missing later.
            clocks[index].press(used);
            moves.push(text);
            said.push(Said { score, depth, took });
            end = opinions.hear(&self.adjudication, color, fullmove, score).map(|ruling| match ruling {
                Ruling::Draw => (None, Ending::AdjudicatedDraw),
                Ruling::Win(winner) => (Some(winner), Ending::AdjudicatedWin),
            });
            // What the rules say comes before what players think.
            end = end.filter(|_| game.outcome().is_none());
        };
        Ok(Played { game, winner, ending, said })
    }
}

/// How a fault ends a game; an error when it ends more than the game.
fn ending(color: Color, fault: Fault) -> Result<Ending, Broken> {
    match fault {
        Fault::Died(how) => Ok(Ending::Died(color, how)),
        Fault::Silent(time) => Ok(Ending::Silent(color, time)),
        Fault::Start(problem) => Err(Broken::Start(color, problem)),
        Fault::Cancelled => Err(Broken::Cancelled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// Says what it was told to say.
    struct Parrot(VecDeque<Result<Answer, Fault>>);

    impl Player for Parrot {
        fn new_game(&mut self) -> Result<(), Fault> {
            Ok(())
        }
        fn think(&mut self, _: &Turn<'_>) -> Result<Answer, Fault> {
            self.0.pop_front().unwrap_or(Err(Fault::Silent(Duration::from_secs(9))))
        }
    }

    fn says(text: &str, cp: i32, millis: u64) -> Result<Answer, Fault> {
        let score = Some(Score::Cp(cp));
        let took = Duration::from_millis(millis);
        Ok(Answer { text: text.into(), score, depth: Some(1), took, waited: Duration::ZERO })
    }

    fn play(
        white: impl IntoIterator<Item = Result<Answer, Fault>>,
        black: impl IntoIterator<Item = Result<Answer, Fault>>,
        adjudication: Adjudication,
        start: &str,
    ) -> Result<(Option<Color>, Ending, usize), Broken> {
        let cancel = Signals::new();
        let terms = Terms {
            variant: VariantId::default(),
            adjudication,
            max_plies: 20,
            patience: Duration::from_secs(1),
            margin: Duration::from_millis(20),
            cancel: &cancel,
        };
        let mut players = [Parrot(white.into_iter().collect()), Parrot(black.into_iter().collect())];
        let [white, black] = &mut players;
        let control = "0.1+0.01".parse().expect("a control");
        terms.play([white, black], [control; 2], start, 1).map(|p| (p.winner, p.ending, p.said.len()))
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const OFF: Adjudication = Adjudication { draw: None, win: None };

    #[test]
    fn mate_ends_a_game() {
        let white = [says("f2f3", 0, 1), says("g2g4", 0, 1)];
        let black = [says("e7e5", 0, 1), says("d8h4", 0, 1)];
        let end = play(white, black, OFF, START);
        assert_eq!(end, Ok((Some(Color::Black), Ending::Rules(EndReason::Checkmate), 4)));
    }

    #[test]
    fn a_third_repetition_is_claimed_for_both() {
        let white = ["g1f3", "f3g1"].iter().cycle().take(8).map(|m| says(m, 0, 1));
        let black = ["g8f6", "f6g8"].iter().cycle().take(8).map(|m| says(m, 0, 1));
        let end = play(white, black, OFF, START);
        assert_eq!(end, Ok((None, Ending::Rules(EndReason::ThreefoldRepetition), 8)));
    }

    #[test]
    fn an_illegal_move_loses_and_is_told() {
        let end = play([says("e2e5", 0, 1)], [], OFF, START).expect("an end");
        assert_eq!(end, (Some(Color::Black), Ending::Illegal(Color::White, "e2e5".into()), 0));
        assert_eq!(end.1.to_string(), "White played 'e2e5', which is no legal move");
        assert_eq!(end.1.termination(), "rules infraction");
    }

    #[test]
    fn time_is_lost_beyond_the_margin_only() {
        let late = play([says("e2e4", 0, 121)], [], OFF, START);
        assert_eq!(late, Ok((Some(Color::Black), Ending::Time(Color::White, Duration::from_millis(1)), 0)));
        let (_, ending, plies) = play([says("e2e4", 0, 120)], [], OFF, START).expect("an end");
        assert_eq!((ending, plies), (Ending::Silent(Color::Black, Duration::from_secs(9)), 1));
        // What the machine kept it waiting is not its own.
        let kept = says("e2e4", 0, 500).map(|answer| Answer { waited: Duration::from_millis(400), ..answer });
        let (_, ending, plies) = play([kept], [], OFF, START).expect("an end");
        assert_eq!((ending, plies), (Ending::Silent(Color::Black, Duration::from_secs(9)), 1));
        // Nor is it missing on its clock for the moves after.
        let kept = says("e2e4", 0, 100).map(|answer| Answer { waited: Duration::from_millis(100), ..answer });
        let (_, ending, plies) = play([kept, says("d2d4", 0, 100)], [says("e7e5", 0, 1)], OFF, START).expect("an end");
        assert_eq!((ending, plies), (Ending::Silent(Color::Black, Duration::from_secs(9)), 3));
        // A bare king cannot win.
        let bare = play([says("a2a3", 0, 999)], [], OFF, "7k/8/8/8/8/8/P7/K7 w - - 0 1");
        assert!(matches!(bare, Ok((None, Ending::Time(Color::White, _), 0))), "{bare:?}");
    }

    #[test]
    fn a_program_that_dies_loses_and_one_that_cannot_start_ends_the_match() {
        let died = play([Err(Fault::Died("exit status: 3".into()))], [], OFF, START).expect("an end");
        assert_eq!(died.0, Some(Color::Black));
        assert_eq!(died.1.to_string(), "White's program ended: exit status: 3");
        let start = Fault::Start("no such file".into());
        assert_eq!(play([Err(start)], [], OFF, START), Err(Broken::Start(Color::White, "no such file".into())));
    }

    #[test]
    fn games_are_adjudicated_only_by_rules_that_are_on() {
        let shuffle = |cp: i32| {
            let white = ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3", "a3a4", "b3b4"];
            let black = ["a7a6", "b7b6", "c7c6", "d7d6", "e7e6", "f7f6", "g7g6", "h7h6", "a6a5", "c6c5"];
            (white.map(|m| says(m, cp, 1)), black.map(|m| says(m, -cp, 1)))
        };
        let (white, black) = shuffle(700);
        assert_eq!(play(white.clone(), black.clone(), OFF, START), Ok((None, Ending::TooLong, 20)));
        let win = Adjudication { win: Some("3:600".parse().expect("a rule")), draw: None };
        assert_eq!(play(white, black, win, START), Ok((Some(Color::White), Ending::AdjudicatedWin, 6)));
        let draw = Adjudication { draw: Some("5:2:10".parse().expect("a rule")), win: None };
        let (white, black) = shuffle(3);
        assert_eq!(play(white, black, draw, START), Ok((None, Ending::AdjudicatedDraw, 9)));
    }
}
