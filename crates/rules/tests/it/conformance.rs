//! Every registered game keeps the promises of all games, and the test kit notices when one is broken.

use std::ops::ControlFlow;
use std::path::PathBuf;
use warpchess_rules::testkit::{self, Conformance, Fault};
use warpchess_rules::variants::{Chess, VariantVisitor};
use warpchess_rules::{
    Area, Board, Color, FenError, Move, MoveKind, MoveSink, Observer, Outcome, Piece, Place, Position, Square,
    VariantId, VariantInfo, Which,
};

/// From the start.
struct Start;

impl VariantVisitor for Start {
    type Output = ();
    fn visit<P: Position>(self) {
        testkit::conformance::<P>();
    }
}

#[test]
fn every_game_keeps_its_promises_from_the_start() {
    for variant in VariantId::all() {
        variant.visit(Start);
    }
}

/// From sparse and odd positions, in which games end.
struct Sparse(Vec<String>);

impl VariantVisitor for Sparse {
    type Output = testkit::Report;
    fn visit<P: Position>(self) -> testkit::Report {
        let run = Conformance { games: 1, plies: 60, moves: 6, seed: 2, fens: self.0 };
        run.run::<P>().unwrap_or_else(|fault| panic!("{fault}"))
    }
}

#[test]
fn every_game_keeps_its_promises_to_the_end() {
    for variant in VariantId::all() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(format!("{variant}.moves.tsv"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let fens = text.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split('\t').next());
        let report = variant.visit(Sparse(fens.map(str::to_owned).collect()));
        assert!(
            report.ends.contains_key("checkmate") && report.ends.contains_key("stalemate"),
            "{variant}: {report:?}"
        );
    }
}

/// Orthodox chess with one promise broken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Broken<const FAULT: u8> {
    chess: Chess,
    /// Nothing that a FEN tells.
    plies: u16,
}

const NOTHING: u8 = 0;
const TWICE: u8 = 1;
const TOO_LEGAL: u8 = 2;
const TOO_NOISY: u8 = 3;
const MISCOUNTED: u8 = 4;
const FORGETFUL_FEN: u8 = 5;
const STALE_HASH: u8 = 6;
const SILENT_EFFECT: u8 = 7;
const ENDLESS: u8 = 8;
const FREE_CAPTURES: u8 = 9;
const HOPELESS: u8 = 10;
const HIDDEN_STATE: u8 = 11;
const QUIET_CAPTURES: u8 = 12;
const MISPLACED: u8 = 13;
const UNLISTED: u8 = 14;

/// Listens to all but the last of a capture's effects.
struct Deaf<'a, O>(&'a mut O, usize);

impl<O: Observer> Observer for Deaf<'_, O> {
    fn effect(&mut self, effect: warpchess_rules::Effect) {
        self.1 += 1;
        if self.1 == 1 {
            self.0.effect(effect);
        }
    }
}

impl<const FAULT: u8> Position for Broken<FAULT> {
    const INFO: &'static VariantInfo = Chess::INFO;

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        Ok(Self { chess: Chess::from_fen(fen)?, plies: 0 })
    }
    fn fen(&self) -> String {
        let fen = self.chess.fen();
        if FAULT == FORGETFUL_FEN { fen.replace("KQkq", "-") } else { fen }
    }
    fn turn(&self) -> Color {
        self.chess.turn()
    }
    fn halfmove_clock(&self) -> u16 {
        self.chess.halfmove_clock()
    }
    fn fullmove_number(&self) -> u16 {
        self.chess.fullmove_number()
    }
    fn hash_key(&self) -> u64 {
        self.chess.hash_key() ^ u64::from(FAULT == STALE_HASH && self.chess.halfmove_clock() > 3)
    }
    fn compute_hash(&self) -> u64 {
        self.chess.compute_hash()
    }
    fn generate<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        let castle = Move::new(MoveKind::Castle, Square::E1, Square::G1);
        match which {
            Which::All if FAULT == TWICE => sink.push(self.chess.legal_moves()[0])?,
            Which::All if FAULT == UNLISTED && self.chess.is_legal(castle) => return sink.push(castle),
            Which::Noisy if FAULT == TOO_NOISY => sink.push(self.chess.legal_moves()[0])?,
            Which::Noisy if FAULT == QUIET_CAPTURES => return ControlFlow::Continue(()),
            _ => {}
        }
        self.chess.generate(which, sink)
    }
    fn play_unchecked<O: Observer>(&mut self, m: Move, observer: &mut O) {
        if FAULT == SILENT_EFFECT {
            self.chess.play_unchecked(m, &mut Deaf(observer, 0));
        } else {
            self.chess.play_unchecked(m, observer);
        }
        self.plies += u16::from(FAULT == HIDDEN_STATE);
    }
    fn checked_kings(&self) -> Vec<(Area, Square)> {
        self.chess.checked_kings()
    }
    fn in_check(&self) -> bool {
        self.chess.in_check()
    }
    fn piece_at(&self, area: Area, square: Square) -> Option<Piece> {
        self.chess.piece_at(area, square)
    }
    fn pieces(&self) -> Vec<(Place, Piece)> {
        let mut pieces = self.chess.pieces();
        if FAULT == MISPLACED {
            pieces.pop();
        }
        pieces
    }
    fn boards(&self) -> &[Board] {
        self.chess.boards()
    }
    fn is_insufficient(&self) -> bool {
        self.chess.is_insufficient()
    }
    fn can_win(&self, color: Color) -> bool {
        FAULT != HOPELESS && self.chess.can_win(color)
    }
    fn captured(&self, m: Move) -> Option<Piece> {
        if FAULT == FREE_CAPTURES { None } else { self.chess.captured(m) }
    }
    fn count_legal(&self) -> u64 {
        self.chess.count_legal() + u64::from(FAULT == MISCOUNTED && self.chess.in_check())
    }
    fn is_legal(&self, m: Move) -> bool {
        FAULT == TOO_LEGAL && m.kind() == MoveKind::Normal || self.chess.is_legal(m)
    }
    fn outcome(&self) -> Option<Outcome> {
        if FAULT == ENDLESS { None } else { self.chess.outcome() }
    }
}

/// What the test kit says about a broken game.
fn told<const FAULT: u8>() -> Option<&'static str> {
    // From before a mate, too, since few random games get there.
    let fens = ["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".to_owned(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".to_owned()];
    let run = Conformance { games: 20, plies: 40, fens: fens.into(), ..Conformance::default() };
    let result: Result<_, Box<Fault>> = run.run::<Broken<FAULT>>();
    result.err().map(|fault| fault.promise)
}

#[test]
fn a_broken_promise_is_told() {
    assert_eq!(told::<NOTHING>(), None);
    assert_eq!(told::<TWICE>(), Some("a move is listed once and its UCI text is its own"));
    assert_eq!(told::<TOO_LEGAL>(), Some("a legal move is listed"));
    assert_eq!(told::<TOO_NOISY>(), Some("a noisy move changes material"));
    assert_eq!(told::<MISCOUNTED>(), Some("moves counted are moves listed"));
    assert_eq!(told::<FORGETFUL_FEN>(), Some("a FEN read is the position written"));
    assert_eq!(told::<STALE_HASH>(), Some("the hash kept up is the hash computed"));
    assert_eq!(told::<SILENT_EFFECT>(), Some("effects replayed rebuild the board"));
    assert_eq!(told::<ENDLESS>(), Some("a game without moves is finished"));
    assert_eq!(told::<FREE_CAPTURES>(), Some("what is captured is removed"));
    assert_eq!(told::<HOPELESS>(), Some("who wins could win all along"));
    assert_eq!(told::<HIDDEN_STATE>(), Some("a FEN read is the position written"));
    assert_eq!(told::<QUIET_CAPTURES>(), Some("captures are noisy"));
    assert_eq!(told::<MISPLACED>(), Some("pieces are where squares have them"));
    assert_eq!(told::<UNLISTED>(), Some("a legal move is listed"));
}
