//! Every rule of the two games, one test each. The groups: turns and boards, declared teleports, safety of the kings,
//! what happens without a move, texts.

mod declarations;
mod safety;
mod texts;
mod turns;
mod without_moves;

use crate::core::{Color, MoveKind, Piece, Square};
use crate::notation::uci;
use crate::position::Position;
use crate::variants::{SplitPortal, TwinPortal};

/// Fields from castling on for a position about which nothing else is known.
const PLAIN: &str = "-|- -|- -/- 0 1";

/// A FEN of pieces given as area, letter and square (`AKe1 Bqd8`), on two whole boards, and the fields after the placement.
fn twin_fen(pieces: &str, rest: &str) -> String {
    let mut boards = [[['.'; 8]; 8]; 2];
    for piece in pieces.split(' ') {
        let (what, square) = piece.split_at(2);
        let square: Square = square.parse().expect("a square");
        let mut what = what.chars();
        let area = usize::from(what.next() == Some('B'));
        boards[area][usize::from(square.rank())][usize::from(square.file())] = what.next().expect("a letter");
    }
    let rank = |rank: &[char; 8]| {
        let mut text: String = rank.iter().collect();
        for n in (1..=8).rev() {
            text = text.replace(&".".repeat(n), &n.to_string());
        }
        text
    };
    let board = |board: &[[char; 8]; 8]| board.iter().rev().map(rank).collect::<Vec<_>>().join("/");
    format!("{}|{} {rest}", board(&boards[0]), board(&boards[1]))
}

fn twin(pieces: &str, rest: &str) -> TwinPortal {
    let fen = twin_fen(pieces, rest);
    TwinPortal::from_fen(&fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// The same with the side and the area due alone.
fn plain(pieces: &str, turn: &str) -> TwinPortal {
    twin(pieces, &format!("{turn} {PLAIN}"))
}

fn split(fen: &str) -> SplitPortal {
    SplitPortal::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// All legal moves, sorted.
fn moves<P: Position>(position: &P) -> String {
    let mut list: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
    list.sort();
    list.join(" ")
}

fn allows<P: Position>(position: &P, text: &str) -> bool {
    uci::find(&position.legal_moves(), text).is_some()
}

/// The position after legal moves.
fn play<P: Position>(mut position: P, moves: &str) -> P {
    for text in moves.split(' ') {
        let m = uci::find(&position.legal_moves(), text)
            .unwrap_or_else(|| panic!("{text} is not legal in {}", Position::fen(&position)));
        position.play_unchecked(m, &mut ());
    }
    position
}

/// The fields after the placement.
fn state<P: Position>(position: &P) -> String {
    let fen = position.fen();
    fen.split_once(' ').expect("fields").1.to_owned()
}

fn status<P: Position>(position: &P) -> String {
    position.outcome().map_or_else(|| "ongoing".into(), |o| o.status())
}

/// What the only legal move is.
fn only_kind<P: Position>(position: &P) -> MoveKind {
    match position.legal_moves().as_slice() {
        [m] => m.kind(),
        other => panic!("{other:?} in {}", position.fen()),
    }
}

fn piece(letter: char) -> Piece {
    Piece::from_letter(letter).expect("a piece")
}

#[test]
fn positions_are_small() {
    // A search copies one at every node: two and a half cache lines, of which the two boards take two.
    assert!(size_of::<TwinPortal>() <= 160);
    assert!(size_of::<SplitPortal>() <= 160);
}

#[test]
fn the_hash_tells_declarations_apart() {
    let fields = ["-/-", "a4/-", "a4x/-", "-/a4", "a4/a4", "-/a5", "h5/-"];
    let position = |field| twin("AKe1 Bke8 ARa4 ANh5 Bra4 Bna5", &format!("w B -|- -|- {field} 0 1"));
    let mut keys: Vec<_> = fields
        .into_iter()
        .map(|field| {
            let position = position(field);
            assert_eq!(position.hash_key(), position.compute_hash());
            position.hash_key()
        })
        .collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), fields.len());
}
