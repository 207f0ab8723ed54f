//! Declared teleports.

use super::*;
use crate::core::{Area, Effect, Marker, MarkerKind, MarkerView, Move, Observer, Place};

fn effects(position: &mut TwinPortal, text: &str) -> Vec<Effect> {
    let m = uci::find(&position.legal_moves(), text).expect("a legal move");
    let mut list = Vec::new();
    position.play_unchecked(m, &mut list);
    list
}

fn declared(owner: Color) -> Marker {
    Marker { kind: MarkerKind::Declared, owner: Some(owner) }
}

const A4: Square = Square::A4;
const ON_A: Place = Place::Board(Area::A, A4);
const ON_B: Place = Place::Board(Area::B, A4);

#[test]
fn a_declared_piece_teleports_on_its_owners_next_turn() {
    let start = plain("AKe1 ARa4 Bke8 BPb2 Bpb7", "w A");
    let position = play(start.clone(), "a4a4");
    assert_eq!(position.pieces(), start.pieces());
    assert_eq!(state(&position), "b B -|- -|- a4/- 1 1");
    let position = play(position, "b7b6");
    assert_eq!(moves(&position), "0000");
    assert_eq!(only_kind(&position), MoveKind::Transfer);
    let position = play(position, "0000");
    assert_eq!(position.piece_at(Area::A, A4), None);
    assert_eq!(position.piece_at(Area::B, A4), Some(piece('R')));
    assert_eq!(state(&position), "b A -|- -|- -/- 1 2");
}

#[test]
fn black_too_teleports_on_his_next_turn() {
    let start = plain("AKe1 APb2 Arh5 Bke8 BPb2", "b A");
    let position = play(start, "h5h5 e1e2");
    assert_eq!(state(&position), "b B -|- -|- -/h5 2 2");
    let position = play(position, "0000");
    assert_eq!(position.piece_at(Area::B, Square::H5), Some(piece('r')));
    assert_eq!(state(&position), "w B -|- -|- -/- 3 3");
}

#[test]
fn a_teleport_captures_an_enemy_piece() {
    let start = twin("AKe1 ARa4 Bke8 Bna4 Bpb7", "w B -|- -|- a4/- 5 9");
    let m = start.legal_moves()[0];
    assert_eq!(start.captured(m), Some(piece('n')));
    assert_eq!(start.noisy_moves().as_slice(), [m]);
    let after = play(start, "0000");
    assert_eq!(after.piece_at(Area::B, A4), Some(piece('R')));
    assert_eq!(after.halfmove_clock(), 0);
    assert_eq!(after.pieces().len(), 4);
}

#[test]
fn a_teleport_without_capture_changes_no_material() {
    let start = twin("AKe1 ARa4 Bke8 Bpb7", "w B -|- -|- a4/- 5 9");
    assert!(start.noisy_moves().is_empty());
    assert_eq!(start.captured(start.legal_moves()[0]), None);
}

#[test]
fn any_own_piece_on_a_portal_of_the_area_due_may_be_declared() {
    let position = plain("AKa4 APa5 ANh4 Aqh5 BRa5 Bke8", "w A");
    let intents: Vec<_> = ["a4a4", "a5a5", "h4h4", "h5h5"].into_iter().filter(|t| allows(&position, t)).collect();
    assert_eq!(intents, ["a4a4", "a5a5", "h4h4"]);
    assert!(position.legal_moves().iter().all(|m| (m.from() == m.to()) == (m.kind() == MoveKind::Declare)));
}

#[test]
fn portals_of_a_divided_board_declare_across_the_line() {
    let start = split("4/4/4/4/R2N/4/4/4|k3/3p/4/4/4/4/P3/K3 w A -|- -|- -/- 0 1");
    assert!(allows(&start, "a4a4") && allows(&start, "d4d4"));
    let position = play(start, "d4d4 h7h6 0000");
    assert_eq!(position.piece_at(Area::B, Square::H4), Some(piece('N')));
    assert_eq!(position.piece_at(Area::A, Square::D4), None);
    let black = split("4/4/4/4/4/4/P3/4|k3/3p/4/n3/4/4/4/K3 b B -|- -|- -/- 0 1");
    let position = play(black, "e5e5 e1f1 0000");
    assert_eq!(position.piece_at(Area::A, Square::A5), Some(piece('n')));
}

#[test]
fn a_friend_at_the_other_end_blocks_and_the_next_turn_is_a_pass() {
    let start = plain("AKe1 ARa4 BNa4 Bke8 Bpb7", "w A");
    let position = play(start.clone(), "a4a4");
    assert_eq!(state(&position), "b B -|- -|- a4x/- 1 1");
    let position = play(position, "b7b6");
    assert_eq!(moves(&position), "0000");
    assert_eq!(only_kind(&position), MoveKind::Pass);
    let position = play(position, "0000");
    assert_eq!(state(&position), "b A -|- -|- -/- 1 2");
    assert_eq!(position.piece_at(Area::A, A4), Some(piece('R')));
    assert_eq!(position.piece_at(Area::B, A4), Some(piece('N')));
}

#[test]
fn a_blocked_declaration_stays_blocked_when_the_blocker_is_captured() {
    let start = plain("AKe1 ARa4 BNa4 Bke8 Bra8", "w A");
    let position = play(start, "a4a4 a8a4");
    assert_eq!(state(&position), "w B -|- -|- a4x/- 0 2");
    assert_eq!(only_kind(&position), MoveKind::Pass);
}

#[test]
fn a_declaration_is_void_when_its_piece_is_captured() {
    let start = plain("AKe1 Apb7 APb2 BRh4 Bra4 Bke8", "b B");
    let position = play(start, "a4a4");
    assert_eq!(state(&position), "w B -|- -|- -/a4 1 2");
    let position = play(position, "h4a4");
    assert_eq!(state(&position), "b A -|- -|- -/- 0 2");
    assert_eq!(moves(&position), "b7b5 b7b6");
}

#[test]
fn a_blocked_declaration_is_void_too_when_its_piece_is_captured() {
    let start = plain("AKe1 Apb7 Ana4 BRh4 Bra4 Bke8", "b B");
    let position = play(start, "a4a4");
    assert_eq!(state(&position), "w B -|- -|- -/a4x 1 2");
    let position = play(position, "h4a4");
    assert_eq!(state(&position), "b A -|- -|- -/- 0 2");
    assert!(allows(&position, "b7b5") && allows(&position, "a4a4"));
}

#[test]
fn an_illegal_teleport_becomes_a_pass() {
    // The rook may not leave the king's file open.
    let start = plain("AKa1 ARa4 Ara8 Bke8 Bpb7 BPb2", "w A");
    let position = play(start, "a4a4 b7b6");
    assert_eq!(moves(&position), "0000");
    assert_eq!(only_kind(&position), MoveKind::Pass);
    let position = play(position, "0000");
    assert_eq!(position.piece_at(Area::A, A4), Some(piece('R')));
    assert_eq!(state(&position), "b A -|- -|- -/- 1 2");
}

#[test]
fn a_king_cannot_teleport_into_an_attack() {
    let start = plain("AKa4 Bke8 Brh7 APb2 BPg2", "w A");
    let safe = play(start.clone(), "a4a4 e8e7");
    assert_eq!(only_kind(&safe), MoveKind::Transfer);
    let attacked = play(start, "a4a4 h7h4");
    assert_eq!(only_kind(&attacked), MoveKind::Pass);
}

#[test]
fn a_teleport_may_block_or_capture_for_the_king() {
    // Black's king on A is attacked along the fourth rank; the piece coming down on h4 takes the attacker.
    let position = twin("AKe1 Akc4 ARh4 Brh4 BPa2", "b A -|- -|- -/h4 0 2");
    assert!(position.in_check());
    assert_eq!(only_kind(&position), MoveKind::Transfer);
    let after = play(position, "0000");
    assert_eq!(after.piece_at(Area::A, Square::H4), Some(piece('r')));
}

#[test]
fn the_enemy_piece_that_has_declared_itself_is_lifted_off_and_lands() {
    let mut position = plain("AKe1 Bke8 BRa4 Ana4 BPg2", "w B");
    position = play(position, "a4a4 a4a4");
    assert_eq!(state(&position), "w A -|- -|- a4/a4 2 2");
    let m = position.legal_moves()[0];
    assert_eq!((m.kind(), position.captured(m)), (MoveKind::Transfer, None));
    assert!(position.noisy_moves().is_empty());
    let before = position.pieces().len();
    let lifting = effects(&mut position, "0000");
    let transit = Place::Transit(Color::Black);
    assert_eq!(
        lifting,
        [
            Effect::MarkerRemove { marker: declared(Color::White), at: ON_B },
            Effect::Move { piece: piece('n'), from: ON_A, to: transit },
            Effect::MarkerMove { marker: declared(Color::Black), from: ON_A, to: transit },
            Effect::Move { piece: piece('R'), from: ON_B, to: ON_A },
        ]
    );
    assert_eq!(state(&position), "b B -|- -|- -/a4:n 3 2");
    assert!(position.pieces().contains(&(transit, piece('n'))));
    assert_eq!(position.pieces().len(), before);
    assert_eq!(position.held(Color::Black), Some(crate::Role::Knight));
    let landing = MarkerView { marker: declared(Color::Black), at: transit, to: Some(ON_B), count: 1 };
    assert_eq!(position.markers(), [landing]);

    assert_eq!(only_kind(&position), MoveKind::Transfer);
    let landing = effects(&mut position, "0000");
    assert_eq!(
        landing,
        [
            Effect::MarkerRemove { marker: declared(Color::Black), at: transit },
            Effect::Move { piece: piece('n'), from: transit, to: ON_B },
        ]
    );
    assert_eq!(state(&position), "w B -|- -|- -/- 4 3");
    assert_eq!(position.piece_at(Area::B, A4), Some(piece('n')));
    assert_eq!(position.piece_at(Area::A, A4), Some(piece('R')));
}

#[test]
fn a_declared_piece_that_whites_teleport_does_not_meet_follows_normally() {
    let start = plain("AKe1 Bke8 BRa4 Anh4 BPg3 BNh4", "w B");
    let position = play(start, "a4a4 h4h4 0000");
    assert_eq!(state(&position), "b B -|- -|- -/h4 3 2");
    let position = play(position, "0000");
    assert_eq!(position.piece_at(Area::B, Square::H4), Some(piece('n')));
    assert_eq!(position.halfmove_clock(), 0);
}

#[test]
fn two_declared_kings_change_places() {
    let start = plain("BKa4 Aka4 BPg2 Apg6", "w B");
    let position = play(start, "a4a4");
    assert_eq!(moves(&position), "a4a3 a4a4 a4a5 a4b3 a4b4 a4b5");
    let position = play(position, "a4a4 0000");
    assert_eq!(state(&position), "b B -|- -|- -/a4:k 3 2");
    let position = play(position, "0000");
    assert_eq!(position.piece_at(Area::A, A4), Some(piece('K')));
    assert_eq!(position.piece_at(Area::B, A4), Some(piece('k')));
}

#[test]
fn effects_of_a_declaration_are_markers_only() {
    let mut position = plain("AKe1 ARa4 BNa4 ANh5 Bke8 Bpb7", "w A");
    let blocked = Marker { kind: MarkerKind::Blocked, owner: Some(Color::White) };
    assert_eq!(effects(&mut position, "a4a4"), [Effect::MarkerAdd { marker: blocked, at: ON_A }]);
    assert_eq!(position.markers(), [MarkerView { marker: blocked, at: ON_A, to: Some(ON_B), count: 1 }]);
    position = play(position, "b7b6");
    assert_eq!(effects(&mut position, "0000"), [Effect::MarkerRemove { marker: blocked, at: ON_A }]);
    assert!(position.markers().is_empty());
}

#[test]
fn effects_of_a_void_declaration_take_the_marker_away() {
    let mut position = twin("AKe1 Apb7 BRh4 Bra4 Bke8", "w B -|- -|- -/a4 1 2");
    assert_eq!(position.markers()[0].to, Some(ON_A));
    let list = effects(&mut position, "h4a4");
    assert_eq!(list.last(), Some(&Effect::MarkerRemove { marker: declared(Color::Black), at: ON_B }));
    assert_eq!(list.len(), 3);
}

#[test]
fn a_null_move_is_for_players_who_are_not_bound() {
    let bound = twin("AKe1 ARa4 Bke8 Bpb7", "w B -|- -|- a4/- 5 9");
    assert!(bound.null_move().is_none());
    let free = TwinPortal::start().null_move().expect("a position");
    assert_eq!((free.turn(), free.area()), (Color::Black, Area::B));
    assert_eq!(free.hash_key(), free.compute_hash());
}

#[test]
fn an_observer_of_nothing_sees_the_same_game() {
    struct Counting(usize);
    impl Observer for Counting {
        fn effect(&mut self, _: Effect) {
            self.0 += 1;
        }
    }
    let mut position = TwinPortal::start();
    let m: Move = position.legal_moves()[0];
    let mut counting = Counting(0);
    let silent = position.after(m);
    position.play_unchecked(m, &mut counting);
    assert_eq!((position, counting.0), (silent, 1));
}
