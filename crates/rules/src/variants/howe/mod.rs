//! Portal chess for two areas whose turns alternate: the game on two boards and the game on one divided board differ only
//! in their [`Geometry`].
//!
//! Within an area pieces move as in chess; what is special is time. The turns go White in A, Black in B, White in B,
//! Black in A, so after White's turn the area due changes and after Black's it stays. Hence a declared teleport needs
//! no area of its own: White's always leads into the area due, Black's leads there when Black is to move and out of it
//! when White is.
//!
//! Source: David Howe, "Portal Chess" (1997), <https://www.chessvariants.org/boardrules.dir/portal.html>: the forms for two
//! sets and for one.

mod fen;
mod generate;
mod play;
mod terms;
#[cfg(test)]
mod tests;

use crate::core::zobrist::{self, Domain};
use crate::core::{
    Area, Bitboard, Board, Castling, Color, Core, Marker, MarkerKind, MarkerView, Move, MoveKind, MoveSink, Observer,
    Piece, Place, Role, Square,
};
use crate::info::{MAX_FEATURES, VariantInfo};
use crate::movement::orthodox::is_attacked;
use crate::notation::fen::FenError;
use crate::position::{Position, Which};
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::ControlFlow;
pub(super) use terms::FEATURES;

/// Both areas.
const BOTH: [Area; 2] = [Area::A, Area::B];

/// Where a game of this family is played.
pub trait Geometry: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The game as data.
    const INFO: &'static VariantInfo;
    /// The squares of each area.
    const AREAS: [Bitboard; 2];
    /// The portal squares of each area.
    const PORTALS: [Bitboard; 2];
    /// Index change from a portal of A to its counterpart in B.
    const SHIFT: i8;
    /// The castling rights an area can have.
    const RIGHTS: [Castling; 2];

    /// The squares of an area.
    #[inline]
    fn squares(area: Area) -> Bitboard {
        Self::AREAS[area.index()]
    }
    /// The portal squares of an area.
    #[inline]
    fn portals(area: Area) -> Bitboard {
        Self::PORTALS[area.index()]
    }
    /// Where a portal square of an area leads, in the other area.
    #[inline]
    fn linked(area: Area, square: Square) -> Square {
        match area {
            Area::A => square.offset(Self::SHIFT),
            Area::B => square.offset(-Self::SHIFT),
        }
    }
}

/// What has become of a declared teleport.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum State {
    /// It will take place.
    Open,
    /// A friendly piece stood at the other end: the next turn is a pass.
    Blocked,
    /// The piece, of this role, was lifted off by the enemy's teleport and will land.
    Transit(Role),
}

/// A declared teleport.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Intent {
    /// The portal square from which it was declared.
    square: Square,
    state: State,
}

impl Intent {
    fn key(self, owner: Color) -> u64 {
        let state = match self.state {
            State::Open => 0,
            State::Blocked => 1,
            State::Transit(role) => 2 + role.index(),
        };
        zobrist::key(Domain::Declared, (state << 7 | owner.index() << 6 | self.square.index()) as u32)
    }
    const fn marker(self, owner: Color) -> Marker {
        let kind = if matches!(self.state, State::Blocked) { MarkerKind::Blocked } else { MarkerKind::Declared };
        Marker { kind, owner: Some(owner) }
    }
    const fn place(self, owner: Color, source: Area) -> Place {
        if matches!(self.state, State::Transit(_)) { Place::Transit(owner) } else { Place::Board(source, self.square) }
    }
}

const DUE_KEY: u64 = zobrist::key(Domain::Due, 0);

/// A position of portal chess in two areas with alternating turns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Howe<G> {
    core: Core<2>,
    intents: [Option<Intent>; 2],
    due: Area,
    geometry: PhantomData<G>,
}

impl<G: Geometry> Howe<G> {
    /// The board of an area: its pieces stand on the squares of that area only.
    pub fn board(&self, area: Area) -> &Board {
        self.core.board_of(area)
    }
    #[inline]
    fn intent(&self, color: Color) -> Option<Intent> {
        self.intents[color.index()]
    }
    #[inline]
    fn set_intent(&mut self, color: Color, intent: Option<Intent>) {
        let slot = &mut self.intents[color.index()];
        for changed in [*slot, intent].into_iter().flatten() {
            self.core.toggle_hash(changed.key(color));
        }
        *slot = intent;
    }
    /// The area in which a declared teleport of this color was declared: that of the color's last turn.
    #[inline]
    fn source(&self, color: Color) -> Area {
        if color == Color::Black && self.core.turn() == Color::White { self.due } else { self.due.other() }
    }
    /// Where a color's declared teleport leads.
    #[inline]
    fn goal(&self, color: Color, intent: Intent) -> (Area, Square) {
        let source = self.source(color);
        (source.other(), G::linked(source, intent.square))
    }
    /// Where the piece of a color's declared teleport will come down, unless nothing prevents it.
    #[inline]
    fn open_goal(&self, color: Color) -> Option<(Area, Square)> {
        let intent = self.intent(color)?;
        if intent.state == State::Open { Some(self.goal(color, intent)) } else { None }
    }
    /// The king of a color, if it is on a board.
    fn king(&self, color: Color) -> Option<(Area, Square)> {
        BOTH.into_iter().find_map(|area| Some((area, self.board(area).king(color)?)))
    }
    /// Whether a piece of `by` could capture on the square by an ordinary move.
    fn is_attacked(&self, (area, square): (Area, Square), by: Color) -> bool {
        let board = self.board(area);
        is_attacked::<false>(board, square, by, board.occupied())
    }
    /// Whether the piece on this square has declared a teleport that will take place.
    fn is_leaving(&self, color: Color, place: (Area, Square)) -> bool {
        self.intent(color).is_some_and(|i| i.state == State::Open && (self.source(color), i.square) == place)
    }
    /// Whether a king on its square is attacked, by an ordinary move or by a declared teleport.
    fn is_king_attacked(&self, color: Color, king: (Area, Square)) -> bool {
        self.is_attacked(king, !color) || self.open_goal(!color) == Some(king) && !self.is_leaving(color, king)
    }
    /// Whether a color that has just had a turn in the area `played` has left its king safe.
    fn is_safe_after_turn(&self, color: Color, played: Area) -> bool {
        let Some(king) = self.king(color) else { return true };
        match color {
            // Black is next in both areas; only a king about to leave need not care.
            Color::White => self.is_leaving(color, king) || !self.is_king_attacked(color, king),
            // White is next in this area, but Black in the other.
            Color::Black => king.0 != played || !self.is_king_attacked(color, king),
        }
    }
    /// The attacked king of the side to move: on a board, or in transit to an attacked square.
    ///
    /// Who has no legal turn is mated if this finds a king and stalemated if not: passing is illegal only with an attacked
    /// king, and a king in no danger from passing that stands attacked in the other area is mated there.
    fn checked_king(&self) -> Option<(Area, Square)> {
        let us = self.core.turn();
        let Some(king) = self.king(us) else {
            return self.intent(us).map(|i| self.goal(us, i)).filter(|&landing| self.is_attacked(landing, !us));
        };
        let is_threatened = || self.open_goal(!us) == Some(king) && !(self.is_leaving(us, king) && self.can_transfer());
        (self.is_attacked(king, !us) || is_threatened()).then_some(king)
    }
    /// Whether a transfer lifts the enemy's piece off instead of capturing it: that piece has declared a teleport itself.
    #[inline]
    fn lifts(&self, to: Square) -> bool {
        self.is_leaving(!self.core.turn(), (self.due, to))
    }
}

impl<G: Geometry> Position for Howe<G> {
    const INFO: &'static VariantInfo = G::INFO;

    fn from_fen(text: &str) -> Result<Self, FenError> {
        fen::read(text)
    }
    fn fen(&self) -> String {
        fen::write(self)
    }
    fn turn(&self) -> Color {
        self.core.turn()
    }
    fn area(&self) -> Area {
        self.due
    }
    fn halfmove_clock(&self) -> u16 {
        self.core.halfmove()
    }
    fn fullmove_number(&self) -> u16 {
        self.core.fullmove()
    }
    fn hash_key(&self) -> u64 {
        self.core.hash()
    }
    fn compute_hash(&self) -> u64 {
        let due = if self.due == Area::B { DUE_KEY } else { 0 };
        let intents = Color::ALL.into_iter().filter_map(|c| Some(self.intent(c)?.key(c)));
        intents.fold(self.core.compute_hash() ^ due, |hash, key| hash ^ key)
    }
    #[inline]
    fn generate<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        self.turns(which, sink)
    }
    #[inline]
    fn play_unchecked<O: Observer>(&mut self, m: Move, observer: &mut O) {
        self.play(m, observer);
    }
    fn checked_kings(&self) -> Vec<(Area, Square)> {
        self.checked_king().into_iter().collect()
    }
    fn in_check(&self) -> bool {
        self.checked_king().is_some()
    }
    fn piece_at(&self, area: Area, square: Square) -> Option<Piece> {
        self.board(area).piece_at(square)
    }
    fn pieces(&self) -> Vec<(Place, Piece)> {
        let on_boards = BOTH
            .into_iter()
            .flat_map(|area| self.board(area).iter().map(move |(square, piece)| (Place::Board(area, square), piece)));
        let lifted = Color::ALL.into_iter().filter_map(|c| Some((Place::Transit(c), Piece::new(c, self.held(c)?))));
        on_boards.chain(lifted).collect()
    }
    #[inline]
    fn boards(&self) -> &[Board] {
        self.core.boards()
    }
    fn held(&self, color: Color) -> Option<Role> {
        match self.intent(color)?.state {
            State::Transit(role) => Some(role),
            _ => None,
        }
    }
    #[inline]
    fn next_turn_in(&self, area: Area) -> Color {
        if area == self.due { self.core.turn() } else { Color::Black }
    }
    #[inline]
    fn features(&self, counts: &mut [i32; MAX_FEATURES]) {
        self.count_terms(counts);
    }
    fn null_move(&self) -> Option<Self> {
        self.intent(self.core.turn()).is_none().then(|| self.after(Move::PASS))
    }
    fn markers(&self) -> Vec<MarkerView> {
        let view = |color| {
            let intent = self.intent(color)?;
            let (area, square) = self.goal(color, intent);
            Some(MarkerView {
                marker: intent.marker(color),
                at: intent.place(color, self.source(color)),
                to: Some(Place::Board(area, square)),
                count: 1,
            })
        };
        Color::ALL.into_iter().filter_map(view).collect()
    }
    fn is_insufficient(&self) -> bool {
        let on_boards: u32 = self.core.boards().iter().map(|b| b.occupied().len()).sum();
        on_boards <= 2 && self.pieces().len() == 2
    }
    fn can_win(&self, _: Color) -> bool {
        // Even a bare king can mate an opponent who has another piece: it declares a teleport onto the enemy king while
        // a declaration of the enemy's own keeps that king from leaving.
        !self.is_insufficient()
    }
    fn captured(&self, m: Move) -> Option<Piece> {
        let at = match m.kind() {
            MoveKind::Normal | MoveKind::Promotion => m.to(),
            MoveKind::Transfer if !self.lifts(m.to()) => m.to(),
            MoveKind::EnPassant => return Some(Piece::new(!self.turn(), Role::Pawn)),
            _ => return None,
        };
        self.piece_at(self.due, at).filter(|p| p.color() != self.turn())
    }
}
