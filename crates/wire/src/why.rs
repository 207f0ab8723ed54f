//! Why a move that somebody tried is not among the legal ones, as far as that can be told from what lies where.

use serde::{Deserialize, Serialize};
use warpchess_rules::{AnyPosition, Area, Color, MarkerKind, Piece, Place, Powers, Role, Square};

use crate::error::{Error, Field};
use crate::forms::PlaceForm;

/// Two squares between which a move was tried.
#[derive(Clone, Debug, Deserialize)]
pub struct Tried {
    from: SquareText,
    to: SquareText,
}

/// A square as a client writes it.
#[derive(Clone, Debug, Deserialize)]
struct SquareText {
    area: char,
    square: String,
}

/// The reason, and the place that makes it.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Why {
    reason: &'static str,
    at: Option<PlaceForm>,
}

impl Why {
    const fn plain(reason: &'static str) -> Self {
        Self { reason, at: None }
    }
    fn at(reason: &'static str, area: Area, square: Square) -> Self {
        Self { reason, at: Some(PlaceForm::board(area, square)) }
    }
}

impl SquareText {
    fn read(&self) -> Result<(Area, Square), Error> {
        let area = match self.area {
            'A' => Area::A,
            'B' => Area::B,
            other => return Err(Error::new(Field::Request, format_args!("the area is 'A' or 'B', not '{other}'"))),
        };
        let square = self.square.parse().map_err(|error| Error::new(Field::Request, error))?;
        Ok((area, square))
    }
}

/// Why the piece on one square may not go to another.
///
/// # Errors
/// A square that cannot be read.
pub(crate) fn why(position: &dyn AnyPosition, tried: &Tried) -> Result<Why, Error> {
    let (from_area, from) = tried.from.read()?;
    let (to_area, to) = tried.to.read()?;
    let Some(piece) = position.piece_at(from_area, from) else { return Ok(Why::plain("other")) };
    if from_area != to_area {
        return Ok(Why::plain("otherArea"));
    }
    if from_area != position.area() || piece.color() != position.turn() {
        return Ok(Why::plain("notDue"));
    }
    let scene = Scene { position, area: from_area };
    Ok(match obstacle(&scene, piece, from, to) {
        Some(why) => why,
        None if piece.role() == Role::King => Why::plain("attacked"),
        None if position.in_check() => Why::plain("check"),
        None => Why::plain("exposes"),
    })
}

/// One area of a position.
struct Scene<'a> {
    position: &'a dyn AnyPosition,
    area: Area,
}

impl Scene<'_> {
    fn piece(&self, square: Square) -> Option<Piece> {
        self.position.piece_at(self.area, square)
    }
    fn portal(&self, square: Square) -> bool {
        let here = Place::Board(self.area, square);
        self.position.markers().iter().any(|m| m.marker.kind == MarkerKind::Portal && m.at == here)
    }
    /// What stands in the way on the squares before `to`, a step at a time.
    fn between(&self, from: Square, to: Square, step: (i8, i8)) -> Option<Why> {
        let mut at = from.step(step.0, step.1)?;
        while at != to {
            if self.piece(at).is_some() {
                return Some(Why::at("piece", self.area, at));
            }
            if self.portal(at) {
                return Some(Why::at("portalBetween", self.area, at));
            }
            at = at.step(step.0, step.1)?;
        }
        None
    }
}

/// What keeps a piece from its square, the safety of kings aside.
fn obstacle(scene: &Scene<'_>, piece: Piece, from: Square, to: Square) -> Option<Why> {
    let (files, ranks) = distance(from, to);
    if files == 0 && ranks == 0 {
        return Some(Why::plain("other"));
    }
    let way = if piece.role() == Role::Pawn {
        pawn_way(scene, piece.color(), from, to)
    } else {
        way(scene, piece.role().powers(), from, to)
    };
    if let Err(why) = way {
        let castles = piece.role() == Role::King && ranks == 0 && files.abs() == 2;
        return Some(if castles && why.reason == "shape" { Why::plain("castle") } else { why });
    }
    if scene.piece(to).is_some_and(|there| there.color() == piece.color()) {
        return Some(Why::at("own", scene.area, to));
    }
    scene.portal(to).then(|| Why::at("portal", scene.area, to))
}

fn distance(from: Square, to: Square) -> (i8, i8) {
    let apart = |a: u8, b: u8| b.cast_signed() - a.cast_signed();
    (apart(from.file(), to.file()), apart(from.rank(), to.rank()))
}

/// The way of a piece other than a pawn; of several, the first that is free.
fn way(scene: &Scene<'_>, powers: Powers, from: Square, to: Square) -> Result<(), Why> {
    let (files, ranks) = distance(from, to);
    let (wide, high) = (files.abs(), ranks.abs());
    let straight = wide == 0 || high == 0;
    let slides = (straight && powers.has(Powers::ORTHOGONAL)) || (wide == high && powers.has(Powers::DIAGONAL));
    let steps = powers.has(Powers::STEP) && wide.max(high) == 1;
    let leaps = powers.has(Powers::KNIGHT) && wide.min(high) == 1 && wide.max(high) == 2;
    let rides = powers.has(Powers::NIGHTRIDER) && (wide == 2 * high || high == 2 * wide) && wide + high > 0;
    if steps || leaps {
        return Ok(());
    }
    if slides {
        return scene.between(from, to, (files.signum(), ranks.signum())).map_or(Ok(()), Err);
    }
    if rides {
        let leaps = wide.min(high);
        return scene.between(from, to, (files / leaps, ranks / leaps)).map_or(Ok(()), Err);
    }
    Err(Why::plain("shape"))
}

fn pawn_way(scene: &Scene<'_>, color: Color, from: Square, to: Square) -> Result<(), Why> {
    let (files, ranks) = distance(from, to);
    let forward = if color == Color::White { 1 } else { -1 };
    let ahead = ranks * forward;
    match (files.abs(), ahead) {
        (0, 1 | 2) => {
            if ahead == 2 && from.rank() != color.rank(1) {
                return Err(Why::plain("shape"));
            }
            if let Some(why) = scene.between(from, to, (0, forward)) {
                return Err(why);
            }
            if scene.piece(to).is_some() { Err(Why::at("piece", scene.area, to)) } else { Ok(()) }
        }
        (1, 1) if scene.piece(to).is_none() && !scene.portal(to) => Err(Why::plain("noCapture")),
        (1, 1) => Ok(()),
        _ => Err(Why::plain("shape")),
    }
}
