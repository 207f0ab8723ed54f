//! FEN and UCI.

use super::*;
use crate::notation::fen::FenField;

#[track_caller]
fn refused<P: Position>(fen: &str, field: FenField, problem: &str) {
    match P::from_fen(fen) {
        Ok(_) => panic!("accepted: {fen}"),
        Err(e) => assert!(e.field == field && e.problem.contains(problem), "{fen}: {e}"),
    }
}

#[track_caller]
fn refused_twin(pieces: &str, rest: &str, field: FenField, problem: &str) {
    refused::<TwinPortal>(&twin_fen(pieces, rest), field, problem);
}

const START: &str = TwinPortal::INFO.start_fen;

#[test]
fn start_fens_are_the_published_ones() {
    assert_eq!(
        TwinPortal::start().fen(),
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w A KQ|kq -|- -/- 0 1"
    );
    assert_eq!(
        SplitPortal::start().fen(),
        "rnbq/pppp/4/4/4/4/PPPP/RNBQ|kbnr/pppp/4/4/4/4/PPPP/KBNR w A -|Kk -|- -/- 0 1"
    );
}

#[test]
fn uci_names_the_real_files_of_a_divided_board() {
    let position = play(SplitPortal::start(), "a2a4 e7e5 e2e4");
    assert_eq!(position.fen(), "rnbq/pppp/4/4/P3/4/1PPP/RNBQ|kbnr/1ppp/4/p3/P3/4/1PPP/KBNR b A -|Kk -|- -/- 0 2");
}

#[test]
fn declarations_are_written_with_their_state() {
    for (pieces, rest) in [
        ("AKe1 ARa4 Bke8", "b B -|- -|- a4/- 0 1"),
        ("AKe1 ARa4 BRa4 Bke8", "b B -|- -|- a4x/- 0 1"),
        ("AKe1 ARa4 Bke8", "w B -|- -|- a4x/- 0 1"),
        ("AKe1 Brh5 Bke8", "w B -|- -|- -/h5 0 1"),
        ("AKe1 Brh5 Arh5 Bke8", "b A -|- -|- -/h5x 0 1"),
        ("AKe1 ARa4 Bke8", "b B -|- -|- -/a4:q 0 1"),
        ("AKe1 ARa4", "b B -|- -|- -/a4:k 0 1"),
        ("AKe1 ARa4 Brh5 Bke8", "w B -|- -|- a4/h5 0 1"),
    ] {
        let fen = twin_fen(pieces, rest);
        assert_eq!(twin(pieces, rest).fen(), fen);
    }
}

#[test]
fn equal_positions_have_equal_fens_and_hashes_whatever_the_way() {
    let a = play(TwinPortal::start(), "g1f3 g8f6 g1f3 g8f6");
    let b = play(TwinPortal::start(), "g1f3 g8f6 g1f3 g8f6 f3g1 f6g8 f3g1 f6g8 g1f3 g8f6 g1f3 g8f6");
    assert_eq!(a.hash_key(), b.hash_key());
    assert_ne!(a, b);
    // Whose turn it is in which area decides what may be played.
    let due = [START.to_owned(), START.replace("w A", "w B"), START.replace("w A", "b A"), START.replace("w A", "b B")];
    let mut keys: Vec<_> = due.iter().map(|fen| TwinPortal::from_fen(fen).expect("a FEN").hash_key()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 4);
}

#[test]
fn an_ep_square_that_no_pawn_can_use_is_dropped() {
    let position = twin("AKe1 Bke8 APc4 Apg7", "b B -|- c3|- -/- 0 1");
    assert_eq!(state(&position), "b B -|- -|- -/- 0 1");
    assert_eq!(position.hash_key(), plain("AKe1 Bke8 APc4 Apg7", "b B").hash_key());
}

#[test]
fn placements_that_are_not_two_areas_are_refused() {
    use FenField::Placement;
    refused::<TwinPortal>("", Placement, "missing");
    refused::<TwinPortal>("8/8/8/8/8/8/8/8 w A -|- -|- -/- 0 1", Placement, "joined by '|'");
    refused::<TwinPortal>("8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8 w A -|- -|- -/- 0 1", Placement, "joined");
    refused::<TwinPortal>(&START.replace("|rnbqkbnr", "|rnbqkbn"), Placement, "area B: rank 8");
    refused::<TwinPortal>(&START.replacen("/8/8/8", "/8/8", 1), Placement, "area A: 7 ranks");
    refused::<TwinPortal>(&START.replacen("pppp", "pp9p", 1), Placement, "'9'");
    refused::<TwinPortal>(&START.replacen("rnbq1", "rnbx1", 1), Placement, "'x'");
    refused::<TwinPortal>(&START.replacen("rnbq1", "rnbz1", 1), Placement, "'z'");
    refused_twin("AKe1 Bke8 BPa1", &format!("w A {PLAIN}"), Placement, "area B: a white pawn cannot stand on a1");
    refused_twin("AKe1 Bke8 Apa1", &format!("w A {PLAIN}"), Placement, "area A: a black pawn cannot stand on a1");
}

#[test]
fn three_kings_or_one_are_refused() {
    let rest = format!("w A {PLAIN}");
    refused_twin("AKe1 BKe1 Bke8", &rest, FenField::Placement, "2 white kings in both areas");
    refused_twin("AKe1 Bke8 Ake8", &rest, FenField::Placement, "2 black kings in both areas");
    refused_twin("AKe1 Bqe8", &rest, FenField::Placement, "0 black kings");
    refused_twin("AKe1 ARa4 Bke8", "b B -|- -|- -/a4:k 0 1", FenField::Placement, "2 black kings");
}

#[test]
fn fens_of_other_games_are_refused() {
    refused::<TwinPortal>(crate::variants::Chess::INFO.start_fen, FenField::Placement, "joined by '|'");
    refused::<SplitPortal>(crate::variants::Chess::INFO.start_fen, FenField::Placement, "joined by '|'");
    refused::<SplitPortal>(START, FenField::Placement, "rank 8");
    refused::<TwinPortal>(SplitPortal::INFO.start_fen, FenField::Placement, "rank 8");
    assert!(crate::variants::Chess::from_fen(START).is_err());
}

#[test]
fn wrong_sides_and_areas_are_refused() {
    refused::<TwinPortal>(&START.replace(" w ", " W "), FenField::Side, "'w' or 'b'");
    refused::<TwinPortal>(&START.replace(" w A ", " w a "), FenField::Area, "'A' or 'B'");
    refused::<TwinPortal>(&START.replace(" w A ", " w KQkq "), FenField::Area, "'A' or 'B'");
}

#[test]
fn castling_that_an_area_cannot_have_is_refused() {
    use FenField::Castling;
    refused::<TwinPortal>(&START.replace("KQ|kq", "KQkq"), Castling, "joined by '|'");
    refused::<TwinPortal>(&START.replace("KQ|kq", "KK|kq"), Castling, "stands twice");
    refused::<TwinPortal>(&START.replace("KQ|kq", "KX|kq"), Castling, "letters");
    refused::<TwinPortal>(&START.replace("KQ|kq", "KQ|K"), Castling, "area B: 'K' needs a king on e1");
    let rest = "w A K|- -|- -/- 0 1";
    refused_twin("AKe2 ARh1 Bke8", rest, Castling, "needs a king on e1");
    refused_twin("BKe1 BRh1 Bke8", "w A -|K -|- -/- 0 1", Castling, "area B: there is no castling 'K'");
    refused_twin("AKe1 Ake8 Arh8", "w A k|- -|- -/- 0 1", Castling, "area A: there is no castling 'k'");
    let split = "r3/4/4/4/4/4/4/R3|k2r/4/4/4/4/4/4/K2R w A Q|Kk -|- -/- 0 1";
    refused::<SplitPortal>(split, Castling, "area A: 'Q' needs a king on e1");
}

#[test]
fn ep_squares_that_cannot_be_are_refused() {
    use FenField::EnPassant;
    refused::<TwinPortal>(&START.replace(" -|- ", " - "), EnPassant, "joined by '|'");
    refused::<TwinPortal>(&START.replace(" -|- ", " e9|- "), EnPassant, "area A: 'e9'");
    refused::<TwinPortal>(&START.replace(" -|- ", " e6|- "), EnPassant, "no pawn can have made a double step");
    // In the area that is not due only Black is next.
    refused_twin("AKe1 Bke8 BPe5 Bpd5", "w A -|- -|d6 -/- 0 1", EnPassant, "area B");
    refused::<SplitPortal>(
        "4/4/4/4/4/4/4/4|k3/4/4/4/Pp2/4/4/K3 b B -|- e3|- -/- 0 1",
        EnPassant,
        "area A: 'e3' is not a square",
    );
}

#[test]
fn declarations_that_cannot_be_are_refused() {
    use FenField::Intents;
    let pieces = "AKe1 ARa4 ANb4 Bke8 Bra5";
    for (turn, field, problem) in [
        ("b B", "-", "joined by '/'"),
        ("b B", "-/-/-", "joined by '/'"),
        ("b B", "a9/-", "a portal square"),
        ("b B", "xx/-", "a portal square"),
        ("b B", "a4:/-", "a portal square"),
        ("b B", "b4/-", "no portal of area A, in which white moved last"),
        ("b B", "h4/-", "no white piece on h4 of area A"),
        ("b A", "a4/-", "no white piece on a4 of area B"),
        ("w B", "-/a4", "no black piece on a4 of area B"),
        ("b B", "a4x/-", "nothing blocks it"),
        ("b A", "-/a5x", "nothing blocks it"),
        ("b B", "a4:r/-", "only a black piece can be in transit"),
        ("w B", "-/a5:r", "only a black piece can be in transit"),
        ("b B", "-/a4:R", "lower-case piece letter"),
        ("b B", "-/a4:z", "lower-case piece letter"),
        ("b B", "-/a4:qq", "lower-case piece letter"),
        ("b B", "-/h4:q", "the white piece that came to h4 from h4 is missing"),
        ("b B", "a4/a4:q", "White has just teleported"),
    ] {
        refused_twin(pieces, &format!("{turn} -|- -|- {field} 0 1"), Intents, problem);
    }
    refused_twin("AKe1 ARa4 BNa4 Bke8", "b B -|- -|- a4/- 0 1", Intents, "'x' expected");
    refused_twin("AKe1 ARa4 Bra4 Bke8", "b B -|- -|- -/a4:q 0 1", Intents, "is missing");
    let split = "4/4/4/4/R3/4/4/4|k3/4/4/4/4/4/4/K3";
    refused::<SplitPortal>(&format!("{split} b B -|- -|- e4/- 0 1"), Intents, "no portal of area A");
    assert!(SplitPortal::from_fen(&format!("{split} b B -|- -|- a4/- 0 1")).is_ok());
}

#[test]
fn a_turn_is_not_a_double_step_and_a_declaration_at_once() {
    use FenField::EnPassant;
    let pieces = "AKe1 ARh4 APc4 Apb4 Bke8 Bpd5 BPe5 Brh5";
    refused_twin(pieces, "b B -|- c3|- h4/- 0 1", EnPassant, "White's declaration");
    refused_twin(pieces, "w B -|- c3|- h4/- 0 1", EnPassant, "White's declaration");
    refused_twin(pieces, "w B -|- -|d6 -/h5 0 1", EnPassant, "Black's declaration");
    refused_twin(pieces, "b B -|- c3|- -/h4:q 0 1", EnPassant, "in transit");
    // The double step may be older than the declaration.
    let position = twin("AKe1 ARh4 Bke8 BPc4 Bpb4", "b B -|- -|c3 h4/- 0 1");
    assert!(allows(&position, "b4c3"));
}

#[test]
fn a_king_that_could_be_captured_at_once_is_refused() {
    use FenField::Side;
    let problem = "the king of the side not to move can be captured";
    // White has moved: safe in neither area is too little.
    refused_twin("AKe1 Are8 Bke8", &format!("b B {PLAIN}"), Side, problem);
    refused_twin("AKe1 Are8 Bke8", &format!("b A {PLAIN}"), Side, problem);
    refused_twin("AKh4 Brh4 Bke8", "b A -|- -|- -/h4 0 1", Side, "on h4 of area A");
    // Black has moved in the area due.
    refused_twin("AKe1 BRe1 Bke8", &format!("w B {PLAIN}"), Side, "on e8 of area B");
    assert!(TwinPortal::from_fen(&twin_fen("AKe1 BRe1 Bke8", &format!("w A {PLAIN}"))).is_ok());
    refused_twin("AKe1 BRa4 Aka4", "w A -|- -|- a4/- 0 1", Side, "on a4 of area A");
    assert!(TwinPortal::from_fen(&twin_fen("AKe1 BRa4 Aka4", "w A -|- -|- a4/a4 0 1")).is_ok());
    // A king about to leave.
    assert!(TwinPortal::from_fen(&twin_fen("AKa4 Ara8 Bke8", "b B -|- -|- a4/- 0 1")).is_ok());
    refused_twin("AKa4 Ara8 BRa4 Bke8", "b B -|- -|- a4x/- 0 1", Side, problem);
}

#[test]
fn wrong_clocks_and_trailing_text_are_refused() {
    for (clocks, field) in [
        ("-1 1", FenField::Halfmove),
        ("x 1", FenField::Halfmove),
        ("99999999999999999999 1", FenField::Halfmove),
        ("0 0", FenField::Fullmove),
        ("0 -3", FenField::Fullmove),
        ("0", FenField::Fullmove),
        ("0 1 more", FenField::Text),
    ] {
        refused::<TwinPortal>(&START.replace(" 0 1", &format!(" {clocks}")), field, "");
    }
    let long = "8/".repeat(5_000_000);
    refused::<TwinPortal>(&long, FenField::Text, "bytes of text");
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }
}

/// Changes FENs at random; what is still accepted must be a position like any other: written as it was read, its moves
/// playable, every position after them readable.
fn spoiled_fens_are_refused_or_playable<P: Position>(fens: &[String]) {
    let alphabet: Vec<char> = "KQRBNPkqrbnp12345678/|-x:wbABah45 ".chars().collect();
    let mut random = Random(0x5eed_1234_5678_9abc);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut text: Vec<char> = fens[random.below(fens.len())].chars().collect();
        for _ in 0..=random.below(2) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, alphabet[random.below(alphabet.len())]),
                2 => text[at] = alphabet[random.below(alphabet.len())],
                _ => {
                    let other = random.below(text.len());
                    text.swap(at, other);
                }
            }
        }
        let text: String = text.into_iter().collect();
        let Ok(position) = P::from_fen(&text) else { continue };
        accepted += 1;
        assert_eq!(P::from_fen(&position.fen()).as_ref(), Ok(&position), "{text}");
        for &m in &position.legal_moves() {
            let next = position.after(m);
            assert_eq!(P::from_fen(&next.fen()).as_ref(), Ok(&next), "{m} in {text}");
            assert_eq!(next.hash_key(), next.compute_hash(), "{m} in {text}");
            let _ = (next.outcome(), next.markers(), next.pieces(), next.checked_kings());
        }
    }
    assert!(accepted > 500, "only {accepted} accepted");
}

#[test]
fn spoiled_fens_never_panic() {
    let twins: Vec<_> = [
        ("AKe1 ARa4 BRh4 Bke8 Bra5 Aph5 APg2", "w A -|- -|- -/- 0 1"),
        ("AKe1 ARa4 BRh4 Bke8 Bra5 Aph5 APg2", "b B -|- -|- a4/- 0 1"),
        ("AKa4 ARa5 BNb4 Bke8 Bra5 Aph5 APg2", "w B -|- -|- a4/a5 0 1"),
        ("AKe1 APc4 Apb4 Bke8 Bra5 Brh4 BRh5", "b B -|- c3|- -/- 0 1"),
        ("AKe1 ARa4 BNh4 Bqe8 Bph5 Apg6", "b B -|- -|- -/a4:k 0 1"),
        ("AKe1 ARh1 ARa1 Bke8 Bra8 Brh8 BPb6", "w A KQ|kq -|- -/- 0 1"),
    ]
    .iter()
    .map(|(pieces, rest)| twin_fen(pieces, rest))
    .collect();
    spoiled_fens_are_refused_or_playable::<TwinPortal>(&twins);
    let splits = [
        SplitPortal::INFO.start_fen,
        "r2n/1p2/4/3P/R3/1q2/2P1/3N|k3/1p2/3R/n3/3b/4/P3/K2R w A -|K -|- -/- 3 9",
        "r2n/1p2/4/3P/R3/1q2/2P1/3N|k3/1p2/3R/n3/3b/4/P3/K2R w B -|K -|- a4/e5 3 9",
    ]
    .map(str::to_owned);
    spoiled_fens_are_refused_or_playable::<SplitPortal>(&splits);
}
