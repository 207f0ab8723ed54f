//! Pawns: structure, passed pawns and the shield before a king.
//! Sources: <https://www.chessprogramming.org/Pawn_Structure>, <https://www.chessprogramming.org/Passed_Pawn>,
//! <https://www.chessprogramming.org/King_Safety#Pawn_Shield>.

use super::Pair;
use super::activity::Field;
use super::weights::Weights;
use warpchess_rules::movement::pawn_attack_set;
use warpchess_rules::{Bitboard, Board, Color, Square};

/// The set with everything ahead of it, for a color.
#[inline]
fn fill(set: Bitboard, color: Color) -> Bitboard {
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

/// The set with its neighbour files.
#[inline]
fn widen(set: Bitboard) -> Bitboard {
    set | (set & !Bitboard::FILE_A).shift(-1) | (set & !Bitboard::FILE_H).shift(1)
}

fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

/// The worth of one side's pawns to itself.
pub(super) fn structure(w: &Weights, field: &Field<'_>, us: Color, kings: [Option<Square>; 2]) -> Pair {
    let pawns = field.board.pawns() & field.squares;
    let own = pawns & field.board.color(us);
    if own.is_empty() {
        return Pair::default();
    }
    let enemy = pawns & field.board.color(!us);
    let mut sum = Pair::default();
    let files = fill(fill(own, Color::White), Color::Black);
    let neighbours = (files & !Bitboard::FILE_A).shift(-1) | (files & !Bitboard::FILE_H).shift(1);
    sum += w.isolated * (own & !neighbours).len() as i32;
    let ahead = fill(own.shift(us.forward()), us);
    sum += w.doubled * (own & ahead).len() as i32;
    let beside = (own & !Bitboard::FILE_A).shift(-1) | (own & !Bitboard::FILE_H).shift(1);
    sum += w.connected * (own & (pawn_attack_set(us, own) | beside)).len() as i32;
    // Passed: no enemy pawn ahead on this or the next files, no own one ahead on this.
    let stopped = fill(widen(enemy).shift((!us).forward()), !us) | fill(own.shift((!us).forward()), !us);
    for square in own & !stopped {
        let rank = us.rank(square.rank());
        sum += w.passed[rank as usize];
        if rank >= 3 {
            let next = square.offset(us.forward());
            let far = kings[(!us).index()].map_or(4, |k| distance(k, next));
            let near = kings[us.index()].map_or(4, |k| distance(k, next));
            let blocked = field.occupied.has(next);
            let race = (2 * far - near) * i32::from(rank) * w.passed_kings / 2;
            sum += Pair::new(0, if blocked { race / 2 } else { race });
        }
    }
    sum
}

/// The shield of pawns before a king that is still at home.
pub(super) fn shield(w: &Weights, board: &Board, us: Color, king: Square, squares: Bitboard) -> Pair {
    if us.rank(king.rank()) > 1 {
        return Pair::default();
    }
    let own = board.pawns() & board.color(us);
    let files = widen(Bitboard::from(king)) & squares;
    let near = files.shift(us.forward());
    let far = near.shift(us.forward());
    let columns = fill(fill(files, Color::White), Color::Black);
    let guarded = fill(fill(own & columns, Color::White), Color::Black) & Bitboard::rank(king.rank()) & columns;
    let missing = files.len() as i32 - guarded.len() as i32;
    let worth = w.shield_near * (near & own).len() as i32 + w.shield_far * (far & own).len() as i32
        - w.shield_missing * missing;
    Pair::new(worth, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::Position;
    use warpchess_rules::variants::Chess;

    fn worth(fen: &str, us: Color) -> Pair {
        let position = Chess::from_fen(fen).expect("fen");
        let board = position.board();
        let field = Field { board, squares: Bitboard::ALL, occupied: board.occupied() };
        structure(&Weights::default(), &field, us, [board.king(Color::White), board.king(Color::Black)])
    }

    #[test]
    fn a_passed_pawn_is_worth_more_than_a_stopped_one() {
        let passed = worth("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", Color::White);
        let stopped = worth("4k3/2p5/8/3P4/8/8/8/4K3 w - - 0 1", Color::White);
        assert!(passed.eg() > stopped.eg() + 20);
    }

    #[test]
    fn doubled_and_isolated_pawns_are_worth_less() {
        let good = worth("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", Color::White);
        let doubled = worth("4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1", Color::White);
        assert!(good.eg() > doubled.eg());
    }

    #[test]
    fn both_colors_are_judged_alike() {
        for (white, black) in [
            ("4k3/8/8/3P4/8/1P6/8/4K3 w - - 0 1", "4k3/8/1p6/8/3p4/8/8/4K3 w - - 0 1"),
            ("6k1/8/8/8/8/8/PP3PPP/6K1 w - - 0 1", "6k1/pp3ppp/8/8/8/8/8/6K1 w - - 0 1"),
        ] {
            assert_eq!(worth(white, Color::White), worth(black, Color::Black));
        }
    }
}
