//! Games that were played elsewhere, taken in for study from a PGN.

use warpchess_rules::notation::pgn::{self, Limits, Line, Reader, Record, Score, Tags};
use warpchess_rules::{Color, Game};

use super::RULES_VERSION;
use super::chat;
use super::control::Control;
use super::give_time::Given;
use crate::error::Error;
use crate::explorer::Counted;
use crate::ids;
use crate::lichess::UNKNOWN;
use crate::store::games::{GameRow, Seat, Status};
use crate::text::visible;
use crate::time::Day;

/// How many bytes a PGN may have.
pub const LONGEST: usize = 1 << 20;
/// How many games.
pub const GAMES: usize = 100;
/// How many plies a game may have.
pub const PLIES: usize = 1000;
/// What a game may hold besides: variations, comments. It is kept whole.
const LIMITS: Limits = Limits { depth: 32, moves: 10_000, text: 256 * 1024 };
/// Longest name of a player, in characters.
const NAME: usize = 60;

/// A game that was read.
#[derive(Debug)]
pub struct Imported {
    /// As it is kept.
    pub row: GameRow,
    /// With all that was said about it.
    pub pgn: String,
    /// As the explorer counts it.
    pub counted: Option<Counted>,
}

/// Reads all games of a PGN. `now` is when that is.
///
/// # Errors
/// Names the first game that cannot be read, the line and the move.
pub fn read(text: &str, now: i64) -> Result<Vec<Imported>, Error> {
    if let Some(at) = text.find('\0') {
        let line = text[..at].matches('\n').count() + 1;
        return Err(bad(format!("line {line}: a character of number 0, which is in no text")));
    }
    let mut games = Vec::new();
    for record in Reader::with_limits(text.as_bytes(), LIMITS) {
        let record = record.map_err(|error| bad(error.to_string()))?;
        if games.len() == GAMES {
            return Err(bad(format!("line {}: more than {GAMES} games at once", record.file_line)));
        }
        games.push(imported(record, games.len() + 1, now)?);
    }
    if games.is_empty() {
        return Err(bad("there is no game in the PGN"));
    }
    Ok(games)
}

fn bad(message: impl Into<String>) -> Error {
    Error { code: "bad-pgn", ..Error::bad("pgn", message) }
}

/// Takes out of all that is said in a record what cannot be seen or turns the text around it.
pub(crate) fn clean(record: &mut Record) {
    let tags: Vec<(String, String)> =
        record.tags.iter().map(|(name, value)| (name.to_owned(), visible(value))).collect();
    for (name, value) in tags {
        // It was a good name before.
        let _ = record.tags.set(&name, value);
    }
    clean_line(&mut record.line);
}

/// The depth of the recursion is that of the variations, which is bounded.
fn clean_line(line: &mut Line) {
    line.comments.iter_mut().for_each(|text| *text = visible(text));
    for node in &mut line.moves {
        node.comments.iter_mut().for_each(|text| *text = visible(text));
        node.variations.iter_mut().for_each(clean_line);
    }
}

fn imported(mut record: Record, number: usize, now: i64) -> Result<Imported, Error> {
    clean(&mut record);
    let at = |what: &dyn std::fmt::Display| bad(format!("line {}: game {number}: {what}", record.file_line));
    if record.line.moves.len() > PLIES {
        return Err(at(&format_args!("more than {PLIES} plies")));
    }
    let game = Game::from_record(&record).map_err(|error| at(&error))?;
    let pgn = pgn::write(&record).map_err(|error| at(&error))?;
    let (winner, reason) = ended(&record, &game);
    let begun = played_at(&record.tags).filter(|&at| at <= now).unwrap_or(now);
    let fen = record.start.fen();
    let moves: Vec<String> = game.moves().map(|m| m.to_string()).collect();
    let row = GameRow {
        id: ids::random(ids::GAME),
        variant: record.variant,
        rules_version: RULES_VERSION,
        initial_fen: (fen != record.variant.start().fen()).then_some(fen),
        ply: moves.len() as i64,
        moves: moves.join(" "),
        version: 0,
        clocks: clocks(&record),
        status: Status::Ended,
        winner,
        reason: Some(reason.to_owned()),
        rated: false,
        control: control(&record.tags),
        white: seat(&record.tags, "White", "WhiteElo"),
        black: seat(&record.tags, "Black", "BlackElo"),
        given: Given::default(),
        clocks_started: false,
        turn_started_at: None,
        deadline_at: None,
        engine_due_at: None,
        draw_offer: None,
        takeback_offer: None,
        rematch_offer: None,
        rematch_id: None,
        rematch_of: None,
        created_at: begun,
        last_move_at: Some(begun),
        // Counted among the games of now, not among those of then.
        ended_at: Some(now),
        imported: true,
    };
    let counted = Counted::of(&row, Some(&game));
    Ok(Imported { row, pgn, counted })
}

/// What the mover's clock showed after each ply, in milliseconds, where the record tells it of all: `[%clk 0:02:59.5]`.
fn clocks(record: &Record) -> Vec<i64> {
    let shown = |text: &str| {
        let (_, rest) = text.split_once("[%clk")?;
        let (time, _) = rest.split_once(']')?;
        let mut parts = time.trim().split(':');
        let hours: i64 = parts.next()?.parse().ok()?;
        let minutes: i64 = parts.next()?.parse().ok()?;
        let seconds: f64 = parts.next()?.parse().ok()?;
        let fits = (0..=999).contains(&hours) && (0..60).contains(&minutes) && (0.0..60.0).contains(&seconds);
        fits.then(|| (hours * 60 + minutes) * 60_000 + (seconds * 1000.0).round() as i64)
    };
    let all = record.line.moves.iter().map(|node| node.comments.iter().find_map(|comment| shown(comment)));
    all.collect::<Option<Vec<i64>>>().unwrap_or_default()
}

/// Who won, and why as far as it can be told: by the rules, else by what the record says.
fn ended(record: &Record, game: &Game) -> (Option<Color>, &'static str) {
    if let Some(outcome) = game.outcome() {
        return (outcome.winner, outcome.reason.name());
    }
    let winner = match record.score {
        Score::WhiteWins => Some(Color::White),
        Score::BlackWins => Some(Color::Black),
        Score::Draw => return (None, "agreement"),
        Score::Unknown => return (None, UNKNOWN),
    };
    let in_time = |text: &str| !text.to_ascii_lowercase().contains("time forfeit");
    let reason = if record.tags.get("Termination").is_none_or(in_time) { UNKNOWN } else { "timeout" };
    (winner, reason)
}

fn seat(tags: &Tags, name: &str, elo: &str) -> Seat {
    let name: String = tags.get(name).unwrap_or("?").chars().take(NAME).collect();
    Seat {
        name: chat::clean(&name).unwrap_or_else(|| "?".into()),
        rating: tags.get(elo).and_then(|text| text.trim().parse().ok()).filter(|rating| (1..=4000).contains(rating)),
        ..Seat::default()
    }
}

/// `300+3`, `300`, `1/86400`; anything else is no time control that is played here.
fn control(tags: &Tags) -> Control {
    let text = tags.get("TimeControl").unwrap_or("-").trim();
    let seconds = |text: &str| text.parse::<i64>().ok().filter(|seconds| (0..=86_400).contains(seconds));
    let live = match text.split_once('+') {
        Some((limit, increment)) => seconds(limit).zip(seconds(increment)),
        None => seconds(text).map(|limit| (limit, 0)),
    };
    if let Some((limit, increment)) = live {
        return Control::Live { limit: limit * 1000, increment: increment * 1000 };
    }
    let days = text.strip_prefix("1/").and_then(|text| text.parse::<i64>().ok());
    match days {
        Some(seconds) if seconds > 0 && seconds % 86_400 == 0 && seconds <= 86_400 * 365 => {
            Control::Days { days: seconds / 86_400 }
        }
        _ => Control::Unlimited,
    }
}

/// When the game was played: what is not known of the date counts as the first.
fn played_at(tags: &Tags) -> Option<i64> {
    let date = ["UTCDate", "Date"].iter().find_map(|name| tags.get(name))?;
    let mut parts = date.split(['.', '-', '/']).map(|part| part.trim().parse::<i32>().ok());
    let year = parts.next()?.filter(|year| (1..=9999).contains(year))?;
    let month = parts.next().flatten().filter(|month| (1..=12).contains(month)).unwrap_or(1);
    let day = parts.next().flatten().filter(|day| (1..=31).contains(day)).unwrap_or(1);
    let mut clock = tags.get("UTCTime").unwrap_or_default().split(':').map(|part| part.parse::<i64>().unwrap_or(0));
    let mut part = |below: i64| clock.next().filter(|part| (0..below).contains(part)).unwrap_or(0);
    let seconds = part(24) * 3600 + part(60) * 60 + part(60);
    Some(Day { year, month, day }.millis() + seconds * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(pgn: &str) -> Imported {
        read(pgn, 2_000_000_000_000).unwrap().pop().unwrap()
    }

    #[test]
    fn tags_say_who_played_when_and_how_fast() {
        let game = one(
            "[White \"Ann \u{202e}Lee\"]\n[Black \"Bob\"]\n[WhiteElo \"2100\"]\n[BlackElo \"?\"]\n[UTCDate \"2024.02.29\"]\n\
             [UTCTime \"12:00:01\"]\n[TimeControl \"300+3\"]\n[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\n1. e4 e5 1-0",
        )
        .row;
        assert_eq!((game.white.name.as_str(), game.white.rating, game.black.rating), ("Ann Lee", Some(2100), None));
        assert_eq!(game.created_at, 1_709_208_001_000);
        assert_eq!(game.control, Control::Live { limit: 300_000, increment: 3000 });
        assert_eq!((game.winner, game.reason.as_deref()), (Some(Color::White), Some("timeout")));
        assert_eq!((game.moves.as_str(), game.ply, game.rated), ("e2e4 e7e5", 2, false));
    }

    #[test]
    fn clocks_are_kept_where_all_are_told() {
        let timed = one("1. e4 {[%clk 0:03:00] book} e5 {[%eval 0.2] [%clk 0:02:58.5]} 2. Nf3 {[%clk 1:00:00]} *");
        assert_eq!(timed.row.clocks, [180_000, 178_500, 3_600_000]);
        for comment in ["[%clk 0:03:00]", "book", "[%eval 0.2]", "[%clk 0:02:58.5]", "[%clk 1:00:00]"] {
            // Lines end wherever there is a space, in comments too.
            let pgn = timed.pgn.replace('\n', " ");
            assert!(pgn.contains(comment), "{comment} is not in {pgn}");
        }
        for untold in ["1. e4 {[%clk 0:03:00]} e5 *", "1. e4 {[%clk soon]} *", "1. e4 {[%clk 0:61:00]} *", "1. e4 *"] {
            assert!(one(untold).row.clocks.is_empty(), "{untold}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_made_up() {
        let game = one("1. e4 *").row;
        assert_eq!((game.white.name.as_str(), game.winner, game.reason.as_deref()), ("?", None, Some(UNKNOWN)));
        assert_eq!((game.created_at, game.control), (2_000_000_000_000, Control::Unlimited));
        assert!(one("1. e4 *").counted.is_none(), "it has no result");
        assert_eq!(one("[Date \"1851.??.??\"]\n\n1. e4 1/2-1/2").row.created_at, -3_755_289_600_000);
        assert_eq!(one("[Date \"9999.99.99\"]\n\n1. e4 1-0").row.created_at, 2_000_000_000_000);
    }

    #[test]
    fn the_rules_know_better_than_the_record() {
        let game = one("1. f3 e5 2. g4 Qh4# 1-0").row;
        assert_eq!((game.winner, game.reason.as_deref()), (Some(Color::Black), Some("checkmate")));
    }

    #[test]
    fn comments_and_variations_are_kept() {
        let pgn = one("1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 1/2-1/2").pgn;
        for part in ["best by test", "( 1... c5", "Nf3"] {
            assert!(pgn.contains(part.trim_start_matches("( ")), "{part} is not in {pgn}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_place() {
        for (pgn, parts) in [
            ("1. e4 e5 1-0\n\n1. d4 d5 2. Qh9 *", vec!["line 3", "game 2", "move 2.", "Qh9"]),
            ("[Variant \"Halma\"]\n\n1. e4 *", vec!["line 1", "Halma"]),
            ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", vec!["line 1", "game 1"]),
            ("", vec!["no game"]),
            ("1. e4 {", vec!["comment"]),
            ("1. e4\n{\0} *", vec!["line 2"]),
        ] {
            let error = read(pgn, 0).unwrap_err();
            assert_eq!((error.code, error.field.as_deref()), ("bad-pgn", Some("pgn")));
            for part in parts {
                assert!(error.message.contains(part), "{part} is not in {}", error.message);
            }
        }
        let many = "1. e4 1-0\n\n".repeat(GAMES + 1);
        assert!(read(&many, 0).unwrap_err().message.contains("more than 100 games"));
        let long = "1. Nf3 Nf6 2. Ng1 Ng8 ".to_owned() + &"Nf3 Nf6 Ng1 Ng8 ".repeat(300) + "*";
        assert!(read(&long, 0).is_err());
    }
}
