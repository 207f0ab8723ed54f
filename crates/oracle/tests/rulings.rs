//! Rules that no line of the vectors depends on, one by one.

use warpchess_oracle::{apply, legal, perft, status};

#[track_caller]
fn assert_after(variant: &str, fen: &str, uci: &str, expected: &str) {
    assert_eq!(apply(variant, fen, uci).as_deref(), Ok(expected));
}

#[track_caller]
fn assert_legal(variant: &str, fen: &str, uci: &str, expected: bool) {
    let moves = legal(variant, fen).expect("a position");
    assert_eq!(moves.iter().any(|text| text == uci), expected, "{moves:?}");
}

#[track_caller]
fn assert_status(variant: &str, fen: &str, expected: &str) {
    assert_eq!(status(variant, fen).as_deref(), Ok(expected));
}

mod teleport {
    use super::*;

    const GAME: &str = "teleport";

    #[test]
    fn double_step_by_swap_with_a_piece_allows_en_passant() {
        let fen = "4k3/8/8/8/3pN3/8/4P3/4K3 w - - 5 9";
        let next = "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 6 9";
        assert_after(GAME, fen, "e2e4", next);
        assert_after(GAME, next, "d4e3", "4k3/8/8/8/8/4p3/4N3/4K3 w - - 0 10");
    }

    #[test]
    fn double_step_by_swap_with_a_pawn_does_not() {
        let fen = "4k3/8/8/8/3pP3/8/4P3/4K3 w - - 5 9";
        assert_after(GAME, fen, "e2e4", "4k3/8/8/8/3pP3/8/4P3/4K3 b - - 6 9");
    }

    #[test]
    fn swap_that_promotes_resets_the_clock() {
        let fen = "R7/7k/8/8/8/8/P7/4K3 w - - 7 9";
        assert_after(GAME, fen, "a8a2q", "Q7/7k/8/8/8/8/R7/4K3 b - - 0 9");
        assert_legal(GAME, fen, "a8a2", false);
        assert_legal(GAME, fen, "a2a8", false);
    }
}

mod pocketmutation {
    use super::*;

    const GAME: &str = "pocketmutation";

    #[test]
    fn class_eight_goes_from_the_last_rank_unchanged() {
        let fen = "7Z/2k5/8/8/8/8/8/4K3[] w - - 7 9";
        assert_after(GAME, fen, "h8^Z", "8/2k5/8/8/8/8/8/4K3[Z] b - - 8 9");
    }

    #[test]
    fn from_the_last_rank_the_class_must_rise() {
        let fen = "P7/2k5/8/8/8/8/8/4K3[] w - - 7 9";
        assert_after(GAME, fen, "a8^B", "8/2k5/8/8/8/8/8/4K3[B] b - - 0 9");
        assert_legal(GAME, fen, "a8^N", true);
        assert_legal(GAME, fen, "a8^P", false);
        assert_legal(GAME, fen, "a8^R", false);
    }

    #[test]
    fn hundred_plies_draw_but_mate_comes_before() {
        let drawn = "4k3/8/8/8/8/8/7R/4K3[] b - - 100 60";
        assert_after(GAME, "4k3/8/8/8/8/8/8/4K2R[] w - - 99 60", "h1h2", drawn);
        assert_status(GAME, drawn, "draw-50");
        // Counting moves is no matter for perft.
        assert_eq!(perft(GAME, drawn, 1), Ok(5));
        assert_status(GAME, "R6k/8/6K1/8/8/8/8/8[] b - - 100 60", "checkmate white-wins");
    }

    #[test]
    fn fourriere_aronson_2003() {
        let mut fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2".to_owned();
        assert_legal(GAME, &fen.replace("0 2", "0 1"), "h1^I", false);
        let moves = "h1^I d7d5 I@f4 d8^U a1^D g7g6 D@e5 g8f6 e5c7 U@g5 g1f3 g5c7";
        for uci in moves.split(' ') {
            fen = apply(GAME, &fen, uci).expect(uci);
        }
        assert_eq!(fen, "rnb1kb1r/ppu1pp1p/5np1/3p4/5I2/5N2/PPPPPPPP/1NBQKB2[] w - - 0 8");
    }
}

mod porthole {
    use super::*;

    const GAME: &str = "porthole";

    #[test]
    fn king_on_a_portal_is_safe_from_who_has_no_exit() {
        let no_exit = "8/8/8/8/4k3/8/8/K3R3 b - - e4 5 9";
        assert_status(GAME, no_exit, "ongoing");
        // The rook attacks plain squares as usual, but not beyond the portal, even an empty one.
        assert_legal(GAME, no_exit, "e4e3", false);
        assert_legal(GAME, no_exit, "e4e5", true);
        assert_eq!(legal(GAME, no_exit).map(|moves| moves.len()), Ok(7));
        // With an exit on h8 the king could be captured: White cannot be to move.
        assert!(legal(GAME, &no_exit.replace("b - - e4", "w - - e4")).is_ok());
        assert!(legal(GAME, &no_exit.replace("b - - e4", "w - - e4h8")).is_err());
    }

    #[test]
    fn pawn_that_comes_out_on_its_last_rank_is_stuck() {
        let fen = "8/8/8/7k/8/8/1P6/K7 w - - c3d8 5 9";
        let next = "3P4/8/8/7k/8/8/8/K7 b - - b2d8 0 9";
        assert_after(GAME, fen, "b2c3d8", next);
        let moves = legal(GAME, &next.replace(" b ", " w ")).expect("a position");
        assert!(moves.iter().all(|uci| uci.starts_with("a1")), "{moves:?}");
    }
}

mod portalduel {
    use super::*;

    const GAME: &str = "portalduel";

    #[test]
    fn travel_gives_no_en_passant() {
        let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - e3e4 5 9";
        assert_after(GAME, fen, "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - - e3e4 0 9");
    }

    #[test]
    fn double_step_onto_a_portal_gives_en_passant() {
        let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - e4a7 5 9";
        assert_after(GAME, fen, "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 e4a7 0 9");
    }

    #[test]
    fn black_hole_resets_the_clock_only_if_something_vanishes() {
        let nothing = "4k3/8/8/8/8/8/8/4K3 w - - d4d5 5 9";
        assert_after(GAME, nothing, "Od4d5", "4k3/8/8/8/8/8/8/4K3 b - - d5d5 6 9");
        // The castling right goes with the rook.
        let rook = "4k3/8/8/8/8/8/8/4K2R w K - g3g2 5 9";
        assert_after(GAME, rook, "Og3g2", "4k3/8/8/8/8/8/8/4K3 b - - g2g2 0 9");
    }

    #[test]
    fn black_hole_destroys_a_king_though_the_own_one_is_attacked() {
        let next = "4r3/8/8/8/8/8/8/4K3 b - - b7b7 0 9";
        assert_after(GAME, "k3r3/8/8/8/8/8/8/4K3 w - - b6b7 5 9", "Ob6b7", next);
        assert_status(GAME, next, "king-destroyed white-wins");
        assert_eq!(legal(GAME, next), Ok(Vec::new()));
        assert_eq!(perft(GAME, next, 1), Ok(0));
    }

    #[test]
    fn promotion_by_a_portal_move_resets_the_clock() {
        let own = "4k3/8/8/8/1P6/8/8/4K3 w - - b3h8 5 9";
        assert_after(GAME, own, "Ob3b4n", "4k2N/8/8/8/8/8/8/4K3 b - - b4h8 0 9");
        assert_legal(GAME, own, "Ob3b4", false);
        let enemy = "4k3/8/8/8/1p6/4K3/8/8 w - - b3h1 5 9";
        assert_after(GAME, enemy, "Ob3b4", "4k3/8/8/8/8/4K3/8/7q b - - b4h1 0 9");
    }

    #[test]
    fn castling_needs_the_squares_between_free_of_working_portals() {
        for (portals, possible) in [("g1a8", false), ("b5f1", false), ("g1g1", true), ("e1a6", true), ("a6h1", true)] {
            let fen = format!("4k3/8/8/8/8/8/8/4K2R w K - {portals} 5 9");
            assert_legal(GAME, &fen, "e1g1", possible);
        }
    }

    #[test]
    fn teleported_or_captured_rook_takes_the_castling_right_along() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - g2a5 5 9";
        assert_after(GAME, fen, "Og2h1", "4k3/8/8/R7/8/8/8/4K3 b - - h1a5 6 9");
        let fen = "4k2q/8/8/8/8/8/8/4K2R b K - b6c6 5 9";
        assert_after(GAME, fen, "h8h1", "4k3/8/8/8/8/8/8/4K2q w - - b6c6 0 10");
    }
}

mod twinportal {
    use super::*;

    const GAME: &str = "twinportal";

    #[test]
    fn pawn_teleported_away_leaves_no_en_passant() {
        let fen = "4k3/8/8/8/p7/8/1P6/4K3|8/8/8/8/8/8/8/8 w A -|- -|- -/a4 5 20";
        let double = "4k3/8/8/8/pP6/8/8/4K3|8/8/8/8/8/8/8/8 b B -|- b3|- -/a4 0 20";
        let gone = "4k3/8/8/8/1P6/8/8/4K3|8/8/8/8/p7/8/8/8 w B -|- -|- -/- 1 21";
        assert_after(GAME, fen, "b2b4", double);
        assert_after(GAME, double, "0000", gone);
    }

    #[test]
    fn who_is_bound_passes_whatever_the_other_area_looks_like() {
        let fen = "8/8/8/p7/P7/8/8/4K3|k7/1Q6/8/p7/8/5B2/8/8 b A -|- -|- -/a5x 3 30";
        let next = "8/8/8/p7/P7/8/8/4K3|k7/1Q6/8/p7/8/5B2/8/8 w A -|- -|- -/- 4 31";
        assert_eq!(legal(GAME, fen), Ok(vec!["0000".to_owned()]));
        assert_status(GAME, fen, "ongoing");
        assert_after(GAME, fen, "0000", next);
    }

    #[test]
    fn own_en_passant_square_is_no_move_in_the_other_area() {
        let fen = "4k3/8/8/8/8/8/2q5/K7|8/8/8/1p6/1Pp5/p7/P7/8 w A -|- -|b3 -/- 1 30";
        assert_status(GAME, fen, "stalemate");
    }
}
