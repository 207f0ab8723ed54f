//! What the pieces do on their boards: reach, good and bad squares, room.

use super::pawns::{self, Structure, fill};
use super::{Evaluator, Pair};
use smallvec::SmallVec;
use warpchess_rules::movement::{
    bishop_attacks, king_attacks, knight_attacks, nightrider_attacks, pawn_attack_set, rook_attacks,
};
use warpchess_rules::{Area, Bitboard, Board, Color, Position, Powers, Role, Square};

/// Sizes of pieces: pawns, up to a bishop's worth, up to a rook's, more.
pub(super) const SIZES: usize = 4;

/// One board as the evaluation sees it.
pub(super) struct Field<'a> {
    pub(super) board: &'a Board,
    /// The squares there are.
    pub(super) squares: Bitboard,
    /// What stops riders.
    pub(super) occupied: Bitboard,
    pub(super) kings: [Option<Square>; 2],
    /// What each side may put on any empty square.
    pub(super) drops: [Option<Role>; 2],
}

/// A piece other than kings and pawns.
pub(super) struct Unit {
    pub(super) from: Square,
    pub(super) powers: Powers,
    pub(super) size: u8,
    pub(super) attacks: Bitboard,
    /// Where else it may go.
    pub(super) ways: Bitboard,
}

/// What one side does on one board.
pub(super) struct Side {
    pub(super) us: Color,
    pub(super) units: SmallVec<[Unit; 20]>,
    /// Squares attacked, by size of the attacker; pawns' first.
    pub(super) by_size: [Bitboard; SIZES],
    /// Where its pieces stand, by size.
    pub(super) at: [Bitboard; SIZES],
    /// All powers of its pieces.
    pub(super) powers: u8,
    pub(super) king: Bitboard,
    pub(super) all: Bitboard,
    /// Squares attacked more than once.
    pub(super) twice: Bitboard,
}

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
/// Where room counts.
const MIDDLE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

impl Side {
    fn add(&mut self, set: Bitboard) {
        self.twice |= self.all & set;
        self.all |= set;
    }
    /// The squares that pawns attack.
    pub(super) const fn pawn_attacks(&self) -> Bitboard {
        self.by_size[0]
    }
}

impl Evaluator {
    /// The worth of what both sides do on a board, from White's view, and how many pawns are passed. `next` has the next
    /// turn there, `due` says that it is this turn.
    pub(super) fn field<P: Position>(
        &self,
        position: &P,
        area: Area,
        field: &Field<'_>,
        next: Color,
        due: bool,
    ) -> (Pair, i32) {
        let white = self.survey(position, area, field, Color::White);
        let black = self.survey(position, area, field, Color::Black);
        let structure = self.pawns.structure(&self.weights, field);
        let mut sum = structure.worth;
        sum += self.side(field, &white, &black, &structure) - self.side(field, &black, &white, &structure);
        let (own, other) = if next == Color::White { (&white, &black) } else { (&black, &white) };
        let w = &self.weights;
        let swing = if due {
            // Captures of the side to move are searched; of the opponent's threats it can usually parry one.
            let (best, second) = self.captures(field.board, other, own);
            -(best * w.threat_best + second * w.threat_second) / 100
        } else {
            // There is no turn of the other side before these captures.
            let (best, _) = self.captures(field.board, own, other);
            best * w.pending / 100
        };
        sum += Pair::new(swing, swing) * if next == Color::White { 1 } else { -1 };
        (sum, structure.passed.len() as i32)
    }

    /// Looks at who attacks what.
    #[inline]
    fn survey<P: Position>(&self, position: &P, area: Area, field: &Field<'_>, us: Color) -> Side {
        let Field { board, squares, occupied, .. } = *field;
        let own = board.color(us) & squares;
        let pawns = board.pawns() & own;
        let mut side = Side {
            us,
            units: SmallVec::new(),
            by_size: [Bitboard::EMPTY; SIZES],
            at: [Bitboard::EMPTY; SIZES],
            powers: 0,
            king: Bitboard::EMPTY,
            all: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
        };
        if let Some(king) = field.kings[us.index()] {
            side.king = king_attacks(king) & squares;
            side.all = side.king;
        }
        side.by_size[0] = pawn_attack_set(us, pawns) & squares;
        let forward = pawns.shift(us.forward());
        let (west, east) = ((forward & !Bitboard::FILE_A).shift(-1), (forward & !Bitboard::FILE_H).shift(1));
        side.twice = side.king & side.by_size[0] | west & east;
        side.all |= side.by_size[0];
        for from in own & !pawns & !board.kings(us) {
            let powers = board.powers_at(from);
            let reach = position.reach(area, from, reach(powers, from, occupied) & squares);
            let (attacks, ways) = (reach.attacks & squares, reach.ways & squares);
            let size = self.sizes[powers.0 as usize & 63];
            side.by_size[usize::from(size)] |= attacks;
            side.at[usize::from(size)] = side.at[usize::from(size)].with(from);
            side.powers |= powers.0;
            side.add(attacks);
            side.units.push(Unit { from, powers, size, attacks, ways });
        }
        side
    }

    /// What one side's pieces are worth to it beyond their places.
    #[inline]
    fn side(&self, field: &Field<'_>, side: &Side, other: &Side, structure: &Structure) -> Pair {
        let us = side.us;
        let mut sum = self.pieces(field, side, other, structure);
        sum += pawns::passed(&self.weights, field, side, other, structure);
        sum += self.threats(field, side, other);
        sum += self.space(field, side, other);
        let shelter = match field.kings[us.index()] {
            Some(king) => pawns::shelter(&self.weights, field, us, king),
            None => 0,
        };
        if self.weighs_flanks
            && let Some(king) = field.kings[us.index()]
            && (field.board.pawns() & flank(king)).is_empty()
        {
            sum += self.weights.pawnless_flank;
        }
        sum + Pair::new(shelter, 0) - self.danger(field, other, side, shelter)
    }

    fn pieces(&self, field: &Field<'_>, side: &Side, other: &Side, structure: &Structure) -> Pair {
        let w = &self.weights;
        let Field { board, squares, .. } = *field;
        let us = side.us;
        let own = board.color(us);
        let pawns = board.pawns() & squares;
        let own_pawns = pawns & own;
        // Mobility area. Source: <https://www.chessprogramming.org/Mobility#Mobility_Area>.
        let free = !(own_pawns | board.kings(us) | other.pawn_attacks());
        let king = field.kings[us.index()];
        // Squares from which no enemy pawn can ever drive a piece away.
        let holes = !structure.spans[(!us).index()] & side.pawn_attacks();
        let middle = Bitboard::rank(us.rank(3)) | Bitboard::rank(us.rank(4)) | Bitboard::rank(us.rank(5));
        let outposts = holes & middle;
        let sheltered = pawns.shift(-us.forward());
        let mut sum = Pair::default();
        let mut diagonals = Bitboard::EMPTY;
        for unit in &side.units {
            let count = (unit.attacks & free).len() as i32;
            sum += self.mobility[unit.powers.0 as usize & 63] * (count - 4);
            if count < 3 {
                sum += w.cramped[usize::from(unit.size.max(1)) - 1] * (3 - count);
            }
            sum += w.ways * (unit.ways & free).len() as i32;
            if unit.size == 1 {
                // Source: <https://www.chessprogramming.org/Outposts>.
                let leaper = unit.powers.has(Powers::KNIGHT);
                if outposts.has(unit.from) {
                    sum += if leaper { w.outpost_leaper } else { w.outpost_rider };
                } else if leaper && (unit.attacks & outposts & !own).any() {
                    sum += w.outpost_reachable;
                }
                if sheltered.has(unit.from) {
                    sum += w.behind_pawn;
                }
                if let Some(king) = king {
                    sum += w.far_from_king * king.distance(unit.from);
                }
            }
            let (diagonal, orthogonal) = (unit.powers.has(Powers::DIAGONAL), unit.powers.has(Powers::ORTHOGONAL));
            if unit.powers == Powers::DIAGONAL {
                diagonals = diagonals.with(unit.from);
                // Source: <https://www.chessprogramming.org/Bad_Bishop>.
                let color = if LIGHT.has(unit.from) { LIGHT } else { !LIGHT };
                let blocked = own_pawns & field.occupied.shift(-us.forward()) & MIDDLE_FILES;
                sum += w.bad_diagonal * ((own_pawns & color).len() as i32 * (1 + blocked.len() as i32).min(4));
            }
            if orthogonal && !diagonal {
                sum += self.rook(field, unit, count, us, structure, own_pawns);
            }
        }
        // Source: <https://www.chessprogramming.org/Bishop_Pair>.
        if (diagonals & LIGHT).any() && (diagonals & !LIGHT).any() {
            sum += w.diagonal_pair;
        }
        sum
    }

    /// A rook or what moves like one. Sources: <https://www.chessprogramming.org/Rook_on_Open_File>,
    /// <https://www.chessprogramming.org/Rook_on_Seventh>, <https://www.chessprogramming.org/Tarrasch_Rule>,
    /// <https://www.chessprogramming.org/Trapped_Pieces>.
    fn rook(
        &self,
        field: &Field<'_>,
        unit: &Unit,
        mobility: i32,
        us: Color,
        structure: &Structure,
        own_pawns: Bitboard,
    ) -> Pair {
        let w = &self.weights;
        let pawns = field.board.pawns() & field.squares;
        let file = Bitboard::file(unit.from.file());
        let mut sum = Pair::default();
        if (file & own_pawns).is_empty() {
            sum += if (file & pawns).is_empty() { w.open_file } else { w.half_open_file };
        } else if mobility <= 3
            && let Some(king) = field.kings[us.index()]
            && us.rank(king.rank()) == 0
            && us.rank(unit.from.rank()) <= 1
            && (king.file() < 4) == (unit.from.file() < king.file())
        {
            sum += w.shut_in;
        }
        if us.rank(unit.from.rank()) == 6 {
            let targets = pawns & !own_pawns & Bitboard::rank(unit.from.rank());
            if targets.any() || field.kings[(!us).index()].is_some_and(|k| us.rank(k.rank()) == 7) {
                sum += w.seventh;
            }
        }
        let passed = structure.passed & file;
        let ahead = fill(Bitboard::from(unit.from), us);
        if (passed & own_pawns & ahead).any() {
            sum += w.behind_passer;
        } else if (passed & !own_pawns & fill(Bitboard::from(unit.from), !us)).any() {
            sum += w.behind_enemy_passer;
        }
        sum
    }

    /// Room behind the own pawns in the middle. Source: <https://www.chessprogramming.org/Space>.
    fn space(&self, field: &Field<'_>, side: &Side, other: &Side) -> Pair {
        let us = side.us;
        let ranks = Bitboard::rank(us.rank(1)) | Bitboard::rank(us.rank(2)) | Bitboard::rank(us.rank(3));
        let own_pawns = field.board.pawns() & field.board.color(us);
        let safe = ranks & MIDDLE_FILES & field.squares & !own_pawns & !other.pawn_attacks();
        let behind = fill(own_pawns.shift(-us.forward()), !us);
        let room = (safe.len() + (safe & behind & !other.all).len()) as i32;
        // It is worth more the more pieces need it.
        let pieces = side.units.len() as i32 - 3;
        Pair::new(self.weights.space * room * pieces.max(0) / 32, 0)
    }
}

/// The files on a king's side of the board.
#[inline]
pub(super) const fn flank(king: Square) -> Bitboard {
    match king.file() {
        0..3 => Bitboard(0x0707_0707_0707_0707),
        3..5 => MIDDLE_FILES,
        _ => Bitboard(0xe0e0_e0e0_e0e0_e0e0),
    }
}

/// Squares a piece with these powers attacks.
#[inline]
pub(super) fn reach(powers: Powers, from: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    if powers.has(Powers::KNIGHT) {
        set |= knight_attacks(from);
    }
    if powers.has(Powers::DIAGONAL) {
        set |= bishop_attacks(from, occupied);
    }
    if powers.has(Powers::ORTHOGONAL) {
        set |= rook_attacks(from, occupied);
    }
    if powers.has(Powers::STEP) {
        set |= king_attacks(from);
    }
    if powers.has(Powers::NIGHTRIDER) {
        set |= nightrider_attacks(from, occupied);
    }
    set
}

/// Which area a board of a list belongs to: one board serves all areas of a game that keeps only one.
pub(super) fn board_of(boards: &[Board], area: Area) -> Option<&Board> {
    boards.get(area.index()).or(boards.first())
}
