//! What a position is worth without searching: material and placement, kept up move by move, and mobility.
//!
//! Nothing here knows a game. Values come from the game's [`VariantInfo`], placement and mobility from what a piece can
//! do ([`Powers`]) and from the squares its areas have.

mod activity;
mod endings;
mod pawns;
mod safety;
mod set;
mod weights;

use crate::score::EVAL_BOUND;
use activity::{Field, SIZES, board_of};
use pawns::PawnTable;
pub use set::{WeightSet, WeightsError};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use warpchess_rules::info::{MAX_FEATURES, RoleInfo};
use warpchess_rules::{
    Bitboard, Board, Color, Core, Effect, MoveKind, Observer, Piece, Place, Position, Powers, Role, Square, VariantInfo,
};
pub(crate) use weights::Weights;

/// A middlegame and an endgame value in one word, added and subtracted together.
/// Source: <https://www.chessprogramming.org/Tapered_Eval>.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Pair(i32);

impl Pair {
    pub(crate) const fn new(mg: i32, eg: i32) -> Self {
        Self((eg << 16) + mg)
    }
    #[inline]
    pub(crate) const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }
    #[inline]
    pub(crate) const fn eg(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
    const fn bits(self) -> u32 {
        self.0 as u32
    }
    const fn from_bits(bits: u32) -> Self {
        Self(bits as i32)
    }
}

impl Add for Pair {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}
impl Sub for Pair {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}
impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
impl SubAssign for Pair {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
impl Neg for Pair {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}
impl Mul<i32> for Pair {
    type Output = Self;
    #[inline]
    fn mul(self, n: i32) -> Self {
        Self(self.0.wrapping_mul(n))
    }
}

/// What is kept up as moves are played: placement from White's view, and how much fighting material is about.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Accumulator {
    pub(crate) placement: Pair,
    pub(crate) fighters: i32,
}

/// The numbers of one game.
#[derive(Debug)]
pub(crate) struct Evaluator {
    info: &'static VariantInfo,
    /// By piece, area and square, from White's view.
    placement: Box<[[[Pair; 64]; 2]; 64]>,
    /// By piece, off the boards.
    held: [Pair; 64],
    /// Worth of what is no pawn and no king, by piece.
    fighters: [i32; 64],
    weights: Weights,
    /// Whether any number says so: that a lead counts the less the harder it is to win, that the king's side of the board matters.
    weighs_winnable: bool,
    weighs_flanks: bool,
    /// By powers: what a square in reach is worth, and the size of the piece.
    mobility: [Pair; 64],
    sizes: [u8; 64],
    /// Mean worth of the pieces of a size.
    size_values: [i32; SIZES],
    /// Fighting material at the start.
    full: i32,
    /// Whether endings are those of chess.
    orthodox: bool,
    pawns: PawnTable,
    /// Worth by role.
    pub(crate) values: [i32; Role::COUNT],
}

/// Listens to the effects of a move and keeps an accumulator up.
pub(crate) struct Listener<'a> {
    evaluator: &'a Evaluator,
    pub(crate) accumulator: Accumulator,
}

impl Observer for Listener<'_> {
    #[inline]
    fn effect(&mut self, effect: Effect) {
        let (e, a) = (self.evaluator, &mut self.accumulator);
        match effect {
            Effect::Add { piece, at } => {
                a.placement += e.place(piece, at);
                a.fighters += e.fighters[piece.index()];
            }
            Effect::Remove { piece, at } => {
                a.placement -= e.place(piece, at);
                a.fighters -= e.fighters[piece.index()];
            }
            Effect::Move { piece, from, to } => a.placement += e.place(piece, to) - e.place(piece, from),
            Effect::MarkerAdd { .. } | Effect::MarkerRemove { .. } | Effect::MarkerMove { .. } => {}
        }
    }
}

impl Evaluator {
    pub(crate) fn new<P: Position>() -> Self {
        Self::with::<P>(Weights::of(P::INFO))
    }
    /// The evaluation of a game by particular numbers.
    pub(crate) fn with<P: Position>(weights: Weights) -> Self {
        let info = P::INFO;
        let mut evaluator = Self {
            info,
            placement: Box::new([[[Pair::default(); 64]; 2]; 64]),
            held: [Pair::default(); 64],
            fighters: [0; 64],
            mobility: std::array::from_fn(|powers| mobility_weight(&weights, Powers(powers as u8))),
            weighs_winnable: weights.weighs("win_"),
            weighs_flanks: weights.weighs("danger_flank") || weights.weighs("pawnless_flank"),
            weights,
            sizes: [0; 64],
            size_values: [0; SIZES],
            full: 1,
            orthodox: endings::are_orthodox(info),
            pawns: PawnTable::new(),
            values: Role::ALL.map(|role| info.value(role)),
        };
        for &color in &Color::ALL {
            for role in info.roles {
                let piece = Piece::new(color, role.role);
                let sign = if color == Color::White { 1 } else { -1 };
                for area in info.areas {
                    for square in area.squares {
                        let seen = if color == Color::White { square } else { Square::new(square.index() as u8 ^ 56) };
                        evaluator.placement[piece.index()][area.area.index()][square.index()] =
                            placement(&evaluator.weights, info, role, seen, area.squares) * sign;
                    }
                }
                evaluator.held[piece.index()] = Pair::new(role.value, role.value) * sign;
                if role.role != Role::Pawn {
                    evaluator.fighters[piece.index()] = role.value;
                }
            }
        }
        let mut counts = [0; SIZES];
        for role in info.roles {
            let size = match role.value {
                _ if role.role == Role::Pawn => 0,
                ..420 => 1,
                420..700 => 2,
                700.. => 3,
            };
            evaluator.sizes[role.role.powers().0 as usize & 63] = size;
            if role.role != Role::King {
                evaluator.size_values[usize::from(size)] += role.value;
                counts[usize::from(size)] += 1;
            }
        }
        for (value, count) in evaluator.size_values.iter_mut().zip(counts) {
            *value /= count.max(1);
        }
        evaluator.full = evaluator.accumulate(&P::start()).fighters.max(1);
        evaluator
    }

    #[inline]
    fn place(&self, piece: Piece, at: Place) -> Pair {
        match at {
            Place::Board(area, square) => self.placement[piece.index()][area.index()][square.index()],
            Place::Pocket(_) | Place::Transit(_) | Place::Hand(_) => self.held[piece.index()],
        }
    }

    /// The accumulator of a position, from nothing.
    pub(crate) fn accumulate<P: Position>(&self, position: &P) -> Accumulator {
        let mut listener = self.listen(Accumulator::default());
        for (at, piece) in position.pieces() {
            listener.effect(Effect::Add { piece, at });
        }
        listener.accumulator
    }

    /// A listener that goes on from an accumulator.
    #[inline]
    pub(crate) fn listen(&self, accumulator: Accumulator) -> Listener<'_> {
        Listener { evaluator: self, accumulator }
    }

    /// What the position is worth to the side to move.
    pub(crate) fn evaluate<P: Position>(&self, position: &P, accumulator: Accumulator) -> i32 {
        let boards = position.boards();
        let (activity, passed) = if boards.is_empty() {
            // A game that does not keep boards: slow, but the same.
            let mut core = Core::<2>::empty();
            for (at, piece) in position.pieces() {
                if let Place::Board(area, square) = at {
                    core.put(area, square, piece, &mut ());
                }
            }
            self.activity(position, core.boards())
        } else {
            self.activity(position, boards)
        };
        let mut sum = accumulator.placement + activity;
        if !P::INFO.features.is_empty() {
            let mut counts = [0; MAX_FEATURES];
            position.features(&mut counts);
            for ((_, weight), count) in self.weights.features.iter().zip(counts) {
                sum += *weight * count;
            }
        }
        let phase = accumulator.fighters.clamp(0, self.full);
        let (mut mg, mut eg) = (sum.mg(), sum.eg());
        if let [board] = boards
            && self.weighs_winnable
        {
            (mg, eg) = self.winnable(board, passed, mg, eg);
        }
        if phase < self.full / 2
            && let [board, ..] = boards
        {
            eg = self.ending(position, board, eg);
        }
        let white = (mg * phase + eg * (self.full - phase)) / self.full;
        let value = if position.turn() == Color::White { white } else { -white };
        (value + self.weights.tempo).clamp(-EVAL_BOUND, EVAL_BOUND)
    }

    /// The worth in the endgame, when there is one, by what is known of particular endings.
    fn ending<P: Position>(&self, position: &P, board: &Board, eg: i32) -> i32 {
        let (strong, sign) = if eg >= 0 { (Color::White, 1) } else { (Color::Black, -1) };
        if self.info.areas.len() > 1 {
            return eg;
        }
        let weak = !strong;
        let lead = if self.orthodox { self.lead(board, strong) } else { endings::FULL };
        let bare = board.color(weak) == board.kings(weak) && position.held(weak).is_none();
        let driven = if bare && lead > 0 { sign * self.drive(board, strong) } else { 0 };
        eg * lead / endings::FULL + driven
    }

    /// What the pieces do on all boards, from White's view, and how many pawns are passed.
    fn activity<P: Position>(&self, position: &P, boards: &[Board]) -> (Pair, i32) {
        let due = position.area();
        let (mut sum, mut passed) = (Pair::default(), 0);
        for area in self.info.areas {
            let Some(board) = board_of(boards, area.area) else { continue };
            let occupied = board.occupied() | position.barriers(area.area);
            let kings = Color::ALL.map(|c| board.king(c).filter(|k| area.squares.has(*k)));
            let drops = if P::INFO.pocket { Color::ALL.map(|c| position.held(c)) } else { [None; 2] };
            let field = Field { board, squares: area.squares, occupied, kings, drops };
            let (worth, there) =
                self.field(position, area.area, &field, position.next_turn_in(area.area), area.area == due);
            sum += worth;
            passed += there;
        }
        (sum, passed)
    }
}

/// A square in reach is worth less to a piece that reaches many.
/// Source: <https://www.chessprogramming.org/Mobility>.
fn mobility_weight(weights: &Weights, powers: Powers) -> Pair {
    match (powers.has(Powers::DIAGONAL), powers.has(Powers::ORTHOGONAL)) {
        (true, true) => weights.mobility_queen,
        (false, true) => weights.mobility_orthogonal,
        (true, false) => weights.mobility_diagonal,
        (false, false) => weights.mobility_leaper,
    }
}

/// Worth of a role on a square seen from its own side, by what it can do.
/// Source of the idea: <https://www.chessprogramming.org/Piece-Square_Tables>; the shapes are formulas, so that they fit
/// any compound and any area.
fn placement(w: &Weights, info: &VariantInfo, role: &RoleInfo, square: Square, squares: Bitboard) -> Pair {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    let files = squares.into_iter().map(|s| i32::from(s.file()));
    let (low, high) = (files.clone().min().unwrap_or(0), files.max().unwrap_or(7));
    let middle = (file - low).min(high - file);
    // 0 at a corner, 6 in the middle of a whole board.
    let centre = middle + rank.min(7 - rank);
    let pocketing = info.kinds.contains(&MoveKind::Pocket);
    let base = Pair::new(role.value, role.value) + w.worth[role.role.index()];
    base + match role.role {
        Role::Pawn => {
            let last = if pocketing { w.pawn_promoting } else { w.pawn_stuck };
            let step = if rank == 7 { last } else { w.pawn_rank[rank as usize] };
            step + w.pawn_middle * (middle * (rank - 1).clamp(0, 3))
        }
        Role::King => w.king_rank * rank.min(4) + w.king_middle * middle + w.king_centre * (centre - 3),
        _ => {
            let p = role.role.powers();
            let short = p.has(Powers::KNIGHT) || p.has(Powers::STEP);
            let shape = match (short, p.has(Powers::DIAGONAL), p.has(Powers::ORTHOGONAL)) {
                (true, false, false) => 0,
                (_, true, false) => 1,
                (_, true, true) => 2,
                (true, false, true) => 3,
                (false, false, true) => 4,
                (false, false, false) => 5,
            };
            let mut worth = w.centre[shape] * (centre - 3);
            if rank == 0 {
                worth += w.home;
            }
            if rank == 7 && pocketing {
                worth += w.promoting;
            }
            worth
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::VariantId;
    use warpchess_rules::variants::{Chess, VariantVisitor};

    #[test]
    fn pairs_keep_their_halves_apart() {
        for (a, b) in [(5, -3), (-5, 3), (-700, -900), (1000, 1200)] {
            let pair = Pair::new(a, b);
            assert_eq!((pair.mg(), pair.eg()), (a, b));
            let sum = pair + Pair::new(-17, 40) * 3 - Pair::new(1, 1);
            assert_eq!((sum.mg(), sum.eg()), (a - 52, b + 119));
            assert_eq!(((-pair).mg(), (-pair).eg()), (-a, -b));
        }
    }

    struct Symmetry;
    impl VariantVisitor for Symmetry {
        type Output = ();
        fn visit<P: Position>(self) {
            // The accumulator kept up through random games equals the one computed from nothing.
            let evaluator = Evaluator::new::<P>();
            let mut seed = 11u64;
            for _ in 0..20 {
                let mut position = P::start();
                let mut accumulator = evaluator.accumulate(&position);
                for _ in 0..120 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let m = moves[(seed >> 33) as usize % moves.len()];
                    let mut listener = evaluator.listen(accumulator);
                    position.play_unchecked(m, &mut listener);
                    accumulator = listener.accumulator;
                    assert_eq!(accumulator, evaluator.accumulate(&position), "{} {m:?}", Position::fen(&position));
                }
            }
        }
    }

    #[test]
    fn the_accumulator_follows_every_move() {
        for variant in VariantId::all() {
            variant.visit(Symmetry);
        }
    }

    #[test]
    fn the_start_is_level_and_a_queen_more_is_not() {
        let evaluator = Evaluator::new::<Chess>();
        let value = |fen: &str| {
            let position = Chess::from_fen(fen).expect("fen");
            evaluator.evaluate(&position, evaluator.accumulate(&position))
        };
        assert_eq!(value(Chess::INFO.start_fen), evaluator.weights.tempo);
        assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 700);
        assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") < -700);
    }

    /// The same position with the colors exchanged: ranks turned over, letters and side in the other case.
    fn mirrored(fen: &str) -> String {
        let swap = |text: &str| -> String {
            let other = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
            text.chars().map(other).collect()
        };
        let turned = |text: &str| -> String {
            text.chars().map(|c| c.to_digit(10).map_or(c.to_string(), |d| (9 - d).to_string())).collect()
        };
        let fields: Vec<&str> = fen.split(' ').collect();
        let (placement, pocket) = fields[0].split_once('[').unwrap_or((fields[0], ""));
        let placement: Vec<String> = placement.split('/').rev().map(swap).collect();
        let pocket = if pocket.is_empty() { String::new() } else { format!("[{}", swap(pocket)) };
        let mut out = vec![format!("{}{pocket}", placement.join("/"))];
        out.push(if fields[1] == "w" { "b".into() } else { "w".into() });
        out.push(swap(fields[2]));
        out.push(turned(fields[3]));
        for field in &fields[4..fields.len() - 2] {
            out.push(match field.len() {
                // One portal each: White's is Black's.
                4 => turned(&format!("{}{}", &field[2..], &field[..2])),
                _ => turned(field),
            });
        }
        out.extend(fields[fields.len() - 2..].iter().map(ToString::to_string));
        out.join(" ")
    }

    struct Mirror;
    impl VariantVisitor for Mirror {
        type Output = u32;
        fn visit<P: Position>(self) -> u32 {
            let evaluator = Evaluator::new::<P>();
            let value = |position: &P| evaluator.evaluate(position, evaluator.accumulate(position));
            let mut seed = 29u64;
            let mut compared = 0;
            for _ in 0..60 {
                let mut position = P::start();
                for _ in 0..100 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    position.play_unchecked(moves[(seed >> 33) as usize % moves.len()], &mut ());
                    let fen = Position::fen(&position);
                    // Where one side alone has placed its portal, the other cannot have been first.
                    if let Ok(other) = P::from_fen(&mirrored(&fen)) {
                        assert_eq!(value(&position), value(&other), "{fen}");
                        compared += 1;
                    }
                }
            }
            compared
        }
    }

    #[test]
    fn both_colors_are_judged_alike_in_every_game_on_one_board() {
        for variant in VariantId::all().filter(|v| v.info().areas.len() == 1) {
            let compared = variant.visit(Mirror);
            assert!(compared > 3000, "{variant}: {compared}");
        }
    }

    #[test]
    fn a_lead_counts_less_where_little_can_be_made_of_it() {
        let weights = Weights {
            win_passed: 10,
            win_pawn: 8,
            win_flanks: 30,
            win_constant: -100,
            ..Weights::unfitted(Chess::INFO)
        };
        let [plain, evaluator] =
            [Weights::unfitted(Chess::INFO), weights].map(|weights| Evaluator::with::<Chess>(weights));
        let value = |evaluator: &Evaluator, fen: &str| {
            let position = Chess::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
            evaluator.evaluate(&position, evaluator.accumulate(&position)) - evaluator.weights.tempo
        };
        // A knight and three pawns against three pawns: all on one side of the board, then with one on the other.
        let one = "4k3/5ppp/8/8/8/8/5PPP/4KN2 w - - 0 1";
        let both = "4k3/p4pp1/8/8/8/8/P4PP1/4KN2 w - - 0 1";
        let lost = |fen: &str| value(&plain, fen) - value(&evaluator, fen);
        assert!(lost(one) > lost(both) && lost(both) > 0, "{} and {}", lost(one), lost(both));
        // It takes from the lead what there is, and no more.
        let level = "4k3/5ppp/8/8/8/8/5PPP/4K3 w - - 0 1";
        assert_eq!(value(&evaluator, level), value(&plain, level));
        let other = "4kn2/5ppp/8/8/8/8/5PPP/4K3 w - - 0 1";
        assert_eq!(value(&evaluator, other), -value(&evaluator, one), "for both colors");
    }

    #[test]
    fn a_king_whose_shield_is_pinned_and_whose_side_is_attacked_is_in_more_danger() {
        let plain = Weights::unfitted(Chess::INFO);
        let value = |weights: &Weights, fen: &str| {
            let evaluator = Evaluator::with::<Chess>(weights.clone());
            let position = Chess::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
            evaluator.evaluate(&position, evaluator.accumulate(&position))
        };
        // The bishop on e2 shields its king from the rook; on d2 there is nothing to shield.
        let pinned = "4r1k1/5ppp/8/8/6q1/8/4BPPP/3QK2R w K - 0 1";
        let free = "r5k1/5ppp/8/8/6q1/8/4BPPP/3QK2R w K - 0 1";
        let mut weights = plain.clone();
        weights.danger_pinned = 60;
        assert!(value(&weights, pinned) < value(&plain, pinned));
        assert_eq!(value(&weights, free), value(&plain, free));
        let mut weights = plain.clone();
        weights.danger_flank = 6;
        assert!(value(&weights, free) < value(&plain, free));
        let mut weights = plain.clone();
        weights.pawnless_flank = Pair::new(-20, -40);
        let bare = "1k6/ppp5/8/8/8/8/PPP5/6K1 w - - 0 1";
        assert!(value(&weights, bare) < value(&plain, bare));
    }

    #[test]
    fn endings_that_cannot_be_won_are_worth_little_and_a_bare_king_is_driven_to_the_edge() {
        let evaluator = Evaluator::new::<Chess>();
        let value = |fen: &str| {
            let position = Chess::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
            evaluator.evaluate(&position, evaluator.accumulate(&position))
        };
        assert!(value("4k3/8/8/8/8/8/8/4KB2 w - - 0 1") < 60);
        let ahead = value("4kr2/8/8/8/8/8/8/2B1KR2 w - - 0 1");
        assert!(ahead < evaluator.values[Role::Bishop.index()] / 2, "a bishop ahead without pawns: {ahead}");
        assert!(value("7k/8/6K1/8/8/8/8/R7 w - - 0 1") > value("8/8/8/4k3/8/8/8/R3K3 w - - 0 1") + 30);
        // Bishop and knight mate in a corner of the bishop's color: h1 and a8 are light.
        assert!(value("k7/8/1K6/3N4/4B3/8/8/8 w - - 0 1") > value("7k/8/6K1/3N4/4B3/8/8/8 w - - 0 1") + 30);
    }
}
