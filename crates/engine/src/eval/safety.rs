//! Kings in danger, and pieces.

use super::activity::{Field, SIZES, Side, flank};
use super::{Evaluator, Pair};
use warpchess_rules::movement::{
    bishop_attacks, king_attacks, knight_attacks, nightrider_attacks, pawn_attack_set, rook_attacks,
};
use warpchess_rules::{Bitboard, Board, Color, Powers};

/// More than this no attack is worth.
const MOST_DANGER: i32 = 700;

/// The five ranks next to a side's edge.
const fn camp(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0x0000_00ff_ffff_ffff),
        Color::Black => Bitboard(0xffff_ffff_ff00_0000),
    }
}

impl Evaluator {
    /// How much the attack of `side` on the king of `other` is to be feared, which has so good a shelter.
    /// Sources: <https://www.chessprogramming.org/King_Safety#Attacking_King_Zone>,
    /// <https://www.chessprogramming.org/King_Safety#Attack_Units>.
    pub(super) fn danger(&self, field: &Field<'_>, side: &Side, other: &Side, shelter: i32) -> Pair {
        let Some(king) = field.kings[other.us.index()] else { return Pair::default() };
        let w = &self.weights;
        let Field { board, squares, occupied, .. } = *field;
        let ring = king_attacks(king).with(king) & squares;
        let (mut attackers, mut danger, mut heavy) = (0, 0, false);
        for unit in &side.units {
            heavy |= unit.size == 3;
            let hits = ((unit.attacks | unit.ways) & ring).len() as i32;
            if hits > 0 {
                attackers += 1;
                danger += w.danger_piece[usize::from(unit.size)] + hits * w.danger_square;
            }
        }
        let dropped = field.drops[side.us.index()];
        if let Some(role) = dropped {
            let size = self.sizes[role.powers().0 as usize & 63];
            attackers += 1;
            heavy |= size == 3;
            danger += w.danger_piece[usize::from(size)] / 2;
        }
        if attackers == 0 || attackers == 1 && !heavy {
            return Pair::default();
        }
        // What only the king defends, or nobody.
        let defended = other.by_size.iter().fold(Bitboard::EMPTY, |a, &b| a | b);
        let weak = side.all & !other.twice & (!defended | other.king & !defended);
        danger += (ring & weak).len() as i32 * w.danger_weak;
        danger += (ring & side.pawn_attacks()).len() as i32 * w.danger_pawn;
        // Checks that cost nothing. Source: <https://www.chessprogramming.org/King_Safety#Attack_Units>.
        let own = board.color(side.us);
        let safe = !own & squares & (!other.all | weak & side.twice);
        let through = occupied
            & !(board.color(other.us) & board.with_power(Powers::DIAGONAL) & board.with_power(Powers::ORTHOGONAL));
        let mut lines = [
            (Powers::KNIGHT, knight_attacks(king)),
            (Powers::DIAGONAL, bishop_attacks(king, through)),
            (Powers::ORTHOGONAL, rook_attacks(king, through)),
            (Powers::STEP, Bitboard::EMPTY),
            (Powers::NIGHTRIDER, Bitboard::EMPTY),
        ];
        let powers = Powers(side.powers | dropped.map_or(0, |role| role.powers().0));
        if powers.has(Powers::STEP) {
            lines[3].1 = king_attacks(king);
        }
        if powers.has(Powers::NIGHTRIDER) {
            lines[4].1 = nightrider_attacks(king, through);
        }
        let any = lines.iter().fold(Bitboard::EMPTY, |set, (_, line)| set | *line) & safe;
        let mut checked = [Bitboard::EMPTY; SIZES];
        let mut check = |powers: Powers, size: u8, to: Bitboard| {
            let to = to & any;
            if to.any() {
                let lines = lines.iter().filter(|(power, _)| powers.has(*power));
                checked[usize::from(size)] |= to & lines.fold(Bitboard::EMPTY, |set, (_, line)| set | *line);
            }
        };
        for unit in &side.units {
            check(unit.powers, unit.size, unit.attacks | unit.ways);
        }
        if let Some(role) = dropped {
            let powers = role.powers();
            check(powers, self.sizes[powers.0 as usize & 63], !occupied);
        }
        for (size, checks) in checked.into_iter().enumerate() {
            if checks.any() {
                danger += w.danger_check[size] * (2 + i32::from(checks.many())) / 2;
            }
        }
        // Source: <https://www.chessprogramming.org/Pin>.
        if w.danger_pinned != 0 {
            let them = board.color(other.us);
            let ways = [(Powers::DIAGONAL, bishop_attacks as fn(_, _) -> _), (Powers::ORTHOGONAL, rook_attacks)];
            for (power, attacks) in ways {
                if powers.has(power) {
                    let seen = attacks(king, occupied);
                    let riders = attacks(king, occupied & !(seen & them)) & !seen;
                    danger += (riders & own & board.with_power(power)).len() as i32 * w.danger_pinned;
                }
            }
        }
        if self.weighs_flanks {
            // Source of the idea: <https://www.chessprogramming.org/King_Safety#Attacking_King_Zone>.
            let camp = flank(king) & camp(other.us) & squares;
            let attacked = camp & side.all;
            danger += w.danger_flank * (attacked.len() + (attacked & side.twice).len()) as i32;
            danger -= w.danger_flank_held * (camp & other.all).len() as i32;
        }
        danger += w.danger_shelter * (w.danger_cover - shelter) / 16;
        if !heavy {
            danger -= w.danger_without_heavy;
        }
        let danger = danger.max(0);
        let worth = (danger * danger / self.weights.danger_divisor.max(1)).min(MOST_DANGER);
        Pair::new(worth, worth / 8)
    }

    /// Enemy pieces that stand badly. Source: <https://www.chessprogramming.org/Hanging_Piece>,
    /// <https://www.chessprogramming.org/Pawn_Pushes_(Bitboards)>.
    pub(super) fn threats(&self, field: &Field<'_>, side: &Side, other: &Side) -> Pair {
        let w = &self.weights;
        let Field { board, squares, occupied, .. } = *field;
        let us = side.us;
        let enemy = board.color(other.us) & squares;
        let pieces = enemy & !board.pawns() & !board.kings(other.us);
        let mut sum = Pair::default();
        // Held by a pawn, or by more than attack it.
        let held = other.pawn_attacks() | other.twice & !side.twice;
        let weak = enemy & !held & side.all;
        for size in 1..SIZES {
            let there = other.at[size];
            if there.is_empty() {
                continue;
            }
            let small = side.by_size[1] & if size > 1 { there } else { there & weak };
            let middling = side.by_size[2] & if size > 2 { there } else { there & weak };
            sum += w.threat_small[size - 1] * small.len() as i32 + w.threat_middle[size - 1] * middling.len() as i32;
        }
        let hanging = weak & (!other.all | pieces & side.twice);
        sum += w.hanging * hanging.len() as i32;
        if (weak & side.king).any() {
            sum += w.threat_king;
        }
        // Squares that the enemy cannot use freely.
        let contested = other.all & !held & side.all & !occupied;
        sum += w.restricted * contested.len() as i32;
        // Pawns that are safe themselves.
        let safe = !other.all | side.all;
        let own_pawns = board.pawns() & board.color(us) & squares;
        let by_pawn = pawn_attack_set(us, own_pawns & safe) & pieces;
        sum += w.attacked_by_pawn * by_pawn.len() as i32;
        let forward = us.forward();
        let mut pushed = own_pawns.shift(forward) & !occupied & squares;
        pushed |= (pushed & Bitboard::rank(us.rank(2))).shift(forward) & !occupied;
        let pushed = pushed & safe & !other.pawn_attacks();
        sum += w.threat_push * (pawn_attack_set(us, pushed) & pieces).len() as i32;
        sum
    }

    /// What the best and the second best capture by `side` would win, judged by attacks alone.
    pub(super) fn captures(&self, board: &Board, side: &Side, other: &Side) -> (i32, i32) {
        let victims = other.us;
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
