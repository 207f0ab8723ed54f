//! Orthodox chess, the yardstick. Source: FIDE Laws of Chess, 2023.

use crate::core::{
    Area, Bitboard, Board, Color, Core, Move, MoveKind, MoveSink, Observer, Piece, Place, Powers, Role, Square,
    usable_ep,
};
use crate::info::{ONE_AREA, ONE_BOARD, ORTHODOX_ROLES, VariantInfo};
use crate::movement::Checking;
use crate::movement::orthodox::{Generator, is_attacked};
use crate::notation::fen::{self, FenError, FenField, Fields};
use crate::position::{Position, Which};
use std::ops::ControlFlow;

const AREA: Area = Area::A;

static INFO: VariantInfo = VariantInfo {
    id: "chess",
    names: ["Chess", "Ajedrez", "Шахматы"],
    summary: [
        "The game everybody knows, with nothing added.",
        "El ajedrez que todos conocen, sin nada añadido.",
        "Шахматы, какими их знают все, без добавлений.",
    ],
    aliases: &["Standard", "Orthodox Chess", "From Position"],
    start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    boards: ONE_BOARD,
    areas: ONE_AREA,
    roles: ORTHODOX_ROLES,
    markers: &[],
    links: &[],
    pocket: false,
    castling: true,
    kinds: &[MoveKind::Normal, MoveKind::Promotion, MoveKind::EnPassant, MoveKind::Castle],
    features: &[],
    zugzwang: false,
    rules_version: 1,
};

/// A position of orthodox chess.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Chess {
    core: Core<1>,
}

impl Chess {
    /// The board.
    pub fn board(&self) -> &Board {
        self.core.board()
    }
}

impl Position for Chess {
    const INFO: &'static VariantInfo = &INFO;

    fn from_fen(text: &str) -> Result<Self, FenError> {
        let mut fields = Fields::new(text)?;
        let mut core = Core::empty();
        fen::read_placement(&mut core, &INFO, AREA, fields.next(FenField::Placement)?, (0, 8))?;
        fen::check_kings(core.board())?;
        fen::check_pawns(core.board(), &[0, 7])?;
        read_orthodox_rest(&mut core, &mut fields, |board, _| !board.occupied())?;
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
        let generator = Generator::new::<false>(self.core.board(), self.core.turn());
        generate_orthodox(&generator, &self.core, which, sink)
    }
    fn generate_mating<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        match Checking::new::<false>(self.core.board(), self.core.turn(), sink) {
            Some(mut checking) => self.generate(Which::All, &mut checking),
            None => ControlFlow::Continue(()),
        }
    }
    #[inline]
    fn play_unchecked<O: Observer>(&mut self, m: Move, observer: &mut O) {
        play_orthodox(&mut self.core, m, observer);
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
    fn null_move(&self) -> Option<Self> {
        let mut next = self.clone();
        next.core.pass();
        Some(next)
    }
    fn is_insufficient(&self) -> bool {
        is_insufficient(self.core.board())
    }
    fn can_win(&self, color: Color) -> bool {
        can_mate(self.core.board(), color)
    }
}

/// Writes an orthodox FEN.
pub(super) fn write_orthodox(core: &Core<1>) -> String {
    format!(
        "{} {} {} {} {} {}",
        fen::write_placement(core.board(), (0, 8)),
        core.turn().letter(),
        fen::write_castling(core.castling(AREA)),
        fen::write_ep(core.ep(AREA)),
        core.halfmove(),
        core.fullmove()
    )
}

/// Reads side, castling, ep and clocks of an orthodox FEN and checks that the opponent is not in check. `origins` tells
/// from which squares a color can just have made a double step.
pub(super) fn read_orthodox_rest(
    core: &mut Core<1>,
    fields: &mut Fields<'_>,
    origins: impl Fn(&Board, Color) -> Bitboard,
) -> Result<(), FenError> {
    let us = fen::read_side(fields.next(FenField::Side)?)?;
    core.set_turn(us);
    let castling = fen::read_castling(core.board(), fields.next(FenField::Castling)?)?;
    core.set_castling(AREA, castling);
    let from = origins(core.board(), !us);
    let ep = fields.next(FenField::EnPassant)?;
    let ep = fen::read_ep_from(core.board(), us, ep, Bitboard::ALL, Bitboard::EMPTY, from)?;
    core.set_ep(AREA, ep);
    let (halfmove, fullmove) = fields.clocks()?;
    core.set_clocks(halfmove, fullmove);
    match checked_king(core.board(), !us) {
        Some(square) => Err(fen::opponent_in_check(square)),
        None => Ok(()),
    }
}

/// The king of `color`, if it is attacked.
pub(super) fn checked_king(board: &Board, color: Color) -> Option<Square> {
    board.king(color).filter(|&king| is_attacked::<false>(board, king, !color, board.occupied()))
}

/// All orthodox moves.
#[inline]
pub(super) fn generate_orthodox<S: MoveSink>(
    generator: &Generator<'_>,
    core: &Core<1>,
    which: Which,
    sink: &mut S,
) -> ControlFlow<()> {
    let board = core.board();
    let us = core.turn();
    let promote = us.last_rank();
    generator.pawn_captures(promote, sink)?;
    generator.pawn_promotion_steps(promote, sink)?;
    generator.en_passant::<false>(core.ep(AREA), sink)?;
    match which {
        Which::Noisy => {
            let targets = board.color(!us);
            generator.pieces::<false>(targets, sink)?;
            generator.king::<false>(targets, sink)
        }
        Which::All => {
            let targets = !board.color(us);
            generator.pawn_steps(promote, sink)?;
            generator.pieces::<false>(targets, sink)?;
            generator.king::<false>(targets, sink)?;
            generator.castling::<false>(core.castling(AREA), sink)
        }
    }
}

/// Plays an orthodox move.
#[inline]
pub(super) fn play_orthodox<O: Observer>(core: &mut Core<1>, m: Move, observer: &mut O) {
    let irreversible = move_piece(core, AREA, m, observer);
    core.end_turn(irreversible);
}

/// Does on the board of an area what an orthodox move does there; the turn is not ended. Tells whether the move was a
/// pawn's or a capture.
#[inline]
pub(super) fn move_piece<const N: usize, O: Observer>(
    core: &mut Core<N>,
    area: Area,
    m: Move,
    observer: &mut O,
) -> bool {
    let us = core.turn();
    let (from, to) = (m.from(), m.to());
    let board = core.board_of(area);
    let Some(role) = board.role_at(from) else { return false };
    let victim = if board.color(!us).has(to) { board.role_at(to) } else { None };
    let piece = Piece::new(us, role);
    core.set_ep(area, None);
    if let Some(victim) = victim {
        core.take(area, to, Piece::new(!us, victim), observer);
    }
    core.relocate(area, from, to, piece, observer);
    match m.kind() {
        MoveKind::DoubleStep => {
            let ep = usable_ep(core.board_of(area), us, from, to, Bitboard::ALL);
            core.set_ep(area, ep);
        }
        MoveKind::EnPassant => core.take(area, to.offset(-us.forward()), Piece::new(!us, Role::Pawn), observer),
        MoveKind::Promotion => core.promote(area, to, us, m.role().unwrap_or(Role::Queen), observer),
        MoveKind::Castle => {
            let side = if to.file() == 6 { crate::Side::King } else { crate::Side::Queen };
            let (rook_from, rook_to) = (crate::Castling::rook_from(us, side), crate::Castling::rook_to(us, side));
            core.relocate(area, rook_from, rook_to, Piece::new(us, Role::Rook), observer);
        }
        _ => {}
    }
    core.lose_castling(area, from, to);
    role == Role::Pawn || victim.is_some()
}

/// Neither side can win: bare kings, one minor piece, or only bishops and all on one square color.
pub(super) fn is_insufficient(board: &Board) -> bool {
    const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    let kings = board.kings(Color::White) | board.kings(Color::Black);
    let others = board.occupied() & !kings;
    let bishops = board.role(Role::Bishop);
    let minors = bishops | board.role(Role::Knight);
    (others & !minors).is_empty() && !others.many()
        || (others & !bishops).is_empty() && ((others & LIGHT).is_empty() || (others & !LIGHT).is_empty())
}

/// Whether a color could ever mate, by any sequence of legal moves, the opponent helping. Errs on the side of yes.
/// Source: FIDE Laws 6.9 and the cases worked out for it in python-chess' `has_insufficient_material`.
pub(super) fn can_mate(board: &Board, color: Color) -> bool {
    const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    let own = board.color(color) & !board.kings(color);
    let strong = board.pawns() | board.with_power(Powers::ORTHOGONAL);
    if (own & strong).any() {
        return true;
    }
    let theirs = board.color(!color) & !board.kings(!color);
    let knights = board.role(Role::Knight);
    let bishops = board.role(Role::Bishop);
    if (own & knights).any() {
        // Two pieces, or a knight whose victim is hemmed in by a piece that is no queen.
        return own.many() || (theirs & !board.role(Role::Queen)).any();
    }
    if (own & bishops).any() {
        let both = (bishops & LIGHT).any() && (bishops & !LIGHT).any();
        return both || (board.pawns() | knights).any();
    }
    false
}
