//! The games on two areas, on which turns alternate and between which pieces teleport.

mod text;

use crate::board::{Board, Color, Piece, Square};
use crate::castling::{Castling, Rights, Wing};
use crate::fen::Clocks;
use crate::position::{Position, Status};
use crate::steps::{self, PROMOTIONS, Step, each_step, usable_ep};

/// How the two areas lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Geometry {
    /// Two whole boards.
    Twin,
    /// The two halves of one board.
    Split,
}

/// One of the two areas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Area {
    A,
    B,
}

impl Area {
    const ALL: [Area; 2] = [Area::A, Area::B];

    fn other(self) -> Area {
        match self {
            Area::A => Area::B,
            Area::B => Area::A,
        }
    }

    fn index(self) -> usize {
        self as usize
    }
}

impl Geometry {
    /// Whether the square of the area is a portal.
    fn has_portal(self, area: Area, square: Square) -> bool {
        let files = match (self, area) {
            (Geometry::Twin, _) => [0, 7],
            (Geometry::Split, Area::A) => [0, 3],
            (Geometry::Split, Area::B) => [4, 7],
        };
        files.contains(&square.file()) && [3, 4].contains(&square.rank())
    }

    /// The square of the other area to which a portal leads.
    fn across(self, area: Area, square: Square) -> Square {
        let shift = match (self, area) {
            (Geometry::Twin, _) => 0,
            (Geometry::Split, Area::A) => 4,
            (Geometry::Split, Area::B) => -4,
        };
        Square::at(square.file() + shift, square.rank()).unwrap_or(square)
    }
}

/// A declared teleport: from which square, of the area in which its owner moved last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Intent {
    area: Area,
    square: Square,
    state: Intended,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Intended {
    /// The piece will go.
    Open,
    /// A friendly piece stood on the other side when it was declared: the turn will be a pass.
    Blocked,
    /// The piece, named by its role, was lifted off by a teleport onto its square.
    InTransit(char),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Howe {
    geometry: Geometry,
    boards: [Board; 2],
    side: Color,
    /// The area in which the side to move has its turn.
    due: Area,
    rights: [Rights; 2],
    /// For each area the en passant square, kept only while a pawn can use it.
    ep: [Option<Square>; 2],
    intents: [Option<Intent>; 2],
    clocks: Clocks,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    Step(Step, Option<char>),
    Castle(Wing),
    Declare(Square),
    Teleport,
    Pass,
}

impl Howe {
    fn board(&self, area: Area) -> &Board {
        &self.boards[area.index()]
    }

    fn intent(&self, color: Color) -> Option<Intent> {
        self.intents[color.index()]
    }

    /// The area of the last turn of a side.
    fn last_area(&self, color: Color) -> Area {
        match (color, self.side) {
            // Between two turns of White, Black has one in each … and the other way round:
            // White A, Black B, White B, Black A, White A.
            (Color::White, _) | (Color::Black, Color::Black) => self.due.other(),
            (Color::Black, Color::White) => self.due,
        }
    }

    fn king(&self, color: Color) -> Option<(Area, Square)> {
        Area::ALL.into_iter().find_map(|area| Some((area, self.board(area).king(color)?)))
    }

    /// The side that has the next turn in an area, and so may take en passant there: after Black's
    /// turn White stays in the area, and after White's Black is next in both.
    fn next_to_move_in(&self, area: Area) -> Color {
        if area == self.due { self.side } else { Color::Black }
    }

    /// Whether what stands on the square could be captured there by the other side: by an ordinary
    /// move, or by the teleport it has declared.
    fn attacked(&self, area: Area, square: Square) -> bool {
        let Some(target) = self.board(area).get(square) else {
            return false;
        };
        let enemy = target.color.other();
        let by_teleport = self.intent(enemy).is_some_and(|intent| {
            intent.state != Intended::Blocked
                && intent.area == area.other()
                && self.geometry.across(intent.area, intent.square) == square
        });
        // A king that has been declared too will be gone: the two swap.
        let swaps = target.role == 'K' && self.has_declared(target.color, area, square);
        (by_teleport && !swaps) || steps::attacked(self.board(area), square, enemy)
    }

    /// Whether the side has declared the teleport of its piece there, and is not blocked.
    fn has_declared(&self, color: Color, area: Area, square: Square) -> bool {
        self.intent(color) == Some(Intent { area, square, state: Intended::Open })
    }

    /// Whether, after a turn of `color` in `area`, its king cannot be captured before it can move.
    fn is_safe(&self, color: Color, area: Area) -> bool {
        let Some((king_area, king)) = self.king(color) else {
            return true;
        };
        match color {
            // Black is next to move in both areas, but a declared king is gone by then.
            Color::White => self.has_declared(color, king_area, king) || !self.attacked(king_area, king),
            // White is next in this area; in the other one Black is.
            Color::Black => king_area != area || !self.attacked(king_area, king),
        }
    }

    /// The legal moves and declarations of the side to move in the area, as if it were due and the
    /// side were free.
    fn free_turns(&self, area: Area) -> Vec<(Turn, Howe)> {
        let position = Howe { due: area, ..self.clone() };
        let board = position.board(area);
        let mut turns = Vec::new();
        let last = self.side.rank(8);
        let ep = self.ep[area.index()].filter(|_| self.next_to_move_in(area) == self.side);
        each_step(board, self.side, ep, &mut |step| {
            if step.to.rank() == last && board.holds(step.from, self.side, 'P') {
                turns.extend(PROMOTIONS.map(|role| Turn::Step(step, Some(role))));
            } else {
                turns.push(Turn::Step(step, None));
            }
        });
        let attacked = |board: &Board| {
            let mut position = self.clone();
            position.boards[area.index()] = board.clone();
            board.king(self.side).is_some_and(|king| position.attacked(area, king))
        };
        self.rights[area.index()].each(board, self.side, &attacked, &mut |wing| {
            turns.push(Turn::Castle(wing));
        });
        for (square, _) in board.pieces(self.side) {
            if self.geometry.has_portal(area, square) {
                turns.push(Turn::Declare(square));
            }
        }
        turns
            .into_iter()
            .map(|turn| (turn, position.after(turn)))
            .filter(|(_, next)| next.is_safe(self.side, area))
            .collect()
    }

    /// A forced turn, if it leaves the king safe.
    fn forced(&self, turn: Turn) -> Option<(Turn, Howe)> {
        let next = self.after(turn);
        next.is_safe(self.side, self.due).then_some((turn, next))
    }

    fn after(&self, turn: Turn) -> Howe {
        let mut next = self.clone();
        let due = self.due.index();
        let mut captured = None;
        let mut pawn_moved = false;
        next.ep[due] = None;
        next.intents[self.side.index()] = None;
        match turn {
            Turn::Pass => {}
            Turn::Castle(wing) => {
                let castling = Castling::new(self.side, wing);
                castling.play(&mut next.boards[due]);
                next.rights[due].touch(castling.king_from);
            }
            Turn::Declare(square) => {
                let goal = self.geometry.across(self.due, square);
                let blocked = self.board(self.due.other()).holds_color(goal, self.side);
                let state = if blocked { Intended::Blocked } else { Intended::Open };
                next.intents[self.side.index()] = Some(Intent { area: self.due, square, state });
            }
            Turn::Step(step, promotion) => {
                let Some(piece) = next.boards[due].take(step.from) else {
                    return next;
                };
                captured = step.captured;
                if let Some(captured) = captured {
                    next.boards[due].set(captured, None);
                }
                let role = promotion.unwrap_or(piece.role);
                next.boards[due].set(step.to, Some(Piece::new(self.side, role)));
                next.rights[due].touch(step.from);
                pawn_moved = piece.role == 'P';
                if step.is_double(piece) {
                    next.ep[due] = step.passed();
                }
            }
            Turn::Teleport => captured = next.teleport(self.intent(self.side)),
        }
        if let Some(captured) = captured {
            next.rights[due].touch(captured);
            // A declaration is void when the declared piece has been captured.
            let enemy = &mut next.intents[self.side.other().index()];
            *enemy = enemy.filter(|intent| (intent.area, intent.square) != (self.due, captured));
        }
        next.clocks = self.clocks.after(self.side, captured.is_some() || pawn_moved);
        next.side = self.side.other();
        next.due = match self.side {
            Color::White => self.due.other(),
            Color::Black => self.due,
        };
        for area in Area::ALL {
            // A pawn that could have captured may have been teleported away.
            let ep = next.ep[area.index()];
            let taker = next.next_to_move_in(area);
            next.ep[area.index()] = usable_ep(next.board(area), taker, ep);
        }
        next
    }

    /// Lands the declared piece of the side to move in the area due. The square, if it captures.
    fn teleport(&mut self, intent: Option<Intent>) -> Option<Square> {
        let intent = intent?;
        let enemy = self.side.other();
        let piece = match intent.state {
            Intended::InTransit(role) => Some(Piece::new(self.side, role)),
            _ => self.boards[intent.area.index()].take(intent.square),
        };
        let goal = self.geometry.across(intent.area, intent.square);
        let met = self.boards[self.due.index()].get(goal);
        self.boards[self.due.index()].set(goal, piece);
        let met = met?;
        if self.has_declared(enemy, self.due, goal) {
            // Simultaneous: it is lifted off, and lands on its owner's next turn.
            let state = Intended::InTransit(met.role);
            self.intents[enemy.index()] = Some(Intent { area: self.due, square: goal, state });
            return None;
        }
        Some(goal)
    }
}

impl Position for Howe {
    type Turn = Turn;

    fn fen(&self) -> String {
        self.write()
    }

    fn uci(&self, turn: Turn) -> String {
        match turn {
            Turn::Step(step, None) => format!("{}{}", step.from, step.to),
            Turn::Step(step, Some(role)) => {
                format!("{}{}{}", step.from, step.to, role.to_ascii_lowercase())
            }
            Turn::Castle(wing) => {
                let castling = Castling::new(self.side, wing);
                format!("{}{}", castling.king_from, castling.king_to)
            }
            Turn::Declare(square) => format!("{square}{square}"),
            Turn::Teleport | Turn::Pass => "0000".to_owned(),
        }
    }

    fn successors(&self) -> Vec<(Turn, Howe)> {
        if let Some(intent) = self.intent(self.side) {
            // Bound: teleport, or pass if that is impossible. What is in transit cannot stay there.
            let teleport = match intent.state {
                Intended::Blocked => None,
                _ => self.forced(Turn::Teleport),
            };
            let turn = match intent.state {
                Intended::InTransit(_) => teleport,
                _ => teleport.or_else(|| self.forced(Turn::Pass)),
            };
            return Vec::from_iter(turn);
        }
        let turns = self.free_turns(self.due);
        if !turns.is_empty() {
            return turns;
        }
        let pass = self.forced(Turn::Pass);
        // Without a turn in the other area either, the game is over.
        Vec::from_iter(pass.filter(|_| !self.free_turns(self.due.other()).is_empty()))
    }

    fn status(&self) -> Status {
        if !self.successors().is_empty() {
            return Status::Ongoing;
        }
        let bound = self.intent(self.side).is_some();
        let attacked_elsewhere =
            self.king(self.side).is_some_and(|(area, square)| area == self.due.other() && self.attacked(area, square));
        if bound || self.forced(Turn::Pass).is_none() || attacked_elsewhere {
            Status::Checkmate(self.side.other())
        } else {
            Status::Stalemate
        }
    }
}
