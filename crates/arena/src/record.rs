//! Games as PGN.

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use warpchess_engine::Score;
use warpchess_rules::notation::pgn::{self, Tags};
use warpchess_rules::{Color, Outcome};

use crate::control::Control;
use crate::play::{Played, Said};

/// What a record says besides the game.
pub(crate) struct Heading<'a> {
    pub(crate) event: &'a str,
    pub(crate) round: String,
    pub(crate) names: [&'a str; 2],
    pub(crate) controls: [Control; 2],
}

/// The game with what the players thought, after each move `{SCORE/DEPTH TIME}` from the mover's view.
pub(crate) fn write(played: &Played, heading: &Heading<'_>) -> Result<String, pgn::IllegalMove> {
    let mut tags = Tags::new();
    let [white, black] = heading.controls;
    let mut set = |name: &str, value: String| {
        let named = tags.set(name, value);
        debug_assert_eq!(named, Ok(()));
    };
    set("Event", heading.event.to_owned());
    set("Date", today());
    set("Round", heading.round.clone());
    set("White", heading.names[0].to_owned());
    set("Black", heading.names[1].to_owned());
    set("PlyCount", played.game.len().to_string());
    set("Termination", played.ending.termination().to_owned());
    if white == black {
        set("TimeControl", time_control(white));
    } else {
        set("WhiteTimeControl", time_control(white));
        set("BlackTimeControl", time_control(black));
    }
    let mut record = played.game.to_record(tags);
    // A game may have been ended by others than its rules.
    record.score = pgn::Score::from(Some(match played.winner {
        Some(winner) => Outcome::win(winner, warpchess_rules::EndReason::Resignation),
        None => Outcome::draw(warpchess_rules::EndReason::Agreement),
    }));
    for (node, said) in record.line.moves.iter_mut().zip(&played.said) {
        node.comments.push(comment(said));
    }
    let last = format!("{}: {}", winner(played.winner), played.ending);
    match record.line.moves.last_mut() {
        Some(node) => node.comments.push(last),
        None => record.line.comments.push(last),
    }
    pgn::write(&record)
}

pub(crate) const fn winner(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::White) => "White wins",
        Some(Color::Black) => "Black wins",
        None => "Draw",
    }
}

fn comment(said: &Said) -> String {
    let mut text = String::new();
    let _ = match said.score {
        None => Ok(()),
        Some(Score::Cp(cp)) => write!(text, "{:+.2}", f64::from(cp) / 100.0),
        Some(Score::Mate(n)) => write!(text, "{}M{}", if n > 0 { '+' } else { '-' }, n.abs()),
    };
    if let Some(depth) = said.depth.filter(|_| said.score.is_some()) {
        let _ = write!(text, "/{depth}");
    }
    let blank = if text.is_empty() { "" } else { " " };
    let _ = write!(text, "{blank}{:.3}s", said.took.as_secs_f64());
    text
}

/// In the form of the PGN specification where it has one.
fn time_control(control: Control) -> String {
    match control {
        Control::Clock { .. } => control.to_string(),
        _ => "-".into(),
    }
}

/// The date as PGN writes it, by Coordinated Universal Time.
pub fn today() -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let (year, month, day) = civil(days);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day of a number of days since 1970. Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
const fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let of_era = z % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let m = (5 * of_year + 2) / 153;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = year + z / 146_097 * 400;
    (if month <= 2 { year + 1 } else { year }, month, of_year - (153 * m + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Ending;
    use std::time::Duration;
    use warpchess_rules::Game;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, date) in [(0, (1970, 1, 1)), (59, (1970, 3, 1)), (11_016, (2000, 2, 29)), (20_453, (2025, 12, 31))] {
            assert_eq!(civil(days), date);
        }
    }

    #[test]
    fn a_record_tells_who_what_and_why_and_can_be_read_again() {
        let variant = "teleport".parse().expect("a game");
        let start = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2";
        let mut game = Game::from_fen(variant, start).expect("a position");
        game.play_uci("a1b1").expect("an exchange");
        let took = Duration::from_millis(40);
        let said = vec![Said { score: Some(Score::Cp(-31)), depth: Some(7), took }];
        let ending = Ending::Illegal(Color::Black, "e9".into());
        let played = Played { game, winner: Some(Color::White), ending, said };
        let control = "10+0.1".parse().expect("a clock");
        let heading = Heading { event: "Match", round: "3.1".into(), names: ["A", "B"], controls: [control; 2] };
        let text = write(&played, &heading).expect("legal moves");
        for line in [
            "[Round \"3.1\"]",
            "[Result \"1-0\"]",
            "[Termination \"rules infraction\"]",
            "[Variant \"teleport\"]",
            "[TimeControl \"10+0.1\"]",
            &format!("[FEN \"{start}\"]"),
        ] {
            assert!(text.lines().any(|l| l == line), "{line}\n{text}");
        }
        assert!(text.contains("{-0.31/7 0.040s}"), "{text}");
        let read = pgn::Reader::new(text.as_bytes()).next().expect("a game").expect("a good game");
        assert_eq!((read.moves().len(), read.score), (1, pgn::Score::WhiteWins));
    }
}
