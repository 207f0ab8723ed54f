//! Games as the page sees them. Boards and bots have the paths that they know.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::{Identity, MaybeIdentity, Scope};
use crate::fields::{Path, Typed};
use crate::games::view::GameState;
use crate::games::{Action, Done, Refusal};
use crate::limits::ClientAddr;
use crate::store::chat::Room;
use crate::store::games::{self, color};
use crate::{App, Error, ids};

/// How many of one's games are listed.
const LISTED: i64 = 100;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(playing))
        .routes(routes!(watched))
        .routes(routes!(state))
        .routes(routes!(view))
        .routes(routes!(events))
        .routes(routes!(act))
}

/// A game's id, from that of a game or of a player's side of one.
pub(super) fn game_id(text: &str) -> Result<&str, Refusal> {
    let known = ids::is_game_id(text).then(|| &text[..ids::GAME]);
    known.ok_or_else(|| Refusal::NoGame(text.chars().take(20).collect()))
}

/// The games that you play
///
/// With or without an account. New: not in Lichess' API.
#[utoipa::path(get, path = "/api/games/playing", operation_id = "page games playing", tag = "play", responses((status = 200, body = Vec<GameState>)))]
async fn playing(State(app): State<App>, MaybeIdentity(who): MaybeIdentity) -> Result<Json<Vec<GameState>>, Error> {
    let Some(who) = who else { return Ok(Json(Vec::new())) };
    let rows = {
        let mut db = app.store().read().await?;
        games::of_player(&mut db, who.user.as_deref(), &who.session, true, LISTED).await?
    };
    let mut states = Vec::with_capacity(rows.len());
    for row in rows {
        states.push(app.games().state(&row.id, Some(&who)).await?);
    }
    Ok(Json(states))
}

/// How many games are shown to those who want to watch one.
const WATCHED: i64 = 12;

/// Live games that are under way, those with the latest move first
///
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/games/live", operation_id = "page games live", tag = "games", responses((status = 200, body = Vec<GameState>)))]
async fn watched(State(app): State<App>) -> Result<Json<Vec<GameState>>, Error> {
    let ids = {
        let mut db = app.store().read().await?;
        games::live(&mut db, WATCHED).await?
    };
    let mut states = Vec::with_capacity(ids.len());
    for id in ids {
        states.push(app.games().state(&id, None).await?);
    }
    Ok(Json(states))
}

/// How a game stands
///
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/games/{id}", operation_id = "page games state", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameState), (status = 404, body = Error)))]
async fn state(
    State(app): State<App>,
    MaybeIdentity(who): MaybeIdentity,
    Path(id): Path<String>,
) -> Result<Json<GameState>, Error> {
    Ok(Json(app.games().state(game_id(&id)?, who.as_ref()).await?))
}

/// A game as a client without rules shows it: what lies where, the legal moves, what each move did
///
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/games/{id}/view", operation_id = "page games view", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 404, body = Error), (status = 409, body = Error)))]
async fn view(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Error> {
    let id = game_id(&id)?;
    match app.games().view(id).await? {
        Some(view) => Ok(Json(view).into_response()),
        None => Err(Refusal::OtherRules(app.games().row(id).await?.rules_version).into()),
    }
}

/// What happened in a game, from its beginning, as the WebSocket tells it
///
/// Moves come with their position and their text for people: the game can be read without the rules it was played by. New:
/// not in Lichess' API.
#[utoipa::path(get, path = "/api/games/{id}/events", operation_id = "page games events", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = Vec<Object>), (status = 404, body = Error)))]
async fn events(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Vec<Value>>, Error> {
    let id = game_id(&id)?;
    app.games().row(id).await?;
    let mut seen = 0;
    let mut all = Vec::new();
    loop {
        let events = app.games().events_after(id, seen).await?;
        let Some(last) = events.last() else { return Ok(Json(all)) };
        seen = last.seq;
        all.extend(events.iter().filter_map(|event| serde_json::from_str(&event.data).ok()));
    }
}

/// What was done.
#[derive(Debug, Serialize, ToSchema)]
struct DoneForm {
    /// The number of the event.
    seq: i64,
    /// How many plies are played.
    ply: i64,
    /// Whether it had been done before.
    duplicate: bool,
    /// The game that follows.
    rematch: Option<String>,
}

impl From<Done> for DoneForm {
    fn from(done: Done) -> Self {
        Self { seq: done.seq, ply: done.ply, duplicate: done.duplicate, rematch: done.rematch }
    }
}

/// Do something in a game
///
/// `{"action": "move", "ply": 0, "uci": "e2e4", "id": "…"}`, or another action by its name, as by the WebSocket. New: not in
/// Lichess' API.
#[utoipa::path(post, path = "/api/games/{id}/actions", operation_id = "page games act", tag = "play", params(("id" = String, Path)),
    request_body = Object,
    responses((status = 200, body = DoneForm), (status = 403, body = Error), (status = 404, body = Error),
        (status = 409, body = Error)), security((), ("cookie" = []), ("token" = ["board:play"]), ("token" = ["bot:play"])))]
async fn act(
    State(app): State<App>,
    Path(id): Path<String>,
    who: Identity,
    Typed(action): Typed<Action>,
) -> Result<Json<DoneForm>, Error> {
    need(&who, &PLAY)?;
    Ok(Json(done(&app, &who, game_id(&id)?, action, 0).await?.into()))
}

/// Does what a player asks. Who has left is known here and not to the games: the game of an opponent is claimed only after
/// a look.
pub(super) async fn done(app: &App, who: &Identity, id: &str, action: Action, lag: i64) -> Result<Done, Refusal> {
    if action == Action::ClaimVictory {
        let state = app.games().state(id, Some(who)).await?;
        let you = state.you.and_then(color).ok_or(Refusal::NotAPlayer)?;
        let gone = app.presence().left_at(id, !you).zip(state.control.patience());
        if !app.presence().is_sure() || gone.is_none_or(|(since, patience)| app.now() < since + patience) {
            return Err(Refusal::OpponentThere);
        }
    }
    app.games().act(id, who, action, lag).await
}

/// Says something in a game, if it is not one thing too many.
pub(super) async fn say(
    app: &App,
    who: &Identity,
    client: Option<&ClientAddr>,
    id: &str,
    room: Room,
    text: &str,
) -> Result<i64, Refusal> {
    app.limiter().talk(who, client, id).map_err(Refusal::TooOften)?;
    app.games().say(id, who, room, text).await
}

/// Whether a token was made for this; those who have none may.
pub(super) fn need(who: &Identity, scopes: &[Scope]) -> Result<(), Error> {
    if who.user.is_none() || scopes.iter().any(|&scope| who.scopes.contains(scope)) {
        return Ok(());
    }
    let names: Vec<_> = scopes.iter().map(|scope| scope.name()).collect();
    Err(Error {
        code: "missing-scope",
        ..Error::forbidden(format!("this token lacks the scope {}", names.join(" or ")))
    })
}

/// What it takes to play.
pub(super) const PLAY: [Scope; 2] = [Scope::BoardPlay, Scope::BotPlay];
