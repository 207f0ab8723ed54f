//! Games that were played, and those under way.

use std::convert::Infallible;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use warpchess_rules::Color;

use crate::auth::User;
use crate::fields::{Asked, Fields, Path, Text};
use crate::lichess::export::{Exported, Wanted};
use crate::lichess::pages::{Form, PGN, Pages};
use crate::lichess::{self, game};
use crate::perf::{Perf, UnknownPerf};
use crate::routes::players;
use crate::store::archive::{self, Filter};
use crate::store::games;
use crate::{App, Error};

/// How many games can be asked for by their ids.
const MOST_IDS: usize = 300;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(playing))
        .routes(routes!(export))
        .routes(routes!(one))
        .routes(routes!(of_user))
        .routes(routes!(current))
        .routes(routes!(by_ids))
}

/// One's games that go on
#[utoipa::path(get, path = "/api/account/playing", operation_id = "games playing", tag = "games", params(("nb" = Option<i64>, Query, description = "How many at most, 1 to 50")),
    responses((status = 200, body = Object), (status = 401, body = Error)), security(("token" = [])))]
async fn playing(State(app): State<App>, user: User, Asked(query): Asked) -> Result<Json<Value>, Error> {
    let most = query.within("nb", 1..=50)?.unwrap_or(9);
    let ids = games::ongoing(&mut *app.store().read().await?, &user.id, most).await?;
    let mut forms = Vec::new();
    for id in ids {
        let state = app.games().state(&id, Some(&user.identity)).await?;
        let color = if state.you == Some(Color::Black.name()) { Color::Black } else { Color::White };
        if state.end.is_none() {
            forms.push(game::short(&mut *app.store().read().await?, &state, color).await?);
        }
    }
    // Those in which it is one's turn come first.
    forms.sort_by_key(|form| form["isMyTurn"] != true);
    Ok(Json(json!({ "nowPlaying": forms })))
}

async fn exported(app: &App, id: &str) -> Result<Exported, Error> {
    let id = lichess::game_id(id)?;
    let mut db = app.store().read().await?;
    let row = games::by_id(&mut db, id).await?;
    let row = row.ok_or_else(|| Error { code: "no-game", ..Error::not_found(format_args!("game {id}")) })?;
    Ok(Exported::of(app, &mut db, row).await?)
}

async fn answer(app: &App, id: &str, headers: &HeaderMap, query: &Fields) -> Result<Response, Error> {
    let wanted = Wanted::of(query)?;
    let game = exported(app, id).await?;
    Ok(match Form::asked(headers) {
        Form::Lines | Form::Array => Json(game.json(&wanted)).into_response(),
        Form::Pgn => ([(CONTENT_TYPE, PGN)], game.pgn(&wanted)).into_response(),
    })
}

/// A game, as a PGN or as JSON
///
/// JSON if `Accept` asks for it; then the moves are as people write them (SAN).
#[utoipa::path(get, path = "/game/export/{id}", operation_id = "games export", tag = "games", params(
    ("id" = String, Path),
    ("moves" = Option<bool>, Query, description = "Whether to tell the moves: yes, if absent"),
    ("tags" = Option<bool>, Query, description = "Whether to write the PGN's tags: yes, if absent"),
    ("clocks" = Option<bool>, Query, description = "Whether to tell the clocks after each move"),
    ("pgnInJson" = Option<bool>, Query, description = "Whether to put the PGN into the JSON"),
    ("evals" = Option<bool>, Query, description = "Whether to tell what an analysis has found, if there is one: yes, if absent"),
    ("literate" = Option<bool>, Query, description = "Whether the PGN says in words what was a mistake")),
    responses((status = 200, content((String = "application/x-chess-pgn"), (Object = "application/json"))), (status = 404, body = Error)))]
async fn export(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Asked(query): Asked,
) -> Result<Response, Error> {
    answer(&app, &id, &headers, &query).await
}

/// A game, as JSON
#[utoipa::path(get, path = "/api/game/{id}", operation_id = "games one", tag = "games", params(("id" = String, Path)), responses((status = 200, body = Object), (status = 404, body = Error)))]
async fn one(State(app): State<App>, Path(id): Path<String>, Asked(query): Asked) -> Result<Json<Value>, Error> {
    let wanted = Wanted::of(&query)?;
    Ok(Json(exported(&app, &id).await?.json(&wanted)))
}

/// The game that a player plays, or the last one
#[utoipa::path(get, path = "/api/user/{username}/current-game", operation_id = "games current", tag = "games", params(("username" = String, Path)),
    responses((status = 200, content((String = "application/x-chess-pgn"), (Object = "application/json"))), (status = 404, body = Error)))]
async fn current(
    State(app): State<App>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Asked(query): Asked,
) -> Result<Response, Error> {
    let filter = {
        let mut db = app.store().read().await?;
        let account = players::account(&mut db, &name).await?;
        Filter { user: Some(account.id), ongoing: true, finished: true, ..Filter::default() }
    };
    let going = Filter { finished: false, ..filter.clone() };
    let mut db = app.store().read().await?;
    let mut found = archive::page(&mut db, &going, None, 1).await?;
    if found.is_empty() {
        found = archive::page(&mut db, &filter, None, 1).await?;
    }
    drop(db);
    let row = found.pop().ok_or_else(|| Error::not_found(format_args!("game of {name}")))?;
    answer(&app, &row.id, &headers, &query).await
}

/// A player's games
///
/// One JSON object a line if `Accept` asks for `application/x-ndjson`, one array if it asks for `application/json`, else PGN. The
/// reply is written while the games are read. Games that were called off are not among them (see `/api/archive`).
#[utoipa::path(get, path = "/api/games/user/{username}", operation_id = "games of user", tag = "games", params(
    ("username" = String, Path),
    ("since" = Option<i64>, Query, description = "Begun at this time or later, in milliseconds since 1970"),
    ("until" = Option<i64>, Query, description = "Begun at this time or earlier"),
    ("max" = Option<i64>, Query, description = "How many at most"),
    ("vs" = Option<String>, Query, description = "Against this player"),
    ("rated" = Option<bool>, Query, description = "Rated or casual"),
    ("perfType" = Option<String>, Query, description = "`blitz`; with a game's id and `-` before it, or that id alone, for a game other than chess"),
    ("color" = Option<String>, Query, description = "The player's color"),
    ("ongoing" = Option<bool>, Query, description = "Whether to include games that go on"),
    ("finished" = Option<bool>, Query, description = "Whether to include games that have ended: yes, if absent"),
    ("sort" = Option<String>, Query, description = "`dateAsc` or `dateDesc`"),
    ("moves" = Option<bool>, Query), ("tags" = Option<bool>, Query), ("clocks" = Option<bool>, Query), ("pgnInJson" = Option<bool>, Query), ("evals" = Option<bool>, Query), ("literate" = Option<bool>, Query)),
    responses((status = 200, content((String = "application/x-chess-pgn"), (Object = "application/x-ndjson"), (Vec<Object> = "application/json"))), (status = 404, body = Error)))]
async fn of_user(
    State(app): State<App>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Asked(query): Asked,
) -> Result<Response, Error> {
    let wanted = Wanted::of(&query)?;
    let form = Form::asked(&headers);
    let filter = filter(&app, &name, &query).await?;
    let most = query.within("max", 0..=i64::from(i32::MAX))?.unwrap_or(i64::MAX);
    let pages = Pages::new(&app, filter, wanted, form, most);
    Ok(pages.reply())
}

async fn filter(app: &App, name: &str, query: &Fields) -> Result<Filter, Error> {
    let mut db = app.store().read().await?;
    let user = players::account(&mut db, name).await?.id;
    let (mut variant, mut speed) = (None, None);
    if let Some(text) = query.text("perfType")? {
        // Clients know a variant by its name alone: then all speeds are meant.
        if let Ok(known) = lichess::variant_of(&text) {
            variant = Some(known.id().to_owned());
        } else {
            let perf: Perf = text.parse().map_err(|error: UnknownPerf| Error::bad("perfType", error.to_string()))?;
            variant = Some(perf.variant.id().to_owned());
            speed = Some(perf.speed.name().to_owned());
        }
    }
    let color = query.text("color")?;
    if color.as_deref().is_some_and(|color| !matches!(color, "white" | "black")) {
        return Err(Error::bad("color", "'color' is expected to be white or black"));
    }
    let oldest_first = match query.text("sort")?.as_deref() {
        None | Some("dateDesc") => false,
        Some("dateAsc") => true,
        Some(_) => return Err(Error::bad("sort", "'sort' is expected to be dateAsc or dateDesc")),
    };
    Ok(Filter {
        user: Some(user),
        since: query.time("since")?,
        until: query.time("until")?,
        // Nobody of that name: nothing is found.
        against: query.text("vs")?.map(|name| crate::names::known(&name).unwrap_or_default()),
        rated: query.flag("rated")?,
        variant,
        speeds: speed.into_iter().collect(),
        color,
        ongoing: query.flag("ongoing")?.unwrap_or(false),
        finished: query.flag("finished")?.unwrap_or(true),
        oldest_first,
        ..Filter::default()
    })
}

/// Games by their ids
///
/// The body is up to 300 ids with commas between. One JSON object a line if `Accept` asks for `application/x-ndjson`, one array
/// if it asks for `application/json`, else PGN.
#[utoipa::path(post, path = "/api/games/export/_ids", operation_id = "games by ids", tag = "games", request_body(content = String, content_type = "text/plain"),
    responses((status = 200, content((String = "application/x-chess-pgn"), (Object = "application/x-ndjson"), (Vec<Object> = "application/json"))), (status = 400, body = Error)))]
async fn by_ids(
    State(app): State<App>,
    headers: HeaderMap,
    Asked(query): Asked,
    Text(body): Text,
) -> Result<Response, Error> {
    let wanted = Wanted::of(&query)?;
    let form = Form::asked(&headers);
    let ids: Vec<String> =
        body.split(',').filter_map(|id| lichess::game_id(id.trim()).ok()).map(str::to_owned).collect();
    if ids.len() > MOST_IDS {
        return Err(Error::bad("body", "at most 300 games can be asked for at once"));
    }
    let array = form == Form::Array;
    let games = stream::unfold((ids.into_iter(), true), move |(mut ids, first)| {
        let (app, wanted) = (app.clone(), wanted.clone());
        async move {
            for id in ids.by_ref() {
                // Those that there are not are left out.
                if let Ok(game) = exported(&app, &id).await {
                    let between = if array && !first { ",\n" } else { "" };
                    let text = format!("{between}{}", form.of_many(&game, &wanted));
                    return Some((Bytes::from(text), (ids, false)));
                }
            }
            None
        }
    });
    let around = |bracket: &'static str| stream::iter(array.then_some(Bytes::from_static(bracket.as_bytes())));
    let games = around("[").chain(games).chain(around("]\n")).map(Ok::<_, Infallible>);
    Ok(([(CONTENT_TYPE, form.of_several())], lichess::stream::body(games)).into_response())
}
