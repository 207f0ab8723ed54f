//! What is known of positions: bounds on the mate, and proof numbers of the search under way.

use warpchess_rules::Move;

/// Proof numbers: how much is still to be proved, at the least, to prove or to refute a mate. 0 and [`DONE`] mean that it
/// is decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

/// A proof number that no work can reach.
pub(crate) const DONE: u32 = 1 << 30;

impl Numbers {
    pub(crate) const PROVED: Self = Self { proof: 0, disproof: DONE };
    pub(crate) const REFUTED: Self = Self { proof: DONE, disproof: 0 };

    pub(crate) const fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// What the table knows of a position. Moves are the attacker's that are still to come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Proof numbers for a mate in `moves`.
    numbers: Numbers,
    moves: u8,
    /// There is a mate in so many moves; 255 if none is known.
    proved: u8,
    /// There is none in one move fewer than this.
    refuted: u8,
    pub(crate) best: Option<Move>,
}

impl Entry {
    /// What is known of a mate in `moves`.
    pub(crate) fn numbers(&self, moves: u8) -> Option<Numbers> {
        if self.proved <= moves {
            Some(Numbers::PROVED)
        } else if self.refuted > moves {
            Some(Numbers::REFUTED)
        } else {
            Some(self.numbers).filter(|_| self.moves == moves)
        }
    }
}

const NO_MOVE: u64 = (1 << 27) - 1;
const CLUSTER: usize = 4;

/// Packed: the key; both proof numbers; and, from the lowest bit, move 27, effort 5, moves 8, proved 8, refuted 8,
/// generation 8.
type Slot = [u64; 3];

/// Remembers positions by their whole 64-bit keys. Which side attacks is not part of a key: a new problem begins with
/// [`Table::forget`].
#[derive(Debug)]
pub(crate) struct Table {
    slots: Vec<Slot>,
    generation: u8,
}

fn unpack(slot: &Slot) -> Entry {
    let word = slot[2];
    Entry {
        numbers: Numbers { proof: slot[1] as u32, disproof: (slot[1] >> 32) as u32 },
        moves: (word >> 32) as u8,
        proved: (word >> 40) as u8,
        refuted: (word >> 48) as u8,
        best: if word & NO_MOVE == NO_MOVE { None } else { Move::from_bits((word & NO_MOVE) as u32) },
    }
}

impl Table {
    /// A table of so many mebibytes, and of a few positions at least; `None` if there is not that much memory.
    pub(crate) fn new(mebibytes: usize) -> Option<Self> {
        let clusters = (mebibytes.checked_mul(1 << 20)? / (CLUSTER * size_of::<Slot>())).clamp(64, u32::MAX as usize);
        let slots = clusters * CLUSTER;
        // Asked for twice, since only this way can fail and only the other is free: it is zeroed by the system where
        // it is touched.
        Vec::<Slot>::new().try_reserve_exact(slots).ok()?;
        Some(Self { slots: vec![[0; 3]; slots], generation: 1 })
    }
    /// Makes everything known worthless.
    pub(crate) fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill([0; 3]);
            self.generation = 1;
        }
    }
    fn cluster(&self, key: u64) -> usize {
        let clusters = (self.slots.len() / CLUSTER) as u64;
        (((key >> 32) * clusters) >> 32) as usize * CLUSTER
    }
    fn is_current(&self, slot: &Slot) -> bool {
        (slot[2] >> 56) as u8 == self.generation
    }

    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let start = self.cluster(key);
        let cluster = &self.slots[start..start + CLUSTER];
        cluster.iter().find(|slot| slot[0] == key && self.is_current(slot)).map(unpack)
    }

    /// Stores what was found out about a mate in `moves`, in `work` nodes. Bounds known before stay; among other
    /// positions the one with the least work behind it goes.
    pub(crate) fn store(&mut self, key: u64, moves: u8, numbers: Numbers, best: Option<Move>, work: u64) {
        let start = self.cluster(key);
        let mut place = start;
        let mut least = u64::MAX;
        let mut old = None;
        for i in start..start + CLUSTER {
            let slot = &self.slots[i];
            if !self.is_current(slot) {
                if least > 0 {
                    (place, least) = (i, 0);
                }
                continue;
            }
            if slot[0] == key {
                place = i;
                old = Some((unpack(slot), slot[2] >> 27 & 31));
                break;
            }
            let effort = 1 + (slot[2] >> 27 & 31);
            if effort < least {
                (place, least) = (i, effort);
            }
        }
        let (mut proved, mut refuted, mut effort) = (u8::MAX, 0, u64::from(work.max(1).ilog2().min(31)));
        let mut best = best;
        if let Some((entry, spent)) = old {
            (proved, refuted, effort) = (entry.proved, entry.refuted, effort.max(spent));
            best = best.or(entry.best);
        }
        if numbers.proof == 0 {
            proved = proved.min(moves);
        } else if numbers.disproof == 0 {
            refuted = refuted.max(moves + 1);
        }
        let word = best.map_or(NO_MOVE, |m| u64::from(m.to_bits()))
            | effort << 27
            | u64::from(moves) << 32
            | u64::from(proved) << 40
            | u64::from(refuted) << 48
            | u64::from(self.generation) << 56;
        self.slots[place] = [key, u64::from(numbers.proof) | u64::from(numbers.disproof) << 32, word];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::{MoveKind, Square};

    #[test]
    fn bounds_outlive_the_numbers_of_other_lengths() {
        let mut table = Table::new(1).expect("memory");
        let best = Some(Move::new(MoveKind::Normal, Square::E2, Square::E4));
        table.store(7, 2, Numbers::REFUTED, None, 10);
        table.store(7, 5, Numbers::PROVED, best, 10);
        let open = Numbers { proof: 3, disproof: 9 };
        table.store(7, 4, open, None, 10);
        let entry = table.probe(7).expect("stored");
        assert_eq!(entry.best, best);
        let known: Vec<_> = (0..8).map(|n| entry.numbers(n)).collect();
        let (no, yes) = (Some(Numbers::REFUTED), Some(Numbers::PROVED));
        assert_eq!(known, [no, no, no, None, Some(open), yes, yes, yes]);
        assert_eq!(table.probe(8), None);
        table.forget();
        assert_eq!(table.probe(7), None);
    }

    #[test]
    fn the_position_with_the_least_work_goes() {
        let mut table = Table::new(0).expect("memory");
        for key in 0..5 {
            table.store(key, 1, Numbers::PROVED, None, if key == 2 { 1 } else { 1000 });
        }
        assert!(table.probe(2).is_none());
        assert!([0, 1, 3, 4].into_iter().all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn generations_never_run_out() {
        let mut table = Table::new(0).expect("memory");
        table.store(1, 1, Numbers::PROVED, None, 1);
        for _ in 0..600 {
            table.forget();
            assert!(table.probe(1).is_none());
        }
        table.store(1, 1, Numbers::PROVED, None, 1);
        assert!(table.probe(1).is_some());
    }
}
