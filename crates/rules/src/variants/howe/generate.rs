//! Which turns are legal.

use super::{Geometry, Howe, Intent, State};
use crate::core::{Area, Bitboard, Color, First, Move, MoveKind, MoveSink, Square};
use crate::movement::orthodox::{Generator, Safety, is_attacked};
use crate::position::{Position, Which};
use std::ops::ControlFlow;

/// Passes moves on and remembers whether there were any.
struct Watch<'a, S> {
    sink: &'a mut S,
    seen: bool,
}

impl<S: MoveSink> MoveSink for Watch<'_, S> {
    #[inline]
    fn push(&mut self, m: Move) -> ControlFlow<()> {
        self.seen = true;
        self.sink.push(m)
    }
    #[inline]
    fn targets(&mut self, kind: MoveKind, from: Square, to: Bitboard) -> ControlFlow<()> {
        self.seen |= to.any();
        self.sink.targets(kind, from, to)
    }
    #[inline]
    fn shifted(&mut self, kind: MoveKind, to: Bitboard, delta: i8) -> ControlFlow<()> {
        self.seen |= to.any();
        self.sink.shifted(kind, to, delta)
    }
    #[inline]
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<()> {
        self.seen |= to.any();
        self.sink.promotions(to, delta)
    }
}

impl<G: Geometry> Howe<G> {
    /// All legal turns of the side to move.
    #[inline]
    pub(super) fn turns<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        if let Some(intent) = self.intent(self.core.turn()) {
            return match self.bound_turn(intent) {
                Some(m) if which == Which::All || self.captured(m).is_some() => sink.push(m),
                _ => ControlFlow::Continue(()),
            };
        }
        if which == Which::Noisy {
            return self.free_turns(self.due, which, sink);
        }
        let mut watch = Watch { sink, seen: false };
        self.free_turns(self.due, which, &mut watch)?;
        if !watch.seen && self.may_pass() { sink.push(Move::PASS) } else { ControlFlow::Continue(()) }
    }

    /// The one turn of a player who has declared a teleport: it takes place, or he passes if it cannot.
    #[cold]
    fn bound_turn(&self, intent: Intent) -> Option<Move> {
        let us = self.core.turn();
        let (_, to) = self.goal(us, intent);
        let transfer = Move::new(MoveKind::Transfer, intent.square, to);
        let is_safe = |m: &Move| self.after(*m).is_safe_after_turn(us, self.due);
        match intent.state {
            State::Open => [transfer, Move::PASS].into_iter().find(is_safe),
            State::Blocked => Some(Move::PASS).filter(is_safe),
            // It can only come down: a piece cannot stay in the air.
            State::Transit(_) => Some(transfer).filter(is_safe),
        }
    }

    /// Whether the declared teleport of the side to move takes place now.
    pub(super) fn can_transfer(&self) -> bool {
        let turn = self.intent(self.core.turn()).and_then(|intent| self.bound_turn(intent));
        turn.is_some_and(|m| m.kind() == MoveKind::Transfer)
    }

    /// Whether a free player who has no other turn may pass: his king survives it, and he could do something if the other
    /// area were due.
    #[cold]
    fn may_pass(&self) -> bool {
        self.after(Move::PASS).is_safe_after_turn(self.core.turn(), self.due)
            && self.free_turns(self.due.other(), Which::All, &mut First::default()).is_break()
    }

    /// Moves and declarations of a player bound by nothing, as if `area` were due.
    ///
    /// An ordinary move changes nothing in the other area except that it may take the piece whose declared teleport
    /// threatens there. So pins and check masks are exact: those of the king in this area, or for White's king in
    /// the other area (Black's need not be safe there) all or nothing.
    #[inline]
    fn free_turns<S: MoveSink>(&self, area: Area, which: Which, sink: &mut S) -> ControlFlow<()> {
        let us = self.core.turn();
        let board = self.board(area);
        let own = board.color(us);
        let threat = self.open_goal(!us);
        let mut generator = Generator { board, us, safety: None, area: G::squares(area), blockers: Bitboard::EMPTY };
        let mut declarable = own & G::portals(area);
        let mut king_targets = Bitboard::ALL;
        if let Some(king) = board.king(us) {
            let safety = Safety::of::<false>(board, us, king, Bitboard::EMPTY);
            generator.safety = Some(safety);
            let threatened = threat == Some((area, king));
            if threatened || safety.checkers.any() {
                declarable &= self.fleeing_king(area, &safety);
            }
            if let Some((_, landing)) = threat.filter(|t| t.0 == area) {
                king_targets = !Bitboard::from(landing);
                if threatened {
                    // Nothing can be put in the way of a teleport, so the king has to go.
                    let targets = if which == Which::Noisy { board.color(!us) } else { !own };
                    generator.king::<false>(targets & king_targets, sink)?;
                    return if which == Which::Noisy {
                        ControlFlow::Continue(())
                    } else {
                        sink.shifted(MoveKind::Declare, declarable, 0)
                    };
                }
            }
        } else if us == Color::White {
            let other = self.board(area.other());
            if let Some(king) = other.king(us) {
                if is_attacked::<false>(other, king, !us, other.occupied()) {
                    return ControlFlow::Continue(());
                }
                if threat == Some((area.other(), king)) {
                    generator.area = self.threatening_piece(area);
                    declarable = Bitboard::EMPTY;
                }
            }
        }

        let promote = us.last_rank();
        generator.pawn_captures(promote, sink)?;
        generator.pawn_promotion_steps(promote, sink)?;
        // An ep square of the other area is Black's.
        if self.next_turn_in(area) == us {
            generator.en_passant::<false>(self.core.ep(area), sink)?;
        }
        match which {
            Which::Noisy => {
                let targets = board.color(!us);
                generator.pieces::<false>(targets, sink)?;
                generator.king::<false>(targets & king_targets, sink)
            }
            Which::All => {
                generator.pawn_steps(promote, sink)?;
                generator.pieces::<false>(!own, sink)?;
                generator.king::<false>(!own & king_targets, sink)?;
                generator.castling::<false>(self.core.castling(area), sink)?;
                sink.shifted(MoveKind::Declare, declarable, 0)
            }
        }
    }

    /// The attacked king, if declaring its own teleport saves it: it must not be blocked; and Black's, whose enemy moves
    /// in this area before it leaves, must only be threatened by a teleport, which would then be a swap.
    #[cold]
    fn fleeing_king(&self, area: Area, safety: &Safety) -> Bitboard {
        let us = self.core.turn();
        let is_free = || !self.board(area.other()).color(us).has(G::linked(area, safety.king));
        let saves = us == Color::White || safety.checkers.is_empty();
        if saves && G::portals(area).has(safety.king) && is_free() {
            Bitboard::from(safety.king)
        } else {
            Bitboard::EMPTY
        }
    }

    /// The enemy piece whose declared teleport threatens the other area, if it stands in this one.
    #[cold]
    fn threatening_piece(&self, area: Area) -> Bitboard {
        let them = !self.core.turn();
        match self.intent(them) {
            Some(intent) if self.source(them) == area => Bitboard::from(intent.square),
            _ => Bitboard::EMPTY,
        }
    }
}
