//! What the targets share.

use warpchess_rules::{Move, Position, VariantId};

/// A game by its id on the first line, and the rest as text.
pub fn variant_and_text(data: &[u8]) -> Option<(VariantId, &str)> {
    let (id, text) = std::str::from_utf8(data).ok()?.split_once('\n')?;
    Some((id.parse().ok()?, text))
}

/// What holds in every position that was read or reached.
pub fn check<P: Position>(position: &P) {
    let fen = position.fen();
    let again = P::from_fen(&fen).unwrap_or_else(|e| panic!("{fen}: a written FEN cannot be read: {e}"));
    assert_eq!(again.fen(), fen, "the FEN changes when it is read again");
    assert_eq!(again.hash_key(), position.hash_key(), "{fen}: the hash is not the position's own");
    assert_eq!(position.compute_hash(), position.hash_key(), "{fen}: the hash was not kept up");
    let moves = position.legal_moves();
    assert_eq!(moves.len() as u64, position.count_legal(), "{fen}: moves are counted otherwise than listed");
    assert_eq!(!moves.is_empty(), position.has_legal_move(), "{fen}");
    let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), moves.len(), "{fen}: two moves are written alike");
    let _ = position.outcome();
}
