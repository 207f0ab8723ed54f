//! How pieces move when nothing special is in their way.

use crate::board::{Board, Color, Piece, Square};

/// A displacement in files and ranks.
pub(crate) type Direction = (i8, i8);

const ORTHOGONAL: &[Direction] = &[(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: &[Direction] = &[(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: &[Direction] = &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The roles a pawn may become in games with the usual promotion.
pub(crate) const PROMOTIONS: [char; 4] = ['Q', 'R', 'B', 'N'];

/// The movement of a piece: single leaps, and rides of any length.
pub(crate) struct Gait {
    pub(crate) leaps: &'static [&'static [Direction]],
    pub(crate) rides: &'static [&'static [Direction]],
}

/// The movement of a piece; none for a pawn, which is not made of leaps and rides.
///
/// No square is named twice: a piece "plus king's steps" that rides along some lines has leaps only
/// for the other ones, and a nightrider needs no knight's leap.
pub(crate) fn gait(role: char) -> Gait {
    let (leaps, rides): (&[&[Direction]], &[&[Direction]]) = match role {
        'N' => (&[KNIGHT], &[]),
        'B' => (&[], &[DIAGONAL]),
        'R' => (&[], &[ORTHOGONAL]),
        'Q' => (&[], &[ORTHOGONAL, DIAGONAL]),
        'K' => (&[ORTHOGONAL, DIAGONAL], &[]),
        'I' => (&[], &[KNIGHT]),
        'D' => (&[ORTHOGONAL], &[DIAGONAL]),
        'A' => (&[KNIGHT], &[DIAGONAL]),
        'G' => (&[DIAGONAL], &[ORTHOGONAL]),
        'M' => (&[KNIGHT], &[ORTHOGONAL]),
        'U' => (&[], &[DIAGONAL, KNIGHT]),
        'V' => (&[KNIGHT, ORTHOGONAL], &[DIAGONAL]),
        'F' => (&[], &[ORTHOGONAL, KNIGHT]),
        'W' => (&[KNIGHT, DIAGONAL], &[ORTHOGONAL]),
        'X' => (&[ORTHOGONAL], &[DIAGONAL, KNIGHT]),
        'T' => (&[KNIGHT], &[ORTHOGONAL, DIAGONAL]),
        'H' => (&[DIAGONAL], &[ORTHOGONAL, KNIGHT]),
        'Z' => (&[], &[ORTHOGONAL, DIAGONAL, KNIGHT]),
        _ => (&[], &[]),
    };
    Gait { leaps, rides }
}

/// An ordinary move of one piece, promotion not yet chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) from: Square,
    pub(crate) to: Square,
    /// Where an enemy piece is captured: `to`, or the square beside it when taking en passant.
    pub(crate) captured: Option<Square>,
}

impl Step {
    /// Whether a move by this piece is a pawn's double step.
    pub(crate) fn is_double(self, piece: Piece) -> bool {
        piece.role == 'P' && (self.to.rank() - self.from.rank()).abs() == 2
    }

    /// The square passed over by a double step.
    pub(crate) fn passed(self) -> Option<Square> {
        Square::at(self.from.file(), (self.from.rank() + self.to.rank()) / 2)
    }
}

/// The two squares diagonally ahead of a pawn.
pub(crate) fn pawn_captures(board: &Board, color: Color, from: Square) -> impl Iterator<Item = Square> {
    [-1, 1].into_iter().filter_map(move |side| board.step(from, (side, color.forward())))
}

/// Calls `emit` with every ordinary pseudo-legal move of one side, castling apart.
pub(crate) fn each_step(board: &Board, color: Color, ep: Option<Square>, emit: &mut dyn FnMut(Step)) {
    for (from, piece) in board.pieces(color) {
        if piece.role == 'P' {
            each_pawn_step(board, color, from, ep, emit);
            continue;
        }
        let gait = gait(piece.role);
        for &direction in gait.leaps.iter().copied().flatten() {
            if let Some(to) = board.step(from, direction) {
                land(board, color, from, to, emit);
            }
        }
        for &direction in gait.rides.iter().copied().flatten() {
            let mut here = from;
            while let Some(to) = board.step(here, direction) {
                land(board, color, from, to, emit);
                if !board.is_empty(to) {
                    break;
                }
                here = to;
            }
        }
    }
}

/// A piece may come to stand on a square that is empty or holds an enemy.
fn land(board: &Board, color: Color, from: Square, to: Square, emit: &mut dyn FnMut(Step)) {
    match board.get(to) {
        None => emit(Step { from, to, captured: None }),
        Some(piece) if piece.color != color => emit(Step { from, to, captured: Some(to) }),
        Some(_) => {}
    }
}

fn each_pawn_step(board: &Board, color: Color, from: Square, ep: Option<Square>, emit: &mut dyn FnMut(Step)) {
    let ahead = (0, color.forward());
    if let Some(one) = board.step(from, ahead).filter(|&one| board.is_empty(one)) {
        emit(Step { from, to: one, captured: None });
        if from.rank() == color.rank(2)
            && let Some(two) = board.step(one, ahead).filter(|&two| board.is_empty(two))
        {
            emit(Step { from, to: two, captured: None });
        }
    }
    for to in pawn_captures(board, color, from) {
        if board.holds_color(to, color.other()) {
            emit(Step { from, to, captured: Some(to) });
        } else if ep == Some(to) && board.is_empty(to) {
            emit(Step { from, to, captured: board.step(to, (0, -color.forward())) });
        }
    }
}

/// Whether a piece of `by` could capture what stands on `target` by an ordinary move.
///
/// An empty square is attacked by nothing: to ask whether a king would be attacked somewhere, put
/// it there first.
pub(crate) fn attacked(board: &Board, target: Square, by: Color) -> bool {
    let mut found = false;
    each_step(board, by, None, &mut |step| found |= step.captured == Some(target));
    found
}

/// The en passant square, if a pawn of `color` stands where it could capture on it.
pub(crate) fn usable_ep(board: &Board, color: Color, ep: Option<Square>) -> Option<Square> {
    ep.filter(|&ep| {
        board
            .pieces(color)
            .any(|(from, piece)| piece.role == 'P' && pawn_captures(board, color, from).any(|to| to == ep))
    })
}

/// Checks that an en passant square is the one passed over by a double step that the enemy of
/// `color` may just have made, and drops it if no pawn can use it.
///
/// `left_behind` tells whether that double step may have left its origin as it is now.
pub(crate) fn read_ep(
    board: &Board,
    color: Color,
    text: &str,
    left_behind: impl Fn(Option<Piece>) -> bool,
) -> Result<Option<Square>, String> {
    if text == "-" {
        return Ok(None);
    }
    let ep = Square::read(text)
        .filter(|&ep| board.has(ep))
        .ok_or_else(|| format!("ep: `{text}` is neither `-` nor a square"))?;
    let enemy = color.other();
    let forward = enemy.forward();
    let landed = board.step(ep, (0, forward));
    let origin = board.step(ep, (0, -forward));
    let consistent = ep.rank() == enemy.rank(3)
        && board.is_empty(ep)
        && landed.is_some_and(|square| board.holds(square, enemy, 'P'))
        && origin.is_some_and(|square| left_behind(board.get(square)));
    if !consistent {
        return Err(format!("ep: no double step has just passed over {ep}"));
    }
    Ok(usable_ep(board, color, Some(ep)))
}
