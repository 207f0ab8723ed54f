//! An eighth game in one file, by the public interface alone: king of the hill, orthodox chess in which a king that
//! reaches d4, e4, d5 or e5 wins at once.

use std::ops::ControlFlow;
use warpchess_rules::info::{ONE_AREA, ONE_BOARD, ORTHODOX_ROLES};
use warpchess_rules::notation::{san, uci};
use warpchess_rules::perft::perft;
use warpchess_rules::testkit::{self, Conformance};
use warpchess_rules::variants::Chess;
use warpchess_rules::{
    Area, Bitboard, Board, Color, EndReason, FenError, FenField, Move, MoveKind, MoveSink, Observer, Outcome, Piece,
    Place, Position, Square, VariantInfo, Which,
};

static INFO: VariantInfo = VariantInfo {
    id: "kingofthehill",
    names: ["King of the Hill", "Rey de la colina", "Царь горы"],
    summary: [
        "A king that reaches the middle of the board wins.",
        "Gana el rey que llega al centro del tablero.",
        "Король, дошедший до центра доски, побеждает.",
    ],
    aliases: &["KotH"],
    start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    boards: ONE_BOARD,
    areas: ONE_AREA,
    roles: ORTHODOX_ROLES,
    markers: &[],
    links: &[],
    pocket: false,
    castling: true,
    kinds: &[MoveKind::Normal, MoveKind::Promotion, MoveKind::EnPassant, MoveKind::Castle],
    features: &[],
    zugzwang: false,
    rules_version: 1,
};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct KingOfTheHill {
    chess: Chess,
}

impl KingOfTheHill {
    fn on_the_hill(&self, color: Color) -> Option<Square> {
        let hill: Bitboard = [Square::D4, Square::E4, Square::D5, Square::E5].into_iter().collect();
        self.chess.board().king(color).filter(|&king| hill.has(king))
    }
    fn is_won(&self) -> bool {
        self.on_the_hill(!self.turn()).is_some()
    }
}

impl Position for KingOfTheHill {
    const INFO: &'static VariantInfo = &INFO;

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let position = Self { chess: Chess::from_fen(fen)? };
        match position.on_the_hill(position.turn()) {
            Some(square) => {
                let problem = format!("the king of the side to move has won already on {square}");
                Err(FenError::new(FenField::Placement, problem))
            }
            None => Ok(position),
        }
    }
    fn generate<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        if self.is_won() { ControlFlow::Continue(()) } else { self.chess.generate(which, sink) }
    }
    fn outcome_without_moves(&self) -> Outcome {
        if self.is_won() {
            Outcome::win(!self.turn(), EndReason::GoalReached)
        } else {
            self.chess.outcome_without_moves()
        }
    }
    fn is_insufficient(&self) -> bool {
        false
    }
    fn can_win(&self, _: Color) -> bool {
        true
    }

    // All else is orthodox.
    fn fen(&self) -> String {
        self.chess.fen()
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
        self.chess.hash_key()
    }
    fn compute_hash(&self) -> u64 {
        self.chess.compute_hash()
    }
    fn play_unchecked<O: Observer>(&mut self, m: Move, observer: &mut O) {
        self.chess.play_unchecked(m, observer);
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
        self.chess.pieces()
    }
    fn boards(&self) -> &[Board] {
        self.chess.boards()
    }
    fn null_move(&self) -> Option<Self> {
        Some(Self { chess: self.chess.null_move()? })
    }
}

const NEAR: &str = "4k3/8/8/8/8/3K4/8/8 w - - 0 1";

#[test]
fn a_king_on_the_hill_wins_at_once() {
    let mut position = KingOfTheHill::from_fen(NEAR).expect("a position");
    assert_eq!(position.outcome(), None);
    let m = san::parse(&position, "Kd4").expect("a move");
    position.play_unchecked(m, &mut ());
    assert_eq!(position.outcome(), Some(Outcome::win(Color::White, EndReason::GoalReached)));
    assert_eq!(position.outcome().map(|o| o.status()).as_deref(), Some("goal-reached white-wins"));
    assert_eq!(position.legal_moves().len(), 0);
    assert!(uci::parse(&position, "e8e7").is_err());
}

#[test]
fn who_has_lost_cannot_be_to_move_after_his_own_king_won() {
    let error = KingOfTheHill::from_fen("4k3/8/8/8/3K4/8/8/8 w - - 0 1").expect_err("already won");
    assert_eq!(error.to_string(), "FEN field 'placement': the king of the side to move has won already on d4");
    assert!(KingOfTheHill::from_fen("4k3/8/8/8/3K4/8/8/8 b - - 0 1").is_ok());
}

#[test]
fn kings_alone_play_on() {
    assert_eq!(KingOfTheHill::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").map(|p| p.outcome()), Ok(None));
}

#[test]
fn it_counts_as_chess_until_a_king_is_near() {
    assert_eq!(perft(&KingOfTheHill::start(), 4), 197_281);
    // Two of the king's eight steps, to d4 and e4, end the game before Black's king makes one of its five.
    let (chess, hill) = (Chess::from_fen(NEAR).expect("legal"), KingOfTheHill::from_fen(NEAR).expect("legal"));
    assert_eq!(perft(&chess, 1), perft(&hill, 1));
    assert_eq!(perft(&chess, 2) - perft(&hill, 2), 2 * 5);
}

#[test]
fn it_keeps_the_promises_of_all_games() {
    testkit::conformance::<KingOfTheHill>();
    let run = Conformance { fens: vec![NEAR.into()], games: 10, ..Conformance::default() };
    let report = run.run::<KingOfTheHill>().unwrap_or_else(|fault| panic!("{fault}"));
    assert!(report.ends.contains_key("goalReached"), "{report:?}");
}
