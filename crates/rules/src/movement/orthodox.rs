//! Fully legal generation for boards on which pieces move as orthodox chess (and its compounds) knows it: by pins and
//! check masks, without making moves. Variants that only add to it call its parts.
//!
//! `FAIRY` says whether compounds with knight, king and nightrider powers can be about; without them the code for them
//! is compiled out. `area` masks squares that exist; a line that leaves it ends there.

use super::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, nightrider_attacks, nightrider_rays,
    pawn_attack_set, pawn_attacks, rook_attacks, rook_rays,
};
use crate::core::{Bitboard, Board, Castling, Color, MoveKind, MoveSink, Powers, Side, Square};
use std::ops::ControlFlow;

/// Whether any piece of `by` attacks the square, with these squares taken to be occupied.
#[inline]
pub fn is_attacked<const FAIRY: bool>(board: &Board, square: Square, by: Color, occupied: Bitboard) -> bool {
    attackers::<FAIRY>(board, square, by, occupied).any()
}

/// The pieces of `by` that attack the square, with these squares taken to be occupied.
#[inline]
pub fn attackers<const FAIRY: bool>(board: &Board, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
    let mut set = pawn_attacks(!by, square) & board.pawns()
        | knight_attacks(square) & board.with_power(Powers::KNIGHT)
        | king_attacks(square) & board.with_power(Powers::STEP);
    let (diagonal, orthogonal) = (board.with_power(Powers::DIAGONAL), board.with_power(Powers::ORTHOGONAL));
    if (bishop_rays(square) & diagonal & board.color(by)).any() {
        set |= bishop_attacks(square, occupied) & diagonal;
    }
    if (rook_rays(square) & orthogonal & board.color(by)).any() {
        set |= rook_attacks(square, occupied) & orthogonal;
    }
    if FAIRY {
        let riders = board.with_power(Powers::NIGHTRIDER);
        if (nightrider_rays(square) & riders & board.color(by)).any() {
            set |= nightrider_attacks(square, occupied) & riders;
        }
    }
    set & board.color(by)
}

/// What a king's safety asks of the other pieces' moves.
#[derive(Copy, Clone, Debug)]
pub struct Safety {
    /// The king's square.
    pub king: Square,
    /// Pieces that give check.
    pub checkers: Bitboard,
    /// Squares that answer the check by a capture or a block: all squares without check, none in a double check.
    pub answers: Bitboard,
    /// Own pieces that must stay on their line with the king.
    pub pinned: Bitboard,
    /// Squares that alone stand between the king and an enemy rider, whatever is on them.
    pub screens: Bitboard,
}

impl Safety {
    /// Looks at the king of `us`. `blockers` are squares that stop riders besides the pieces.
    #[inline]
    pub fn of<const FAIRY: bool>(board: &Board, us: Color, king: Square, blockers: Bitboard) -> Self {
        let enemy = board.color(!us);
        let occupied = board.occupied() | blockers;
        let mut checkers =
            pawn_attacks(us, king) & board.pawns() | knight_attacks(king) & board.with_power(Powers::KNIGHT);
        if FAIRY {
            checkers |= king_attacks(king) & board.with_power(Powers::STEP);
        }
        checkers &= enemy;
        let mut snipers = rook_rays(king) & board.with_power(Powers::ORTHOGONAL)
            | bishop_rays(king) & board.with_power(Powers::DIAGONAL);
        if FAIRY {
            snipers |= nightrider_rays(king) & board.with_power(Powers::NIGHTRIDER);
        }
        let mut screens = Bitboard::EMPTY;
        for sniper in snipers & enemy {
            let between = between(king, sniper) & occupied;
            if between.is_empty() {
                checkers = checkers.with(sniper);
            } else if !between.many() {
                screens |= between;
            }
        }
        let answers = match checkers.first() {
            None => Bitboard::ALL,
            Some(checker) if !checkers.many() => between(king, checker).with(checker),
            Some(_) => Bitboard::EMPTY,
        };
        Self { king, checkers, answers, pinned: screens & board.color(us) & !blockers, screens }
    }
}

/// Generates pieces' moves of one side in one area. `targets` limits the destinations; castling and ep are separate.
#[derive(Clone, Debug)]
pub struct Generator<'a> {
    /// The board.
    pub board: &'a Board,
    /// Whose moves.
    pub us: Color,
    /// The king's demands; `None` without a king here.
    pub safety: Option<Safety>,
    /// Squares that exist and may be moved to.
    pub area: Bitboard,
    /// Squares that stop riders and pawns besides the pieces; a piece that leaves one leaves a line as closed as before.
    pub blockers: Bitboard,
}

impl<'a> Generator<'a> {
    /// Looks at the board for the side `us`.
    #[inline]
    pub fn new<const FAIRY: bool>(board: &'a Board, us: Color) -> Self {
        let safety = board.king(us).map(|king| Safety::of::<FAIRY>(board, us, king, Bitboard::EMPTY));
        Self { board, us, safety, area: Bitboard::ALL, blockers: Bitboard::EMPTY }
    }
    /// Looks at a board some of whose squares stop riders and cannot be moved to.
    #[inline]
    pub fn with_blockers<const FAIRY: bool>(board: &'a Board, us: Color, blockers: Bitboard) -> Self {
        let safety = board.king(us).map(|king| Safety::of::<FAIRY>(board, us, king, blockers));
        Self { board, us, safety, area: !blockers, blockers }
    }
    /// Squares that stop riders.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied() | self.blockers
    }
    /// Whether the king is attacked.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.safety.is_some_and(|s| s.checkers.any())
    }
    /// Squares on which a piece other than the king may arrive.
    #[inline]
    pub fn answers(&self) -> Bitboard {
        self.safety.map_or(Bitboard::ALL, |s| s.answers) & self.area
    }
    /// Own pieces that must stay on their line with the king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.safety.map_or(Bitboard::EMPTY, |s| s.pinned)
    }
    /// The line a pinned piece must stay on.
    #[inline]
    pub fn pin_line(&self, square: Square) -> Bitboard {
        self.safety.map_or(Bitboard::ALL, |s| line(s.king, square))
    }

    /// Leapers and riders except the king, to `targets`.
    #[inline]
    pub fn pieces<const FAIRY: bool>(&self, targets: Bitboard, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let targets = targets & self.answers();
        if targets.is_empty() {
            return ControlFlow::Continue(());
        }
        if FAIRY { self.compounds(targets, sink) } else { self.orthodox_pieces(targets, sink) }
    }

    #[inline]
    fn orthodox_pieces(&self, targets: Bitboard, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let board = self.board;
        let own = board.color(self.us);
        let occupied = self.occupied();
        let pinned = self.pinned();
        for from in board.with_power(Powers::KNIGHT) & own & !pinned {
            sink.targets(MoveKind::Normal, from, knight_attacks(from) & targets)?;
        }
        let diagonal = board.with_power(Powers::DIAGONAL) & own;
        let orthogonal = board.with_power(Powers::ORTHOGONAL) & own;
        for from in diagonal & !pinned {
            sink.targets(MoveKind::Normal, from, bishop_attacks(from, occupied) & targets)?;
        }
        for from in orthogonal & !pinned {
            sink.targets(MoveKind::Normal, from, rook_attacks(from, occupied) & targets)?;
        }
        if pinned.any() {
            for from in diagonal & pinned {
                let to = bishop_attacks(from, occupied) & targets & self.pin_line(from);
                sink.targets(MoveKind::Normal, from, to)?;
            }
            for from in orthogonal & pinned {
                let to = rook_attacks(from, occupied) & targets & self.pin_line(from);
                sink.targets(MoveKind::Normal, from, to)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Power by power, so that no piece's role is looked up. The only powers that share destinations are a step and a
    /// slide, so a step is left out in the directions in which its piece slides.
    #[inline]
    fn compounds(&self, targets: Bitboard, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let board = self.board;
        let own = board.color(self.us);
        let occupied = self.occupied();
        let (diagonal, orthogonal) = (board.with_power(Powers::DIAGONAL), board.with_power(Powers::ORTHOGONAL));
        let steppers = board.with_power(Powers::STEP) & !board.kings(self.us);
        let (knights, riders) = (board.with_power(Powers::KNIGHT), board.with_power(Powers::NIGHTRIDER));
        self.each(knights & own, targets, knight_attacks, sink)?;
        self.each(diagonal & own, targets, |from| bishop_attacks(from, occupied), sink)?;
        self.each(orthogonal & own, targets, |from| rook_attacks(from, occupied), sink)?;
        self.each(riders & own, targets, |from| nightrider_attacks(from, occupied), sink)?;
        let steps = |from| {
            let slides = [(diagonal, bishop_rays(from)), (orthogonal, rook_rays(from))];
            slides
                .into_iter()
                .fold(king_attacks(from), |set, (who, rays)| if who.has(from) { set & !rays } else { set })
        };
        self.each(steppers & own, targets, steps, sink)
    }

    /// The moves of some pieces by one of their powers.
    #[inline(always)]
    fn each(
        &self,
        movers: Bitboard,
        targets: Bitboard,
        attacks: impl Fn(Square) -> Bitboard,
        sink: &mut impl MoveSink,
    ) -> ControlFlow<()> {
        let pinned = self.pinned();
        for from in movers & !pinned {
            sink.targets(MoveKind::Normal, from, attacks(from) & targets)?;
        }
        for from in movers & pinned {
            sink.targets(MoveKind::Normal, from, attacks(from) & targets & self.pin_line(from))?;
        }
        ControlFlow::Continue(())
    }

    /// The king's steps to `targets`.
    #[inline]
    pub fn king<const FAIRY: bool>(&self, targets: Bitboard, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let Some(Safety { king, .. }) = self.safety else { return ControlFlow::Continue(()) };
        let safe = self.safe_steps::<FAIRY>(king, king_attacks(king) & targets & self.area);
        sink.targets(MoveKind::Normal, king, safe)
    }

    /// Those of the king's steps that do not lead to an attacked square.
    #[inline]
    pub fn safe_steps<const FAIRY: bool>(&self, king: Square, mut steps: Bitboard) -> Bitboard {
        if steps.is_empty() {
            return steps;
        }
        let occupied = self.board.occupied().without(king) | self.blockers;
        let enemy_pawns = self.board.pawns() & self.board.color(!self.us);
        steps &= !pawn_attack_set(!self.us, enemy_pawns);
        for step in steps {
            if is_attacked::<FAIRY>(self.board, step, !self.us, occupied) {
                steps = steps.without(step);
            }
        }
        steps
    }

    /// Castling, as in orthodox chess.
    #[inline]
    pub fn castling<const FAIRY: bool>(&self, rights: Castling, sink: &mut impl MoveSink) -> ControlFlow<()> {
        if !rights.has_any(self.us) || self.in_check() {
            return ControlFlow::Continue(());
        }
        let occupied = self.occupied();
        for side in Side::ALL {
            if !rights.has(self.us, side) {
                continue;
            }
            let king = Castling::king_from(self.us);
            let to = Castling::king_to(self.us, side);
            let rook = Castling::rook_from(self.us, side);
            if (between(king, rook) & occupied).any() {
                continue;
            }
            let path = between(king, to).with(to);
            if path.into_iter().all(|s| !is_attacked::<FAIRY>(self.board, s, !self.us, occupied)) {
                sink.targets(MoveKind::Castle, king, Bitboard::from(to))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Pawn captures, promotions among them. `promote` is the rank on which pawns promote, or empty if they do not.
    #[inline]
    pub fn pawn_captures(&self, promote: Bitboard, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let targets = self.board.color(!self.us) & self.answers();
        let pawns = self.board.pawns() & self.board.color(self.us);
        let pinned = self.pinned();
        let forward = self.us.forward();
        for (edge, side) in [(Bitboard::FILE_A, -1), (Bitboard::FILE_H, 1)] {
            let delta = forward + side;
            let to = (pawns & !pinned & !edge).shift(delta) & targets;
            sink.shifted(MoveKind::Normal, to & !promote, delta)?;
            sink.promotions(to & promote, delta)?;
        }
        for from in pawns & pinned {
            let to = pawn_attacks(self.us, from) & targets & self.pin_line(from);
            for to in to {
                let delta = to.index() as i8 - from.index() as i8;
                sink.shifted(MoveKind::Normal, Bitboard::from(to) & !promote, delta)?;
                sink.promotions(Bitboard::from(to) & promote, delta)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Single steps onto `promote`.
    #[inline]
    pub fn pawn_promotion_steps(&self, promote: Bitboard, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let forward = self.us.forward();
        let to = self.stepping_pawns().shift(forward) & !self.occupied() & self.answers() & promote;
        sink.promotions(to, forward)
    }

    /// Single and double steps that do not promote.
    #[inline]
    pub fn pawn_steps(&self, promote: Bitboard, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let forward = self.us.forward();
        let empty = !self.occupied() & self.area;
        let single = self.stepping_pawns().shift(forward) & empty;
        let double = (single & Bitboard::rank(self.us.rank(2))).shift(forward) & empty;
        sink.shifted(MoveKind::Normal, single & self.answers() & !promote, forward)?;
        sink.shifted(MoveKind::DoubleStep, double & self.answers(), 2 * forward)
    }

    /// Pawns that may step straight on: a pinned one only on the king's file.
    #[inline]
    pub fn stepping_pawns(&self) -> Bitboard {
        let pawns = self.board.pawns() & self.board.color(self.us);
        match self.safety {
            Some(Safety { king, pinned, .. }) => pawns & (!pinned | Bitboard::file(king.file())),
            None => pawns,
        }
    }

    /// En passant; each capture is tried out, since two pawns leave their rank at once.
    #[inline]
    pub fn en_passant<const FAIRY: bool>(&self, ep: Option<Square>, sink: &mut impl MoveSink) -> ControlFlow<()> {
        let Some(ep) = ep else { return ControlFlow::Continue(()) };
        let victim = ep.offset(-self.us.forward());
        let pawns = self.board.pawns() & self.board.color(self.us);
        for from in pawn_attacks(!self.us, ep) & pawns & (self.area | self.blockers) {
            if self.safety.is_none_or(|s| !self.exposes::<FAIRY>(s.king, from, ep, victim)) {
                sink.targets(MoveKind::EnPassant, from, Bitboard::from(ep))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn exposes<const FAIRY: bool>(&self, king: Square, from: Square, to: Square, victim: Square) -> bool {
        let occupied = self.board.occupied().without(from).without(victim).with(to) | self.blockers;
        attackers::<FAIRY>(self.board, king, !self.us, occupied).without(victim).any()
    }
}

/// Squares a piece of any compound other than a pawn attacks.
#[inline]
pub fn compound_attacks(board: &Board, from: Square, occupied: Bitboard) -> Bitboard {
    let powers = board.powers_at(from);
    let mut set = Bitboard::EMPTY;
    if powers.has(Powers::KNIGHT) {
        set |= knight_attacks(from);
    }
    if powers.has(Powers::DIAGONAL) {
        set |= bishop_attacks(from, occupied);
    }
    if powers.has(Powers::ORTHOGONAL) {
        set |= rook_attacks(from, occupied);
    }
    if powers.has(Powers::STEP) {
        set |= king_attacks(from);
    }
    if powers.has(Powers::NIGHTRIDER) {
        set |= nightrider_attacks(from, occupied);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Area, Core, Move, MoveList, Piece, Role};

    /// A board with these roles thrown about, a king a side.
    fn random_board(seed: &mut u64, roles: &[Role], pieces: usize) -> Core<1> {
        let mut core = Core::empty();
        let mut number = |n: usize| {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*seed >> 33) as usize % n
        };
        for i in 0..pieces {
            let color = Color::ALL[i % 2];
            let role = if i < 2 { Role::King } else { roles[number(roles.len())] };
            let square = Square::new(number(64) as u8);
            if !core.board().occupied().has(square) {
                core.put(Area::A, square, Piece::new(color, role), &mut ());
            }
        }
        core
    }

    /// Every move of a piece to a square that its role attacks, kept if it leaves the king unattacked.
    fn tried_out(core: &Core<1>, us: Color) -> Vec<Move> {
        let board = core.board();
        let mut moves = Vec::new();
        for (from, piece) in board.iter().filter(|(_, p)| p.color() == us && p.role() != Role::Pawn) {
            for to in compound_attacks(board, from, board.occupied()) & !board.color(us) {
                let mut next = core.clone();
                if let Some(victim) = board.piece_at(to) {
                    next.take(Area::A, to, victim, &mut ());
                }
                next.relocate(Area::A, from, to, piece, &mut ());
                let board = next.board();
                if board.king(us).is_none_or(|king| !is_attacked::<true>(board, king, !us, board.occupied())) {
                    moves.push(Move::new(MoveKind::Normal, from, to));
                }
            }
        }
        moves.sort();
        moves
    }

    #[test]
    fn pins_and_check_masks_agree_with_trying_moves_out() {
        let mut seed = 11;
        let orthodox = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let without_king: Vec<_> = Role::ALL.into_iter().filter(|&role| role != Role::King).collect();
        let (mut checks, mut pins) = (0, 0);
        for i in 0..12_000 {
            let roles = if i % 2 == 0 { &without_king[..] } else { &orthodox };
            let core = random_board(&mut seed, roles, 6 + i % 15);
            let board = core.board();
            // A second king is no piece that a game knows, and one taken at once is no position.
            if Color::ALL.iter().any(|&c| board.kings(c).len() != 1) {
                continue;
            }
            for us in Color::ALL {
                let them = board.king(!us).expect("a king");
                if is_attacked::<true>(board, them, us, board.occupied()) {
                    continue;
                }
                let generator = Generator::new::<true>(board, us);
                checks += usize::from(generator.in_check());
                pins += usize::from(generator.pinned().any());
                let mut moves = MoveList::new();
                let targets = !board.color(us);
                let _ = generator.pieces::<true>(targets, &mut moves);
                let _ = generator.king::<true>(targets, &mut moves);
                moves.sort();
                assert_eq!(moves.as_slice(), tried_out(&core, us), "{us:?} on {board:?}");
                if i % 2 == 1 {
                    let generator = Generator::new::<false>(board, us);
                    let mut plain = MoveList::new();
                    let _ = generator.pieces::<false>(targets, &mut plain);
                    let _ = generator.king::<false>(targets, &mut plain);
                    plain.sort();
                    assert_eq!(plain, moves, "{us:?} on {board:?}");
                }
            }
        }
        assert!(checks > 500 && pins > 500, "{checks} checks and {pins} pins are too few to tell anything");
    }
}
