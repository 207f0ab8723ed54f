use std::fmt;
use std::ops::Not;

/// White or Black.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// Both, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];
    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
    /// Index change of a pawn's single step.
    #[inline]
    pub const fn forward(self) -> i8 {
        match self {
            Self::White => 8,
            Self::Black => -8,
        }
    }
    /// A rank counted from this side, 0 being its own first rank.
    #[inline]
    pub const fn rank(self, relative: u8) -> u8 {
        match self {
            Self::White => relative,
            Self::Black => 7 - relative,
        }
    }
    /// `"white"` or `"black"`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }
    /// `'w'` or `'b'`, as in a FEN.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// Ways of moving a piece may combine, one bit each. A [`Role`] is a set of powers, and a
/// [`Board`](super::Board) keeps one bitboard a power instead of one a role.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Powers(pub u8);

impl Powers {
    /// Moves as a pawn.
    pub const PAWN: Self = Self(1);
    /// Leaps as a knight.
    pub const KNIGHT: Self = Self(2);
    /// Slides as a bishop.
    pub const DIAGONAL: Self = Self(4);
    /// Slides as a rook.
    pub const ORTHOGONAL: Self = Self(8);
    /// Steps as a king.
    pub const STEP: Self = Self(16);
    /// Rides knight leaps in one direction.
    pub const NIGHTRIDER: Self = Self(32);
    /// How many different powers there are.
    pub const COUNT: usize = 6;

    /// Name of a single power as the clients know it; empty for a combination.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PAWN => "pawn",
            Self::KNIGHT => "knight",
            Self::DIAGONAL => "diagonal",
            Self::ORTHOGONAL => "orthogonal",
            Self::STEP => "step",
            Self::NIGHTRIDER => "nightrider",
            _ => "",
        }
    }
    /// Whether all powers of `other` are among these.
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

macro_rules! roles {
    ($($name:ident $letter:literal $powers:literal $en:literal $es:literal $ru:literal;)*) => {
        /// A kind of piece. Which of them a game knows, and what they are worth there, is told by its
        /// [`VariantInfo`](crate::VariantInfo).
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Role { $($name),* }

        impl Role {
            /// Every role.
            pub const ALL: [Self; [$($letter),*].len()] = [$(Self::$name),*];
            const LETTERS: [char; Self::ALL.len()] = [$($letter),*];
            const POWERS: [u8; Self::ALL.len()] = [$($powers),*];
            /// Names in English, Spanish and Russian.
            pub const NAMES: [[&'static str; 3]; Self::ALL.len()] = [$([$en, $es, $ru]),*];
        }
    };
}
roles! {
    Pawn 'P' 1 "pawn" "peón" "пешка";
    Knight 'N' 2 "knight" "caballo" "конь";
    Bishop 'B' 4 "bishop" "alfil" "слон";
    Rook 'R' 8 "rook" "torre" "ладья";
    Queen 'Q' 12 "queen" "dama" "ферзь";
    King 'K' 16 "king" "rey" "король";
    Nightrider 'I' 32 "nightrider" "jinete nocturno" "найтрайдер";
    SuperBishop 'D' 20 "superbishop" "superalfil" "суперслон";
    Cardinal 'A' 6 "cardinal" "cardenal" "кардинал";
    SuperRook 'G' 24 "superrook" "supertorre" "суперладья";
    Chancellor 'M' 10 "chancellor" "canciller" "канцлер";
    CardinalRider 'U' 36 "cardinalrider" "cardenal jinete" "кардинал-райдер";
    SuperCardinal 'V' 22 "supercardinal" "supercardenal" "суперкардинал";
    ChancellorRider 'F' 40 "chancellorrider" "canciller jinete" "канцлер-райдер";
    SuperChancellor 'W' 26 "superchancellor" "supercanciller" "суперканцлер";
    SuperCardinalRider 'X' 52 "supercardinalrider" "supercardenal jinete" "суперкардинал-райдер";
    Amazon 'T' 14 "amazon" "amazona" "амазонка";
    SuperChancellorRider 'H' 56 "superchancellorrider" "supercanciller jinete" "суперканцлер-райдер";
    AmazonRider 'Z' 44 "amazonrider" "amazona jinete" "амазонка-райдер";
}

/// A letter that names no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the letter of a piece")]
pub struct ParseRoleError(pub char);

impl Role {
    /// How many roles there are.
    pub const COUNT: usize = Self::ALL.len();
    /// Orthodox promotion choices.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];
    const BY_POWERS: [u8; 64] = {
        let mut table = [u8::MAX; 64];
        let mut i = 0;
        while i < Self::COUNT {
            table[Self::POWERS[i] as usize] = i as u8;
            i += 1;
        }
        table
    };

    /// Position in [`Role::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
    /// Upper-case letter used in FEN, UCI and SAN.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize]
    }
    /// What the role can do.
    #[inline]
    pub const fn powers(self) -> Powers {
        Powers(Self::POWERS[self as usize])
    }
    /// The role with exactly these powers, if there is one.
    #[inline]
    pub const fn from_powers(powers: Powers) -> Option<Self> {
        let i = Self::BY_POWERS[(powers.0 & 63) as usize];
        if i == u8::MAX { None } else { Some(Self::ALL[i as usize]) }
    }
    /// The role of a letter of either case.
    ///
    /// # Errors
    /// When no role has that letter.
    pub fn from_letter(letter: char) -> Result<Self, ParseRoleError> {
        let upper = letter.to_ascii_uppercase();
        Self::LETTERS.iter().position(|&l| l == upper).map(|i| Self::ALL[i]).ok_or(ParseRoleError(letter))
    }
    /// English name.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize][0]
    }
    /// Name of the classical piece whose picture the role is drawn on.
    pub const fn shape(self) -> &'static str {
        let p = self.powers();
        match self {
            Self::Pawn | Self::Knight | Self::King | Self::Nightrider => self.name(),
            _ if p.has(Powers::DIAGONAL) && p.has(Powers::ORTHOGONAL) => "queen",
            _ if p.has(Powers::DIAGONAL) => "bishop",
            _ => "rook",
        }
    }
    /// Powers that the role has beyond its picture.
    pub fn badges(self) -> impl Iterator<Item = Powers> {
        let compound = !matches!(self, Self::Knight | Self::King | Self::Nightrider);
        [Powers::KNIGHT, Powers::NIGHTRIDER, Powers::STEP]
            .into_iter()
            .filter(move |&power| compound && self.powers().has(power))
    }
    /// Movement in Betza's notation.
    pub fn betza(self) -> String {
        if self == Self::Pawn {
            return "fmWfceFifmnD".into();
        }
        let p = self.powers();
        [
            (Powers::DIAGONAL, "B"),
            (Powers::ORTHOGONAL, "R"),
            (Powers::STEP, "K"),
            (Powers::KNIGHT, "N"),
            (Powers::NIGHTRIDER, "NN"),
        ]
        .into_iter()
        .filter(|&(power, _)| p.has(power))
        .map(|(_, text)| text)
        .collect::<String>()
        .replace("BR", "Q")
    }
}

/// A colored piece in one byte.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Piece(u8);

impl Piece {
    /// A piece of a color and a role.
    #[inline]
    pub const fn new(color: Color, role: Role) -> Self {
        Self((color as u8) << 5 | role as u8)
    }
    /// Whose it is.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 & 32 == 0 { Color::White } else { Color::Black }
    }
    /// What it is.
    #[inline]
    pub const fn role(self) -> Role {
        Role::ALL[(self.0 & 31) as usize]
    }
    /// A number below 64 for tables.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }
    /// FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.role().letter(),
            Color::Black => self.role().letter().to_ascii_lowercase(),
        }
    }
    /// The piece of a FEN letter.
    ///
    /// # Errors
    /// When no role has that letter.
    pub fn from_letter(letter: char) -> Result<Self, ParseRoleError> {
        let color = if letter.is_ascii_lowercase() { Color::Black } else { Color::White };
        Role::from_letter(letter).map(|role| Self::new(color, role))
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
