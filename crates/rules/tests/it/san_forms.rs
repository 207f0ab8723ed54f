//! The ways of writing that each game brings with it, in the words of its rules.

use warpchess_rules::notation::pgn::{self, Reader, Tags};
use warpchess_rules::notation::{san, san::SanError, uci};
use warpchess_rules::{AnyPosition, Game, VariantId};

fn position(variant: &str, fen: &str) -> Box<dyn AnyPosition> {
    let variant: VariantId = variant.parse().unwrap_or_else(|e| panic!("{e}"));
    variant.from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// Each text is written for its move and read back.
#[track_caller]
fn both_ways(position: &dyn AnyPosition, pairs: &[(&str, &str)]) {
    for &(text, uci) in pairs {
        let m = uci::parse(position, uci).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(san::write(position, m), text);
        assert_eq!(san::parse(position, text), Ok(m), "{text}");
    }
}

/// Each text is read as its move.
#[track_caller]
fn reads(position: &dyn AnyPosition, pairs: &[(&str, &str)]) {
    for &(text, uci) in pairs {
        let m = san::parse(position, text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(m.to_string(), uci, "{text}");
    }
}

#[track_caller]
fn illegal(position: &dyn AnyPosition, texts: &[&str]) {
    for text in texts {
        assert!(matches!(san::parse(position, text), Err(SanError::Illegal { .. })), "{text}");
    }
}

#[test]
fn exchange_of_own_pieces() {
    let p = position("teleport", "7R/8/1k6/6P1/8/5N2/R3P2P/4K3 w - - 0 1");
    both_ways(&*p, &[("N~g5", "f3g5"), ("R~h2=Q", "h8h2q"), ("R~e2", "a2e2"), ("Nd4", "f3d4")]);
    reads(&*p, &[("Nf3~g5", "f3g5"), ("Rh8~h2=N", "h8h2n"), ("Rh8~h2(B)", "h8h2b"), ("Ra2~e2", "a2e2")]);
    illegal(&*p, &["Ng5", "K~e2"]);
    let p = position("teleport", "4k3/8/8/8/8/4N3/4P3/R3K2R w - - 0 1");
    both_ways(&*p, &[("e2~e3", "e2e3")]);
    illegal(&*p, &["e3"]);
    let p = position("teleport", "4k3/8/4K3/8/8/8/8/R6R w - - 0 1");
    both_ways(&*p, &[("R~h1", "a1h1"), ("R~a1", "h1a1"), ("Rad1", "a1d1")]);
}

#[test]
fn pocketings_tell_their_origin_always() {
    let p = position("pocketmutation", "4k3/8/8/8/8/8/8/1N2K1N1[] w - - 0 5");
    both_ways(&*p, &[("Nb1^B", "b1^B"), ("Ng1^B", "g1^B"), ("Nb1^N", "b1^N")]);
    reads(&*p, &[("b1^B", "b1^B"), ("Nb1^b", "b1^B")]);
    assert!(san::parse(&*p, "N^B").is_err());
    let p = position("pocketmutation", "8/k3P3/8/8/8/8/8/1N2K3[] w - - 0 5");
    both_ways(&*p, &[("Pe7^P", "e7^P"), ("e8", "e7e8")]);
    let p = position("pocketmutation", "4P3/k7/8/8/8/8/8/1N2K3[] w - - 0 5");
    both_ways(&*p, &[("Pe8^N", "e8^N"), ("Pe8^B", "e8^B")]);
    let p = position("pocketmutation", "8/k7/8/8/8/8/8/1N2K3[Np] w - - 0 5");
    both_ways(&*p, &[("N@e4", "N@e4"), ("N@b5+", "N@b5"), ("Nd2", "b1d2")]);
    reads(&*p, &[("n@e4", "N@e4")]);
    let p = position("pocketmutation", "8/k7/8/8/8/8/8/1N2K3[Np] b - - 0 5");
    both_ways(&*p, &[("P@e4", "P@e4")]);
    reads(&*p, &[("@e4", "P@e4"), ("p@e4", "P@e4")]);
}

#[test]
fn letters_of_compounds_are_no_areas() {
    let p = position("pocketmutation", "4k3/8/8/8/8/8/8/A3K2B[] w - - 0 5");
    both_ways(&*p, &[("Ad4", "a1d4"), ("Be4", "h1e4"), ("Aa1^G", "a1^G")]);
}

#[test]
fn entering_a_portal() {
    let p = position("porthole", "4k3/8/8/8/6p1/4NP2/8/4K3 w - - c4g4 0 1");
    both_ways(&*p, &[("fxg4→c4", "f3g4c4"), ("Nxg4→c4", "e3g4c4")]);
    reads(
        &*p,
        &[
            ("f3xg4→c4", "f3g4c4"),
            ("fg4->c4", "f3g4c4"),
            ("Ng4→c4", "e3g4c4"),
            ("Ne3xg4→c4", "e3g4c4"),
            ("N→c4", "e3g4c4"),
            ("→c4", "f3g4c4"),
            ("f3g4c4", "f3g4c4"),
        ],
    );
    illegal(&*p, &["g4→c4", "Ng4", "Nxg4→g4", "fxg4"]);
    let p = position("porthole", "4k3/8/8/8/8/4NP2/8/4K3 w - - c4g4 0 1");
    both_ways(&*p, &[("fxg4→c4", "f3g4c4"), ("Ng4→c4", "e3g4c4"), ("Nc4→g4", "e3c4g4")]);
    let p = position("porthole", "4k3/8/8/8/8/4N1N1/8/4K3 w - - b8f5h8 0 1");
    both_ways(&*p, &[("Nef5→b8", "e3f5b8"), ("Ngf5→b8", "g3f5b8")]);
    let Err(SanError::Ambiguous { candidates, .. }) = san::parse(&*p, "N→b8") else { panic!("two knights can") };
    assert_eq!(candidates.len(), 2);
}

const QUEENS: &str = "rnbq1bnr/pppppppp/8/8/Q7/2P5/PP1PPPPP/RNB1KBNR|rnbqkbnr/1ppppppp/8/8/p7/8/1PPPPPPP/RNBQ1BNR";

#[test]
fn areas_stand_before_squares() {
    let p = position("twinportal", &format!("{QUEENS} w A KQ|kq -|- -/- 0 5"));
    both_ways(&*p, &[("Ae4", "e2e4"), ("NAf3", "g1f3"), ("QxAa7", "a4a7"), ("QAb4", "a4b4"), ("QAa4→", "a4a4")]);
    reads(
        &*p,
        &[
            ("qAb4", "a4b4"),
            ("qAa4→", "a4a4"),
            ("qAa4->", "a4a4"),
            ("NAg1Af3", "g1f3"),
            ("Nf3", "g1f3"),
            ("nAf3", "g1f3"),
            ("Qa7", "a4a7"),
            ("e4", "e2e4"),
        ],
    );
    illegal(&*p, &["Be4", "NBf3", "QAa4→Ba4", "QBa4→", "--"]);
}

#[test]
fn declared_teleports() {
    let p = position("twinportal", &format!("{QUEENS} w B KQ|kq -|- a4/- 0 6"));
    both_ways(&*p, &[("QAa4→xBa4", "0000")]);
    for text in ["qAa4→xBa4", "QAa4→Ba4", "qAa4->Ba4", "Qa4→a4", "0000"] {
        reads(&*p, &[(text, "0000")]);
    }
    illegal(&*p, &["NAa4→Ba4", "QAa5→Ba5", "--", "Be4"]);
    let open = QUEENS.replace("8/8/p7/8/1PPPPPPP/RNBQ1BNR", "p7/8/8/8/1PPPPPPP/RNBQ1BNR");
    let p = position("twinportal", &format!("{open} w B KQ|kq -|- a4/- 0 6"));
    both_ways(&*p, &[("QAa4→Ba4", "0000")]);
    let p = position("twinportal", &format!("{open} w B KQ|kq -|- a4x/- 0 6"));
    both_ways(&*p, &[("--", "0000")]);
}

#[test]
fn piece_in_transit_keeps_its_letter() {
    let mut game = Game::new("splitportal".parse().expect("a game"));
    let text = include_str!("../../../../vectors/splitportal.games.tsv");
    let rows: Vec<Vec<&str>> = text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect()).collect();
    let end =
        rows.iter().position(|row| row.get(2).is_some_and(|fen| fen.contains("d5:p"))).expect("a piece in transit");
    for row in rows[..=end].iter().filter(|row| row[0] == rows[end][0]) {
        game.play_uci(row[1]).unwrap_or_else(|e| panic!("{e}"));
    }
    // White's teleport came to the square of a pawn that Black had declared: it was lifted off and lands now.
    both_ways(game.position(), &[("Ad5→Bh5", "0000")]);
    reads(game.position(), &[("Pd5→h5", "0000")]);
}

#[test]
fn lower_case_letter_before_an_area_is_a_piece_unless_a_pawn_can_be_meant() {
    let a = "rnbq1bnr/pp1ppppp/8/8/2p5/1P1B4/P1PPPPPP/RNBQK1NR";
    let p = position("twinportal", &format!("{a}|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w A KQ|kq -|- -/- 0 5"));
    both_ways(&*p, &[("bxAc4", "b3c4"), ("BxAc4", "d3c4")]);
    let Err(SanError::Ambiguous { candidates, .. }) = san::parse(&*p, "bAc4") else { panic!("pawn or bishop") };
    assert_eq!(candidates, ["bxAc4", "BxAc4"]);
    reads(&*p, &[("bAe4", "d3e4"), ("bxAh7", "d3h7")]);
    // "Bf5" is a pawn in the other area, not a bishop in this one.
    illegal(&*p, &["Bf5", "be4"]);
    reads(&*p, &[("BAf5", "d3f5")]);
}

#[test]
fn sources_own_way_of_numbering_is_read() {
    let text = "[Variant \"twinportal\"]\n\n1:Ae4 Ba5 2:Bh4 Ae5 3:qAh5 qBb8 *".replace("qBb8", "Ba4");
    let record = Reader::new(text.as_bytes()).next().expect("a game").unwrap_or_else(|e| panic!("{e}"));
    let played: Vec<_> = record.moves().map(|m| m.to_string()).collect();
    assert_eq!(played, ["e2e4", "a7a5", "h2h4", "e7e5", "d1h5", "a5a4"]);
    let written = pgn::write(&record).expect("legal moves");
    assert!(written.ends_with("\n[Variant \"twinportal\"]\n\n1. Ae4 Ba5 2. Bh4 Ae5 3. QAh5 Ba4 *\n"), "{written}");
}

#[test]
fn records_of_pocketings_are_read_back() {
    // Fourrière-Aronson, 2003, played before White's first move was restricted.
    let variant: VariantId = "pocketmutation".parse().expect("a game");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2";
    let mut game = Game::from_fen(variant, fen).expect("a position");
    for uci in "h1^I d7d5 I@f4 d8^U a1^D g7g6 D@e5 g8f6 e5c7 U@g5 g1f3 g5c7".split(' ') {
        game.play_uci(uci).unwrap_or_else(|e| panic!("{e}"));
    }
    let text = pgn::write(&game.to_record(Tags::new())).expect("legal moves");
    let moves = "2. Rh1^I d5 3. I@f4 Qd8^U 4. Ra1^D g6 5. D@e5 Nf6 6. Dxc7 U@g5+ 7. Nf3 Uxc7 *";
    assert_eq!(text.split("\n\n").nth(1), Some(&*format!("{moves}\n")));
    let read = Reader::new(text.as_bytes()).next().expect("a game").unwrap_or_else(|e| panic!("{e}"));
    assert!(read.moves().eq(game.moves()));
}

#[test]
fn travelling_through_portals() {
    let p = position("portalduel", "8/8/8/7k/8/4P3/8/1R4K1 w - - e4h8 0 9");
    both_ways(&*p, &[("e4→h8=Q+", "e3h8q"), ("e4→h8=N", "e3h8n"), ("e4", "e3e4")]);
    reads(&*p, &[("→h8=Q", "e3h8q"), ("->h8(Q)", "e3h8q"), ("e3e4→h8=Q", "e3h8q"), ("e3→h8R", "e3h8r")]);
    illegal(&*p, &["h8=Q", "d4→h8=Q"]);
    let p = position("portalduel", "7n/8/8/7k/8/3P4/8/6K1 w - - e4h8 0 9");
    both_ways(&*p, &[("dxe4→xh8=R+", "d3h8r")]);
    reads(&*p, &[("→xh8=Q", "d3h8q"), ("d3xe4→h8=Q", "d3h8q"), ("de4→h8=Q", "d3h8q")]);
    let p = position("portalduel", "8/8/8/7k/8/8/8/4R1K1 w - - e4a7 0 9");
    both_ways(&*p, &[("Re4→a8", "e1a8"), ("Re4→a7", "e1a7"), ("Re4", "e1e4")]);
    reads(&*p, &[("Re1e4→a8", "e1a8"), ("R→a8", "e1a8"), ("Re4→xa8", "e1a8")]);
    let p = position("portalduel", "n7/8/8/7k/8/8/8/4R1K1 w - - e4a7 0 9");
    both_ways(&*p, &[("Re4→xa8", "e1a8")]);
    reads(&*p, &[("Re4->a8", "e1a8")]);
}

#[test]
fn portals_are_placed_and_step() {
    let duel: VariantId = "portalduel".parse().expect("a game");
    both_ways(&*duel.start(), &[("O@e4", "O@e4"), ("O@a4", "O@a4")]);
    reads(&*duel.start(), &[("Oe4", "O@e4"), ("0@e4", "O@e4")]);
    let p = position("portalduel", "8/8/8/k3P3/8/8/8/4K2R w K - e4a8 0 9");
    both_ways(&*p, &[("Oe5=N", "Oe4e5n"), ("Od5", "Oe4d5"), ("O-O", "e1g1")]);
    reads(&*p, &[("Oe5(Q)", "Oe4e5q"), ("Oe4-e5=B", "Oe4e5b"), ("Oe4d5", "Oe4d5"), ("0-0", "e1g1")]);
    let Err(SanError::Ambiguous { candidates, .. }) = san::parse(&*p, "Oe5") else { panic!("which piece?") };
    assert_eq!(candidates.len(), 4);
}
