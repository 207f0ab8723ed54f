//! Endings in which a lead is worth less or more than it looks.

use super::Evaluator;
use warpchess_rules::{Bitboard, Board, Color, MoveKind, Role, VariantInfo};

/// A lead in the endgame that counts in full.
pub(super) const FULL: i32 = 64;

/// The left half of the board.
const QUEEN_SIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

/// Whether what is known of endings in chess holds for a game: no way of moving that chess does not have.
pub(super) fn are_orthodox(info: &VariantInfo) -> bool {
    use MoveKind::{Castle, DoubleStep, EnPassant, Normal, Promotion};
    info.kinds.iter().all(|kind| matches!(kind, Normal | DoubleStep | Promotion | EnPassant | Castle))
        && info.areas.len() == 1
        && info.markers.is_empty()
}

impl Evaluator {
    /// How much of a lead counts in the endgame, of [`FULL`].
    /// Sources: <https://www.chessprogramming.org/Draw_Evaluation>,
    /// <https://www.chessprogramming.org/Bishops_of_Opposite_Colors>.
    pub(super) fn lead(&self, board: &Board, strong: Color) -> i32 {
        let fighters = |color: Color| -> i32 {
            [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
                .into_iter()
                .map(|role| board.pieces(color, role).len() as i32 * self.values[role.index()])
                .sum()
        };
        let (own, enemy) = (fighters(strong), fighters(!strong));
        let pawns = (board.pawns() & board.color(strong)).len() as i32;
        let small = self.values[Role::Bishop.index()];
        if pawns == 0 && own - enemy <= small {
            // A small piece cannot mate, nor does one more against something.
            return if own <= small {
                0
            } else if enemy <= small {
                8
            } else {
                16
            };
        }
        if pawns == 0 {
            return FULL;
        }
        let bishops = Color::ALL.map(|c| board.pieces(c, Role::Bishop));
        let [white, black] = bishops;
        if white.len() == 1 && black.len() == 1 && (white & LIGHT).any() != (black & LIGHT).any() {
            let alone = self.values[Role::Bishop.index()];
            return if own == alone && enemy == alone { (20 + 4 * pawns).min(40) } else { (38 + 3 * pawns).min(56) };
        }
        (40 + 7 * pawns).min(FULL)
    }

    /// The halves of a worth brought nearer to nought where little can be made of it.
    /// Source: <https://www.chessprogramming.org/Initiative>.
    pub(super) fn winnable(&self, board: &Board, passed: i32, mg: i32, eg: i32) -> (i32, i32) {
        let w = &self.weights;
        let [Some(white), Some(black)] = Color::ALL.map(|color| board.king(color)) else { return (mg, eg) };
        let pawns = board.pawns();
        let files = i32::from(white.file().abs_diff(black.file()));
        let outflank = files + i32::from(white.rank()) - i32::from(black.rank());
        let both = i32::from((pawns & QUEEN_SIDE).any() && (pawns & !QUEEN_SIDE).any());
        let infiltration = i32::from(white.rank() > 3 || black.rank() < 4);
        let bare = i32::from(board.occupied() == pawns | board.kings(Color::White) | board.kings(Color::Black));
        let ease = w.win_passed * passed
            + w.win_pawn * pawns.len() as i32
            + w.win_outflank * outflank
            + w.win_flanks * both
            + w.win_infiltration * infiltration
            + w.win_bare_pawns * bare
            + w.win_constant;
        let mg = mg + mg.signum() * (ease + w.win_middlegame).clamp(-mg.abs(), 0);
        (mg, eg + eg.signum() * ease.max(-eg.abs()))
    }

    /// What driving a bare king to the edge, or to a corner where a bishop and a knight need that, is worth to the side that
    /// does it. Source: <https://www.chessprogramming.org/Mop-up_Evaluation>.
    pub(super) fn drive(&self, board: &Board, strong: Color) -> i32 {
        let (Some(own), Some(bare)) = (board.king(strong), board.king(!strong)) else { return 0 };
        let pieces = board.color(strong) & !board.kings(strong);
        let bishop = pieces & board.role(Role::Bishop);
        let (file, rank) = (i32::from(bare.file()), i32::from(bare.rank()));
        let edge = 3 - file.min(7 - file).min(rank).min(7 - rank);
        let corner = if pieces.len() == 2 && bishop.len() == 1 && (pieces & board.role(Role::Knight)).any() {
            // Steps along the edge to the nearer corner of the bishop's color.
            let light = (bishop & LIGHT).any();
            let (a, b) = if light { (file + 7 - rank, 7 - file + rank) } else { (file + rank, 14 - file - rank) };
            7 - a.min(b)
        } else {
            0
        };
        self.weights.bare_edge * (edge + 2 * corner) + self.weights.bare_near * (7 - own.distance(bare))
    }
}
