use super::*;
use crate::notation::uci;

const FRAGMENT: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2";

fn at(fen: &str) -> PocketMutation {
    PocketMutation::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}
fn play(fen: &str, moves: &str) -> PocketMutation {
    moves.split_whitespace().fold(at(fen), |p, text| {
        let m = uci::parse(&p, text).unwrap_or_else(|e| panic!("{e}"));
        p.after(m)
    })
}
/// The legal moves whose UCI text begins so, sorted.
fn moves(fen: &str, prefix: &str) -> Vec<String> {
    let mut texts: Vec<_> = at(fen).legal_moves().iter().map(ToString::to_string).collect();
    texts.retain(|t| t.starts_with(prefix));
    texts.sort();
    texts
}
fn field(fen: &str) -> FenField {
    PocketMutation::from_fen(fen).expect_err(fen).field
}

#[test]
fn fourriere_against_aronson_2003() {
    let moves = "h1^I d7d5 I@f4 d8^U a1^D g7g6 D@e5 g8f6 e5c7 U@g5 g1f3 g5c7";
    assert_eq!(play(FRAGMENT, moves).fen(), "rnb1kb1r/ppu1pp1p/5np1/3p4/5I2/5N2/PPPPPPPP/1NBQKB2[] w - - 0 8");
}

#[test]
fn white_may_not_pocket_on_the_first_move_and_black_may() {
    assert!(uci::parse(&PocketMutation::start(), "h1^I").is_err());
    assert!(moves(PocketMutation::INFO.start_fen, "").iter().all(|m| !m.contains('^')));
    assert_eq!(play(PocketMutation::INFO.start_fen, "e2e4 h8^I").fen().split(' ').nth(1), Some("w"));
    assert!(moves(FRAGMENT, "").contains(&"h1^I".to_owned()));
}

#[test]
fn the_first_position_is_not_the_one_four_plies_later() {
    // White may pocket in the second only, so the position has not been repeated.
    let later = play(PocketMutation::INFO.start_fen, "g1f3 g8f6 f3g1 f6g8");
    let again = play(&later.fen(), "g1f3 g8f6 f3g1 f6g8");
    assert_ne!(PocketMutation::start().hash_key(), later.hash_key());
    assert_eq!(later.hash_key(), again.hash_key());
}

#[test]
fn classes_are_sums_of_powers() {
    for (class, roles) in CLASSES.iter().enumerate() {
        assert!(roles.iter().all(|&role| class_of(role) == class), "class {class}");
    }
    for info in INFO.roles.iter().filter(|info| info.role != Role::King) {
        assert_eq!(info.class, Some(class_of(info.role) as u8), "{:?}", info.role);
    }
    let listed: usize = CLASSES.iter().map(|roles| roles.len()).sum();
    assert_eq!((listed, INFO.roles.len()), (18, 19));
    let board = at("6pk/5ppp/6p1/PNBRIDAG/QMUVFWXT/HZ6/8/4K3[] w - - 0 2").core.board().clone();
    let pieces = board.color(Color::White) & !board.kings(Color::White);
    let classes = Classes::of(&board, pieces);
    for square in pieces {
        let class = class_of(board.role_at(square).expect("a piece"));
        assert_eq!((1..=8).filter(|&c| classes.class(c).has(square)).collect::<Vec<_>>(), [class]);
    }
}

#[test]
fn pocketing_changes_within_a_class_or_not_at_all() {
    let fen = "6pk/5ppp/6p1/PNBRIDAG/QMUVFWXT/HZ6/8/4K3[] w - - 0 2";
    for (square, letters) in [
        ("a5", "P"),
        ("b5", "BN"),
        ("c5", "BN"),
        ("d5", "DIR"),
        ("e5", "DIR"),
        ("f5", "DIR"),
        ("g5", "AG"),
        ("h5", "AG"),
        ("a4", "MQUV"),
        ("d4", "MQUV"),
        ("e4", "FWX"),
        ("g4", "FWX"),
        ("h4", "HT"),
        ("a3", "HT"),
        ("b3", "Z"),
    ] {
        let expected: Vec<_> = letters.chars().map(|l| format!("{square}^{l}")).collect();
        assert_eq!(moves(fen, &format!("{square}^")), expected);
    }
    assert!(moves(fen, "e1^").is_empty(), "the king stays");
}

#[test]
fn pocketing_from_the_last_rank_raises_the_class() {
    let fen = |rank| format!("{rank}pk/5ppp/6p1/8/8/8/8/4K3[] w - - 9 30");
    let rows = [("a8", "BN"), ("b8", "DIR"), ("c8", "AG"), ("d8", "MQUV"), ("e8", "FWX"), ("f8", "HT")];
    for (rank, rows) in [("PNRGQF", &rows[..]), ("TZ4", &[("a8", "Z"), ("b8", "Z")])] {
        for (square, letters) in rows {
            let expected: Vec<_> = letters.chars().map(|l| format!("{square}^{l}")).collect();
            assert_eq!(moves(&fen(rank), &format!("{square}^")), expected);
        }
    }
    // For Black it is rank 1, and rank 8 is like any other.
    assert_eq!(moves("4k2n/8/8/8/8/8/8/n3K3[] b - - 0 2", "a1^"), ["a1^D", "a1^I", "a1^R"]);
    assert_eq!(moves("4k2n/8/8/8/8/8/8/n3K3[] b - - 0 2", "h8^"), ["h8^B", "h8^N"]);
}

#[test]
fn a_pocket_holds_one_piece() {
    assert!(moves("4k3/8/8/8/8/8/N7/4K3[N] w - - 0 2", "a2^").is_empty());
    assert_eq!(moves("4k3/8/8/8/8/8/N7/4K3[n] w - - 0 2", "a2^").len(), 2);
}

#[test]
fn drops_go_to_empty_squares_off_the_last_rank() {
    assert_eq!(moves("4k3/8/8/8/8/8/N7/4K3[P] w - - 0 2", "P@").len(), 64 - 8 - 2);
    assert!(moves("4k3/8/8/8/8/8/N7/4K3[P] w - - 0 2", "P@").contains(&"P@a1".to_owned()));
    assert_eq!(moves("4k3/8/8/8/8/8/N7/4K3[p] b - - 0 2", "P@").len(), 64 - 8 - 2);
    assert_eq!(play("4k3/8/8/8/8/8/N7/4K3[Ip] w - - 3 2", "I@h7").fen(), "4k3/7I/8/8/8/8/N7/4K3[p] b - - 4 2");
}

#[test]
fn a_pawn_on_the_last_rank_stays_a_pawn_that_can_only_be_pocketed() {
    let there = play("8/P3k3/8/8/8/8/8/4K3[] w - - 0 9", "a7a8 e7d6");
    assert_eq!(there.fen(), "P7/8/3k4/8/8/8/8/4K3[] w - - 2 10");
    assert_eq!(moves(&there.fen(), "a8"), ["a8^B", "a8^N"]);
}

#[test]
fn a_pawn_on_its_first_rank_steps_once_and_no_drop_gives_en_passant() {
    assert_eq!(moves("4k3/8/8/8/8/8/8/P3K3[] w - - 0 9", "a1"), ["a1^P", "a1a2"]);
    assert_eq!(play("4k3/8/8/8/5p2/8/8/4K3[P] w - - 0 9", "P@e4").fen().split(' ').nth(3), Some("-"));
    assert_eq!(play("4k3/8/8/8/5p2/8/4P3/4K3[] w - - 0 9", "e2e4").fen().split(' ').nth(3), Some("e3"));
    assert!(moves("4k3/8/8/8/4Pp2/8/8/4K3[] b - e3 0 9", "f4").contains(&"f4e3".to_owned()));
}

#[test]
fn pocketing_may_not_expose_the_king_nor_answer_a_check() {
    let pinned = "4k3/4r3/8/8/8/8/4N3/4K2N[] w - - 0 2";
    assert_eq!((moves(pinned, "e2^").len(), moves(pinned, "h1^").len()), (0, 2));
    assert_eq!(moves("4k3/8/8/8/8/3n4/8/4K2N[] w - - 0 2", "h1^").len(), 0);
}

#[test]
fn a_nightrider_is_blocked_where_it_touches_down_and_pins_on_its_line() {
    // From a1 by b3 and c5 to d7; a piece on c5 ends the ride, one on b2 does not.
    assert_eq!(moves("5k2/3n4/8/2P5/8/8/1P6/I6K[] w - - 0 2", "a1b"), ["a1b3"]);
    assert_eq!(moves("5k2/3n4/8/8/8/8/1P6/I6K[] w - - 0 2", "a1d"), ["a1d7"]);
    // The rook on c5 is pinned by the rider on d7 to the king on a1's line; only pieces that leap along it can move.
    assert!(moves("7k/3i4/8/2R5/8/8/8/K7[] w - - 0 2", "c5").is_empty());
    assert_eq!(moves("7k/3i4/8/2N5/8/8/8/K7[] w - - 0 2", "c5"), ["c5b3", "c5d7"]);
    assert_eq!(moves("7k/3i4/8/2I5/8/8/8/K7[] w - - 0 2", "c5"), ["c5b3", "c5d7"]);
}

#[test]
fn a_ride_is_checked_by_blocking_any_square_it_touches() {
    assert_eq!(moves("8/3i4/8/8/8/4k3/8/K7[R] w - - 0 2", "R@"), ["R@b3", "R@c5"]);
}

#[test]
fn a_drop_that_blocks_saves_from_mate() {
    let back_rank = |pocket| format!("6k1/8/8/8/8/8/5PPP/r5K1[{pocket}] w - - 0 2");
    assert_eq!(at(&back_rank("")).outcome(), Some(Outcome::win(Color::Black, EndReason::Checkmate)));
    assert_eq!(at(&back_rank("P")).outcome(), None);
    assert_eq!(moves(&back_rank("P"), ""), ["P@b1", "P@c1", "P@d1", "P@e1", "P@f1"]);
}

#[test]
fn only_captures_and_raised_classes_reset_the_clock() {
    let clock = |fen: &str, m: &str| play(fen, m).halfmove_clock();
    let fen = "P3k3/8/8/8/8/3p4/2P5/N3K3[] w - - 7 9";
    assert_eq!(clock(fen, "c2d3"), 0);
    assert_eq!(clock(fen, "c2c3"), 8);
    assert_eq!(clock(fen, "a8^N"), 0);
    assert_eq!(clock(fen, "a1^B"), 8);
    assert_eq!(clock("Z3k3/8/8/8/8/8/2P5/N3K3[] b - - 7 9", "e8d7"), 8);
    assert_eq!(clock("Z7/4k3/8/8/8/8/2P5/N3K3[] w - - 7 9", "a8^Z"), 8);
    assert_eq!(clock("8/4k3/8/8/8/8/2P5/N3K3[Q] w - - 7 9", "Q@a3"), 8);
    assert_eq!(clock("4k3/8/8/8/4Pp2/8/8/4K3[] b - e3 7 9", "f4e3"), 0);
}

#[test]
fn fifty_moves_draw_at_once_but_mate_comes_first() {
    let fifty = Some(Outcome::draw(EndReason::FiftyMoves));
    let before = "4k3/8/8/8/8/8/8/R3K3[] w - - 99 90";
    assert_eq!(at(before).outcome(), None);
    assert_eq!(play(before, "a1a2").outcome(), fifty);
    let mate = play("6k1/5ppp/8/8/8/8/8/R5K1[] w - - 99 90", "a1a8");
    assert_eq!(mate.halfmove_clock(), 100);
    assert_eq!(mate.outcome(), Some(Outcome::win(Color::White, EndReason::Checkmate)));
    let stalemate = play("7k/8/5KQ1/8/8/8/8/6R1[] w - - 99 90", "g6g5").outcome();
    assert_eq!(stalemate, fifty, "Black still moves");
}

#[test]
fn bare_kings_with_empty_pockets_are_a_draw() {
    let draw = Some(Outcome::draw(EndReason::InsufficientMaterial));
    assert_eq!(at("4k3/8/8/8/8/8/8/4K3[] w - - 0 9").outcome(), draw);
    assert_eq!(at("4k3/8/8/8/8/8/8/4K3[p] w - - 0 9").outcome(), None);
    assert_eq!(at("4k3/8/8/8/8/8/8/4K1N1[] w - - 0 9").outcome(), None);
    let position = at("4k3/8/8/8/8/8/8/4K3[p] w - - 0 9");
    assert_eq!(Color::ALL.map(|c| position.can_win(c)), [false, true]);
}

#[test]
fn noisy_moves_are_captures_and_raised_classes() {
    let position = at("PZ4pk/5ppp/6p1/8/8/3p4/2P5/N3K3[] w - - 7 9");
    let mut noisy: Vec<_> = position.noisy_moves().iter().map(ToString::to_string).collect();
    noisy.sort();
    assert_eq!(noisy, ["a8^B", "a8^N", "b8g8", "c2d3"]);
}

#[test]
fn a_mutation_shows_in_the_effects() {
    let mut position = at(FRAGMENT);
    let mut effects = Vec::new();
    let m = uci::parse(&position, "h1^I").expect("legal");
    position.play_unchecked(m, &mut effects);
    let (rook, rider) = (Piece::new(Color::White, Role::Rook), Piece::new(Color::White, Role::Nightrider));
    let pocket = Place::Pocket(Color::White);
    assert_eq!(
        effects,
        [
            Effect::Move { piece: rook, from: Place::Board(AREA, Square::H1), to: pocket },
            Effect::Remove { piece: rook, at: pocket },
            Effect::Add { piece: rider, at: pocket },
        ]
    );
}

#[test]
fn a_bad_fen_is_refused_by_the_name_of_its_field() {
    let with = |from: &str, to: &str| field(&FRAGMENT.replace(from, to));
    assert_eq!(with("[]", ""), FenField::Pocket);
    assert_eq!(with("[]", "["), FenField::Pocket);
    assert_eq!(with("[]", "[NB]"), FenField::Pocket);
    assert_eq!(with("[]", "[nb]"), FenField::Pocket);
    assert_eq!(with("[]", "[K]"), FenField::Pocket);
    assert_eq!(with("[]", "[Y]"), FenField::Pocket);
    assert_eq!(with("[]", "[]x"), FenField::Pocket);
    assert_eq!(with("w - -", "w KQkq -"), FenField::Castling);
    assert_eq!(with("- - 0", "- e3 0"), FenField::EnPassant);
    assert_eq!(with("RNBQK", "RNBKK"), FenField::Placement);
    assert_eq!(with(" 0 2", " 0 -2"), FenField::Fullmove);
    assert_eq!(field("4k3/4R3/8/8/8/8/8/4K3[] w - - 0 2"), FenField::Side);
    assert_eq!(at(&FRAGMENT.replace("[]", "[rN]")).fen(), FRAGMENT.replace("[]", "[Nr]"));
}

#[test]
fn positions_are_small() {
    // Copied at every node of a search: the core and a byte for each pocket, rounded up to words.
    assert!(size_of::<PocketMutation>() <= 88);
}

#[test]
fn values_are_those_that_players_use() {
    let told = "P100 N350 B350 R550 I575 D600 A750 G800 Q1000 M1000 V1000 U1025 F1225 W1250 X1275 T1450 H1475 Z1675";
    for text in told.split(' ') {
        let role = Role::from_letter(text.chars().next().expect("a letter")).expect("a role");
        assert_eq!(INFO.value(role).to_string(), text[1..], "{text}");
    }
}
