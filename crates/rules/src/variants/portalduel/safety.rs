use super::Portalduel;
use crate::core::{Bitboard, Board, Castling, Color, Move, MoveKind, Powers, Side, Square};
use crate::movement::orthodox::attackers;
use crate::movement::{Direction, between};

/// Where pieces stand for the question whether a square is attacked: the board, except for who has just moved.
#[derive(Copy, Clone)]
pub(super) struct Scene<'a> {
    board: &'a Board,
    occupied: Bitboard,
    /// Pieces of the attacker that are on the board no more.
    gone: Bitboard,
    portals: Option<(Square, Square)>,
}

impl<'a> Scene<'a> {
    /// As it is.
    #[inline]
    pub(super) fn now(board: &'a Board, portals: Option<(Square, Square)>) -> Self {
        Self { board, occupied: board.occupied(), gone: Bitboard::EMPTY, portals }
    }
    /// With a piece moved, which captures what stands on its new square.
    #[inline]
    #[must_use]
    pub(super) fn moved(self, from: Square, to: Square) -> Self {
        Self { occupied: self.occupied.without(from).with(to), gone: self.gone.with(to), ..self }
    }
    /// With a piece taken off.
    #[must_use]
    fn removed(self, square: Square) -> Self {
        Self { occupied: self.occupied.without(square), gone: self.gone.with(square), ..self }
    }

    /// Whether a piece of `by` could capture on the square, if `by`'s enemy stands there.
    pub(super) fn attacks(&self, square: Square, by: Color) -> bool {
        let Some((a, b)) = self.portals else {
            return (attackers::<false>(self.board, square, by, self.occupied) & !self.gone).any();
        };
        let blockers = self.occupied.with(a).with(b);
        let reach = |square| (attackers::<false>(self.board, square, by, blockers) & !self.gone).any();
        if reach(square) {
            return true;
        }
        if square == a {
            // Who enters the other portal comes out here and captures.
            reach(b)
        } else if square == b {
            reach(a)
        } else {
            self.rides_to(square, by)
        }
    }

    /// Whether a rider of `by` comes through the portals to a square that is none itself. Both must be empty for that.
    #[inline]
    pub(super) fn rides_to(&self, square: Square, by: Color) -> bool {
        let Some((a, b)) = self.portals else { return false };
        if self.occupied.has(a) || self.occupied.has(b) {
            return false;
        }
        self.rides_through(a, b, square, by) || self.rides_through(b, a, square, by)
    }

    #[inline]
    fn rides_through(&self, entry: Square, exit: Square, square: Square, by: Color) -> bool {
        let Some(direction) = Direction::between(exit, square) else { return false };
        let blockers = self.occupied.with(entry).with(exit);
        if (between(exit, square) & blockers).any() {
            return false;
        }
        let riders = riders(self.board, by, direction) & !self.gone;
        (direction.opposite().ray(entry) & riders).any() && (direction.opposite().slide(entry, blockers) & riders).any()
    }
}

/// A side's riders in a direction.
#[inline]
pub(super) fn riders(board: &Board, color: Color, direction: Direction) -> Bitboard {
    let power = if direction.is_diagonal() { Powers::DIAGONAL } else { Powers::ORTHOGONAL };
    board.with_power(power) & board.color(color)
}

impl Portalduel {
    /// The king of `color`, if it is attacked.
    pub(super) fn checked_king(&self, color: Color) -> Option<Square> {
        let board = self.core.board();
        board.king(color).filter(|&king| Scene::now(board, self.pair.linked()).attacks(king, !color))
    }

    /// Whether a way through the portals leads from an enemy rider to the king on a plain square, with at most one own
    /// piece in it. While that is not so, no move of one own piece other than the king lets a rider through.
    #[inline]
    pub(super) fn watched_through_portals(&self, king: Square, (a, b): (Square, Square)) -> bool {
        self.watched(king, a, b) || self.watched(king, b, a)
    }

    #[inline]
    fn watched(&self, king: Square, entry: Square, exit: Square) -> bool {
        let Some(direction) = Direction::between(exit, king) else { return false };
        let board = self.core.board();
        let us = self.core.turn();
        let riders = riders(board, !us, direction) & direction.opposite().ray(entry);
        if riders.is_empty() {
            return false;
        }
        let last = between(exit, king);
        if last.has(entry) {
            return false;
        }
        riders.into_iter().any(|rider| {
            let first = between(rider, entry);
            let met = (first | last).with(entry).with(exit) & board.occupied();
            !first.has(exit) && !met.many() && (met & (board.color(!us) | board.kings(us))).is_empty()
        })
    }

    /// Whether a pseudo-legal move leaves the mover's king safe.
    pub(super) fn keeps_king_safe(&self, m: Move) -> bool {
        let us = self.core.turn();
        let board = self.core.board();
        let Some(king) = board.king(us) else { return true };
        let (from, to) = (m.from(), m.to());
        if matches!(m.kind(), MoveKind::Shift | MoveKind::Place) {
            let mut next = self.clone();
            crate::Position::play_unchecked(&mut next, m, &mut ());
            // A king that has destroyed the other need not fear anything any more.
            return next.core.board().king(!us).is_none() || next.checked_king(us).is_none();
        }
        let mut scene = Scene::now(board, self.pair.linked()).moved(from, to);
        match m.kind() {
            MoveKind::EnPassant => scene = scene.removed(to.offset(-us.forward())),
            MoveKind::Castle => {
                let side = if to.file() == 6 { Side::King } else { Side::Queen };
                let (rook_from, rook_to) = (Castling::rook_from(us, side), Castling::rook_to(us, side));
                let halfway = Scene::now(board, self.pair.linked()).moved(from, rook_to);
                if halfway.attacks(rook_to, !us) {
                    return false;
                }
                scene = scene.moved(rook_from, rook_to);
            }
            _ => {}
        }
        !scene.attacks(if from == king { to } else { king }, !us)
    }
}
