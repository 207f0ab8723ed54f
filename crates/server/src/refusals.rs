//! Whatever refuses a request to the API does so in the API's form: also what stands before or around the routes, and knows
//! nothing of it.

use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::Error;

/// The layer that gives refusals their form.
pub(crate) async fn in_form(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if !is_api(path) {
        return next.run(request).await;
    }
    let (method, path) = (request.method().clone(), path.to_owned());
    let reply = next.run(request).await;
    let status = reply.status();
    let json = reply.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if json || !(status.is_client_error() || status.is_server_error()) {
        return reply;
    }
    let mut told = told(status, &method, &path).into_response();
    for (name, value) in reply.headers() {
        // The rest, as `allow`, is true still.
        if ![CONTENT_TYPE, CONTENT_LENGTH, CONTENT_ENCODING].contains(name) {
            told.headers_mut().append(name, value.clone());
        }
    }
    *told.extensions_mut() = reply.extensions().clone();
    told
}

/// Whether programs ask there, and not people.
pub(crate) fn is_api(path: &str) -> bool {
    ["/api", "/ws", "/game/export", "/openapi.json"]
        .iter()
        .any(|area| path.strip_prefix(area).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// The reply to a path that is none of the API's.
pub(crate) fn no_path(path: &str) -> Error {
    Error::new(StatusCode::NOT_FOUND, "not-found", format!("the API has no path {path}"))
}

fn told(status: StatusCode, method: &Method, path: &str) -> Error {
    match status {
        StatusCode::NOT_FOUND => no_path(path),
        StatusCode::METHOD_NOT_ALLOWED => {
            Error::new(status, "method-not-allowed", format!("{path} does not answer {method}"))
        }
        StatusCode::PAYLOAD_TOO_LARGE => Error::new(status, "too-large", "the body of this request is too long"),
        _ if status.is_server_error() => Error::new(status, "internal", "the server failed"),
        _ => Error::new(status, "bad-request", "this request cannot be understood"),
    }
}
