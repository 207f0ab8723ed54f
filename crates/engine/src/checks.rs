//! Which quiet moves give check, cheaply: by where a piece of each power would have to stand to attack the enemy king.
//! Discovered checks, checks through portals and checks by what a swap brings along are not seen.

use crate::history::role_at;
use warpchess_rules::movement::{
    bishop_attacks, king_attacks, knight_attacks, nightrider_attacks, pawn_attacks, rook_attacks,
};
use warpchess_rules::{Bitboard, Move, MoveKind, Position, Powers};

/// For each power, the squares from which it attacks the enemy king.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct CheckSquares {
    sets: [Bitboard; Powers::COUNT],
    /// All of them.
    any: Bitboard,
}

impl CheckSquares {
    /// The squares in the area due.
    pub(crate) fn of<P: Position>(position: &P) -> Self {
        let area = position.area();
        let boards = position.boards();
        let us = position.turn();
        let Some(board) = boards.get(area.index()).or(boards.first()) else { return Self::default() };
        let Some(king) = board.king(!us) else { return Self::default() };
        let occupied = board.occupied() | position.barriers(area);
        let rides = board.with_power(Powers::NIGHTRIDER).any() || position.held(us).is_some();
        let sets = [
            pawn_attacks(!us, king),
            knight_attacks(king),
            bishop_attacks(king, occupied),
            rook_attacks(king, occupied),
            king_attacks(king),
            if rides { nightrider_attacks(king, occupied) } else { Bitboard::EMPTY },
        ];
        Self { sets, any: sets.iter().fold(Bitboard::EMPTY, |any, &set| any | set) }
    }

    /// Whether a legal move is a check of this kind.
    #[inline]
    pub(crate) fn gives<P: Position>(&self, position: &P, m: Move) -> bool {
        let (to, placed) = match m.kind() {
            MoveKind::Normal | MoveKind::DoubleStep | MoveKind::Travel => (m.to(), false),
            MoveKind::Promotion | MoveKind::Drop => (m.to(), true),
            MoveKind::Enter => (m.aux(), false),
            _ => return false,
        };
        // Most moves end where nothing would give check: no need to look what moves.
        if !self.any.has(to) {
            return false;
        }
        let role = if placed { m.role() } else { role_at(position, position.area(), m) };
        let Some(role) = role else { return false };
        let powers = role.powers().0;
        self.sets.iter().enumerate().any(|(i, set)| powers & 1 << i != 0 && set.has(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::variants::Chess;

    #[test]
    fn direct_checks_are_told_from_other_moves() {
        let position = Chess::from_fen("4k3/8/8/8/2N5/8/3P1Q2/R3K3 w - - 0 1").expect("fen");
        let checks = CheckSquares::of(&position);
        for m in position.legal_moves() {
            assert_eq!(checks.gives(&position, m), position.after(m).in_check(), "{m}");
        }
    }
}
