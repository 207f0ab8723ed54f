//! `/api`: JSON, errors too.

use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::json;

use crate::Config;

pub(crate) fn router() -> Router<Config> {
    Router::new().fallback(unknown)
}

/// The reply to a path that is none of the API's.
async fn unknown(uri: Uri) -> Response {
    error(StatusCode::NOT_FOUND, &format!("the API has no path /api{}", uri.path()))
}

fn error(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "error": { "message": message } }))).into_response()
}
