//! Counting the leaves of the legal move tree, the measure by which move generators are compared.

use crate::core::Move;
use crate::position::Position;

/// Leaf nodes at `depth`. The last ply is counted without playing its moves.
///
/// # Examples
/// ```
/// use warpchess_rules::{Position, perft::perft, variants::Chess};
/// assert_eq!(perft(&Chess::start(), 3), 8902);
/// ```
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal(),
        _ => position.legal_moves().iter().map(|&m| perft(&position.after(m), depth - 1)).sum(),
    }
}

/// The same, but every leaf is played, its hash kept up.
pub fn perft_no_bulk<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position.legal_moves().iter().map(|&m| perft_no_bulk(&position.after(m), depth - 1)).sum()
}

/// Leaf nodes below each legal move, sorted by the move's UCI text.
pub fn divide<P: Position>(position: &P, depth: u32, bulk: bool) -> Vec<(Move, u64)> {
    let count = if bulk { perft } else { perft_no_bulk };
    let mut rows: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|&m| (m, if depth == 0 { 1 } else { count(&position.after(m), depth - 1) }))
        .collect();
    rows.sort_by_key(|(m, _)| m.to_string());
    rows
}
