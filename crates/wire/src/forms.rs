//! The small things that requests and replies are made of.

use serde::{Serialize, Serializer};
use warpchess_rules::{Area, Color, Effect, Marker, Piece, Place, Square};

/// A spot something can be at: `{"area": "A", "square": "e4"}`, `{"pocket": "white"}`, `{"transit": "white"}` (lifted off,
/// between two boards) or `{"hand": "white"}` (a portal not placed yet).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", untagged)]
pub(crate) enum PlaceForm {
    Board { area: char, square: SquareName },
    Pocket { pocket: &'static str },
    Transit { transit: &'static str },
    Hand { hand: &'static str },
}

/// `"e4"`. Replies hold hundreds of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SquareName(pub(crate) Square);

impl Serialize for SquareName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut name = [0; 2];
        let (file, rank) = name.split_at_mut(1);
        self.0.file_char().encode_utf8(file);
        self.0.rank_char().encode_utf8(rank);
        serializer.serialize_str(std::str::from_utf8(&name).unwrap_or_default())
    }
}

impl PlaceForm {
    pub(crate) fn board(area: Area, square: Square) -> Self {
        Place::Board(area, square).into()
    }
}

impl From<Place> for PlaceForm {
    fn from(place: Place) -> Self {
        match place {
            Place::Board(area, square) => Self::Board { area: area.letter(), square: SquareName(square) },
            Place::Pocket(color) => Self::Pocket { pocket: color.name() },
            Place::Transit(color) => Self::Transit { transit: color.name() },
            Place::Hand(color) => Self::Hand { hand: color.name() },
        }
    }
}

/// `{"color": "white", "role": "N"}`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PieceForm {
    color: &'static str,
    role: char,
}

impl From<Piece> for PieceForm {
    fn from(piece: Piece) -> Self {
        Self { color: piece.color().name(), role: piece.role().letter() }
    }
}

/// `{"kind": "portal", "owner": null}`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MarkerForm {
    kind: &'static str,
    owner: Option<&'static str>,
}

impl From<Marker> for MarkerForm {
    fn from(marker: Marker) -> Self {
        Self { kind: marker.kind.name(), owner: marker.owner.map(Color::name) }
    }
}

/// A step of what a move does.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub(crate) enum EffectForm {
    Add { piece: PieceForm, at: PlaceForm },
    Remove { piece: PieceForm, at: PlaceForm },
    Move { piece: PieceForm, from: PlaceForm, to: PlaceForm },
    MarkerAdd { marker: MarkerForm, at: PlaceForm },
    MarkerRemove { marker: MarkerForm, at: PlaceForm },
    MarkerMove { marker: MarkerForm, from: PlaceForm, to: PlaceForm },
}

impl From<Effect> for EffectForm {
    fn from(effect: Effect) -> Self {
        match effect {
            Effect::Add { piece, at } => Self::Add { piece: piece.into(), at: at.into() },
            Effect::Remove { piece, at } => Self::Remove { piece: piece.into(), at: at.into() },
            Effect::Move { piece, from, to } => Self::Move { piece: piece.into(), from: from.into(), to: to.into() },
            Effect::MarkerAdd { marker, at } => Self::MarkerAdd { marker: marker.into(), at: at.into() },
            Effect::MarkerRemove { marker, at } => Self::MarkerRemove { marker: marker.into(), at: at.into() },
            Effect::MarkerMove { marker, from, to } => {
                Self::MarkerMove { marker: marker.into(), from: from.into(), to: to.into() }
            }
        }
    }
}
