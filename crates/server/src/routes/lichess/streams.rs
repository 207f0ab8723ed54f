//! What happens, as it happens.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use warpchess_rules::{Color, Game};

use super::play::{Api, players_game};
use crate::auth::{MaybeIdentity, Scope, User};
use crate::fields::Path;
use crate::games::view::GameState;
use crate::lichess::event::Events;
use crate::lichess::stream::{self, Gone, Lines, NDJSON};
use crate::lichess::{self, game, status, variant_form};
use crate::limits::Client;
use crate::{App, Error, bus};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(events))
        .routes(routes!(bot_game))
        .routes(routes!(board_game))
        .routes(routes!(moves))
}

/// Games and challenges of one's own
///
/// One event a line: `gameStart` (also for those that go on already), `gameFinish`, `challenge`, `challengeCanceled`,
/// `challengeDeclined`. Empty lines show that the connection stands.
#[utoipa::path(get, path = "/api/stream/event", operation_id = "stream events", tag = "play", responses(
    (status = 200, body = Object, content_type = "application/x-ndjson"), (status = 401, body = Error)),
    security(("token" = ["challenge:read"]), ("token" = ["bot:play"]), ("token" = ["board:play"])))]
async fn events(State(app): State<App>, user: User) -> Result<Response, Error> {
    user.need_any(&[Scope::ChallengeRead, Scope::BotPlay, Scope::BoardPlay])?;
    let place = app.limiter().stream(&user.id)?;
    let events = Events::new(app.clone(), user.identity, user.id);
    Ok(stream::reply(&app, NDJSON, move |lines| async move {
        let _place = place;
        events.run(lines).await
    }))
}

/// A game of a bot, as it goes on
///
/// `gameFull` first, then `gameState`, `chatLine` and `opponentGone`. Ends with the game.
#[utoipa::path(get, path = "/api/bot/game/stream/{id}", operation_id = "stream bot game", tag = "play", params(("id" = String, Path)), responses(
    (status = 200, body = Object, content_type = "application/x-ndjson"), (status = 401, body = Error), (status = 404, body = Error)),
    security(("token" = ["bot:play"])))]
async fn bot_game(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Response, Error> {
    follow(app, user, Api::Bot, &id).await
}

/// A game at a board, as it goes on
///
/// `gameFull` first, then `gameState`, `chatLine` and `opponentGone`. Ends with the game.
#[utoipa::path(get, path = "/api/board/game/stream/{id}", operation_id = "stream board game", tag = "play", params(("id" = String, Path)), responses(
    (status = 200, body = Object, content_type = "application/x-ndjson"), (status = 401, body = Error), (status = 404, body = Error)),
    security(("token" = ["board:play"])))]
async fn board_game(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Response, Error> {
    follow(app, user, Api::Board, &id).await
}

async fn follow(app: App, user: User, api: Api, id: &str) -> Result<Response, Error> {
    let (id, _) = players_game(&app, &user, api, id).await?;
    let place = app.limiter().stream(&user.id)?;
    Ok(stream::reply(&app.clone(), NDJSON, move |lines| async move {
        let _place = place;
        Followed { app, user, id, seq: 0, opponent_gone: false }.run(lines).await
    }))
}

/// A game that a player follows.
struct Followed {
    app: App,
    user: User,
    id: String,
    /// The last event that was told.
    seq: i64,
    opponent_gone: bool,
}

#[derive(Deserialize)]
struct Numbered {
    seq: i64,
}

#[derive(Deserialize)]
struct Said {
    t: String,
    room: Option<String>,
    name: Option<String>,
    text: Option<String>,
}

impl Followed {
    async fn run(mut self, mut lines: Lines) -> Result<(), Gone> {
        // From now on, before the first look: nothing falls between.
        let bus = self.app.games().bus();
        let mut events = bus.subscribe(&bus::game_subject(&self.id));
        let mut room = bus.subscribe(&bus::room_subject(&self.id));
        let mut presence = bus.subscribe(&self.app.presence().subject(&self.id));

        let state = self.state().await?;
        let Some(color) = [Color::White, Color::Black].into_iter().find(|color| state.you == Some(color.name())) else {
            return Ok(());
        };
        let form = {
            let mut db = self.app.store().read().await.map_err(|_| Gone)?;
            game::full(&mut db, &state).await.map_err(|_| Gone)?
        };
        self.seq = state.seq;
        lines.json(&form).await?;
        if state.end.is_some() {
            return Ok(());
        }
        let _here = self.app.presence().enter(&self.id, Some(color));
        loop {
            let what = lines.wait(async {
                tokio::select! {
                    event = events.next() => Happened::Event(event.ok()),
                    line = room.next() => Happened::Said(line.ok()),
                    _ = presence.next() => Happened::Presence,
                }
            });
            match what.await? {
                Happened::Event(text) => {
                    let seq = text.and_then(|text| serde_json::from_str::<Numbered>(&text).ok()).map(|told| told.seq);
                    // Several may have happened since; how the game stands now is told once.
                    if seq.is_some_and(|seq| seq <= self.seq) {
                        continue;
                    }
                    let state = self.state().await?;
                    if state.seq <= self.seq {
                        continue;
                    }
                    self.seq = state.seq;
                    lines.json(&game::now(&state)).await?;
                    if state.end.is_some() {
                        return Ok(());
                    }
                }
                Happened::Said(text) => {
                    let said = text.and_then(|text| serde_json::from_str::<Said>(&text).ok());
                    let Some(said) = said.filter(|said| said.t == "chat") else { continue };
                    if said.room.as_deref() == Some("players") {
                        let line = json!({
                            "type": "chatLine", "room": "player", "username": said.name, "text": said.text,
                        });
                        lines.json(&line).await?;
                    }
                }
                Happened::Presence => self.look_for_opponent(&mut lines, color).await?,
            }
        }
    }

    async fn state(&self) -> Result<GameState, Gone> {
        self.app.games().state(&self.id, Some(&self.user.identity)).await.map_err(|_| Gone)
    }

    /// Tells when the opponent has gone, or come back.
    async fn look_for_opponent(&mut self, lines: &mut Lines, color: Color) -> Result<(), Gone> {
        let left = self.app.presence().left_at(&self.id, !color);
        if left.is_some() == self.opponent_gone {
            return Ok(());
        }
        let Some(patience) = self.state().await?.control.patience() else { return Ok(()) };
        self.opponent_gone = left.is_some();
        let mut event = json!({ "type": "opponentGone", "gone": self.opponent_gone });
        if let Some(at) = left {
            let wait = (at + patience - self.app.now()).max(0);
            event["claimWinInSeconds"] = json!((wait + 999) / 1000);
        }
        lines.json(&event).await
    }
}

enum Happened {
    Event(Option<bus::Utf8Bytes>),
    Said(Option<bus::Utf8Bytes>),
    Presence,
}

/// The positions and moves of any game, as they come about
///
/// The game first, then a line for each position: those there were, then those that come. Ends with the game.
#[utoipa::path(get, path = "/api/stream/game/{id}", operation_id = "stream moves", tag = "games", params(("id" = String, Path)), responses(
    (status = 200, body = Object, content_type = "application/x-ndjson"), (status = 404, body = Error), (status = 429, body = Error)))]
async fn moves(
    State(app): State<App>,
    Extension(Client(client)): Extension<Client>,
    MaybeIdentity(who): MaybeIdentity,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = lichess::game_id(&id)?.to_owned();
    app.games().row(&id).await?;
    // Whoever has no account counts by address.
    let place = app.limiter().stream(&who.and_then(|who| who.user).unwrap_or_else(|| client.to_string()))?;
    Ok(stream::reply(&app.clone(), NDJSON, move |lines| async move {
        let _place = place;
        watch(app, id, lines).await
    }))
}

async fn watch(app: App, id: String, mut lines: Lines) -> Result<(), Gone> {
    let mut events = app.games().bus().subscribe(&bus::game_subject(&id));
    let mut told: Vec<String> = Vec::new();
    let mut first = true;
    loop {
        let state = app.games().state(&id, None).await.map_err(|_| Gone)?;
        if std::mem::take(&mut first) {
            lines.json(&about(&state)).await?;
            lines.json(&position(&state, None)).await?;
        }
        // After a takeback the line goes on from where the two games part.
        let common = told.iter().zip(&state.moves).take_while(|(a, b)| a == b).count();
        if common < told.len() {
            lines.json(&position(&state, Some(common))).await?;
        }
        for ply in common..state.moves.len() {
            lines.json(&position(&state, Some(ply + 1))).await?;
        }
        told.clone_from(&state.moves);
        if state.end.is_some() {
            return lines.json(&about(&state)).await;
        }
        // Whatever is told or missed: the next look shows it.
        let _ = lines.wait(events.next()).await?;
    }
}

fn about(state: &GameState) -> Value {
    let (variant, _) = game::kind(state);
    let end = state.end.as_ref();
    let (id, name) = status(state.status, end.map(|end| end.reason.as_str()));
    let player = |player: &crate::games::view::Player| match player.level {
        Some(level) => json!({ "aiLevel": level }),
        None => {
            json!({ "user": player.user.as_ref().map(|id| json!({ "id": id, "name": player.name })), "rating": player.rating })
        }
    };
    json!({
        "id": state.id,
        "variant": variant_form(variant),
        "speed": state.speed,
        "rated": state.rated,
        "initialFen": state.initial_fen.as_deref().unwrap_or("startpos"),
        "fen": position(state, Some(state.moves.len()))["fen"],
        "player": state.turn,
        "turns": state.ply,
        "status": { "id": id, "name": name },
        "winner": end.and_then(|end| end.winner),
        "createdAt": state.created_at,
        "players": { "white": player(&state.white), "black": player(&state.black) },
    })
}

/// The position after so many plies; `None` for the first.
fn position(state: &GameState, plies: Option<usize>) -> Value {
    let plies = plies.unwrap_or(0);
    let game = game::replayed(state);
    let fen = game.as_ref().and_then(|game: &Game| game.position_at(plies)).map(|position| position.fen());
    let mut form = json!({ "fen": fen });
    if let Some(uci) = plies.checked_sub(1).and_then(|ply| state.moves.get(ply)) {
        form["lm"] = json!(uci);
    }
    if let Some(clock) = state.clock.filter(|_| plies == state.moves.len()) {
        form["wc"] = json!(clock.white / 1000);
        form["bc"] = json!(clock.black / 1000);
    }
    form
}
