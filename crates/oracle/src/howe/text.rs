//! Reading and writing positions on two areas.

use super::{Area, Geometry, Howe, Intended, Intent};
use crate::board::{Board, Color, Piece, Square};
use crate::castling::Rights;
use crate::fen::{self, Clocks};
use crate::steps;

impl Howe {
    pub(crate) fn read(fen: &str, geometry: Geometry) -> Result<Howe, String> {
        let [placement, side, due, castling, ep, intents, half, full] = fen::fields(fen)?;
        let [placement_a, placement_b] = pair("placement", placement, '|')?;
        let (files_a, files_b) = match geometry {
            Geometry::Twin => ('a'..='h', 'a'..='h'),
            Geometry::Split => ('a'..='d', 'e'..='h'),
        };
        let boards = [
            Board::read(placement_a, files_a, "PNBRQK").map_err(|e| format!("area A: {e}"))?,
            Board::read(placement_b, files_b, "PNBRQK").map_err(|e| format!("area B: {e}"))?,
        ];
        for board in &boards {
            fen::check_pawns(board, false, false)?;
        }
        let side = fen::read_side(side)?;
        let due = match due {
            "A" => Area::A,
            "B" => Area::B,
            _ => return Err(format!("area due: `{due}` is neither `A` nor `B`")),
        };
        let [rights_a, rights_b] = pair("castling", castling, '|')?;
        let rights = [Rights::read(rights_a, &boards[0])?, Rights::read(rights_b, &boards[1])?];
        let ep = pair("ep", ep, '|')?;
        let mut position = Howe {
            geometry,
            boards,
            side,
            due,
            rights,
            ep: [None; 2],
            intents: [None; 2],
            clocks: Clocks::read(half, full)?,
        };
        for area in Area::ALL {
            let taker = position.next_to_move_in(area);
            position.ep[area.index()] =
                steps::read_ep(position.board(area), taker, ep[area.index()], |piece| piece.is_none())?;
        }
        let intents = pair("intents", intents, '/')?;
        for color in Color::ALL {
            position.intents[color.index()] = position.read_intent(color, intents[color.index()])?;
        }
        position.check_kings()?;
        let mover = side.other();
        if !position.is_safe(mover, position.last_area(mover)) {
            return Err("placement: the king of the side that has just moved is attacked".into());
        }
        Ok(position)
    }

    fn check_kings(&self) -> Result<(), String> {
        for color in Color::ALL {
            let on_boards: usize = self.boards.iter().map(|board| board.count_kings(color)).sum();
            let in_transit = self.intent(color).is_some_and(|intent| intent.state == Intended::InTransit('K'));
            let kings = on_boards + usize::from(in_transit);
            if kings != 1 {
                return Err(format!("placement: {color:?} has {kings} kings instead of 1"));
            }
        }
        Ok(())
    }

    fn read_intent(&self, color: Color, text: &str) -> Result<Option<Intent>, String> {
        if text == "-" {
            return Ok(None);
        }
        let wrong = |what: &str| Err(format!("intents: {color:?}'s `{text}`: {what}"));
        let Some((name, state)) = text.split_at_checked(2) else {
            return wrong("neither `-` nor a square");
        };
        let Some(square) = Square::read(name) else {
            return wrong("neither `-` nor a square");
        };
        let area = self.last_area(color);
        if !self.geometry.has_portal(area, square) {
            return wrong(&format!("no portal of area {area:?}"));
        }
        let state = match state {
            "" => Intended::Open,
            "x" => Intended::Blocked,
            _ => {
                let piece = state
                    .strip_prefix(':')
                    .filter(|letter| letter.len() == 1)
                    .and_then(|letter| Piece::read(letter.chars().next()?, "PNBRQK"))
                    .filter(|piece| piece.color == Color::Black);
                let Some(piece) = piece else {
                    return wrong("after the square neither nothing, nor `x`, nor `:` and a piece");
                };
                Intended::InTransit(piece.role)
            }
        };
        let goal = self.geometry.across(area, square);
        let blocked = self.board(area.other()).holds_color(goal, color);
        match state {
            Intended::InTransit(_) => {
                let possible = color == Color::Black
                    && self.side == Color::Black
                    && self.board(area).holds_color(square, Color::White)
                    && self.board(area.other()).is_empty(goal);
                if !possible {
                    return wrong("no piece can be in transit like this");
                }
            }
            _ if !self.board(area).holds_color(square, color) => {
                return wrong("no piece of that side on the square");
            }
            Intended::Open if blocked => return wrong("a piece of that side is in the way"),
            _ => {}
        }
        Ok(Some(Intent { area, square, state }))
    }

    pub(super) fn write(&self) -> String {
        let [a, b] = &self.boards;
        let intents = self.intents.map(|intent| match intent {
            None => "-".to_owned(),
            Some(Intent { square, state, .. }) => match state {
                Intended::Open => square.to_string(),
                Intended::Blocked => format!("{square}x"),
                Intended::InTransit(role) => format!("{square}:{}", role.to_ascii_lowercase()),
            },
        });
        format!(
            "{}|{} {} {:?} {}|{} {}|{} {} {}",
            a.write(),
            b.write(),
            fen::write_side(self.side),
            self.due,
            self.rights[0].write(),
            self.rights[1].write(),
            fen::write_optional(self.ep[0]),
            fen::write_optional(self.ep[1]),
            intents.join("/"),
            self.clocks.write()
        )
    }
}

/// The two halves of a field.
fn pair<'a>(name: &str, text: &'a str, separator: char) -> Result<[&'a str; 2], String> {
    match text.split(separator).collect::<Vec<_>>()[..] {
        [first, second] => Ok([first, second]),
        _ => Err(format!("{name}: `{text}` is not two parts joined by `{separator}`")),
    }
}
