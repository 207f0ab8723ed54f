//! What a turn does.

use super::{DUE_KEY, Geometry, Howe, Intent, State};
use crate::core::{Bitboard, Color, Effect, Move, MoveKind, Observer, Piece, Place, Square};
use crate::movement::pawn_attacks;
use crate::position::Position;
use crate::variants::chess::move_piece;

impl<G: Geometry> Howe<G> {
    /// Plays a legal turn.
    #[inline]
    pub(super) fn play<O: Observer>(&mut self, m: Move, observer: &mut O) {
        let us = self.core.turn();
        let irreversible = match m.kind() {
            MoveKind::Declare => self.declare(m.from(), observer),
            MoveKind::Transfer => self.transfer(m.from(), m.to(), observer),
            MoveKind::Pass => self.give_up(observer),
            _ => {
                let irreversible = move_piece(&mut self.core, self.due, m, observer);
                self.void_if_captured(observer);
                irreversible
            }
        };
        self.core.end_turn(irreversible);
        if us == Color::White {
            self.due = self.due.other();
            self.core.toggle_hash(DUE_KEY);
        }
    }

    #[cold]
    fn declare<O: Observer>(&mut self, square: Square, observer: &mut O) -> bool {
        let us = self.core.turn();
        self.core.set_ep(self.due, None);
        let is_blocked = self.board(self.due.other()).color(us).has(G::linked(self.due, square));
        let intent = Intent { square, state: if is_blocked { State::Blocked } else { State::Open } };
        self.set_intent(us, Some(intent));
        observer.effect(Effect::MarkerAdd { marker: intent.marker(us), at: Place::Board(self.due, square) });
        false
    }

    /// Passes; a declared teleport, if there is one, comes to nothing.
    #[cold]
    fn give_up<O: Observer>(&mut self, observer: &mut O) -> bool {
        self.core.set_ep(self.due, None);
        self.drop_intent(self.core.turn(), observer);
        false
    }

    /// The declared teleport takes place. No castling right can depend on it: no home square is a portal.
    #[cold]
    fn transfer<O: Observer>(&mut self, from: Square, to: Square, observer: &mut O) -> bool {
        let us = self.core.turn();
        let source = self.source(us);
        let lifted = self.held(us);
        self.drop_intent(us, observer);
        self.core.set_ep(self.due, None);
        if let Some(role) = lifted {
            self.core.carry(self.due, to, Piece::new(us, role), Place::Transit(us), true, observer);
            return false;
        }
        let Some(piece) = self.board(source).piece_at(from) else { return false };
        let met = self.board(self.due).piece_at(to);
        let captures = met.is_some() && !self.lifts(to);
        if let Some(met) = met {
            if captures {
                self.core.take(self.due, to, met, observer);
            } else {
                self.lift(to, met, observer);
            }
        }
        self.core.transfer((source, from), (self.due, to), piece, observer);
        if let Some(ep) = self.core.ep(source) {
            // The pawn that could have used it may just have gone. White is never next in the area he left.
            let takers = pawn_attacks(Color::White, ep) & self.board(source).pawns();
            if (takers & self.board(source).color(Color::Black)).is_empty() {
                self.core.set_ep(source, None);
            }
        }
        captures
    }

    /// Lifts an enemy piece off that has declared a teleport itself: it will land where the teleport leads.
    fn lift<O: Observer>(&mut self, square: Square, piece: Piece, observer: &mut O) {
        let them = piece.color();
        let intent = Intent { square, state: State::Transit(piece.role()) };
        let (from, to) = (Place::Board(self.due, square), Place::Transit(them));
        self.core.carry(self.due, square, piece, to, false, observer);
        self.set_intent(them, Some(intent));
        observer.effect(Effect::MarkerMove { marker: intent.marker(them), from, to });
    }

    /// A declaration is void when its piece has been captured. Only Black's can be: White declares in one area, and Black
    /// is next in the other.
    #[inline]
    fn void_if_captured<O: Observer>(&mut self, observer: &mut O) {
        let them = !self.core.turn();
        if let Some(intent) = self.intent(them)
            && self.source(them) == self.due
            && (self.board(self.due).color(them) & Bitboard::from(intent.square)).is_empty()
        {
            self.drop_intent(them, observer);
        }
    }

    fn drop_intent<O: Observer>(&mut self, color: Color, observer: &mut O) {
        if let Some(intent) = self.intent(color) {
            let at = intent.place(color, self.source(color));
            observer.effect(Effect::MarkerRemove { marker: intent.marker(color), at });
            self.set_intent(color, None);
        }
    }
}
