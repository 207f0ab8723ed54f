use super::{Bitboard, Color, Piece, Powers, Role, Square};

const WHITE: usize = 6;
const BLACK: usize = 7;

/// Which planes a piece is in: all ones where it is, so that an edit is eight and-xors without a branch.
static PLANES: [[u64; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut c = 0;
    while c < 2 {
        let mut r = 0;
        while r < Role::COUNT {
            let color = if c == 0 { Color::White } else { Color::Black };
            let piece = Piece::new(color, Role::ALL[r]);
            let mut p = 0;
            while p < Powers::COUNT {
                if Role::ALL[r].powers().0 & 1 << p != 0 {
                    table[piece.index()][p] = !0;
                }
                p += 1;
            }
            table[piece.index()][WHITE + c] = !0;
            r += 1;
        }
        c += 1;
    }
    table
};

/// The pieces of one area as eight bitboards: one for each [power](Powers) and one for each color.
///
/// A queen stands in both the diagonal and the orthogonal plane. This keeps nineteen roles in 64 bytes and lets a
/// generator ask "who slides on diagonals?" with one load; the role of a piece is the set of planes it is in.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Board {
    planes: [u64; 8],
}

impl Board {
    #[inline]
    fn toggle(&mut self, piece: Piece, squares: u64) {
        let mask = &PLANES[piece.index()];
        for (plane, mask) in self.planes.iter_mut().zip(mask) {
            *plane ^= mask & squares;
        }
    }
    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(!self.occupied().has(square), "{square} is taken");
        self.toggle(piece, 1 << square.index());
    }
    /// Takes a piece off its square.
    #[inline]
    pub(super) fn take(&mut self, square: Square, piece: Piece) {
        debug_assert_eq!(self.piece_at(square), Some(piece), "on {square}");
        self.toggle(piece, 1 << square.index());
    }
    /// Moves a piece to an empty square.
    #[inline]
    pub(super) fn relocate(&mut self, from: Square, to: Square, piece: Piece) {
        debug_assert_eq!(self.piece_at(from), Some(piece), "on {from}");
        debug_assert!(!self.occupied().has(to), "{to} is taken");
        self.toggle(piece, 1 << from.index() | 1 << to.index());
    }
    /// All pieces that have a power, whatever else they can do.
    #[inline]
    pub const fn with_power(&self, power: Powers) -> Bitboard {
        Bitboard(self.planes[power.0.trailing_zeros() as usize])
    }
    /// All pieces of a color.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.planes[WHITE + color as usize])
    }
    /// All pieces.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[WHITE] | self.planes[BLACK])
    }
    /// All pawns.
    #[inline]
    pub const fn pawns(&self) -> Bitboard {
        self.with_power(Powers::PAWN)
    }
    /// Exactly the pieces of a role, both colors.
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        let powers = role.powers().0;
        let mut set = !0;
        let mut p = 0;
        while p < Powers::COUNT {
            set &= if powers & 1 << p != 0 { self.planes[p] } else { !self.planes[p] };
            p += 1;
        }
        Bitboard(set)
    }
    /// Exactly the pieces like this one.
    #[inline]
    pub const fn pieces(&self, color: Color, role: Role) -> Bitboard {
        Bitboard(self.role(role).0 & self.color(color).0)
    }
    /// Kings of a color: step-movers that do nothing else.
    #[inline]
    pub const fn kings(&self, color: Color) -> Bitboard {
        let p = &self.planes;
        Bitboard(p[4] & !(p[1] | p[2] | p[3] | p[5]) & p[WHITE + color as usize])
    }
    /// The king of a color, if it is here.
    #[inline]
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.kings(color).first()
    }
    /// The powers of what stands on a square; none for an empty one.
    #[inline]
    pub const fn powers_at(&self, square: Square) -> Powers {
        let mut set = 0;
        let mut p = 0;
        while p < Powers::COUNT {
            set |= (self.planes[p] >> square.index() & 1) << p;
            p += 1;
        }
        Powers(set as u8)
    }
    /// The color of what stands on a square.
    #[inline]
    pub const fn color_at(&self, square: Square) -> Option<Color> {
        if self.color(Color::White).has(square) {
            Some(Color::White)
        } else if self.color(Color::Black).has(square) {
            Some(Color::Black)
        } else {
            None
        }
    }
    /// The role of what stands on a square.
    #[inline]
    pub const fn role_at(&self, square: Square) -> Option<Role> {
        let powers = self.powers_at(square);
        if powers.0 == 0 { None } else { Role::from_powers(powers) }
    }
    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Some(Piece::new(self.color_at(square)?, self.role_at(square)?))
    }
    /// Every piece with its square, a1 first.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}
