//! Every sentence of `docs/rules/porthole.md`.

use super::*;
use crate::notation::uci;
use crate::position::{EndReason, Outcome};

fn read(fen: &str) -> Porthole {
    Porthole::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn legal(fen: &str) -> Vec<String> {
    let mut moves: Vec<_> = read(fen).legal_moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

fn legal_from(fen: &str, from: &str) -> String {
    legal(fen).into_iter().filter(|m| m.starts_with(from)).collect::<Vec<_>>().join(" ")
}

fn find(position: &Porthole, text: &str) -> Move {
    uci::parse(position, text).unwrap_or_else(|e| panic!("{e}"))
}

fn after(fen: &str, text: &str) -> String {
    let position = read(fen);
    position.after(find(&position, text)).fen()
}

fn refusal(fen: &str) -> FenError {
    Porthole::from_fen(fen).err().unwrap_or_else(|| panic!("{fen} was read"))
}

#[test]
fn the_default_array_has_eight_portals_in_the_middle() {
    let squares: Vec<_> = Porthole::start().markers().iter().map(|m| (m.at, m.count)).collect();
    let expected = [Square::B4, Square::C4, Square::F4, Square::G4, Square::B5, Square::C5, Square::F5, Square::G5];
    assert_eq!(squares, expected.map(|s| (Place::Board(AREA, s), 1)));
}

#[test]
fn portals_lie_on_any_squares_with_or_without_pieces_and_in_stacks() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - a1a1e1h8h8h8 0 1";
    let position = read(fen);
    assert_eq!(position.fen(), fen);
    let counts: Vec<_> = position.markers().iter().map(|m| m.count).collect();
    assert_eq!(counts, [2, 1, 3]);
    assert!(position.markers().iter().all(|m| m.marker == PORTAL && m.to.is_none()));
}

#[test]
fn there_may_be_no_portal_or_a_great_many() {
    assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - - - 0 1").markers(), []);
    let many = |n: usize| format!("4k3/8/8/8/8/8/8/4K3 w - - {} 0 1", "h8".repeat(n));
    assert_eq!(read(&many(255)).markers()[0].count, 255);
    assert_eq!(refusal(&many(256)).to_string(), "FEN field 'portals': 256 portals, at most 255 expected");
}

#[test]
fn a_pawn_never_steps_straight_onto_a_portal_nor_double_steps_over_or_onto_one() {
    assert_eq!(legal_from("4k3/8/8/8/8/8/4P3/K7 w - - e3h6 0 1", "e2"), "");
    assert_eq!(legal_from("4k3/8/8/8/8/8/4P3/K7 w - - e4h6 0 1", "e2"), "e2e3");
    assert_eq!(legal_from("4k3/8/8/8/8/8/4P3/K7 w - - e5h6 0 1", "e2"), "e2e3 e2e4");
}

#[test]
fn a_pawn_enters_diagonally_with_or_without_something_to_capture() {
    assert_eq!(legal_from("4k3/8/8/8/8/8/4P3/K7 w - - d3f3h6 0 1", "e2d"), "e2d3f3 e2d3h6");
    assert_eq!(after("4k3/8/8/8/8/3n4/4P3/K7 w - - d3h6 7 1", "e2d3h6"), "4k3/8/7P/8/8/8/8/K7 b - - e2h6 0 1");
    // Plain diagonals are for captures only.
    assert_eq!(legal_from("4k3/8/8/8/8/8/4P3/K7 w - - d3 0 1", "e2"), "e2e3 e2e4");
}

#[test]
fn a_riders_line_ends_with_the_portal_empty_or_not() {
    let from = |fen| legal_from(fen, "a1");
    assert_eq!(from("4k3/8/8/8/8/8/8/R6K w - - a4c1h6 0 1"), "a1a2 a1a3 a1a4c1 a1a4h6 a1b1 a1c1a4 a1c1h6");
    assert_eq!(from("4k3/8/8/8/n7/8/8/R6K w - - a4c1h6 0 1"), "a1a2 a1a3 a1a4c1 a1a4h6 a1b1 a1c1h6");
    assert_eq!(from("4k3/8/8/8/1n6/B7/8/R6K w - - a2 0 1"), "a1b1 a1c1 a1d1 a1e1 a1f1 a1g1");
}

#[test]
fn a_leaping_knight_passes_over_portals() {
    let moves = legal_from("4k3/8/8/8/8/8/8/1N5K w - - a1a2b2b3c1c2d2 0 1", "b1");
    assert_eq!(moves, "b1a3 b1c3 b1d2a1 b1d2a2 b1d2b2 b1d2b3 b1d2c1 b1d2c2");
}

#[test]
fn a_friendly_piece_on_the_portal_blocks_it_and_an_enemy_is_captured() {
    assert_eq!(legal_from("4k3/8/8/8/P7/8/8/R6K w - - a4h6 0 1", "a1a"), "a1a2 a1a3");
    let fen = "4k3/8/8/8/n7/8/8/R6K w - - a4h6 5 9";
    assert_eq!(after(fen, "a1a4h6"), "4k3/8/7R/8/8/8/8/7K b - - a1h6 0 9");
    let position = read(fen);
    let capture = find(&position, "a1a4h6");
    assert_eq!(position.captured(capture), Some(Piece::new(Color::Black, Role::Knight)));
    assert_eq!(position.noisy_moves()[..], [capture]);
}

#[test]
fn the_exit_is_another_portal_with_no_piece_on_it() {
    // Not an occupied one, whoever stands there, not the one entered, not the square of origin.
    let fen = "4k3/8/8/8/8/n7/4n3/R1B4K w - - a1a2c1e2h6 0 1";
    assert_eq!(legal_from(fen, "a1"), "a1a2h6 a1b1");
}

#[test]
fn without_an_exit_the_portal_cannot_be_entered() {
    assert_eq!(legal_from("4k3/8/8/8/8/8/8/R6K w - - a1a2 0 1", "a1a"), "");
    assert_eq!(legal_from("4k3/8/8/8/8/8/8/R6K w - - a2a2 0 1", "a1a"), "");
    assert_eq!(legal_from("4k3/8/8/8/8/8/n7/R6K w - - a2 0 1", "a1a"), "");
}

#[test]
fn from_stack_to_stack_is_no_way() {
    assert_eq!(legal_from("4k3/8/8/8/8/8/8/R6K w - - a2a2b7h6h6 0 1", "a1a"), "a1a2b7");
    assert_eq!(legal_from("4k3/8/8/8/8/8/8/R6K w - - a2b7h6h6h6 0 1", "a1a"), "a1a2b7 a1a2h6");
    assert_eq!(legal_from("4k3/8/8/8/8/8/8/R6K w - - a2a2h6h6 0 1", "a1a"), "");
}

#[test]
fn one_portal_moves_to_the_square_of_origin() {
    assert_eq!(after("4k3/8/8/8/8/8/8/R6K w - - a2h6 0 1", "a1a2h6"), "4k3/8/7R/8/8/8/8/7K b - - a1h6 1 1");
    // Of a stack only one; onto another portal it makes a stack.
    assert_eq!(after("4k3/8/8/8/8/8/8/R6K w - - a1a2a2h6 0 1", "a1a2h6"), "4k3/8/7R/8/8/8/8/7K b - - a1a1a2h6 1 1");
}

#[test]
fn a_piece_that_leaves_a_portal_leaves_it_there_and_standing_on_it_gives_no_extra_move() {
    let fen = "4k3/8/8/8/8/8/8/N6K w - - a1h6 0 1";
    assert_eq!(legal_from(fen, "a1"), "a1b3 a1c2");
    assert_eq!(after(fen, "a1c2"), "4k3/8/8/8/8/8/2N5/7K b - - a1h6 1 1");
}

#[test]
fn a_king_on_a_portal_with_no_exit_for_its_attacker_is_not_in_check() {
    for (portals, check) in [
        ("e8", false),
        ("e8h5", true),
        // The attacker's own square, an occupied one, and stack to stack are no exits.
        ("e1e8", false),
        ("a1e8", false),
        ("e8e8h5h5", false),
        ("e8e8h5", true),
        ("e8h5h5", true),
        // A plain square is attacked as usual, but not over a portal.
        ("h5", true),
        ("e4", false),
        ("e4h5", false),
    ] {
        let fen = format!("4k3/8/8/8/8/8/8/K3R3 b - - {portals} 0 1");
        let position = read(&fen);
        assert_eq!(position.in_check(), check, "{fen}");
        assert_eq!(!position.checked_kings().is_empty(), check, "{fen}");
        let turned = Porthole::from_fen(&fen.replace(" b ", " w "));
        assert_eq!(turned.is_err(), check, "{fen}");
    }
}

#[test]
fn nothing_is_attacked_on_an_exit() {
    let position = read("8/8/8/7k/8/8/8/R3K3 b - - a4h5 0 1");
    assert!(!position.in_check());
    assert_eq!(legal_from("8/8/8/7k/8/8/8/R3K3 w - - a4h5 0 1", "a1a"), "a1a2 a1a3");
}

#[test]
fn a_piece_must_not_open_an_exit_for_the_kings_attacker() {
    let fen = "4r1k1/8/8/8/7N/8/8/4K3 w - - e1h4 0 1";
    assert!(!read(fen).in_check());
    assert_eq!(legal_from(fen, "h4"), "");
    // Nor may an entry, which leaves a portal with nothing on it behind.
    assert_eq!(legal_from("4r1k1/8/8/8/3N3N/8/8/4K3 w - - b3e1h4 0 1", "d4b3"), "");
}

#[test]
fn a_king_uses_portals_like_any_piece() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - e2h7 0 1";
    assert_eq!(after(fen, "e1e2h7"), "4k3/7K/8/8/8/8/8/R6R b - - e1h7 1 1");
    // It looks at its safety where it comes out.
    assert_eq!(legal_from("4k2r/8/8/8/8/8/8/4K3 w - - a6e2h7 0 1", "e1e2"), "e1e2a6");
}

#[test]
fn kings_may_stand_side_by_side_when_one_cannot_be_captured_on_its_portal() {
    // Black's king on h7 is safe, as White has no exit, and gives check itself.
    let fen = "7K/7k/8/8/8/8/P7/8 w - - h7 0 1";
    assert_eq!(read(fen).outcome(), Some(Outcome::win(Color::Black, EndReason::Checkmate)));
    // With an exit it is White that could capture: no legal position.
    assert_eq!(refusal("7K/7k/8/8/8/8/P7/8 w - - a8h7 0 1").field, FenField::Side);
}

#[test]
fn pawns_promote_only_by_a_plain_move_to_the_last_rank() {
    assert_eq!(
        legal_from("2n1k3/1P6/8/8/8/8/8/K7 w - - a8h5 0 1", "b7"),
        "b7a8h5 b7b8b b7b8n b7b8q b7b8r b7c8b b7c8n b7c8q b7c8r"
    );
    assert_eq!(after("4k3/1P6/8/8/8/8/8/K7 w - - a8h5 3 1", "b7a8h5"), "4k3/8/8/7P/8/8/8/K7 b - - h5b7 0 1");
}

#[test]
fn a_pawn_that_came_out_on_its_last_rank_stays_a_pawn_and_cannot_move() {
    let fen = "4k3/8/8/8/4P3/8/8/K7 w - - d5h8 3 1";
    let next = "4k2P/8/8/8/8/8/8/K7 b - - e4h8 0 1";
    assert_eq!(after(fen, "e4d5h8"), next);
    assert_eq!(legal_from(&next.replace(" b ", " w "), "h8"), "");
}

#[test]
fn a_pawn_on_its_own_first_rank_steps_once() {
    assert_eq!(legal_from("4k3/8/8/8/8/8/8/K1P5 w - - - 0 1", "c1"), "c1c2");
    assert_eq!(legal_from("4k1p1/8/8/8/8/8/8/K7 b - - - 0 1", "g8"), "g8g7");
}

#[test]
fn castling_needs_no_portal_between_king_and_rook() {
    let castles = |portals: &str| {
        let moves = legal(&format!("4k3/8/8/8/8/8/8/R3K2R w KQ - {portals} 0 1"));
        (moves.contains(&"e1g1".into()), moves.contains(&"e1c1".into()))
    };
    assert_eq!(castles("-"), (true, true));
    assert_eq!(castles("f1"), (false, true));
    assert_eq!(castles("g1"), (false, true));
    assert_eq!(castles("b1"), (true, false));
    assert_eq!(castles("d1"), (true, false));
    // Their own squares do not matter.
    assert_eq!(castles("a1e1h1"), (true, true));
}

#[test]
fn a_king_that_cannot_be_captured_on_its_portal_may_castle() {
    let fen = "k3r3/8/8/8/8/8/8/4K2R w K - e1 0 1";
    assert!(legal(fen).contains(&"e1g1".into()));
    assert!(!legal(&fen.replace(" e1 ", " e1h5 ")).contains(&"e1g1".into()));
}

#[test]
fn castling_rights_go_with_a_rook_that_enters_or_is_captured_on_a_portal() {
    assert_eq!(after("4k3/8/8/8/8/8/8/R3K2R w KQ - h3b7 0 1", "h1h3b7"), "4k3/1R6/8/8/8/8/8/R3K3 b Q - h1b7 1 1");
    assert_eq!(after("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - h1b7 0 1", "h8h1b7").split(' ').nth(2), Some("Qq"));
}

#[test]
fn en_passant_as_usual_also_from_a_portal() {
    let fen = "4k3/8/8/8/3p4/8/4P3/K7 w - - e2d4 0 1";
    let next = after(fen, "e2e4");
    assert_eq!(next, "4k3/8/8/8/3pP3/8/8/K7 b - e3 e2d4 0 1");
    assert_eq!(after(&next, "d4e3"), "4k3/8/8/8/8/4p3/8/K7 w - - e2d4 0 2");
}

#[test]
fn the_clock_restarts_when_a_pawn_enters_a_portal() {
    assert_eq!(after("4k3/8/8/8/8/8/4P3/K7 w - - d3h6 9 5", "e2d3h6").split(' ').nth(5), Some("0"));
    assert_eq!(after("4k3/8/8/8/8/8/4N3/K7 w - - c3h6 9 5", "e2c3h6").split(' ').nth(5), Some("10"));
}

#[test]
fn a_pinned_piece_may_enter_as_the_portal_takes_its_place() {
    assert_eq!(legal_from("4r1k1/8/8/8/8/8/4N3/4K3 w - - c3h6 0 1", "e2"), "e2c3h6");
    assert_eq!(legal_from("4r1k1/8/8/8/8/8/4R3/4K3 w - - c2h6 0 1", "e2d"), "");
}

#[test]
fn a_piece_on_a_portal_is_not_pinned() {
    assert_eq!(legal_from("4r1k1/8/8/8/8/8/4N3/4K3 w - - e2 0 1", "e2").split(' ').count(), 6);
}

#[test]
fn taking_away_the_portal_that_shields_the_king_is_illegal() {
    let entry = |portals: &str| legal_from(&format!("4r1k1/8/8/8/8/8/8/1B2K3 w - - {portals} 0 1"), "b1e4");
    assert_eq!(entry("e4h6"), "");
    assert_eq!(entry("e4e4h6"), "b1e4h6");
    assert_eq!(entry("e4e5h6"), "b1e4e5 b1e4h6");
}

#[test]
fn a_check_is_answered_by_a_capture_on_a_portal_but_not_by_other_entries() {
    let fen = "5R2/7k/8/8/8/5n2/8/4K3 w - - f3h6 0 1";
    assert!(read(fen).in_check());
    assert_eq!(legal_from(fen, "f8"), "f8f3h6");
    assert_eq!(legal_from("5R2/7k/8/8/8/5n2/8/4K3 w - - f5h6 0 1", "f8f5"), "");
}

#[test]
fn only_bare_kings_are_insufficient() {
    assert!(read("4k3/8/8/8/8/8/8/4K3 w - - a1h8 0 1").is_insufficient());
    let draw = Some(Outcome::draw(EndReason::InsufficientMaterial));
    assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - - a1h8 0 1").outcome(), draw);
    for men in ["N", "b", "P"] {
        let position = read(&format!("4k3/8/8/8/8/{men}7/8/4K3 w - - a1h8 0 1"));
        assert_eq!(position.outcome(), None, "{men}");
    }
}

#[test]
fn a_bare_king_may_still_win_where_there_are_portals() {
    let can = |men: &str, portals: &str| {
        let position = read(&format!("4k3/8/8/8/8/{men}/8/4K3 w - - {portals} 0 1"));
        (position.can_win(Color::White), position.can_win(Color::Black))
    };
    assert_eq!(can("N7", "-"), (true, false));
    assert_eq!(can("n7", "a1"), (false, true));
    assert_eq!(can("n7", "a1h8"), (true, true));
    assert_eq!(can("n7", "e1"), (true, true));
    assert_eq!(can("8", "a1h8"), (false, false));
}

#[test]
fn an_entry_is_told_as_effects() {
    let mut position = read("4k3/8/8/8/n7/8/8/R6K w - - a4h6 5 9");
    let mut effects = Vec::new();
    let m = find(&position, "a1a4h6");
    position.play_unchecked(m, &mut effects);
    let at = |square| Place::Board(AREA, square);
    assert_eq!(
        effects,
        [
            Effect::Remove { piece: Piece::new(Color::Black, Role::Knight), at: at(Square::A4) },
            Effect::Move { piece: Piece::new(Color::White, Role::Rook), from: at(Square::A1), to: at(Square::H6) },
            Effect::MarkerMove { marker: PORTAL, from: at(Square::A4), to: at(Square::A1) },
        ]
    );
}

#[test]
fn portals_are_compared_and_hashed_as_a_multiset() {
    let with = |portals: &str| read(&format!("4k3/8/8/8/8/8/8/R6K w - - {portals} 0 1"));
    assert_eq!(with("h6a2b7"), with("a2b7h6"));
    assert_eq!(with("h6a2b7").fen(), with("a2b7h6").fen());
    assert_eq!(with("b7a2b7").hash_key(), with("a2b7b7").hash_key());
    assert_ne!(with("a2b7").hash_key(), with("a2b7b7").hash_key());
    assert_ne!(with("a2a2b7").hash_key(), with("a2b7b7").hash_key());
    // Two ways to the same portals.
    let reach = |texts: [&str; 4]| {
        let mut position = read("4k3/8/8/8/8/8/8/R2K3R w - - a2h2b6h6 0 1");
        for text in texts {
            let m = find(&position, text);
            position.play_unchecked(m, &mut ());
            assert_eq!(position.hash_key(), position.compute_hash());
        }
        position
    };
    let one = reach(["a1a2h6", "e8f7", "h1h2b6", "f7e8"]);
    let two = reach(["h1h2b6", "e8f7", "a1a2h6", "f7e8"]);
    assert_eq!(one.fen(), "4k3/8/1R5R/8/8/8/8/3K4 w - - a1h1b6h6 4 3");
    assert_eq!((&one, one.hash_key()), (&two, two.hash_key()));
}

#[test]
fn the_number_of_portals_never_changes() {
    let mut position = Porthole::start();
    let mut seed = 11usize;
    for _ in 0..400 {
        let moves = position.legal_moves();
        let Some(&m) = moves.get(seed % moves.len().max(1)) else { break };
        position.play_unchecked(m, &mut ());
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407) >> 1;
        assert_eq!(position.markers().iter().map(|m| u32::from(m.count)).sum::<u32>(), 8);
    }
}

#[test]
fn random_set_ups_are_mirrored_and_belong_to_their_seed() {
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..500 {
        let position = Porthole::random_setup(seed).expect("a set-up");
        assert_eq!(Some(&position), Porthole::random_setup(seed).as_ref());
        let squares = position.portals.squares();
        assert_eq!(squares.0, squares.0.swap_bytes(), "{}", position.fen());
        assert!((squares & Bitboard(0x0000_ffff_ffff_0000)) == squares && position.portals.stacks().is_empty());
        assert_eq!(read(&position.fen()), position);
        assert_eq!(position.hash_key(), position.compute_hash());
        assert_eq!(position.outcome(), None);
        *counts.entry(squares.len()).or_insert(0) += 1;
    }
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [4, 6, 8, 10, 12]);
    assert!(counts.values().all(|&n| n > 60), "{counts:?}");
    // The promise of a seed.
    assert_eq!(
        Porthole::random_setup(1).map(|p| p.fen()),
        Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - h3b4f4g4b5f5g5h6 0 1".into())
    );
}

#[test]
fn bad_fens_name_the_field() {
    use FenField::*;
    for (fen, field) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - i9 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - a1b 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - a1-b2 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - A1 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - é1 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - -", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - a1 -1 1", Halfmove),
        ("4k3/8/8/8/8/8/8/4K3 w - - a1 0 99999", Fullmove),
        ("4k3/8/8/8/8/8/8/4K3 w - - a1 0 1 x", Text),
        ("4k3/8/8/8/8/8/8/4KK2 w - - a1 0 1", Placement),
        ("8/8/8/8/8/8/8/4K3 w - - a1 0 1", Placement),
        ("4k3/8/8/8/8/8/8/4K2A w - - a1 0 1", Placement),
        ("4k3/9/8/8/8/8/8/4K3 w - - a1 0 1", Placement),
        ("4k3/8/8/8/8/8/8/4K3 w K - a1 0 1", Castling),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e4 a1 0 1", EnPassant),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 e3 0 1", EnPassant),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 e4 0 1", EnPassant),
    ] {
        assert_eq!(refusal(fen).field, field, "{fen}");
    }
    // A rook that attacks the king of the side that has just moved.
    assert_eq!(refusal("4k3/8/8/8/8/8/8/K3R3 w - - a1h5 0 1").field, FenField::Side);
    // Neighbours' positions are no guesses.
    for other in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -- 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - e4- 1 1",
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w A KQ|kq -|- -/- 0 1",
        "rnbq/pppp/4/4/4/4/PPPP/RNBQ|kbnr/pppp/4/4/4/4/PPPP/KBNR w A -|Kk -|- -/- 0 1",
    ] {
        refusal(other);
    }
    refusal(&"4k3/".repeat(3_000_000));
}

/// Copied at every node of a search. The counts take 64 bytes of it, so that a stack can be of any height.
#[test]
fn positions_are_small() {
    assert!(size_of::<Porthole>() <= 160, "{}", size_of::<Porthole>());
}
