//! A FEN that is wrong is refused by the name of the field at fault. What a game adds is tested beside it.

use warpchess_rules::{FenField, VariantId};

#[track_caller]
fn refused(variant: VariantId, fen: &str, field: FenField) {
    match variant.from_fen(fen) {
        Ok(_) => panic!("{variant} takes '{fen}'"),
        Err(error) => {
            assert_eq!(error.field, field, "{variant}: '{fen}': {error}");
            assert!(error.to_string().len() < 300, "{error}");
        }
    }
}

/// The start of a game with one of its fields changed, counted from the front, or from the end when negative.
fn with_field(variant: VariantId, index: isize, text: &str) -> String {
    let mut fields: Vec<_> = variant.info().start_fen.split(' ').collect();
    let index = if index < 0 { fields.len().wrapping_add_signed(index) } else { index as usize };
    fields[index] = text;
    fields.join(" ")
}

#[test]
fn wrong_ranks_in_any_game() {
    for variant in VariantId::all() {
        let start = variant.info().start_fen;
        for (from, to) in [
            ("pppp", "ppp"),
            ("pppp", "ppppp"),
            ("/PPPP", "/PP0PP"),
            ("/PPPP", "/PP11"),
            ("PPPP/", "PPPP"),
            ("p/", "p/8/"),
        ] {
            refused(variant, &start.replacen(from, to, 1), FenField::Placement);
        }
        for letter in ["y", "Ж", "\u{0}", "-"] {
            refused(variant, &start.replacen('p', letter, 1), FenField::Placement);
        }
    }
}

#[test]
fn no_king_or_too_many_in_any_game() {
    for variant in VariantId::all() {
        let start = variant.info().start_fen;
        for (from, to) in [("q", "k"), ("Q", "K")] {
            refused(variant, &start.replacen(from, to, 1), FenField::Placement);
        }
        // A game in which kings can vanish may find another field at fault first.
        for (from, to) in [("k", "q"), ("K", "Q")] {
            let fen = start.replacen(from, to, 1);
            assert!(variant.from_fen(&fen).is_err(), "{variant} takes '{fen}'");
        }
    }
}

#[test]
fn wrong_sides_and_clocks_in_any_game() {
    for variant in VariantId::all() {
        for side in ["W", "white", "-", "wb"] {
            refused(variant, &with_field(variant, 1, side), FenField::Side);
        }
        for clock in ["-1", "+1", "x", "10000", "99999999999999999999", "1.5", "٣"] {
            refused(variant, &with_field(variant, -2, clock), FenField::Halfmove);
            refused(variant, &with_field(variant, -1, clock), FenField::Fullmove);
        }
        refused(variant, &with_field(variant, -1, "0"), FenField::Fullmove);
    }
}

#[test]
fn missing_fields_and_trailing_text_in_any_game() {
    for variant in VariantId::all() {
        let start = variant.info().start_fen;
        for more in ["x", "1", "w", "0 1"] {
            refused(variant, &format!("{start} {more}"), FenField::Text);
        }
        let fields: Vec<_> = start.split(' ').collect();
        refused(variant, "", FenField::Placement);
        refused(variant, "   \t ", FenField::Placement);
        refused(variant, fields[0], FenField::Side);
        refused(variant, &fields[..fields.len() - 1].join(" "), FenField::Fullmove);
        refused(variant, &fields[..fields.len() - 2].join(" "), FenField::Halfmove);
    }
}

#[test]
fn ten_megabytes_of_text_in_any_game() {
    for variant in VariantId::all() {
        for filler in ["8/", "k", " ", "é", "["] {
            let fen = format!("{}{}", variant.info().start_fen, filler.repeat(10_000_000 / filler.len()));
            refused(variant, &fen, FenField::Text);
        }
    }
}

#[test]
fn castling_rights_need_king_and_rook_at_home() {
    for variant in VariantId::all().filter(|v| v.info().castling && !v.info().alternating()) {
        let start = variant.info().start_fen;
        for rights in ["KK", "KQkqK", "X", "KQkq-", "--", "HAha"] {
            refused(variant, &with_field(variant, 2, rights), FenField::Castling);
        }
        for (from, to) in [
            ("RNBQKBNR", "RNBQKBN1"),
            ("RNBQKBNR", "1NBQKBNR"),
            ("RNBQKBNR", "RNB1KBNQ"),
            ("PPPPPPPP/RNBQKBNR", "PPPPKPPP/RNBQ1BNR"),
        ] {
            refused(variant, &start.replace(from, to), FenField::Castling);
        }
    }
}

fn chess() -> VariantId {
    "chess".parse().expect("a game")
}

#[test]
fn pawns_on_their_first_or_last_rank_in_chess() {
    for fen in [
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
        "4k2p/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
    ] {
        refused(chess(), fen, FenField::Placement);
    }
}

#[test]
fn the_side_not_to_move_in_check() {
    for fen in [
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/3kK3/8/8/8/8 w - - 0 1",
        "4k3/8/8/7b/8/8/8/3K4 b - - 0 1",
    ] {
        refused(chess(), fen, FenField::Side);
    }
}

#[test]
fn en_passant_squares_that_no_double_step_passed() {
    for (placement, side, ep) in [
        ("4k3/8/8/8/4Pp2/8/8/4K3", "b", "e4"),
        ("4k3/8/8/8/4Pp2/8/8/4K3", "b", "e2"),
        ("4k3/8/8/8/4Pp2/8/8/4K3", "b", "d3"),
        ("4k3/8/8/8/4Pp2/8/4N3/4K3", "b", "e3"),
        ("4k3/8/8/8/4Pp2/4N3/8/4K3", "b", "e3"),
        ("4k3/8/8/8/4Np2/8/8/4K3", "b", "e3"),
        ("4k3/8/8/8/4pP2/8/8/4K3", "b", "e3"),
        ("4k3/8/8/8/4Pp2/8/8/4K3", "w", "e3"),
        ("4k3/8/8/8/4Pp2/8/8/4K3", "b", "e9"),
        ("4k3/8/8/8/4Pp2/8/8/4K3", "b", "ee"),
        ("4k3/8/8/8/4Pp2/8/8/4K3", "b", "e3e3"),
    ] {
        refused(chess(), &format!("{placement} {side} - {ep} 0 1"), FenField::EnPassant);
    }
    // One that fits is read, and dropped if it is of no use.
    let read = |fen: &str| chess().from_fen(fen).map(|p| p.fen());
    let useful = "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1";
    assert_eq!(read(useful).as_deref(), Ok(useful));
    assert_eq!(read("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").as_deref(), Ok("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
}
