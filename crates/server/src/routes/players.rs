//! Players, ratings, leaderboards.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::fields::{Asked, Path, Text};
use crate::names;
use crate::perf::Perf;
use crate::players::{self, Extended, Light, ONLINE, PerfForm, extended, listed};
use crate::rating::PROVISIONAL;
use crate::store::accounts::{self, Account};
use crate::store::ratings::{self, Standing};
use crate::store::{Db, StoreError};
use crate::time::Day;
use crate::{App, Error};

/// How many users can be asked for at once.
const MOST_USERS: usize = 300;
/// How many places a leaderboard has at most.
const MOST_PLACES: i64 = 200;
/// Who has not played for so long is not on leaderboards: 90 days.
const LEADERBOARD_AGE: i64 = 90 * 86_400_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(user))
        .routes(routes!(users))
        .routes(routes!(statuses))
        .routes(routes!(autocomplete))
        .routes(routes!(rating_history))
        .routes(routes!(performance))
        .routes(routes!(crosstable))
        .routes(routes!(all_top))
        .routes(routes!(leaderboard))
        .routes(routes!(online_bots))
}

/// The account of a name that somebody wrote.
pub(crate) async fn account(db: &mut Db, name: &str) -> Result<Account, Error> {
    let none = || Error::not_found(format_args!("player called '{}'", name.chars().take(30).collect::<String>()));
    let id = names::known(name).ok_or_else(none)?;
    accounts::by_id(db, &id).await?.ok_or_else(none)
}

/// Who a player is
#[utoipa::path(get, path = "/api/user/{username}", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = Extended), (status = 404, body = Error)))]
async fn user(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Extended>, Error> {
    let mut db = app.store().read().await?;
    let account = account(&mut db, &name).await?;
    Ok(Json(extended(&app, &mut db, &account).await?))
}

/// Who several players are
///
/// The body is up to 300 names with commas between. Those that nobody has are left out.
#[utoipa::path(post, path = "/api/users", tag = "players", request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = Vec<Extended>), (status = 400, body = Error)))]
async fn users(State(app): State<App>, Text(body): Text) -> Result<Json<Vec<Extended>>, Error> {
    let mut db = app.store().read().await?;
    let mut found = Vec::new();
    for account in several(&mut db, "body", &body).await? {
        found.push(listed(&app, &mut db, &account).await?);
    }
    Ok(Json(found))
}

async fn several(db: &mut Db, field: &'static str, list: &str) -> Result<Vec<Account>, Error> {
    let ids: Vec<String> = list.split(',').filter_map(|name| names::known(name.trim())).collect();
    if ids.len() > MOST_USERS {
        return Err(Error::bad(field, "at most 300 players can be asked for at once"));
    }
    let mut found = Vec::new();
    for id in &ids {
        found.extend(accounts::by_id(db, id).await?);
    }
    Ok(found)
}

/// Who is there, and who plays
#[utoipa::path(get, path = "/api/users/status", tag = "players", params(
    ("ids" = String, Query, description = "Up to 300 names with commas between"),
    ("withGameIds" = Option<bool>, Query, description = "Whether to tell which game somebody plays")),
    responses((status = 200, body = Vec<Object>), (status = 400, body = Error)))]
async fn statuses(State(app): State<App>, Asked(query): Asked) -> Result<Json<Vec<Value>>, Error> {
    let with_games = query.flag("withGameIds")?.unwrap_or(false);
    let now = app.now();
    let mut db = app.store().read().await?;
    let mut found = Vec::new();
    for account in several(&mut db, "ids", &query.text("ids")?.unwrap_or_default()).await? {
        let mut form = json!(Light::of(&account));
        if now - account.seen_at < ONLINE {
            form["online"] = json!(true);
        }
        if let Some(game) = accounts::current_game(&mut db, &account.id).await? {
            form["playing"] = json!(true);
            if with_games {
                form["playingId"] = json!(game);
            }
        }
        found.push(form);
    }
    Ok(Json(found))
}

/// Players whose names begin so
#[utoipa::path(get, path = "/api/player/autocomplete", tag = "players", params(
    ("term" = String, Query, description = "How the name begins, 3 characters at least"),
    ("object" = Option<bool>, Query, description = "Whether to tell more than names")),
    responses((status = 200, body = Object), (status = 400, body = Error)))]
async fn autocomplete(State(app): State<App>, Asked(query): Asked) -> Result<Json<Value>, Error> {
    let term = names::id(&query.needed("term")?);
    if !(3..=*names::LENGTH.end()).contains(&term.len()) || !term.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(Error::bad("term", "'term' is expected to be the first 3 to 20 letters of a name"));
    }
    let mut db = app.store().read().await?;
    let found = accounts::beginning_with(&mut db, &term, 20).await?;
    Ok(Json(if query.flag("object")?.unwrap_or(false) {
        json!({ "result": found.iter().map(Light::of).collect::<Vec<_>>() })
    } else {
        json!(found.iter().map(|account| &account.name).collect::<Vec<_>>())
    }))
}

/// The ratings of a game and speed, day by day.
#[derive(Debug, Serialize, ToSchema)]
struct History {
    /// The game and speed for people.
    name: String,
    /// The same as in paths. New: not in Lichess' API.
    key: String,
    /// Year, month (January is 0), day, rating at the end of the day.
    points: Vec<(i32, i32, i32, i64)>,
}

/// How a player's ratings went, day by day
#[utoipa::path(get, path = "/api/user/{username}/rating-history", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = Vec<History>), (status = 404, body = Error)))]
async fn rating_history(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Vec<History>>, Error> {
    let mut db = app.store().read().await?;
    let account = account(&mut db, &name).await?;
    let changes = ratings::history(&mut db, &account.id).await?;
    drop(db);
    let mut histories: Vec<(Perf, Vec<(Day, i64)>)> = Vec::new();
    for change in changes {
        let (Ok(variant), Ok(speed)) = (change.variant.parse(), change.speed.parse()) else { continue };
        let perf = Perf { variant, speed };
        if histories.last().is_none_or(|(last, _)| *last != perf) {
            histories.push((perf, Vec::new()));
        }
        let Some((_, points)) = histories.last_mut() else { continue };
        let (day, rating) = (Day::of(change.at), change.after.round() as i64);
        match points.last_mut() {
            Some((last, value)) if *last == day => *value = rating,
            _ => points.push((day, rating)),
        }
    }
    let form = |(perf, points): (Perf, Vec<(Day, i64)>)| History {
        name: perf.name(),
        key: perf.to_string(),
        points: points.into_iter().map(|(day, rating)| (day.year, day.month - 1, day.day, rating)).collect(),
    };
    Ok(Json(histories.into_iter().map(form).collect()))
}

/// How a player does in a game at a speed
#[utoipa::path(get, path = "/api/user/{username}/perf/{perf}", tag = "players", params(
    ("username" = String, Path), ("perf" = String, Path, description = "`blitz`; with a game's id and `-` before it for a game other than chess")),
    responses((status = 200, body = Object), (status = 404, body = Error)))]
async fn performance(State(app): State<App>, Path((name, perf)): Path<(String, String)>) -> Result<Json<Value>, Error> {
    let perf: Perf = parse_perf(&perf)?;
    let now = app.now();
    let mut db = app.store().read().await?;
    let account = account(&mut db, &name).await?;
    let (variant, speed) = (perf.variant.id(), perf.speed.name());
    let known = ratings::of(&mut db, &account.id, variant, speed).await?;
    let standing = known.unwrap_or_else(|| Standing::new(&account.id, variant, speed, now));
    let prog = ratings::last_change(&mut db, &account.id, variant, speed).await?;
    let rank = ratings::rank(&mut db, &standing, PROVISIONAL, now - LEADERBOARD_AGE).await?;
    let rating = standing.rating.aged(now - standing.updated_at);
    Ok(Json(json!({
        "user": Light::of(&account),
        "perf": {
            "key": perf.to_string(), "name": perf.name(),
            "glicko": { "rating": rating.value, "deviation": rating.deviation, "provisional": rating.provisional() },
            "nb": standing.games(), "progress": prog,
        },
        "rank": rank,
        "stat": { "count": {
            "rated": standing.games(), "win": standing.wins, "draw": standing.draws, "loss": standing.losses,
        } },
    })))
}

fn parse_perf(text: &str) -> Result<Perf, Error> {
    text.parse().map_err(|error: crate::perf::UnknownPerf| Error::bad("perf", error.to_string()))
}

/// How two players did against each other
#[utoipa::path(get, path = "/api/crosstable/{one}/{other}", tag = "players", params(("one" = String, Path), ("other" = String, Path)),
    responses((status = 200, body = Object), (status = 404, body = Error)))]
async fn crosstable(State(app): State<App>, Path((one, other)): Path<(String, String)>) -> Result<Json<Value>, Error> {
    let mut db = app.store().read().await?;
    let (one, other) = (account(&mut db, &one).await?, account(&mut db, &other).await?);
    let (wins, draws, losses) = accounts::score(&mut db, &one.id, &other.id).await?;
    let points = |wins: i64| wins as f64 + draws as f64 / 2.0;
    Ok(Json(json!({
        "users": { one.id: points(wins), other.id: points(losses) },
        "nbGames": wins + draws + losses,
    })))
}

/// Somebody on a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
struct Leader {
    id: String,
    username: String,
    perfs: BTreeMap<String, PerfForm>,
}

async fn leaders(app: &App, db: &mut Db, perf: Perf, places: i64) -> Result<Vec<Leader>, StoreError> {
    let now = app.now();
    let top =
        ratings::top(db, perf.variant.id(), perf.speed.name(), PROVISIONAL, now - LEADERBOARD_AGE, places).await?;
    let form = |(name, standing): (String, Standing)| Leader {
        id: standing.user.clone(),
        username: name,
        perfs: BTreeMap::from([(perf.to_string(), PerfForm::of(&standing, now, 0))]),
    };
    Ok(top.into_iter().map(form).collect())
}

/// The ten best in each game at each speed
#[utoipa::path(get, path = "/api/player", tag = "players", responses((status = 200, body = Object)))]
async fn all_top(State(app): State<App>) -> Result<Response, Error> {
    let mut db = app.store().read().await?;
    let mut boards = BTreeMap::new();
    for perf in Perf::all() {
        boards.insert(perf.to_string(), leaders(&app, &mut db, perf, 10).await?);
    }
    Ok(Json(boards).into_response())
}

/// The best in a game at a speed
///
/// Those whose ratings are not provisional and who played within 90 days.
#[utoipa::path(get, path = "/api/player/top/{count}/{perf}", tag = "players", params(
    ("count" = i64, Path, description = "1 to 200"),
    ("perf" = String, Path, description = "`blitz`; with a game's id and `-` before it for a game other than chess")),
    responses((status = 200, body = Object), (status = 400, body = Error)))]
async fn leaderboard(
    State(app): State<App>,
    Path((count, perf)): Path<(String, String)>,
) -> Result<Json<Value>, Error> {
    let places = count.parse().ok().filter(|count| (1..=MOST_PLACES).contains(count));
    let places = places.ok_or_else(|| Error::bad("count", "the number of places is expected to be from 1 to 200"))?;
    let perf = parse_perf(&perf)?;
    let mut db = app.store().read().await?;
    Ok(Json(json!({ "users": leaders(&app, &mut db, perf, places).await? })))
}

/// Bots that are there
#[utoipa::path(get, path = "/api/bot/online", tag = "players", params(("nb" = Option<i64>, Query, description = "How many at most, 1 to 200")),
    responses((status = 200, description = "One a line", body = Extended, content_type = "application/x-ndjson")))]
async fn online_bots(State(app): State<App>, Asked(query): Asked) -> Result<Response, Error> {
    let count = query.within("nb", 1..=200)?.unwrap_or(100);
    let mut db = app.store().read().await?;
    let mut lines = Vec::new();
    for account in accounts::bots_seen_since(&mut db, app.now() - ONLINE, count).await? {
        let form = players::listed(&app, &mut db, &account).await?;
        serde_json::to_writer(&mut lines, &form).map_err(Error::internal)?;
        lines.push(b'\n');
    }
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], lines).into_response())
}
