//! What the two portals are worth knowing of to an evaluation.

use super::pair::State;
use super::{INFO, Portalduel, generate};
use crate::core::{Bitboard, Color, Powers, Square};
use crate::info::{Feature, MAX_FEATURES};
use crate::movement::Direction;
use crate::position::Reach;

pub(super) const FEATURES: &[Feature] = &[
    // Steps by which the enemy's portal is nearer to the own king than four: it may be teleported or destroyed.
    Feature::new("king_near_enemy_portal", -7, -3),
    // The same for the own portal, which the enemy's may meet there.
    Feature::new("king_near_own_portal", -3, 0),
    // What a black hole at hand would win, in pawns, for the side that is not to move.
    Feature::new("hole_threat", 25, 25),
    // Pawns that a black hole at the enemy's portal would take, the enemy's less the own ones, while it is two steps away.
    Feature::new("hole_near", 3, 3),
];

/// More than a black hole can win otherwise.
const KING: i32 = 12;

impl Portalduel {
    #[inline]
    pub(super) fn count_terms(&self, counts: &mut [i32; MAX_FEATURES]) {
        let State::Linked(white, black) = self.pair.state() else { return };
        let board = self.core.board();
        let portals = [white, black];
        for us in Color::ALL {
            let sign = if us == Color::White { 1 } else { -1 };
            let (own, other) = (portals[us.index()], portals[(!us).index()]);
            if let Some(king) = board.king(us) {
                counts[0] += sign * (4 - king.distance(other)).max(0);
                counts[1] += sign * (4 - king.distance(own)).max(0);
            }
            match own.distance(other) {
                1 if us != self.core.turn() => counts[2] += sign * self.hole_gain(us, other).max(0),
                2 => counts[3] += sign * self.hole_gain(us, other).clamp(-KING, KING),
                _ => {}
            }
        }
    }

    /// What a side would win by a black hole there, in pawns.
    fn hole_gain(&self, us: Color, center: Square) -> i32 {
        let board = self.core.board();
        let hole = generate::hole(center);
        if (hole & board.kings(us)).any() {
            return 0;
        }
        if (hole & board.kings(!us)).any() {
            return KING;
        }
        let worth = |square| board.role_at(square).map_or(0, |role| INFO.value(role));
        let sum = |set: Bitboard| set.into_iter().map(worth).sum::<i32>();
        (sum(hole & board.color(!us)) - sum(hole & board.color(us))) / 100
    }

    /// Who reaches one portal may come out at the other, and a rider may go on from there.
    #[inline]
    pub(super) fn reach_of(&self, from: Square, attacks: Bitboard) -> Reach {
        let mut reach = Reach { attacks, ways: Bitboard::EMPTY };
        let Some((a, b)) = self.pair.linked().filter(|&(a, b)| attacks.has(a) || attacks.has(b)) else { return reach };
        let board = self.core.board();
        let occupied = board.occupied();
        let own = board.color(if board.color(Color::White).has(from) { Color::White } else { Color::Black });
        let powers = board.powers_at(from);
        let rider = powers.has(Powers::DIAGONAL) || powers.has(Powers::ORTHOGONAL);
        for (entry, exit) in [(a, b), (b, a)] {
            if !attacks.has(entry) || occupied.has(entry) || exit == from {
                continue;
            }
            if own.has(exit) {
                reach.attacks = reach.attacks.without(entry);
                continue;
            }
            let mut through = Bitboard::from(exit);
            if !occupied.has(exit)
                && let Some(direction) = Direction::between(from, entry).filter(|_| rider)
            {
                through |= direction.slide(exit, occupied.with(a).with(b).without(from)).without(from);
            }
            reach.ways |= through & !attacks;
            reach.attacks |= through;
        }
        reach
    }
}
