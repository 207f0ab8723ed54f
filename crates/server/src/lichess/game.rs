//! A game under way, as boards and bots follow it.

use serde_json::{Value, json};
use warpchess_rules::{Color, Game, VariantId};

use super::{add, perf_form, status, title, variant_form};
use crate::games::view::{GameState, Player};
use crate::games::{Control, Speed};
use crate::store::{Db, StoreError};

/// What Lichess tells where there is no clock.
const NO_CLOCK: i64 = 2_147_483_647;

/// The whole of a game: what a stream begins with.
pub(crate) async fn full(db: &mut Db, state: &GameState) -> Result<Value, StoreError> {
    let (variant, speed) = kind(state);
    let mut form = json!({
        "type": "gameFull",
        "id": state.id,
        "variant": variant_form(variant),
        "speed": state.speed,
        "perf": perf_form(variant, speed),
        "rated": state.rated,
        "createdAt": state.created_at,
        "white": player(db, &state.white).await?,
        "black": player(db, &state.black).await?,
        "initialFen": state.initial_fen.as_deref().unwrap_or("startpos"),
        "state": now(state),
    });
    match state.control {
        Control::Live { limit, increment } => form["clock"] = json!({ "initial": limit, "increment": increment }),
        Control::Days { days } => form["daysPerTurn"] = json!(days),
        Control::Unlimited => {}
    }
    Ok(form)
}

/// How a game stands.
pub(crate) fn now(state: &GameState) -> Value {
    let increment = match state.control {
        Control::Live { increment, .. } => increment,
        Control::Days { .. } | Control::Unlimited => 0,
    };
    let end = state.end.as_ref();
    let mut form = json!({
        "type": "gameState",
        "moves": state.moves.join(" "),
        "wtime": state.clock.map_or(NO_CLOCK, |clock| clock.white),
        "btime": state.clock.map_or(NO_CLOCK, |clock| clock.black),
        "winc": increment,
        "binc": increment,
        "status": status(state.status, end.map(|end| end.reason.as_str())).1,
    });
    add(&mut form, "winner", end.and_then(|end| end.winner));
    for (offer, white, black) in
        [(state.draw_offer, "wdraw", "bdraw"), (state.takeback_offer, "wtakeback", "btakeback")]
    {
        if let Some(by) = offer {
            form[if by == Color::White.name() { white } else { black }] = json!(true);
        }
    }
    add(&mut form, "rematch", state.rematch.as_deref());
    form
}

/// A player of a game that is followed.
async fn player(db: &mut Db, player: &Player) -> Result<Value, StoreError> {
    if let Some(level) = player.level {
        return Ok(json!({ "aiLevel": level }));
    }
    // Clients look for an id and a name, also of those who have none.
    let mut form = json!({ "id": player.user.as_deref().unwrap_or_default(), "name": player.name });
    form["title"] = json!(title(db, player.user.as_deref()).await?);
    add(&mut form, "rating", player.rating);
    if player.provisional {
        form["provisional"] = json!(true);
    }
    Ok(form)
}

/// What is played and how fast.
pub(crate) fn kind(state: &GameState) -> (VariantId, Speed) {
    // Both come from the games service, which has them from a variant and a control.
    (state.variant.parse().unwrap_or_default(), state.control.speed())
}

/// The position of a game that is shown, replayed.
pub(crate) fn replayed(state: &GameState) -> Option<Game> {
    let (variant, _) = kind(state);
    let mut game = match &state.initial_fen {
        Some(fen) => Game::from_fen(variant, fen).ok()?,
        None => Game::new(variant),
    };
    state.moves.iter().try_for_each(|uci| game.play_uci(uci).map(|_| ())).ok()?;
    Some(game)
}

/// A game in short, as its player is told that it began or ended, or goes on.
pub(crate) async fn short(db: &mut Db, state: &GameState, color: Color) -> Result<Value, StoreError> {
    let (variant, speed) = kind(state);
    let (own, other) = match color {
        Color::White => (&state.white, &state.black),
        Color::Black => (&state.black, &state.white),
    };
    let my_turn = state.turn == color.name();
    let end = state.end.as_ref();
    let (status_id, status_name) = status(state.status, end.map(|end| end.reason.as_str()));
    let fen = replayed(state).map_or_else(|| variant.start().fen(), |game| game.position().fen());
    let opponent = match other.level {
        Some(level) => json!({ "id": null, "username": other.name, "ai": level }),
        None => {
            let mut form = json!({ "id": other.user, "username": other.name });
            add(&mut form, "rating", other.rating);
            add(&mut form, "ratingDiff", other.rating_diff);
            add(&mut form, "title", title(db, other.user.as_deref()).await?);
            form
        }
    };
    let mut form = json!({
        "id": state.id,
        "gameId": state.id,
        "fullId": full_id(&state.id, color),
        "fen": fen,
        "color": color.name(),
        "lastMove": state.moves.last().map_or("", String::as_str),
        "source": if other.level.is_some() { "ai" } else { "friend" },
        "status": { "id": status_id, "name": status_name },
        "variant": variant_form(variant),
        "speed": state.speed,
        "perf": crate::perf::Perf { variant, speed }.to_string(),
        "rated": state.rated,
        "hasMoved": !state.moves.is_empty(),
        "opponent": opponent,
        "isMyTurn": my_turn && end.is_none(),
        "compat": { "bot": true, "board": true },
    });
    let left = state.clock.map(|clock| match color {
        Color::White => clock.white,
        Color::Black => clock.black,
    });
    add(&mut form, "secondsLeft", left.map(|ms| ms / 1000));
    add(&mut form, "rating", own.rating);
    add(&mut form, "ratingDiff", own.rating_diff);
    add(&mut form, "winner", end.and_then(|end| end.winner));
    Ok(form)
}

/// The id of a game as one player sees it. The letters are no secret: nobody plays by them.
pub(crate) fn full_id(id: &str, color: Color) -> String {
    let side = match color {
        Color::White => "wwww",
        Color::Black => "bbbb",
    };
    format!("{id}{side}")
}
