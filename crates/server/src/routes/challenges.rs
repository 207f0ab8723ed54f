//! Challenges as the page makes them. Boards and bots have the paths that they know.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::games::need;
use crate::auth::{Identity, MaybeIdentity, Scope};
use crate::fields::{Path, Typed};
use crate::games::challenges::{Challenge, Made, Wish};
use crate::{App, Error};

/// What it takes to challenge.
const WRITE: [Scope; 1] = [Scope::ChallengeWrite];

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(lobby))
        .routes(routes!(mine, make))
        .routes(routes!(get))
        .routes(routes!(accept))
        .routes(routes!(decline))
        .routes(routes!(cancel))
}

/// What is open to everybody
///
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/lobby", operation_id = "page challenges lobby", tag = "challenges", responses((status = 200, body = Vec<Challenge>)))]
async fn lobby(State(app): State<App>) -> Result<Json<Vec<Challenge>>, Error> {
    Ok(Json(app.challenges().lobby().await?))
}

/// The challenges that you have made or that are made to you
///
/// With or without an account. New: not in Lichess' API.
#[utoipa::path(get, path = "/api/challenges", operation_id = "page challenges mine", tag = "challenges", responses((status = 200, body = Vec<Challenge>)))]
async fn mine(State(app): State<App>, MaybeIdentity(who): MaybeIdentity) -> Result<Json<Vec<Challenge>>, Error> {
    match who {
        Some(who) => Ok(Json(app.challenges().of(&who).await?)),
        None => Ok(Json(Vec::new())),
    }
}

/// Make a challenge
///
/// To the lobby, to whoever has the link, to an account, or to the computer, with which the game begins at once. With or
/// without an account. New: not in Lichess' API.
#[utoipa::path(post, path = "/api/challenges", operation_id = "page challenges make", tag = "challenges", request_body = Wish,
    responses((status = 201, body = Made), (status = 400, body = Error), (status = 404, body = Error),
        (status = 429, body = Error)), security((), ("cookie" = []), ("token" = ["challenge:write"])))]
async fn make(
    State(app): State<App>,
    who: Identity,
    Typed(wish): Typed<Wish>,
) -> Result<(StatusCode, Json<Made>), Error> {
    need(&who, &WRITE)?;
    Ok((StatusCode::CREATED, Json(app.challenges().make(&wish, &who).await?)))
}

/// A challenge
///
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/challenges/{id}", operation_id = "page challenges get", tag = "challenges", params(("id" = String, Path)),
    responses((status = 200, body = Challenge), (status = 404, body = Error)))]
async fn get(
    State(app): State<App>,
    MaybeIdentity(who): MaybeIdentity,
    Path(id): Path<String>,
) -> Result<Json<Challenge>, Error> {
    Ok(Json(app.challenges().get(&id, who.as_ref()).await?))
}

/// A game that has begun.
#[derive(Debug, Serialize, ToSchema)]
struct Begun {
    /// Its id.
    game: String,
}

/// Accept a challenge: the game begins
///
/// New: not in Lichess' API.
#[utoipa::path(post, path = "/api/challenges/{id}/accept", operation_id = "page challenges accept", tag = "challenges", params(("id" = String, Path)),
    responses((status = 200, body = Begun), (status = 403, body = Error), (status = 404, body = Error),
        (status = 409, body = Error)), security((), ("cookie" = []), ("token" = ["challenge:write"])))]
async fn accept(State(app): State<App>, who: Identity, Path(id): Path<String>) -> Result<Json<Begun>, Error> {
    need(&who, &WRITE)?;
    Ok(Json(Begun { game: app.challenges().accept(&id, &who).await? }))
}

/// Why.
#[derive(Debug, Default, Deserialize, ToSchema)]
struct Decline {
    /// One word.
    #[serde(default)]
    reason: Option<String>,
}

/// Decline a challenge that was made to you
///
/// New: not in Lichess' API.
#[utoipa::path(post, path = "/api/challenges/{id}/decline", operation_id = "page challenges decline", tag = "challenges", params(("id" = String, Path)),
    request_body = Decline, responses((status = 204), (status = 403, body = Error), (status = 404, body = Error),
        (status = 409, body = Error)), security((), ("cookie" = []), ("token" = ["challenge:write"])))]
async fn decline(
    State(app): State<App>,
    Path(id): Path<String>,
    who: Identity,
    Typed(Decline { reason }): Typed<Decline>,
) -> Result<StatusCode, Error> {
    need(&who, &WRITE)?;
    app.challenges().decline(&id, &who, reason.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take back a challenge that you have made
///
/// New: not in Lichess' API.
#[utoipa::path(post, path = "/api/challenges/{id}/cancel", operation_id = "page challenges cancel", tag = "challenges", params(("id" = String, Path)),
    responses((status = 204), (status = 403, body = Error), (status = 404, body = Error),
        (status = 409, body = Error)), security((), ("cookie" = []), ("token" = ["challenge:write"])))]
async fn cancel(State(app): State<App>, who: Identity, Path(id): Path<String>) -> Result<StatusCode, Error> {
    need(&who, &WRITE)?;
    app.challenges().cancel(&id, &who).await?;
    Ok(StatusCode::NO_CONTENT)
}
