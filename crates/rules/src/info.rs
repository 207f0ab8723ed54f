//! What a game is made of, told as data: clients, engines and documents read it instead of knowing games by name.

use crate::core::{Area, Bitboard, Color, Marker, MoveKind, Powers, Role, Square};
use serde_json::{Value, json};

/// A playing board as it is drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BoardInfo {
    /// Its letter.
    pub id: char,
    /// Files after which a gap is drawn.
    pub dividers: &'static [char],
}

/// A part of the boards that has its own turns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct AreaInfo {
    /// Which area.
    pub area: Area,
    /// The board it lies on.
    pub board: char,
    /// Its squares.
    pub squares: Bitboard,
}

/// A kind of piece as one game knows it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RoleInfo {
    /// Which.
    pub role: Role,
    /// Worth in hundredths of a pawn; 0 for the king.
    pub value: i32,
    /// The class within which pieces may change into each other, where a game has such.
    pub class: Option<u8>,
}

/// Something that an evaluation may count in the positions of one game and of no other, with what one of it is worth to
/// begin with. What is really used may have been fitted to games.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name among the game's features.
    pub name: &'static str,
    /// Worth of one with all pieces on the boards, in hundredths of a pawn.
    pub middlegame: i32,
    /// Worth of one with none left but kings and pawns.
    pub endgame: i32,
}

impl Feature {
    /// A feature by its name and its worth.
    pub const fn new(name: &'static str, middlegame: i32, endgame: i32) -> Self {
        Self { name, middlegame, endgame }
    }
}

/// The most features a game may have.
pub const MAX_FEATURES: usize = 16;

/// Two squares that lead to each other for good.
pub type Link = ((Area, Square), (Area, Square));

/// Everything about a game that is not its rules. One `static` a game, in the game's own file.
///
/// Texts are in English, Spanish and Russian, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantInfo {
    /// Name in addresses, UCI, PGN and on the command line.
    pub id: &'static str,
    /// Name for people.
    pub names: [&'static str; 3],
    /// One sentence that says what is special.
    pub summary: [&'static str; 3],
    /// Other names a PGN may use.
    pub aliases: &'static [&'static str],
    /// The position the game begins with.
    pub start_fen: &'static str,
    /// Boards, in drawing order.
    pub boards: &'static [BoardInfo],
    /// Areas: one, or two that are played alternately.
    pub areas: &'static [AreaInfo],
    /// The pieces there are.
    pub roles: &'static [RoleInfo],
    /// Markers that can be moved or used.
    pub markers: &'static [Marker],
    /// Squares linked for good, each pair once.
    pub links: &'static [Link],
    /// Whether each side has a pocket.
    pub pocket: bool,
    /// Whether there is castling.
    pub castling: bool,
    /// The kinds of moves that exist.
    pub kinds: &'static [MoveKind],
    /// What an evaluation should count besides what it knows of all games, [`MAX_FEATURES`] at most; see
    /// [`Position::features`](crate::Position::features).
    pub features: &'static [Feature],
    /// Whether passing can be worth more than any move, so that a search must not assume that moving helps.
    pub zugzwang: bool,
    /// Raised when a change of the rules can make a stored game illegal.
    pub rules_version: u16,
}

/// The orthodox set with its usual values.
pub const ORTHODOX_ROLES: &[RoleInfo] = &[
    RoleInfo { role: Role::Pawn, value: 100, class: None },
    RoleInfo { role: Role::Knight, value: 320, class: None },
    RoleInfo { role: Role::Bishop, value: 330, class: None },
    RoleInfo { role: Role::Rook, value: 500, class: None },
    RoleInfo { role: Role::Queen, value: 950, class: None },
    RoleInfo { role: Role::King, value: 0, class: None },
];

/// One undivided board.
pub const ONE_BOARD: &[BoardInfo] = &[BoardInfo { id: 'A', dividers: &[] }];
/// One area of 64 squares.
pub const ONE_AREA: &[AreaInfo] = &[AreaInfo { area: Area::A, board: 'A', squares: Bitboard::ALL }];

impl VariantInfo {
    /// Whether turns alternate between two areas.
    pub const fn alternating(&self) -> bool {
        self.areas.len() > 1
    }
    /// Worth of a role in hundredths of a pawn; 0 for one that the game does not have.
    pub fn value(&self, role: Role) -> i32 {
        self.roles.iter().find(|r| r.role == role).map_or(0, |r| r.value)
    }
    /// Whether the game has a role.
    pub fn has_role(&self, role: Role) -> bool {
        self.roles.iter().any(|r| r.role == role)
    }
    /// The square at the other end of a fixed link.
    pub fn linked(&self, area: Area, square: Square) -> Option<(Area, Square)> {
        self.links.iter().find_map(|&(a, b)| match (area, square) {
            end if end == a => Some(b),
            end if end == b => Some(a),
            _ => None,
        })
    }
    /// Whether a name, however written, means this game: case, blanks and punctuation do not matter.
    pub fn is_named(&self, name: &str) -> bool {
        let name = fold(name);
        !name.is_empty() && [self.id].iter().chain(&self.names).chain(self.aliases).any(|n| fold(n) == name)
    }
    /// The form in which clients get it.
    pub fn to_json(&self) -> Value {
        let square = |(area, square): (Area, Square)| json!({"area": area.letter(), "square": square.to_string()});
        json!({
            "id": self.id,
            "names": texts(self.names),
            "summary": texts(self.summary),
            "boards": self.boards.iter().map(|b| json!({
                "id": b.id, "files": 8, "ranks": 8, "dividers": b.dividers,
            })).collect::<Vec<_>>(),
            "areas": self.areas.iter().map(|a| json!({
                "id": a.area.letter(), "board": a.board,
                "squares": a.squares.into_iter().map(|s| s.to_string()).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "roles": self.roles.iter().map(|r| json!({
                "letter": r.role.letter(), "names": texts(Role::NAMES[r.role.index()]), "betza": r.role.betza(),
                "value": r.value, "class": r.class, "shape": r.role.shape(),
                "badges": r.role.badges().map(Powers::name).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "markers": self.markers.iter().map(|m| json!({
                "kind": m.kind.name(), "owner": m.owner.map(Color::name),
            })).collect::<Vec<_>>(),
            "links": self.links.iter().map(|&(a, b)| json!([square(a), square(b)])).collect::<Vec<_>>(),
            "pocket": self.pocket,
            "alternating": self.alternating(),
            "castling": self.castling,
            "startFen": self.start_fen,
            "moveKinds": self.kinds.iter().map(|k| k.name()).collect::<Vec<_>>(),
            "rulesVersion": self.rules_version,
        })
    }
}

fn texts([en, es, ru]: [&str; 3]) -> Value {
    json!({"en": en, "es": es, "ru": ru})
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
