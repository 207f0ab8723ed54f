//! Boards, order of turns, and what is as in chess.

use super::*;
use crate::core::{Area, Bitboard, MoveSink, Place, Role};
use crate::variants::howe::{Geometry, Howe};
use std::collections::HashSet;

fn kings<P: Position>(position: &P) -> Vec<(Place, Piece)> {
    position.pieces().into_iter().filter(|(_, p)| p.role() == Role::King).collect()
}

#[test]
fn two_boards_have_a_set_each_but_one_king_a_side() {
    let start = TwinPortal::start();
    let expected = [(Place::Board(Area::A, Square::E1), piece('K')), (Place::Board(Area::B, Square::E8), piece('k'))];
    assert_eq!(kings(&start), expected);
    assert_eq!(start.piece_at(Area::A, Square::E8), None);
    assert_eq!(start.piece_at(Area::B, Square::E1), None);
    for area in [Area::A, Area::B] {
        assert_eq!(start.board(area).occupied().len(), 31);
        assert_eq!(start.piece_at(area, Square::D8), Some(piece('q')));
    }
}

#[test]
fn one_divided_board_has_the_usual_array_with_both_kings_on_b() {
    let start = SplitPortal::start();
    let expected = [(Place::Board(Area::B, Square::E1), piece('K')), (Place::Board(Area::B, Square::E8), piece('k'))];
    assert_eq!(kings(&start), expected);
    let chess = crate::variants::Chess::start();
    for square in Square::all() {
        let area = if square.file() < 4 { Area::A } else { Area::B };
        assert_eq!(start.piece_at(area, square), chess.piece_at(Area::A, square));
        assert_eq!(start.piece_at(area.other(), square), None);
    }
}

fn geometry_is_told_as_data<G: Geometry>() {
    for info in G::INFO.areas {
        assert_eq!(info.squares, G::squares(info.area));
        assert!(G::INFO.boards.iter().any(|b| b.id == info.board));
        for square in G::portals(info.area) {
            let linked = (info.area.other(), G::linked(info.area, square));
            assert_eq!(G::INFO.linked(info.area, square), Some(linked));
            assert!(G::portals(linked.0).has(linked.1));
        }
    }
    assert_eq!(G::INFO.links.len(), 4);
    assert!(G::INFO.alternating());
    assert_eq!(Howe::<G>::INFO.id, G::INFO.id);
}

#[test]
fn geometries_agree_with_what_clients_are_told() {
    geometry_is_told_as_data::<crate::variants::twinportal::TwoBoards>();
    geometry_is_told_as_data::<crate::variants::splitportal::TwoHalves>();
}

#[test]
fn portals_of_two_boards_lead_to_the_same_square_of_the_other() {
    let links = TwinPortal::INFO.links;
    assert!(links.iter().all(|(a, b)| a.1 == b.1 && a.0 == Area::A && b.0 == Area::B));
    let squares: Bitboard = links.iter().map(|l| l.0.1).collect();
    assert_eq!(squares, [Square::A4, Square::A5, Square::H4, Square::H5].into_iter().collect());
}

#[test]
fn portals_of_a_divided_board_lead_four_files_across() {
    let links: HashSet<_> = SplitPortal::INFO.links.iter().map(|(a, b)| (a.1, b.1)).collect();
    let expected =
        [(Square::A4, Square::E4), (Square::A5, Square::E5), (Square::D4, Square::H4), (Square::D5, Square::H5)];
    assert_eq!(links, expected.into_iter().collect());
}

#[test]
fn turns_go_white_a_black_b_white_b_black_a() {
    let mut position = TwinPortal::start();
    let mut seen = Vec::new();
    for text in ["e2e4", "a7a5", "h2h4", "e7e5", "g1f3"] {
        seen.push((position.turn().letter(), position.area().letter(), position.fullmove_number()));
        position = play(position, text);
    }
    assert_eq!(seen, [('w', 'A', 1), ('b', 'B', 1), ('w', 'B', 2), ('b', 'A', 2), ('w', 'A', 3)]);
    assert_eq!(
        position.fen(),
        "rnbq1bnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R|rnbqkbnr/1ppppppp/8/p7/7P/8/PPPPPPP1/RNBQ1BNR \
         b B KQ|kq -|- -/- 1 3"
    );
}

#[test]
fn on_a_divided_board_white_begins_in_a_and_black_in_b() {
    let start = SplitPortal::start();
    assert_eq!(moves(&start), "a2a3 a2a4 b1a3 b1c3 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4");
    assert_eq!(moves(&play(start, "a2a4")), "e7e5 e7e6 f7f5 f7f6 g7g5 g7g6 g8f6 g8h6 h7h5 h7h6");
}

#[test]
fn a_turn_moves_a_piece_of_the_area_due_only() {
    let position = plain("AKe1 Bke8 ANb1 BQd1 BPb2", "w A");
    assert!(position.legal_moves().iter().all(|m| [Square::E1, Square::B1].contains(&m.from())));
    let position = plain("AKe1 Bke8 ANb1 BQd1 BPb2", "w B");
    assert!(position.legal_moves().iter().all(|m| [Square::D1, Square::B2].contains(&m.from())));
}

#[test]
fn no_move_crosses_the_line_of_a_divided_board() {
    let position = split("4/4/4/1Q2/2B1/2N1/3P/R3|4/4/k3/p3/1p2/4/3K/4 w A -|- -|- -/- 0 1");
    assert!(position.legal_moves().iter().all(|m| m.to().file() < 4));
    assert!(allows(&position, "c3d5") && !allows(&position, "c3e2"));
    // The pawn on d2 attacks no piece beyond the line, the queen on b5 no king beyond it.
    assert!(!position.in_check());
    let position = split("4/4/4/4/4/2q1/1r2/b3|4/4/k3/4/3p/4/1K2/4 w B -|- -|- -/- 0 1");
    assert!(!position.in_check());
    assert_eq!(moves(&position), "f2e1 f2e2 f2e3 f2f1 f2f3 f2g1 f2g2");
}

#[test]
fn portals_are_ordinary_squares_otherwise() {
    // A rook passes over one, a piece stops on one, a piece is captured on one, and stays in its area.
    let position = plain("AKe1 Bke8 ARa1 Aph4 ABe7 Apa7", "w A");
    assert!(allows(&position, "a1a4") && allows(&position, "a1a5") && allows(&position, "a1a7"));
    let position = play(position, "e7h4");
    assert_eq!(position.piece_at(Area::A, Square::H4), Some(piece('B')));
    assert_eq!(position.halfmove_clock(), 0);
}

#[test]
fn en_passant_waits_for_the_next_turn_in_its_area() {
    let start = plain("AKe1 Bke8 APc2 Apb4 Apg7 BPg2 Bpg7", "w A");
    let position = play(start, "c2c4");
    assert_eq!(state(&position), "b B -|- c3|- -/- 0 1");
    let position = play(position, "g7g6 g2g3");
    assert_eq!(state(&position), "b A -|- c3|- -/- 0 2");
    let after = play(position.clone(), "b4c3");
    assert_eq!(after.piece_at(Area::A, Square::C4), None);
    assert_eq!(after.piece_at(Area::A, Square::C3), Some(piece('p')));
    assert_eq!(after.halfmove_clock(), 0);
    // Later it is too late.
    let later = play(position, "g7g6 e1e2 g6g5 g3g4");
    assert_eq!(state(&later), "b A -|- -|- -/- 0 4");
    assert!(!allows(&later, "b4c3"));
}

#[test]
fn both_areas_can_have_an_ep_square_at_a_time() {
    let start = plain("AKe1 Bke8 APc2 Apb4 BPe5 Bpd7", "w A");
    let position = play(start, "c2c4 d7d5");
    assert_eq!(state(&position), "w B -|- c3|d6 -/- 0 2");
    assert!(allows(&position, "e5d6"));
}

#[test]
fn en_passant_is_lost_by_any_turn_in_its_area() {
    let start = plain("AKe1 Bke8 APc2 Apb4 Arh4 BPg2 Bpg7", "w A");
    let declared = play(start, "c2c4 g7g6 g2g3 h4h4");
    assert_eq!(state(&declared), "w A -|- -|- -/h4 1 3");
}

#[test]
fn an_ep_square_goes_when_the_pawn_that_could_use_it_teleports_away() {
    let start = twin("AKe1 Bke8 APg2 Aph4 BPa2", "w A -|- -|- -/h4 0 3");
    let position = play(start, "g2g4");
    assert_eq!(state(&position), "b B -|- g3|- -/h4 0 3");
    assert_eq!(state(&play(position, "0000")), "w B -|- -|- -/- 1 4");
}

#[test]
fn an_ep_square_stays_when_another_pawn_can_use_it() {
    let start = twin("AKe1 Bke8 APg2 Aph4 Apf4 BPa2", "w A -|- -|- -/h4 0 3");
    assert_eq!(state(&play(start, "g2g4 0000")), "w B -|- g3|- -/- 1 4");
}

#[test]
fn castling_is_inside_an_area() {
    let position = twin("AKe1 ARa1 ARh1 Bke8 Bra8 Brh8 Apa7 APb2", "w A KQ|kq -|- -/- 0 1");
    assert!(allows(&position, "e1g1") && allows(&position, "e1c1"));
    let castled = play(position, "e1g1");
    assert_eq!(state(&castled), "b B -|kq -|- -/- 1 1");
    assert_eq!(castled.piece_at(Area::A, Square::F1), Some(piece('R')));
    let castled = play(castled, "e8c8");
    assert_eq!(state(&castled), "w B -|- -|- -/- 2 2");
    assert_eq!(castled.piece_at(Area::B, Square::D8), Some(piece('r')));
}

#[test]
fn castling_asks_only_the_squares_of_its_own_area() {
    let position = twin("AKe1 ARh1 Bke8 Brf8 Bbb5 Apa7", "w A K|- -|- -/- 0 1");
    assert!(allows(&position, "e1g1"));
    let position = twin("AKe1 ARh1 Bke8 Arf8 Apa7", "w A K|- -|- -/- 0 1");
    assert!(!allows(&position, "e1g1"));
}

#[test]
fn a_divided_board_has_castling_on_the_king_side_only() {
    let position = split("4/4/4/4/4/4/p3/4|k2r/4/4/4/4/4/4/K2R w B -|Kk -|- -/- 0 2");
    let castled = play(position, "e1g1");
    assert_eq!(state(&castled), "b A -|k -|- -/- 1 2");
    assert_eq!(castled.piece_at(Area::B, Square::F1), Some(piece('R')));
    assert_eq!(castled.piece_at(Area::B, Square::G1), Some(piece('K')));
}

#[test]
fn a_king_that_has_teleported_has_moved() {
    let start = twin("AKe1 ARa1 ARh1 BRh1 Bke8 Ang8", "w A KQ|- -|- -/- 0 1");
    assert!(allows(&start, "e1g1"));
    // To a4 and across.
    let across = "e1d2 e8e7 h1h2 g8h6 d2c3 e7e8 h2h1 h6g8 c3b4 e8e7 h1h2 g8h6 b4a4 e7e8 h2h1 h6g8 a4a4 e8e7 0000 g8h6";
    let position = play(start, across);
    assert_eq!(kings(&position)[0], (Place::Board(Area::B, Square::A4), piece('K')));
    assert_eq!(state(&position), "w A -|- -|- -/- 20 11");
    // On to e1 of the other board, where a rook stands on h1.
    let home = "a1a2 e7e8 a4b3 h6g8 a2a1 e8e7 b3c2 g8h6 a1a2 e7e8 c2d1 h6g8 a2a1 e8e7 d1e1 g8h6 a1a2 e7e8";
    let position = play(position, home);
    assert_eq!(position.piece_at(Area::B, Square::E1), Some(piece('K')));
    assert_eq!(position.piece_at(Area::B, Square::H1), Some(piece('R')));
    assert!(allows(&position, "e1f1") && !allows(&position, "e1g1"));
}

#[test]
fn pawns_promote_by_moving_onto_the_last_rank() {
    let position = plain("AKe1 Bkh7 BPb7 Bra8", "w B");
    assert_eq!(moves(&position), "b7a8b b7a8n b7a8q b7a8r b7b8b b7b8n b7b8q b7b8r");
    let position = play(position, "b7a8n");
    assert_eq!(position.piece_at(Area::B, Square::A8), Some(piece('N')));
}

#[test]
fn the_halfmove_clock_counts_every_turn_and_restarts_on_captures_and_pawn_moves() {
    let start = twin("AKe1 APa4 Bke8 Bpa5 Bph7 Apg7", "w A -|- -|- -/- 7 9");
    let clocks = ["a4a4", "e8e7", "0000", "g7g6", "e1e2"].iter().scan(start, |position, text| {
        *position = play(position.clone(), text);
        Some(position.halfmove_clock())
    });
    // A pawn's teleport is no pawn move.
    assert_eq!(clocks.collect::<Vec<_>>(), [8, 9, 10, 0, 1]);
    let passing = twin("AKe1 APe2 Bke8", "b A -|- -|- -/- 7 9");
    assert_eq!(play(passing, "0000").halfmove_clock(), 8);
}

#[test]
fn only_two_bare_kings_are_too_little() {
    assert_eq!(status(&plain("AKe1 Bke8", "w A")), "draw-insufficient");
    assert_eq!(status(&plain("AKe1 Ake8", "w A")), "draw-insufficient");
    let position = plain("AKe1 Bke8 BNb1", "w A");
    assert_eq!(status(&position), "ongoing");
    assert!(position.can_win(Color::White) && position.can_win(Color::Black));
    // A piece in transit counts.
    let position = twin("AKe1 Bke8 ARh4", "b B -|- -|- -/h4:n 0 1");
    assert!(!position.is_insufficient());
}

#[test]
fn a_bare_king_can_mate_a_player_bound_by_his_declaration() {
    let position = twin("AKa4 Bka4 Arh4 Brh4", "w A -|- -|- -/h4x 0 5");
    assert_eq!(status(&play(position, "a4a4")), "checkmate white-wins");
}

/// Counts whole sets without looking into them.
#[derive(Default)]
struct Sets(u32);

impl MoveSink for Sets {
    fn push(&mut self, _: crate::core::Move) -> std::ops::ControlFlow<()> {
        self.0 += 1;
        std::ops::ControlFlow::Continue(())
    }
}

#[test]
fn generating_counting_and_stopping_agree() {
    let position = plain("AKe1 ARa4 APh5 ANb1 Bke8 Apg6", "w A");
    let mut sets = Sets::default();
    let _ = position.generate(crate::Which::All, &mut sets);
    assert_eq!(u64::from(sets.0), position.count_legal());
    assert_eq!(position.legal_moves().len() as u64, position.count_legal());
    assert!(position.has_legal_move());
    assert_eq!(position.noisy_moves().iter().map(ToString::to_string).collect::<Vec<_>>(), ["h5g6"]);
}
