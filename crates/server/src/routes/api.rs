//! What the API tells of the games, and what it says to paths that it has not.

use axum::http::{Method, StatusCode, Uri};
use axum::{Json, Router};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use warpchess_rules::VariantId;

use crate::{App, Error, refusals};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(variants))
}

/// What answers where nothing else does below `/api`.
pub(crate) fn fallback() -> Router<App> {
    Router::new().fallback(unknown)
}

/// Which games there are, and what they are made of
///
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/variants", tag = "server", responses((status = 200, body = Vec<Object>)))]
async fn variants() -> Json<Vec<Value>> {
    Json(VariantId::all().map(|variant| variant.info().to_json()).collect())
}

/// The reply to a path that is none of the API's.
async fn unknown(uri: Uri) -> Error {
    refusals::no_path(&format!("/api{}", uri.path()))
}

/// The same where a page would answer.
pub(crate) async fn no_page(uri: Uri) -> Error {
    refusals::no_path(uri.path())
}

/// The reply to a path of the API's that is asked by a method it has not.
pub(crate) async fn wrong_method(method: Method, uri: Uri) -> Error {
    let message = format!("{} does not answer {method}", uri.path());
    Error::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", message)
}
