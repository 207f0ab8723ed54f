use super::{Bitboard, Color, Role, Square};
use smallvec::SmallVec;
use std::fmt;
use std::ops::ControlFlow;

/// What sort of move it is. The kinds are about how pieces go, not about games: several games share most of them.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum MoveKind {
    /// A piece moves to a square, or captures there.
    Normal,
    /// A pawn moves two squares at once.
    DoubleStep,
    /// A pawn captures a pawn that has just passed it; `to` is the ep square.
    EnPassant,
    /// `from` and `to` are the king's squares.
    Castle,
    /// A pawn's move that ends with a change into `role`.
    Promotion,
    /// `from` and `to` exchange their pieces; with a `role`, a pawn among them promotes.
    Swap,
    /// The piece on `from` goes into the pocket as `role`.
    Pocket,
    /// The pocketed piece, a `role`, comes onto `to`.
    Drop,
    /// From `from` into the portal on `to`, out at `aux`; the portal goes to `from`.
    Enter,
    /// In a straight line through a pair of portals; `aux` is the portal entered. With a `role` the pawn promotes.
    Travel,
    /// The mover's portal comes onto `to`.
    Place,
    /// The mover's portal goes from `from` to `to`; with a `role`, an own pawn teleported by it promotes.
    Shift,
    /// The teleport of the piece on `from` (equal to `to`) is declared.
    Declare,
    /// The declared teleport takes place; `from` and `to` are its squares in their two areas.
    Transfer,
    /// Nothing.
    Pass,
}

impl MoveKind {
    const ALL: [Self; 15] = [
        Self::Normal,
        Self::DoubleStep,
        Self::EnPassant,
        Self::Castle,
        Self::Promotion,
        Self::Swap,
        Self::Pocket,
        Self::Drop,
        Self::Enter,
        Self::Travel,
        Self::Place,
        Self::Shift,
        Self::Declare,
        Self::Transfer,
        Self::Pass,
    ];
    /// Name as the clients know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal | Self::DoubleStep => "normal",
            Self::EnPassant => "enPassant",
            Self::Castle => "castle",
            Self::Promotion => "promotion",
            Self::Swap => "swap",
            Self::Pocket => "pocket",
            Self::Drop => "drop",
            Self::Enter => "enter",
            Self::Travel => "travel",
            Self::Place => "place",
            Self::Shift => "shift",
            Self::Declare => "declare",
            Self::Transfer => "transfer",
            Self::Pass => "pass",
        }
    }
}

const NO_ROLE: u32 = 31;

/// A move of any game in 32 bits: kind, origin, destination, one more square and a role.
/// It means something only for the position it was generated in. `Display` writes UCI.
///
/// # Examples
/// ```
/// use warpchess_rules::{Move, MoveKind, Role, Square};
/// assert_eq!(Move::new(MoveKind::Normal, Square::E2, Square::E4).to_string(), "e2e4");
/// assert_eq!(Move::new(MoveKind::Pocket, Square::B1, Square::B1).with_role(Role::Bishop).to_string(), "b1^B");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(u32);

impl Move {
    /// A move that needs neither a third square nor a role.
    #[inline]
    pub const fn new(kind: MoveKind, from: Square, to: Square) -> Self {
        Self(from.index() as u32 | (to.index() as u32) << 6 | NO_ROLE << 18 | (kind as u32) << 23)
    }
    /// Passing.
    pub const PASS: Self = Self::new(MoveKind::Pass, Square::A1, Square::A1);
    /// The same with a third square.
    #[inline]
    #[must_use]
    pub const fn with_aux(self, aux: Square) -> Self {
        Self(self.0 & !(63 << 12) | (aux.index() as u32) << 12)
    }
    /// The same with a role.
    #[inline]
    #[must_use]
    pub const fn with_role(self, role: Role) -> Self {
        Self(self.0 & !(31 << 18) | (role as u32) << 18)
    }
    /// Where it starts.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }
    /// Where it leads.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u8)
    }
    /// The third square: an exit, or a portal passed.
    #[inline]
    pub const fn aux(self) -> Square {
        Square::new((self.0 >> 12 & 63) as u8)
    }
    /// What a piece becomes, or what is dropped.
    #[inline]
    pub const fn role(self) -> Option<Role> {
        let i = self.0 >> 18 & 31;
        if i as usize >= Role::COUNT { None } else { Some(Role::ALL[i as usize]) }
    }
    /// What sort of move it is.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        MoveKind::ALL[(self.0 >> 23 & 15) as usize]
    }
    /// The number it is stored as.
    #[inline]
    pub const fn to_bits(self) -> u32 {
        self.0
    }
    /// The move of a stored number; whether it is legal is another question.
    #[inline]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits >> 27 == 0 && (bits >> 23) < Self::KINDS { Some(Self(bits)) } else { None }
    }
    const KINDS: u32 = MoveKind::ALL.len() as u32;
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.from(), self.to());
        match self.kind() {
            MoveKind::Pass | MoveKind::Transfer => return f.write_str("0000"),
            MoveKind::Pocket => return write!(f, "{from}^{}", self.role().map_or('?', Role::letter)),
            MoveKind::Drop => return write!(f, "{}@{to}", self.role().map_or('?', Role::letter)),
            MoveKind::Place => return write!(f, "O@{to}"),
            MoveKind::Enter => return write!(f, "{from}{to}{}", self.aux()),
            MoveKind::Shift => write!(f, "O{from}{to}")?,
            _ => write!(f, "{from}{to}")?,
        }
        match self.role() {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}({:?})", self.kind())
    }
}

/// Receives the moves a generator finds. A sink that has seen enough breaks, and the generator stops at once.
/// Whole sets of destinations arrive in one call, so that counting needs no loop.
pub trait MoveSink {
    /// One move.
    fn push(&mut self, m: Move) -> ControlFlow<()>;

    /// One move from `from` to each square of `to`.
    #[inline]
    fn targets(&mut self, kind: MoveKind, from: Square, to: Bitboard) -> ControlFlow<()> {
        for square in to {
            self.push(Move::new(kind, from, square))?;
        }
        ControlFlow::Continue(())
    }
    /// One move to each square of `to` from the square `delta` before it.
    #[inline]
    fn shifted(&mut self, kind: MoveKind, to: Bitboard, delta: i8) -> ControlFlow<()> {
        for square in to {
            self.push(Move::new(kind, square.offset(-delta), square))?;
        }
        ControlFlow::Continue(())
    }
    /// Promotions to queen, rook, bishop and knight, on each square of `to` from the square `delta` before it.
    #[inline]
    fn promotions(&mut self, to: Bitboard, delta: i8) -> ControlFlow<()> {
        for square in to {
            for role in Role::PROMOTIONS {
                self.push(Move::new(MoveKind::Promotion, square.offset(-delta), square).with_role(role))?;
            }
        }
        ControlFlow::Continue(())
    }
    /// From `from` into the portal on `entry`, out at each square of `exits`.
    #[inline]
    fn exits(&mut self, from: Square, entry: Square, exits: Bitboard) -> ControlFlow<()> {
        for exit in exits {
            self.push(Move::new(MoveKind::Enter, from, entry).with_aux(exit))?;
        }
        ControlFlow::Continue(())
    }
    /// From `from` through the portal on `portal` to each square of `to`.
    #[inline]
    fn travels(&mut self, from: Square, portal: Square, to: Bitboard) -> ControlFlow<()> {
        for square in to {
            self.push(Move::new(MoveKind::Travel, from, square).with_aux(portal))?;
        }
        ControlFlow::Continue(())
    }
    /// A drop of `role` on each square of `to`.
    #[inline]
    fn drops(&mut self, role: Role, to: Bitboard) -> ControlFlow<()> {
        for square in to {
            self.push(Move::new(MoveKind::Drop, square, square).with_role(role))?;
        }
        ControlFlow::Continue(())
    }
    /// Each piece of `from` goes into the pocket as each of these roles.
    #[inline]
    fn pocketings(&mut self, from: Bitboard, roles: &[Role]) -> ControlFlow<()> {
        for square in from {
            for &role in roles {
                self.push(Move::new(MoveKind::Pocket, square, square).with_role(role))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A list of moves that stays on the stack up to 256 of them; longer ones (boards full of portals) move to the heap.
pub type MoveList = SmallVec<[Move; 256]>;

impl MoveSink for MoveList {
    #[inline]
    fn push(&mut self, m: Move) -> ControlFlow<()> {
        SmallVec::push(self, m);
        ControlFlow::Continue(())
    }
}

/// Counts moves without making them.
#[derive(Copy, Clone, Default, Debug, PartialEq, Eq)]
pub struct Counter(pub u64);

impl MoveSink for Counter {
    #[inline]
    fn push(&mut self, _: Move) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
    #[inline]
    fn targets(&mut self, _: MoveKind, _: Square, to: Bitboard) -> ControlFlow<()> {
        self.0 += u64::from(to.len());
        ControlFlow::Continue(())
    }
    #[inline]
    fn shifted(&mut self, _: MoveKind, to: Bitboard, _: i8) -> ControlFlow<()> {
        self.0 += u64::from(to.len());
        ControlFlow::Continue(())
    }
    #[inline]
    fn promotions(&mut self, to: Bitboard, _: i8) -> ControlFlow<()> {
        self.0 += 4 * u64::from(to.len());
        ControlFlow::Continue(())
    }
    #[inline]
    fn exits(&mut self, _: Square, _: Square, exits: Bitboard) -> ControlFlow<()> {
        self.0 += u64::from(exits.len());
        ControlFlow::Continue(())
    }
    #[inline]
    fn travels(&mut self, _: Square, _: Square, to: Bitboard) -> ControlFlow<()> {
        self.0 += u64::from(to.len());
        ControlFlow::Continue(())
    }
    #[inline]
    fn drops(&mut self, _: Role, to: Bitboard) -> ControlFlow<()> {
        self.0 += u64::from(to.len());
        ControlFlow::Continue(())
    }
    #[inline]
    fn pocketings(&mut self, from: Bitboard, roles: &[Role]) -> ControlFlow<()> {
        self.0 += u64::from(from.len()) * roles.len() as u64;
        ControlFlow::Continue(())
    }
}

/// Lets only the moves through that pass a test, one by one.
#[derive(Debug)]
pub struct Sieve<'a, S, F> {
    /// Where they go.
    pub sink: &'a mut S,
    /// Which ones.
    pub keep: F,
}

impl<S: MoveSink, F: Fn(Move) -> bool> MoveSink for Sieve<'_, S, F> {
    #[inline]
    fn push(&mut self, m: Move) -> ControlFlow<()> {
        if (self.keep)(m) { self.sink.push(m) } else { ControlFlow::Continue(()) }
    }
}

/// Keeps the first move and stops.
#[derive(Copy, Clone, Default, Debug, PartialEq, Eq)]
pub struct First(pub Option<Move>);

impl MoveSink for First {
    #[inline]
    fn push(&mut self, m: Move) -> ControlFlow<()> {
        self.0 = Some(m);
        ControlFlow::Break(())
    }
}

impl Color {
    /// The rank on which pawns of this color promote.
    #[inline]
    pub const fn last_rank(self) -> Bitboard {
        Bitboard::rank(self.rank(7))
    }
}
