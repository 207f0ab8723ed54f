//! A sink that lets only those moves through that may give check, for generators asked for mating moves.

use super::orthodox::Safety;
use super::{bishop_attacks, king_attacks, knight_attacks, nightrider_attacks, pawn_attacks, rook_attacks};
use crate::core::{Bitboard, Board, Color, Move, MoveKind, MoveSink, Powers, Role, Square};
use std::ops::ControlFlow;

/// Lets through, of the moves of one side, all that give check, and of those that do not only the few kinds that are not
/// looked at (castling, en passant, promotions, swaps). Exact for boards on which pieces move as
/// [`orthodox`](super::orthodox) knows it, without barriers.
///
/// A piece checks from where it arrives if one of its powers reaches the king from there. The line it attacks along cannot
/// have been closed by itself: it would have given check before. A line that it opens belongs to a rider between which
/// and the king it stood alone.
#[derive(Debug)]
pub struct Checking<'a, S> {
    sink: &'a mut S,
    board: &'a Board,
    /// For each power, the squares from which it attacks the king.
    near: [Bitboard; Powers::COUNT],
    /// Pieces that stand alone between a rider of their side and the king.
    screens: Bitboard,
}

impl<'a, S: MoveSink> Checking<'a, S> {
    /// Moves of `us` against the other side's king; `None` if it has none. `FAIRY` as for the generator.
    #[inline]
    pub fn new<const FAIRY: bool>(board: &'a Board, us: Color, sink: &'a mut S) -> Option<Self> {
        let king = board.king(!us)?;
        let occupied = board.occupied();
        let near = [
            pawn_attacks(!us, king),
            knight_attacks(king),
            bishop_attacks(king, occupied),
            rook_attacks(king, occupied),
            king_attacks(king),
            if FAIRY { nightrider_attacks(king, occupied) } else { Bitboard::EMPTY },
        ];
        let screens = Safety::of::<FAIRY>(board, !us, king, Bitboard::EMPTY).screens & board.color(us);
        Some(Self { sink, board, near, screens })
    }

    #[inline]
    fn reached_by(&self, powers: Powers) -> Bitboard {
        let each = self.near.iter().enumerate().filter(|(i, _)| powers.0 & 1 << i != 0);
        each.fold(Bitboard::EMPTY, |set, (_, &near)| set | near)
    }
}

impl<S: MoveSink> MoveSink for Checking<'_, S> {
    #[inline]
    fn push(&mut self, m: Move) -> ControlFlow<()> {
        self.sink.push(m)
    }
    #[inline]
    fn targets(&mut self, kind: MoveKind, from: Square, to: Bitboard) -> ControlFlow<()> {
        let checks = match kind {
            MoveKind::Normal if !self.screens.has(from) => to & self.reached_by(self.board.powers_at(from)),
            _ => to,
        };
        if checks.is_empty() { ControlFlow::Continue(()) } else { self.sink.targets(kind, from, checks) }
    }
    #[inline]
    fn shifted(&mut self, kind: MoveKind, to: Bitboard, delta: i8) -> ControlFlow<()> {
        let checks = match kind {
            // Only pawns come in this way.
            MoveKind::Normal | MoveKind::DoubleStep => {
                to & (self.near[Powers::PAWN.0.trailing_zeros() as usize] | self.screens.shift(delta))
            }
            _ => to,
        };
        if checks.is_empty() { ControlFlow::Continue(()) } else { self.sink.shifted(kind, checks, delta) }
    }
    #[inline]
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<()> {
        self.sink.promotions(to, delta)
    }
    #[inline]
    fn drops(&mut self, role: Role, to: Bitboard) -> ControlFlow<()> {
        self.sink.drops(role, to & self.reached_by(role.powers()))
    }
    #[inline]
    fn pocketings(&mut self, from: Bitboard, roles: &[Role]) -> ControlFlow<()> {
        self.sink.pocketings(from & self.screens, roles)
    }
}
