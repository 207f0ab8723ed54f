use super::zobrist::{self, Domain};
use super::{Area, Bitboard, Board, Color, Effect, Observer, Piece, Place, Role, Square};

/// Which way a king castles.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// Towards the h-file.
    King,
    /// Towards the a-file.
    Queen,
}

impl Side {
    /// King side first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];
}

/// The castling rights of one area: bits K, Q, k, q from the lowest.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Castling(u8);

impl Castling {
    /// No rights.
    pub const NONE: Self = Self(0);
    /// Rights in the order in which a FEN writes them.
    pub const LETTERS: [(char, Color, Side); 4] = [
        ('K', Color::White, Side::King),
        ('Q', Color::White, Side::Queen),
        ('k', Color::Black, Side::King),
        ('q', Color::Black, Side::Queen),
    ];
    const fn bit(color: Color, side: Side) -> u8 {
        1 << (color as u8 * 2 + side as u8)
    }
    /// Whether the right is there.
    #[inline]
    pub const fn has(self, color: Color, side: Side) -> bool {
        self.0 & Self::bit(color, side) != 0
    }
    /// Whether the color has either right.
    #[inline]
    pub const fn has_any(self, color: Color) -> bool {
        self.0 >> (color as u8 * 2) & 3 != 0
    }
    /// The rights with one added.
    #[must_use]
    pub const fn with(self, color: Color, side: Side) -> Self {
        Self(self.0 | Self::bit(color, side))
    }
    /// Home square of the king.
    pub const fn king_from(color: Color) -> Square {
        Square::new(color.rank(0) * 8 + 4)
    }
    /// Where the king goes.
    pub const fn king_to(color: Color, side: Side) -> Square {
        Square::new(color.rank(0) * 8 + if side as u8 == 0 { 6 } else { 2 })
    }
    /// Home square of the rook.
    pub const fn rook_from(color: Color, side: Side) -> Square {
        Square::new(color.rank(0) * 8 + if side as u8 == 0 { 7 } else { 0 })
    }
    /// Where the rook goes.
    pub const fn rook_to(color: Color, side: Side) -> Square {
        Square::new(color.rank(0) * 8 + if side as u8 == 0 { 5 } else { 3 })
    }
    /// 0 to 15.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Rights that are lost when something leaves or comes to a square.
static KEPT: [u8; 64] = {
    let mut table = [15; 64];
    let mut i = 0;
    while i < 4 {
        let (_, color, side) = Castling::LETTERS[i];
        table[Castling::rook_from(color, side).index()] &= !Castling::bit(color, side);
        table[Castling::king_from(color).index()] &= !Castling::bit(color, side);
        i += 1;
    }
    table
};

const NO_EP: u8 = 64;

/// Clocks stop here, far beyond any game: the highest value that a FEN may have.
pub const MAX_CLOCK: u16 = 9999;

/// What all games keep: the boards of their `N` areas, castling rights and ep squares an area, whose turn it is, the clocks,
/// and an incremental hash of all but the clocks. Every edit goes through here, so that neither the hash nor the
/// effects can be forgotten.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Core<const N: usize> {
    boards: [Board; N],
    hash: u64,
    fullmove: u16,
    halfmove: u16,
    turn: Color,
    castling: [Castling; N],
    ep: [u8; N],
}

impl<const N: usize> Default for Core<N> {
    fn default() -> Self {
        Self::empty()
    }
}

impl<const N: usize> Core<N> {
    /// Empty boards, White to move, no rights, full move 1.
    pub fn empty() -> Self {
        Self {
            boards: std::array::from_fn(|_| Board::default()),
            hash: 0,
            fullmove: 1,
            halfmove: 0,
            turn: Color::White,
            castling: [Castling::NONE; N],
            ep: [NO_EP; N],
        }
    }
    /// The board of an area. An area the game does not have gives the first.
    #[inline]
    pub fn board_of(&self, area: Area) -> &Board {
        if N == 1 { &self.boards[0] } else { &self.boards[area.index() % N] }
    }
    /// The boards of all areas.
    #[inline]
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }
    /// The first, or only, board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.boards[0]
    }
    /// Who is to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }
    /// Plies since something irreversible.
    #[inline]
    pub const fn halfmove(&self) -> u16 {
        self.halfmove
    }
    /// Number of the full move, from 1.
    #[inline]
    pub const fn fullmove(&self) -> u16 {
        self.fullmove
    }
    /// Hash of everything but the clocks.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }
    /// Castling rights of an area.
    #[inline]
    pub fn castling(&self, area: Area) -> Castling {
        self.castling[area.index() % N]
    }
    /// The ep square of an area, kept only while a pawn can use it.
    #[inline]
    pub fn ep(&self, area: Area) -> Option<Square> {
        let ep = self.ep[area.index() % N];
        if ep == NO_EP { None } else { Some(Square::new(ep)) }
    }

    /// Adds a piece on an empty square.
    #[inline]
    pub fn put(&mut self, area: Area, square: Square, piece: Piece, observer: &mut impl Observer) {
        self.boards[area.index() % N].put(square, piece);
        self.hash ^= zobrist::piece(area, piece, square);
        observer.effect(Effect::Add { piece, at: Place::Board(area, square) });
    }
    /// Takes a piece off.
    #[inline]
    pub fn take(&mut self, area: Area, square: Square, piece: Piece, observer: &mut impl Observer) {
        self.boards[area.index() % N].take(square, piece);
        self.hash ^= zobrist::piece(area, piece, square);
        observer.effect(Effect::Remove { piece, at: Place::Board(area, square) });
    }
    /// Moves a piece to an empty square of the same area.
    #[inline]
    pub fn relocate(&mut self, area: Area, from: Square, to: Square, piece: Piece, observer: &mut impl Observer) {
        self.boards[area.index() % N].relocate(from, to, piece);
        self.hash ^= zobrist::piece(area, piece, from) ^ zobrist::piece(area, piece, to);
        observer.effect(Effect::Move { piece, from: Place::Board(area, from), to: Place::Board(area, to) });
    }
    /// Moves a piece between a square and a place off the board (a pocket, transit): `onto` the square or away from it.
    /// The variant keeps the hash of what is off the board.
    #[inline]
    pub fn carry(
        &mut self,
        area: Area,
        square: Square,
        piece: Piece,
        off: Place,
        onto: bool,
        observer: &mut impl Observer,
    ) {
        let on = Place::Board(area, square);
        self.hash ^= zobrist::piece(area, piece, square);
        if onto {
            self.boards[area.index() % N].put(square, piece);
            observer.effect(Effect::Move { piece, from: off, to: on });
        } else {
            self.boards[area.index() % N].take(square, piece);
            observer.effect(Effect::Move { piece, from: on, to: off });
        }
    }
    /// Moves a piece to an empty square of another area.
    #[inline]
    pub fn transfer(&mut self, from: (Area, Square), to: (Area, Square), piece: Piece, observer: &mut impl Observer) {
        self.boards[from.0.index() % N].take(from.1, piece);
        self.boards[to.0.index() % N].put(to.1, piece);
        self.hash ^= zobrist::piece(from.0, piece, from.1) ^ zobrist::piece(to.0, piece, to.1);
        observer.effect(Effect::Move { piece, from: Place::Board(from.0, from.1), to: Place::Board(to.0, to.1) });
    }
    /// Exchanges the pieces of two squares.
    #[inline]
    pub fn swap(&mut self, area: Area, a: (Square, Piece), b: (Square, Piece), observer: &mut impl Observer) {
        let board = &mut self.boards[area.index() % N];
        board.take(b.0, b.1);
        board.relocate(a.0, b.0, a.1);
        board.put(a.0, b.1);
        self.hash ^= zobrist::piece(area, a.1, a.0)
            ^ zobrist::piece(area, b.1, b.0)
            ^ zobrist::piece(area, a.1, b.0)
            ^ zobrist::piece(area, b.1, a.0);
        observer.effect(Effect::Move { piece: a.1, from: Place::Board(area, a.0), to: Place::Board(area, b.0) });
        observer.effect(Effect::Move { piece: b.1, from: Place::Board(area, b.0), to: Place::Board(area, a.0) });
    }
    /// A pawn on a square becomes something else.
    #[inline]
    pub fn promote(&mut self, area: Area, square: Square, color: Color, role: Role, observer: &mut impl Observer) {
        self.take(area, square, Piece::new(color, Role::Pawn), observer);
        self.put(area, square, Piece::new(color, role), observer);
    }

    /// Changes the hash by a variant's own key.
    #[inline]
    pub fn toggle_hash(&mut self, key: u64) {
        self.hash ^= key;
    }
    /// Gives castling rights (when a position is set up).
    pub fn set_castling(&mut self, area: Area, rights: Castling) {
        let slot = &mut self.castling[area.index() % N];
        self.hash ^= castling_key(area, *slot) ^ castling_key(area, rights);
        *slot = rights;
    }
    /// Takes the rights that depend on these squares.
    #[inline]
    pub fn lose_castling(&mut self, area: Area, from: Square, to: Square) {
        let slot = self.castling[area.index() % N];
        let kept = Castling(slot.0 & KEPT[from.index()] & KEPT[to.index()]);
        if kept != slot {
            self.set_castling(area, kept);
        }
    }
    /// Sets the ep square of an area, or clears it. The caller has checked that a pawn can use it.
    #[inline]
    pub fn set_ep(&mut self, area: Area, ep: Option<Square>) {
        let slot = &mut self.ep[area.index() % N];
        let new = ep.map_or(NO_EP, |s| s.index() as u8);
        if *slot != new {
            for value in [*slot, new] {
                if value != NO_EP {
                    self.hash ^= ep_key(area, Square::new(value));
                }
            }
            *slot = new;
        }
    }
    /// The other side is to move.
    #[inline]
    pub fn flip_turn(&mut self) {
        self.turn = !self.turn;
        self.hash ^= const { zobrist::key(Domain::Turn, 0) };
    }
    /// Sets who is to move.
    pub fn set_turn(&mut self, turn: Color) {
        if turn != self.turn {
            self.flip_turn();
        }
    }
    /// Sets both clocks, to [`MAX_CLOCK`] at most.
    pub fn set_clocks(&mut self, halfmove: u16, fullmove: u16) {
        (self.halfmove, self.fullmove) = (halfmove.min(MAX_CLOCK), fullmove.min(MAX_CLOCK));
    }
    /// Ends a turn: the half-move clock restarts or runs on, the full move counts after Black, the other side is to move.
    #[inline]
    pub fn end_turn(&mut self, irreversible: bool) {
        self.halfmove = if irreversible { 0 } else { (self.halfmove + 1).min(MAX_CLOCK) };
        self.fullmove = (self.fullmove + u16::from(self.turn == Color::Black)).min(MAX_CLOCK);
        self.flip_turn();
    }
    /// Passes the turn: the other side is to move, and no pawn can be taken in passing any more.
    #[inline]
    pub fn pass(&mut self) {
        for area in [Area::A, Area::B].into_iter().take(N) {
            self.set_ep(area, None);
        }
        self.end_turn(false);
    }
    /// The hash of pieces, rights, ep squares and turn, computed from nothing.
    pub fn compute_hash(&self) -> u64 {
        let mut hash = 0;
        for area in [Area::A, Area::B].into_iter().take(N) {
            for (square, piece) in self.board_of(area).iter() {
                hash ^= zobrist::piece(area, piece, square);
            }
            hash ^= castling_key(area, self.castling(area));
            hash ^= self.ep(area).map_or(0, |ep| ep_key(area, ep));
        }
        if self.turn == Color::Black {
            hash ^= zobrist::key(Domain::Turn, 0);
        }
        hash
    }
}

fn castling_key(area: Area, rights: Castling) -> u64 {
    static KEYS: [u64; 32] = {
        let mut keys = [0; 32];
        let mut i = 0;
        while i < 32 {
            keys[i] = if i % 16 == 0 { 0 } else { zobrist::key(Domain::Castling, i as u32) };
            i += 1;
        }
        keys
    };
    KEYS[area.index() * 16 + rights.index() % 16]
}

fn ep_key(area: Area, square: Square) -> u64 {
    zobrist::key(Domain::EnPassant, (area.index() * 64 + square.index()) as u32)
}

/// The ep square a double step from `from` to `to` leaves, if a pawn of the other side stands where it could capture there.
#[inline]
pub(crate) fn usable_ep(board: &Board, us: Color, from: Square, to: Square, mask: Bitboard) -> Option<Square> {
    let beside = ((Bitboard(1 << to.index()) & !Bitboard::FILE_A).shift(-1)
        | (Bitboard(1 << to.index()) & !Bitboard::FILE_H).shift(1))
        & mask;
    let takers = beside & board.pawns() & board.color(!us);
    if takers.any() { Some(Square::new(((from.index() + to.index()) / 2) as u8)) } else { None }
}
