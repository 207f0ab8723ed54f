//! FEN.

use super::*;

#[test]
fn bad_fens_name_the_field() {
    use FenField::*;
    for (fen, field) in [
        // Portals outside the board, too few, too many, in the wrong order.
        ("4k3/8/8/8/8/8/8/4K3 w - - i9a1 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - a1 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - - 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - a1b1c1 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - --- 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - é4a 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - -a5 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 b - - -a5 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 b - - -- 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - a4- 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 b - - a5- 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Portals),
        // Both occupied.
        ("4k3/8/8/p7/7P/8/8/4K3 w - - a5h4 0 1", Portals),
        ("4k3/8/8/8/8/8/8/4K3 w - - e1e8 0 1", Portals),
        // Pawns: never on the last rank, on the first only when a portal can have brought them.
        ("4k2P/8/8/8/8/8/8/4K3 w - - a5h4 0 1", Placement),
        ("4k2P/8/8/8/8/8/8/4K3 w - - a5a5 0 1", Placement),
        ("4k3/8/8/8/8/8/8/P3K3 w - - -- 0 1", Placement),
        // Kings.
        ("8/8/8/8/8/8/8/4K3 b - - a5h4 0 1", Placement),
        ("8/8/8/8/8/8/8/4K3 w - - a5a5 0 1", Placement),
        ("8/8/8/8/8/8/8/8 w - - a5a5 0 1", Placement),
        ("8/8/8/R7/8/8/8/4K3 b - - a5a5 0 1", Placement),
        ("4k3/8/8/8/8/8/8/3KK3 w - - a5h4 0 1", Placement),
        ("4k3/8/8/8/8/8/8/3KK3 w - - a5a5 0 1", Placement),
        // The rest.
        ("6k1/8/8/8/8/8/8/R6K w - - a4g5 0 1", Side),
        ("4k3/8/8/8/8/8/8/4K3 x - - a5h4 0 1", Side),
        ("4k3/8/8/8/8/8/8/4K3 w Q - a5h4 0 1", Castling),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 e3h4 0 1", EnPassant),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - d3 a5h4 0 1", EnPassant),
        ("4k3/8/8/8/8/8/8/4K3 w - - a5h4 x 1", Halfmove),
        ("4k3/8/8/8/8/8/8/4K3 w - - a5h4 0 0", Fullmove),
        ("4k3/8/8/8/8/8/8/4K3 w - - a5h4 0 1 2", Text),
    ] {
        assert_eq!(refusal(fen).field, field, "{fen}: {}", refusal(fen));
    }
    for other in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - b4c4f4g4b5c5f5g5 0 1",
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w A KQ|kq -|- -/- 0 1",
    ] {
        refusal(other);
    }
    refusal(&"4k3/".repeat(3_000_000));
}

#[test]
fn an_error_says_what_was_expected() {
    let text = |fen| refusal(fen).to_string();
    assert_eq!(
        text("4k3/8/8/p7/7P/8/8/4K3 w - - a5h4 0 1"),
        "FEN field 'portals': both portals, a5 and h4, are occupied"
    );
    assert_eq!(
        text("4k3/8/8/8/8/8/8/4K3 w - - a5i9 0 1"),
        "FEN field 'portals': no square (a1 to h8) or '-' for black's portal in 'a5i9'"
    );
}

#[test]
fn every_stage_is_written_as_it_is_read() {
    for fen in [
        Portalduel::INFO.start_fen,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - e4- 1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - e4a5 2 2",
        "4k3/8/8/8/8/8/8/4K3 w - - d5d5 0 9",
        "8/8/8/8/8/8/8/4K3 b - - d5d5 0 9",
    ] {
        assert_eq!(read(fen).fen(), fen);
        assert_eq!(read(fen).hash_key(), read(fen).compute_hash());
    }
}

/// Copied at every node of a search: board, clocks and rights, and two bytes for the portals.
#[test]
fn positions_are_small() {
    assert!(size_of::<Portalduel>() <= 88, "{}", size_of::<Portalduel>());
}
