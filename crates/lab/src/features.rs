//! What a turn was besides a move: told by the kind of move and by its effects.

use warpchess_rules::{AnyPosition, Effect, MarkerKind, Move, MoveKind, Place, VariantInfo};

/// Something that turns of a game can be.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Feature {
    /// A kind of move.
    Kind(MoveKind),
    /// A piece changes what it is on its way into the pocket.
    Mutation,
    /// A portal's move that takes a piece elsewhere.
    Carry,
    /// Two portals meet.
    BlackHole,
    /// A pawn promotes by a kind of move that is not for it.
    Promotes(MoveKind),
}

impl Feature {
    /// Those that a game has, in the order in which they are told. Ordinary moves and double steps are none.
    pub fn of_game(info: &VariantInfo) -> Vec<Self> {
        let mut features = Vec::new();
        for &kind in info.kinds {
            if matches!(kind, MoveKind::Normal | MoveKind::DoubleStep) {
                continue;
            }
            features.push(Self::Kind(kind));
            match kind {
                MoveKind::Pocket => features.push(Self::Mutation),
                MoveKind::Shift => features.extend([Self::Carry, Self::BlackHole, Self::Promotes(kind)]),
                MoveKind::Swap | MoveKind::Travel => features.push(Self::Promotes(kind)),
                _ => {}
            }
        }
        // What is special about the game comes first.
        features.sort_by_key(|feature| !feature.special());
        features
    }

    /// Those of a turn.
    pub fn of_turn(before: &dyn AnyPosition, m: Move, effects: &[Effect]) -> Vec<Self> {
        let mut features = Vec::new();
        match m.kind() {
            MoveKind::Normal | MoveKind::DoubleStep => return features,
            kind => features.push(Self::Kind(kind)),
        }
        match m.kind() {
            MoveKind::Pocket => {
                let role = before.piece_at(before.area(), m.from()).map(|piece| piece.role());
                if role != m.role() {
                    features.push(Self::Mutation);
                }
            }
            MoveKind::Shift => {
                let carried = |effect: &Effect| {
                    matches!(effect, Effect::Move { from: Place::Board(..), to: Place::Board(..), .. })
                };
                let locked = |effect: &Effect| matches!(effect, Effect::MarkerAdd { marker, .. } if marker.kind == MarkerKind::Locked);
                if effects.iter().any(carried) || m.role().is_some() {
                    features.push(Self::Carry);
                }
                if effects.iter().any(locked) {
                    features.push(Self::BlackHole);
                }
            }
            _ => {}
        }
        if matches!(m.kind(), MoveKind::Swap | MoveKind::Travel | MoveKind::Shift) && m.role().is_some() {
            features.push(Self::Promotes(m.kind()));
        }
        features
    }

    /// Name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kind(kind) => kind.name(),
            Self::Mutation => "mutation",
            Self::Carry => "carry",
            Self::BlackHole => "blackHole",
            Self::Promotes(MoveKind::Swap) => "swapPromotion",
            Self::Promotes(MoveKind::Travel) => "travelPromotion",
            Self::Promotes(_) => "shiftPromotion",
        }
    }

    /// Name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Kind(kind) => match kind {
                MoveKind::Normal => "move",
                MoveKind::DoubleStep => "double step",
                MoveKind::EnPassant => "en passant",
                MoveKind::Castle => "castling",
                MoveKind::Promotion => "promotion",
                MoveKind::Swap => "exchange of squares",
                MoveKind::Pocket => "into the pocket",
                MoveKind::Drop => "drop",
                MoveKind::Enter => "portal entered",
                MoveKind::Travel => "through the portals",
                MoveKind::Place => "portal placed",
                MoveKind::Shift => "portal moved",
                MoveKind::Declare => "teleport declared",
                MoveKind::Transfer => "teleport made",
                MoveKind::Pass => "forced pass",
            },
            Self::Mutation => "… as another piece",
            Self::Carry => "… taking a piece along",
            Self::BlackHole => "… making a black hole",
            Self::Promotes(_) => "… promoting a pawn",
        }
    }

    /// Whether chess does not have it.
    pub const fn special(self) -> bool {
        !matches!(
            self,
            Self::Kind(
                MoveKind::Normal | MoveKind::DoubleStep | MoveKind::EnPassant | MoveKind::Castle | MoveKind::Promotion
            )
        )
    }

    /// Whether it is a choice that can decide a game: neither setting up nor having to pass.
    pub const fn decides(self) -> bool {
        self.special() && !matches!(self, Self::Kind(MoveKind::Place | MoveKind::Pass))
    }

    /// Whether it is only told as a part of another.
    pub const fn part(self) -> bool {
        !matches!(self, Self::Kind(_))
    }
}
