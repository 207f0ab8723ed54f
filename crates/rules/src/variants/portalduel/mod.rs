//! Portal chess with one portal a player ("Buckley"). Source: Portal chess, third version; the rulings are in
//! `docs/rules/portalduel.md`.
//!
//! Portals stop riders as pieces do; what ends on or passes a portal is generated apart, and only for the few pieces
//! that reach one. A king is attacked through the portals in two ways: it stands on one of them and an enemy piece
//! reaches the other, or both are empty and a rider comes out of one in the king's direction. As long as neither can
//! come about by moving one piece, orthodox pins and check masks are exact; else each move is tried.

mod generate;
mod pair;
mod safety;
mod terms;
#[cfg(test)]
mod tests;

use super::chess::{can_mate, play_orthodox};
use crate::core::{
    Area, Bitboard, Board, Color, Core, Effect, Marker, MarkerKind, MarkerView, Move, MoveKind, MoveSink, Observer,
    Piece, Place, Role, Square,
};
use crate::info::{MAX_FEATURES, ONE_AREA, ONE_BOARD, ORTHODOX_ROLES, VariantInfo};
use crate::notation::fen::{self, FenError, FenField, Fields, Params};
use crate::position::{EndReason, Outcome, Position, Reach, Which};
use pair::{Pair, State};
use std::ops::ControlFlow;
use terms::FEATURES;

const AREA: Area = Area::A;

const fn portal(owner: Color) -> Marker {
    Marker { kind: MarkerKind::Portal, owner: Some(owner) }
}
const fn locked(owner: Color) -> Marker {
    Marker { kind: MarkerKind::Locked, owner: Some(owner) }
}

static INFO: VariantInfo = VariantInfo {
    id: "portalduel",
    names: ["Portal Chess, one portal each", "Ajedrez de portales, uno por bando", "Портальные шахматы, по порталу"],
    summary: [
        "Each side owns one of two linked portals: ride through them, move yours, or let them meet in a black hole.",
        "Cada bando tiene uno de dos portales enlazados: crúzalos, mueve el tuyo o júntalos en un agujero negro.",
        "У каждой стороны свой из двух связанных порталов: проходите сквозь них, двигайте свой или сведите их в чёрную дыру.",
    ],
    aliases: &[
        "Buckley",
        "Portal Chess (Buckley)",
        "Portal Duel",
        "Portal Chess, one portal per player",
        "Portal Chess, one portal per player (Buckley)",
    ],
    start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -- 0 1",
    boards: ONE_BOARD,
    areas: ONE_AREA,
    roles: ORTHODOX_ROLES,
    markers: &[portal(Color::White), portal(Color::Black)],
    links: &[],
    pocket: false,
    castling: true,
    kinds: &[
        MoveKind::Normal,
        MoveKind::Promotion,
        MoveKind::EnPassant,
        MoveKind::Castle,
        MoveKind::Travel,
        MoveKind::Place,
        MoveKind::Shift,
    ],
    features: FEATURES,
    zugzwang: false,
    rules_version: 1,
};

/// A position of portal chess with one portal a player.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Portalduel {
    core: Core<1>,
    pair: Pair,
}

impl Portalduel {
    fn play_place<O: Observer>(&mut self, to: Square, observer: &mut O) {
        let us = self.core.turn();
        let change = self.pair.set(us, to);
        self.core.toggle_hash(change);
        observer.effect(Effect::MarkerMove { marker: portal(us), from: Place::Hand(us), to: Place::Board(AREA, to) });
        self.core.set_ep(AREA, None);
        self.core.end_turn(false);
    }

    fn play_travel<O: Observer>(&mut self, m: Move, observer: &mut O) {
        let us = self.core.turn();
        let (from, to) = (m.from(), m.to());
        let Some(role) = self.core.board().role_at(from) else { return };
        let mut irreversible = role == Role::Pawn;
        self.core.set_ep(AREA, None);
        if let Some(victim) = self.core.board().piece_at(to) {
            self.core.take(AREA, to, victim, observer);
            irreversible = true;
        }
        self.core.relocate(AREA, from, to, Piece::new(us, role), observer);
        if let Some(role) = m.role() {
            self.core.promote(AREA, to, us, role, observer);
        }
        self.core.lose_castling(AREA, from, to);
        self.core.end_turn(irreversible);
    }

    fn play_shift<O: Observer>(&mut self, m: Move, observer: &mut O) {
        let us = self.core.turn();
        let to = m.to();
        let Some(other) = self.pair.of(!us) else { return };
        let mut irreversible = false;
        self.core.set_ep(AREA, None);
        let change = self.pair.set(us, to);
        self.core.toggle_hash(change);
        let moves =
            Effect::MarkerMove { marker: portal(us), from: Place::Board(AREA, m.from()), to: Place::Board(AREA, to) };
        if to == other {
            observer.effect(moves);
            for square in generate::hole(to) {
                if let Some(victim) = self.core.board().piece_at(square) {
                    self.core.take(AREA, square, victim, observer);
                    self.core.lose_castling(AREA, square, square);
                    irreversible = true;
                }
            }
            for owner in Color::ALL {
                observer.effect(Effect::MarkerRemove { marker: portal(owner), at: Place::Board(AREA, to) });
                observer.effect(Effect::MarkerAdd { marker: locked(owner), at: Place::Board(AREA, to) });
            }
        } else {
            if let Some(man) = self.core.board().piece_at(to) {
                self.core.relocate(AREA, to, other, man, observer);
                self.core.lose_castling(AREA, to, other);
                if man.role() == Role::Pawn && man.color().last_rank().has(other) {
                    // The choice is the mover's for an own pawn; the enemy's gets no choice.
                    let role = m.role().filter(|_| man.color() == us).unwrap_or(Role::Queen);
                    self.core.promote(AREA, other, man.color(), role, observer);
                    irreversible = true;
                }
            }
            observer.effect(moves);
        }
        self.core.end_turn(irreversible);
    }

    fn kings(&self) -> Bitboard {
        let board = self.core.board();
        board.kings(Color::White) | board.kings(Color::Black)
    }

    fn is_locked(&self) -> bool {
        matches!(self.pair.state(), State::Locked(_))
    }

    /// Both kings, or the one left after a black hole; and what the portals allow.
    fn check_placement(&self) -> Result<(), FenError> {
        let board = self.core.board();
        let us = self.core.turn();
        if let State::Locked(center) = self.pair.state()
            && board.kings(us).is_empty()
            && board.kings(!us).len() == 1
        {
            // The black hole that took the king was the last move.
            return match (generate::hole(center) & board.occupied()).first() {
                None => Ok(()),
                Some(square) => Err(FenError::new(
                    FenField::Placement,
                    format!("no {} king, but a piece on {square}, where the black hole would have taken it", us.name()),
                )
                .because("holeKing", &[("color", &us.name()), ("square", &square)])),
            };
        }
        fen::check_kings(board)?;
        match self.checked_king(!us) {
            Some(square) => Err(fen::opponent_in_check(square)),
            None => Ok(()),
        }
    }
}

impl Position for Portalduel {
    const INFO: &'static VariantInfo = &INFO;

    fn from_fen(text: &str) -> Result<Self, FenError> {
        let mut fields = Fields::new(text)?;
        let mut core = Core::empty();
        fen::read_placement(&mut core, &INFO, AREA, fields.next(FenField::Placement)?, (0, 8))?;
        let us = fen::read_side(fields.next(FenField::Side)?)?;
        core.set_turn(us);
        let castling = fen::read_castling(core.board(), fields.next(FenField::Castling)?)?;
        core.set_castling(AREA, castling);
        let ep_text = fields.next(FenField::EnPassant)?;
        let ep = fen::read_ep(core.board(), us, ep_text, Bitboard::ALL, Bitboard::EMPTY)?;
        core.set_ep(AREA, ep);
        let pair = Pair::read(fields.next(FenField::Portals)?)?;
        core.toggle_hash(pair.hash());
        let err = |field, problem: String, code, params: &Params<'_>| {
            Err(FenError::new(field, problem).because(code, params))
        };
        match pair.state() {
            State::Placing => {
                let due = if pair.of(Color::White).is_none() { Color::White } else { Color::Black };
                if us != due {
                    return err(
                        FenField::Portals,
                        format!("'{pair}', but it is not {}'s turn to place a portal", due.name()),
                        "portalDue",
                        &[("color", &due.name())],
                    );
                }
                fen::check_pawns(core.board(), &[0, 7])?;
            }
            State::Linked(a, b) => {
                if core.board().occupied().has(a) && core.board().occupied().has(b) {
                    let problem = format!("both portals, {a} and {b}, are occupied");
                    return err(FenField::Portals, problem, "portalsOccupied", &[("a", &a), ("b", &b)]);
                }
                // A double step may end on a portal or come from one, but not pass over one.
                if let Some(passed) = ep_text.parse().ok().filter(|&s: &Square| s == a || s == b) {
                    let problem = format!("no double step over {passed} with a portal there");
                    return err(FenField::EnPassant, problem, "epPortal", &[("passed", &passed), ("square", &passed)]);
                }
                // A portal can have brought a pawn to its own first rank.
                fen::check_pawns(core.board(), &[7])?;
            }
            State::Locked(_) => fen::check_pawns(core.board(), &[7])?,
        }
        let (halfmove, fullmove) = fields.clocks()?;
        core.set_clocks(halfmove, fullmove);
        let position = Self { core, pair };
        position.check_placement()?;
        Ok(position)
    }
    fn fen(&self) -> String {
        let core = &self.core;
        format!(
            "{} {} {} {} {} {} {}",
            fen::write_placement(core.board(), (0, 8)),
            core.turn().letter(),
            fen::write_castling(core.castling(AREA)),
            fen::write_ep(core.ep(AREA)),
            self.pair,
            core.halfmove(),
            core.fullmove()
        )
    }
    fn turn(&self) -> Color {
        self.core.turn()
    }
    fn halfmove_clock(&self) -> u16 {
        self.core.halfmove()
    }
    fn fullmove_number(&self) -> u16 {
        self.core.fullmove()
    }
    fn hash_key(&self) -> u64 {
        self.core.hash()
    }
    fn compute_hash(&self) -> u64 {
        self.core.compute_hash() ^ self.pair.hash()
    }
    #[inline]
    fn generate<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        self.generate_all(which, sink)
    }
    #[inline]
    fn play_unchecked<O: Observer>(&mut self, m: Move, observer: &mut O) {
        match m.kind() {
            MoveKind::Place => self.play_place(m.to(), observer),
            MoveKind::Shift => self.play_shift(m, observer),
            MoveKind::Travel => self.play_travel(m, observer),
            _ => play_orthodox(&mut self.core, m, observer),
        }
    }
    fn checked_kings(&self) -> Vec<(Area, Square)> {
        self.checked_king(self.core.turn()).map(|s| (AREA, s)).into_iter().collect()
    }
    fn in_check(&self) -> bool {
        self.checked_king(self.core.turn()).is_some()
    }
    #[inline]
    fn king_destroyed(&self) -> bool {
        self.core.board().king(self.core.turn()).is_none()
    }
    fn piece_at(&self, _: Area, square: Square) -> Option<Piece> {
        self.core.board().piece_at(square)
    }
    fn pieces(&self) -> Vec<(Place, Piece)> {
        self.core.board().iter().map(|(square, piece)| (Place::Board(AREA, square), piece)).collect()
    }
    #[inline]
    fn boards(&self) -> &[Board] {
        self.core.boards()
    }
    #[inline]
    fn barriers(&self, _: Area) -> Bitboard {
        // A ride ends at a portal, or goes on from the other one.
        self.pair.linked().map_or(Bitboard::EMPTY, |(a, b)| Bitboard::from(a).with(b))
    }
    #[inline]
    fn reach(&self, _: Area, from: Square, attacks: Bitboard) -> Reach {
        self.reach_of(from, attacks)
    }
    #[inline]
    fn features(&self, counts: &mut [i32; MAX_FEATURES]) {
        self.count_terms(counts);
    }
    fn null_move(&self) -> Option<Self> {
        if self.pair.state() == State::Placing {
            return None;
        }
        let mut next = self.clone();
        next.core.pass();
        Some(next)
    }
    fn markers(&self) -> Vec<MarkerView> {
        let view = |owner| MarkerView {
            marker: if self.is_locked() { locked(owner) } else { portal(owner) },
            at: self.pair.of(owner).map_or(Place::Hand(owner), |square| Place::Board(AREA, square)),
            to: None,
            count: 1,
        };
        Color::ALL.into_iter().map(view).collect()
    }
    fn outcome_without_moves(&self) -> Outcome {
        let us = self.core.turn();
        if self.king_destroyed() {
            Outcome::win(!us, EndReason::KingDestroyed)
        } else if self.in_check() {
            Outcome::win(!us, EndReason::Checkmate)
        } else {
            Outcome::draw(EndReason::Stalemate)
        }
    }
    fn is_insufficient(&self) -> bool {
        // With one king there is a winner already.
        self.is_locked() && self.core.board().occupied() == self.kings() && self.kings().many()
    }
    /// While there can be a black hole, a portal and a king are enough.
    fn can_win(&self, color: Color) -> bool {
        !self.is_locked() || can_mate(self.core.board(), color)
    }
}
