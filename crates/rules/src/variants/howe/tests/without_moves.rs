//! What happens when the player due has no move.

use super::*;
use crate::core::Area;

#[test]
fn checkmate_when_passing_would_lose_the_king() {
    let position = plain("AKe1 BRa8 BRb7 Bkh8 Apb7", "b B");
    assert_eq!(moves(&position), "");
    assert_eq!(status(&position), "checkmate white-wins");
    let position = plain("AKh1 Ara1 Arb2 Bke8 BPb2", "w A");
    assert_eq!(status(&position), "checkmate black-wins");
}

#[test]
fn moves_in_the_other_area_do_not_help_against_checkmate() {
    let position = plain("AKe1 BRa8 BRb7 Bkh8 Aqb7 Ara4", "b B");
    assert_eq!(status(&position), "checkmate white-wins");
}

#[test]
fn a_player_without_a_move_in_the_area_due_passes() {
    let position = plain("AKe1 APe2 Bke8", "b A");
    assert_eq!(moves(&position), "0000");
    assert_eq!(only_kind(&position), MoveKind::Pass);
    assert_eq!(status(&position), "ongoing");
    assert!(position.noisy_moves().is_empty());
    assert_eq!(state(&play(position, "0000")), "w A -|- -|- -/- 1 2");
}

#[test]
fn passing_is_no_choice_for_one_who_can_move_or_declare() {
    let position = plain("AKe1 APa4 Apa5 Bke8", "b A");
    assert_eq!(moves(&position), "a5a5");
}

#[test]
fn stalemate_when_there_is_no_turn_in_either_area() {
    let position = plain("AKe1 APb4 Apb5 BQg6 Bkh8", "b A");
    assert_eq!(moves(&position), "");
    assert!(!position.in_check());
    assert_eq!(status(&position), "stalemate");
    let position = plain("AKh1 Aqg3 BPb4 Bpb5 Bke8", "w A");
    assert_eq!(status(&position), "stalemate");
    let position = plain("AKh1 Aqg3 BPb4 Bpb5 Bke8", "w B");
    assert_eq!(status(&position), "stalemate");
}

#[test]
fn a_declaration_in_the_other_area_is_a_turn_there() {
    let position = plain("AKe1 APa4 Apa5 BQg6 Bkh8", "b B");
    assert_eq!(moves(&position), "0000");
    let position = plain("AKh1 Aqg3 BPa4 Bpa5 Bke8", "w A");
    assert_eq!(moves(&position), "0000");
}

#[test]
fn checkmate_when_the_king_in_the_other_area_is_mated_there() {
    // Passing in A is safe for the moment, but there is no way out in B.
    let position = plain("AKe1 APb4 Apb5 BRa8 BRb7 Bkh8", "b A");
    assert_eq!(moves(&position), "");
    assert_eq!(status(&position), "checkmate white-wins");
}

#[test]
fn a_player_passes_when_his_attacked_king_in_the_other_area_can_move() {
    let position = plain("AKe1 APb4 Apb5 BRa8 Bkh8", "b A");
    assert_eq!(moves(&position), "0000");
    assert!(position.in_check());
    assert_eq!(position.checked_kings(), [(Area::B, Square::H8)]);
}

#[test]
fn safety_in_the_other_area_is_judged_for_a_turn_there() {
    // Black's only piece in B that could move is pinned to his king there.
    let position = plain("AKe1 APb4 Apb5 BRa8 BQa7 Bng8 Bkh8 BPg6", "b A");
    assert_eq!(moves(&position), "");
    assert_eq!(status(&position), "stalemate");
}

#[test]
fn whites_own_double_step_is_no_chance_for_white_in_the_other_area() {
    // After b2-b4 in B, b3 is an ep square for Black's pawn on c4, not for White's on c2.
    let position = twin("AKh1 Aqg3 BPb4 BPc2 Bpc4 Bpb5 Bpc3 Bke8", "w A -|- -|b3 -/- 0 5");
    assert_eq!(state(&position), "w A -|- -|b3 -/- 0 5");
    assert_eq!(status(&position), "stalemate");
}

#[test]
fn blacks_en_passant_is_a_chance_for_black_in_the_other_area() {
    // The pawn on c4 is blocked, and so is Black in A; it could take on b3.
    let position = twin("AKe1 APg4 Apg5 BPb4 BPc3 Bpc4 BQg6 Bkh8", "b A -|- -|b3 -/- 0 5");
    assert_eq!(moves(&position), "0000");
    let position = twin("AKe1 APg4 Apg5 BPb4 BPc3 Bpc4 BQg6 Bkh8", "b A -|- -|- -/- 0 5");
    assert_eq!(status(&position), "stalemate");
}

#[test]
fn a_bound_player_is_not_stalemated() {
    // Nothing could move anywhere but the blocked declaration lets White pass.
    let position = twin("AKh1 Aqg3 BPa4 Bpa5 APa4 Apa5 Bke8", "w B -|- -|- a4x/- 0 5");
    assert_eq!(moves(&position), "0000");
    assert_eq!(status(&position), "ongoing");
}

#[test]
fn a_bound_player_is_checkmated_when_passing_breaks_the_kings_safety() {
    // Black's king in B was attacked when he declared in A; now he is due in B and has to pass.
    let start = plain("AKe1 APb2 Arh4 BRe1 Brh4 Bke8", "b A");
    let position = play(start, "h4h4 b2b3");
    assert_eq!(state(&position), "b B -|- -|- -/h4x 0 2");
    assert_eq!(status(&position), "checkmate white-wins");
}

#[test]
fn a_bound_player_whose_teleport_cannot_meet_the_attack_is_checkmated() {
    let start = plain("AKe1 APb2 Arh4 BRe1 Bke8", "b A");
    let position = play(start, "h4h4 b2b3");
    assert_eq!(status(&position), "checkmate white-wins");
    // Where it does, it takes place.
    let start = plain("AKe1 APb2 Arh4 BRh4 Bkb4", "b A");
    let position = play(start, "h4h4 b2b3");
    assert_eq!(only_kind(&position), MoveKind::Transfer);
}

#[test]
fn a_piece_in_transit_whose_landing_leaves_the_king_attacked_is_mate() {
    let position = twin("AKe1 ARa4 BRe1 Bke8", "b B -|- -|- -/a4:n 3 3");
    assert_eq!(status(&position), "checkmate white-wins");
}
