//! What the pieces do on their boards: reach, pressure on kings, threats.

use super::{Evaluator, Pair, pawns};
use warpchess_rules::movement::{
    bishop_attacks, king_attacks, knight_attacks, nightrider_attacks, pawn_attack_set, rook_attacks,
};
use warpchess_rules::{Area, Bitboard, Board, Color, Powers, Role, Square};

/// Sizes of pieces: pawns, up to a bishop's worth, up to a rook's, more.
pub(super) const SIZES: usize = 4;

/// One board as the evaluation sees it.
pub(super) struct Field<'a> {
    pub(super) board: &'a Board,
    /// The squares there are.
    pub(super) squares: Bitboard,
    /// What stops riders.
    pub(super) occupied: Bitboard,
}

/// What one side does on one board.
#[derive(Default)]
struct Side {
    worth: Pair,
    /// Squares attacked, by size of the attacker.
    by_size: [Bitboard; SIZES],
    king: Bitboard,
    all: Bitboard,
    /// Danger to the enemy king before squares defended are known.
    danger: i32,
    attackers: i32,
}

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

impl Evaluator {
    /// The worth of what both sides do on a board, from White's view. `next` has the next turn there, `due` says that it
    /// is this turn.
    pub(super) fn field(&self, field: &Field<'_>, next: Color, due: bool) -> Pair {
        let Field { board, squares, .. } = field;
        let kings = Color::ALL.map(|c| board.king(c).filter(|k| squares.has(*k)));
        let white = self.side(field, Color::White, kings);
        let black = self.side(field, Color::Black, kings);
        let mut sum = white.worth - black.worth;
        sum += self.danger(&white, &black, kings[1]) - self.danger(&black, &white, kings[0]);
        sum += self.pawn_threats(board, &white, Color::Black) - self.pawn_threats(board, &black, Color::White);
        let (own, other) = if next == Color::White { (&white, &black) } else { (&black, &white) };
        let w = &self.weights;
        let swing = if due {
            // Captures of the side to move are searched; of the opponent's threats it can usually parry one.
            let (best, second) = self.captures(board, other, own, next);
            -(best * w.threat_best + second * w.threat_second) / 100
        } else {
            // There is no turn of the other side before these captures.
            let (best, _) = self.captures(board, own, other, !next);
            best * w.pending / 100
        };
        sum + Pair::new(swing, swing) * if next == Color::White { 1 } else { -1 }
    }

    fn side(&self, field: &Field<'_>, us: Color, kings: [Option<Square>; 2]) -> Side {
        let Field { board, squares, occupied } = *field;
        let own = board.color(us) & squares;
        let pawns = board.pawns();
        let enemy_pawn_attacks = pawn_attack_set(!us, pawns & board.color(!us));
        let free = !(board.color(us) & (pawns | board.kings(us)) | enemy_pawn_attacks) & squares;
        let enemy_king = kings[(!us).index()];
        let zone = enemy_king.map_or(Bitboard::EMPTY, |k| king_attacks(k).with(k));
        let mut side = Side::default();
        side.by_size[0] = pawn_attack_set(us, pawns & own) & squares;
        side.all = side.by_size[0];
        if let Some(king) = kings[us.index()] {
            side.king = king_attacks(king) & squares;
            side.all |= side.king;
            side.worth += pawns::shield(&self.weights, board, us, king, squares);
        }
        side.worth += pawns::structure(&self.weights, field, us, kings);
        for from in own & !pawns & !board.kings(us) {
            let powers = board.powers_at(from);
            let reach = reach(powers, from, occupied) & squares;
            let size = usize::from(self.sizes[powers.0 as usize & 63]);
            side.by_size[size] |= reach;
            side.all |= reach;
            side.worth += self.mobility[powers.0 as usize & 63] * ((reach & free).len() as i32 - 4);
            let hits = (reach & zone).len() as i32;
            if hits > 0 {
                side.attackers += 1;
                side.danger += self.weights.danger_piece[size] + hits * self.weights.danger_square;
            }
            if powers.has(Powers::ORTHOGONAL) && !powers.has(Powers::DIAGONAL) {
                let file = Bitboard::file(from.file());
                if (file & pawns & own).is_empty() {
                    let open = (file & pawns).is_empty();
                    side.worth += if open { self.weights.open_file } else { self.weights.half_open_file };
                }
            }
        }
        let diagonals = board.role(Role::Bishop) & own;
        if (diagonals & LIGHT).any() && (diagonals & !LIGHT).any() {
            side.worth += self.weights.diagonal_pair;
        }
        side
    }

    /// Danger that `side` is to a king. Source: <https://www.chessprogramming.org/King_Safety#Attacking_King_Zone>.
    fn danger(&self, side: &Side, other: &Side, king: Option<Square>) -> Pair {
        let Some(king) = king else { return Pair::default() };
        if side.attackers < 2 {
            return Pair::default();
        }
        let defended = other.by_size.iter().fold(Bitboard::EMPTY, |a, &b| a | b);
        let weak = (king_attacks(king) & side.all & !defended).len() as i32;
        let danger = side.danger + weak * self.weights.danger_weak;
        let worth = (danger * danger / self.weights.danger_divisor).min(600);
        Pair::new(worth, worth / 8)
    }

    /// Pieces of `victims` that pawns attack.
    fn pawn_threats(&self, board: &Board, side: &Side, victims: Color) -> Pair {
        let attacked = side.by_size[0] & board.color(victims) & !board.pawns();
        self.weights.attacked_by_pawn * attacked.len() as i32
    }

    /// What the best and the second best capture of pieces of `victims` would win, judged by attacks alone.
    fn captures(&self, board: &Board, side: &Side, other: &Side, victims: Color) -> (i32, i32) {
        let (mut best, mut second) = (0, 0);
        for square in side.all & board.color(victims) & !board.kings(victims) {
            let Some(role) = board.role_at(square) else { continue };
            let value = self.values[role.index()];
            let gain = if other.all.has(square) {
                // What takes is taken; a king does not take at all then.
                match side.by_size.iter().position(|set| set.has(square)) {
                    Some(size) => value - self.size_values[size],
                    None => 0,
                }
            } else {
                value
            };
            if gain > best {
                (best, second) = (gain, best);
            } else if gain > second {
                second = gain;
            }
        }
        (best, second)
    }
}

/// Squares a piece with these powers attacks.
#[inline]
fn reach(powers: Powers, from: Square, occupied: Bitboard) -> Bitboard {
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

/// Which area a board of a list belongs to: one board serves all areas of a game that keeps only one.
pub(super) fn board_of(boards: &[Board], area: Area) -> Option<&Board> {
    boards.get(area.index()).or(boards.first())
}
