//! What worked elsewhere in the tree: killers, counter moves and histories, by which quiet moves are ordered.
//!
//! Sources: <https://www.chessprogramming.org/Killer_Heuristic>, <https://www.chessprogramming.org/History_Heuristic>,
//! <https://www.chessprogramming.org/Countermove_Heuristic>; continuation history is the counter moves history of
//! Stockfish, described on the history page.

use warpchess_rules::{Area, Color, Move, MoveKind, Position, Role, Square, VariantInfo};

/// What moves, and where to: the index of a continuation. Small and dense, so that games with few roles have small tables.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Slot(u16);

impl Slot {
    #[inline]
    pub(crate) const fn number(self) -> u64 {
        self.0 as u64
    }
}

/// The slots of the moves one, two and four plies before.
pub(crate) type Earlier = [Option<Slot>; 3];

/// Largest size of a history value; updates are scaled so that it is never passed.
pub(crate) const HISTORY_MAX: i32 = 16_384;

/// Movers beyond the roles: a marker, a piece into the pocket, a declared teleport, nothing.
const OTHERS: usize = 4;

/// The history tables of one thread.
pub(crate) struct History {
    /// By color, area, origin (or role, for drops) and destination.
    quiet: Box<[[[[i16; 64]; 64]; 2]; 2]>,
    /// By the slot of an earlier move and the slot of this one.
    continuation: Box<[i16]>,
    counter: Box<[Option<Move>]>,
    /// By color, mover's destination and victim: how well captures did.
    noisy: Box<[i16]>,
    dense: [u8; Role::COUNT],
    slots: usize,
}

impl History {
    pub(crate) fn new(info: &VariantInfo) -> Self {
        let mut dense = [0; Role::COUNT];
        for (i, role) in info.roles.iter().enumerate() {
            dense[role.role.index()] = i as u8;
        }
        let slots = 2 * (info.roles.len() + OTHERS) * 64;
        Self {
            quiet: Box::new([[[[0; 64]; 64]; 2]; 2]),
            continuation: vec![0; slots * slots].into(),
            counter: vec![None; slots].into(),
            noisy: vec![0; slots * (Role::COUNT + 1)].into(),
            dense,
            slots,
        }
    }

    /// The slot of a move that is legal in the position.
    #[inline]
    pub(crate) fn slot<P: Position>(&self, position: &P, m: Move) -> Slot {
        self.slot_of(position.turn(), self.mover(position, m), m.to())
    }
    /// What moves: a role of the game, or one of the others.
    #[inline]
    pub(crate) fn mover<P: Position>(&self, position: &P, m: Move) -> usize {
        let roles = P::INFO.roles.len();
        match m.kind() {
            MoveKind::Drop => m.role().map_or(0, |r| usize::from(self.dense[r.index()])),
            MoveKind::Place | MoveKind::Shift => roles,
            MoveKind::Pocket => roles + 1,
            MoveKind::Declare => roles + 2,
            MoveKind::Pass | MoveKind::Transfer => roles + 3,
            _ => role_at(position, position.area(), m).map_or(0, |r| usize::from(self.dense[r.index()])),
        }
    }
    #[inline]
    pub(crate) fn slot_of(&self, us: Color, mover: usize, to: Square) -> Slot {
        Slot((us.index() * self.slots / 2 + mover * 64 + to.index()) as u16)
    }

    fn quiet_index(m: Move) -> (usize, usize) {
        let from = match (m.kind(), m.role()) {
            (MoveKind::Drop, Some(role)) => role.index(),
            _ => m.from().index(),
        };
        (from, m.to().index())
    }

    #[inline]
    fn pair(&self, earlier: Slot, slot: Slot) -> usize {
        usize::from(earlier.0) * self.slots + usize::from(slot.0)
    }

    /// How promising a quiet move is, given the moves before it.
    #[inline]
    pub(crate) fn quiet(&self, us: Color, area: Area, m: Move, slot: Slot, earlier: Earlier) -> i32 {
        let (from, to) = Self::quiet_index(m);
        let mut sum = i32::from(self.quiet[us.index()][area.index()][from][to]);
        for earlier in earlier.into_iter().flatten() {
            sum += i32::from(self.continuation[self.pair(earlier, slot)]);
        }
        sum
    }

    /// How promising a capture (or a promotion without one) is.
    #[inline]
    pub(crate) fn noisy(&self, slot: Slot, victim: Option<Role>) -> i32 {
        i32::from(self.noisy[self.noisy_index(slot, victim)])
    }
    #[inline]
    fn noisy_index(&self, slot: Slot, victim: Option<Role>) -> usize {
        usize::from(slot.0) * (Role::COUNT + 1) + victim.map_or(Role::COUNT, Role::index)
    }

    pub(crate) fn counter(&self, earlier: Option<Slot>) -> Option<Move> {
        self.counter[usize::from(earlier?.0)]
    }
    pub(crate) fn set_counter(&mut self, earlier: Option<Slot>, m: Move) {
        if let Some(earlier) = earlier {
            self.counter[usize::from(earlier.0)] = Some(m);
        }
    }

    /// A quiet move did well (`bonus` positive) or was searched in vain.
    pub(crate) fn update_quiet(&mut self, us: Color, area: Area, m: Move, slot: Slot, earlier: Earlier, bonus: i32) {
        let (from, to) = Self::quiet_index(m);
        update(&mut self.quiet[us.index()][area.index()][from][to], bonus);
        for earlier in earlier.into_iter().flatten() {
            let i = self.pair(earlier, slot);
            update(&mut self.continuation[i], bonus);
        }
    }
    /// A capture did well or was searched in vain.
    pub(crate) fn update_noisy(&mut self, slot: Slot, victim: Option<Role>, bonus: i32) {
        let i = self.noisy_index(slot, victim);
        update(&mut self.noisy[i], bonus);
    }
}

/// Moves a value towards the bonus; the nearer to the end of the scale, the less ("history gravity").
#[inline]
fn update(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

/// What stands on a move's origin.
#[inline]
pub(crate) fn role_at<P: Position>(position: &P, area: Area, m: Move) -> Option<Role> {
    let boards = position.boards();
    match boards.get(area.index()).or(boards.first()) {
        Some(board) => board.role_at(m.from()),
        None => position.piece_at(area, m.from()).map(|p| p.role()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::variants::Chess;

    #[test]
    fn values_stay_on_the_scale() {
        let mut value = 0;
        for _ in 0..1000 {
            update(&mut value, 3000);
        }
        assert!(i32::from(value) <= HISTORY_MAX && value > 15_000);
        for _ in 0..1000 {
            update(&mut value, -3000);
        }
        assert!(i32::from(value) >= -HISTORY_MAX && value < -15_000);
    }

    #[test]
    fn slots_tell_color_piece_and_destination_apart() {
        let history = History::new(Chess::INFO);
        let mut position = Chess::start();
        let mut seen = std::collections::HashSet::new();
        for m in position.legal_moves() {
            seen.insert(history.slot(&position, m).0);
        }
        position.play_unchecked(position.legal_moves()[0], &mut ());
        for m in position.legal_moves() {
            seen.insert(history.slot(&position, m).0);
        }
        assert_eq!(seen.len(), 40);
        assert!(seen.iter().all(|&s| usize::from(s) < history.slots));
    }
}
