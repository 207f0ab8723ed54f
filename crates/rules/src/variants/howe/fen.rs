//! The FEN of these games.

use super::{BOTH, DUE_KEY, Geometry, Howe, Intent, State};
use crate::core::{Area, Bitboard, Castling, Color, Core, Piece, Role, Square};
use crate::notation::fen::{self, FenError, FenField, Fields, Params, excerpt};
use crate::position::Position;
use std::marker::PhantomData;

/// First file and number of files of an area.
fn files<G: Geometry>(area: Area) -> (u8, u8) {
    let first_rank = G::squares(area) & Bitboard::rank(0);
    (first_rank.first().map_or(0, Square::file), first_rank.len() as u8)
}

pub(super) fn write<G: Geometry>(position: &Howe<G>) -> String {
    let core = &position.core;
    let pair = |write: &dyn Fn(Area) -> String| format!("{}|{}", write(Area::A), write(Area::B));
    let intent = |color| position.intent(color).map_or_else(|| "-".into(), |i| write_intent(color, i));
    format!(
        "{} {} {} {} {} {}/{} {} {}",
        pair(&|area| fen::write_placement(core.board_of(area), files::<G>(area))),
        core.turn().letter(),
        position.due.letter(),
        pair(&|area| fen::write_castling(core.castling(area))),
        pair(&|area| fen::write_ep(core.ep(area))),
        intent(Color::White),
        intent(Color::Black),
        core.halfmove(),
        core.fullmove()
    )
}

fn write_intent(color: Color, intent: Intent) -> String {
    match intent.state {
        State::Open => intent.square.to_string(),
        State::Blocked => format!("{}x", intent.square),
        State::Transit(role) => format!("{}:{}", intent.square, Piece::new(color, role).letter().to_ascii_lowercase()),
    }
}

pub(super) fn read<G: Geometry>(text: &str) -> Result<Howe<G>, FenError> {
    let mut fields = Fields::new(text)?;
    let mut core = Core::empty();
    let placements = pair(&mut fields, FenField::Placement, '|')?;
    for (area, text) in BOTH.into_iter().zip(placements) {
        fen::read_placement(&mut core, G::INFO, area, text, files::<G>(area)).map_err(|e| in_area(area, e))?;
        fen::check_pawns(core.board_of(area), &[0, 7]).map_err(|e| in_area(area, e))?;
    }
    core.set_turn(fen::read_side(fields.next(FenField::Side)?)?);
    let mut position = Howe::<G> { core, intents: [None; 2], due: read_area(&mut fields)?, geometry: PhantomData };
    if position.due == Area::B {
        position.core.toggle_hash(DUE_KEY);
    }
    for (area, text) in BOTH.into_iter().zip(pair(&mut fields, FenField::Castling, '|')?) {
        let rights = read_castling(&position, area, text).map_err(|e| in_area(area, e))?;
        position.core.set_castling(area, rights);
    }
    let ep_texts = pair(&mut fields, FenField::EnPassant, '|')?;
    for (area, text) in BOTH.into_iter().zip(ep_texts) {
        let us = position.next_turn_in(area);
        let board = position.board(area);
        let ep = fen::read_ep(board, us, text, G::squares(area), Bitboard::EMPTY).map_err(|e| in_area(area, e))?;
        position.core.set_ep(area, ep);
    }
    let intents = pair(&mut fields, FenField::Intents, '/')?;
    for (color, text) in Color::ALL.into_iter().zip(intents) {
        if text != "-" {
            let intent = read_intent(&position, color, text)?;
            position.set_intent(color, Some(intent));
        }
    }
    let (halfmove, fullmove) = fields.clocks()?;
    position.core.set_clocks(halfmove, fullmove);
    check_kings(&position)?;
    check_history(&position, ep_texts)?;
    check_safety(&position)?;
    Ok(position)
}

/// A field of two parts.
fn pair<'a>(fields: &mut Fields<'a>, field: FenField, separator: char) -> Result<[&'a str; 2], FenError> {
    let text = fields.next(field)?;
    match text.split_once(separator) {
        Some((a, b)) if !b.contains(separator) => Ok([a, b]),
        _ => Err(FenError::new(field, format!("'{}', two parts joined by '{separator}' expected", excerpt(text)))
            .because("parts", &[("text", &excerpt(text)), ("separator", &separator)])),
    }
}

/// Tells in which area something is wrong.
fn in_area(area: Area, error: FenError) -> FenError {
    let mut reason = error.reason;
    reason.params.push(("area", area.letter().to_string()));
    FenError { field: error.field, problem: format!("area {}: {}", area.letter(), error.problem), reason }
}

fn read_area(fields: &mut Fields<'_>) -> Result<Area, FenError> {
    match fields.next(FenField::Area)? {
        "A" => Ok(Area::A),
        "B" => Ok(Area::B),
        text => Err(FenError::new(FenField::Area, format!("'{}', 'A' or 'B' expected", excerpt(text)))
            .because("area", &[("text", &excerpt(text))])),
    }
}

fn read_castling<G: Geometry>(position: &Howe<G>, area: Area, text: &str) -> Result<Castling, FenError> {
    let rights = fen::read_castling(position.board(area), text)?;
    let possible = G::RIGHTS[area.index()];
    match Castling::LETTERS.iter().find(|l| rights.has(l.1, l.2) && !possible.has(l.1, l.2)) {
        None => Ok(rights),
        Some((letter, ..)) => Err(FenError::new(FenField::Castling, format!("there is no castling '{letter}'"))
            .because("castlingNone", &[("text", letter)])),
    }
}

fn wrong_intent<T>(
    color: Color,
    text: &str,
    problem: &str,
    code: &'static str,
    params: &Params<'_>,
) -> Result<T, FenError> {
    let mut error = FenError::new(FenField::Intents, format!("{}'s '{}': {problem}", color.name(), excerpt(text)))
        .because(code, params);
    error.reason.params.extend([("color", color.name().to_owned()), ("text", excerpt(text))]);
    Err(error)
}

/// Reads a declared teleport and checks that it can have come about.
fn read_intent<G: Geometry>(position: &Howe<G>, color: Color, text: &str) -> Result<Intent, FenError> {
    let err = |problem: &str, code, params: &Params<'_>| wrong_intent(color, text, problem, code, params);
    let (square, state) = match (text.split_once(':'), text.strip_suffix('x')) {
        (Some((square, letter)), _) => (square, parse_letter::<G>(letter).map(State::Transit)),
        (None, Some(square)) => (square, Some(State::Blocked)),
        (None, None) => (text, Some(State::Open)),
    };
    let source = position.source(color);
    let (Ok(square), Some(state)) = (square.parse::<Square>(), state) else {
        return err(
            "a portal square, with 'x' if blocked or ':' and a lower-case piece letter if in transit, expected",
            "intentText",
            &[],
        );
    };
    if !G::portals(source).has(square) {
        let problem = format!("no portal of area {}, in which {} moved last", source.letter(), color.name());
        return err(&problem, "intentPortal", &[("area", &source.letter())]);
    }
    let intent = Intent { square, state };
    let there = position.board(source).color_at(square);
    let (area, goal) = position.goal(color, intent);
    let meets_friend = position.board(area).color_at(goal) == Some(color);
    if let State::Transit(_) = state {
        return if color == Color::White || position.core.turn() == Color::White {
            err("only a black piece can be in transit, and only with Black to move", "transitBlack", &[])
        } else if there != Some(Color::White) || position.board(area).occupied().has(goal) {
            let problem = format!("the white piece that came to {square} from {goal} is missing");
            err(&problem, "transitMissing", &[("square", &square), ("from", &goal)])
        } else {
            Ok(intent)
        };
    }
    if there != Some(color) {
        let problem = format!("no {} piece on {square} of area {}", color.name(), source.letter());
        return err(&problem, "intentNoPiece", &[("square", &square), ("area", &source.letter())]);
    }
    // Only Black can have taken away what blocks White, and only when White is due again.
    let may_be_unblocked = color == Color::White && position.core.turn() == Color::White;
    match state {
        State::Open if meets_friend => {
            err("blocked by an own piece at the other end, 'x' expected", "intentBlocked", &[])
        }
        State::Blocked if !meets_friend && !may_be_unblocked => {
            err("nothing blocks it at the other end", "intentFree", &[])
        }
        _ => Ok(intent),
    }
}

fn parse_letter<G: Geometry>(letter: &str) -> Option<Role> {
    let mut chars = letter.chars();
    let (c, None) = (chars.next()?, chars.next()) else { return None };
    Role::from_letter(c).ok().filter(|&role| c.is_ascii_lowercase() && G::INFO.has_role(role))
}

/// One king a side in all: on either board, or in transit.
fn check_kings<G: Geometry>(position: &Howe<G>) -> Result<(), FenError> {
    for color in Color::ALL {
        let lifted = position.intent(color).is_some_and(|i| i.state == State::Transit(Role::King));
        let n = BOTH.into_iter().map(|a| position.board(a).kings(color).len()).sum::<u32>() + u32::from(lifted);
        if n != 1 {
            let problem = format!("{n} {} kings in both areas together, exactly one expected", color.name());
            return Err(FenError::new(FenField::Placement, problem)
                .because("kingsAreas", &[("n", &n), ("color", &color.name())]));
        }
    }
    Ok(())
}

/// Checks that no turn is told to have been two things at once: a declaration (or the teleport that lifted a piece off)
/// was that player's whole turn, so it was no double step.
fn check_history<G: Geometry>(position: &Howe<G>, ep_texts: [&str; 2]) -> Result<(), FenError> {
    let has_ep = |area: Area| ep_texts[area.index()] != "-";
    let conflict = |area: Area, text: String| {
        let problem = format!("no double step in area {} can go with {text}", area.letter());
        Err(FenError::new(FenField::EnPassant, problem).because("epIntent", &[("area", &area.letter())]))
    };
    // White's last turn was in the other area, Black's in the area due if White is to move.
    let other = position.due.other();
    if position.intent(Color::White).is_some() && has_ep(other) {
        return conflict(other, "White's declaration there".into());
    }
    if position.core.turn() == Color::White && position.intent(Color::Black).is_some() && has_ep(position.due) {
        return conflict(position.due, "Black's declaration there".into());
    }
    if let Some(Intent { state: State::Transit(_), .. }) = position.intent(Color::Black) {
        if position.intent(Color::White).is_some() {
            return wrong_intent(Color::White, "declaration", "White has just teleported", "intentTwice", &[]);
        }
        if let Some(area) = BOTH.into_iter().find(|&area| has_ep(area)) {
            return conflict(area, "a black piece in transit".into());
        }
    }
    Ok(())
}

/// Checks that the side not to move has not left its king to be captured.
fn check_safety<G: Geometry>(position: &Howe<G>) -> Result<(), FenError> {
    let them = !position.core.turn();
    let played = position.source(them);
    match position.king(them) {
        Some((area, king)) if !position.is_safe_after_turn(them, played) => Err(FenError::new(
            FenField::Side,
            format!("the king of the side not to move can be captured on {king} of area {}", area.letter()),
        )
        .because("captureKing", &[("square", &king), ("area", &area.letter())])),
        _ => Ok(()),
    }
}
