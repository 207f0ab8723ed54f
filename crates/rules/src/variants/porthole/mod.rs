//! Portal chess with neutral moving portals ("Hidden"). Source: Portal chess, second version; the rulings are in
//! `docs/rules/porthole.md`.
//!
//! Portals stop riders as pieces do, so plain moves are orthodox ones with portals as blockers. Whoever enters a portal
//! leaves it behind on the square it came from, so entering never uncovers the origin; what it can uncover is the
//! portal's old square. All this is exact by masks as long as the mover's king does not stand on a portal itself (nor next
//! to the other king); if it does, whether it is attacked depends on exits, and every move is tried on copies of the few
//! bitboards that matter.

mod portals;
mod terms;
#[cfg(test)]
mod tests;

use super::chess::play_orthodox;
use crate::core::{
    Area, Bitboard, Board, Castling, Color, Core, Effect, Marker, MarkerKind, MarkerView, Move, MoveKind, MoveSink,
    Observer, Piece, Place, Powers, Role, Side, Sieve, Square,
};
use crate::info::{MAX_FEATURES, ONE_AREA, ONE_BOARD, ORTHODOX_ROLES, VariantInfo};
use crate::movement::orthodox::{Generator, attackers};
use crate::movement::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use crate::notation::fen::{self, FenError, FenField, Fields};
use crate::position::{Position, Reach, Which};
use portals::Portals;
use std::ops::ControlFlow;
use terms::FEATURES;

const AREA: Area = Area::A;
const PORTAL: Marker = Marker { kind: MarkerKind::Portal, owner: None };

static INFO: VariantInfo = VariantInfo {
    id: "porthole",
    names: [
        "Portal Chess, moving portals",
        "Ajedrez de portales, portales móviles",
        "Портальные шахматы, подвижные порталы",
    ],
    summary: [
        "Enter a portal and come out of another one; the portal you went in by moves to the square you came from.",
        "Entra en un portal y sal por otro; el portal por el que entraste pasa a la casilla de la que venías.",
        "Войдите в один портал и выйдите из другого; портал, в который вы вошли, перейдёт на поле, откуда вы пришли.",
    ],
    aliases: &[
        "Hidden",
        "Portal Chess (Hidden)",
        "Hidden Portal Chess",
        "Portal Chess, neutral moving portals",
        "Portal Chess, neutral moving portals (Hidden)",
    ],
    start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - b4c4f4g4b5c5f5g5 0 1",
    boards: ONE_BOARD,
    areas: ONE_AREA,
    roles: ORTHODOX_ROLES,
    markers: &[PORTAL],
    links: &[],
    pocket: false,
    castling: true,
    kinds: &[MoveKind::Normal, MoveKind::Promotion, MoveKind::EnPassant, MoveKind::Castle, MoveKind::Enter],
    features: FEATURES,
    zugzwang: false,
    rules_version: 1,
};

/// A position of portal chess with neutral moving portals.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Porthole {
    core: Core<1>,
    portals: Portals,
}

/// The bitboards that decide whether a king is attacked, as they are after a move.
struct Aftermath {
    king: Square,
    occupied: Bitboard,
    portals: Bitboard,
    stacks: Bitboard,
    /// A piece that was captured but is still on the board looked at.
    gone: Bitboard,
}

impl Porthole {
    /// Squares at which a piece that enters `entry` may come out.
    #[inline]
    fn exits(&self, entry: Square) -> Bitboard {
        exits(entry, self.core.board().occupied(), self.portals.squares(), self.portals.stacks())
    }

    /// The king of `color`, if it is attacked.
    fn checked_king(&self, color: Color) -> Option<Square> {
        let king = self.core.board().king(color)?;
        let now = Aftermath {
            king,
            occupied: self.core.board().occupied(),
            portals: self.portals.squares(),
            stacks: self.portals.stacks(),
            gone: Bitboard::EMPTY,
        };
        (!self.is_safe(&now, color)).then_some(king)
    }

    /// Whether the enemies of `us` cannot capture the king there.
    fn is_safe(&self, after: &Aftermath, us: Color) -> bool {
        let &Aftermath { king, occupied, portals, stacks, gone } = after;
        if portals.has(king) && exits(king, occupied, portals, stacks).is_empty() {
            return true;
        }
        (attackers::<false>(self.core.board(), king, !us, occupied | portals) & !gone).is_empty()
    }

    /// Whether a pseudo-legal move leaves the mover's king safe.
    fn keeps_king_safe(&self, m: Move) -> bool {
        let us = self.core.turn();
        let board = self.core.board();
        let (from, to) = (m.from(), m.to());
        let Some(king) = board.king(us) else { return true };
        let mut after = Aftermath {
            king: if king == from { to } else { king },
            occupied: board.occupied().without(from).with(to),
            portals: self.portals.squares(),
            stacks: self.portals.stacks(),
            gone: Bitboard::from(to),
        };
        match m.kind() {
            MoveKind::EnPassant => {
                let victim = to.offset(-us.forward());
                after.occupied = after.occupied.without(victim);
                after.gone = after.gone.with(victim);
            }
            MoveKind::Castle => {
                let side = if to.file() == 6 { Side::King } else { Side::Queen };
                let rook = (Castling::rook_from(us, side), Castling::rook_to(us, side));
                after.occupied = after.occupied.without(rook.0).with(rook.1);
            }
            MoveKind::Enter => {
                let exit = m.aux();
                if king == from {
                    after.king = exit;
                }
                after.occupied = after.occupied.without(to).with(exit);
                (after.portals, after.stacks) = self.portals.after_shift(to, from);
            }
            _ => {}
        }
        self.is_safe(&after, us)
    }

    /// Riders and leapers, to plain squares and into portals; portals are looked for on each piece's lines at once.
    #[inline]
    fn pieces<S: MoveSink>(
        &self,
        g: &Generator<'_>,
        plain: Bitboard,
        entries: Bitboard,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let plain = plain & g.answers();
        if plain.is_empty() && entries.is_empty() {
            return ControlFlow::Continue(());
        }
        let own = g.board.color(g.us);
        let occupied = g.occupied();
        let pinned = g.pinned();
        // The portal that takes a pinned piece's place keeps the line closed: a pin forbids plain moves only.
        let mut go = |from: Square, attacks: Bitboard| {
            let to = if pinned.has(from) { attacks & g.pin_line(from) } else { attacks };
            sink.targets(MoveKind::Normal, from, to & plain)?;
            self.enter(from, attacks & entries, sink)
        };
        for from in g.board.with_power(Powers::KNIGHT) & own {
            go(from, knight_attacks(from))?;
        }
        for from in g.board.with_power(Powers::DIAGONAL) & own {
            go(from, bishop_attacks(from, occupied))?;
        }
        for from in g.board.with_power(Powers::ORTHOGONAL) & own {
            go(from, rook_attacks(from, occupied))?;
        }
        ControlFlow::Continue(())
    }

    /// A piece goes into each of these portals and out wherever it can.
    #[inline]
    fn enter<S: MoveSink>(&self, from: Square, entries: Bitboard, sink: &mut S) -> ControlFlow<()> {
        for entry in entries {
            sink.exits(from, entry, self.exits(entry))?;
        }
        ControlFlow::Continue(())
    }

    /// Pawns go diagonally into portals, whether or not there is something to capture.
    #[inline]
    fn pawns_enter<S: MoveSink>(&self, us: Color, entries: Bitboard, sink: &mut S) -> ControlFlow<()> {
        let pawns = self.core.board().pawns() & self.core.board().color(us);
        for entry in entries {
            for from in pawn_attacks(!us, entry) & pawns {
                sink.exits(from, entry, self.exits(entry))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Squares at which a piece may come out that enters `entry`: other portals with nothing on them, and not from stack to
/// stack. Where it comes from does not matter, as it stands there itself.
#[inline]
fn exits(entry: Square, occupied: Bitboard, portals: Bitboard, stacks: Bitboard) -> Bitboard {
    let open = (portals & !occupied).without(entry);
    if stacks.has(entry) { open & !stacks } else { open }
}

impl Porthole {
    /// Moves when the king does not stand on a portal.
    #[inline]
    fn generate_by_masks<S: MoveSink>(&self, g: &Generator<'_>, which: Which, sink: &mut S) -> ControlFlow<()> {
        let board = g.board;
        let promote = g.us.last_rank();
        let quiet = which == Which::All;
        let plain = if quiet { !board.color(g.us) } else { board.color(!g.us) };
        let mut entries = self.portals.squares() & plain;
        let king_entries = entries;
        if let Some(safety) = g.safety {
            // A check is answered by capturing on a portal, never by standing on one: it was in the way before.
            if safety.checkers.many() {
                entries = Bitboard::EMPTY;
            } else if safety.checkers.any() {
                entries &= safety.checkers;
            }
            // With its only portal gone a square may no longer be in the way.
            entries &= !safety.screens | self.portals.stacks();
        }
        g.pawn_captures(promote, sink)?;
        g.pawn_promotion_steps(promote, sink)?;
        g.en_passant::<false>(self.core.ep(AREA), sink)?;
        self.pawns_enter(g.us, entries, sink)?;
        if quiet {
            g.pawn_steps(promote, sink)?;
        }
        self.pieces(g, plain, entries, sink)?;
        g.king::<false>(plain, sink)?;
        if let Some(king) = board.king(g.us) {
            let entries = king_attacks(king) & king_entries;
            if entries.any() {
                let mut sieve = Sieve { sink, keep: |m| self.keeps_king_safe(m) };
                self.enter(king, entries, &mut sieve)?;
            }
        }
        if quiet { g.castling::<false>(self.core.castling(AREA), sink) } else { ControlFlow::Continue(()) }
    }

    /// Moves when the king stands on a portal, so that any of them may open or close an exit, or when it stands next to
    /// the other: each is tried.
    #[cold]
    fn generate_by_trial<S: MoveSink>(&self, king: Square, which: Which, sink: &mut S) -> ControlFlow<()> {
        let us = self.core.turn();
        let board = self.core.board();
        let blockers = self.portals.squares();
        let g = Generator { board, us, safety: None, area: !blockers, blockers };
        let sink = &mut Sieve { sink, keep: |m| self.keeps_king_safe(m) };
        let quiet = which == Which::All;
        let plain = if quiet { !board.color(us) } else { board.color(!us) };
        let entries = blockers & plain;
        let promote = us.last_rank();
        g.pawn_captures(promote, sink)?;
        g.pawn_promotion_steps(promote, sink)?;
        g.en_passant::<false>(self.core.ep(AREA), sink)?;
        self.pawns_enter(us, entries, sink)?;
        self.pieces(&g, plain, entries, sink)?;
        sink.targets(MoveKind::Normal, king, king_attacks(king) & plain & g.area)?;
        self.enter(king, king_attacks(king) & entries, sink)?;
        if quiet {
            g.pawn_steps(promote, sink)?;
            if self.checked_king(us).is_none() {
                g.castling::<false>(self.core.castling(AREA), sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn play_enter<O: Observer>(&mut self, m: Move, observer: &mut O) {
        let us = self.core.turn();
        let (from, entry, exit) = (m.from(), m.to(), m.aux());
        let Some(role) = self.core.board().role_at(from) else { return };
        let mut irreversible = role == Role::Pawn;
        self.core.set_ep(AREA, None);
        if let Some(victim) = self.core.board().piece_at(entry) {
            self.core.take(AREA, entry, victim, observer);
            irreversible = true;
        }
        self.core.relocate(AREA, from, exit, Piece::new(us, role), observer);
        let change = self.portals.shift(entry, from);
        self.core.toggle_hash(change);
        observer.effect(Effect::MarkerMove {
            marker: PORTAL,
            from: Place::Board(AREA, entry),
            to: Place::Board(AREA, from),
        });
        self.core.lose_castling(AREA, from, entry);
        self.core.end_turn(irreversible);
    }
}

impl Position for Porthole {
    const INFO: &'static VariantInfo = &INFO;

    fn from_fen(text: &str) -> Result<Self, FenError> {
        let mut fields = Fields::new(text)?;
        let mut core = Core::empty();
        fen::read_placement(&mut core, &INFO, AREA, fields.next(FenField::Placement)?, (0, 8))?;
        fen::check_kings(core.board())?;
        let us = fen::read_side(fields.next(FenField::Side)?)?;
        core.set_turn(us);
        let castling = fen::read_castling(core.board(), fields.next(FenField::Castling)?)?;
        core.set_castling(AREA, castling);
        let ep_text = fields.next(FenField::EnPassant)?;
        let ep = fen::read_ep(core.board(), us, ep_text, Bitboard::ALL, Bitboard::EMPTY)?;
        core.set_ep(AREA, ep);
        let portals = Portals::read(fields.next(FenField::Portals)?)?;
        core.toggle_hash(portals.hash());
        // The pawn may have stood on a portal before, but cannot have passed over or come to one.
        if let Ok(passed) = ep_text.parse::<Square>() {
            let met = portals.squares() & Bitboard::from(passed).with(passed.offset(-us.forward()));
            if let Some(square) = met.first() {
                return Err(FenError::new(
                    FenField::EnPassant,
                    format!("no double step over {passed} with a portal on {square}"),
                )
                .because("epPortal", &[("passed", &passed), ("square", &square)]));
            }
        }
        let (halfmove, fullmove) = fields.clocks()?;
        core.set_clocks(halfmove, fullmove);
        let position = Self { core, portals };
        match position.checked_king(!us) {
            Some(square) => Err(fen::opponent_in_check(square)),
            None => Ok(position),
        }
    }
    fn fen(&self) -> String {
        let core = &self.core;
        format!(
            "{} {} {} {} {} {} {}",
            fen::write_placement(core.board(), (0, 8)),
            core.turn().letter(),
            fen::write_castling(core.castling(AREA)),
            fen::write_ep(core.ep(AREA)),
            self.portals,
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
        self.core.compute_hash() ^ self.portals.hash()
    }
    #[inline]
    fn generate<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        let (board, us) = (self.core.board(), self.core.turn());
        match board.king(us) {
            // A king next to the other is not attacked on a portal that has no exit for the other; it gives check then.
            Some(king) if self.portals.squares().has(king) || (king_attacks(king) & board.kings(!us)).any() => {
                self.generate_by_trial(king, which, sink)
            }
            _ => {
                let g = Generator::with_blockers::<false>(board, us, self.portals.squares());
                self.generate_by_masks(&g, which, sink)
            }
        }
    }
    #[inline]
    fn play_unchecked<O: Observer>(&mut self, m: Move, observer: &mut O) {
        if m.kind() == MoveKind::Enter {
            self.play_enter(m, observer);
        } else {
            play_orthodox(&mut self.core, m, observer);
        }
    }
    fn checked_kings(&self) -> Vec<(Area, Square)> {
        self.checked_king(self.core.turn()).map(|s| (AREA, s)).into_iter().collect()
    }
    fn in_check(&self) -> bool {
        self.checked_king(self.core.turn()).is_some()
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
        self.portals.squares()
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
        let mut next = self.clone();
        next.core.pass();
        Some(next)
    }
    fn markers(&self) -> Vec<MarkerView> {
        let view = |square| MarkerView {
            marker: PORTAL,
            at: Place::Board(AREA, square),
            to: None,
            count: self.portals.count(square),
        };
        self.portals.squares().into_iter().map(view).collect()
    }
    fn is_insufficient(&self) -> bool {
        self.core.board().occupied() == self.kings()
    }
    /// With portals about even a bare king can mate: it is safe on a portal that the other side cannot enter, and checks
    /// from there. It takes enemy pieces that hem the other king in.
    fn can_win(&self, color: Color) -> bool {
        let board = self.core.board();
        let portals = self.portals.squares();
        let usable = portals.many() || (portals & board.kings(color)).any();
        (board.color(color) & !self.kings()).any() || usable && (board.color(!color) & !self.kings()).any()
    }
    fn random_setup(seed: u64) -> Option<Self> {
        Some(random_setup(seed))
    }
}

impl Porthole {
    fn kings(&self) -> Bitboard {
        let board = self.core.board();
        board.kings(Color::White) | board.kings(Color::Black)
    }
}

/// Two to six portals on different squares of ranks 3 and 4, every number and every choice of squares as likely as the
/// others, and their mirror images on ranks 6 and 5. Part of the promise of a seed: it gives the same portals for ever.
fn random_setup(seed: u64) -> Porthole {
    const PAIRS: std::ops::RangeInclusive<u64> = 2..=6;
    let mut state = seed;
    let mut below = |n: u64| {
        // SplitMix64; the high half of a product maps it on a range with no bias worth naming.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u64
    };
    let mut pairs = PAIRS.start() + below(PAIRS.end() - PAIRS.start() + 1);
    // Takes each square with the chance that leaves every choice equally likely (Knuth's algorithm S).
    let mut squares = Vec::new();
    for seen in 0..16 {
        if below(16 - seen) < pairs {
            let square = Square::new(16 + seen as u8);
            squares.push(square);
            squares.push(Square::new(square.index() as u8 ^ 56));
            pairs -= 1;
        }
    }
    let mut position = Porthole::start();
    let old = std::mem::replace(&mut position.portals, squares.into_iter().collect());
    position.core.toggle_hash(old.hash() ^ position.portals.hash());
    position
}
