//! What the engine relies on in every game's `Position`, beyond its rules.

use warpchess_rules::info::MAX_FEATURES;
use warpchess_rules::variants::{PocketMutation, Portalduel, Porthole, Teleport, TwinPortal, VariantVisitor};
use warpchess_rules::{Area, Bitboard, Color, Place, Position, Square, VariantId};

struct Seams;

impl VariantVisitor for Seams {
    type Output = ();
    fn visit<P: Position>(self) {
        let mut seed = 23u64;
        for _ in 0..25 {
            let mut position = P::start();
            for _ in 0..100 {
                check(&position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                position.play_unchecked(moves[(seed >> 33) as usize % moves.len()], &mut ());
            }
        }
    }
}

fn check<P: Position>(position: &P) {
    let fen = Position::fen(position);
    let boards = position.boards();
    assert!(!boards.is_empty(), "{}: searches need boards", P::INFO.id);
    let mut on_boards = 0;
    for (at, piece) in position.pieces() {
        match at {
            Place::Board(area, square) => {
                let board = boards.get(area.index()).unwrap_or(&boards[0]);
                assert_eq!(board.piece_at(square), Some(piece), "{square} of {fen}");
                on_boards += 1;
            }
            Place::Pocket(color) | Place::Transit(color) => {
                assert_eq!(position.held(color), Some(piece.role()), "{fen}");
                assert_eq!(piece.color(), color, "{fen}");
            }
            Place::Hand(_) => panic!("a piece in hand in {fen}"),
        }
    }
    assert_eq!(boards.iter().map(|b| b.occupied().len()).sum::<u32>(), on_boards, "{fen}");
    for color in Color::ALL {
        let held = position.pieces().iter().any(|&(at, _)| at == Place::Pocket(color) || at == Place::Transit(color));
        assert_eq!(position.held(color).is_some(), held, "{fen}");
    }
    assert_eq!(position.next_turn_in(position.area()), position.turn(), "{fen}");
    // Whoever is said to be next in another area is the first to have a turn there.
    if P::INFO.alternating() {
        let other = if position.area() == Area::A { Area::B } else { Area::A };
        let mut later = position.clone();
        for _ in 0..3 {
            let Some(&m) = later.legal_moves().first() else { return };
            later.play_unchecked(m, &mut ());
            if later.area() == other {
                assert_eq!(later.turn(), position.next_turn_in(other), "{fen}");
                return;
            }
        }
        panic!("the other area of {fen} is never due");
    }
}

#[test]
fn positions_tell_searches_what_is_so() {
    for variant in VariantId::all() {
        variant.visit(Seams);
    }
}

/// How often each feature of a game is counted in a position.
fn features<P: Position>(fen: &str) -> Vec<(&'static str, i32)> {
    let position = P::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
    let mut counts = [0; MAX_FEATURES];
    position.features(&mut counts);
    P::INFO.features.iter().zip(counts).map(|(f, n)| (f.name, n)).filter(|(_, n)| *n != 0).collect()
}

#[test]
fn features_have_names_and_room() {
    for variant in VariantId::all() {
        let features = variant.info().features;
        assert!(features.len() <= MAX_FEATURES, "{variant}");
        let names: std::collections::HashSet<_> = features.iter().map(|f| f.name).collect();
        assert_eq!(names.len(), features.len(), "{variant}");
        let plain = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        assert!(names.iter().all(|name| !name.is_empty() && plain(name)), "{variant}");
    }
}

#[test]
fn a_swap_that_promotes_is_counted_for_its_side() {
    assert_eq!(features::<Teleport>("7R/8/4k3/8/8/8/K6P/8 w - - 0 1"), [("swap_promotion", 1)]);
    assert_eq!(features::<Teleport>("8/k7/8/8/4K3/8/7p/7r b - - 0 1"), [("swap_promotion", -1)]);
    assert_eq!(features::<Teleport>("8/8/4k3/8/8/8/K6P/P6R w - - 0 1"), [("pawns_at_home", 1)]);
}

#[test]
fn pockets_and_what_waits_to_change_are_counted() {
    assert_eq!(features::<PocketMutation>("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 9"), [("held", 1), ("held_worth", 10)]);
    // From a pawn to a knight or a bishop: two pawns and a half.
    assert_eq!(features::<PocketMutation>("P3k3/8/8/8/8/8/8/4K3[] w - - 0 9"), [("mutation", 10)]);
    assert_eq!(features::<PocketMutation>("4k3/8/8/8/8/8/8/Z3K3[z] w - - 0 9"), [("held", -1), ("held_worth", -16)]);
}

#[test]
fn portals_at_a_king_and_ways_through_them_are_seen() {
    let fen = "4k3/8/8/8/8/8/3N4/4K3 w - - e2c7 0 1";
    assert_eq!(features::<Porthole>(fen), [("portals_at_king", 1), ("king_near_portal", 1)]);
    let position = Porthole::from_fen("4k3/8/8/8/8/8/8/1N2K3 w - - c3g7 0 1").expect("fen");
    let reach = position.reach(Area::A, Square::B1, Bitboard::from(Square::C3).with(Square::A3));
    assert_eq!(reach.ways, Bitboard::from(Square::G7));
    assert_eq!(reach.attacks, Bitboard::from(Square::C3).with(Square::A3));
    // Without an exit a portal cannot be entered.
    let shut = Porthole::from_fen("4k3/6p1/8/8/8/8/8/1N2K3 w - - c3g7 0 1").expect("fen");
    assert_eq!(shut.reach(Area::A, Square::B1, Bitboard::from(Square::C3)).attacks, Bitboard::EMPTY);
}

#[test]
fn black_holes_at_hand_and_rides_through_portals_are_seen() {
    // Black's portal next to White's, a queen beside it, and it is Black who could make them meet.
    let fen = "4k3/8/8/3pp3/3Q4/8/8/6K1 w - - c3c4 0 1";
    let found = features::<Portalduel>(fen);
    assert!(found.contains(&("hole_threat", -9)), "{found:?}");
    let position = Portalduel::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - a4h4 0 1").expect("fen");
    let file = [Square::A2, Square::A3, Square::A4].into_iter().collect();
    let through = [Square::H4, Square::H5, Square::H6, Square::H7, Square::H8].into_iter().collect();
    assert_eq!(position.reach(Area::A, Square::A1, file).ways, through);
}

#[test]
fn declared_teleports_are_counted() {
    let position = TwinPortal::start();
    let mut counts = [0; MAX_FEATURES];
    position.features(&mut counts);
    assert_eq!(counts.iter().filter(|n| **n != 0).count(), 0, "the start is even: {counts:?}");
    let fen = "4k3/8/8/8/R7/8/8/4K3|4k3/8/8/8/q7/8/8/8 w A -|- -|- -/- 0 1";
    let Ok(mut position) = TwinPortal::from_fen(&fen.replacen("4k3/", "8/", 1)) else { panic!("{fen}") };
    let declare = warpchess_rules::notation::uci::parse(&position, "a4a4")
        .or_else(|_| warpchess_rules::notation::uci::parse(&position, "a4"))
        .unwrap_or_else(|e| panic!("{e}: {:?}", position.legal_moves()));
    position.play_unchecked(declare, &mut ());
    let mut counts = [0; MAX_FEATURES];
    position.features(&mut counts);
    let count = |name: &str| counts[TwinPortal::INFO.features.iter().position(|f| f.name == name).expect("a feature")];
    assert_eq!((count("declared"), count("landing_on_enemy")), (1, 9));
}
