//! The game in which a piece may go into a pocket and come out changed.

use crate::board::{Board, Color, Piece, Square};
use crate::fen::{self, Clocks};
use crate::position::{Position, Status};
use crate::steps::{self, Step, attacked, each_step, usable_ep};

/// The pieces by class, class 1 first.
const CLASSES: [&str; 8] = ["P", "NB", "RID", "AG", "QMUV", "FWX", "TH", "Z"];
const ROLES: &str = "KPNBRIDAGQMUVFWXTHZ";
/// Plies without a capture or a promotion that draw the game.
const DRAWN_AFTER: u32 = 100;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pocket {
    board: Board,
    /// What White and Black have in the pocket.
    pockets: [Option<char>; 2],
    side: Color,
    ep: Option<Square>,
    clocks: Clocks,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    Step(Step),
    /// Into the pocket, becoming what is named; whether that raises its class.
    Pocket(Square, char, bool),
    Drop(Square, char),
}

fn class(role: char) -> Option<usize> {
    CLASSES.iter().position(|roles| roles.contains(role))
}

impl Pocket {
    pub(crate) fn read(fen: &str) -> Result<Pocket, String> {
        let [placement, side, castling, ep, half, full] = fen::fields(fen)?;
        let (board, pocket) = placement
            .strip_suffix(']')
            .and_then(|text| text.split_once('['))
            .ok_or("pocket: no `[…]` after the placement")?;
        let board = Board::read(board, 'a'..='h', ROLES)?;
        fen::check_kings(&board)?;
        let side = fen::read_side(side)?;
        if castling != "-" {
            return Err(format!("castling: `{castling}`, but nobody castles in this game"));
        }
        let ep = steps::read_ep(&board, side, ep, |piece| piece.is_none())?;
        let pockets = read_pockets(pocket)?;
        let clocks = Clocks::read(half, full)?;
        let position = Pocket { board, pockets, side, ep, clocks };
        if position.in_check(side.other()) {
            return Err("placement: the king of the side that has just moved is attacked".into());
        }
        Ok(position)
    }

    fn in_check(&self, color: Color) -> bool {
        self.board.king(color).is_some_and(|king| attacked(&self.board, king, color.other()))
    }

    fn pseudo_legal(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        each_step(&self.board, self.side, self.ep, &mut |step| turns.push(Turn::Step(step)));
        let last = self.side.rank(8);
        match self.pockets[self.side.index()] {
            Some(role) => {
                let free = Square::all().filter(|&square| square.rank() != last && self.board.is_empty(square));
                turns.extend(free.map(|square| Turn::Drop(square, role)));
            }
            // White may not pocket on the first move of the game.
            None if self.side == Color::White && self.clocks.full == 1 => {}
            None => {
                for (square, piece) in self.board.pieces(self.side) {
                    let Some(own) = class(piece.role) else {
                        continue;
                    };
                    if square.rank() != last {
                        let becomes = CLASSES[own].chars();
                        turns.extend(becomes.map(|role| Turn::Pocket(square, role, false)));
                    } else if let Some(next) = CLASSES.get(own + 1) {
                        let becomes = next.chars();
                        turns.extend(becomes.map(|role| Turn::Pocket(square, role, true)));
                    } else {
                        turns.push(Turn::Pocket(square, piece.role, false));
                    }
                }
            }
        }
        turns
    }

    fn after(&self, turn: Turn) -> Pocket {
        let mut next = self.clone();
        next.ep = None;
        let mut irreversible = false;
        match turn {
            Turn::Step(step) => {
                let piece = next.board.take(step.from);
                if let Some(captured) = step.captured {
                    next.board.set(captured, None);
                    irreversible = true;
                }
                next.board.set(step.to, piece);
                if piece.is_some_and(|piece| step.is_double(piece)) {
                    next.ep = step.passed();
                }
            }
            Turn::Pocket(square, becomes, raised) => {
                next.board.set(square, None);
                next.pockets[self.side.index()] = Some(becomes);
                irreversible = raised;
            }
            Turn::Drop(square, role) => {
                next.board.set(square, Some(Piece::new(self.side, role)));
                next.pockets[self.side.index()] = None;
            }
        }
        next.clocks = self.clocks.after(self.side, irreversible);
        next.side = self.side.other();
        next.ep = usable_ep(&next.board, next.side, next.ep);
        next
    }
}

fn read_pockets(text: &str) -> Result<[Option<char>; 2], String> {
    let mut pockets = [None; 2];
    for letter in text.chars() {
        let piece = Piece::read(letter, ROLES)
            .filter(|piece| piece.role != 'K')
            .ok_or_else(|| format!("pocket: `{letter}` cannot be in a pocket"))?;
        let pocket = &mut pockets[piece.color.index()];
        if pocket.is_some() {
            return Err(format!("pocket: more than one piece of {:?}", piece.color));
        }
        *pocket = Some(piece.role);
    }
    if write_pockets(pockets) != text {
        return Err(format!("pocket: `{text}` does not name White's piece first"));
    }
    Ok(pockets)
}

fn write_pockets(pockets: [Option<char>; 2]) -> String {
    Color::ALL.into_iter().filter_map(|color| Some(Piece::new(color, pockets[color.index()]?).letter())).collect()
}

impl Position for Pocket {
    type Turn = Turn;

    fn fen(&self) -> String {
        format!(
            "{}[{}] {} - {} {}",
            self.board.write(),
            write_pockets(self.pockets),
            fen::write_side(self.side),
            fen::write_optional(self.ep),
            self.clocks.write()
        )
    }

    fn uci(&self, turn: Turn) -> String {
        match turn {
            Turn::Step(step) => format!("{}{}", step.from, step.to),
            Turn::Pocket(square, becomes, _) => format!("{square}^{becomes}"),
            Turn::Drop(square, role) => format!("{role}@{square}"),
        }
    }

    fn successors(&self) -> Vec<(Turn, Pocket)> {
        self.pseudo_legal()
            .into_iter()
            .map(|turn| (turn, self.after(turn)))
            .filter(|(_, next)| !next.in_check(self.side))
            .collect()
    }

    fn status(&self) -> Status {
        // Mate and stalemate come before the draw by counting.
        if !self.successors().is_empty() {
            if self.clocks.half >= DRAWN_AFTER { Status::FiftyMoves } else { Status::Ongoing }
        } else if self.in_check(self.side) {
            Status::Checkmate(self.side.other())
        } else {
            Status::Stalemate
        }
    }
}
