//! How the pieces move, and what they attack.

use super::*;

#[test]
fn a_friendly_piece_on_a_portal_blocks_it() {
    assert_eq!(legal_from("4k3/8/8/8/P7/8/8/R6K w - - a4h5 0 1", "a1a"), "a1a2 a1a3");
}

#[test]
fn an_enemy_on_a_portal_is_captured_there() {
    let fen = "4k3/8/8/8/n7/8/8/R6K w - - a4h5 7 1";
    assert_eq!(legal_from(fen, "a1a"), "a1a2 a1a3 a1a4");
    assert_eq!(legal_from(fen, "a1h"), "");
    assert_eq!(after(fen, "a1a4"), "4k3/8/8/8/R7/8/8/7K b - - a4h5 0 1");
}

#[test]
fn with_a_friend_on_the_other_portal_the_entry_is_blocked() {
    let moves = legal_from("4k3/8/8/7N/8/8/8/R6K w - - a4h5 0 1", "a1");
    assert_eq!(moves, "a1a2 a1a3 a1b1 a1c1 a1d1 a1e1 a1f1 a1g1");
}

#[test]
fn with_an_enemy_on_the_other_portal_the_entry_is_a_capture_there() {
    let fen = "4k3/8/8/7n/8/8/8/R6K w - - a4h5 7 1";
    assert_eq!(legal_from(fen, "a1a"), "a1a2 a1a3");
    assert_eq!(legal_from(fen, "a1h"), "a1h5");
    let m = find(&read(fen), "a1h5");
    assert_eq!((m.kind(), m.aux()), (MoveKind::Travel, Square::A4));
    assert_eq!(read(fen).captured(m), Some(Piece::new(Color::Black, Role::Knight)));
    assert_eq!(read(fen).noisy_moves()[..], [m]);
    assert_eq!(after(fen, "a1h5"), "4k3/8/8/7R/8/8/8/7K b - - a4h5 0 1");
}

#[test]
fn with_both_empty_a_rider_stops_on_either_or_rides_on_from_the_exit() {
    let fen = "4k3/8/8/8/8/8/8/R6K w - - a4g5 0 1";
    assert_eq!(legal_from(fen, "a1a"), "a1a2 a1a3 a1a4");
    assert_eq!(legal_from(fen, "a1g"), "a1g1 a1g5 a1g6 a1g7 a1g8");
    assert_eq!(kind(fen, "a1a4"), MoveKind::Normal);
    assert_eq!(kind(fen, "a1g5"), MoveKind::Travel);
    assert_eq!(after(fen, "a1g7"), "4k3/6R1/8/8/8/8/8/7K b - - a4g5 1 1");
}

#[test]
fn a_ride_through_the_portals_captures_and_ends_there() {
    let fen = "4k3/6p1/8/8/8/8/8/R6K w - - a4g5 4 1";
    assert_eq!(legal_from(fen, "a1g"), "a1g1 a1g5 a1g6 a1g7");
    assert_eq!(after(fen, "a1g7"), "4k3/6R1/8/8/8/8/8/7K b - - a4g5 0 1");
    assert_eq!(legal_from("4k3/6P1/8/8/8/8/8/R6K w - - a4g5 4 1", "a1g"), "a1g1 a1g5 a1g6");
}

#[test]
fn a_bishop_goes_on_in_its_own_direction_and_may_ride_further_than_the_board_is_wide() {
    let fen = "7k/8/8/8/8/8/8/B3K3 w - - a7g7 0 1";
    assert_eq!(legal_from(fen, "a1"), "a1a7 a1b2 a1b8 a1c3 a1d4 a1e5 a1f6 a1g7");
    assert_eq!(
        legal_from("8/8/8/6k1/8/8/8/B6K w - - a2g7 0 1", "a1"),
        "a1a2 a1b2 a1b3 a1c3 a1c4 a1d4 a1d5 a1e5 a1e6 a1f6 a1f7 a1g7 a1g8"
    );
}

#[test]
fn a_square_reached_with_and_without_travel_is_one_move_without() {
    // From e3 the rook reaches e5 and e2 straight and, by the other portal, again; and its own square never.
    let fen = "4k3/8/8/8/8/4R3/8/K7 w - - e5e2 0 1";
    assert_eq!(legal_from(fen, "e3e"), "e3e2 e3e4 e3e5");
    for text in ["e3e2", "e3e4", "e3e5"] {
        assert_eq!(kind(fen, text), MoveKind::Normal);
    }
    // By two portals: one move, through White's.
    let fen = "7k/8/8/8/3Q4/8/8/K7 w - - d6f6 0 1";
    let m = find(&read(fen), "d4f8");
    assert_eq!((m.kind(), m.aux()), (MoveKind::Travel, Square::D6));
    assert_eq!(legal(fen).iter().filter(|m| *m == "d4f8").count(), 1);
}

#[test]
fn no_move_is_listed_twice() {
    let moves = legal("2k5/8/8/8/8/8/8/K6Q w - - h4e4 0 1");
    assert_eq!(moves.len(), moves.iter().collect::<std::collections::BTreeSet<_>>().len());
}

#[test]
fn a_ride_ends_before_the_riders_own_square() {
    // In on b5, out on b1: the next square would be b2 and then the rook itself on b3.
    assert_eq!(legal_from("4k3/8/8/8/8/1R6/8/K7 w - - b5b1 0 1", "b3b"), "b3b1 b3b2 b3b4 b3b5");
}

#[test]
fn a_piece_on_a_portal_moves_from_the_square_it_stands_on() {
    let fen = "4k3/8/8/8/R7/8/8/7K w - - a4g5 0 1";
    assert_eq!(legal_from(fen, "a4g"), "a4g4");
    assert_eq!(legal_from(fen, "a4a"), "a4a1 a4a2 a4a3 a4a5 a4a6 a4a7 a4a8");
    // It may stop on the other portal, but not come out under itself, nor go on.
    let fen = "4k3/8/8/8/R7/8/8/7K w - - a4a6 0 1";
    assert_eq!(legal_from(fen, "a4a"), "a4a1 a4a2 a4a3 a4a5 a4a6");
    assert_eq!(legal_from("4k3/8/8/8/8/8/P7/7K w - - a2a3 0 1", "a2"), "a2a3");
    assert_eq!(legal_from("4k3/8/8/8/8/8/P7/7K w - - a2a4 0 1", "a2"), "a2a3 a2a4");
}

#[test]
fn leapers_use_portals_and_jump_them() {
    let fen = "4k3/8/8/8/8/8/8/1N5K w - - c3g6 0 1";
    assert_eq!(legal_from(fen, "b1"), "b1a3 b1c3 b1d2 b1g6");
    assert_eq!(legal_from("4k3/8/8/8/8/8/8/1N5K w - - b2b3 0 1", "b1"), "b1a3 b1c3 b1d2");
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - d2g6 0 1";
    assert!(legal(fen).contains(&"e1g6".to_string()) && legal(fen).contains(&"e1d2".to_string()));
}

#[test]
fn a_pawns_straight_step_needs_both_portals_empty() {
    let step = |fen| legal_from(fen, "a3");
    assert_eq!(step("4k3/8/8/8/8/P7/8/7K w - - a4h5 0 1"), "a3a4 a3h5");
    assert_eq!(step("4k3/8/8/7n/8/P7/8/7K w - - a4h5 0 1"), "");
    assert_eq!(step("4k3/8/8/7N/8/P7/8/7K w - - a4h5 0 1"), "");
    assert_eq!(step("4k3/8/8/8/n7/P7/8/7K w - - a4h5 0 1"), "");
}

#[test]
fn a_pawn_captures_diagonally_on_a_portal_or_through_it() {
    let fen = "4k3/8/8/8/1n6/P7/8/7K w - - b4h5 5 1";
    assert_eq!(legal_from(fen, "a3"), "a3a4 a3b4");
    let fen = "4k3/8/8/7n/8/P7/8/7K w - - b4h5 5 1";
    assert_eq!(legal_from(fen, "a3"), "a3a4 a3h5");
    assert_eq!(after(fen, "a3h5"), "4k3/8/8/7P/8/8/8/7K b - - b4h5 0 1");
    // With nothing to capture there is no diagonal step.
    assert_eq!(legal_from("4k3/8/8/8/8/P7/8/7K w - - b4h5 0 1", "a3"), "a3a4");
    // On both diagonals: one capture, without travel.
    assert_eq!(kind("4k3/8/8/8/2n5/1P6/8/7K w - - a4c4 0 1", "b3c4"), MoveKind::Normal);
    assert_eq!(legal_from("4k3/8/8/8/2n5/1P6/8/7K w - - a4c4 0 1", "b3"), "b3b4 b3c4");
}

#[test]
fn a_double_step_may_meet_a_portal_on_either_step() {
    // On the first: out at the other, then straight on from there; never past the portal.
    let fen = "4k3/8/8/8/8/8/P7/7K w - - a3h5 0 1";
    assert_eq!(legal_from(fen, "a2"), "a2a3 a2h5 a2h6");
    assert_eq!(kind(fen, "a2h6"), MoveKind::Travel);
    // On the second.
    assert_eq!(legal_from("4k3/8/8/8/8/8/P7/7K w - - a4h5 0 1", "a2"), "a2a3 a2a4 a2h5");
    // With the way barred on either side.
    assert_eq!(legal_from("4k3/8/7n/8/8/8/P7/7K w - - a3h5 0 1", "a2"), "a2a3 a2h5");
    assert_eq!(legal_from("4k3/8/8/8/8/n7/P7/7K w - - a4h5 0 1", "a2"), "");
    assert_eq!(legal_from("4k3/8/8/7n/8/8/P7/7K w - - a4h5 0 1", "a2"), "a2a3");
    // Only from the second rank.
    assert_eq!(legal_from("4k3/8/8/8/8/P7/8/7K w - - a5h6 0 1", "a3"), "a3a4");
    assert_eq!(legal_from("4k3/8/8/8/8/8/8/P6K w - - a2h6 0 1", "a1"), "a1a2 a1h6");
}

#[test]
fn en_passant_only_after_an_ordinary_double_step() {
    let ep = |fen: &str, text: &str| after(fen, text).split(' ').nth(3).map(str::to_owned).unwrap_or_default();
    // It may stop on a portal.
    assert_eq!(ep("4k3/8/8/8/1p6/8/P7/7K w - - a4h5 0 1", "a2a4"), "a3");
    assert_eq!(ep("4k3/8/8/8/1p6/8/P7/7K w - - h4h5 0 1", "a2a4"), "a3");
    // Having come out of a portal on the way it is none.
    assert_eq!(ep("4k3/8/6p1/8/8/8/P7/7K w - - a3h5 0 1", "a2h6"), "-");
    assert_eq!(ep("4k3/8/8/8/8/1p4p1/P7/7K w - - a3h3 0 1", "a2h4"), "-");
    assert_eq!(ep("4k3/8/8/8/1p6/8/1P6/7K w - - b4a4 0 1", "b2b3"), "-");
    // The capture itself is as usual, off a portal too.
    assert_eq!(after("4k3/8/8/8/Pp6/8/8/7K b - a3 a4h5 0 1", "b4a3"), "4k3/8/8/8/8/p7/8/7K w - - a4h5 0 2");
}

#[test]
fn a_pawn_promotes_however_it_comes_to_its_last_rank() {
    let fen = "4k3/8/8/8/8/P7/8/7K w - - a4h8 0 1";
    assert_eq!(legal_from(fen, "a3"), "a3a4 a3h8b a3h8n a3h8q a3h8r");
    assert_eq!(kind(fen, "a3h8n"), MoveKind::Travel);
    assert_eq!(after(fen, "a3h8n"), "4k2N/8/8/8/8/8/8/7K b - - a4h8 0 1");
    assert_eq!(read(fen).noisy_moves().iter().filter(|m| m.kind() == MoveKind::Travel).count(), 4);
    // By capture through a portal, on a portal, and by a double step through one.
    assert_eq!(legal_from("4k2n/8/8/8/8/P7/8/7K w - - b4h8 0 1", "a3h"), "a3h8b a3h8n a3h8q a3h8r");
    let on = "n3k3/1P6/8/8/8/8/8/7K w - - a8h2 0 1";
    assert_eq!(legal_from(on, "b7a"), "b7a8b b7a8n b7a8q b7a8r");
    assert_eq!(kind(on, "b7a8q"), MoveKind::Promotion);
    assert_eq!(legal_from("4k3/8/8/8/8/8/P7/7K w - - a3h7 0 1", "a2h"), "a2h7 a2h8b a2h8n a2h8q a2h8r");
}

#[test]
fn a_king_is_attacked_by_a_ride_through_the_portals() {
    let check = |fen: &str| read(fen).in_check();
    assert!(check("6k1/8/8/8/8/8/8/R6K b - - a4g5 0 1"));
    assert!(!check("6k1/8/8/8/8/8/8/7K b - - a4g5 0 1"));
    // Anything in between, on a portal too, stops it; so does another kind of rider or another direction.
    assert!(!check("6k1/6p1/8/8/8/8/8/R6K b - - a4g5 0 1"));
    assert!(!check("6k1/8/8/8/8/p7/8/R6K b - - a4g5 0 1"));
    assert!(!check("6k1/8/8/6p1/8/8/8/R6K b - - a4g5 0 1"));
    assert!(!check("6k1/8/8/8/p7/8/8/R6K b - - a4g5 0 1"));
    assert!(!check("6k1/8/8/8/8/8/8/B6K b - - a4g5 0 1"));
    assert!(!check("8/8/8/8/6k1/8/8/R6K b - - a4g5 0 1"));
}

#[test]
fn a_king_on_a_portal_is_attacked_at_both() {
    let check = |fen: &str| read(fen).in_check();
    assert!(check("8/8/8/6k1/8/8/8/R6K b - - a4g5 0 1"));
    assert!(check("8/8/8/6k1/8/8/2N5/7K b - - a1g5 0 1"));
    assert!(check("8/8/8/6k1/8/1P6/8/7K b - - a4g5 0 1"));
    assert!(!check("8/8/8/6k1/8/P7/8/7K b - - a4g5 0 1"));
    assert!(check("8/8/8/6k1/8/1K6/8/8 b - - a4g5 0 1"));
    assert!(check("8/8/8/R5k1/8/8/8/7K b - - a4g5 0 1"));
    // The king itself attacks from the square it stands on alone.
    assert_eq!(refusal("8/8/8/6k1/8/1K6/8/8 w - - a4g5 0 1").field, FenField::Side);
    assert!(!check("8/8/8/6k1/8/1K6/8/8 b - - h1g5 0 1"));
}

#[test]
fn a_check_through_the_portals_is_answered_on_either_side_or_on_a_portal() {
    let fen = "6k1/8/8/8/7p/1b6/8/R6K b - - a4g5 0 1";
    let moves = legal(fen);
    assert_eq!(legal_from(fen, "b3"), "b3a2 b3a4 b3g5");
    assert_eq!(legal_from(fen, "h4"), "");
    assert_eq!(legal_from(fen, "g8"), "g8f7 g8f8 g8h7 g8h8");
    // Moving the portal away is an answer too, closing or bending the way.
    assert!(moves.contains(&"Og5f5".to_string()));
    assert!(!moves.contains(&"Og5g6".to_string()));
}

#[test]
fn a_piece_can_be_pinned_through_the_portals() {
    let fen = "6k1/6n1/8/8/8/8/8/R6K b - - a4g5 0 1";
    assert_eq!(legal_from(fen, "g7"), "");
    assert_eq!(legal_from("6k1/6r1/8/8/8/8/8/R6K b - - a4g5 0 1", "g7"), "g7a1 g7a2 g7a3 g7a4 g7g5 g7g6");
    // A piece on a portal that keeps the way closed is pinned as well.
    assert_eq!(legal_from("6k1/8/8/6n1/8/8/8/R6K b - - a4g5 0 1", "g5"), "");
}

#[test]
fn a_pinned_piece_must_stay_in_between_even_by_travel() {
    // On e2 she would be on the same file, but behind the king.
    assert_eq!(legal_from("4r2k/8/4Q3/8/4K3/8/8/8 w - - a6e2 0 1", "e6"), "e6e5 e6e7 e6e8");
    // A bishop that rides on from g7 comes to e5, in between again.
    assert_eq!(legal_from("k3r3/8/4B3/8/4K3/8/8/8 w - - c4g7 0 1", "e6"), "e6e5");
}

#[test]
fn castling_needs_no_portal_between_king_and_rook() {
    let castles = |portals: &str| {
        let moves = legal(&format!("4k3/8/8/8/8/8/8/R3K2R w KQ - {portals} 0 1"));
        (moves.contains(&"e1g1".into()), moves.contains(&"e1c1".into()))
    };
    assert_eq!(castles("a5h5"), (true, true));
    assert_eq!(castles("f1h5"), (false, true));
    assert_eq!(castles("a5g1"), (false, true));
    assert_eq!(castles("b1h5"), (true, false));
    assert_eq!(castles("e1h5"), (true, true));
    assert_eq!(castles("h1h5"), (true, true));
    // Locked portals are no portals.
    assert_eq!(castles("f1f1"), (true, true));
}

#[test]
fn castling_looks_at_attacks_through_the_portals() {
    let castle = |fen: &str| legal(fen).contains(&"e1g1".to_string());
    assert!(castle("k7/8/8/8/8/8/8/4K2R w K - a3f4 0 1"));
    // A rook comes out above f1 or g1.
    assert!(!castle("k7/8/8/r7/8/8/8/4K2R w K - a3f4 0 1"));
    assert!(!castle("k7/8/8/r7/8/8/8/4K2R w K - a3g4 0 1"));
    assert!(castle("k7/8/8/r7/8/8/8/4K2R w K - a3h4 0 1"));
    // When the rook leaves its portal, a rider comes out there and reaches the king.
    assert!(castle("k7/8/8/8/8/8/8/4K2R w K - h1d4 0 1"));
    assert!(!castle("k7/8/8/8/7r/8/8/4K2R w K - h1d4 0 1"));
}

#[test]
fn locked_portals_are_squares_like_any_other() {
    let fen = "4k3/8/8/8/8/8/8/R6K w - - a4a4 0 1";
    assert_eq!(legal_from(fen, "a1a"), "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8");
    assert_eq!(legal_from(fen, "O"), "");
}
