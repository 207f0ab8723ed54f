//! The transposition table, shared by all threads of a search without locks.
//!
//! Each entry is two words: what was found, and the key (with the static evaluation in its low bits) xor-ed with the
//! first word. An entry torn by two threads writing at once then does not match any key.
//! Sources: <https://www.chessprogramming.org/Transposition_Table>,
//! R. Hyatt, T. Mann, "A lock-less transposition table implementation for parallel search" (2002).

pub(crate) use crate::report::Bound;
use crate::score::MATE_BOUND;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use warpchess_rules::Move;

/// What the table knows of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) best: Option<Move>,
    pub(crate) value: i32,
    /// Static evaluation; `None` in check.
    pub(crate) eval: Option<i32>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether it was on a principal variation.
    pub(crate) pv: bool,
}

impl Found {
    /// Whether the bound found shows that a position is not worth `eval`.
    #[inline]
    pub(crate) fn says_more_than(&self, eval: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > eval,
            Bound::Upper => self.value < eval,
        }
    }
}

const CLUSTER: usize = 4;
const NO_EVAL: i16 = i16::MIN;
const GENERATIONS: u8 = 32;

/// The check word and the data word.
type Entry = [AtomicU64; 2];
/// Words of a cluster: what a processor fetches at once.
const WORDS: usize = 2 * CLUSTER;

/// Remembers positions that were searched before.
///
/// # Examples
/// ```
/// use warpchess_engine::TranspositionTable;
/// let table = TranspositionTable::new(1);
/// assert_eq!(table.permille_full(), 0);
/// ```
pub struct TranspositionTable {
    /// Fetched from the system as zeros, page by page when first written: a large table is there at once.
    words: Box<[AtomicU64]>,
    /// Words before the first cluster, so that each lies in one line of the processor's cache.
    skipped: usize,
    clusters: usize,
    generation: AtomicU8,
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TranspositionTable({} clusters)", self.clusters)
    }
}

/// Layout of the data word, from the lowest bit: move 27, value 16, depth 8, bound 2, generation 5,
/// on a principal variation 1.
const VALUE: u32 = 27;
const DEPTH: u32 = 43;
const BOUND: u32 = 51;
const GENERATION: u32 = 53;
const PV: u32 = 58;
const NO_MOVE: u64 = (1 << 27) - 1;

impl TranspositionTable {
    /// A table of so many mebibytes, or of the largest part of it that there is memory for. One of none remembers nothing.
    pub fn new(mebibytes: usize) -> Self {
        let bytes = WORDS * size_of::<AtomicU64>();
        // The index is made from 32 bits of the key.
        let mut clusters = (mebibytes.min(usize::MAX >> 20) << 20) / bytes;
        clusters = clusters.min(u32::MAX as usize);
        loop {
            let count = if clusters == 0 { 0 } else { (clusters + 1) * WORDS - 1 };
            match bytemuck::try_zeroed_slice_box::<AtomicU64>(count) {
                Ok(words) => {
                    let over = words.as_ptr() as usize % bytes;
                    let skipped = (bytes - over) % bytes / size_of::<AtomicU64>();
                    return Self { words, skipped, clusters, generation: AtomicU8::new(0) };
                }
                Err(()) => clusters /= 2,
            }
        }
    }
    /// A new search begins: what earlier ones left is the first to be replaced.
    pub(crate) fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }
    /// How much of a sample of the table this search has filled, in thousandths.
    pub fn permille_full(&self) -> u32 {
        let generation = u64::from(self.generation.load(Relaxed));
        let sample = self.clusters.min(250);
        let used = (0..sample)
            .flat_map(|index| self.at(index))
            .filter(|[_, data]| {
                let data = data.load(Relaxed);
                data != 0 && data >> GENERATION & 31 == generation
            })
            .count();
        (used * 1000 / (sample * CLUSTER).max(1)) as u32
    }

    #[inline]
    fn at(&self, index: usize) -> &[Entry] {
        let start = self.skipped + index * WORDS;
        self.words.get(start..start + WORDS).map_or(&[], |words| words.as_chunks().0)
    }
    #[inline]
    fn cluster(&self, key: u64) -> &[Entry] {
        // The low half of the key chooses the cluster, the high three quarters are kept to recognise the position.
        self.at((((key & 0xffff_ffff) * self.clusters as u64) >> 32) as usize)
    }

    /// Touches the place of a position, so that it has come nearer when [`probe`](Self::probe) looks there. What it returns
    /// means nothing, but must be used lest the load be left out.
    #[inline]
    pub(crate) fn touch(&self, key: u64) -> u64 {
        self.cluster(key).first().map_or(0, |[check, _]| check.load(Relaxed))
    }

    /// Looks a position up. `ply` is its distance from the root, from which mates are counted.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Found> {
        for [check, data] in self.cluster(key) {
            let data = data.load(Relaxed);
            let check = check.load(Relaxed) ^ data;
            if check >> 16 == key >> 16 && data != 0 {
                let eval = check as u16 as i16;
                return Some(Found {
                    best: if data & NO_MOVE == NO_MOVE { None } else { Move::from_bits((data & NO_MOVE) as u32) },
                    value: from_stored(i32::from((data >> VALUE) as u16 as i16), ply),
                    eval: (eval != NO_EVAL).then_some(i32::from(eval)),
                    depth: i32::from((data >> DEPTH) as u8) - DEPTH_OFFSET,
                    bound: match data >> BOUND & 3 {
                        1 => Bound::Upper,
                        2 => Bound::Lower,
                        _ => Bound::Exact,
                    },
                    pv: data >> PV & 1 != 0,
                });
            }
        }
        None
    }

    /// Stores what was found. Keeps a better entry: the same position searched deeper in this search, unless the new value
    /// is exact; among others the shallowest and oldest goes.
    #[inline]
    pub(crate) fn store(&self, key: u64, ply: usize, found: Found) {
        let generation = self.generation.load(Relaxed);
        let cluster = self.cluster(key);
        let Some(mut slot) = cluster.first() else { return };
        let mut least = i32::MAX;
        let mut best = found.best;
        for entry in cluster {
            let [check, data] = entry;
            let data = data.load(Relaxed);
            let check = check.load(Relaxed) ^ data;
            let depth = i32::from((data >> DEPTH) as u8) - DEPTH_OFFSET;
            if data == 0 {
                if least > i32::MIN {
                    (slot, least) = (entry, i32::MIN);
                }
                continue;
            }
            let age = (generation + GENERATIONS - (data >> GENERATION) as u8 % GENERATIONS) % GENERATIONS;
            if check >> 16 == key >> 16 {
                if found.bound != Bound::Exact && age == 0 && found.depth + 3 < depth {
                    return;
                }
                if best.is_none() && data & NO_MOVE != NO_MOVE {
                    best = Move::from_bits((data & NO_MOVE) as u32);
                }
                slot = entry;
                break;
            }
            let worth = depth - 8 * i32::from(age);
            if worth < least {
                (slot, least) = (entry, worth);
            }
        }
        let bound = match found.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let data = best.map_or(NO_MOVE, |m| u64::from(m.to_bits()))
            | u64::from(to_stored(found.value, ply) as i16 as u16) << VALUE
            | ((found.depth + DEPTH_OFFSET).clamp(0, 255) as u64) << DEPTH
            | bound << BOUND
            | u64::from(generation) << GENERATION
            | u64::from(found.pv) << PV;
        let eval = found.eval.map_or(NO_EVAL, |e| e as i16);
        slot[1].store(data, Relaxed);
        slot[0].store((key & !0xffff | u64::from(eval as u16)) ^ data, Relaxed);
    }
}

/// Quiescence depths are at and below zero.
const DEPTH_OFFSET: i32 = 8;

/// Mates are stored as counted from the position itself, so that they hold wherever it is met.
const fn to_stored(value: i32, ply: usize) -> i32 {
    if value > MATE_BOUND {
        value + ply as i32
    } else if value < -MATE_BOUND {
        value - ply as i32
    } else {
        value
    }
}

const fn from_stored(value: i32, ply: usize) -> i32 {
    if value > MATE_BOUND {
        value - ply as i32
    } else if value < -MATE_BOUND {
        value + ply as i32
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MATE;
    use warpchess_rules::{MoveKind, Square};

    fn found(value: i32, depth: i32) -> Found {
        let best = Some(Move::new(MoveKind::Normal, Square::E2, Square::E4));
        Found { best, value, eval: Some(-37), depth, bound: Bound::Exact, pv: depth > 4 }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(1);
        for (i, bound) in [Bound::Upper, Bound::Lower, Bound::Exact].into_iter().enumerate() {
            let key = 0x0123_4567_89ab_cdef + ((i as u64) << 40);
            let entry = Found { bound, ..found(-250, -1) };
            table.store(key, 3, entry);
            assert_eq!(table.probe(key, 3), Some(entry));
            assert_eq!(table.probe(key ^ 1 << 63, 3), None);
        }
        let bare = Found { best: None, eval: None, ..found(7, 12) };
        table.store(99, 0, bare);
        assert_eq!(table.probe(99, 5), Some(bare));
    }

    #[test]
    fn mates_count_from_where_they_are_found() {
        let table = TranspositionTable::new(1);
        table.store(1, 10, found(MATE - 13, 5));
        assert_eq!(table.probe(1, 4).map(|f| f.value), Some(MATE - 7));
        table.store(2, 10, found(-(MATE - 13), 5));
        assert_eq!(table.probe(2, 0).map(|f| f.value), Some(-(MATE - 3)));
    }

    #[test]
    fn an_entry_torn_by_two_writers_is_not_found() {
        let table = TranspositionTable::new(1);
        table.store(5, 0, found(100, 4));
        let [_, data] = &table.cluster(5)[0];
        data.store(data.load(Relaxed) ^ 1 << 30, Relaxed);
        // (Low bits torn show only as another evaluation: two writers of one position can mix their findings.)
        assert_eq!(table.probe(5, 0), None);
    }

    #[test]
    fn a_shallow_entry_of_an_old_search_goes_first() {
        let table = TranspositionTable::new(1);
        let keys: Vec<u64> = (0..5u64).map(|i| i << 50).collect();
        for (i, &key) in keys[..4].iter().enumerate() {
            table.store(key, 0, found(0, if i == 2 { 3 } else { 9 }));
        }
        table.store(keys[4], 0, found(0, 5));
        assert!(table.probe(keys[2], 0).is_none());
        assert!(table.probe(keys[4], 0).is_some());
    }

    #[test]
    fn a_table_larger_than_memory_is_as_large_as_can_be_and_one_of_none_is_none() {
        let table = TranspositionTable::new(usize::MAX);
        table.store(7, 0, found(0, 5));
        assert!(table.probe(7, 0).is_some() && table.skipped < WORDS);
        let none = TranspositionTable::new(0);
        none.store(7, 0, found(0, 5));
        assert!(none.probe(7, 0).is_none() && none.permille_full() == 0);
    }

    #[test]
    fn every_cluster_is_whole() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.clusters, 1 << 14);
        assert!((0..table.clusters).all(|index| table.at(index).len() == CLUSTER));
        assert!(table.at(table.clusters).is_empty());
    }
}
