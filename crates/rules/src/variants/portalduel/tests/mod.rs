//! Every sentence of `docs/rules/portalduel.md`.

mod moves;
mod portals;
mod reading;

use super::*;
use crate::notation::uci;

fn read(fen: &str) -> Portalduel {
    Portalduel::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn refusal(fen: &str) -> FenError {
    Portalduel::from_fen(fen).err().unwrap_or_else(|| panic!("{fen} was read"))
}

fn legal(fen: &str) -> Vec<String> {
    let mut moves: Vec<_> = read(fen).legal_moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

fn legal_from(fen: &str, from: &str) -> String {
    legal(fen).into_iter().filter(|m| m.starts_with(from)).collect::<Vec<_>>().join(" ")
}

fn find(position: &Portalduel, text: &str) -> Move {
    uci::parse(position, text).unwrap_or_else(|e| panic!("{e}"))
}

fn after(fen: &str, text: &str) -> String {
    let position = read(fen);
    let next = position.after(find(&position, text));
    assert_eq!(next.hash_key(), next.compute_hash(), "{text} in {fen}");
    next.fen()
}

fn kind(fen: &str, text: &str) -> MoveKind {
    find(&read(fen), text).kind()
}
