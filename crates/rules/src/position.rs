//! The one interface of all games.

use crate::core::{
    Area, Bitboard, Board, Color, Counter, Effect, First, MarkerView, Move, MoveKind, MoveList, MoveSink, Observer,
    Piece, Place, Role, Square,
};
use crate::info::{MAX_FEATURES, VariantInfo};
use crate::notation::fen::FenError;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// Which moves to generate.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Which {
    /// All legal moves.
    All,
    /// The legal moves that change material: captures, promotions and what a variant adds (a black hole).
    Noisy,
}

/// How a game has ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: EndReason,
}

/// Why a game has ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// The king cannot be saved.
    Checkmate,
    /// No legal move, no check.
    Stalemate,
    /// The king vanished.
    KingDestroyed,
    /// A goal that the game sets was reached.
    GoalReached,
    /// Neither side can win any more.
    InsufficientMaterial,
    /// Fifty moves without progress, where that ends the game at once (or was claimed).
    FiftyMoves,
    /// Seventy-five moves without progress.
    SeventyFiveMoves,
    /// The same position for the third time, claimed.
    ThreefoldRepetition,
    /// The same position for the fifth time.
    FivefoldRepetition,
    /// A player gave up.
    Resignation,
    /// A player's time ran out.
    Timeout,
    /// Both agreed to a draw.
    Agreement,
}

impl EndReason {
    /// Name as the clients know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::KingDestroyed => "kingDestroyed",
            Self::GoalReached => "goalReached",
            Self::InsufficientMaterial => "insufficientMaterial",
            Self::FiftyMoves => "fiftyMoves",
            Self::SeventyFiveMoves => "seventyFiveMoves",
            Self::ThreefoldRepetition => "threefoldRepetition",
            Self::FivefoldRepetition => "fivefoldRepetition",
            Self::Resignation => "resignation",
            Self::Timeout => "timeout",
            Self::Agreement => "agreement",
        }
    }
}

impl Outcome {
    /// A win.
    pub const fn win(winner: Color, reason: EndReason) -> Self {
        Self { winner: Some(winner), reason }
    }
    /// A draw.
    pub const fn draw(reason: EndReason) -> Self {
        Self { winner: None, reason }
    }
    /// The status words of scripts: `checkmate white-wins`, `stalemate`, `draw-50`, `king-destroyed black-wins`, …
    pub fn status(&self) -> String {
        let word = match self.reason {
            EndReason::Checkmate => "checkmate",
            EndReason::Stalemate => "stalemate",
            EndReason::KingDestroyed => "king-destroyed",
            EndReason::GoalReached => "goal-reached",
            EndReason::InsufficientMaterial => "draw-insufficient",
            EndReason::FiftyMoves => "draw-50",
            EndReason::SeventyFiveMoves => "draw-75",
            EndReason::ThreefoldRepetition => "draw-threefold",
            EndReason::FivefoldRepetition => "draw-fivefold",
            EndReason::Resignation => "resignation",
            EndReason::Timeout => "timeout",
            EndReason::Agreement => "draw-agreed",
        };
        match self.winner {
            Some(winner) => format!("{word} {}-wins", winner.name()),
            None => word.to_owned(),
        }
    }
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn score(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// What a piece reaches; see [`Position::reach`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Squares on which it could capture.
    pub attacks: Bitboard,
    /// Squares to which the game's own ways of moving lead it, whether or not it attacks them too.
    pub ways: Bitboard,
}

/// A position of one game with the rules to go on from it.
///
/// `Eq` compares everything a FEN tells, the clocks too; [`hash_key`](Self::hash_key) leaves the clocks out, so that
/// equal keys mean a repetition.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + Sized + 'static {
    /// What the game is made of.
    const INFO: &'static VariantInfo;

    /// Reads a FEN in the form of the game's page.
    ///
    /// # Errors
    /// Names the field and what was expected there.
    fn from_fen(fen: &str) -> Result<Self, FenError>;
    /// Writes the FEN.
    fn fen(&self) -> String;
    /// Who is to move.
    fn turn(&self) -> Color;
    /// Where the turn is played.
    fn area(&self) -> Area {
        Area::A
    }
    /// Plies since something irreversible.
    fn halfmove_clock(&self) -> u16;
    /// Number of the full move, from 1.
    fn fullmove_number(&self) -> u16;
    /// Hash of everything that decides what may be played, kept up incrementally.
    fn hash_key(&self) -> u64;
    /// The same hash computed from nothing, to check the incremental one.
    fn compute_hash(&self) -> u64;

    /// Hands legal moves to the sink, each once, until it breaks. None when the game is finished by the position itself
    /// (mate, stalemate, king destroyed); draws by counting do not matter here.
    fn generate<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()>;
    /// Hands those legal moves to the sink by which the side to move may win at once, for searches that look for nothing
    /// else. Every move that does so is among them; others may be. The default hands on all moves, which is right for
    /// every game.
    fn generate_mating<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        self.generate(Which::All, sink)
    }
    /// Plays a legal move. A move that is not legal here leaves a senseless position (but never panics in release builds).
    fn play_unchecked<O: Observer>(&mut self, m: Move, observer: &mut O);
    /// Kings of the side to move that are attacked. One on its way between areas counts where it has to land.
    fn checked_kings(&self) -> Vec<(Area, Square)>;
    /// Whether a king of the side to move is attacked.
    fn in_check(&self) -> bool;
    /// Whether the side to move has lost its king for good, in games where that can happen: it has no legal move then and has
    /// lost, though nothing attacks it.
    #[inline]
    fn king_destroyed(&self) -> bool {
        false
    }
    /// What stands on a square.
    fn piece_at(&self, area: Area, square: Square) -> Option<Piece>;
    /// Every piece, on and off the boards.
    fn pieces(&self) -> Vec<(Place, Piece)>;
    /// The boards, one an area (or one for all areas), for callers that cannot wait for [`pieces`](Self::pieces) to
    /// collect them; none when the game keeps its pieces in another form.
    fn boards(&self) -> &[Board] {
        &[]
    }
    /// The piece of a color that is off the boards and may come back: in its pocket, or on its way between areas.
    fn held(&self, _color: Color) -> Option<Role> {
        None
    }
    /// Squares of an area that stop riders besides the pieces on its board.
    fn barriers(&self, _area: Area) -> Bitboard {
        Bitboard::EMPTY
    }
    /// What a piece that attacks these squares, as its powers have it over pieces and [`barriers`](Self::barriers), really
    /// reaches. For evaluations: it may be an estimate.
    #[inline]
    fn reach(&self, _area: Area, _from: Square, attacks: Bitboard) -> Reach {
        Reach { attacks, ways: Bitboard::EMPTY }
    }
    /// Counts the game's [features](crate::info::VariantInfo::features), in their order, White's minus Black's, into zeros.
    /// Called for every position that is evaluated.
    #[inline]
    fn features(&self, _counts: &mut [i32; MAX_FEATURES]) {}
    /// Who has the next turn in an area: the side to move, in the area due.
    fn next_turn_in(&self, _area: Area) -> Color {
        self.turn()
    }
    /// The position with the turn passed to the other side, although that is no move of the game, for searches that ask
    /// what a free move would be worth to the opponent. Only asked when the side to move is not in check; `None` where
    /// the question makes no sense.
    fn null_move(&self) -> Option<Self> {
        None
    }
    /// Every marker.
    fn markers(&self) -> Vec<MarkerView> {
        Vec::new()
    }
    /// What the game's result is when the side to move has no legal move.
    fn outcome_without_moves(&self) -> Outcome {
        if self.in_check() {
            Outcome::win(!self.turn(), EndReason::Checkmate)
        } else {
            Outcome::draw(EndReason::Stalemate)
        }
    }
    /// Whether neither side can ever win.
    fn is_insufficient(&self) -> bool;
    /// Whether a color could still win by some sequence of legal moves; `true` when in doubt.
    fn can_win(&self, color: Color) -> bool;
    /// A draw that the position itself decides at once, mate and stalemate apart (bare kings; fifty moves in games that
    /// end by them).
    fn automatic_draw(&self) -> Option<Outcome> {
        self.is_insufficient().then_some(Outcome::draw(EndReason::InsufficientMaterial))
    }
    /// The enemy piece that a legal move captures with its own piece, if any.
    fn captured(&self, m: Move) -> Option<Piece> {
        let at = match m.kind() {
            MoveKind::Normal | MoveKind::Promotion | MoveKind::Enter | MoveKind::Travel => m.to(),
            MoveKind::EnPassant => return Some(Piece::new(!self.turn(), crate::core::Role::Pawn)),
            _ => return None,
        };
        self.piece_at(self.area(), at).filter(|p| p.color() != self.turn())
    }
    /// A set-up from a seed, for games whose sources leave the set-up open.
    fn random_setup(_seed: u64) -> Option<Self> {
        None
    }

    /// The position the game begins with.
    fn start() -> Self {
        match Self::from_fen(Self::INFO.start_fen) {
            Ok(position) => position,
            Err(error) => unreachable!("{}: {error}", Self::INFO.id),
        }
    }
    /// All legal moves, in no particular order.
    fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.generate(Which::All, &mut list);
        list
    }
    /// Legal moves that change material.
    fn noisy_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.generate(Which::Noisy, &mut list);
        list
    }
    /// How many legal moves there are.
    fn count_legal(&self) -> u64 {
        let mut counter = Counter::default();
        let _ = self.generate(Which::All, &mut counter);
        counter.0
    }
    /// Whether there is a legal move; stops at the first.
    fn has_legal_move(&self) -> bool {
        self.generate(Which::All, &mut First::default()).is_break()
    }
    /// Whether this move is legal here.
    fn is_legal(&self, m: Move) -> bool {
        self.generate(Which::All, &mut Finder(m)).is_break()
    }
    /// How the game has ended, if the position itself says so.
    fn outcome(&self) -> Option<Outcome> {
        if self.has_legal_move() { self.automatic_draw() } else { Some(self.outcome_without_moves()) }
    }
    /// The position after a legal move.
    #[must_use]
    fn after(&self, m: Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(m, &mut ());
        next
    }
}

/// Stops at one particular move.
struct Finder(Move);

impl MoveSink for Finder {
    fn push(&mut self, m: Move) -> ControlFlow<()> {
        if m == self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A [`Position`] whose game is not known to the compiler, for callers to whom speed does not matter.
/// Get one from [`VariantId`](crate::VariantId).
#[allow(missing_docs)] // Each method is the one of the same name on `Position`.
pub trait AnyPosition: Send + Sync + Debug {
    fn info(&self) -> &'static VariantInfo;
    fn boxed_clone(&self) -> Box<dyn AnyPosition>;
    fn fen(&self) -> String;
    fn turn(&self) -> Color;
    fn area(&self) -> Area;
    fn halfmove_clock(&self) -> u16;
    fn fullmove_number(&self) -> u16;
    fn hash_key(&self) -> u64;
    fn legal_moves(&self) -> MoveList;
    fn has_legal_move(&self) -> bool;
    fn is_legal(&self, m: Move) -> bool;
    /// Plays a legal move and tells its effects.
    fn play(&mut self, m: Move) -> Vec<Effect>;
    fn checked_kings(&self) -> Vec<(Area, Square)>;
    fn in_check(&self) -> bool;
    /// Whether the side to move has lost its king for good, in games where that can happen: it has no legal move then and has
    /// lost, though nothing attacks it.
    fn king_destroyed(&self) -> bool {
        false
    }
    fn piece_at(&self, area: Area, square: Square) -> Option<Piece>;
    fn pieces(&self) -> Vec<(Place, Piece)>;
    fn markers(&self) -> Vec<MarkerView>;
    fn is_insufficient(&self) -> bool;
    fn can_win(&self, color: Color) -> bool;
    fn outcome(&self) -> Option<Outcome>;
    fn captured(&self, m: Move) -> Option<Piece>;
    fn perft(&self, depth: u32) -> u64;
    /// The position itself, for callers that know its type.
    fn as_any(&self) -> &dyn std::any::Any;
}

impl<P: Position> AnyPosition for P {
    fn info(&self) -> &'static VariantInfo {
        P::INFO
    }
    fn boxed_clone(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }
    fn fen(&self) -> String {
        Position::fen(self)
    }
    fn turn(&self) -> Color {
        Position::turn(self)
    }
    fn area(&self) -> Area {
        Position::area(self)
    }
    fn halfmove_clock(&self) -> u16 {
        Position::halfmove_clock(self)
    }
    fn fullmove_number(&self) -> u16 {
        Position::fullmove_number(self)
    }
    fn hash_key(&self) -> u64 {
        Position::hash_key(self)
    }
    fn legal_moves(&self) -> MoveList {
        Position::legal_moves(self)
    }
    fn has_legal_move(&self) -> bool {
        Position::has_legal_move(self)
    }
    fn is_legal(&self, m: Move) -> bool {
        Position::is_legal(self, m)
    }
    fn play(&mut self, m: Move) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.play_unchecked(m, &mut effects);
        effects
    }
    fn checked_kings(&self) -> Vec<(Area, Square)> {
        Position::checked_kings(self)
    }
    fn in_check(&self) -> bool {
        Position::in_check(self)
    }
    fn piece_at(&self, area: Area, square: Square) -> Option<Piece> {
        Position::piece_at(self, area, square)
    }
    fn pieces(&self) -> Vec<(Place, Piece)> {
        Position::pieces(self)
    }
    fn markers(&self) -> Vec<MarkerView> {
        Position::markers(self)
    }
    fn is_insufficient(&self) -> bool {
        Position::is_insufficient(self)
    }
    fn can_win(&self, color: Color) -> bool {
        Position::can_win(self, color)
    }
    fn outcome(&self) -> Option<Outcome> {
        Position::outcome(self)
    }
    fn captured(&self, m: Move) -> Option<Piece> {
        Position::captured(self, m)
    }
    fn perft(&self, depth: u32) -> u64 {
        crate::perft::perft(self, depth)
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}
