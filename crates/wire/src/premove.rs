//! What a player who waits may decide already: every move that can become legal at the next turn.

use std::collections::HashSet;

use warpchess_rules::{AnyPosition, Place};

use crate::view::{Gesture, LegalMove};

/// All moves that are legal after at least one legal move of the side to move, each once, made with what the waiting
/// side has where it stands now. Recaptures on squares that are still held are among them.
///
/// `san` is the UCI text (the name for people depends on the move in between), `captures` is the place moved to if an
/// enemy piece stands there now, and `check` is never claimed.
pub fn premoves(position: &dyn AnyPosition) -> Vec<LegalMove> {
    let waiting = !position.turn();
    let (pieces, markers) = (position.pieces(), position.markers());
    let holds = |place: Place| {
        pieces.iter().any(|&(at, piece)| at == place && piece.color() == waiting)
            || markers.iter().any(|m| m.at == place && m.marker.owner == Some(waiting))
    };
    let enemy = |place: Place| pieces.iter().any(|&(at, piece)| at == place && piece.color() != waiting);

    let mut known = HashSet::new();
    let mut found = Vec::new();
    for &between in &position.legal_moves() {
        let mut next = position.boxed_clone();
        next.play(between);
        for &m in &next.legal_moves() {
            if !known.insert(m) {
                continue;
            }
            let gesture = Gesture::of(&*next, m);
            if gesture.from.is_none_or(holds) {
                let taken = gesture.to.filter(|&to| enemy(to));
                found.push(LegalMove::ahead(m, gesture, taken));
            }
        }
    }
    found
}
