//! What declared teleports and portal squares are worth knowing of to an evaluation.

use super::{BOTH, Geometry, Howe, State};
use crate::core::{Bitboard, Color, Square};
use crate::info::{Feature, MAX_FEATURES};
use crate::position::Position;

/// The features of every game of this family.
pub(in crate::variants) const FEATURES: &[Feature] = &[
    // A declared teleport, one that is blocked, and a piece that was lifted off: what comes next is no choice any more.
    Feature::new("declared", 6, 6),
    Feature::new("blocked", -25, -25),
    Feature::new("lifted", -10, -10),
    // Pawns that the piece is worth on whose square a declared teleport leads.
    Feature::new("landing_on_enemy", 25, 25),
    // Pieces on portal squares with no own piece at the other end.
    Feature::new("ready", 4, 4),
    // Pawns that the enemy's piece at the other end is worth.
    Feature::new("ready_to_capture", 4, 4),
    // Pieces whose portal leads to within two steps of the enemy's king.
    Feature::new("ready_near_king", 8, 0),
    // The own king within a step of a portal square.
    Feature::new("king_at_portal", -6, 0),
    // Pawns that the own pieces in the area of the enemy's king are worth.
    Feature::new("with_enemy_king", 1, 0),
];

impl<G: Geometry> Howe<G> {
    #[inline]
    pub(super) fn count_terms(&self, counts: &mut [i32; MAX_FEATURES]) {
        for us in Color::ALL {
            let sign = if us == Color::White { 1 } else { -1 };
            let mut count = |feature: usize, n: i32| counts[feature] += sign * n;
            if let Some(intent) = self.intent(us) {
                match intent.state {
                    State::Open => count(0, 1),
                    State::Blocked => count(1, 1),
                    State::Transit(_) => count(2, 1),
                }
                if intent.state != State::Blocked {
                    let (area, square) = self.goal(us, intent);
                    if self.board(area).color(!us).has(square) {
                        count(3, self.pawns_worth(Bitboard::from(square), area.index()));
                    }
                }
            }
            let enemy_king = self.king(!us);
            for area in BOTH {
                let (here, there) = (self.board(area), self.board(area.other()));
                let ready = here.color(us) & G::portals(area) & !here.kings(us);
                for square in ready {
                    let end: Square = G::linked(area, square);
                    if there.color(us).has(end) {
                        continue;
                    }
                    count(4, 1);
                    if there.color(!us).has(end) {
                        count(5, self.pawns_worth(Bitboard::from(end), area.other().index()));
                    }
                    if enemy_king.is_some_and(|(a, king)| a == area.other() && king.distance(end) <= 2) {
                        count(6, 1);
                    }
                }
                if let Some(king) = here.king(us)
                    && G::portals(area).into_iter().any(|portal| portal.distance(king) <= 1)
                {
                    count(7, 1);
                }
                if enemy_king.is_some_and(|(a, _)| a == area) {
                    count(8, self.pawns_worth(here.color(us) & !here.pawns(), area.index()));
                }
            }
        }
    }

    /// What pieces of an area are worth, in pawns.
    fn pawns_worth(&self, pieces: Bitboard, area: usize) -> i32 {
        let board = &self.core.boards()[area];
        let worth = |square| board.role_at(square).map_or(0, |role| <Self as Position>::INFO.value(role));
        pieces.into_iter().map(worth).sum::<i32>() / 100
    }
}
