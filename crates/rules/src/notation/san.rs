//! Moves as people write them.
//!
//! A move's text follows from its kind alone, so games that share a kind of move share its text:
//!
//! | move | text |
//! | --- | --- |
//! | ordinary | `Nf3`, `Nbd2`, `exd5`, `e8=Q`, `O-O` |
//! | in one of two areas | `Ae4`, `NbAd2`, `exAd5`, `NxBe5` |
//! | exchange of two own pieces | `N~g5`, `e2~e3`, `Rh8~h2=Q` |
//! | into the pocket, out of it | `Nb1^B`, `N@e4` |
//! | into a portal, out at another | `fxg4→c4`, `Ng4→c4`, `Nxg4→c4` |
//! | on through a pair of portals | `Re4→a8`, `Re4→xa8`, `dxe4→xh8`, `e4→h8=Q` |
//! | a portal placed, a portal's step | `O@e4`, `Oe5`, `Oe5=N` |
//! | a teleport declared, carried out | `QAa4→`, `QAa4→Ba4`, `QAa4→xBa4` |
//! | a pass | `--` |
//!
//! `+` follows when the side then to move is in check, `#` when the game is then won.
//!
//! # Examples
//! ```
//! use warpchess_rules::{Position, notation::san, variants::Chess};
//! let position = Chess::start();
//! let m = san::parse(&position, "Nf3")?;
//! assert_eq!(m.to_string(), "g1f3");
//! assert_eq!(san::write(&position, m), "Nf3");
//! # Ok::<(), san::SanError>(())
//! ```

use super::fen::excerpt;
use super::uci;
use crate::core::{Area, Move, MoveKind, MoveList, Place, Role, Square};
use crate::position::AnyPosition;

/// The longest text that is looked at, in bytes: no move needs half of it.
const MAX_LEN: usize = 64;
/// How many moves an error lists.
const MAX_CANDIDATES: usize = 12;
/// Texts that mean a pass.
const PASSES: [&str; 6] = ["--", "---", "0000", "Z0", "pass", "null"];

/// Why a text is no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// It has not the form of a move.
    #[error("'{text}' is not the text of a move")]
    Unknown {
        /// The text, shortened.
        text: String,
    },
    /// It may be a move, but not a legal one here.
    #[error("'{text}' is not a legal move in {fen}")]
    Illegal {
        /// The text, shortened.
        text: String,
        /// The position.
        fen: String,
    },
    /// Several legal moves can be meant.
    #[error("'{text}' can mean {}", candidates.join(" or "))]
    Ambiguous {
        /// The text, shortened.
        text: String,
        /// The moves it can mean, the first few of them.
        candidates: Vec<String>,
    },
}

/// How much of the origin a text tells.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Origin {
    Nothing,
    File,
    Rank,
    Square,
}

/// Writes a legal move, with no more of its origin than needed to tell it from the other legal moves.
///
/// # Examples
/// ```
/// use warpchess_rules::{Position, notation::{san, uci}, variants::Chess};
/// let position = Chess::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").expect("a legal position");
/// let write = |text| san::write(&position, uci::parse(&position, text).expect("a legal move"));
/// assert_eq!((write("e1g1"), write("a1a8")), ("O-O".into(), "Ra8+".into()));
/// ```
pub fn write(position: &dyn AnyPosition, m: Move) -> String {
    let mut text = unmarked(position, &position.legal_moves(), m);
    text.push_str(mark(position, m));
    text
}

/// Writes every legal move, in the order of [`AnyPosition::legal_moves`].
pub fn write_all(position: &dyn AnyPosition) -> Vec<(Move, String)> {
    let moves = position.legal_moves();
    let names = names(position, &moves);
    moves.iter().zip(names).map(|(&m, name)| (m, name + mark(position, m))).collect()
}

/// The texts of `moves`, which are all that are legal, in their order, without check or mate: those who play the moves
/// anyway find [`mark_of`] what comes of them.
pub fn names(position: &dyn AnyPosition, moves: &MoveList) -> Vec<String> {
    let bare: Vec<String> = moves.iter().map(|&m| body(position, m, Origin::Nothing)).collect();
    // Only moves to one square can have one text.
    let mut goals: [Vec<usize>; 64] = std::array::from_fn(|_| Vec::new());
    for (i, m) in moves.iter().enumerate() {
        goals[m.to().index()].push(i);
    }
    let name = |(i, &m): (usize, &Move)| {
        let rivals = goals[m.to().index()].iter().filter(|&&r| r != i && bare[r] == bare[i]).map(|&r| moves[r].from());
        match origin(m, rivals) {
            Origin::Nothing => bare[i].clone(),
            told => body(position, m, told),
        }
    };
    moves.iter().enumerate().map(name).collect()
}

/// Finds the legal move that a text means. More is accepted than [`write()`] writes:
///
/// - `+`, `#`, `x`, `=`, `!` and `?` may be missing or superfluous; `e8Q`, `e8(Q)`, `exd6 e.p.` without the blank
/// - more of the origin than needed: `Ng1f3`, `Ng1-f3`, `e2-e4`, `f3xg4→c4`
/// - `->` for `→`, `0-0` for `O-O`, `:` for `x`
/// - in games on two areas: lower-case piece letters (`qBe7`), a square without its area (`Ne5`)
/// - the portal left out: `→h8=Q`
/// - UCI
///
/// # Errors
/// When the text is no move, no legal move, or could mean several.
///
/// # Examples
/// ```
/// use warpchess_rules::{Position, notation::san, variants::Chess};
/// let position = Chess::from_fen("6k1/4P3/8/8/8/8/8/4K3 w - - 0 1").expect("a legal position");
/// assert_eq!(san::parse(&position, "e8(Q)"), san::parse(&position, "e7e8q"));
/// assert_eq!(
///     san::parse(&position, "e8").unwrap_err().to_string(),
///     "'e8' can mean e8=Q+ or e8=R+ or e8=B or e8=N"
/// );
/// ```
pub fn parse(position: &dyn AnyPosition, text: &str) -> Result<Move, SanError> {
    parse_among(position, &position.legal_moves(), text)
}

/// The same when the legal moves are known already.
///
/// # Errors
/// As [`parse`].
pub fn parse_among(position: &dyn AnyPosition, moves: &MoveList, text: &str) -> Result<Move, SanError> {
    let unknown = || SanError::Unknown { text: excerpt(text) };
    if text.len() > MAX_LEN {
        return Err(unknown());
    }
    let plain = plain(text);
    let compact = compact(&plain);
    let goal = last_square(&compact);
    let reader = Reader { position, area: position.area(), alternating: position.info().alternating() };
    // Most moves lead elsewhere; that is seen without a closer look.
    let found: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&m| goal_of(m).is_none_or(|square| Some(square) == goal) && reader.fits(m, &plain, &compact))
        .collect();
    match found[..] {
        [m] => Ok(m),
        [] => uci::find(moves, text.trim()).ok_or_else(|| {
            if is_movelike(&plain, &compact, goal) {
                SanError::Illegal { text: excerpt(text), fen: position.fen() }
            } else {
                unknown()
            }
        }),
        // What is written just so wins over what could be meant.
        _ => found.iter().copied().find(|&m| unmarked(position, moves, m) == plain).ok_or_else(|| {
            let mut candidates: Vec<_> =
                found.iter().take(MAX_CANDIDATES).map(|&m| unmarked(position, moves, m) + mark(position, m)).collect();
            if found.len() > MAX_CANDIDATES {
                candidates.push("…".into());
            }
            SanError::Ambiguous { text: excerpt(text), candidates }
        }),
    }
}

/// `#`, `+` or nothing, for a move.
fn mark(position: &dyn AnyPosition, m: Move) -> &'static str {
    let mut after = position.boxed_clone();
    after.play(m);
    mark_of(&*after)
}

/// `#`, `+` or nothing, for the move that led to a position.
pub fn mark_of(after: &dyn AnyPosition) -> &'static str {
    if after.outcome().is_some_and(|outcome| outcome.winner.is_some()) {
        "#"
    } else if after.in_check() {
        "+"
    } else {
        ""
    }
}

/// The text without check or mate.
fn unmarked(position: &dyn AnyPosition, moves: &MoveList, m: Move) -> String {
    let bare = body(position, m, Origin::Nothing);
    let rivals = moves
        .iter()
        .filter(|&&r| r != m && r.to() == m.to() && body(position, r, Origin::Nothing) == bare)
        .map(|r| r.from());
    match origin(m, rivals) {
        Origin::Nothing => bare,
        told => body(position, m, told),
    }
}

/// How much of its origin a move tells, when others that start at `rivals` have its text.
fn origin(m: Move, rivals: impl Iterator<Item = Square>) -> Origin {
    let (mut any, mut file, mut rank) = (false, true, true);
    for from in rivals {
        any = true;
        file &= from.file() != m.from().file();
        rank &= from.rank() != m.from().rank();
    }
    match (any, file, rank) {
        (false, _, _) => Origin::Nothing,
        (_, true, _) => Origin::File,
        (_, _, true) => Origin::Rank,
        _ => Origin::Square,
    }
}

/// The piece that moves; a declared one may be off the boards by now.
fn mover(position: &dyn AnyPosition, m: Move) -> Option<Role> {
    let us = position.turn();
    if m.kind() == MoveKind::Transfer {
        position
            .pieces()
            .into_iter()
            .find(|&(place, _)| place == Place::Transit(us))
            .map(|(_, piece)| piece.role())
            .or_else(|| position.piece_at(position.area().other(), m.from()).map(|piece| piece.role()))
    } else {
        position.piece_at(position.area(), m.from()).map(|piece| piece.role())
    }
}

/// The square by which a pawn's direction is told: where it steps first.
fn first_step(m: Move) -> Square {
    if m.kind() == MoveKind::Travel { m.aux() } else { m.to() }
}

fn is_diagonal(m: Move) -> bool {
    first_step(m).file() != m.from().file()
}

/// The text without check or mate, with as much of the origin as asked for; moves that always or never tell it don't
/// care.
fn body(position: &dyn AnyPosition, m: Move, origin: Origin) -> String {
    let (from, to, aux) = (m.from(), m.to(), m.aux());
    let area = position.area();
    let alternating = position.info().alternating();
    // Lists of moves hold hundreds of texts: one is put together in one piece.
    let mut text = String::with_capacity(16);
    let at = |text: &mut String, area: Area, square: Square| {
        if alternating {
            text.push(area.letter());
        }
        text.extend([square.file_char(), square.rank_char()]);
    };
    let becomes = || m.role().map_or('?', Role::letter);
    let promotion = |text: &mut String| {
        if let Some(role) = m.role() {
            text.extend(['=', role.letter()]);
        }
    };
    match m.kind() {
        MoveKind::Pass => return "--".into(),
        MoveKind::Castle if to.file() > from.file() => return "O-O".into(),
        MoveKind::Castle => return "O-O-O".into(),
        MoveKind::Place => {
            text.push_str("O@");
            at(&mut text, area, to);
            return text;
        }
        MoveKind::Drop => {
            text.extend([becomes(), '@']);
            at(&mut text, area, to);
            return text;
        }
        MoveKind::Shift => {
            text.push('O');
            at(&mut text, area, to);
            promotion(&mut text);
            return text;
        }
        _ => {}
    }
    let role = mover(position, m).unwrap_or(Role::Pawn);
    let pawn = role == Role::Pawn;
    let takes = position.captured(m).is_some();
    let cross = |text: &mut String, takes: bool| {
        if takes {
            text.push('x');
        }
    };
    if !pawn || m.kind() == MoveKind::Pocket {
        text.push(role.letter());
    }
    match m.kind() {
        MoveKind::Pocket => {
            at(&mut text, area, from);
            text.extend(['^', becomes()]);
            return text;
        }
        MoveKind::Declare => {
            at(&mut text, area, from);
            text.push('→');
            return text;
        }
        MoveKind::Transfer => {
            at(&mut text, area.other(), from);
            text.push('→');
            cross(&mut text, takes);
            at(&mut text, area, to);
            return text;
        }
        _ => {}
    }
    match origin {
        Origin::Nothing if pawn && m.kind() == MoveKind::Swap => text.extend([from.file_char(), from.rank_char()]),
        Origin::Nothing if pawn && is_diagonal(m) => text.push(from.file_char()),
        Origin::Nothing => {}
        Origin::File if !pawn => text.push(from.file_char()),
        Origin::Rank if !pawn => text.push(from.rank_char()),
        _ => text.extend([from.file_char(), from.rank_char()]),
    }
    match m.kind() {
        MoveKind::Swap => {
            text.push('~');
            at(&mut text, area, to);
            promotion(&mut text);
        }
        MoveKind::Enter => {
            cross(&mut text, takes || pawn);
            at(&mut text, area, to);
            text.push('→');
            at(&mut text, area, aux);
        }
        MoveKind::Travel => {
            cross(&mut text, pawn && is_diagonal(m));
            at(&mut text, area, aux);
            text.push('→');
            cross(&mut text, takes);
            at(&mut text, area, to);
            promotion(&mut text);
        }
        _ => {
            cross(&mut text, takes);
            at(&mut text, area, to);
            promotion(&mut text);
        }
    }
    text
}

/// The text in one spelling of arrows and dashes, without what is said about the move at its end.
fn plain(text: &str) -> String {
    let mut text = text.trim().replace(['–', '—', '−', '‐', '‑'], "-").replace("->", "→");
    loop {
        let short =
            text.trim_end_matches(['+', '#', '!', '?', '†', '‡']).trim_end_matches("e.p.").trim_end_matches("ep");
        if short.len() == text.len() {
            return text;
        }
        text.truncate(short.len());
    }
}

/// The text without the signs that a reader can do without.
fn compact(plain: &str) -> String {
    plain.chars().filter(|c| !matches!(c, 'x' | '×' | ':' | '=' | '(' | ')' | '/' | '-')).collect()
}

fn is_castling(compact: &str, long: bool) -> bool {
    compact.len() == if long { 3 } else { 2 } && compact.chars().all(|c| matches!(c, 'O' | '0' | 'o'))
}

/// Whether a text has the form of a move, though of none that is legal.
fn is_movelike(plain: &str, compact: &str, goal: Option<Square>) -> bool {
    let castling = is_castling(compact, false) || is_castling(compact, true);
    let signs = compact.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '→' | '~' | '^' | '@'));
    castling || PASSES.contains(&plain) || goal.is_some() && signs && compact.chars().count() <= 12
}

/// The last square that a text names.
fn last_square(text: &str) -> Option<Square> {
    text.as_bytes().windows(2).rev().find_map(|pair| std::str::from_utf8(pair).ok()?.parse().ok())
}

/// The last square that a move's text names, if it names any.
fn goal_of(m: Move) -> Option<Square> {
    match m.kind() {
        MoveKind::Castle | MoveKind::Pass => None,
        MoveKind::Pocket => Some(m.from()),
        MoveKind::Enter => Some(m.aux()),
        _ => Some(m.to()),
    }
}

/// Compares a text with one legal move after the other.
struct Reader<'a> {
    position: &'a dyn AnyPosition,
    area: Area,
    alternating: bool,
}

impl Reader<'_> {
    /// Whether a text can mean a move.
    fn fits(&self, m: Move, plain: &str, compact: &str) -> bool {
        let t = compact;
        match m.kind() {
            MoveKind::Pass => PASSES.contains(&plain),
            MoveKind::Castle => is_castling(self.skip_area(t, self.area), m.to().file() < m.from().file()),
            MoveKind::Place => t
                .strip_prefix(['O', '0'])
                .and_then(|t| self.square(t.strip_prefix('@').unwrap_or(t), self.area, m.to(), false))
                .is_some_and(str::is_empty),
            MoveKind::Shift => {
                let Some(t) = t.strip_prefix(['O', '0']) else { return false };
                let full = self.square(t, self.area, m.from(), false);
                [Some(t), full]
                    .into_iter()
                    .flatten()
                    .any(|t| self.square(t, self.area, m.to(), false).is_some_and(|t| promotes(t, m.role())))
            }
            MoveKind::Drop => m.role().is_some_and(|role| {
                let pawn = if role == Role::Pawn { Some(t) } else { None };
                [letter(t, role, true), pawn]
                    .into_iter()
                    .flatten()
                    .filter_map(|t| self.square(t.strip_prefix('@')?, self.area, m.to(), false))
                    .any(str::is_empty)
            }),
            _ => self.fits_piece(m, t),
        }
    }

    /// The same for moves that begin with a piece.
    fn fits_piece(&self, m: Move, t: &str) -> bool {
        let Some(role) = mover(self.position, m) else { return false };
        let nameless = if role == Role::Pawn || m.kind() == MoveKind::Pocket { Some(t) } else { None };
        if let Some(t) = nameless
            && self.fits_squares(m, t, role, false)
        {
            return true;
        }
        // After a letter that could be an area's, the area must be named.
        let named = self.alternating && [Area::A, Area::B].iter().any(|area| area.letter() == role.letter());
        letter(t, role, self.alternating).is_some_and(|t| self.fits_squares(m, t, role, named))
    }

    /// The same for what follows the piece's letter.
    fn fits_squares(&self, m: Move, t: &str, role: Role, named: bool) -> bool {
        let (from, to, aux, area) = (m.from(), m.to(), m.aux(), self.area);
        match m.kind() {
            MoveKind::Pocket => self
                .square(t, area, from, named)
                .and_then(|t| letter(t.strip_prefix('^')?, m.role()?, true))
                .is_some_and(str::is_empty),
            MoveKind::Declare => self.square(t, area, from, named) == Some("→"),
            MoveKind::Transfer => self
                .square(t, area.other(), from, named)
                .and_then(|t| self.square(t.strip_prefix('→')?, area, to, false))
                .is_some_and(str::is_empty),
            kind => {
                // A pawn off its file says where it comes from, unless only its goal is told.
                let untold = if role == Role::Pawn && is_diagonal(m) && !t.starts_with('→') { None } else { Some(t) };
                [
                    untold,
                    t.strip_prefix(from.file_char()),
                    t.strip_prefix(from.rank_char()),
                    self.square(t, area, from, false),
                ]
                .into_iter()
                .flatten()
                .any(|t| match kind {
                    MoveKind::Swap => t
                        .strip_prefix('~')
                        .and_then(|t| self.square(t, area, to, named))
                        .is_some_and(|t| promotes(t, m.role())),
                    MoveKind::Enter => self.through(t, to, aux, None, named),
                    MoveKind::Travel => self.through(t, aux, to, m.role(), named),
                    _ => self.square(t, area, to, named).is_some_and(|t| promotes(t, m.role())),
                })
            }
        }
    }

    /// Reads `portal→goal`, where the portal may be left out.
    fn through(&self, t: &str, portal: Square, goal: Square, role: Option<Role>, named: bool) -> bool {
        self.square(t, self.area, portal, named)
            .unwrap_or(t)
            .strip_prefix('→')
            .and_then(|t| self.square(t, self.area, goal, false))
            .is_some_and(|t| promotes(t, role))
    }

    /// Goes past a square, with or without its area where there are two.
    fn square<'t>(&self, t: &'t str, area: Area, square: Square, named: bool) -> Option<&'t str> {
        let rest = self.skip_area(t, area);
        if named && rest.len() == t.len() {
            return None;
        }
        rest.strip_prefix(square.file_char())?.strip_prefix(square.rank_char())
    }

    fn skip_area<'t>(&self, t: &'t str, area: Area) -> &'t str {
        if self.alternating { t.strip_prefix(area.letter()).unwrap_or(t) } else { t }
    }
}

/// Goes past the letter of a role.
fn letter(t: &str, role: Role, any_case: bool) -> Option<&str> {
    let upper = role.letter();
    t.strip_prefix(upper).or_else(|| if any_case { t.strip_prefix(upper.to_ascii_lowercase()) } else { None })
}

/// Whether the rest of a text is what a promotion (or none) leaves. An untold role can be any: the text then fits
/// several moves and is refused as ambiguous, which helps more than calling it illegal.
fn promotes(t: &str, role: Option<Role>) -> bool {
    t.is_empty() || role.is_some_and(|role| letter(t, role, true) == Some(""))
}
