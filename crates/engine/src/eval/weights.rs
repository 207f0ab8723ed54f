//! The numbers of the evaluation, by name, so that they can be fitted and kept as data.

use super::Pair;
use super::set::WeightSet;
use warpchess_rules::{Role, VariantInfo};

/// A number or a list of numbers with a middlegame and an endgame half, or with one half only.
trait Weight {
    fn visit(&mut self, name: &str, f: &mut dyn FnMut(&str, &mut i32));
}

impl Weight for i32 {
    fn visit(&mut self, name: &str, f: &mut dyn FnMut(&str, &mut i32)) {
        f(name, self);
    }
}

impl Weight for Pair {
    fn visit(&mut self, name: &str, f: &mut dyn FnMut(&str, &mut i32)) {
        let (mut mg, mut eg) = (self.mg(), self.eg());
        f(&format!("{name}.mg"), &mut mg);
        f(&format!("{name}.eg"), &mut eg);
        *self = Self::new(mg, eg);
    }
}

impl<W: Weight, const N: usize> Weight for [W; N] {
    fn visit(&mut self, name: &str, f: &mut dyn FnMut(&str, &mut i32)) {
        for (i, weight) in self.iter_mut().enumerate() {
            weight.visit(&format!("{name}.{i}"), f);
        }
    }
}

macro_rules! weights {
    ($($(#[doc = $doc:literal])* $name:ident: $type:ty = $value:expr;)*) => {
        /// Tunable numbers of the evaluation, in hundredths of a pawn where nothing else is said.
        #[derive(Clone, PartialEq, Debug)]
        pub(crate) struct Weights {
            $($(#[doc = $doc])* pub(crate) $name: $type,)*
            /// What the game's own features are worth, by name and in their order.
            pub(crate) features: Vec<(&'static str, Pair)>,
        }

        impl Default for Weights {
            fn default() -> Self {
                Self { $($name: $value,)* features: Vec::new() }
            }
        }

        impl Weights {
            /// Shows every number with its name, to be read or changed.
            pub(crate) fn visit(&mut self, f: &mut dyn FnMut(&str, &mut i32)) {
                $(self.$name.visit(stringify!($name), f);)*
                for (name, weight) in &mut self.features {
                    weight.visit(&format!("feature.{name}"), f);
                }
            }
        }
    };
}

impl Weights {
    /// The numbers that a game begins with, before any fitting.
    pub(crate) fn unfitted(info: &VariantInfo) -> Self {
        let features = info.features.iter().map(|f| (f.name, Pair::new(f.middlegame, f.endgame))).collect();
        Self { features, ..Self::default() }
    }
    /// The numbers that a game is played with.
    pub(crate) fn of(info: &VariantInfo) -> Self {
        WeightSet::built_in().weights(info)
    }
    /// Whether any number whose name begins so is not nought.
    pub(crate) fn weighs(&self, name: &str) -> bool {
        self.list().iter().any(|(n, value)| n.starts_with(name) && *value != 0)
    }
    /// Every number by name.
    pub(crate) fn list(&self) -> Vec<(String, i32)> {
        let mut list = Vec::new();
        self.clone().visit(&mut |name, value| list.push((name.to_owned(), *value)));
        list
    }
}

const fn p(mg: i32, eg: i32) -> Pair {
    Pair::new(mg, eg)
}

/// Kinds of pieces by how they profit from the middle of a board; see [`super::placement`].
pub(super) const SHAPES: usize = 6;

weights! {
    /// Being to move.
    tempo: i32 = 14;
    /// Added to a role's worth, by role.
    worth: [Pair; Role::COUNT] = [Pair::new(0, 0); Role::COUNT];
    /// A step nearer to the middle, by shape: leapers, diagonal riders, queens, rooks that leap or step, rooks, others.
    centre: [Pair; SHAPES] = [p(8, 8), p(5, 5), p(2, 2), p(3, 3), p(1, 1), p(5, 5)];
    /// A piece on its side's first rank.
    home: Pair = p(-4, 0);
    /// A piece on the last rank, where one can be taken off and come back as more.
    promoting: Pair = p(40, 40);
    /// A pawn by rank, and by how near the middle files are, times how far it has advanced.
    pawn_rank: [Pair; 8] = [p(0, 0), p(0, 0), p(2, 4), p(5, 10), p(10, 20), p(18, 36), p(30, 60), p(0, 0)];
    pawn_middle: Pair = p(2, 0);
    /// A pawn on its last rank: stuck, or about to be taken off and to come back as more.
    pawn_stuck: Pair = p(-30, -60);
    pawn_promoting: Pair = p(60, 120);
    /// A king by rank (up to the fifth) and by how near the middle files are; by nearness to the middle of the board.
    king_rank: Pair = p(-9, 0);
    king_middle: Pair = p(-6, 0);
    king_centre: Pair = p(0, 8);
    /// A square in reach, by what kind of piece reaches it.
    mobility_leaper: Pair = p(4, 4);
    mobility_diagonal: Pair = p(4, 5);
    mobility_orthogonal: Pair = p(2, 5);
    mobility_queen: Pair = p(1, 3);
    /// Each square fewer than three in reach, by size; a square in reach by the game's own ways of moving.
    cramped: [Pair; 3] = [p(-6, -8), p(-6, -10), p(-6, -10)];
    ways: Pair = p(1, 1);
    /// Two pieces that move on diagonals only, on squares of both colors.
    diagonal_pair: Pair = p(25, 45);
    /// A small piece on a square that no enemy pawn can attack and an own one does, by whether it leaps or rides, or that
    /// can leap there; one behind a pawn; each step it is away from the own king.
    outpost_leaper: Pair = p(24, 14);
    outpost_rider: Pair = p(14, 6);
    outpost_reachable: Pair = p(10, 4);
    behind_pawn: Pair = p(6, 2);
    far_from_king: Pair = p(-3, -2);
    /// Own pawns on the color of a piece that moves on diagonals only, more with pawns blocked in the middle.
    bad_diagonal: Pair = p(-1, -2);
    /// A rook-like piece on a file without own pawns, and without any; shut in by its king; on the seventh rank; behind a
    /// passed pawn of its own or of the enemy.
    half_open_file: Pair = p(10, 6);
    open_file: Pair = p(22, 8);
    shut_in: Pair = p(-35, -8);
    seventh: Pair = p(8, 20);
    behind_passer: Pair = p(4, 14);
    behind_enemy_passer: Pair = p(4, 12);
    /// Room for pieces, a square, times pieces above three, in 32nds.
    space: i32 = 10;
    /// Pawns.
    isolated: Pair = p(-8, -12);
    backward: Pair = p(-7, -9);
    weak_unopposed: Pair = p(-7, -10);
    doubled: Pair = p(-8, -20);
    doubled_supported: Pair = p(-2, -10);
    supported: Pair = p(6, 4);
    connected: [Pair; 8] = [p(0, 0), p(3, 0), p(4, 2), p(6, 4), p(12, 10), p(26, 24), p(50, 50), p(0, 0)];
    candidate: [Pair; 8] = [p(0, 0), p(1, 3), p(2, 5), p(4, 10), p(9, 18), p(18, 30), p(20, 30), p(0, 0)];
    passed: [Pair; 8] = [p(0, 0), p(2, 10), p(4, 14), p(6, 22), p(18, 38), p(38, 64), p(64, 100), p(0, 0)];
    /// A passed pawn from the fourth rank on, times the ranks above the third: for each step the enemy's and the own king are
    /// away from the square before it; blocked; its way free, or only the next step; helped on.
    passed_far: i32 = 5;
    passed_near: i32 = 3;
    passed_blocked: Pair = p(-3, -7);
    passed_free: Pair = p(7, 16);
    passed_step: Pair = p(3, 8);
    passed_supported: Pair = p(4, 6);
    /// A pawn that no king can catch.
    unstoppable: i32 = 250;
    /// What is attacked by a pawn, or could be by a step.
    attacked_by_pawn: Pair = p(30, 25);
    threat_push: Pair = p(12, 8);
    /// Pieces attacked by small and by middling ones, by their size, where that is a threat; by a king; left hanging;
    /// squares that the enemy cannot use freely.
    threat_small: [Pair; 3] = [p(8, 10), p(25, 18), p(28, 26)];
    threat_middle: [Pair; 3] = [p(10, 14), p(8, 12), p(26, 16)];
    threat_king: Pair = p(8, 24);
    hanging: Pair = p(16, 12);
    restricted: Pair = p(2, 2);
    /// Danger to a king: what an attacking piece adds by its size, a square attacked next to the king, one of them that only the
    /// king defends or that a pawn attacks, a check that costs nothing, by size; the shelter that leaves no danger, and what
    /// lacks of it in 16ths; what is taken off without great pieces; the square of the sum is divided.
    danger_piece: [i32; 4] = [10, 14, 18, 24];
    danger_square: i32 = 6;
    danger_weak: i32 = 10;
    danger_pawn: i32 = 4;
    danger_check: [i32; 4] = [0, 34, 44, 40];
    danger_cover: i32 = 40;
    danger_shelter: i32 = 5;
    danger_without_heavy: i32 = 40;
    /// A piece that shields its king from a rider and may not leave; squares on the king's side of the board that are attacked,
    /// more if twice, and those defended; nothing but a king without a pawn on its side of the board.
    danger_pinned: i32 = 0;
    danger_flank: i32 = 0;
    danger_flank_held: i32 = 0;
    pawnless_flank: Pair = p(0, 0);
    danger_divisor: i32 = 320;
    /// The nearest own pawn before a king, by its rank (0 where there is none), on the files beside it and on its own; the nearest
    /// enemy pawn there, free to come on or stopped by an own one.
    shelter: [[i32; 7]; 2] = [[-8, 20, 16, 6, 2, 0, 0], [-14, 24, 18, 6, 2, 0, 0]];
    storm: [i32; 7] = [0, 0, 18, 20, 10, 4, 0];
    storm_blocked: [i32; 7] = [0, 0, 8, 8, 2, 0, 0];
    /// How easily a lead is won, and by how much less it counts where it is not: for each passed pawn and each pawn, for kings
    /// that have come round each other, for pawns on both sides of the board, for a king in the enemy's half, for bare pawn
    /// endings, and in any case.
    win_passed: i32 = 0;
    win_pawn: i32 = 0;
    win_outflank: i32 = 0;
    win_flanks: i32 = 0;
    win_infiltration: i32 = 0;
    win_bare_pawns: i32 = 0;
    win_constant: i32 = 0;
    win_middlegame: i32 = 0;
    /// A bare king's steps towards the edge, and the other's towards it.
    bare_edge: i32 = 14;
    bare_near: i32 = 8;
    /// Share (in hundredths) of what the best capture wins that counts already: for the side that has the next turn in another
    /// area; for the opponent in the area due, his best and his second best.
    pending: i32 = 70;
    threat_best: i32 = 8;
    threat_second: i32 = 30;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_can_be_changed_by_its_name() {
        let mut weights = Weights::default();
        let mut names = std::collections::HashSet::new();
        weights.visit(&mut |name, value| {
            assert!(names.insert(name.to_owned()), "{name} twice");
            if name == "passed.5.eg" {
                *value = 99;
            }
        });
        assert_eq!(weights.passed[5], Pair::new(38, 99));
        assert!(names.len() > 60 && names.contains("tempo"));
    }
}
