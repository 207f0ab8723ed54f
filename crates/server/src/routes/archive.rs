//! Games of the past, looked for.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use warpchess_rules::Game;

use crate::fields::{Asked, Fields};
use crate::games::Speed;
use crate::lichess;
use crate::lichess::export::{Exported, Wanted};
use crate::lichess::pages::{Form, Pages};
use crate::store::archive::{self, After, Filter, Result as Ended};
use crate::{App, Error, ids};

/// How many games a page has at most, and how many if nobody says.
const MOST: i64 = 100;
const USUAL: i64 = 20;
/// How many plies a line may have.
const LONGEST_LINE: usize = 200;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search)).routes(routes!(export))
}

/// Look for games
///
/// A page of games, newest first, and the cursor behind it. Games that have ended, unless `status` says otherwise: those that go
/// on are found by `started`, those that were called off by `aborted`. New: not in Lichess' API.
#[utoipa::path(get, path = "/api/archive", operation_id = "archive search", tag = "games", params(
    ("player" = Option<String>, Query, description = "Of this account; of imported games those with a player of this name"),
    ("opponent" = Option<String>, Query, description = "Against this one; only with `player`"),
    ("color" = Option<String>, Query, description = "In which `player` had `white` or `black`"),
    ("variant" = Option<String>, Query, description = "The game's id"),
    ("result" = Option<String>, Query, description = "`white`, `black` or `draw`; with `player` also `win` and `loss`"),
    ("status" = Option<String>, Query, description = "How they ended, with commas between: `mate`, `resign`, `draw`, …, `aborted`, `started`; or reasons of this server's"),
    ("rated" = Option<bool>, Query, description = "Rated or casual"),
    ("speed" = Option<String>, Query, description = "Speeds, with commas between"),
    ("since" = Option<i64>, Query, description = "Begun at this time or later, in milliseconds since 1970"),
    ("until" = Option<i64>, Query, description = "Begun at this time or earlier"),
    ("line" = Option<String>, Query, description = "The first moves from the usual beginning, in UCI with commas between; needs `variant`"),
    ("source" = Option<String>, Query, description = "`played`, `import` or `all`"),
    ("analysed" = Option<bool>, Query, description = "With an analysis, or without"),
    ("sort" = Option<String>, Query, description = "`dateDesc` or `dateAsc`"),
    ("max" = Option<i64>, Query, description = "How many on a page, 1 to 100"),
    ("cursor" = Option<String>, Query, description = "What the page before gave")),
    responses((status = 200, body = Object), (status = 400, body = Error)))]
async fn search(State(app): State<App>, Asked(query): Asked) -> Result<Json<Value>, Error> {
    let filter = filter(&query)?;
    let max = query.within("max", 1..=MOST)?.unwrap_or(USUAL);
    let after = query.text("cursor")?.map(|cursor| after(&cursor)).transpose()?;
    let mut db = app.store().read().await?;
    // One more tells whether there is another page.
    let mut rows = archive::page(&mut db, &filter, after.as_ref(), max + 1).await?;
    let more = rows.len() as i64 > max;
    rows.truncate(usize::try_from(max).unwrap_or(0));
    let last = rows.last().filter(|_| more).map(|last| cursor(last.created_at, &last.id));
    let games = Exported::listed_all(&app, &mut db, rows).await?;
    Ok(Json(json!({ "games": games, "cursor": last })))
}

/// All games that are found, as PGN or JSON
///
/// The parameters of `/api/archive` without `cursor`; `max` is the most of all. Without `format`, `Accept` chooses: one JSON object
/// a line for `application/x-ndjson`, one array for `application/json`, else PGN. The reply is written while the games are read. Games that
/// were called off, or go on, are left out unless `status` asks for them.
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/archive/export", operation_id = "archive export", tag = "games", params(
    ("format" = Option<String>, Query, description = "`pgn`, `ndjson` or `json`; else what `Accept` asks for"),
    ("player" = Option<String>, Query), ("opponent" = Option<String>, Query), ("color" = Option<String>, Query),
    ("variant" = Option<String>, Query), ("result" = Option<String>, Query), ("status" = Option<String>, Query),
    ("rated" = Option<bool>, Query), ("speed" = Option<String>, Query), ("since" = Option<i64>, Query),
    ("until" = Option<i64>, Query), ("line" = Option<String>, Query), ("source" = Option<String>, Query),
    ("analysed" = Option<bool>, Query), ("sort" = Option<String>, Query), ("max" = Option<i64>, Query),
    ("moves" = Option<bool>, Query), ("tags" = Option<bool>, Query), ("clocks" = Option<bool>, Query),
    ("pgnInJson" = Option<bool>, Query), ("evals" = Option<bool>, Query), ("literate" = Option<bool>, Query)),
    responses((status = 200, content((String = "application/x-chess-pgn"), (Object = "application/x-ndjson"), (Vec<Object> = "application/json"))),
        (status = 400, body = Error)))]
async fn export(State(app): State<App>, headers: HeaderMap, Asked(query): Asked) -> Result<Response, Error> {
    let filter = filter(&query)?;
    let wanted = Wanted::of(&query)?;
    let form = match query.text("format")? {
        Some(name) => Form::named(&name)?,
        None => Form::asked(&headers),
    };
    let most = query.within("max", 0..=i64::from(i32::MAX))?.unwrap_or(i64::MAX);
    Ok(Pages::new(&app, filter, wanted, form, most).reply())
}

/// Where a page ended, as clients hand it back.
pub(super) fn cursor(at: i64, id: &str) -> String {
    format!("{at}.{id}")
}

/// Reads it.
pub(super) fn after(cursor: &str) -> Result<After, Error> {
    let parts = cursor.split_once('.').filter(|(_, id)| ids::is_game_id(id));
    let after = parts.and_then(|(at, id)| Some((at.parse().ok()?, id.to_owned())));
    after.ok_or_else(|| Error::bad("cursor", "'cursor' is expected to be what a page gave"))
}

/// Values with commas between.
pub(super) fn list(query: &Fields, name: &'static str) -> Result<Vec<String>, Error> {
    let text = query.text(name)?.unwrap_or_default();
    Ok(text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect())
}

/// Speeds with commas between.
pub(super) fn speeds(query: &Fields, name: &'static str) -> Result<Vec<String>, Error> {
    let read = |text: String| text.parse::<Speed>().map(|speed| speed.name().to_owned());
    list(query, name)?.into_iter().map(read).collect::<Result<_, _>>().map_err(|error| Error::bad(name, error))
}

fn filter(query: &Fields) -> Result<Filter, Error> {
    let name = |field: &'static str| {
        let name = query.text(field)?.map(|name| name.to_lowercase());
        match name {
            // There are databases that take no such characters.
            Some(name) if name.contains('\0') => Err(Error::bad(field, format!("'{field}' is expected to be a name"))),
            name => Ok(name),
        }
    };
    let player = name("player")?;
    let needs_player =
        |field: &'static str| Error::bad(field, format!("'{field}' is expected together with 'player' only"));
    let opponent = name("opponent")?;
    if opponent.is_some() && player.is_none() {
        return Err(needs_player("opponent"));
    }
    let color = query.text("color")?;
    match color.as_deref() {
        None => {}
        Some(_) if player.is_none() => return Err(needs_player("color")),
        Some("white" | "black") => {}
        Some(_) => return Err(Error::bad("color", "'color' is expected to be white or black")),
    }
    let result = match query.text("result")?.as_deref() {
        None => None,
        Some("white") => Some(Ended::White),
        Some("black") => Some(Ended::Black),
        Some("draw") => Some(Ended::Draw),
        Some("win" | "loss") if player.is_none() => {
            return Err(Error::bad("result", "'win' and 'loss' are expected together with 'player' only"));
        }
        Some("win") => Some(Ended::Win),
        Some("loss") => Some(Ended::Loss),
        Some(_) => return Err(Error::bad("result", "'result' is expected to be white, black, draw, win or loss")),
    };
    let variant = query.text("variant")?.map(|key| lichess::variant_of(&key)).transpose()?;
    let line = match (list(query, "line")?, variant) {
        (line, _) if line.is_empty() => None,
        (_, None) => return Err(Error::bad("variant", "'variant' is needed to understand 'line'")),
        (line, Some(variant)) => Some(played(Game::new(variant), &line, "line")?),
    };
    let imported = match query.text("source")?.as_deref() {
        None | Some("all") => None,
        Some("played") => Some(false),
        Some("import") => Some(true),
        Some(_) => return Err(Error::bad("source", "'source' is expected to be played, import or all")),
    };
    let oldest_first = match query.text("sort")?.as_deref() {
        None | Some("dateDesc") => false,
        Some("dateAsc") => true,
        Some(_) => return Err(Error::bad("sort", "'sort' is expected to be dateAsc or dateDesc")),
    };
    let mut filter = Filter {
        user: player,
        against: opponent,
        names: true,
        color,
        since: query.time("since")?,
        until: query.time("until")?,
        rated: query.flag("rated")?,
        variant: variant.map(|variant| variant.id().to_owned()),
        speeds: speeds(query, "speed")?,
        result,
        line: line.map(|game| game.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")),
        imported,
        analysed: query.flag("analysed")?,
        oldest_first,
        ..Filter::default()
    };
    let statuses = list(query, "status")?;
    filter.finished = statuses.is_empty();
    for name in statuses {
        match (name.as_str(), lichess::reasons(&name)) {
            ("started", _) => filter.ongoing = true,
            ("aborted", _) => filter.aborted = true,
            (_, Some(reasons)) => filter.reasons.extend(reasons.iter().map(|&reason| reason.to_owned())),
            (name, None) => {
                let message =
                    format!("'{}' is no status of a game, expected mate, resign or the like", lichess::cut(name));
                return Err(Error::bad("status", message));
            }
        }
    }
    Ok(filter)
}

/// A game after moves that a client has sent.
pub(super) fn played(mut game: Game, line: &[String], field: &'static str) -> Result<Game, Error> {
    if line.len() > LONGEST_LINE {
        return Err(Error::bad(field, format!("'{field}' is expected to have at most {LONGEST_LINE} moves")));
    }
    for (i, uci) in line.iter().enumerate() {
        game.play_uci(uci).map_err(|error| Error::bad(field, format!("move {}: {error}", i + 1)))?;
    }
    Ok(game)
}
