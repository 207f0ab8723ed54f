//! Pawns: structure, passed pawns and the shelter before a king.
//! Sources: <https://www.chessprogramming.org/Pawn_Structure>, <https://www.chessprogramming.org/Passed_Pawn>,
//! <https://www.chessprogramming.org/King_Safety#Pawn_Shield>, <https://www.chessprogramming.org/King_Safety#Pawn_Storm>.

use super::Pair;
use super::activity::{Field, Side};
use super::weights::Weights;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpchess_rules::movement::pawn_attack_set;
use warpchess_rules::{Bitboard, Color, Square};

/// The set with everything ahead of it, for a color.
#[inline]
pub(super) fn fill(set: Bitboard, color: Color) -> Bitboard {
    let mut set = set.0;
    match color {
        Color::White => {
            set |= set << 8;
            set |= set << 16;
            set |= set << 32;
        }
        Color::Black => {
            set |= set >> 8;
            set |= set >> 16;
            set |= set >> 32;
        }
    }
    Bitboard(set)
}

/// The neighbours on the same rank.
#[inline]
fn beside(set: Bitboard) -> Bitboard {
    (set & !Bitboard::FILE_A).shift(-1) | (set & !Bitboard::FILE_H).shift(1)
}

/// The set with its neighbour files.
#[inline]
fn widen(set: Bitboard) -> Bitboard {
    set | beside(set)
}

/// What follows from where the pawns of a board stand, whatever else is there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Structure {
    /// From White's view.
    pub(super) worth: Pair,
    /// Passed pawns of both sides.
    pub(super) passed: Bitboard,
    /// Squares that a side's pawns attack or may come to attack.
    pub(super) spans: [Bitboard; 2],
}

/// Structures known, by the pawns they are of. Every word is checked against the others when it is read, so that threads
/// can share them without a lock; what they hold depends on the pawns alone, so sharing changes no result.
/// Sources: <https://www.chessprogramming.org/Pawn_Hash_Table>,
/// <https://www.chessprogramming.org/Shared_Hash_Table#Lockless>.
#[derive(Debug)]
pub(super) struct PawnTable(Box<[[AtomicU64; 4]]>);

const ENTRIES: usize = 1 << 12;

impl PawnTable {
    pub(super) fn new() -> Self {
        Self((0..ENTRIES).map(|_| Default::default()).collect())
    }

    /// The structure of a board.
    #[inline]
    pub(super) fn structure(&self, w: &Weights, field: &Field<'_>) -> Structure {
        let pawns = field.board.pawns() & field.squares;
        let pawns = Color::ALL.map(|c| pawns & field.board.color(c));
        let [white, black] = pawns.map(|set| set.0);
        let mixed = (white ^ black.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &self.0[(mixed >> 52) as usize % ENTRIES];
        let [a, b, worth, passed] = [&slot[0], &slot[1], &slot[2], &slot[3]].map(|word| word.load(Relaxed));
        let sum = worth ^ passed.rotate_left(17) ^ 1;
        let spans = || Color::ALL.map(|c| span(pawns[c.index()], c));
        if a ^ sum == white && b ^ sum == black {
            return Structure { worth: Pair::from_bits(worth as u32), passed: Bitboard(passed), spans: spans() };
        }
        let worth = structure(w, pawns, Color::White) - structure(w, pawns, Color::Black);
        let passed = passers(pawns, Color::White) | passers(pawns, Color::Black);
        let bits = u64::from(worth.bits());
        let sum = bits ^ passed.0.rotate_left(17) ^ 1;
        for (word, value) in slot.iter().zip([white ^ sum, black ^ sum, bits, passed.0]) {
            word.store(value, Relaxed);
        }
        Structure { worth, passed, spans: spans() }
    }
}

/// Squares that pawns attack or may come to attack.
#[inline]
fn span(pawns: Bitboard, us: Color) -> Bitboard {
    fill(pawn_attack_set(us, pawns), us)
}

/// Passed: no enemy pawn ahead on this or the next files, no own one ahead on this.
fn passers(pawns: [Bitboard; 2], us: Color) -> Bitboard {
    let (own, enemy) = (pawns[us.index()], pawns[(!us).index()]);
    let back = (!us).forward();
    own & !(fill(widen(enemy).shift(back), !us) | fill(own.shift(back), !us))
}

/// The worth of one side's pawns to itself.
fn structure(w: &Weights, pawns: [Bitboard; 2], us: Color) -> Pair {
    let (own, enemy) = (pawns[us.index()], pawns[(!us).index()]);
    if own.is_empty() {
        return Pair::default();
    }
    let forward = us.forward();
    let files = fill(fill(own, Color::White), Color::Black);
    let unopposed = !fill(enemy, !us);
    let isolated = own & !beside(files);
    let attacks = pawn_attack_set(us, own);
    let enemy_attacks = pawn_attack_set(!us, enemy);
    // Behind its neighbours, and not able to come up with them.
    let stop = own.shift(forward);
    let backward = (stop & (enemy_attacks | enemy) & !span(own, us)).shift(-forward) & own & !isolated & !attacks;
    let ahead = fill(own.shift(forward), us);
    let supported = own & attacks;
    let phalanx = own & beside(own);
    let mut sum = w.isolated * isolated.len() as i32
        + w.backward * backward.len() as i32
        + w.weak_unopposed * ((isolated | backward) & unopposed).len() as i32
        + w.doubled * (own & ahead & !supported).len() as i32
        + w.doubled_supported * (own & ahead & supported).len() as i32;
    for square in supported | phalanx {
        sum += w.connected[us.rank(square.rank()) as usize];
        if supported.has(square) {
            sum += w.supported;
        }
    }
    // Passed but for pawns that own ones can exchange.
    let passed = passers(pawns, us);
    let helped = own & !passed & unopposed & !ahead & (attacks | phalanx);
    for square in passed {
        sum += w.passed[us.rank(square.rank()) as usize];
    }
    for square in helped {
        sum += w.candidate[us.rank(square.rank()) as usize];
    }
    sum
}

/// What passed pawns are worth by what stands around them.
pub(super) fn passed(w: &Weights, field: &Field<'_>, side: &Side, other: &Side, structure: &Structure) -> Pair {
    let us = side.us;
    let mut sum = Pair::default();
    for square in structure.passed & field.board.color(us) {
        let rank = us.rank(square.rank());
        if rank < 3 || rank == 7 {
            continue;
        }
        let weight = i32::from(rank) - 2;
        let next = square.offset(us.forward());
        let far = field.kings[(!us).index()].map_or(4, |k| k.distance(next));
        let near = field.kings[us.index()].map_or(4, |k| k.distance(next));
        sum += Pair::new(0, (w.passed_far * far.min(6) - w.passed_near * near.min(6)) * weight);
        if field.occupied.has(next) {
            sum += w.passed_blocked * weight;
            continue;
        }
        let path = fill(Bitboard::from(next), us) & field.squares;
        let behind = fill(Bitboard::from(square), !us) & field.board.with_power(warpchess_rules::Powers::ORTHOGONAL);
        // A rook behind it sees the whole way; an enemy's denies it.
        let denied = if (behind & field.board.color(!us)).any() { path } else { path & (other.all | field.occupied) };
        if denied.is_empty() {
            sum += w.passed_free * weight;
        } else if !denied.has(next) {
            sum += w.passed_step * weight;
        }
        if side.all.has(next) || (behind & field.board.color(us)).any() {
            sum += w.passed_supported * weight;
        }
        // The rule of the square. Source: <https://www.chessprogramming.org/Rule_of_the_Square>.
        if other.units.is_empty() && (path & field.occupied).is_empty() {
            let goal = Square::new(us.rank(7) * 8 + square.file());
            let steps = 7 - i32::from(rank);
            if field.kings[(!us).index()].is_some_and(|k| k.distance(goal) > steps + 1) {
                sum += Pair::new(0, w.unstoppable);
            }
        }
    }
    sum
}

/// The shelter that pawns give a king, by the three files it stands between.
pub(super) fn shelter(w: &Weights, field: &Field<'_>, us: Color, king: Square) -> i32 {
    let pawns = field.board.pawns() & field.squares;
    let ahead = fill(Bitboard::rank(king.rank()), us);
    let own = pawns & field.board.color(us) & ahead;
    let enemy = pawns & field.board.color(!us) & ahead;
    let first = king.file().clamp(1, 6) - 1;
    let nearest = |set: Bitboard| -> usize {
        let square = match us {
            Color::White => set.first(),
            Color::Black => (set.any()).then(|| Square::new(63 - set.0.leading_zeros() as u8)),
        };
        square.map_or(0, |s| us.rank(s.rank()) as usize)
    };
    let mut sum = 0;
    for file in first..first + 3 {
        let column = Bitboard::file(file);
        if (column & field.squares).is_empty() {
            continue;
        }
        let mine = nearest(own & column);
        let theirs = nearest(enemy & column);
        let middle = usize::from(file == king.file());
        sum += w.shelter[middle][mine.min(6)];
        let blocked = mine != 0 && theirs == mine + 1;
        sum -= if blocked { w.storm_blocked[theirs.min(6)] } else { w.storm[theirs.min(6)] };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::Position;
    use warpchess_rules::variants::Chess;

    fn worth(fen: &str, us: Color) -> Pair {
        let position = Chess::from_fen(fen).expect("fen");
        let board = position.board();
        structure(&Weights::default(), Color::ALL.map(|c| board.pawns() & board.color(c)), us)
    }

    #[test]
    fn a_passed_pawn_is_worth_more_than_a_stopped_one() {
        let passed = worth("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", Color::White);
        let stopped = worth("4k3/2p5/8/3P4/8/8/8/4K3 w - - 0 1", Color::White);
        assert!(passed.eg() > stopped.eg() + 15);
    }

    #[test]
    fn doubled_isolated_and_backward_pawns_are_worth_less() {
        let good = worth("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", Color::White);
        let doubled = worth("4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1", Color::White);
        assert!(good.eg() > doubled.eg());
        let even = worth("4k3/8/8/p2p4/8/PP6/8/4K3 w - - 0 1", Color::White);
        let backward = worth("4k3/8/8/p2p4/P7/1P6/8/4K3 w - - 0 1", Color::White);
        assert!(even != backward);
    }

    #[test]
    fn both_colors_are_judged_alike() {
        for (white, black) in [
            ("4k3/8/8/3P4/8/1P6/8/4K3 w - - 0 1", "4k3/8/1p6/8/3p4/8/8/4K3 w - - 0 1"),
            ("6k1/8/8/8/8/8/PP3PPP/6K1 w - - 0 1", "6k1/pp3ppp/8/8/8/8/8/6K1 w - - 0 1"),
            ("4k3/p1p5/8/2PP4/8/1P6/8/4K3 w - - 0 1", "4k3/8/1p6/8/2pp4/8/P1P5/4K3 w - - 0 1"),
        ] {
            assert_eq!(worth(white, Color::White), worth(black, Color::Black));
        }
    }

    #[test]
    fn a_structure_seen_before_is_the_same() {
        let table = PawnTable::new();
        let w = Weights::default();
        let mut seed = 5u64;
        for _ in 0..40 {
            let mut position = Chess::start();
            for _ in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                position.play_unchecked(moves[(seed >> 33) as usize % moves.len()], &mut ());
                let board = position.board();
                let field = Field {
                    board,
                    squares: Bitboard::ALL,
                    occupied: board.occupied(),
                    kings: Color::ALL.map(|c| board.king(c)),
                    drops: [None; 2],
                };
                let found = table.structure(&w, &field);
                assert_eq!(found, table.structure(&w, &field));
                assert_eq!(found, PawnTable::new().structure(&w, &field), "{}", position.fen());
            }
        }
    }
}
