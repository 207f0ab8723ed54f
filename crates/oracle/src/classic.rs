//! Orthodox chess, and the game in which pieces of one side may exchange squares.

use crate::board::{Board, Color, Piece, Square};
use crate::castling::{Castling, Rights, Wing};
use crate::fen::{self, Clocks};
use crate::position::{Position, Status};
use crate::steps::{self, PROMOTIONS, Step, attacked, each_step, gait, usable_ep};

/// A position of either game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Classic {
    /// Whether pieces of one side may exchange squares.
    swaps: bool,
    board: Board,
    side: Color,
    rights: Rights,
    /// Kept only while a pawn of the side to move can use it.
    ep: Option<Square>,
    clocks: Clocks,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    Step(Step, Option<char>),
    Castle(Wing),
    /// The piece on the first square makes the exchange with the one on the second.
    Swap(Square, Square, Option<char>),
}

impl Classic {
    pub(crate) fn read(fen: &str, swaps: bool) -> Result<Classic, String> {
        let [placement, side, castling, ep, half, full] = fen::fields(fen)?;
        let board = Board::read(placement, 'a'..='h', "PNBRQK")?;
        fen::check_kings(&board)?;
        fen::check_pawns(&board, swaps, false)?;
        let side = fen::read_side(side)?;
        let rights = Rights::read(castling, &board)?;
        let left_behind = |piece: Option<Piece>| match piece {
            None => true,
            Some(piece) => swaps && piece.color != side && !matches!(piece.role, 'K' | 'P'),
        };
        let ep = steps::read_ep(&board, side, ep, left_behind)?;
        let clocks = Clocks::read(half, full)?;
        let position = Classic { swaps, board, side, rights, ep, clocks };
        if position.in_check(side.other()) {
            return Err("placement: the king of the side that has just moved is attacked".into());
        }
        Ok(position)
    }

    fn in_check(&self, color: Color) -> bool {
        in_check(&self.board, color)
    }

    fn pseudo_legal(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        let last = self.side.rank(8);
        each_step(&self.board, self.side, self.ep, &mut |step| {
            if step.to.rank() == last && self.board.holds(step.from, self.side, 'P') {
                turns.extend(PROMOTIONS.map(|role| Turn::Step(step, Some(role))));
            } else {
                turns.push(Turn::Step(step, None));
            }
        });
        let attacked = |board: &Board| in_check(board, self.side);
        self.rights.each(&self.board, self.side, &attacked, &mut |wing| {
            turns.push(Turn::Castle(wing));
        });
        if self.swaps {
            self.each_swap(&mut |from, to| {
                // The mover arrives on `to`, its partner on `from`; a pawn on the last rank promotes.
                let promotes = [(from, to), (to, from)]
                    .into_iter()
                    .any(|(before, after)| after.rank() == last && self.board.holds(before, self.side, 'P'));
                if promotes {
                    turns.extend(PROMOTIONS.map(|role| Turn::Swap(from, to, Some(role))));
                } else {
                    turns.push(Turn::Swap(from, to, None));
                }
            });
        }
        turns
    }

    /// Every exchange: the mover could go there, were the own piece that stands there away.
    fn each_swap(&self, emit: &mut dyn FnMut(Square, Square)) {
        let partner =
            |square: Square| self.board.holds_color(square, self.side) && !self.board.holds(square, self.side, 'K');
        for (from, piece) in self.board.pieces(self.side) {
            if piece.role == 'K' {
                continue;
            }
            if piece.role == 'P' {
                let ahead = (0, self.side.forward());
                let Some(one) = self.board.step(from, ahead) else {
                    continue;
                };
                if partner(one) {
                    emit(from, one);
                }
                if from.rank() == self.side.rank(2)
                    && self.board.is_empty(one)
                    && let Some(two) = self.board.step(one, ahead).filter(|&two| partner(two))
                {
                    emit(from, two);
                }
                continue;
            }
            let gait = gait(piece.role);
            for &direction in gait.leaps.iter().copied().flatten() {
                if let Some(to) = self.board.step(from, direction).filter(|&to| partner(to)) {
                    emit(from, to);
                }
            }
            for &direction in gait.rides.iter().copied().flatten() {
                let mut next = self.board.step(from, direction);
                while let Some(empty) = next.filter(|&square| self.board.is_empty(square)) {
                    next = self.board.step(empty, direction);
                }
                if let Some(to) = next.filter(|&to| partner(to)) {
                    emit(from, to);
                }
            }
        }
    }

    fn after(&self, turn: Turn) -> Classic {
        let mut next = self.clone();
        next.ep = None;
        let mut irreversible = false;
        match turn {
            Turn::Step(step, promotion) => {
                let Some(piece) = next.board.take(step.from) else {
                    return next;
                };
                if let Some(captured) = step.captured {
                    next.board.set(captured, None);
                    next.rights.touch(captured);
                }
                let role = promotion.unwrap_or(piece.role);
                next.board.set(step.to, Some(Piece::new(self.side, role)));
                next.rights.touch(step.from);
                irreversible = step.captured.is_some() || piece.role == 'P';
                if step.is_double(piece) {
                    next.ep = step.passed();
                }
            }
            Turn::Castle(wing) => {
                let castling = Castling::new(self.side, wing);
                castling.play(&mut next.board);
                next.rights.touch(castling.king_from);
            }
            Turn::Swap(from, to, promotion) => {
                let (mover, partner) = (next.board.take(from), next.board.take(to));
                next.board.set(to, mover);
                next.board.set(from, partner);
                next.rights.touch(from);
                next.rights.touch(to);
                if let Some(role) = promotion {
                    let square = if to.rank() == self.side.rank(8) { to } else { from };
                    next.board.set(square, Some(Piece::new(self.side, role)));
                    irreversible = true;
                }
                let step = Step { from, to, captured: None };
                let partner_is_pawn = partner.is_some_and(|piece| piece.role == 'P');
                if !partner_is_pawn && mover.is_some_and(|mover| step.is_double(mover)) {
                    next.ep = step.passed();
                }
            }
        }
        next.clocks = self.clocks.after(self.side, irreversible);
        next.side = self.side.other();
        next.ep = usable_ep(&next.board, next.side, next.ep);
        next
    }
}

fn in_check(board: &Board, color: Color) -> bool {
    board.king(color).is_some_and(|king| attacked(board, king, color.other()))
}

impl Position for Classic {
    type Turn = Turn;

    fn fen(&self) -> String {
        format!(
            "{} {} {} {} {}",
            self.board.write(),
            fen::write_side(self.side),
            self.rights.write(),
            fen::write_optional(self.ep),
            self.clocks.write()
        )
    }

    fn uci(&self, turn: Turn) -> String {
        let (from, to, promotion) = match turn {
            Turn::Step(step, promotion) => (step.from, step.to, promotion),
            Turn::Swap(from, to, promotion) => (from, to, promotion),
            Turn::Castle(wing) => {
                let castling = Castling::new(self.side, wing);
                (castling.king_from, castling.king_to, None)
            }
        };
        let suffix = promotion.map_or(String::new(), |role| role.to_ascii_lowercase().to_string());
        format!("{from}{to}{suffix}")
    }

    fn successors(&self) -> Vec<(Turn, Classic)> {
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
