use super::{Area, Color, Piece, Square};

/// A spot a piece or a marker can be at.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A square of an area.
    Board(Area, Square),
    /// The pocket of a side.
    Pocket(Color),
    /// Lifted off the board by a teleport that is still under way.
    Transit(Color),
    /// A portal that its owner has not placed yet.
    Hand(Color),
}

/// What a marker is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum MarkerKind {
    /// A portal that works.
    Portal,
    /// Two portals that met: a black hole spent, no longer of any effect.
    Locked,
    /// A declared teleport, from its place to where it leads.
    Declared,
    /// A declared teleport that cannot take place.
    Blocked,
}

/// Something on a square that is no piece.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Marker {
    /// What it is.
    pub kind: MarkerKind,
    /// Whose it is; `None` for neutral ones.
    pub owner: Option<Color>,
}

/// A marker as it lies on the board.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct MarkerView {
    /// Which marker.
    pub marker: Marker,
    /// Where.
    pub at: Place,
    /// Where it leads, for declared teleports.
    pub to: Option<Place>,
    /// How many lie there.
    pub count: u8,
}

/// One step of what a move does, in order. Replaying all effects on pieces and markers rebuilds the board.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Effect {
    /// A piece comes into being (a promotion's new piece, a drop that changes it).
    Add { piece: Piece, at: Place },
    /// A piece vanishes (capture, promotion's pawn, black hole).
    Remove { piece: Piece, at: Place },
    /// A piece goes from one place to another.
    Move { piece: Piece, from: Place, to: Place },
    /// A marker appears.
    MarkerAdd { marker: Marker, at: Place },
    /// A marker vanishes.
    MarkerRemove { marker: Marker, at: Place },
    /// A marker goes from one place to another.
    MarkerMove { marker: Marker, from: Place, to: Place },
}

/// Listens to the effects of a move as it is played: a client that animates, an evaluator's accumulators.
/// `()` listens to nothing and costs nothing.
pub trait Observer {
    /// Called once for each effect, in order.
    fn effect(&mut self, effect: Effect);
}

impl Observer for () {
    #[inline(always)]
    fn effect(&mut self, _: Effect) {}
}

impl Observer for Vec<Effect> {
    fn effect(&mut self, effect: Effect) {
        self.push(effect);
    }
}

impl MarkerKind {
    /// Name as the clients know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portal => "portal",
            Self::Locked => "locked",
            Self::Declared => "declared",
            Self::Blocked => "blocked",
        }
    }
}
