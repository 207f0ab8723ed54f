//! What must hold for any bytes whatever, one function a kind of text. Fuzzers call these; a panic is a finding.
//!
//! Not part of the library's interface.

use super::{pgn, san, uci};
use crate::position::AnyPosition;
use crate::variants::VariantId;

/// A FEN that is read is written as one that means the same, and its position can be played.
pub fn fen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for variant in VariantId::all() {
        match variant.from_fen(text) {
            Ok(position) => {
                let written = position.fen();
                let again = variant.from_fen(&written).map(|p| p.fen());
                assert_eq!(again.as_deref(), Ok(&*written), "{variant}: '{text}'");
                for m in position.legal_moves() {
                    let mut after = position.clone();
                    after.play(m);
                    assert!(
                        variant.from_fen(&after.fen()).is_ok(),
                        "{variant}: {m} in {written} gives {}",
                        after.fen()
                    );
                }
            }
            Err(error) => assert!(error.to_string().len() < 1000, "{variant}: {error}"),
        }
    }
}

/// A UCI text that is read is the one that is written. The first line of the data chooses the position.
pub fn uci(data: &[u8]) {
    let Some((position, text)) = position_and_text(data) else { return };
    match uci::parse(&*position, text) {
        Ok(m) => assert_eq!(m.to_string(), text, "{}", position.fen()),
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    }
}

/// A move that is read is written as a text that means the same move. The first line of the data chooses the position.
pub fn san(data: &[u8]) {
    let Some((position, text)) = position_and_text(data) else { return };
    match san::parse(&*position, text) {
        Ok(m) => assert_eq!(san::parse(&*position, &san::write(&*position, m)), Ok(m), "{}", position.fen()),
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    }
}

/// Every game that is read is written as a text that means the same game.
pub fn pgn(data: &[u8]) {
    let limits = pgn::Limits { depth: 16, moves: 2000, text: 1 << 16 };
    for record in pgn::Reader::with_limits(data, limits) {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                assert!(error.to_string().len() < 2000, "{error}");
                continue;
            }
        };
        let written = pgn::write(&record).expect("what was read is legal");
        // The seven tags that are always written take their own part of the bound.
        let limits = pgn::Limits { text: 2 * limits.text, ..limits };
        let mut again = pgn::Reader::with_limits(written.as_bytes(), limits);
        let second = again.next().expect("one game").unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(second.line, record.line, "{written}");
        assert_eq!(second.start.fen(), record.start.fen(), "{written}");
        assert_eq!((second.variant, second.score), (record.variant, record.score), "{written}");
        assert!(again.next().is_none(), "{written}");
    }
}

/// The first line's bytes choose a game and moves from its start; the rest is the text.
fn position_and_text(data: &[u8]) -> Option<(Box<dyn AnyPosition>, &str)> {
    let end = data.iter().position(|&byte| byte == b'\n')?;
    let text = std::str::from_utf8(&data[end + 1..]).ok()?;
    let (&first, choices) = data[..end].split_first()?;
    let games = VariantId::all();
    let index = usize::from(first) % games.len();
    let mut position = games.clone().nth(index)?.start();
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(choice) % moves.len()]);
    }
    Some((position, text))
}
