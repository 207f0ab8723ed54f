//! Every line of the agreed vectors.

use std::fs;
use std::path::PathBuf;

use warpchess_oracle::State;

/// Deep counts above this are left to faster generators.
#[cfg(not(debug_assertions))]
const DEEP_LIMIT: u64 = 3_000_000;

/// The lines of a file of vectors, split at tabs, with their numbers.
fn lines(variant: &str, kind: &str) -> Vec<(usize, Vec<String>)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(format!("{variant}.{kind}.tsv"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines: Vec<_> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(index, line)| (index + 1, line.split('\t').map(str::to_owned).collect()))
        .collect();
    assert!(lines.len() > 90, "{}: only {} lines", path.display(), lines.len());
    lines
}

fn parse(variant: &str, line: usize, fen: &str) -> State {
    let state = State::parse(variant, fen).unwrap_or_else(|error| panic!("{variant} line {line}: {fen}: {error}"));
    assert_eq!(state.fen(), fen, "{variant} line {line}: the FEN is written differently");
    state
}

fn check_moves(variant: &str) {
    for (line, fields) in lines(variant, "moves") {
        let [fen, status, moves] = &fields[..] else {
            panic!("{variant}.moves line {line}: {} fields", fields.len());
        };
        let state = parse(variant, line, fen);
        assert_eq!(state.legal().join(" "), *moves, "{variant}.moves line {line}: {fen}");
        assert_eq!(state.status(), *status, "{variant}.moves line {line}: {fen}");
    }
}

fn check_games(variant: &str) {
    let mut game: Option<(String, State)> = None;
    for (line, fields) in lines(variant, "games") {
        let [number, uci, result] = &fields[..] else {
            panic!("{variant}.games line {line}: {} fields", fields.len());
        };
        let (_, state) =
            game.take().filter(|(open, _)| open == number).unwrap_or_else(|| (number.clone(), start(variant)));
        if uci == "status" {
            assert_eq!(state.status(), *result, "{variant}.games line {line}: {}", state.fen());
            continue;
        }
        let next = state.apply(uci).unwrap_or_else(|error| panic!("{variant}.games line {line}: {error}"));
        assert_eq!(next.fen(), *result, "{variant}.games line {line}: {}", state.fen());
        // What a state knows is in its FEN.
        assert_eq!(parse(variant, line, result), next, "{variant}.games line {line}");
        game = Some((number.clone(), next));
    }
    assert!(game.is_none(), "{variant}.games: the last game has no status");
}

/// The first position of the counts is the one from which the games begin.
fn start(variant: &str) -> State {
    let (line, fields) = lines(variant, "perft").swap_remove(0);
    parse(variant, line, &fields[0])
}

fn check_perft(variant: &str, kind: &str, limit: u64) {
    for (line, fields) in lines(variant, kind) {
        let [fen, depth, nodes] = &fields[..] else {
            panic!("{variant}.{kind} line {line}: {} fields", fields.len());
        };
        let depth: u32 = depth.parse().expect("a depth");
        let nodes: u64 = nodes.parse().expect("a number of nodes");
        if nodes < limit {
            let counted = parse(variant, line, fen).perft(depth);
            assert_eq!(counted, nodes, "{variant}.{kind} line {line}: {fen} depth {depth}");
        }
    }
}

macro_rules! vectors {
    ($($variant:ident)*) => {
        const TESTED: [&str; 7] = [$(stringify!($variant)),*];

        $(
        mod $variant {
            const VARIANT: &str = stringify!($variant);

            #[test]
            fn moves() {
                super::check_moves(VARIANT);
            }

            #[test]
            fn games() {
                super::check_games(VARIANT);
            }

            #[test]
            fn perft() {
                super::check_perft(VARIANT, "perft", u64::MAX);
            }

            #[cfg(not(debug_assertions))]
            #[test]
            fn perft_deep() {
                super::check_perft(VARIANT, "perft-deep", super::DEEP_LIMIT);
            }
        }
    )*
    };
}

vectors! { chess teleport pocketmutation porthole portalduel twinportal splitportal }

#[test]
fn no_variant_is_forgotten() {
    assert_eq!(warpchess_oracle::VARIANTS, TESTED);
}
