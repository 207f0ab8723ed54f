//! Moves as people write them: every legal move of every position of `vectors/`, and the forms one by one.

use std::collections::HashMap;
use std::path::PathBuf;
use warpchess_rules::notation::{san, san::SanError};
use warpchess_rules::{AnyPosition, VariantId};

/// All different positions of a game's vectors.
fn positions(variant: VariantId) -> Vec<Box<dyn AnyPosition>> {
    let mut fens = Vec::new();
    for (kind, column) in [("moves", 0), ("games", 2)] {
        let path =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(format!("{variant}.{kind}.tsv"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        fens.extend(
            text.lines()
                .filter(|line| !line.starts_with('#'))
                .filter_map(|line| line.split('\t').nth(column))
                .filter(|fen| fen.contains('/'))
                .map(str::to_owned),
        );
    }
    fens.sort();
    fens.dedup();
    assert!(fens.len() > 300, "{variant}: only {} positions", fens.len());
    fens.iter().map(|fen| variant.from_fen(fen).unwrap_or_else(|e| panic!("{variant}: {fen}: {e}"))).collect()
}

fn position(variant: &str, fen: &str) -> Box<dyn AnyPosition> {
    let variant: VariantId = variant.parse().expect("a game");
    variant.from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[track_caller]
fn reads(position: &dyn AnyPosition, text: &str) -> String {
    san::parse(position, text).unwrap_or_else(|e| panic!("{e}")).to_string()
}

#[track_caller]
fn writes(position: &dyn AnyPosition, uci: &str) -> String {
    let m = warpchess_rules::notation::uci::parse(position, uci).unwrap_or_else(|e| panic!("{e}"));
    san::write(position, m)
}

#[test]
fn every_move_has_a_text_of_its_own_and_is_read_back() {
    for variant in VariantId::all() {
        for position in positions(variant) {
            let position = &*position;
            let mut seen = HashMap::new();
            for (m, text) in san::write_all(position) {
                let at = || format!("{variant}: {m} ({text}) in {}", position.fen());
                assert_eq!(text, san::write(position, m), "{}", at());
                if let Some(other) = seen.insert(text.clone(), m) {
                    panic!("{} is also {other}", at());
                }
                let bare = text.trim_end_matches(['+', '#']);
                for text in [&text, bare, &format!("{bare}!?"), &bare.replace('→', "->"), &bare.replace('=', "")] {
                    assert_eq!(san::parse(position, text), Ok(m), "'{text}' for {}", at());
                }
                assert_eq!(san::parse(position, &m.to_string()), Ok(m), "UCI of {}", at());
            }
        }
    }
}

#[test]
fn text_without_crosses_is_never_another_move() {
    for variant in VariantId::all() {
        for position in positions(variant) {
            for (m, text) in san::write_all(&*position).into_iter().filter(|(_, text)| text.contains('x')) {
                match san::parse(&*position, &text.replace('x', "")) {
                    Ok(read) => assert_eq!(read, m, "{variant}: {text} in {}", position.fen()),
                    Err(SanError::Ambiguous { candidates, .. }) => assert!(candidates.contains(&text)),
                    Err(error) => panic!("{variant}: {text}: {error}"),
                }
            }
        }
    }
}

#[test]
fn marks_tell_check_and_mate() {
    for variant in VariantId::all() {
        for position in positions(variant) {
            for (m, text) in san::write_all(&*position) {
                let mut after = position.clone();
                after.play(m);
                let won = after.outcome().is_some_and(|o| o.winner.is_some());
                assert_eq!(text.ends_with('#'), won, "{variant}: {text} in {}", position.fen());
                assert_eq!(text.ends_with('+'), !won && after.in_check(), "{variant}: {text} in {}", position.fen());
            }
        }
    }
}

#[test]
fn origin_is_told_as_far_as_needed() {
    // Knights on b1, f1, b5: file tells f, rank tells b5 and b1 only together with the file.
    let p = position("chess", "4k3/8/8/1N6/8/8/8/1N2KN2 w - - 0 1");
    assert_eq!(writes(&*p, "f1d2"), "Nfd2");
    assert_eq!(writes(&*p, "b1d2"), "Nbd2");
    assert_eq!(writes(&*p, "b1c3"), "N1c3");
    assert_eq!(writes(&*p, "b5c3"), "N5c3");
    assert_eq!(writes(&*p, "b5d4"), "Nd4");
    // Three queens aim at e1: neither its file nor its rank tells the one on h4.
    let p = position("chess", "8/8/k7/8/4Q2Q/8/6K1/7Q w - - 0 1");
    assert_eq!(writes(&*p, "h4e1"), "Qh4e1");
    assert_eq!(reads(&*p, "Qh4e1"), "h4e1");
    assert_eq!(writes(&*p, "e4e1"), "Qee1");
    assert_eq!(writes(&*p, "h1e1"), "Q1e1");
}

#[test]
fn pinned_rival_needs_no_telling_apart() {
    let p = position("chess", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1");
    assert_eq!(writes(&*p, "g1e2"), "Ne2");
}

#[test]
fn castling_promotion_and_en_passant() {
    let p = position("chess", "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    for (uci, text) in [("e1g1", "O-O"), ("e1c1", "O-O-O"), ("e5d6", "exd6"), ("b7a8n", "bxa8=N"), ("b7b8q", "b8=Q+")] {
        assert_eq!(writes(&*p, uci), text);
    }
    for (text, uci) in [
        ("0-0", "e1g1"),
        ("o-o-o", "e1c1"),
        ("O–O", "e1g1"),
        ("OO", "e1g1"),
        ("exd6e.p.", "e5d6"),
        ("ed6", "e5d6"),
        ("e5:d6", "e5d6"),
        ("b8Q", "b7b8q"),
        ("b8(N)", "b7b8n"),
        ("b8/R", "b7b8r"),
        ("b8=q", "b7b8q"),
        ("b7xa8=B!!", "b7a8b"),
        ("Pe6", "e5e6"),
        ("Kd2", "e1d2"),
        ("Ke1-d2", "e1d2"),
        ("Rxh8+", "h1h8"),
        ("Rh8", "h1h8"),
        ("e5-e6", "e5e6"),
        (" e6 ", "e5e6"),
    ] {
        assert_eq!(reads(&*p, text), uci, "{text}");
    }
}

#[test]
fn errors_tell_unknown_illegal_and_ambiguous_apart() {
    let p = position("chess", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1");
    assert!(matches!(san::parse(&*p, "hello"), Err(SanError::Unknown { .. })));
    assert!(matches!(san::parse(&*p, "Nh9"), Err(SanError::Unknown { .. })));
    assert!(matches!(san::parse(&*p, ""), Err(SanError::Unknown { .. })));
    assert!(matches!(san::parse(&*p, "e4 e5"), Err(SanError::Unknown { .. })));
    assert!(matches!(san::parse(&*p, "Qd4"), Err(SanError::Illegal { .. })));
    assert!(matches!(san::parse(&*p, "O-O"), Err(SanError::Illegal { .. })));
    assert!(matches!(san::parse(&*p, "--"), Err(SanError::Illegal { .. })));
    let Err(SanError::Ambiguous { candidates, .. }) = san::parse(&*p, "Nd2") else { panic!("Nd2 is ambiguous") };
    assert_eq!(candidates.len(), 2);
    assert!(candidates.contains(&"Nbd2".to_owned()) && candidates.contains(&"Nfd2".to_owned()));
    let endless = "N".repeat(10_000_000);
    let Err(SanError::Unknown { text }) = san::parse(&*p, &endless) else { panic!("no move") };
    assert!(text.chars().count() < 50);
}

#[test]
fn pawn_capture_needs_its_file() {
    let p = position("chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    assert_eq!(reads(&*p, "exd5"), "e4d5");
    assert!(matches!(san::parse(&*p, "d5"), Err(SanError::Illegal { .. })));
    assert!(matches!(san::parse(&*p, "xd5"), Err(SanError::Illegal { .. })));
}
