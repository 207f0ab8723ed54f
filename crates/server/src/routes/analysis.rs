//! Analyses of games.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::games::{PLAY, game_id, need};
use crate::auth::Identity;
use crate::fields::Path;
use crate::jobs::report::{self, Report};
use crate::store::{analysis, games};
use crate::{App, Error};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(request)).routes(routes!(state))
}

/// Have a game analysed
///
/// For players, and whoever has an account; the game has ended. New: not in Lichess' API.
#[utoipa::path(post, path = "/api/games/{id}/analysis", operation_id = "analysis request", tag = "games", params(("id" = String, Path)),
    responses((status = 202, body = Object, description = "It will be done"), (status = 200, body = Object, description = "It is there or under way"),
        (status = 401, body = Error), (status = 404, body = Error), (status = 409, body = Error), (status = 429, body = Error)), security(("cookie" = []), ("token" = ["board:play"]), ("token" = ["bot:play"])))]
async fn request(
    State(app): State<App>,
    Path(id): Path<String>,
    who: Identity,
) -> Result<(StatusCode, Json<Value>), Error> {
    need(&who, &PLAY)?;
    let row = app.games().row(game_id(&id)?).await?;
    let begun = app.jobs().request(&row, &who).await?;
    let status = if begun { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(form(&app, &row.id).await?)))
}

/// The analysis of a game, as far as it is
///
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/games/{id}/analysis", operation_id = "analysis state", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 404, body = Error)))]
async fn state(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Value>, Error> {
    let id = app.games().row(game_id(&id)?).await?.id;
    Ok(Json(form(&app, &id).await?))
}

async fn form(app: &App, id: &str) -> Result<Value, Error> {
    let mut db = app.store().read().await?;
    let job = analysis::job(&mut db, id).await?;
    let mut known = None;
    if job.is_some() {
        let game = games::by_id(&mut db, id).await?.and_then(|row| row.replay(usize::MAX));
        if let Some(game) = game {
            known = Some(Report::new(game, analysis::plies(&mut db, id).await?));
        }
    }
    Ok(report::form(id, job.as_ref(), known.as_ref()))
}
