//! Every line of `vectors/`: counts, move lists and games on which independent programs agree.

use std::path::PathBuf;
use warpchess_rules::{AnyPosition, VariantId};

fn lines(variant: VariantId, kind: &str) -> Vec<(usize, Vec<String>)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(format!("{variant}.{kind}.tsv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows: Vec<_> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#') && !line.is_empty())
        .map(|(i, line)| (i + 1, line.split('\t').map(str::to_owned).collect()))
        .collect();
    assert!(rows.len() > 90, "{}: only {} lines", path.display(), rows.len());
    rows
}

fn read(variant: VariantId, fen: &str, line: usize) -> Box<dyn AnyPosition> {
    let position = variant.from_fen(fen).unwrap_or_else(|e| panic!("{variant}:{line}: {fen}: {e}"));
    assert_eq!(position.fen(), fen, "{variant}:{line}: FEN round trip");
    position
}

fn status(position: &dyn AnyPosition) -> String {
    position.outcome().map_or_else(|| "ongoing".into(), |outcome| outcome.status())
}

#[test]
fn move_lists_and_statuses_agree() {
    for variant in VariantId::all() {
        for (line, row) in lines(variant, "moves") {
            let position = read(variant, &row[0], line);
            let mut moves: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
            moves.sort();
            let expected = row.get(2).map_or("", String::as_str);
            assert_eq!(moves.join(" "), expected, "{variant}:{line}: {}", row[0]);
            assert_eq!(status(&*position), row[1], "{variant}:{line}: {}", row[0]);
        }
    }
}

#[test]
fn games_replay() {
    for variant in VariantId::all() {
        let mut position = variant.start();
        let mut ply = 0;
        for (line, row) in lines(variant, "games") {
            if row[1] == "status" {
                assert_eq!(status(&*position), row[2], "{variant}:{line}");
                position = variant.start();
                ply = 0;
                continue;
            }
            let m = warpchess_rules::notation::uci::parse(&*position, &row[1])
                .unwrap_or_else(|e| panic!("{variant}:{line}: ply {ply}: {e}"));
            position.play(m);
            ply += 1;
            assert_eq!(position.fen(), row[2], "{variant}:{line}");
        }
    }
}

fn counts(kind: &str) {
    for variant in VariantId::all() {
        for (line, row) in lines(variant, kind) {
            let position = read(variant, &row[0], line);
            let depth = row[1].parse().expect("depth");
            assert_eq!(position.perft(depth).to_string(), row[2], "{variant}:{line}: depth {depth} of {}", row[0]);
        }
    }
}

#[test]
fn perft_agrees() {
    counts("perft");
}

/// Some 100 million nodes: release builds only.
#[cfg(not(debug_assertions))]
#[test]
fn deep_perft_agrees() {
    counts("perft-deep");
}
