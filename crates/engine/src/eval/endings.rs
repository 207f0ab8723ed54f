//! Endings in which a lead is worth less or more than it looks.

use super::Evaluator;
use warpchess_rules::{Bitboard, Board, Color, MoveKind, Role, VariantInfo};

/// A lead in the endgame that counts in full.
pub(super) const FULL: i32 = 64;

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
