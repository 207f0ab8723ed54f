//! `/api`: JSON, errors too.

use axum::http::{Method, StatusCode, Uri};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::Value;
use warpchess_rules::VariantId;

use crate::{App, Error};

pub(crate) fn router() -> Router<App> {
    Router::new().route("/variants", get(variants)).fallback(unknown).method_not_allowed_fallback(wrong_method)
}

/// Which games there are, and what they are made of.
async fn variants() -> Json<Vec<Value>> {
    Json(VariantId::all().map(|variant| variant.info().to_json()).collect())
}

/// The reply to a path that is none of the API's.
async fn unknown(uri: Uri) -> Error {
    Error::new(StatusCode::NOT_FOUND, "not-found", format!("the API has no path /api{}", uri.path()))
}

/// The reply to a path of the API's that is asked by a method it has not.
async fn wrong_method(method: Method, uri: Uri) -> Error {
    let message = format!("/api{} does not answer {method}", uri.path());
    Error::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", message)
}
