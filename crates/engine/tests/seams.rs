//! What the engine relies on in every game's `Position`, beyond its rules.

use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Area, Color, Place, Position, VariantId};

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
