//! Pocket Mutation Chess: a piece may go into the pocket, change into another of its class there, and come back anywhere.
//!
//! Source: M. Nelson, "Pocket Mutation Chess" (2003), chessvariants.com; the rulings are in
//! `docs/rules/pocketmutation.md`.
//!
//! Orthodox pins and check masks are exact here. A drop is a move of a piece from nowhere: it may block a check, and
//! never exposes the king. Pocketing takes an own piece away: it never answers a check, and exposes the king exactly
//! when the piece is pinned.

use crate::core::zobrist::{self, Domain};
use crate::core::{
    Area, Bitboard, Board, Color, Core, Effect, Move, MoveKind, MoveSink, Observer, Piece, Place, Powers, Role, Square,
    usable_ep,
};
use crate::info::{Feature, MAX_FEATURES, ONE_AREA, ONE_BOARD, RoleInfo, VariantInfo};
use crate::movement::Checking;
use crate::movement::orthodox::{Generator, is_attacked};
use crate::notation::fen::{self, FenError, FenField, Fields, Params, excerpt};
use crate::position::{EndReason, Outcome, Position, Which};
use std::ops::ControlFlow;

const AREA: Area = Area::A;
/// Plies without progress that end the game.
const FIFTY_MOVES: u16 = 100;
/// The class that cannot be raised.
const HIGHEST: usize = 8;

/// The roles of each class, from class 1 at index 1.
const CLASSES: [&[Role]; HIGHEST + 1] = [
    &[],
    &[Role::Pawn],
    &[Role::Knight, Role::Bishop],
    &[Role::Rook, Role::Nightrider, Role::SuperBishop],
    &[Role::Cardinal, Role::SuperRook],
    &[Role::Queen, Role::Chancellor, Role::CardinalRider, Role::SuperCardinal],
    &[Role::ChancellorRider, Role::SuperChancellor, Role::SuperCardinalRider],
    &[Role::Amazon, Role::SuperChancellorRider],
    &[Role::AmazonRider],
];

const fn role(role: Role, value: i32) -> RoleInfo {
    let class = if matches!(role, Role::King) { None } else { Some(class_of(role) as u8) };
    RoleInfo { role, value, class }
}

static INFO: VariantInfo = VariantInfo {
    id: "pocketmutation",
    names: ["Pocket Mutation Chess", "Ajedrez de Mutación en el Bolsillo", "Шахматы с мутацией в кармане"],
    summary: [
        "Put a piece into your pocket, turn it into another of its class, and drop it on an empty square when you need it.",
        "Guarda una pieza en el bolsillo, conviértela en otra de su clase y ponla en una casilla vacía cuando la necesites.",
        "Уберите фигуру в карман, превратите её в другую того же класса и поставьте на пустое поле, когда понадобится.",
    ],
    aliases: &["Pocket Mutation", "Pocketmutation Chess"],
    start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 1",
    boards: ONE_BOARD,
    areas: ONE_AREA,
    roles: &[
        role(Role::Pawn, 100),
        role(Role::Knight, 350),
        role(Role::Bishop, 350),
        role(Role::Rook, 550),
        role(Role::Nightrider, 575),
        role(Role::SuperBishop, 600),
        role(Role::Cardinal, 750),
        role(Role::SuperRook, 800),
        role(Role::Queen, 1000),
        role(Role::Chancellor, 1000),
        role(Role::SuperCardinal, 1000),
        role(Role::CardinalRider, 1025),
        role(Role::ChancellorRider, 1225),
        role(Role::SuperChancellor, 1250),
        role(Role::SuperCardinalRider, 1275),
        role(Role::Amazon, 1450),
        role(Role::SuperChancellorRider, 1475),
        role(Role::AmazonRider, 1675),
        role(Role::King, 0),
    ],
    markers: &[],
    links: &[],
    pocket: true,
    castling: false,
    kinds: &[MoveKind::Normal, MoveKind::EnPassant, MoveKind::Pocket, MoveKind::Drop],
    features: FEATURES,
    zugzwang: false,
    rules_version: 1,
};

const FEATURES: &[Feature] = &[
    // A piece in the pocket, which may come down anywhere, and the pawns that it is worth.
    Feature::new("held", 20, 20),
    Feature::new("held_worth", 1, 1),
    // Quarters of a pawn that the best mutation from the last rank would add, with the pocket free for it.
    Feature::new("mutation", 5, 5),
    // Pieces on the last rank that have to wait for the pocket.
    Feature::new("waiting", -5, -5),
];

/// What a piece gains by going up a class, at best.
fn mutation_gain(role: Role) -> i32 {
    let next = CLASSES[(class_of(role) + 1).min(HIGHEST)];
    next.iter().map(|&r| INFO.value(r) - INFO.value(role)).max().unwrap_or(0).max(0)
}

/// A position of Pocket Mutation Chess.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PocketMutation {
    core: Core<1>,
    pockets: [Option<Role>; 2],
}

impl PocketMutation {
    /// Whether White is about to make the very first move, the only one that must not be a pocketing.
    #[inline]
    fn is_first_move(&self) -> bool {
        self.core.fullmove() == 1 && self.core.turn() == Color::White
    }
    fn key_of_pockets(&self) -> u64 {
        Color::ALL.into_iter().filter_map(|c| Some(pocket_key(c, self.pockets[c.index()]?))).fold(0, |a, b| a ^ b)
    }
    /// The right to pocket decides what may be played, so the first move's lack of it is part of the hash.
    fn key_of_ban(&self) -> u64 {
        if self.is_first_move() { FIRST_MOVE } else { 0 }
    }
    fn checked_king(&self, color: Color) -> Option<Square> {
        let board = self.core.board();
        board.king(color).filter(|&king| is_attacked::<true>(board, king, !color, board.occupied()))
    }

    /// Pocketings, when the king is not in check and the pocket is empty.
    #[inline]
    fn pocketings<S: MoveSink>(&self, which: Which, free: Bitboard, sink: &mut S) -> ControlFlow<()> {
        let last = self.core.turn().last_rank();
        let classes = Classes::of(self.core.board(), free);
        if which == Which::All {
            for (class, roles) in CLASSES.iter().enumerate().skip(1) {
                sink.pocketings(classes.class(class) & !last, roles)?;
            }
        }
        if (free & last).any() {
            for class in 1..HIGHEST {
                sink.pocketings(classes.class(class) & last, CLASSES[class + 1])?;
            }
            if which == Which::All {
                sink.pocketings(classes.class(HIGHEST) & last, CLASSES[HIGHEST])?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play_pocketing<O: Observer>(&mut self, m: Move, observer: &mut O) -> bool {
        let us = self.core.turn();
        let from = m.from();
        let (Some(old), Some(new)) = (self.core.board().role_at(from), m.role()) else { return false };
        let pocket = Place::Pocket(us);
        self.core.carry(AREA, from, Piece::new(us, old), pocket, false, observer);
        if old != new {
            observer.effect(Effect::Remove { piece: Piece::new(us, old), at: pocket });
            observer.effect(Effect::Add { piece: Piece::new(us, new), at: pocket });
        }
        self.pockets[us.index()] = Some(new);
        self.core.toggle_hash(pocket_key(us, new));
        us.last_rank().has(from) && class_of(old) < HIGHEST
    }

    #[inline]
    fn play_drop<O: Observer>(&mut self, m: Move, observer: &mut O) {
        let us = self.core.turn();
        let Some(role) = self.pockets[us.index()].take() else { return };
        self.core.toggle_hash(pocket_key(us, role));
        self.core.carry(AREA, m.to(), Piece::new(us, role), Place::Pocket(us), true, observer);
    }
}

impl Position for PocketMutation {
    const INFO: &'static VariantInfo = &INFO;

    fn from_fen(text: &str) -> Result<Self, FenError> {
        let mut fields = Fields::new(text)?;
        let mut core = Core::empty();
        let (placement, pockets) = split_pockets(fields.next(FenField::Placement)?)?;
        fen::read_placement(&mut core, &INFO, AREA, placement, (0, 8))?;
        fen::check_kings(core.board())?;
        let us = fen::read_side(fields.next(FenField::Side)?)?;
        core.set_turn(us);
        let castling = fields.next(FenField::Castling)?;
        if castling != "-" {
            let problem = format!("'{}', only '-' expected: there is no castling", excerpt(castling));
            return Err(
                FenError::new(FenField::Castling, problem).because("castlingNone", &[("text", &excerpt(castling))])
            );
        }
        let ep = fen::read_ep(core.board(), us, fields.next(FenField::EnPassant)?, Bitboard::ALL, Bitboard::EMPTY)?;
        core.set_ep(AREA, ep);
        let (halfmove, fullmove) = fields.clocks()?;
        core.set_clocks(halfmove, fullmove);
        let mut position = Self { core, pockets };
        if let Some(square) = position.checked_king(!us) {
            return Err(fen::opponent_in_check(square));
        }
        let own_keys = position.key_of_pockets() ^ position.key_of_ban();
        position.core.toggle_hash(own_keys);
        Ok(position)
    }
    fn fen(&self) -> String {
        let core = &self.core;
        let pocket = |color: Color| {
            self.pockets[color.index()].map_or_else(String::new, |role| Piece::new(color, role).letter().into())
        };
        format!(
            "{}[{}{}] {} - {} {} {}",
            fen::write_placement(core.board(), (0, 8)),
            pocket(Color::White),
            pocket(Color::Black),
            core.turn().letter(),
            fen::write_ep(core.ep(AREA)),
            core.halfmove(),
            core.fullmove()
        )
    }
    fn turn(&self) -> Color {
        self.core.turn()
    }
    fn halfmove_clock(&self) -> u16 {
        self.core.halfmove()
    }
    fn fullmove_number(&self) -> u16 {
        self.core.fullmove()
    }
    fn hash_key(&self) -> u64 {
        self.core.hash()
    }
    fn compute_hash(&self) -> u64 {
        self.core.compute_hash() ^ self.key_of_pockets() ^ self.key_of_ban()
    }
    #[inline]
    fn generate<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        let board = self.core.board();
        let us = self.core.turn();
        let generator = Generator::new::<true>(board, us);
        generator.pawn_captures(Bitboard::EMPTY, sink)?;
        generator.en_passant::<true>(self.core.ep(AREA), sink)?;
        let targets = match which {
            Which::Noisy => board.color(!us),
            Which::All => !board.color(us),
        };
        generator.pieces::<true>(targets, sink)?;
        generator.king::<true>(targets, sink)?;
        match self.pockets[us.index()] {
            None if !generator.in_check() && !self.is_first_move() => {
                let free = board.color(us) & !board.kings(us) & !generator.pinned();
                self.pocketings(which, free, sink)?;
            }
            Some(role) if which == Which::All => {
                sink.drops(role, !board.occupied() & generator.answers() & !us.last_rank())?;
            }
            _ => {}
        }
        match which {
            Which::Noisy => ControlFlow::Continue(()),
            Which::All => generator.pawn_steps(Bitboard::EMPTY, sink),
        }
    }
    fn generate_mating<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        match Checking::new::<true>(self.core.board(), self.core.turn(), sink) {
            Some(mut checking) => self.generate(Which::All, &mut checking),
            None => ControlFlow::Continue(()),
        }
    }
    #[inline]
    fn play_unchecked<O: Observer>(&mut self, m: Move, observer: &mut O) {
        let us = self.core.turn();
        let (from, to) = (m.from(), m.to());
        let mut progress = false;
        let mut ep = None;
        self.core.toggle_hash(self.key_of_ban());
        match m.kind() {
            MoveKind::Pocket => progress = self.play_pocketing(m, observer),
            MoveKind::Drop => self.play_drop(m, observer),
            kind => {
                let core = &mut self.core;
                let Some(role) = core.board().role_at(from) else { return };
                let victim = if kind == MoveKind::EnPassant { to.offset(-us.forward()) } else { to };
                if core.board().color(!us).has(victim)
                    && let Some(captured) = core.board().role_at(victim)
                {
                    core.take(AREA, victim, Piece::new(!us, captured), observer);
                    progress = true;
                }
                core.relocate(AREA, from, to, Piece::new(us, role), observer);
                if kind == MoveKind::DoubleStep {
                    ep = usable_ep(core.board(), us, from, to, Bitboard::ALL);
                }
            }
        }
        self.core.set_ep(AREA, ep);
        self.core.end_turn(progress);
    }
    fn checked_kings(&self) -> Vec<(Area, Square)> {
        self.checked_king(self.core.turn()).map(|s| (AREA, s)).into_iter().collect()
    }
    fn in_check(&self) -> bool {
        self.checked_king(self.core.turn()).is_some()
    }
    fn piece_at(&self, _: Area, square: Square) -> Option<Piece> {
        self.core.board().piece_at(square)
    }
    fn pieces(&self) -> Vec<(Place, Piece)> {
        let pockets = Color::ALL.into_iter().filter_map(|color| {
            self.pockets[color.index()].map(|role| (Place::Pocket(color), Piece::new(color, role)))
        });
        let board = self.core.board().iter().map(|(square, piece)| (Place::Board(AREA, square), piece));
        board.chain(pockets).collect()
    }
    #[inline]
    fn boards(&self) -> &[Board] {
        self.core.boards()
    }
    #[inline]
    fn held(&self, color: Color) -> Option<Role> {
        self.pockets[color.index()]
    }
    #[inline]
    fn features(&self, counts: &mut [i32; MAX_FEATURES]) {
        let board = self.core.board();
        for us in Color::ALL {
            let sign = if us == Color::White { 1 } else { -1 };
            let waiting = board.color(us) & us.last_rank() & !board.kings(us);
            if let Some(held) = self.pockets[us.index()] {
                counts[0] += sign;
                counts[1] += sign * INFO.value(held) / 100;
                counts[3] += sign * waiting.len() as i32;
            } else if waiting.any() {
                let gain = waiting.into_iter().filter_map(|s| board.role_at(s)).map(mutation_gain).max();
                counts[2] += sign * gain.unwrap_or(0) / 25;
            }
        }
    }
    fn null_move(&self) -> Option<Self> {
        let mut next = self.clone();
        next.core.toggle_hash(next.key_of_ban());
        next.core.pass();
        Some(next)
    }
    fn is_insufficient(&self) -> bool {
        Color::ALL.into_iter().all(|color| !self.can_win(color))
    }
    /// Any piece can become any other of a higher class in time, so only a bare king with an empty pocket cannot win.
    fn can_win(&self, color: Color) -> bool {
        let board = self.core.board();
        self.pockets[color.index()].is_some() || (board.color(color) & !board.kings(color)).any()
    }
    fn automatic_draw(&self) -> Option<Outcome> {
        if self.is_insufficient() {
            Some(Outcome::draw(EndReason::InsufficientMaterial))
        } else {
            (self.core.halfmove() >= FIFTY_MOVES).then_some(Outcome::draw(EndReason::FiftyMoves))
        }
    }
}

const FIRST_MOVE: u64 = zobrist::key(Domain::Other, 0);

fn pocket_key(color: Color, role: Role) -> u64 {
    static KEYS: [[u64; Role::COUNT]; 2] = {
        let mut keys = [[0; Role::COUNT]; 2];
        let mut i = 0;
        while i < 2 * Role::COUNT {
            keys[i / Role::COUNT][i % Role::COUNT] = zobrist::key(Domain::Pocket, i as u32);
            i += 1;
        }
        keys
    };
    KEYS[color.index()][role.index()]
}

/// The class of a role: its powers add up, a step (like a pawn) counting one, a leap or a diagonal slide two, a straight
/// slide or a ride three.
const fn class_of(role: Role) -> usize {
    let powers = role.powers();
    (powers.has(Powers::PAWN) as usize + powers.has(Powers::STEP) as usize)
        + 2 * (powers.has(Powers::KNIGHT) as usize + powers.has(Powers::DIAGONAL) as usize)
        + 3 * (powers.has(Powers::ORTHOGONAL) as usize + powers.has(Powers::NIGHTRIDER) as usize)
}

/// The classes of all pieces at once: the sum of [`class_of`], bit by bit, each bit of it a set of squares.
struct Classes([Bitboard; 4]);

impl Classes {
    /// Looks at these pieces, no king among them.
    #[inline]
    fn of(board: &Board, pieces: Bitboard) -> Self {
        let with = |power| board.with_power(power) & pieces;
        let (straight, rides) = (with(Powers::ORTHOGONAL), with(Powers::NIGHTRIDER));
        let ones = with(Powers::PAWN) | with(Powers::STEP);
        let (bit0, carry) = add(ones, straight, rides);
        let (twos, a) = add(with(Powers::KNIGHT), with(Powers::DIAGONAL), straight);
        let (bit1, b) = add(twos, rides, carry);
        Self([bit0, bit1, a ^ b, a & b])
    }
    /// The pieces of one class.
    #[inline]
    fn class(&self, class: usize) -> Bitboard {
        (0..4).fold(Bitboard::ALL, |set, bit| set & if class >> bit & 1 == 1 { self.0[bit] } else { !self.0[bit] })
    }
}

/// A full adder on 64 squares: sums and carries.
#[inline]
fn add(a: Bitboard, b: Bitboard, c: Bitboard) -> (Bitboard, Bitboard) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
}

/// Splits `placement[pockets]` and reads the pockets.
fn split_pockets(text: &str) -> Result<(&str, [Option<Role>; 2]), FenError> {
    let wrong = |problem: String, code, params: &Params<'_>| {
        Err(FenError::new(FenField::Pocket, problem).because(code, params))
    };
    let Some((placement, rest)) = text.split_once('[') else {
        return wrong(format!("no pocket after '{}', '[…]' expected", excerpt(text)), "pocketMissing", &[]);
    };
    let Some(letters) = rest.strip_suffix(']') else {
        return wrong(format!("'[{}' does not end with ']'", excerpt(rest)), "pocketOpen", &[]);
    };
    let mut pockets = [None; 2];
    for letter in letters.chars() {
        let piece = match Piece::from_letter(letter) {
            Ok(piece) if INFO.has_role(piece.role()) => piece,
            _ => {
                let problem = format!("'{letter}' is not a piece of {}", INFO.names[0]);
                return wrong(problem, "pocketLetter", &[("text", &letter)]);
            }
        };
        let color = piece.color();
        if piece.role() == Role::King {
            return wrong(format!("'{letter}': a king cannot be in a pocket"), "pocketKing", &[]);
        }
        if pockets[color.index()].replace(piece.role()).is_some() {
            let problem = format!("two {} pieces in '[{}]', at most one expected", color.name(), excerpt(letters));
            return wrong(problem, "pocketTwo", &[("color", &color.name())]);
        }
    }
    Ok((placement, pockets))
}

#[cfg(test)]
mod tests;
