//! The game in which each player owns one of two linked portals, and may move it.

use crate::board::{Board, Color, Piece, Square};
use crate::castling::{Castling, Rights, Wing};
use crate::fen::{self, Clocks};
use crate::position::{Position, Status};
use crate::steps::{self, Direction, PROMOTIONS, Step, gait, pawn_captures, usable_ep};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Duel {
    board: Board,
    /// White's and Black's portal, none if not yet placed. Two on one square are locked for good,
    /// and the square is like any other.
    portals: [Option<Square>; 2],
    side: Color,
    rights: Rights,
    ep: Option<Square>,
    clocks: Clocks,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    Step {
        step: Step,
        promotion: Option<char>,
        /// Whether it passes over this square so that it may be taken en passant.
        passed: Option<Square>,
    },
    Castle(Wing),
    Place(Square),
    /// The portal of the side to move goes to this square; what its own pawn becomes by that.
    Shift(Square, Option<char>),
}

/// What a step onto a square comes to.
enum Entry {
    Blocked,
    /// The move ends on the first square by capturing what stands on the second.
    Capture(Square),
    /// An empty square: the move may end there or go on.
    Plain,
    /// An empty portal: the move may end there. It may also come out at the exit, if there is one to
    /// come out at (the mover does not stand there itself).
    Portal(Option<Square>),
}

impl Duel {
    pub(crate) fn read(fen: &str) -> Result<Duel, String> {
        let [placement, side, castling, ep, portals, half, full] = fen::fields(fen)?;
        let board = Board::read(placement, 'a'..='h', "PNBRQK")?;
        fen::check_pawns(&board, true, false)?;
        let side = fen::read_side(side)?;
        let rights = Rights::read(castling, &board)?;
        let portals = read_portals(portals, side)?;
        let passed = Square::read(ep);
        let ep = steps::read_ep(&board, side, ep, |piece| piece.is_none())?;
        let clocks = Clocks::read(half, full)?;
        let position = Duel { board, portals, side, rights, ep, clocks };
        if let Some(passed) = passed.filter(|&passed| position.partner(passed).is_some()) {
            return Err(format!("ep: no pawn double-steps over {passed} with a portal there"));
        }
        if let Some((white, black)) = position.linked()
            && !position.board.is_empty(white)
            && !position.board.is_empty(black)
        {
            return Err(format!("portals: pieces on both {white} and {black}"));
        }
        // Only the king of the side to move can have been destroyed, by a black hole.
        let black_hole = portals[0].is_some() && portals[0] == portals[1];
        if !black_hole || position.board.count_kings(side) > 0 {
            fen::check_kings(&position.board)?;
            if position.in_check(side.other()) {
                return Err("placement: the side that has just moved is in check".into());
            }
        } else if position.board.count_kings(side.other()) != 1 {
            return Err("placement: neither side has a king".into());
        }
        Ok(position)
    }

    /// The two portals, if they work.
    fn linked(&self) -> Option<(Square, Square)> {
        match self.portals {
            [Some(white), Some(black)] if white != black => Some((white, black)),
            _ => None,
        }
    }

    /// The other portal, if the square has one and the two work.
    fn partner(&self, square: Square) -> Option<Square> {
        match self.linked() {
            Some((white, black)) if square == white => Some(black),
            Some((white, black)) if square == black => Some(white),
            _ => None,
        }
    }

    /// What comes of a step onto `to` by a piece of `color` that moves from `from`.
    fn enter(&self, color: Color, from: Square, to: Square) -> Entry {
        match self.board.get(to) {
            Some(piece) if piece.color == color => return Entry::Blocked,
            Some(_) => return Entry::Capture(to),
            None => {}
        }
        let Some(exit) = self.partner(to) else {
            return Entry::Plain;
        };
        if exit == from {
            return Entry::Portal(None);
        }
        match self.board.get(exit) {
            None => Entry::Portal(Some(exit)),
            Some(piece) if piece.color == color => Entry::Blocked,
            Some(_) => Entry::Capture(exit),
        }
    }

    /// Every pseudo-legal move by a piece of one side, castling apart. One that can be made with and
    /// without travel comes twice.
    fn each_move(&self, color: Color, emit: &mut dyn FnMut(Turn)) {
        for (from, piece) in self.board.pieces(color) {
            if piece.role == 'P' {
                self.each_pawn_advance(color, from, emit);
                self.each_pawn_capture(color, from, emit);
                continue;
            }
            let gait = gait(piece.role);
            for &direction in gait.leaps.iter().copied().flatten() {
                self.ride(color, from, direction, 1, &mut |to, captured| {
                    emit(piece_move(from, to, captured));
                });
            }
            for &direction in gait.rides.iter().copied().flatten() {
                self.ride(color, from, direction, usize::MAX, &mut |to, captured| {
                    emit(piece_move(from, to, captured));
                });
            }
        }
    }

    /// Calls `emit` with every square where a ride of up to `steps` steps may end, and the square of
    /// what it captures.
    fn ride(
        &self,
        color: Color,
        from: Square,
        direction: Direction,
        steps: usize,
        emit: &mut dyn FnMut(Square, Option<Square>),
    ) {
        let mut here = from;
        let mut travelled = false;
        for _ in 0..steps {
            let Some(to) = self.board.step(here, direction) else {
                return;
            };
            // It ends before a second portal and before its own origin.
            if to == from || (travelled && self.partner(to).is_some()) {
                return;
            }
            match self.enter(color, from, to) {
                Entry::Blocked => return,
                Entry::Capture(square) => {
                    emit(square, Some(square));
                    return;
                }
                Entry::Plain => {
                    emit(to, None);
                    here = to;
                }
                Entry::Portal(exit) => {
                    emit(to, None);
                    let Some(exit) = exit else { return };
                    emit(exit, None);
                    here = exit;
                    travelled = true;
                }
            }
        }
    }

    fn each_pawn_advance(&self, color: Color, from: Square, emit: &mut dyn FnMut(Turn)) {
        let ahead = (0, color.forward());
        let steps = if from.rank() == color.rank(2) { 2 } else { 1 };
        self.ride(color, from, ahead, steps, &mut |to, captured| {
            if captured.is_none() {
                let step = Step { from, to, captured };
                // The ordinary double step: its first step met no portal, and it ends two squares
                // ahead. (Through a portal on that second square it would end elsewhere.)
                let one = self.board.step(from, ahead);
                let two = one.and_then(|one| self.board.step(one, ahead));
                let ordinary = steps == 2 && two == Some(to) && one.is_some_and(|one| self.partner(one).is_none());
                emit_pawn_move(color, step, one.filter(|_| ordinary), emit);
            }
        });
    }

    fn each_pawn_capture(&self, color: Color, from: Square, emit: &mut dyn FnMut(Turn)) {
        for to in pawn_captures(&self.board, color, from) {
            match self.enter(color, from, to) {
                Entry::Capture(square) => {
                    let step = Step { from, to: square, captured: Some(square) };
                    emit_pawn_move(color, step, None, emit);
                }
                Entry::Plain if color == self.side && self.ep == Some(to) => {
                    let captured = self.board.step(to, (0, -color.forward()));
                    emit_pawn_move(color, Step { from, to, captured }, None, emit);
                }
                _ => {}
            }
        }
    }

    fn in_check(&self, color: Color) -> bool {
        let Some(king) = self.board.king(color) else {
            return false;
        };
        let mut found = false;
        self.each_move(color.other(), &mut |turn| {
            found |= matches!(turn, Turn::Step { step, .. } if step.captured == Some(king));
        });
        found
    }

    fn pseudo_legal(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        if self.portals[self.side.index()].is_none() {
            let rank = match self.side {
                Color::White => 3,
                Color::Black => 4,
            };
            // Never are both portals occupied.
            let [white, black] = self.portals;
            let occupied = |square: &Square| !self.board.is_empty(*square);
            let other_occupied = white.or(black).is_some_and(|other| occupied(&other));
            let squares = Square::all().filter(|square| square.rank() == rank && !(other_occupied && occupied(square)));
            turns.extend(squares.map(Turn::Place));
            return turns;
        }
        self.each_move(self.side, &mut |turn| {
            if !turns.contains(&turn) {
                turns.push(turn);
            }
        });
        let attacked = |board: &Board| {
            let position = Duel { board: board.clone(), ..self.clone() };
            position.in_check(self.side)
        };
        self.rights.each(&self.board, self.side, &attacked, &mut |wing| {
            let mut between = Castling::new(self.side, wing).between();
            if !between.any(|square| self.partner(square).is_some()) {
                turns.push(Turn::Castle(wing));
            }
        });
        self.each_shift(&mut |turn| turns.push(turn));
        turns
    }

    fn each_shift(&self, emit: &mut dyn FnMut(Turn)) {
        let Some(own) = self.portals[self.side.index()] else {
            return;
        };
        let Some(other) = self.partner(own) else {
            return;
        };
        for &direction in gait('K').leaps.iter().copied().flatten() {
            let Some(to) = self.board.step(own, direction) else {
                continue;
            };
            if to == other {
                if !in_hole(to).any(|square| self.board.holds(square, self.side, 'K')) {
                    emit(Turn::Shift(to, None));
                }
                continue;
            }
            match self.board.get(to) {
                None => emit(Turn::Shift(to, None)),
                Some(_) if !self.board.is_empty(other) => {}
                Some(piece) if piece.color == self.side && promotes(piece, other) => {
                    for role in PROMOTIONS {
                        emit(Turn::Shift(to, Some(role)));
                    }
                }
                Some(_) => emit(Turn::Shift(to, None)),
            }
        }
    }

    fn after(&self, turn: Turn) -> Duel {
        let mut next = self.clone();
        next.ep = None;
        let mut irreversible = false;
        match turn {
            Turn::Castle(wing) => {
                let castling = Castling::new(self.side, wing);
                castling.play(&mut next.board);
                next.rights.touch(castling.king_from);
            }
            Turn::Place(square) => next.portals[self.side.index()] = Some(square),
            Turn::Shift(to, promotion) => irreversible = next.shift(to, promotion),
            Turn::Step { step, promotion, passed } => {
                let Some(piece) = next.board.take(step.from) else {
                    return next;
                };
                next.rights.touch(step.from);
                if let Some(captured) = step.captured {
                    next.board.set(captured, None);
                    next.rights.touch(captured);
                }
                let role = promotion.unwrap_or(piece.role);
                next.board.set(step.to, Some(Piece::new(self.side, role)));
                irreversible = step.captured.is_some() || piece.role == 'P';
                next.ep = passed;
            }
        }
        next.clocks = self.clocks.after(self.side, irreversible);
        next.side = self.side.other();
        next.ep = usable_ep(&next.board, next.side, next.ep);
        next
    }

    /// Moves the portal of the side to move. True if a pawn promoted or something vanished.
    fn shift(&mut self, to: Square, promotion: Option<char>) -> bool {
        let [white, black] = self.portals;
        let other = if self.side == Color::White { black } else { white };
        self.portals[self.side.index()] = Some(to);
        let Some(other) = other else { return false };
        if to == other {
            let mut vanished = false;
            for square in in_hole(to) {
                vanished |= self.board.take(square).is_some();
                self.rights.touch(square);
            }
            return vanished;
        }
        let Some(piece) = self.board.take(to) else {
            return false;
        };
        self.rights.touch(to);
        let promoted = promotes(piece, other);
        let role = if promoted { promotion.unwrap_or('Q') } else { piece.role };
        self.board.set(other, Some(Piece::new(piece.color, role)));
        promoted
    }
}

/// The square of a black hole and those around it.
fn in_hole(center: Square) -> impl Iterator<Item = Square> {
    Square::all()
        .filter(move |square| (square.file() - center.file()).abs() <= 1 && (square.rank() - center.rank()).abs() <= 1)
}

fn promotes(piece: Piece, to: Square) -> bool {
    piece.role == 'P' && to.rank() == piece.color.rank(8)
}

fn piece_move(from: Square, to: Square, captured: Option<Square>) -> Turn {
    Turn::Step { step: Step { from, to, captured }, promotion: None, passed: None }
}

fn emit_pawn_move(color: Color, step: Step, passed: Option<Square>, emit: &mut dyn FnMut(Turn)) {
    if step.to.rank() == color.rank(8) {
        for role in PROMOTIONS {
            emit(Turn::Step { step, promotion: Some(role), passed });
        }
    } else {
        emit(Turn::Step { step, promotion: None, passed });
    }
}

/// Reads two squares, White's first, each `-` if not yet placed.
fn read_portals(text: &str, side: Color) -> Result<[Option<Square>; 2], String> {
    let wrong = || format!("portals: `{text}` is not White's square or `-`, then Black's");
    let portals = if text == "--" {
        [None, None]
    } else if let Some(white) = text.strip_suffix('-') {
        [Some(Square::read(white).ok_or_else(wrong)?), None]
    } else {
        let (white, black) = text.split_at_checked(2).ok_or_else(wrong)?;
        let read = |name| Square::read(name).ok_or_else(wrong);
        [Some(read(white)?), Some(read(black)?)]
    };
    let in_order = match portals {
        [None, _] => side == Color::White,
        [Some(_), None] => side == Color::Black,
        _ => true,
    };
    if in_order {
        Ok(portals)
    } else {
        Err(format!("portals: `{text}`, but it is not the turn of the side that is to place one"))
    }
}

impl Position for Duel {
    type Turn = Turn;

    fn fen(&self) -> String {
        format!(
            "{} {} {} {} {}{} {}",
            self.board.write(),
            fen::write_side(self.side),
            self.rights.write(),
            fen::write_optional(self.ep),
            fen::write_optional(self.portals[0]),
            fen::write_optional(self.portals[1]),
            self.clocks.write()
        )
    }

    fn uci(&self, turn: Turn) -> String {
        let suffix = |promotion: Option<char>| match promotion {
            Some(role) => role.to_ascii_lowercase().to_string(),
            None => String::new(),
        };
        match turn {
            Turn::Step { step, promotion, .. } => {
                format!("{}{}{}", step.from, step.to, suffix(promotion))
            }
            Turn::Castle(wing) => {
                let castling = Castling::new(self.side, wing);
                format!("{}{}", castling.king_from, castling.king_to)
            }
            Turn::Place(square) => format!("O@{square}"),
            Turn::Shift(to, promotion) => {
                let own = fen::write_optional(self.portals[self.side.index()]);
                format!("O{own}{to}{}", suffix(promotion))
            }
        }
    }

    fn successors(&self) -> Vec<(Turn, Duel)> {
        if self.board.king(self.side).is_none() {
            return Vec::new();
        }
        self.pseudo_legal()
            .into_iter()
            .map(|turn| (turn, self.after(turn)))
            .filter(|(_, next)| {
                // Who destroys the king of the enemy has won, even with the own king attacked.
                next.board.king(next.side).is_none() || !next.in_check(self.side)
            })
            .collect()
    }

    fn status(&self) -> Status {
        if self.board.king(self.side).is_none() {
            Status::KingDestroyed(self.side.other())
        } else if !self.successors().is_empty() {
            Status::Ongoing
        } else if self.in_check(self.side) {
            Status::Checkmate(self.side.other())
        } else {
            Status::Stalemate
        }
    }
}
