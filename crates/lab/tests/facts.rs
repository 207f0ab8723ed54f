//! What is seen in games that were made by hand.

use std::collections::BTreeMap;

use warpchess_arena::Control;
use warpchess_lab::{Effort, Facts, Recorded, Report, Study, measure};
use warpchess_rules::{Color, Game, VariantId};

/// The facts of a game given as moves, and as scores, White's view, before each; all nought where too few are given.
#[track_caller]
fn facts(variant: &str, fen: Option<&str>, moves: &str, scores: &[i32]) -> Facts {
    let variant: VariantId = variant.parse().expect("a game");
    let mut game = match fen {
        None => Game::new(variant),
        Some(fen) => Game::from_fen(variant, fen).expect("a position"),
    };
    for text in moves.split_whitespace() {
        game.play_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    let outcome = game.outcome();
    let mut scores = scores.to_vec();
    scores.resize(game.len(), 0);
    let recorded = Recorded {
        number: 0,
        fen: fen.map(str::to_owned),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        scores,
        ending: outcome.map_or("tooLong", |outcome| outcome.reason.name()).into(),
        winner: outcome.and_then(|outcome| outcome.winner).map(Into::into),
        pgn_bytes: None,
    };
    measure(&game, &recorded).expect("a game and its record")
}

fn report(variant: &str, facts: &[Facts]) -> Report {
    let effort = Effort::Limit(Control::Nodes(1));
    Report::new(&Study::new(variant.parse().expect("a game"), facts.len() as u64, effort), facts)
}

/// How often each feature was seen, those never seen left out.
fn uses(variant: &str, facts: &[Facts]) -> BTreeMap<&'static str, u64> {
    report(variant, facts).uses.iter().filter(|one| one.turns > 0).map(|one| (one.name, one.turns)).collect()
}

#[track_caller]
fn counted(variant: &str, fen: Option<&str>, moves: &str, expected: &[(&'static str, u64)]) {
    let facts = facts(variant, fen, moves, &[]);
    assert_eq!(uses(variant, &[facts]), expected.iter().copied().collect(), "{variant}: {moves}");
}

#[test]
fn castling_en_passant_and_promotion_are_counted() {
    let moves = "e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 g1f3 a5a4 f1e2 a4a3 e1g1 a3b2 h2h3 b2a1q";
    counted("chess", None, moves, &[("castle", 1), ("enPassant", 1), ("promotion", 1)]);
    let report = report("chess", &[facts("chess", None, moves, &[])]);
    let of = |name| report.uses.iter().find(|one| one.name == name).expect("a feature");
    assert_eq!((of("promotion").captures, of("enPassant").captures, of("castle").captures), (1, 1, 0));
    assert_eq!((of("castle").first, of("promotion").first), (Some(6.0), Some(7.0)));
    assert_eq!(report.becomes, [('Q', 1)].into());
    assert!(report.uses.iter().all(|one| !one.special));
}

#[test]
fn exchanges_of_squares_are_counted_and_so_are_promotions_by_them() {
    counted("teleport", None, "a1b1 h8g8 e2e4", &[("swap", 2)]);
    let fen = "R7/P6k/8/8/8/8/8/K7 w - - 0 1";
    counted("teleport", Some(fen), "a8a7q", &[("swap", 1), ("swapPromotion", 1)]);
}

#[test]
fn the_pocket_is_counted_both_ways_and_mutations_only_when_the_piece_changes() {
    let moves = "b1c3 a8^D a1^R D@d4 R@e4";
    counted("pocketmutation", None, moves, &[("pocket", 2), ("mutation", 1), ("drop", 2)]);
    // What is dropped has become what it is before.
    assert_eq!(report("pocketmutation", &[facts("pocketmutation", None, moves, &[])]).becomes, [('D', 1)].into());
}

#[test]
fn portals_entered_are_counted_with_what_they_took() {
    let game = facts("porthole", None, "e2e3 a7a6 f1c4b5 a6b5g5", &[]);
    let report = report("porthole", &[game]);
    let enter = report.uses.iter().find(|one| one.name == "enter").expect("a feature");
    assert_eq!((enter.turns, enter.captures, enter.special), (2, 1, true));
}

#[test]
fn portals_placed_moved_and_used_are_counted() {
    counted("portalduel", None, "O@a4 O@h5 a2h5 e7e6", &[("place", 2), ("travel", 1)]);
    counted("portalduel", None, "O@a4 O@h5 e2e3 Oh5g6 e3e4 Og6g7", &[("place", 2), ("shift", 2), ("carry", 1)]);
    counted("portalduel", None, "O@e4 O@e5 Oe4e5", &[("place", 2), ("shift", 1), ("blackHole", 1)]);
}

#[test]
fn declared_teleports_and_passes_are_counted() {
    let two = "a2a4 g8f6 g1f3 g8f6 a4a4 f6g8 0000 f6g8";
    counted("twinportal", None, two, &[("declare", 1), ("transfer", 1)]);
    let blocked = "a2a4 g8f6 a2a4 g8f6 a4a4 f6g8 0000 f6g8";
    counted("twinportal", None, blocked, &[("declare", 1), ("pass", 1)]);
    counted("splitportal", None, "a2a4 e7e6 e2e3 a7a6 a4a4 e6e5 0000", &[("declare", 1), ("transfer", 1)]);
}

#[test]
fn a_game_is_told_with_its_length_choices_and_moves() {
    let game = facts("chess", None, "f2f3 e7e5 g2g4 d8h4", &[0, -30, -40, -10_000]);
    assert_eq!((game.winner, game.ending.as_str()), (Some(Color::Black), "checkmate"));
    assert_eq!(game.text, "1. f3 e5 2. g4 Qh4#");
    assert_eq!(game.turns.iter().map(|turn| turn.choices).collect::<Vec<_>>(), [20, 20, 19, 30]);
    assert_eq!(game.turns.iter().map(|turn| turn.number).collect::<Vec<_>>(), [1, 1, 2, 2]);
    assert!(game.turns[3].checks && !game.turns[2].checks);
    let report = report("chess", std::slice::from_ref(&game));
    assert_eq!((report.plies.median, report.choices.turns.most), (4.0, 30.0));
    let shortest = &report.shortest[0];
    assert_eq!((shortest.plies, shortest.winner, shortest.decided), (4, "black", Some(4)));
    let ending = &report.endings[0];
    assert_eq!((ending.reason.as_str(), ending.white, ending.drawn, ending.black), ("checkmate", 0, 0, 1));
    assert_eq!((report.lengths.len(), report.lengths[0].black), (1, 1));
    assert_eq!(report.first_moves[0].san, "f3");
}

#[test]
fn the_lead_changes_when_the_other_side_is_a_pawn_ahead() {
    let moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6";
    let changes = |scores: &[i32]| facts("chess", None, moves, scores).lead_changes();
    assert_eq!(changes(&[120, 90, -90, -99, 99, 100]), 0);
    assert_eq!(changes(&[120, 0, -100, -150, 100, 0]), 2);
    assert_eq!(changes(&[-100, 400, 500, 300, 200, 200]), 1);
}

const MATE: &str = "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7";

#[test]
fn the_blow_is_the_winners_turn_from_which_he_was_ahead_for_good() {
    let game = |scores: &[i32]| facts("chess", None, MATE, scores);
    // He sees the mate at his last turn only.
    assert_eq!(game(&[0, 0, 0, 0, 0, 0, 10_000]).blow(), Some(6));
    // The loser sees before his last turn that he is lost: it was the turn before.
    assert_eq!(game(&[0, 0, 0, 0, 0, 250, 10_000]).blow(), Some(4));
    // Not for good at first.
    assert_eq!(game(&[250, 250, 0, 0, 0, 250, 10_000]).blow(), Some(4));
    // From the beginning.
    assert_eq!(game(&[300; 7]).blow(), Some(0));
    assert_eq!(game(&[0; 7]).blow(), Some(6));
    assert!(game(&[0, 0, -100, 0, 0, 0, 10_000]).comeback());
    assert!(!game(&[0, 0, -99, 0, 0, 0, 10_000]).comeback());
}

#[test]
fn what_is_special_decides_when_it_is_in_the_winners_last_turns() {
    // The same mate, with an exchange of squares before it or without.
    let plain = facts("teleport", None, MATE, &[0, 0, 0, 0, 0, 0, 10_000]);
    let swapped =
        facts("teleport", None, "e2e4 e7e5 d1h5 b8c6 a1b1 a7a6 f1c4 g8f6 h5f7", &[0, 0, 0, 0, 0, 0, 0, 300, 10_000]);
    assert_eq!((swapped.winner, swapped.special_finish(), plain.special_finish()), (Some(Color::White), true, false));
    // The bishop's move won, not the exchange.
    assert!(!swapped.special_blow());
    let decides = report("teleport", &[plain, swapped]).decides;
    assert_eq!(decides.finish.map(|share| share.value), Some(0.5));
    // One of the second game's three windows of three turns is without it, and none of two of the first game's is with it.
    assert!((decides.finish_chance - 0.5 * 1.0).abs() < 1e-9, "{decides:?}");
    assert!((decides.blow_chance - 0.5 * 0.2).abs() < 1e-9, "{decides:?}");
    assert_eq!(decides.blow.map(|share| share.value), Some(0.0));
}

#[test]
fn scores_and_draws_are_counted_from_whites_view() {
    let lost = facts("chess", None, "f2f3 e7e5 g2g4 d8h4", &[]);
    let won = facts("chess", None, MATE, &[]);
    let open = facts("chess", None, "e2e4", &[]);
    let report = report("chess", &[lost, won.clone(), won, open]);
    let white = report.white.expect("games");
    assert_eq!((white.wins, white.draws, white.losses, white.score.value), (2, 1, 1, 0.625));
    assert_eq!((report.games, report.distinct), (4, 3));
    assert_eq!(report.decisive.map(|share| share.value), Some(0.75));
    assert_eq!(report.shortest.iter().map(|win| win.plies).collect::<Vec<_>>(), [4, 7], "the same game once");
    let firsts: Vec<(&str, u64)> = report.first_moves.iter().map(|f| (f.san.as_str(), f.score.of)).collect();
    assert_eq!(firsts, [("e4", 3), ("f3", 1)]);
}

#[test]
fn a_record_that_does_not_belong_to_the_game_is_refused() {
    let game = Game::new("chess".parse().expect("a game"));
    let recorded = Recorded {
        number: 0,
        fen: None,
        moves: Vec::new(),
        scores: vec![3],
        ending: "tooLong".into(),
        winner: None,
        pgn_bytes: None,
    };
    assert_eq!(measure(&game, &recorded), Err("0 moves and 1 scores".into()));
}
