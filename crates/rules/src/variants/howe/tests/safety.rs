//! When a king is in danger.

use super::*;
use crate::core::Area;

fn allowed<'a, P: Position>(position: &P, texts: &[&'a str]) -> Vec<&'a str> {
    texts.iter().copied().filter(|text| allows(position, text)).collect()
}

#[test]
fn white_must_not_leave_his_king_attacked_in_the_area_he_plays() {
    let position = plain("AKe1 ANe2 Are8 Bke8 APb2", "w A");
    assert_eq!(moves(&position), "b2b3 b2b4 e1d1 e1d2 e1f1 e1f2");
}

#[test]
fn white_must_not_leave_his_king_attacked_in_the_other_area() {
    // Black's knight has just left h4 of A by its teleport and uncovered the rook's attack; White is due in B.
    let before = twin("AKh1 Anh4 Arh8 Bke8 BRb1 APb2", "b B -|- -|- -/h4 1 4");
    let position = play(before, "0000");
    assert_eq!((position.turn(), position.area()), (Color::White, Area::B));
    assert_eq!(position.checked_kings(), [(Area::A, Square::H1)]);
    assert_eq!(status(&position), "checkmate black-wins");
}

#[test]
fn white_may_not_declare_while_his_king_is_attacked() {
    let position = plain("AKe1 ARa4 Are8 Bke8 APb2", "w A");
    assert_eq!(moves(&position), "a4e4 e1d1 e1d2 e1f1 e1f2");
}

#[test]
fn black_must_leave_his_king_safe_in_the_area_he_plays() {
    let position = plain("AKe1 BRe1 Bne7 Bke8 Bpb7", "b B");
    assert_eq!(allowed(&position, &["e7c6", "b7b6", "e8d7"]), ["b7b6", "e8d7"]);
}

#[test]
fn blacks_king_may_stand_attacked_in_the_other_area() {
    let position = plain("AKe1 APb2 Apa7 BRe1 BPb2 Bke8", "b A");
    assert!(position.in_check());
    assert_eq!(moves(&position), "a7a5 a7a6");
    // When that area is due to him he has to see to it.
    let position = play(position, "a7a6 b2b3");
    assert_eq!(moves(&position), "e8d7 e8d8 e8f7 e8f8");
}

#[test]
fn a_piece_bound_to_leave_still_attacks() {
    let position = twin("AKb3 Arh4 Bke8 APg2", "w A -|- -|- -/h4 1 4");
    assert!(!allows(&position, "b3b4") && !allows(&position, "b3c4") && allows(&position, "b3b2"));
}

#[test]
fn a_declared_teleport_attacks_the_square_it_goes_to() {
    // Black's rook on a4 of B goes to a4 of A, where White's king stands: White can only take it.
    let position = twin("AKa4 APg2 Bra4 BRh4 BNb1 Bke8", "w B -|- -|- -/a4 1 2");
    assert_eq!(position.checked_kings(), [(Area::A, Square::A4)]);
    assert_eq!(moves(&position), "h4a4");
    assert_eq!(status(&position), "ongoing");
    assert_eq!(state(&play(position, "h4a4")), "b A -|- -|- -/- 0 2");
    let position = twin("AKa4 APg2 Bra4 BNb1 Bke8", "w B -|- -|- -/a4 1 2");
    assert_eq!(status(&position), "checkmate black-wins");
}

#[test]
fn a_pawn_may_take_the_declared_piece_too() {
    let position = twin("AKa4 BPb3 Bra4 Bke8", "w B -|- -|- -/a4 1 2");
    assert_eq!(moves(&position), "b3a4");
}

#[test]
fn a_blocked_declaration_attacks_nothing() {
    // White's rook would go from a4 of B to a4 of A, but his knight stands there, and Black's king may take it.
    let position = twin("AKe1 ANa4 Akb5 BRa4 Apg7", "b A -|- -|- a4x/- 1 2");
    assert!(allows(&position, "b5a4"));
    let position = twin("AKe1 Akb5 BRa4 Apg7", "b A -|- -|- a4/- 1 2");
    assert!(!allows(&position, "b5a4") && allows(&position, "b5b4"));
}

#[test]
fn blacks_king_must_leave_the_goal_of_a_teleport() {
    // Neither a move of another piece nor a capture elsewhere helps; the king goes, or declares itself.
    let position = twin("AKe1 Aka4 Arh8 Apg7 BRa4", "b A -|- -|- a4/- 1 2");
    assert!(position.in_check());
    assert_eq!(moves(&position), "a4a3 a4a4 a4a5 a4b3 a4b4 a4b5");
}

#[test]
fn a_king_on_the_goal_captures_its_way_out_like_any_king() {
    let position = twin("AKe1 Aka4 ANb5 Apg7 BRa4", "b A -|- -|- a4/- 1 2");
    let noisy: Vec<_> = position.noisy_moves().iter().map(ToString::to_string).collect();
    assert_eq!(noisy, ["a4b5"]);
}

#[test]
fn an_ordinary_attack_still_counts_against_a_declared_black_king() {
    let position = twin("AKe1 Aka4 ARh4 Apg7 BRa4", "b A -|- -|- a4/- 1 2");
    assert!(!allows(&position, "a4a4") && allows(&position, "a4a3"));
}

#[test]
fn white_saves_an_attacked_king_by_declaring_it() {
    let start = plain("AKa4 APb3 Ara8 Bke8 Bpb7 BPb2", "w A");
    assert!(start.in_check());
    assert!(allows(&start, "a4a4"));
    // Black cannot capture it: he is due in B. Then it is gone.
    let position = play(start, "a4a4 b7b6");
    assert_eq!(only_kind(&position), MoveKind::Transfer);
    assert_eq!(play(position, "0000").piece_at(Area::B, Square::A4), Some(piece('K')));
}

#[test]
fn a_blocked_declaration_does_not_save_whites_king() {
    let position = plain("AKa4 APb3 Ara8 BNa4 Bke8 Bpb7", "w A");
    assert!(!allows(&position, "a4a4"));
}

#[test]
fn declaring_another_piece_does_not_save_an_attacked_king() {
    let position = plain("AKa4 ARh5 Ara8 Bke8 Bpb7", "w A");
    assert!(!allows(&position, "h5h5") && allows(&position, "h5a5"));
}

#[test]
fn a_declared_king_is_not_threatened_by_the_teleport_it_will_meet() {
    let position = twin("BKa4 Aka4 BPg2 Apg6", "w A -|- -|- a4/a4 2 3");
    assert!(!position.in_check());
    assert_eq!(only_kind(&position), MoveKind::Transfer);
    // But if its own teleport cannot take place, it is.
    let position = twin("BKa4 Aka4 BPg2 Apg6 Anb2", "w A -|- -|- a4/a4 2 3");
    assert!(position.in_check());
    assert_eq!(status(&position), "checkmate black-wins");
}

#[test]
fn a_king_in_transit_to_an_attacked_square_is_checkmated() {
    let position = twin("AKg1 Aka4 BRa4 BRh4", "b A -|- -|- a4/- 1 2");
    let position = play(position, "a4a4 0000");
    assert_eq!(state(&position), "b B -|- -|- -/a4:k 3 3");
    assert_eq!(position.checked_kings(), [(Area::B, Square::A4)]);
    assert_eq!(status(&position), "checkmate white-wins");
}

#[test]
fn a_king_in_transit_to_a_safe_square_lands() {
    let position = twin("AKg1 Aka4 BRa4 BRh5", "b A -|- -|- a4/- 1 2");
    let position = play(position, "a4a4 0000");
    assert!(!position.in_check());
    assert_eq!(only_kind(&position), MoveKind::Transfer);
}

#[test]
fn a_teleport_may_not_leave_the_king_of_the_area_it_leaves() {
    // White's king stands in B, from where his rook would go to A, uncovering Black's queen.
    let position = twin("AQe1 BKa1 BRa4 Bqa8 Bke8", "w A -|- -|- a4/- 1 3");
    assert_eq!(only_kind(&position), MoveKind::Pass);
    // Black's king there need not be safe: he is next in that area.
    let position = twin("AKe1 APb2 Bka1 Bra4 BQa8", "b A -|- -|- -/a4 1 3");
    assert_eq!(only_kind(&position), MoveKind::Transfer);
    let after = play(position, "0000");
    assert_eq!(after.turn(), Color::White);
    assert!(TwinPortal::from_fen(&after.fen()).is_ok());
}
