//! Placing and moving the portals, black holes, results.

use super::*;

fn squares_of(moves: &str) -> Vec<&str> {
    moves.split(' ').map(|m| &m[3..]).collect()
}

#[test]
fn the_game_begins_with_two_placements() {
    let mut position = Portalduel::start();
    let texts = |p: &Portalduel| {
        let mut texts: Vec<_> = p.legal_moves().iter().map(ToString::to_string).collect();
        texts.sort();
        texts.join(" ")
    };
    assert_eq!(texts(&position), "O@a4 O@b4 O@c4 O@d4 O@e4 O@f4 O@g4 O@h4");
    let m = find(&position, "O@e4");
    position.play_unchecked(m, &mut ());
    assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - e4- 1 1");
    assert_eq!(texts(&position), "O@a5 O@b5 O@c5 O@d5 O@e5 O@f5 O@g5 O@h5");
    let m = find(&position, "O@a5");
    position.play_unchecked(m, &mut ());
    assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - e4a5 2 2");
    assert!(texts(&position).contains("e2a5"));
    assert!(position.noisy_moves().is_empty());
}

#[test]
fn a_portal_in_hand_is_a_marker_too() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - e4- 1 1";
    let mut position = read(fen);
    let at: Vec<_> = position.markers().iter().map(|m| (m.marker, m.at, m.count)).collect();
    assert_eq!(
        at,
        [
            (portal(Color::White), Place::Board(AREA, Square::E4), 1),
            (portal(Color::Black), Place::Hand(Color::Black), 1)
        ]
    );
    let mut effects = Vec::new();
    let m = find(&position, "O@h5");
    position.play_unchecked(m, &mut effects);
    let marker = portal(Color::Black);
    let to = Place::Board(AREA, Square::H5);
    assert_eq!(effects, [Effect::MarkerMove { marker, from: Place::Hand(Color::Black), to }]);
    assert!(read(fen).null_move().is_none() && position.null_move().is_some());
}

#[test]
fn a_portal_is_placed_on_any_square_of_the_rank_but_never_are_both_occupied() {
    let fen = "4k3/8/8/p6p/P7/8/8/4K3 w - - -- 0 1";
    assert_eq!(legal(fen).len(), 8);
    assert_eq!(legal("4k3/8/8/p6p/P7/8/8/4K3 b - - a4- 1 1").join(" "), "O@b5 O@c5 O@d5 O@e5 O@f5 O@g5");
    assert_eq!(legal("4k3/8/8/p6p/P7/8/8/4K3 b - - b4- 1 1").len(), 8);
}

#[test]
fn a_placement_must_not_expose_the_own_king() {
    // With Black's portal on g5 the rook would ride to the king on g8.
    let moves = legal("6k1/8/8/8/8/8/8/R6K b - - a4- 1 1").join(" ");
    assert_eq!(moves, "O@a5 O@b5 O@c5 O@d5 O@e5 O@f5 O@h5");
}

#[test]
fn the_own_portal_moves_one_king_step() {
    let moves = legal_from("4k3/8/8/8/8/8/8/4K3 w - - c4h7 0 1", "O");
    assert_eq!(squares_of(&moves), ["b3", "b4", "b5", "c3", "c5", "d3", "d4", "d5"]);
    let moves = legal_from("4k3/8/8/8/8/8/8/4K3 w - - h4a7 0 1", "O");
    assert_eq!(squares_of(&moves), ["g3", "g4", "g5", "h3", "h5"]);
    assert_eq!(after("4k3/8/8/8/8/8/8/4K3 w - - c4h7 5 1", "Oc4d5"), "4k3/8/8/8/8/8/8/4K3 b - - d5h7 6 1");
}

#[test]
fn a_piece_on_the_square_the_portal_leaves_stays_there() {
    assert_eq!(after("4k3/8/8/8/2N5/8/8/4K3 w - - c4h7 5 1", "Oc4d5"), "4k3/8/8/8/2N5/8/8/4K3 b - - d5h7 6 1");
}

#[test]
fn a_portal_that_comes_to_a_piece_of_either_side_teleports_it() {
    let fen = "4k3/8/8/3n4/2N5/3B4/8/4K3 w - - c4h7 5 1";
    assert!(!legal_from(fen, "O").is_empty());
    // With the other portal empty the knight on d5 and the bishop on d3 can be sent, although one stands on c4.
    assert_eq!(after(fen, "Oc4d5"), "4k3/7n/8/8/2N5/3B4/8/4K3 b - - d5h7 6 1");
    assert_eq!(after(fen, "Oc4d3"), "4k3/7B/8/3n4/2N5/8/8/4K3 b - - d3h7 6 1");
}

#[test]
fn kings_are_teleported_too() {
    let fen = "8/8/8/8/4k3/8/8/4K3 w - - d3h7 5 1";
    assert_eq!(after(fen, "Od3e4"), "8/7k/8/8/8/8/8/4K3 b - - e4h7 6 1");
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - e2b7 5 1";
    assert_eq!(after(fen, "Oe2e1"), "4k3/1K6/8/8/8/8/8/R6R b - - e1b7 6 1");
    // The own king only to safety.
    assert!(!legal("4k3/7r/8/8/8/8/8/R3K2R w KQ - e2b7 5 1").contains(&"Oe2e1".to_string()));
}

#[test]
fn no_teleport_onto_an_occupied_portal() {
    let moves = legal_from("4k3/7p/8/3n4/8/3B4/8/4K3 w - - c4h7 5 1", "O");
    assert_eq!(squares_of(&moves), ["b3", "b4", "b5", "c3", "c5", "d4"]);
}

#[test]
fn a_teleported_own_pawn_promotes_by_choice_and_the_enemys_to_a_queen() {
    let fen = "4k3/8/8/3P4/8/8/8/4K3 w - - c4h8 5 1";
    assert_eq!(legal_from(fen, "Oc4d5"), "Oc4d5b Oc4d5n Oc4d5q Oc4d5r");
    assert_eq!(after(fen, "Oc4d5r"), "4k2R/8/8/8/8/8/8/4K3 b - - d5h8 0 1");
    assert_eq!(read(fen).noisy_moves().len(), 4);
    let fen = "4k3/8/8/3p4/8/8/8/2K5 w - - c4h2 5 1";
    assert_eq!(after(fen, "Oc4d5"), "4k3/8/8/8/8/8/7p/2K5 b - - d5h2 6 1");
    let fen = "4k3/8/8/3p4/8/8/2K5/8 w - - c4h1 5 1";
    assert_eq!(after(fen, "Oc4d5"), "4k3/8/8/8/8/8/2K5/7q b - - d5h1 0 1");
    assert_eq!(read(fen).noisy_moves().len(), 1);
    // It would give check at once.
    assert!(!legal("4k3/8/8/3p4/8/8/8/2K5 w - - c4h1 5 1").contains(&"Oc4d5".to_string()));
}

#[test]
fn a_pawn_teleported_to_its_own_first_rank_steps_once_from_there() {
    let fen = "4k3/8/8/3P4/8/8/8/K7 w - - c4h1 5 1";
    let next = after(fen, "Oc4d5");
    assert_eq!(next, "4k3/8/8/8/8/8/8/K6P b - - d5h1 6 1");
    assert_eq!(legal_from(&next.replace(" b ", " w "), "h1"), "h1h2");
}

#[test]
fn a_teleported_rook_has_moved() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - h2c7 5 1";
    assert_eq!(after(fen, "Oh2h1"), "4k3/2R5/8/8/8/8/8/R3K3 b Q - h1c7 6 1");
}

#[test]
fn the_movers_king_must_be_safe_after_a_portals_move() {
    // The portal shields the king.
    let moves = legal_from("4r1k1/8/8/8/4N3/8/8/4K3 w - - e6a5 0 1", "O");
    assert_eq!(squares_of(&moves).len(), 8);
    let moves = legal_from("4r1k1/8/8/8/8/8/8/4K3 w - - e6a4 0 1", "O");
    assert_eq!(squares_of(&moves), ["e5", "e7"]);
    // The portal must not open a way through.
    let moves = legal_from("k7/8/8/8/r7/8/8/4K3 w - - c2h4 0 1", "O");
    assert_eq!(squares_of(&moves), ["b2", "b3", "c3", "d2", "d3"]);
    let moves = legal_from("k4r2/8/8/8/8/8/8/7K w - - g3h5 0 1", "O");
    assert_eq!(squares_of(&moves), ["g2", "g4", "h2", "h3", "h4"]);
}

#[test]
fn two_portals_that_meet_are_a_black_hole() {
    let fen = "4k3/8/2n5/1p1Pq3/3R4/4N3/8/4K3 w - - c4d5 7 1";
    assert_eq!(after(fen, "Oc4d5"), "4k3/8/8/1p6/8/4N3/8/4K3 b - - d5d5 0 1");
    let mut position = read(fen);
    let m = find(&position, "Oc4d5");
    assert!(position.noisy_moves().contains(&m));
    let mut effects = Vec::new();
    position.play_unchecked(m, &mut effects);
    let at = Place::Board(AREA, Square::D5);
    assert_eq!(
        effects[0],
        Effect::MarkerMove { marker: portal(Color::White), from: Place::Board(AREA, Square::C4), to: at }
    );
    assert_eq!(effects.iter().filter(|e| matches!(e, Effect::Remove { .. })).count(), 4);
    assert_eq!(
        effects[5..],
        [
            Effect::MarkerRemove { marker: portal(Color::White), at },
            Effect::MarkerAdd { marker: locked(Color::White), at },
            Effect::MarkerRemove { marker: portal(Color::Black), at },
            Effect::MarkerAdd { marker: locked(Color::Black), at },
        ]
    );
    assert!(position.markers().iter().all(|m| m.marker.kind == MarkerKind::Locked && m.at == at));
    assert_eq!(legal_from(&position.fen(), "O"), "");
}

#[test]
fn a_black_hole_in_empty_space_does_not_restart_the_clock() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - c4d4 7 1";
    assert_eq!(after(fen, "Oc4d4"), "4k3/8/8/8/8/8/8/4K3 b - - d4d4 8 1");
    assert!(read(fen).noisy_moves().is_empty());
}

#[test]
fn a_black_hole_takes_castling_rights_with_the_rook() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - a3b2 7 1";
    assert_eq!(after(fen, "Oa3b2"), "4k3/8/8/8/8/8/8/4K2R b K - b2b2 0 1");
}

#[test]
fn no_black_hole_that_takes_the_own_king() {
    assert!(!legal("8/8/8/8/2k5/8/8/4K3 w - - c3d2 0 1").contains(&"Oc3d2".to_string()));
    assert!(!legal("8/8/8/8/8/2k5/8/4K3 w - - c1d2 0 1").contains(&"Oc1d2".to_string()));
}

#[test]
fn a_black_hole_must_leave_the_own_king_safe() {
    // It takes the knight that shields the king.
    assert!(!legal("4r1k1/8/8/8/4N3/8/8/4K3 w - - c4d4 0 1").contains(&"Oc4d4".to_string()));
    assert!(legal("4r1k1/8/8/8/8/4N3/8/4K3 w - - b4c4 0 1").contains(&"Ob4c4".to_string()));
}

#[test]
fn the_king_that_a_black_hole_takes_has_lost_even_if_the_other_is_attacked() {
    let fen = "4r3/8/8/3k4/8/8/8/4K3 w - - c3c4 0 1";
    assert!(read(fen).in_check());
    let next = after(fen, "Oc3c4");
    assert_eq!(next, "4r3/8/8/8/8/8/8/4K3 b - - c4c4 0 1");
    let position = read(&next);
    assert!(position.legal_moves().is_empty());
    let outcome = position.outcome().expect("a result");
    assert_eq!(outcome, Outcome::win(Color::White, EndReason::KingDestroyed));
    assert_eq!(outcome.status(), "king-destroyed white-wins");
    assert!(!position.in_check() && position.checked_kings().is_empty());
}

#[test]
fn only_bare_kings_with_locked_portals_are_insufficient() {
    assert!(read("4k3/8/8/8/8/8/8/4K3 w - - d4d4 0 1").is_insufficient());
    assert!(!read("4k3/8/8/8/8/8/8/4K3 w - - d4d5 0 1").is_insufficient());
    assert!(!read("4k3/8/8/8/8/8/8/4KN2 w - - d4d4 0 1").is_insufficient());
    assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - - d4d5 0 1").outcome(), None);
}

#[test]
fn a_portal_and_a_king_can_still_win_until_the_portals_are_locked() {
    let can = |fen: &str| {
        let position = read(fen);
        (position.can_win(Color::White), position.can_win(Color::Black))
    };
    assert_eq!(can("4k3/8/8/8/8/8/8/4K3 w - - d4d5 0 1"), (true, true));
    assert_eq!(can("4k3/8/8/8/8/8/8/4K3 w - - d4d4 0 1"), (false, false));
    assert_eq!(can("4k3/8/8/8/8/8/8/R3K3 w - - d4d4 0 1"), (true, false));
}

#[test]
fn shifts_keep_pieces_and_portals_in_the_effects() {
    let mut position = read("4k3/8/8/3p4/8/8/2K5/8 w - - c4h1 5 1");
    let mut effects = Vec::new();
    let m = find(&position, "Oc4d5");
    position.play_unchecked(m, &mut effects);
    let at = |square| Place::Board(AREA, square);
    let pawn = Piece::new(Color::Black, Role::Pawn);
    assert_eq!(
        effects,
        [
            Effect::Move { piece: pawn, from: at(Square::D5), to: at(Square::H1) },
            Effect::Remove { piece: pawn, at: at(Square::H1) },
            Effect::Add { piece: Piece::new(Color::Black, Role::Queen), at: at(Square::H1) },
            Effect::MarkerMove { marker: portal(Color::White), from: at(Square::C4), to: at(Square::D5) },
        ]
    );
}

#[test]
fn positions_that_differ_in_portals_alone_have_different_hashes() {
    let hash = |portals: &str| read(&format!("4k3/8/8/8/8/8/8/4K3 w - - {portals} 0 1")).hash_key();
    assert_eq!(hash("c4d5"), hash("c4d5"));
    assert_ne!(hash("c4d5"), hash("d5c4"));
    assert_ne!(hash("c4d5"), hash("c4d6"));
    assert_ne!(hash("c4c4"), hash("d5d5"));
    assert_ne!(
        read("4k3/8/8/8/8/8/8/4K3 b - - c4- 0 1").hash_key(),
        read("4k3/8/8/8/8/8/8/4K3 b - - d4- 0 1").hash_key()
    );
}
