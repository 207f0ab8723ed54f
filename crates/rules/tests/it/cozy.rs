//! Chess against cozy-chess and against published numbers: the machinery that the other games stand on.

use warpchess_rules::perft::{perft, perft_no_bulk};
use warpchess_rules::variants::Chess;
use warpchess_rules::{EndReason, Move, MoveKind, Position, Square};

/// The six positions of <https://www.chessprogramming.org/Perft_Results> and their leaf nodes from depth 1.
const PUBLISHED: [(&str, &[u64]); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324]),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292, 706_045_033],
    ),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487, 89_941_194]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
];

#[test]
fn published_counts_are_reached() {
    let limit = if cfg!(debug_assertions) { 5_000_000 } else { 200_000_000 };
    for (fen, counts) in PUBLISHED {
        let position = Chess::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        for (depth, &count) in (1..).zip(counts).filter(|c| *c.1 <= limit) {
            assert_eq!(perft(&position, depth), count, "depth {depth} of {fen}");
            if count < 1_000_000 {
                assert_eq!(perft_no_bulk(&position, depth), count, "every leaf played, depth {depth} of {fen}");
            }
        }
    }
}

/// A move as cozy-chess writes it: the king takes its own rook to castle.
fn cozy_text(m: Move) -> String {
    match m.kind() {
        MoveKind::Castle => {
            let rook = Square::at(if m.to().file() == 6 { 7 } else { 0 }, m.to().rank() as i8).expect("a corner");
            format!("{}{rook}", m.from())
        }
        _ => m.to_string(),
    }
}

/// Plays random games in both programs; gives the number of positions compared and of games that ended in mate.
fn compare(fen: &str, games: usize, plies: usize, seed: u64) -> (usize, usize) {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let (mut compared, mut mates) = (0, 0);
    for _ in 0..games {
        let mut ours = Chess::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        let mut theirs: cozy_chess::Board = fen.parse().expect("a FEN");
        for _ in 0..plies {
            let moves = ours.legal_moves();
            let mut texts: Vec<_> = moves.iter().map(|&m| cozy_text(m)).collect();
            texts.sort();
            let mut expected = Vec::new();
            theirs.generate_moves(|set| {
                expected.extend(set.into_iter().map(|m| m.to_string()));
                false
            });
            expected.sort();
            assert_eq!(texts, expected, "{}", ours.fen());
            assert_eq!(ours.in_check(), !theirs.checkers().is_empty(), "{}", ours.fen());
            assert_eq!(ours.count_legal(), moves.len() as u64, "{}", ours.fen());
            compared += 1;
            if moves.is_empty() {
                let mate = ours.outcome_without_moves().reason == EndReason::Checkmate;
                assert_eq!(mate, !theirs.checkers().is_empty(), "{}", ours.fen());
                mates += usize::from(mate);
                break;
            }
            let m = moves[below(moves.len())];
            ours.play_unchecked(m, &mut ());
            theirs.play(cozy_text(m).parse().expect("a move"));
        }
    }
    (compared, mates)
}

#[test]
fn random_games_agree_with_cozy_chess() {
    let (mut compared, mut mates) = (0, 0);
    for (i, (fen, _)) in PUBLISHED.into_iter().enumerate() {
        let (positions, ends) = compare(fen, 40, 160, i as u64);
        compared += positions;
        mates += ends;
    }
    assert!(compared >= 20_000 && mates > 10, "{compared} positions, {mates} mates");
}
