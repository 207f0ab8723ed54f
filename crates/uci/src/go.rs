//! The words of `go`.

use std::time::Duration;

use warpchess_engine::{GameClock, Limits};
use warpchess_rules::notation::fen::excerpt;
use warpchess_rules::{AnyPosition, Color};

/// Longer times than this make no difference, and can be reckoned with.
const MAX_MILLIS: i64 = 1000 * 60 * 60 * 24 * 365;

/// What `go` was told.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Go<'a> {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<Duration>,
    /// White's and Black's time left and increment.
    time: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
    mate: Option<u32>,
    infinite: bool,
    pub(crate) ponder: bool,
    search_moves: Vec<&'a str>,
    /// What could not be understood.
    pub(crate) errors: Vec<String>,
}

/// Words after which something else than a move follows.
const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl<'a> Go<'a> {
    /// Reads the words after `go`. Nothing is refused as a whole: a board waits for a move.
    pub(crate) fn parse(words: impl Iterator<Item = &'a str>) -> Self {
        let mut go = Self::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(m) = words.next_if(|word| !WORDS.contains(word)) {
                        go.search_moves.push(m);
                    }
                }
                _ if WORDS.contains(&word) => {
                    // What is no number may be the next word.
                    let value = words.next_if(|value| !WORDS.contains(value));
                    match value.and_then(number) {
                        Some(number) => go.number(word, number),
                        None => go.errors.push(format!(
                            "go {word}: '{}' is not a whole number",
                            excerpt(value.unwrap_or("nothing"))
                        )),
                    }
                }
                unknown => go.errors.push(format!("go: unknown word '{}'", excerpt(unknown))),
            }
        }
        go
    }

    fn number(&mut self, word: &str, number: i64) {
        // Clocks may be past their end, and no moves to go are said by some to mean none are counted.
        let least = match word {
            "depth" | "nodes" | "mate" => 1,
            "movetime" => 0,
            _ => i64::MIN,
        };
        if number < least {
            self.errors.push(format!("go {word}: {number} is less than {least}, taken as {least}"));
        }
        let number = number.max(least);
        let time = Duration::from_millis(number.clamp(0, MAX_MILLIS) as u64);
        let count = number.clamp(0, i64::from(u32::MAX)) as u32;
        match word {
            "wtime" => self.time[0] = Some(time),
            "btime" => self.time[1] = Some(time),
            "winc" => self.increment[0] = time,
            "binc" => self.increment[1] = time,
            "movestogo" => self.moves_to_go = Some(count).filter(|&n| n > 0),
            "depth" => self.depth = Some(count),
            "nodes" => self.nodes = Some(number as u64),
            "mate" => self.mate = Some(count),
            "movetime" => self.movetime = Some(time),
            _ => {}
        }
    }

    /// The limits for the side to move, on top of those from options. Moves that are not legal are told of.
    pub(crate) fn limits(&self, position: &dyn AnyPosition, options: Limits, mut told: impl FnMut(String)) -> Limits {
        let side = usize::from(position.turn() == Color::Black);
        let clock = self.time[side].map(|remaining| GameClock {
            remaining,
            increment: self.increment[side],
            moves_to_go: self.moves_to_go,
        });
        let mut search_moves = Vec::new();
        for text in &self.search_moves {
            match warpchess_rules::notation::uci::parse(position, text) {
                Ok(m) => search_moves.push(m),
                Err(error) => told(format!("go searchmoves: {error}")),
            }
        }
        let bounded = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || clock.is_some();
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime,
            clock,
            mate: self.mate,
            infinite: self.infinite || !bounded && !self.ponder,
            search_moves,
            ..options
        }
    }
}

/// A whole number; one that is too large is as good as the largest.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::VariantId;

    fn go(text: &str) -> (Limits, Vec<String>) {
        let go = Go::parse(text.split_whitespace());
        let mut errors = go.errors.clone();
        let position = VariantId::all().next().expect("a game").start();
        (go.limits(&*position, Limits::default(), |e| errors.push(e)), errors)
    }

    #[test]
    fn each_word_is_a_limit() {
        let millis = Duration::from_millis;
        let (limits, errors) = go("wtime 1000 btime 2000 winc 10 binc 20 movestogo 5");
        let clock = GameClock { remaining: millis(1000), increment: millis(10), moves_to_go: Some(5) };
        assert_eq!((limits.clock, limits.infinite, errors.len()), (Some(clock), false, 0));
        let (limits, _) = go("depth 7 nodes 800 movetime 30 mate 2");
        assert_eq!(
            (limits.depth, limits.nodes, limits.movetime, limits.mate),
            (Some(7), Some(800), Some(millis(30)), Some(2))
        );
        assert!(go("infinite").0.infinite && go("").0.infinite && !go("ponder").0.infinite);
    }

    #[test]
    fn moves_to_search_end_at_the_next_word() {
        let (limits, errors) = go("searchmoves e2e4 d2d4 depth 3");
        assert_eq!(limits.search_moves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["e2e4", "d2d4"]);
        assert_eq!((limits.depth, errors.len()), (Some(3), 0));
        let (limits, errors) = go("depth 3 searchmoves e2e5 a2a3");
        assert_eq!(limits.search_moves.len(), 1);
        assert!(errors[0].starts_with("go searchmoves: 'e2e5' is not a legal move"), "{errors:?}");
    }

    #[test]
    fn senseless_numbers_do_no_harm() {
        let (limits, errors) = go("wtime -40 winc 99999999999999999999 depth 0 nodes -3 movestogo 0");
        let clock = limits.clock.expect("a clock");
        assert_eq!((clock.remaining, clock.moves_to_go), (Duration::ZERO, None));
        assert_eq!((limits.depth, limits.nodes), (Some(1), Some(1)));
        assert_eq!(errors, ["go depth: 0 is less than 1, taken as 1", "go nodes: -3 is less than 1, taken as 1"]);
        let (limits, errors) = go("mate -1 movetime -5");
        assert_eq!((limits.mate, limits.movetime, errors.len()), (Some(1), Some(Duration::ZERO), 2));
        let (limits, errors) = go("depth movetime x nodes 10 perft 3");
        assert_eq!(limits.nodes, Some(10));
        assert_eq!(
            errors,
            [
                "go depth: 'nothing' is not a whole number",
                "go movetime: 'x' is not a whole number",
                "go: unknown word 'perft'",
                "go: unknown word '3'"
            ]
        );
    }
}
