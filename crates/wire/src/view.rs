//! A game as a client shows it: what lies where, what may be done, what was done. A client that knows this needs no
//! rules.

use serde::{Serialize, Serializer};
use warpchess_rules::notation::san;
use warpchess_rules::{AnyPosition, Color, Effect, EndReason, Game, Move, MoveKind, Outcome, Place};

use crate::forms::{EffectForm, MarkerForm, PieceForm, PlaceForm, SquareName};

/// Everything about a game at its last position.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GameView {
    variant: &'static str,
    start_fen: String,
    fen: String,
    turn: &'static str,
    /// Where the turn is played; null in a game of one area.
    area: Option<char>,
    /// How many plies were played.
    ply: usize,
    fullmove: u16,
    pieces: Vec<PieceAt>,
    markers: Vec<MarkerAt>,
    /// Attacked kings of the side to move.
    check: Vec<PlaceForm>,
    /// None once the game has ended.
    legal: Legal,
    outcome: Option<OutcomeForm>,
    /// The draw that the side to move may claim.
    claimable: Option<&'static str>,
    /// What was played, from the ply on that was asked for.
    history: Vec<Played>,
}

impl GameView {
    /// Looks at a game.
    pub fn of(game: &Game) -> Self {
        Self::since(game, 0)
    }

    /// The same for a client that knows the first `known` plies: they are left out of `history`.
    pub fn since(game: &Game, known: usize) -> Self {
        Self::with(game, known, |position| Legal::Named(legal_moves(position)))
    }

    /// The same for a client that asks for the name of a move when it needs one ([`Named`]): names and checks cost more
    /// than all the rest where there are many moves, since each move is played and what comes of it looked at.
    pub fn light(game: &Game, known: usize) -> Self {
        Self::with(game, known, |position| Legal::Light(light_moves(position)))
    }

    fn with(game: &Game, known: usize, legal_of: impl FnOnce(&dyn AnyPosition) -> Legal) -> Self {
        let position = game.position();
        let info = position.info();
        let outcome = game.outcome();
        let legal = if outcome.is_some() { Legal::Named(Vec::new()) } else { legal_of(position) };
        Self {
            variant: info.id,
            start_fen: game.position_at(0).map_or_else(String::new, AnyPosition::fen),
            fen: position.fen(),
            turn: position.turn().name(),
            area: info.alternating().then(|| position.area().letter()),
            ply: game.len(),
            fullmove: position.fullmove_number(),
            pieces: pieces(position),
            markers: markers(position),
            check: check(position),
            legal,
            outcome: outcome.map(Into::into),
            claimable: game.claimable().map(EndReason::name),
            history: history(game, known),
        }
    }
}

/// The legal moves, as much of them as was asked for.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Legal {
    Named(Vec<LegalMove>),
    Light(Vec<LightMoves>),
}

/// Legal moves made with the same gesture, told once: what follows each other and differs in what is chosen afterwards
/// alone. They are [`LegalMove`]s without `san` and `check`, and without what is null or empty.
#[derive(Clone, Debug, Serialize)]
struct LightMoves {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mover: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<PlaceForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<PlaceForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<PlaceForm>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    captures: Vec<PlaceForm>,
    ways: Vec<Way>,
}

/// One of them: `[uci, exit, role]`, without nulls at the end. The exit is a square of the area that the gesture ends in.
#[derive(Clone, Debug)]
struct Way {
    uci: String,
    exit: Option<SquareName>,
    role: Option<char>,
}

impl Serialize for Way {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (&self.exit, self.role) {
            (None, None) => [&self.uci].serialize(serializer),
            (exit, None) => (&self.uci, exit).serialize(serializer),
            (exit, role) => (&self.uci, exit, role).serialize(serializer),
        }
    }
}

fn light_moves(position: &dyn AnyPosition) -> Vec<LightMoves> {
    let mut found: Vec<LightMoves> = Vec::new();
    let mut before = None;
    for &m in &position.legal_moves() {
        let Gesture { mover, from, to, via, exit } = Gesture::of(position, m);
        let way = Way {
            uci: m.to_string(),
            exit: exit.and_then(|place| match place {
                Place::Board(_, square) => Some(SquareName(square)),
                _ => None,
            }),
            role: chosen_role(m),
        };
        let gesture = Some((m.kind(), mover, from, to, via));
        match found.last_mut().filter(|_| gesture == before) {
            Some(same) => same.ways.push(way),
            None => {
                let place = |place: Option<Place>| place.map(PlaceForm::from);
                found.push(LightMoves {
                    kind: m.kind().name(),
                    mover,
                    from: place(from),
                    to: place(to),
                    via: place(via),
                    // Neither where a piece comes out nor what it becomes decides what is taken.
                    captures: captures(&position.boxed_clone().play(m), !position.turn()),
                    ways: vec![way],
                });
            }
        }
        before = gesture;
    }
    found
}

/// What a move is called, and whether it leaves the other side's king attacked.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    san: String,
    check: bool,
}

impl Named {
    /// A legal move.
    pub fn of(position: &dyn AnyPosition, m: Move) -> Self {
        let mut next = position.boxed_clone();
        next.play(m);
        Self { san: san::write(position, m), check: next.in_check() }
    }
}

/// A piece where it is.
#[derive(Clone, Debug, Serialize)]
struct PieceAt {
    piece: PieceForm,
    at: PlaceForm,
}

/// A marker where it is.
#[derive(Clone, Debug, Serialize)]
struct MarkerAt {
    #[serde(flatten)]
    marker: MarkerForm,
    at: PlaceForm,
    /// Where it leads, for a declared teleport.
    to: Option<PlaceForm>,
    /// How many lie there.
    count: u8,
}

/// How the game has ended.
#[derive(Clone, Debug, Serialize)]
struct OutcomeForm {
    winner: Option<&'static str>,
    reason: &'static str,
}

impl From<Outcome> for OutcomeForm {
    fn from(outcome: Outcome) -> Self {
        Self { winner: outcome.winner.map(Color::name), reason: outcome.reason.name() }
    }
}

/// A move that was played.
#[derive(Clone, Debug, Serialize)]
struct Played {
    uci: String,
    san: String,
    turn: &'static str,
    fullmove: u16,
    /// What it did, in order: replayed on what lay where before, they give what lay where after.
    effects: Vec<EffectForm>,
    /// The position after it.
    fen: String,
}

/// A move that may be played, and the gestures that mean it: pick up at `from`, release at `to`, then choose `exit` or
/// `role` if several moves share what was chosen so far.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LegalMove {
    uci: String,
    san: String,
    kind: &'static str,
    /// What is picked up: a piece, or a marker where both may lie on a square. Null for a pass, which is a button.
    mover: Option<&'static str>,
    from: Option<PlaceForm>,
    to: Option<PlaceForm>,
    /// The portal passed, for drawing.
    via: Option<PlaceForm>,
    /// The portal a piece comes out at, where it has a choice.
    exit: Option<PlaceForm>,
    /// What a piece becomes, where it has a choice.
    role: Option<char>,
    /// Where enemy pieces are taken.
    captures: Vec<PlaceForm>,
    /// Whether it leaves the other side's king attacked.
    check: bool,
}

/// The legal moves of a position, as a client needs them. Where several differ in what a piece becomes, the strongest
/// choice comes first, as a client will offer them.
pub fn legal_moves(position: &dyn AnyPosition) -> Vec<LegalMove> {
    let moves = position.legal_moves();
    let names = san::names(position, &moves);
    moves.iter().zip(names).map(|(&m, name)| LegalMove::of(position, m, name)).collect()
}

impl LegalMove {
    /// Its UCI text.
    pub fn uci(&self) -> &str {
        &self.uci
    }

    /// A move for a later turn: what it will be called and whether it will give check is not known.
    pub(crate) fn ahead(m: Move, gesture: Gesture, taken: Option<Place>) -> Self {
        let uci = m.to_string();
        Self::from_parts(m, uci, gesture, taken.map(PlaceForm::from).into_iter().collect(), false)
    }

    fn from_parts(m: Move, san: String, gesture: Gesture, captures: Vec<PlaceForm>, check: bool) -> Self {
        Self {
            uci: m.to_string(),
            san,
            kind: m.kind().name(),
            mover: gesture.mover,
            from: gesture.from.map(Into::into),
            to: gesture.to.map(Into::into),
            via: gesture.via.map(Into::into),
            exit: gesture.exit.map(Into::into),
            role: chosen_role(m),
            captures,
            check,
        }
    }
}

/// What a piece becomes, where it has a choice. A dropped piece is what is in the pocket: nothing to choose.
fn chosen_role(m: Move) -> Option<char> {
    m.role().filter(|_| m.kind() != MoveKind::Drop).map(|role| role.letter())
}

/// The pieces of a position.
fn pieces(position: &dyn AnyPosition) -> Vec<PieceAt> {
    let form = |(at, piece): (Place, _)| PieceAt { piece: PieceForm::from(piece), at: at.into() };
    position.pieces().into_iter().map(form).collect()
}

/// The markers of a position.
fn markers(position: &dyn AnyPosition) -> Vec<MarkerAt> {
    let views = position.markers().into_iter();
    views
        .map(|v| MarkerAt { marker: v.marker.into(), at: v.at.into(), to: v.to.map(Into::into), count: v.count })
        .collect()
}

/// The attacked kings of the side to move.
fn check(position: &dyn AnyPosition) -> Vec<PlaceForm> {
    position.checked_kings().into_iter().map(|(area, square)| PlaceForm::board(area, square)).collect()
}

/// What was played after the first `known` plies.
fn history(game: &Game, known: usize) -> Vec<Played> {
    let played = game.moves().enumerate().skip(known).filter_map(|(ply, m)| {
        let (before, after) = (game.position_at(ply)?, game.position_at(ply + 1)?);
        Some(Played {
            uci: m.to_string(),
            san: game.san(ply)?,
            turn: before.turn().name(),
            fullmove: before.fullmove_number(),
            effects: game.effects(ply).iter().copied().map(Into::into).collect(),
            fen: after.fen(),
        })
    });
    played.collect()
}

impl LegalMove {
    /// A legal move of `position`, and its name for people without what comes of it.
    fn of(position: &dyn AnyPosition, m: Move, mut san: String) -> Self {
        let mut next = position.boxed_clone();
        let effects = next.play(m);
        san.push_str(san::mark_of(&*next));
        let captures = captures(&effects, !position.turn());
        Self::from_parts(m, san, Gesture::of(position, m), captures, next.in_check())
    }
}

const PIECE: Option<&str> = Some("piece");
const MARKER: Option<&str> = Some("marker");

/// How a move is made with the hand.
pub(crate) struct Gesture {
    mover: Option<&'static str>,
    pub(crate) from: Option<Place>,
    pub(crate) to: Option<Place>,
    via: Option<Place>,
    exit: Option<Place>,
}

impl Gesture {
    pub(crate) fn of(position: &dyn AnyPosition, m: Move) -> Self {
        let (area, us) = (position.area(), position.turn());
        let here = |square| Place::Board(area, square);
        let (from, to) = (here(m.from()), here(m.to()));
        let plain = |mover, from, to| Self { mover, from: Some(from), to: Some(to), via: None, exit: None };
        match m.kind() {
            MoveKind::Normal
            | MoveKind::DoubleStep
            | MoveKind::EnPassant
            | MoveKind::Castle
            | MoveKind::Promotion
            | MoveKind::Swap => plain(PIECE, from, to),
            MoveKind::Pocket => plain(PIECE, from, Place::Pocket(us)),
            MoveKind::Drop => plain(PIECE, Place::Pocket(us), to),
            MoveKind::Enter => Self { exit: Some(here(m.aux())), ..plain(PIECE, from, to) },
            MoveKind::Travel => Self { via: Some(here(m.aux())), ..plain(PIECE, from, to) },
            MoveKind::Place => plain(MARKER, Place::Hand(us), to),
            MoveKind::Shift => plain(MARKER, from, to),
            MoveKind::Declare => {
                let to = position.info().linked(area, m.from()).map(|(area, square)| Place::Board(area, square));
                Self { to, ..plain(PIECE, from, from) }
            }
            MoveKind::Transfer => {
                // The piece comes from the other area, or from between the two.
                let lifted = Place::Transit(us);
                let in_transit = position.pieces().iter().any(|&(at, _)| at == lifted);
                let from = if in_transit { lifted } else { Place::Board(area.other(), m.from()) };
                plain(PIECE, from, to)
            }
            MoveKind::Pass => Self { mover: None, from: None, to: None, via: None, exit: None },
        }
    }
}

/// Where pieces of `them` vanish for good. One that vanishes to reappear as another on its square was promoted, not taken.
fn captures(effects: &[Effect], them: Color) -> Vec<PlaceForm> {
    let promoted = |place: Place| {
        effects.iter().any(|e| matches!(e, Effect::Add { piece, at } if piece.color() == them && *at == place))
    };
    let taken = effects.iter().filter_map(|effect| match effect {
        Effect::Remove { piece, at } if piece.color() == them && !promoted(*at) => Some(*at),
        _ => None,
    });
    taken.map(PlaceForm::from).collect()
}
