//! Teleport: a piece may change places with one of its own side that stands where it could go.
//!
//! Source: the article "Teleport" on habr.com; the rulings are in `docs/rules/teleport.md`.
//!
//! A swap never changes which squares are occupied, nor anything of the opponent's. So it can neither open nor close a
//! line, nor capture: without check every swap is legal, pinned pieces included, and in check none is. A promotion by
//! a swap only changes an own piece and makes no difference to that.

use super::chess::{
    can_mate, checked_king, generate_orthodox, is_insufficient, play_orthodox, read_orthodox_rest, write_orthodox,
};
use crate::core::{
    Area, Bitboard, Board, Color, Core, Move, MoveKind, MoveSink, Observer, Piece, Place, Powers, Role, Square,
    usable_ep,
};
use crate::info::{Feature, MAX_FEATURES, ONE_AREA, ONE_BOARD, ORTHODOX_ROLES, VariantInfo};
use crate::movement::orthodox::{Generator, compound_attacks};
use crate::movement::{Checking, bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use crate::notation::fen::{self, FenError, FenField, Fields};
use crate::position::{Position, Reach, Which};
use std::ops::ControlFlow;

const AREA: Area = Area::A;

static INFO: VariantInfo = VariantInfo {
    id: "teleport",
    names: ["Teleport", "Teletransporte", "Телепорт"],
    summary: [
        "Change places with your own: any piece but the king may go where a friend stands, and the two swap squares.",
        "Cambia de sitio con los tuyos: toda pieza menos el rey puede ir adonde está otra de las tuyas, y las dos se intercambian.",
        "Меняйтесь местами со своими: любая фигура, кроме короля, может пойти туда, где стоит своя, и они меняются полями.",
    ],
    aliases: &["Teleport Chess", "Телепорт-шахматы", "Ajedrez Teletransporte"],
    start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    boards: ONE_BOARD,
    areas: ONE_AREA,
    roles: ORTHODOX_ROLES,
    markers: &[],
    links: &[],
    pocket: false,
    castling: true,
    kinds: &[MoveKind::Normal, MoveKind::Promotion, MoveKind::EnPassant, MoveKind::Castle, MoveKind::Swap],
    features: FEATURES,
    zugzwang: false,
    rules_version: 1,
};

const FEATURES: &[Feature] = &[
    // A swap that would promote a pawn.
    Feature::new("swap_promotion", 60, 90),
    // Pieces next to the own king, which others can come to replace.
    Feature::new("guards", 3, 0),
    // Pawns on their own first rank.
    Feature::new("pawns_at_home", -8, -12),
];

/// A position of Teleport.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Teleport {
    core: Core<1>,
}

impl Position for Teleport {
    const INFO: &'static VariantInfo = &INFO;

    fn from_fen(text: &str) -> Result<Self, FenError> {
        let mut fields = Fields::new(text)?;
        let mut core = Core::empty();
        fen::read_placement(&mut core, &INFO, AREA, fields.next(FenField::Placement)?, (0, 8))?;
        fen::check_kings(core.board())?;
        fen::check_pawns(core.board(), &[7])?;
        read_orthodox_rest(&mut core, &mut fields, double_step_origins)?;
        Ok(Self { core })
    }
    fn fen(&self) -> String {
        write_orthodox(&self.core)
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
        self.core.compute_hash()
    }
    #[inline]
    fn generate<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        let core = &self.core;
        let board = core.board();
        let us = core.turn();
        let generator = Generator::new::<false>(board, us);
        if generator.in_check() {
            return generate_orthodox(&generator, core, which, sink);
        }
        let promote = us.last_rank();
        let swaps = Swaps::of(board, us);
        generator.pawn_captures(promote, sink)?;
        generator.pawn_promotion_steps(promote, sink)?;
        generator.en_passant::<false>(core.ep(AREA), sink)?;
        swaps.promotions(sink)?;
        match which {
            Which::Noisy => {
                let targets = board.color(!us);
                generator.pieces::<false>(targets, sink)?;
                generator.king::<false>(targets, sink)
            }
            Which::All => {
                generator.pawn_steps(promote, sink)?;
                swaps.pawns(sink)?;
                swaps.pieces(&generator, sink)?;
                generator.king::<false>(!board.color(us), sink)?;
                generator.castling::<false>(core.castling(AREA), sink)
            }
        }
    }
    fn generate_mating<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        match Checking::new::<false>(self.core.board(), self.core.turn(), sink) {
            Some(mut checking) => self.generate(Which::All, &mut checking),
            None => ControlFlow::Continue(()),
        }
    }
    #[inline]
    fn play_unchecked<O: Observer>(&mut self, m: Move, observer: &mut O) {
        if m.kind() == MoveKind::Swap {
            play_swap(&mut self.core, m, observer);
        } else {
            play_orthodox(&mut self.core, m, observer);
        }
    }
    fn checked_kings(&self) -> Vec<(Area, Square)> {
        checked_king(self.core.board(), self.core.turn()).map(|s| (AREA, s)).into_iter().collect()
    }
    fn in_check(&self) -> bool {
        checked_king(self.core.board(), self.core.turn()).is_some()
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
    fn reach(&self, _: Area, from: Square, attacks: Bitboard) -> Reach {
        let board = self.core.board();
        let us = if board.color(Color::White).has(from) { Color::White } else { Color::Black };
        Reach { attacks, ways: attacks & board.color(us) & !board.kings(us) }
    }
    #[inline]
    fn features(&self, counts: &mut [i32; MAX_FEATURES]) {
        let board = self.core.board();
        for us in Color::ALL {
            let sign = if us == Color::White { 1 } else { -1 };
            counts[0] += sign * i32::from(Swaps::of(board, us).promotes());
            if let Some(king) = board.king(us) {
                let pieces = board.color(us) & !board.pawns();
                counts[1] += sign * (king_attacks(king) & pieces).len() as i32;
            }
            // Only a swap takes a pawn there.
            counts[2] += sign * (board.pawns() & board.color(us) & Bitboard::rank(us.rank(0))).len() as i32;
        }
    }
    fn null_move(&self) -> Option<Self> {
        let mut next = self.clone();
        next.core.pass();
        Some(next)
    }
    fn is_insufficient(&self) -> bool {
        is_insufficient(self.core.board())
    }
    fn can_win(&self, color: Color) -> bool {
        let board = self.core.board();
        can_mate(board, color) || changes_bishop_color(board, color)
    }
}

/// In check there are no swaps, so the same positions are mate as in orthodox chess; but a bishop may come to the other
/// square color, by a swap with anything but a bishop, and then hem in its own king.
fn changes_bishop_color(board: &Board, color: Color) -> bool {
    let bishops = board.role(Role::Bishop);
    let theirs = board.color(!color) & !board.kings(!color);
    (bishops & board.color(color)).any() && (theirs & bishops).any() && (theirs & !bishops).any()
}

/// Where a double step may have begun: on an empty square, or on one that now holds the piece swapped with.
fn double_step_origins(board: &Board, color: Color) -> Bitboard {
    let partners = board.color(color) & !board.pawns() & !board.kings(color);
    !board.occupied() | partners
}

/// The swaps of a side that is not in check.
struct Swaps<'a> {
    board: &'a Board,
    us: Color,
    /// All that may take part.
    partners: Bitboard,
    /// The rank on which pawns promote.
    last: Bitboard,
}

impl<'a> Swaps<'a> {
    #[inline]
    fn of(board: &'a Board, us: Color) -> Self {
        Self { board, us, partners: board.color(us) & !board.kings(us), last: us.last_rank() }
    }

    /// With whom a piece on `from` may change places without a promotion.
    #[inline]
    fn partners_of(&self, from: Square) -> Bitboard {
        if self.last.has(from) { self.partners & !self.board.pawns() } else { self.partners }
    }

    /// Swaps by which a pawn comes onto its last rank, by its own step or by another piece's move.
    #[inline]
    fn promotions(&self, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let there = self.partners & self.last;
        if there.is_empty() {
            return ControlFlow::Continue(());
        }
        let pawns = self.board.pawns() & self.partners;
        for from in there {
            let step = Bitboard::from(from.offset(-self.us.forward()));
            let to = compound_attacks(self.board, from, self.board.occupied()) & pawns;
            for (from, to) in
                (step & pawns).into_iter().map(|pawn| (pawn, from)).chain(to.into_iter().map(|p| (from, p)))
            {
                for role in Role::PROMOTIONS {
                    sink.push(Move::new(MoveKind::Swap, from, to).with_role(role))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether there is one of these swaps.
    #[inline]
    fn promotes(&self) -> bool {
        let pawns = self.board.pawns() & self.partners;
        (self.partners & self.last).into_iter().any(|from| {
            let step = Bitboard::from(from.offset(-self.us.forward()));
            ((step | compound_attacks(self.board, from, self.board.occupied())) & pawns).any()
        })
    }

    /// Swaps that pawns make, those onto the last rank apart.
    #[inline]
    fn pawns(&self, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let forward = self.us.forward();
        let ahead = (self.board.pawns() & self.partners).shift(forward);
        let passed = ahead & Bitboard::rank(self.us.rank(2)) & !self.board.occupied();
        sink.shifted(MoveKind::Swap, ahead & self.partners & !self.last, forward)?;
        sink.shifted(MoveKind::Swap, passed.shift(forward) & self.partners, 2 * forward)
    }

    /// Moves and swaps of knights, bishops, rooks and queens, those that promote apart. A pin forbids moves, not swaps.
    #[inline]
    fn pieces(&self, generator: &Generator<'_>, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let Self { board, us, .. } = *self;
        let own = board.color(us);
        let occupied = board.occupied();
        let pinned = generator.pinned();
        let mut both = |from: Square, attacks: Bitboard| -> ControlFlow<()> {
            let line = if pinned.has(from) { generator.pin_line(from) } else { Bitboard::ALL };
            sink.targets(MoveKind::Normal, from, attacks & !own & line)?;
            sink.targets(MoveKind::Swap, from, attacks & self.partners_of(from))
        };
        for from in board.with_power(Powers::KNIGHT) & own {
            both(from, knight_attacks(from))?;
        }
        for from in board.with_power(Powers::DIAGONAL) & own {
            both(from, bishop_attacks(from, occupied))?;
        }
        for from in board.with_power(Powers::ORTHOGONAL) & own {
            both(from, rook_attacks(from, occupied))?;
        }
        ControlFlow::Continue(())
    }
}

#[inline]
fn play_swap<O: Observer>(core: &mut Core<1>, m: Move, observer: &mut O) {
    let us = core.turn();
    let (from, to) = (m.from(), m.to());
    let (Some(mover), Some(partner)) = (core.board().role_at(from), core.board().role_at(to)) else { return };
    core.swap(AREA, (from, Piece::new(us, mover)), (to, Piece::new(us, partner)), observer);
    let double = mover == Role::Pawn && partner != Role::Pawn && from.index().abs_diff(to.index()) == 16;
    core.set_ep(AREA, if double { usable_ep(core.board(), us, from, to, Bitboard::ALL) } else { None });
    if let Some(role) = m.role() {
        core.promote(AREA, if mover == Role::Pawn { to } else { from }, us, role, observer);
    }
    core.lose_castling(AREA, from, to);
    core.end_turn(m.role().is_some());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Effect;
    use crate::notation::uci;

    fn at(fen: &str) -> Teleport {
        Teleport::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
    }
    fn play(fen: &str, moves: &[&str]) -> Teleport {
        moves.iter().fold(at(fen), |p, text| {
            let m = uci::parse(&p, text).unwrap_or_else(|e| panic!("{e}"));
            p.after(m)
        })
    }
    /// The legal swaps of a position in UCI, sorted.
    fn swaps(fen: &str) -> Vec<String> {
        let moves = at(fen).legal_moves();
        let mut texts: Vec<_> = moves.iter().filter(|m| m.kind() == MoveKind::Swap).map(ToString::to_string).collect();
        texts.sort();
        texts
    }

    #[test]
    fn riders_swap_with_the_first_own_piece_on_a_ray() {
        // Not with the knight behind the pawn, and not through an enemy.
        assert_eq!(swaps("4k3/8/8/8/N6r/P4K2/8/R1r5 w - - 0 1"), ["a1a3", "a3a4"]);
        assert_eq!(swaps("4k3/8/8/8/8/8/8/R2NK3 w - - 0 1"), ["a1d1"]);
    }

    #[test]
    fn knights_swap_over_pieces() {
        assert_eq!(swaps("4k3/8/8/8/8/8/pnP5/N3K3 w - - 0 1"), ["a1c2"]);
    }

    #[test]
    fn pawns_swap_straight_ahead_never_on_capture_squares() {
        assert_eq!(swaps("4k3/8/8/8/8/3NB3/4P3/K7 w - - 0 1"), ["e2e3"]);
        assert_eq!(swaps("4k3/8/8/8/4N3/8/4P3/K7 w - - 0 1"), ["e2e4"]);
        // Two steps only from the second rank and over an empty square.
        assert_eq!(swaps("4k3/8/8/4N3/8/4P3/8/K7 w - - 0 1"), [""; 0]);
        assert_eq!(swaps("4k3/8/8/8/4N3/4n3/4P3/K7 w - - 0 1"), [""; 0]);
        assert_eq!(swaps("4k3/2p5/8/2n5/8/8/8/K7 b - - 0 1"), ["c7c5"]);
    }

    #[test]
    fn the_king_takes_no_part() {
        assert_eq!(swaps("4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1"), ["d1e2"]);
        assert_eq!(swaps("4k3/8/8/8/8/4K3/4P3/8 w - - 0 1"), [""; 0]);
    }

    #[test]
    fn a_pinned_piece_may_swap() {
        assert_eq!(swaps("4r1k1/8/8/8/8/3P4/2N1B3/4K3 w - - 0 1"), ["e2d3"]);
        assert_eq!(
            play("4r1k1/8/8/8/8/3P4/2N1B3/4K3 w - - 0 1", &["e2d3"]).fen(),
            "4r1k1/8/8/8/8/3B4/2N1P3/4K3 b - - 1 1"
        );
    }

    #[test]
    fn no_swap_answers_a_check() {
        assert_eq!(swaps("4r1k1/8/8/8/8/8/P7/RN2K3 w - - 0 1"), [""; 0]);
        assert_eq!(swaps("6k1/8/8/8/8/3n4/P7/RN2K3 w - - 0 1"), [""; 0]);
    }

    #[test]
    fn a_pawn_promotes_on_either_end_of_a_swap() {
        let rook = "7R/8/4k3/8/8/8/K6P/8 w - - 4 1";
        assert_eq!(swaps(rook), ["h8h2b", "h8h2n", "h8h2q", "h8h2r"]);
        assert_eq!(play(rook, &["h8h2q"]).fen(), "7Q/8/4k3/8/8/8/K6R/8 b - - 0 1");
        let step = "7N/7P/4k3/8/8/8/K7/8 w - - 4 1";
        assert_eq!(swaps(step), ["h7h8b", "h7h8n", "h7h8q", "h7h8r"]);
        assert_eq!(play(step, &["h7h8r"]).fen(), "7R/7N/4k3/8/8/8/K7/8 b - - 0 1");
        let black = "8/k7/8/8/4K3/8/7p/7r b - - 4 1";
        assert_eq!(swaps(black), ["h1h2b", "h1h2n", "h1h2q", "h1h2r", "h2h1b", "h2h1n", "h2h1q", "h2h1r"]);
    }

    #[test]
    fn promoting_swaps_are_noisy_and_others_are_not() {
        let noisy = at("7R/6R1/4k3/8/8/8/K6P/8 w - - 4 1").noisy_moves();
        assert_eq!(noisy.len(), 4);
        assert!(noisy.iter().all(|m| m.role().is_some()));
    }

    #[test]
    fn a_pawn_on_its_first_rank_steps_once() {
        let after = play("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", &["a1a2", "e8e7"]);
        assert_eq!(after.fen(), "8/4k3/8/8/8/8/R7/P3K3 w - - 2 2");
        let position = at("4k3/8/8/8/8/8/8/P3K3 w - - 0 1");
        let moves: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
        assert!(moves.contains(&"a1a2".to_owned()) && !moves.contains(&"a1a3".to_owned()));
    }

    #[test]
    fn like_pieces_swap_from_either_end() {
        assert_eq!(swaps("4k3/8/8/8/8/8/4K3/R6R w - - 0 1"), ["a1h1", "h1a1"]);
        let start = at("4k3/8/8/8/8/8/4K3/R6R w - - 3 9");
        let passed = play("4k3/8/8/8/8/8/4K3/R6R w - - 3 9", &["a1h1"]);
        assert_eq!(passed.fen(), "4k3/8/8/8/8/8/4K3/R6R b - - 4 9");
        assert_eq!(passed.pieces(), start.pieces());
    }

    #[test]
    fn a_double_step_by_a_swap_gives_en_passant_unless_with_a_pawn() {
        let after = play("4k3/8/8/8/3pN3/8/4P3/4K3 w - - 0 1", &["e2e4"]);
        assert_eq!(after.fen(), "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 1 1");
        assert_eq!(play(&after.fen(), &["d4e3"]).fen(), "4k3/8/8/8/8/4p3/4N3/4K3 w - - 0 2");
        assert_eq!(play("4k3/8/8/8/3pP3/8/4P3/4K3 w - - 0 1", &["e2e4"]).fen(), "4k3/8/8/8/3pP3/8/4P3/4K3 b - - 1 1");
        // Without a pawn that could use it there is none.
        assert_eq!(play("4k3/8/8/8/4N3/8/4P3/4K3 w - - 0 1", &["e2e4"]).fen(), "4k3/8/8/8/4P3/8/4N3/4K3 b - - 1 1");
    }

    #[test]
    fn an_ep_square_must_fit_a_step_or_a_swap() {
        for origin in ["P", "K"] {
            let fen = format!("4k3/8/8/8/3pP3/8/4{origin}3/{} b - e3 0 1", if origin == "K" { "8" } else { "4K3" });
            assert_eq!(Teleport::from_fen(&fen).expect_err(&fen).field, FenField::EnPassant);
        }
        assert!(Teleport::from_fen("4k3/8/8/8/3pP3/8/4n3/4K3 b - e3 0 1").is_err());
    }

    #[test]
    fn both_pieces_of_a_swap_have_moved() {
        let castles = "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1";
        assert_eq!(play(castles, &["a1a2"]).fen(), "r3k2r/p6p/8/8/8/8/R6P/P3K2R b Kkq - 1 1");
        // A rook swapped into a corner has no castling right.
        assert_eq!(play("k7/8/8/8/8/8/8/4K1RR w K - 0 1", &["g1h1"]).fen(), "k7/8/8/8/8/8/8/4K1RR b - - 1 1");
        assert_eq!(play("r3k2r/8/8/8/8/8/7R/4K2R w Kkq - 0 1", &["h2h1"]).fen(), "r3k2r/8/8/8/8/8/7R/4K2R b kq - 1 1");
    }

    #[test]
    fn a_swap_is_two_moves_among_the_effects() {
        let mut position = at("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1");
        let m = uci::parse(&position, "a1a2").expect("legal");
        let place = |s| Place::Board(AREA, s);
        let (rook, pawn) = (Piece::new(Color::White, Role::Rook), Piece::new(Color::White, Role::Pawn));
        let mut effects = Vec::new();
        position.play_unchecked(m, &mut effects);
        assert_eq!(
            effects,
            [
                Effect::Move { piece: rook, from: place(Square::A1), to: place(Square::A2) },
                Effect::Move { piece: pawn, from: place(Square::A2), to: place(Square::A1) },
            ]
        );
    }

    #[test]
    fn a_bishop_can_win_if_the_other_may_change_color() {
        let white = |fen| at(fen).can_win(Color::White);
        assert!(!white("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"));
        assert!(!white("r3k3/8/8/8/8/8/8/4KB2 w - - 0 1"));
        assert!(white("r1b1k3/8/8/8/8/8/8/4KB2 w - - 0 1"));
        assert!(!white("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1"));
    }

    #[test]
    fn a_pawn_on_its_last_rank_is_refused() {
        let error = Teleport::from_fen("P3k3/8/8/8/8/8/8/4K3 w - - 0 1").expect_err("a white pawn on a8");
        assert_eq!(error.field, FenField::Placement);
    }

    #[test]
    fn positions_are_small() {
        // Copied at every node of a search: the core and nothing else.
        assert_eq!(size_of::<Teleport>(), size_of::<Core<1>>());
        assert!(size_of::<Teleport>() <= 80);
    }
}
