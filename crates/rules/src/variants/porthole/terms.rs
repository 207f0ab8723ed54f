//! What portals are worth knowing of to an evaluation.

use super::{Porthole, exits};
use crate::core::{Bitboard, Color, Square};
use crate::info::{Feature, MAX_FEATURES};
use crate::movement::king_attacks;
use crate::position::Reach;

pub(super) const FEATURES: &[Feature] = &[
    // Portals next to the own king or below it: whoever enters any other may come out there.
    Feature::new("portals_at_king", -7, 0),
    // Steps by which the own king is nearer to a portal than four.
    Feature::new("king_near_portal", -2, 0),
    // The king on a portal that nobody can enter: nothing attacks it there.
    Feature::new("king_shut_in", 12, 0),
    // Pawns right behind a portal, onto which they cannot step.
    Feature::new("pawns_stopped", -5, -9),
    // Pieces on portals.
    Feature::new("posts", 2, 2),
];

impl Porthole {
    #[inline]
    pub(super) fn count_terms(&self, counts: &mut [i32; MAX_FEATURES]) {
        let board = self.core.board();
        let portals = self.portals.squares();
        for us in Color::ALL {
            let sign = if us == Color::White { 1 } else { -1 };
            let own = board.color(us);
            if let Some(king) = board.king(us) {
                counts[0] += sign * ((king_attacks(king).with(king) & portals).len() as i32);
                let nearest = portals.into_iter().map(|s| king.distance(s)).min().unwrap_or(4);
                counts[1] += sign * (4 - nearest).max(0);
                if portals.has(king) && self.exits(king).is_empty() {
                    counts[2] += sign;
                }
            }
            counts[3] += sign * (board.pawns() & own & portals.shift(-us.forward())).len() as i32;
            counts[4] += sign * (portals & own & !board.pawns() & !board.kings(us)).len() as i32;
        }
    }

    /// A portal can be entered if there is an exit for it, and then leads to all of its exits.
    #[inline]
    pub(super) fn reach_of(&self, from: Square, attacks: Bitboard) -> Reach {
        let board = self.core.board();
        let (portals, stacks) = (self.portals.squares(), self.portals.stacks());
        let own = board.color(if board.color(Color::White).has(from) { Color::White } else { Color::Black });
        let mut reach = Reach { attacks, ways: Bitboard::EMPTY };
        for entry in attacks & portals {
            let exits = exits(entry, board.occupied(), portals, stacks);
            if exits.is_empty() {
                reach.attacks = reach.attacks.without(entry);
            } else if !own.has(entry) {
                reach.ways |= exits;
            }
        }
        reach
    }
}
