//! The game of neutral portals, which move to where the piece that enters them came from.

use crate::board::{Board, Color, Piece, Square};
use crate::castling::{Castling, Rights, Wing};
use crate::fen::{self, Clocks};
use crate::position::{Position, Status};
use crate::steps::{self, PROMOTIONS, Step, gait, pawn_captures, usable_ep};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Neutral {
    board: Board,
    portals: Portals,
    side: Color,
    rights: Rights,
    ep: Option<Square>,
    clocks: Clocks,
}

/// The number of portals on each square.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Portals([u32; 64]);

impl Portals {
    fn read(text: &str) -> Result<Portals, String> {
        let mut portals = Portals([0; 64]);
        if text == "-" {
            return Ok(portals);
        }
        for name in text.as_bytes().chunks(2) {
            let square = str::from_utf8(name)
                .ok()
                .and_then(Square::read)
                .ok_or_else(|| format!("portals: `{text}` is neither `-` nor a list of squares"))?;
            portals.0[square.index()] += 1;
        }
        if text.is_empty() { Err("portals: empty field".to_owned()) } else { Ok(portals) }
    }

    fn write(&self) -> String {
        let names: String =
            Square::all().map(|square| square.to_string().repeat(self.count(square) as usize)).collect();
        if names.is_empty() { "-".to_owned() } else { names }
    }

    fn count(&self, square: Square) -> u32 {
        self.0[square.index()]
    }

    fn on(&self, square: Square) -> bool {
        self.count(square) > 0
    }

    fn stacked(&self, square: Square) -> bool {
        self.count(square) > 1
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    Step(Step, Option<char>),
    /// Onto the portal at the step's destination, and out at the square named.
    Enter(Step, Square),
    Castle(Wing),
}

impl Turn {
    fn captured(self) -> Option<Square> {
        match self {
            Turn::Step(step, _) | Turn::Enter(step, _) => step.captured,
            Turn::Castle(_) => None,
        }
    }
}

impl Neutral {
    pub(crate) fn read(fen: &str) -> Result<Neutral, String> {
        let [placement, side, castling, ep, portals, half, full] = fen::fields(fen)?;
        let board = Board::read(placement, 'a'..='h', "PNBRQK")?;
        fen::check_kings(&board)?;
        let side = fen::read_side(side)?;
        let rights = Rights::read(castling, &board)?;
        let portals = Portals::read(portals)?;
        let passed = Square::read(ep);
        let ep = steps::read_ep(&board, side, ep, |piece| piece.is_none())?;
        let clocks = Clocks::read(half, full)?;
        if let Some(passed) = passed {
            let landed = board.step(passed, (0, side.other().forward()));
            if portals.on(passed) || landed.is_some_and(|square| portals.on(square)) {
                return Err(format!("ep: no pawn double-steps over {passed} with a portal there"));
            }
        }
        let position = Neutral { board, portals, side, rights, ep, clocks };
        if position.in_check(side.other()) {
            return Err("placement: the king of the side that has just moved is attacked".into());
        }
        Ok(position)
    }

    /// Whether the king of `color` could be captured by some move of the other side.
    fn in_check(&self, color: Color) -> bool {
        let Some(king) = self.board.king(color) else {
            return false;
        };
        let mut found = false;
        self.each_move(color.other(), &mut |turn| found |= turn.captured() == Some(king));
        found
    }

    /// Every pseudo-legal move of a side, castling apart.
    fn each_move(&self, color: Color, emit: &mut dyn FnMut(Turn)) {
        for (from, piece) in self.board.pieces(color) {
            if piece.role == 'P' {
                self.each_pawn_move(color, from, emit);
                continue;
            }
            let gait = gait(piece.role);
            for &direction in gait.leaps.iter().copied().flatten() {
                if let Some(to) = self.board.step(from, direction) {
                    self.land(color, from, to, emit);
                }
            }
            for &direction in gait.rides.iter().copied().flatten() {
                let mut here = from;
                while let Some(to) = self.board.step(here, direction) {
                    self.land(color, from, to, emit);
                    if !self.board.is_empty(to) || self.portals.on(to) {
                        break;
                    }
                    here = to;
                }
            }
        }
    }

    fn each_pawn_move(&self, color: Color, from: Square, emit: &mut dyn FnMut(Turn)) {
        let ahead = (0, color.forward());
        let passable = |square: &Square| self.board.is_empty(*square) && !self.portals.on(*square);
        if let Some(one) = self.board.step(from, ahead).filter(passable) {
            emit_pawn_step(color, Step { from, to: one, captured: None }, emit);
            if from.rank() == color.rank(2)
                && let Some(two) = self.board.step(one, ahead).filter(passable)
            {
                emit_pawn_step(color, Step { from, to: two, captured: None }, emit);
            }
        }
        for to in pawn_captures(&self.board, color, from) {
            if self.portals.on(to) {
                // It enters by the diagonal step whether or not an enemy stands there.
                self.land(color, from, to, emit);
            } else if self.board.holds_color(to, color.other()) {
                emit_pawn_step(color, Step { from, to, captured: Some(to) }, emit);
            } else if self.ep == Some(to) && color == self.side && self.board.is_empty(to) {
                let captured = self.board.step(to, (0, -color.forward()));
                emit_pawn_step(color, Step { from, to, captured }, emit);
            }
        }
    }

    /// A capturing movement that arrives on `to`, which may hold a piece, a portal, or both.
    fn land(&self, color: Color, from: Square, to: Square, emit: &mut dyn FnMut(Turn)) {
        if self.board.holds_color(to, color) {
            return;
        }
        let captured = self.board.holds_color(to, color.other()).then_some(to);
        let step = Step { from, to, captured };
        if self.portals.on(to) {
            self.exits(from, to).for_each(|exit| emit(Turn::Enter(step, exit)));
        } else {
            emit(Turn::Step(step, None));
        }
    }

    /// Where a piece from `from` that enters the portal on `entry` may come out.
    fn exits(&self, from: Square, entry: Square) -> impl Iterator<Item = Square> {
        Square::all().filter(move |&exit| {
            self.portals.on(exit)
                && self.board.is_empty(exit)
                && exit != entry
                && exit != from
                && !(self.portals.stacked(entry) && self.portals.stacked(exit))
        })
    }

    fn pseudo_legal(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        self.each_move(self.side, &mut |turn| turns.push(turn));
        let attacked = |board: &Board| {
            let position = Neutral { board: board.clone(), ..self.clone() };
            position.in_check(self.side)
        };
        self.rights.each(&self.board, self.side, &attacked, &mut |wing| {
            let between = Castling::new(self.side, wing).between();
            if !between.into_iter().any(|square| self.portals.on(square)) {
                turns.push(Turn::Castle(wing));
            }
        });
        turns
    }

    fn after(&self, turn: Turn) -> Neutral {
        let mut next = self.clone();
        next.ep = None;
        let mut irreversible = false;
        match turn {
            Turn::Castle(wing) => {
                let castling = Castling::new(self.side, wing);
                castling.play(&mut next.board);
                next.rights.touch(castling.king_from);
            }
            Turn::Step(step, _) | Turn::Enter(step, _) => {
                let Some(piece) = next.board.take(step.from) else {
                    return next;
                };
                next.rights.touch(step.from);
                if let Some(captured) = step.captured {
                    next.board.set(captured, None);
                    next.rights.touch(captured);
                }
                irreversible = step.captured.is_some() || piece.role == 'P';
                match turn {
                    Turn::Enter(_, exit) => {
                        next.board.set(exit, Some(piece));
                        next.portals.0[step.to.index()] -= 1;
                        next.portals.0[step.from.index()] += 1;
                    }
                    Turn::Step(_, promotion) => {
                        let role = promotion.unwrap_or(piece.role);
                        next.board.set(step.to, Some(Piece::new(self.side, role)));
                        if step.is_double(piece) {
                            next.ep = step.passed();
                        }
                    }
                    Turn::Castle(_) => {}
                }
            }
        }
        next.clocks = self.clocks.after(self.side, irreversible);
        next.side = self.side.other();
        next.ep = usable_ep(&next.board, next.side, next.ep);
        next
    }
}

/// A pawn's move that is not through a portal: it promotes on the last rank.
fn emit_pawn_step(color: Color, step: Step, emit: &mut dyn FnMut(Turn)) {
    if step.to.rank() == color.rank(8) {
        for role in PROMOTIONS {
            emit(Turn::Step(step, Some(role)));
        }
    } else {
        emit(Turn::Step(step, None));
    }
}

impl Position for Neutral {
    type Turn = Turn;

    fn fen(&self) -> String {
        format!(
            "{} {} {} {} {} {}",
            self.board.write(),
            fen::write_side(self.side),
            self.rights.write(),
            fen::write_optional(self.ep),
            self.portals.write(),
            self.clocks.write()
        )
    }

    fn uci(&self, turn: Turn) -> String {
        match turn {
            Turn::Step(step, None) => format!("{}{}", step.from, step.to),
            Turn::Step(step, Some(role)) => {
                format!("{}{}{}", step.from, step.to, role.to_ascii_lowercase())
            }
            Turn::Enter(step, exit) => format!("{}{}{exit}", step.from, step.to),
            Turn::Castle(wing) => {
                let castling = Castling::new(self.side, wing);
                format!("{}{}", castling.king_from, castling.king_to)
            }
        }
    }

    fn successors(&self) -> Vec<(Turn, Neutral)> {
        self.pseudo_legal()
            .into_iter()
            .map(|turn| (turn, self.after(turn)))
            .filter(|(_, next)| !next.in_check(self.side))
            .collect()
    }

    fn status(&self) -> Status {
        if !self.successors().is_empty() {
            Status::Ongoing
        } else if self.in_check(self.side) {
            Status::Checkmate(self.side.other())
        } else {
            Status::Stalemate
        }
    }
}
