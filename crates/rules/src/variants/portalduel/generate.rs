use super::pair::{Pair, State};
use super::safety::Scene;
use super::{AREA, Portalduel};
use crate::core::{Bitboard, Move, MoveKind, MoveSink, Powers, Role, Sieve, Square};
use crate::movement::orthodox::{Generator, attackers};
use crate::movement::{
    Direction, between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks, queen_attacks,
    rook_attacks, rook_rays,
};
use crate::position::Which;
use crate::variants::chess::generate_orthodox;
use std::ops::ControlFlow;

impl Portalduel {
    #[inline]
    pub(super) fn generate_all<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        let board = self.core.board();
        let us = self.core.turn();
        let Some(king) = board.king(us) else { return ControlFlow::Continue(()) };
        match self.pair.state() {
            State::Linked(a, b) => {
                let portals = Bitboard::from(a).with(b);
                if portals.has(king) || self.watched_through_portals(king, (a, b)) {
                    return self.generate_by_trial(king, (a, b), which, sink);
                }
                let g = Generator::with_blockers::<false>(board, us, portals);
                self.generate_by_masks(&g, king, (a, b), which, sink)
            }
            State::Locked(_) => generate_orthodox(&Generator::new::<false>(board, us), &self.core, which, sink),
            State::Placing => self.generate_placements(which, sink),
        }
    }

    #[cold]
    fn generate_placements<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        if which == Which::Noisy {
            return ControlFlow::Continue(());
        }
        let us = self.core.turn();
        let occupied = self.core.board().occupied();
        let mut squares = Bitboard::rank(Pair::home(us));
        if self.pair.of(!us).is_some_and(|other| occupied.has(other)) {
            squares &= !occupied;
        }
        let mut sieve = Sieve { sink, keep: |m| self.keeps_king_safe(m) };
        squares.into_iter().try_for_each(|square| sieve.push(Move::new(MoveKind::Place, square, square)))
    }

    /// Moves while no way through the portals matters to the king: orthodox masks are exact for the other pieces, since
    /// a portal stops a rider as a piece does, and goes on doing so when a piece leaves it.
    #[inline]
    fn generate_by_masks<S: MoveSink>(
        &self,
        g: &Generator<'_>,
        king: Square,
        portals: (Square, Square),
        which: Which,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let board = g.board;
        self.plain_moves(g, which, sink)?;
        let travellers = self.travellers(portals);
        if travellers.any() {
            let exact = !g.pinned().with(king);
            for from in travellers & exact {
                self.portal_moves(from, portals, which, g.safety.map_or(Bitboard::ALL, |s| s.answers), sink)?;
            }
            if (travellers & !exact).any() {
                let mut sieve = Sieve { sink, keep: |m| self.keeps_king_safe(m) };
                for from in travellers & !exact {
                    self.portal_moves(from, portals, which, Bitboard::ALL, &mut sieve)?;
                }
            }
        }
        let plain = if which == Which::All { !board.color(g.us) } else { board.color(!g.us) };
        let mut steps = g.safe_steps::<false>(king, king_attacks(king) & plain & g.area);
        if steps.any() {
            let here = Scene::now(board, Some(portals));
            let rays = |square| rook_rays(square) | bishop_rays(square);
            for step in steps & (rays(portals.0) | rays(portals.1)) {
                if here.moved(king, step).rides_to(step, !g.us) {
                    steps = steps.without(step);
                }
            }
            sink.targets(MoveKind::Normal, king, steps)?;
        }
        let mut sieve = Sieve { sink, keep: |m| self.keeps_king_safe(m) };
        g.en_passant::<false>(self.core.ep(AREA), &mut sieve)?;
        if which == Which::All {
            g.castling::<false>(self.core.castling(AREA), &mut sieve)?;
        }
        self.shifts(Some(g), king, which, sink)
    }

    /// Moves when a way through the portals leads to the king, or the king stands on a portal: each is tried.
    #[cold]
    fn generate_by_trial<S: MoveSink>(
        &self,
        king: Square,
        portals: (Square, Square),
        which: Which,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let us = self.core.turn();
        let board = self.core.board();
        let blockers = Bitboard::from(portals.0).with(portals.1);
        let g = Generator { board, us, safety: None, area: !blockers, blockers };
        let mut sieve = Sieve { sink, keep: |m| self.keeps_king_safe(m) };
        self.plain_moves(&g, which, &mut sieve)?;
        for from in self.travellers(portals) {
            self.portal_moves(from, portals, which, Bitboard::ALL, &mut sieve)?;
        }
        let plain = if which == Which::All { !board.color(us) } else { board.color(!us) };
        sieve.targets(MoveKind::Normal, king, king_attacks(king) & plain & g.area)?;
        g.en_passant::<false>(self.core.ep(AREA), &mut sieve)?;
        let castling = self.core.castling(AREA);
        if which == Which::All && castling.has_any(us) && self.checked_king(us).is_none() {
            g.castling::<false>(castling, &mut sieve)?;
        }
        self.shifts(None, king, which, sink)
    }

    /// Moves of all but the king between squares without portals.
    #[inline]
    fn plain_moves<S: MoveSink>(&self, g: &Generator<'_>, which: Which, sink: &mut S) -> ControlFlow<()> {
        let promote = g.us.last_rank();
        g.pawn_captures(promote, sink)?;
        g.pawn_promotion_steps(promote, sink)?;
        match which {
            Which::Noisy => g.pieces::<false>(g.board.color(!g.us), sink),
            Which::All => {
                g.pawn_steps(promote, sink)?;
                g.pieces::<false>(!g.board.color(g.us), sink)
            }
        }
    }

    /// Own pieces that may have a move to or through a portal; too many rather than too few.
    #[inline]
    fn travellers(&self, (a, b): (Square, Square)) -> Bitboard {
        let board = self.core.board();
        let us = self.core.turn();
        let blockers = board.occupied().with(a).with(b);
        let squares = Bitboard::from(a).with(b);
        let below = squares.shift(-us.forward());
        let below = below | (below & !blockers).shift(-us.forward()) & Bitboard::rank(us.rank(1));
        attackers::<false>(board, a, us, blockers)
            | attackers::<false>(board, b, us, blockers)
            | below & board.pawns() & board.color(us)
    }

    /// The moves of one piece that end on a portal or pass one, to squares of `mask`.
    fn portal_moves<S: MoveSink>(
        &self,
        from: Square,
        (a, b): (Square, Square),
        which: Which,
        mask: Bitboard,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let board = self.core.board();
        let us = self.core.turn();
        let occupied = board.occupied();
        let blockers = occupied.with(a).with(b);
        let portals = Bitboard::from(a).with(b);
        let powers = board.powers_at(from);
        let pawn = powers.has(Powers::PAWN);
        let enemy = board.color(!us);
        let mut attacks = Bitboard::EMPTY;
        if pawn {
            attacks |= pawn_attacks(us, from);
        }
        if powers.has(Powers::KNIGHT) {
            attacks |= knight_attacks(from);
        }
        if powers.has(Powers::STEP) {
            attacks |= king_attacks(from);
        }
        if powers.has(Powers::DIAGONAL) {
            attacks |= bishop_attacks(from, blockers);
        }
        if powers.has(Powers::ORTHOGONAL) {
            attacks |= rook_attacks(from, blockers);
        }
        let quiet = which == Which::All;
        let man = portals & occupied;
        if (man & enemy).any() {
            // Entering either portal captures on the one where the enemy stands.
            let (target, other) = if man.has(a) { (a, b) } else { (b, a) };
            if !mask.has(target) {
                return ControlFlow::Continue(());
            }
            return match (attacks.has(target), attacks.has(other)) {
                (true, _) => self.emit(MoveKind::Normal, from, target, target, pawn, sink),
                (false, true) => self.emit(MoveKind::Travel, from, target, other, pawn, sink),
                _ => ControlFlow::Continue(()),
            };
        }
        if man.any() && !man.has(from) {
            return ControlFlow::Continue(());
        }
        // Both are empty, or the mover itself stands on one: then it may stop on the other, but not come out at its own.
        let open = man.is_empty();
        if pawn {
            return self.pawn_steps(from, (a, b), open, which, mask, sink);
        }
        if quiet {
            sink.targets(MoveKind::Normal, from, attacks & portals & mask)?;
        }
        if !open {
            return ControlFlow::Continue(());
        }
        let rider = powers.has(Powers::DIAGONAL) || powers.has(Powers::ORTHOGONAL);
        let mut known = attacks;
        for (entry, exit) in [(a, b), (b, a)] {
            if !attacks.has(entry) {
                continue;
            }
            let mut to = Bitboard::from(exit);
            if let Some(direction) = Direction::between(from, entry).filter(|_| rider) {
                to |= direction.slide(exit, blockers) & !portals;
            }
            // What can be reached otherwise is no second move.
            to &= !known & !board.color(us);
            known |= to;
            sink.travels(from, entry, to & mask & if quiet { Bitboard::ALL } else { enemy })?;
        }
        ControlFlow::Continue(())
    }

    /// A pawn's straight steps that meet a portal. A second step goes on from the exit of the first.
    fn pawn_steps<S: MoveSink>(
        &self,
        from: Square,
        (a, b): (Square, Square),
        open: bool,
        which: Which,
        mask: Bitboard,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let us = self.core.turn();
        let ahead = |square: Square| square.step(0, us.forward() / 8);
        let blockers = self.core.board().occupied().with(a).with(b);
        let wanted = if which == Which::All { mask } else { mask & us.last_rank() };
        let doubles = from.rank() == us.rank(1);
        let Some(one) = ahead(from) else { return ControlFlow::Continue(()) };
        let mut go = |kind, to, entry| {
            if wanted.has(to) { self.emit(kind, from, to, entry, true, sink) } else { ControlFlow::Continue(()) }
        };
        if one == a || one == b {
            let exit = if one == a { b } else { a };
            go(MoveKind::Normal, one, one)?;
            if !open {
                return ControlFlow::Continue(());
            }
            go(MoveKind::Travel, exit, one)?;
            match ahead(exit).filter(|&two| doubles && !blockers.has(two)) {
                Some(two) => go(MoveKind::Travel, two, one),
                None => ControlFlow::Continue(()),
            }
        } else {
            let Some(two) = ahead(one).filter(|&two| doubles && !blockers.has(one) && (two == a || two == b)) else {
                return ControlFlow::Continue(());
            };
            go(MoveKind::DoubleStep, two, two)?;
            if open { go(MoveKind::Travel, if two == a { b } else { a }, two) } else { ControlFlow::Continue(()) }
        }
    }

    /// One move, or the four promotions of a pawn that comes to its last rank.
    fn emit<S: MoveSink>(
        &self,
        kind: MoveKind,
        from: Square,
        to: Square,
        entry: Square,
        pawn: bool,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let travel = kind == MoveKind::Travel;
        if !pawn || !self.core.turn().last_rank().has(to) {
            return if travel {
                sink.travels(from, entry, Bitboard::from(to))
            } else {
                sink.targets(kind, from, Bitboard::from(to))
            };
        }
        for role in Role::PROMOTIONS {
            let m = if travel {
                Move::new(MoveKind::Travel, from, to).with_aux(entry)
            } else {
                Move::new(MoveKind::Promotion, from, to)
            };
            sink.push(m.with_role(role))?;
        }
        ControlFlow::Continue(())
    }

    /// The portal's own moves. With a generator's masks at hand, those that cannot matter to the king are not tried.
    #[inline]
    fn shifts<S: MoveSink>(
        &self,
        g: Option<&Generator<'_>>,
        king: Square,
        which: Which,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let us = self.core.turn();
        let board = self.core.board();
        let (Some(own), Some(other)) = (self.pair.of(us), self.pair.of(!us)) else {
            return ControlFlow::Continue(());
        };
        let steps = king_attacks(own);
        if steps.has(other) {
            self.black_hole(own, other, king, which, sink)?;
        }
        let occupied = board.occupied();
        let steps = steps.without(other);
        let mut untried = Bitboard::EMPTY;
        if let Some(g) = g.filter(|g| g.safety.is_some_and(|s| s.checkers.is_empty() && !s.screens.has(own))) {
            // No line opens where the portal was. A man it displaces stands on a portal then, and no one rides through.
            untried = steps & (!occupied | board.color(us).without(king));
            if !occupied.has(other) {
                untried &= !Self::new_ways(g, king, other);
            }
        }
        if which == Which::All {
            sink.targets(MoveKind::Shift, own, steps & !occupied & untried)?;
        }
        let tried = steps & !occupied & !untried;
        let men = if occupied.has(other) { Bitboard::EMPTY } else { steps & occupied };
        if (tried | men).is_empty() {
            return ControlFlow::Continue(());
        }
        for to in tried | men {
            let m = Move::new(MoveKind::Shift, own, to);
            let promotes =
                (board.pawns() & men).has(to) && board.color_at(to).is_some_and(|color| color.last_rank().has(other));
            if which == Which::Noisy && !promotes || !untried.has(to) && !self.keeps_king_safe(m) {
                continue;
            }
            if promotes && board.color(us).has(to) {
                Role::PROMOTIONS.into_iter().try_for_each(|role| sink.push(m.with_role(role)))?;
            } else {
                sink.push(m)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Squares to which the own portal cannot go without a look at ways to the king that it may open there.
    #[inline]
    fn new_ways(g: &Generator<'_>, king: Square, other: Square) -> Bitboard {
        let occupied = g.board.occupied();
        let enemy = g.board.color(!g.us);
        // In at the new square, out at the other portal.
        if Direction::between(other, king).is_some() && (between(other, king) & occupied).is_empty() {
            return Bitboard::ALL;
        }
        // In at the other portal, out at the new square.
        let riders = bishop_rays(other) & g.board.with_power(Powers::DIAGONAL)
            | rook_rays(other) & g.board.with_power(Powers::ORTHOGONAL);
        let seen = (riders & enemy).into_iter().any(|rider| (between(other, rider) & occupied).is_empty());
        if seen { queen_attacks(king, occupied) } else { Bitboard::EMPTY }
    }

    fn black_hole<S: MoveSink>(
        &self,
        own: Square,
        other: Square,
        king: Square,
        which: Which,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let board = self.core.board();
        let hole = hole(other);
        let m = Move::new(MoveKind::Shift, own, other);
        let allowed = !hole.has(king)
            && ((hole & board.kings(!self.core.turn())).any() || self.keeps_king_safe(m))
            && (which == Which::All || (hole & board.occupied()).any());
        if allowed { sink.push(m) } else { ControlFlow::Continue(()) }
    }
}

/// The squares that a black hole empties.
#[inline]
pub(super) fn hole(center: Square) -> Bitboard {
    king_attacks(center).with(center)
}
