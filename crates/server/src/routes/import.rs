//! Games that were played elsewhere, taken in for study.

use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::archive::{after, cursor};
use crate::auth::{Identity, MaybeIdentity};
use crate::fields::{Asked, Body, Text};
use crate::games::import::{self, LONGEST};
use crate::lichess::export::Exported;
use crate::lichess::pages::PGN;
use crate::lichess::stream::NDJSON;
use crate::limits::Client;
use crate::store::{StoreError, imports};
use crate::{App, Error, explorer};

/// How many games a page has at most, and how many if nobody says.
const MOST: i64 = 100;
const USUAL: i64 = 20;
/// What a form takes for characters that it writes as three.
const AS_FORM: usize = 2;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(take_in, list)).layer(DefaultBodyLimit::max(LONGEST * AS_FORM))
}

/// Take games in for study
///
/// The body is a form or JSON with `pgn`, as on Lichess, or the PGN itself. All its games are taken, or none. The reply to several
/// games is one JSON object a line.
#[utoipa::path(post, path = "/api/import", operation_id = "import", tag = "games",
    request_body(content((String = "application/x-chess-pgn"), (Object = "application/x-www-form-urlencoded"), (Object = "application/json"))),
    responses((status = 200, content((Object = "application/json"), (Object = "application/x-ndjson"))),
        (status = 400, body = Error), (status = 413, body = Error), (status = 429, body = Error)), security((), ("cookie" = []), ("token" = [])))]
async fn take_in(
    State(app): State<App>,
    Extension(Client(client)): Extension<Client>,
    who: Identity,
    request: Request,
) -> Result<Response, Error> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let pgn = if kind.starts_with("text/") || kind.starts_with(PGN) {
        Text::from_request(request, &app).await?.0
    } else {
        Body::from_request(request, &app).await?.0.needed("pgn")?
    };
    if pgn.len() > LONGEST {
        let message = format!("a PGN of more than {LONGEST} bytes");
        return Err(Error {
            field: Some("pgn".into()),
            ..Error::new(axum::http::StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
        });
    }
    let now = app.now();
    let read = tokio::task::spawn_blocking(move || import::read(&pgn, now));
    let games = read.await.map_err(Error::internal)??;
    app.limiter().import(&client, games.len())?;

    let ids: Vec<String> = games.iter().map(|game| game.row.id.clone()).collect();
    let counted: Vec<_> = games.iter().map(|game| (game.row.id.clone(), game.counted.clone())).collect();
    let kept = app.store().write(move |db| {
        Box::pin(async move {
            for game in &games {
                imports::insert(db, &game.row, &game.pgn, &who, now).await?;
            }
            Ok::<_, StoreError>(())
        })
    });
    kept.await?;
    // By itself: games that are played are not to wait for it.
    explorer::count(app.store(), counted).await?;

    let form = |id: &String| json!({ "id": id, "url": app.url(&format!("/game/{id}")) });
    Ok(match ids.as_slice() {
        [id] => Json(form(id)).into_response(),
        ids => {
            let lines: String = ids.iter().map(|id| format!("{}\n", form(id))).collect();
            ([(CONTENT_TYPE, NDJSON)], lines).into_response()
        }
    })
}

/// What you have imported
///
/// Newest first, in pages. New: not in Lichess' API.
#[utoipa::path(get, path = "/api/import", operation_id = "import list", tag = "games",
    params(("max" = Option<i64>, Query, description = "How many on a page, 1 to 100"), ("cursor" = Option<String>, Query, description = "What the page before gave")),
    responses((status = 200, body = Object), (status = 400, body = Error)), security((), ("cookie" = []), ("token" = [])))]
async fn list(
    State(app): State<App>,
    MaybeIdentity(who): MaybeIdentity,
    Asked(query): Asked,
) -> Result<Json<Value>, Error> {
    let max = query.within("max", 1..=MOST)?.unwrap_or(USUAL);
    let after = query.text("cursor")?.map(|cursor| after(&cursor)).transpose()?;
    let Some(who) = who else { return Ok(Json(json!({ "games": [], "cursor": null }))) };
    let mut db = app.store().read().await?;
    let mut rows = imports::of(&mut db, &who, after.as_ref(), max + 1).await?;
    let more = rows.len() as i64 > max;
    rows.truncate(usize::try_from(max).unwrap_or(0));
    let last = rows.last().filter(|_| more).map(|(last, at)| cursor(*at, &last.id));
    let (rows, times): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    let mut games = Exported::listed_all(&app, &mut db, rows).await?;
    for (form, at) in games.iter_mut().zip(times) {
        form["importedAt"] = json!(at);
    }
    Ok(Json(json!({ "games": games, "cursor": last })))
}
