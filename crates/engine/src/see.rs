//! What a series of captures on one square wins, by bitboards alone.
//!
//! Exact for pieces that move as in chess and its compounds. Where portals let pieces come from elsewhere, or take the
//! capturing piece elsewhere, it is an estimate: what travels is not counted, and a piece that vanishes into a portal by
//! its capture is not recaptured. In games whose turns alternate between areas the captures on a square alternate
//! between the sides all the same, only later.
//! Source: <https://www.chessprogramming.org/Static_Exchange_Evaluation>.

use crate::eval::Evaluator;
use warpchess_rules::movement::{
    bishop_attacks, bishop_rays, king_attacks, knight_attacks, nightrider_attacks, nightrider_rays, pawn_attacks,
    rook_attacks, rook_rays,
};
use warpchess_rules::{Bitboard, Board, Color, Move, MoveKind, Position, Powers, Role, Square};

/// Worth of a king in an exchange: more than anything it could win.
pub(crate) const KING: i32 = 10_000;

/// Leapers of both colors that attack a square.
#[inline]
fn leapers(board: &Board, square: Square) -> Bitboard {
    pawn_attacks(Color::White, square) & board.pawns() & board.color(Color::Black)
        | pawn_attacks(Color::Black, square) & board.pawns() & board.color(Color::White)
        | knight_attacks(square) & board.with_power(Powers::KNIGHT)
        | king_attacks(square) & board.with_power(Powers::STEP)
}

/// Riders of both colors that attack a square over these occupied ones.
#[inline]
fn riders(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let diagonal = board.with_power(Powers::DIAGONAL);
    if (bishop_rays(square) & diagonal).any() {
        set |= bishop_attacks(square, occupied) & diagonal;
    }
    let orthogonal = board.with_power(Powers::ORTHOGONAL);
    if (rook_rays(square) & orthogonal).any() {
        set |= rook_attacks(square, occupied) & orthogonal;
    }
    let nightriders = board.with_power(Powers::NIGHTRIDER);
    if (nightrider_rays(square) & nightriders).any() {
        set |= nightrider_attacks(square, occupied) & nightriders;
    }
    set
}

/// The least valuable of some pieces.
#[inline]
fn least(board: &Board, evaluator: &Evaluator, pieces: Bitboard) -> Option<(Square, i32)> {
    pieces.into_iter().map(|square| (square, worth(board, evaluator, square))).min_by_key(|&(_, value)| value)
}

#[inline]
fn worth(board: &Board, evaluator: &Evaluator, square: Square) -> i32 {
    match board.role_at(square) {
        Some(Role::King) => KING,
        Some(role) => evaluator.values[role.index()],
        None => 0,
    }
}

/// Whether a legal move, with the captures that follow on its destination, wins at least `threshold`.
pub(crate) fn wins_at_least<P: Position>(position: &P, evaluator: &Evaluator, m: Move, threshold: i32) -> bool {
    let gain = crate::picker::gain(position, evaluator, m);
    let area = position.area();
    let boards = position.boards();
    let board = match (m.kind(), boards.get(area.index()).or(boards.first())) {
        (MoveKind::Normal | MoveKind::DoubleStep | MoveKind::EnPassant | MoveKind::Promotion, Some(board)) => board,
        _ => return gain >= threshold,
    };
    let (from, to) = (m.from(), m.to());
    // The balance if the opponent stops here, and if he takes the piece that moved for nothing.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    let moved = match (m.kind(), m.role()) {
        (MoveKind::Promotion, Some(role)) => evaluator.values[role.index()],
        _ => worth(board, evaluator, from),
    };
    balance -= moved;
    if balance >= 0 {
        return true;
    }
    let mut occupied = (board.occupied() | position.barriers(area)).without(from).with(to);
    if m.kind() == MoveKind::EnPassant {
        occupied = occupied.without(to.offset(-position.turn().forward()));
    }
    let leapers = leapers(board, to);
    let us = position.turn();
    let mut side = !us;
    loop {
        let attackers = (leapers | riders(board, to, occupied)) & occupied;
        let Some((square, value)) = least(board, evaluator, attackers & board.color(side)) else { break };
        // A king does not take what is defended.
        if value == KING && (attackers & board.color(!side)).any() {
            break;
        }
        occupied = occupied.without(square);
        side = !side;
        // From the view of the side that has to answer now.
        balance = -balance - 1 - value;
        if balance >= 0 {
            break;
        }
    }
    // Whoever is left without a good capture has lost the exchange.
    side != us
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::notation::uci;
    use warpchess_rules::variants::Chess;

    /// The exchange by full recursion, without the shortcuts.
    fn exchange(position: &Chess, evaluator: &Evaluator, to: Square) -> i32 {
        let board = position.board();
        let occupied = board.occupied();
        let mut best = 0;
        let takers: Vec<_> = position.noisy_moves().into_iter().filter(|m| m.to() == to).collect();
        let Some(m) = takers.into_iter().min_by_key(|m| worth(board, evaluator, m.from())) else { return 0 };
        assert!(occupied.has(to));
        let gain = crate::picker::gain(position, evaluator, m);
        best = best.max(gain - exchange(&position.after(m), evaluator, to));
        best
    }

    #[test]
    fn known_exchanges() {
        let evaluator = Evaluator::new::<Chess>();
        for (fen, m, value) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", 100 - 950),
            ("4k3/4p3/3r4/8/8/8/3R4/3RK3 w - - 0 1", "d2d6", 100),
            ("4k3/8/8/8/8/8/4p3/4K1N1 w - - 0 1", "g1e2", 100),
        ] {
            let position = Chess::from_fen(fen).expect("fen");
            let m = uci::parse(&position, m).expect("move");
            assert!(wins_at_least(&position, &evaluator, m, value), "{fen} {m} at least {value}");
            assert!(!wins_at_least(&position, &evaluator, m, value + 1), "{fen} {m} more than {value}");
        }
    }

    #[test]
    fn exchanges_agree_with_playing_them_out() {
        // Only where no king limits who can take.
        let evaluator = Evaluator::new::<Chess>();
        let mut seed = 3u64;
        let mut compared = 0;
        for _ in 0..400 {
            let mut position = Chess::start();
            for _ in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &m in &position.noisy_moves() {
                    if m.kind() != MoveKind::Normal || position.board().role_at(m.from()) == Some(Role::King) {
                        continue;
                    }
                    let value = crate::picker::gain(&position, &evaluator, m)
                        - exchange(&position.after(m), &evaluator, m.to());
                    if kings_are_away(&position, m) {
                        compared += 1;
                        assert!(wins_at_least(&position, &evaluator, m, value), "{} {m} {value}", position.fen());
                        assert!(!wins_at_least(&position, &evaluator, m, value + 1), "{} {m} {value}", position.fen());
                    }
                }
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                position.play_unchecked(moves[(seed >> 33) as usize % moves.len()], &mut ());
            }
        }
        assert!(compared > 300, "{compared}");
    }

    /// Whether no king limits the captures: no enemy rider on a line with it, the square out of its sight and no promotion.
    fn kings_are_away(position: &Chess, m: Move) -> bool {
        let board = position.board();
        (1..7).contains(&m.to().rank())
            && Color::ALL.into_iter().all(|color| {
                let Some(king) = board.king(color) else { return false };
                let enemy = board.color(!color);
                let lines = bishop_rays(king) & board.with_power(Powers::DIAGONAL)
                    | rook_rays(king) & board.with_power(Powers::ORTHOGONAL);
                let near = king_attacks(king) | knight_attacks(king);
                (lines & enemy).is_empty() && !near.has(m.to()) && !position.in_check()
            })
    }
}
