//! What the API answers when it does not do what was asked: one sentence, a word for programs, and the part at fault.

use std::borrow::Cow;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::store::{self, Outage, StoreError};

/// Seconds until a database that went away may be there again.
pub(crate) const AFTER_OUTAGE: u64 = 5;

/// A refusal. As JSON: `{"error": sentence, "code": word, "field": name}`, the last where one field is at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Error {
    /// The status of the reply.
    #[serde(skip)]
    pub status: StatusCode,
    /// What was wrong, and what was expected, in English.
    #[serde(rename = "error")]
    pub message: String,
    /// What programs go by: lower case, words joined by `-`.
    pub code: &'static str,
    /// The part of the request at fault: within a body the way to it, as in `control.limit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub field: Option<Cow<'static, str>>,
    /// Seconds until it makes sense to ask again.
    #[serde(skip)]
    pub retry_after: Option<u64>,
}

impl Error {
    /// A refusal with a status of its own.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), code, field: None, retry_after: None }
    }
    /// 400: a part of the request is wrong.
    pub fn bad(field: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::new(StatusCode::BAD_REQUEST, "bad-request", message) }
    }
    /// 401: it takes to be known.
    pub fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
    }
    /// 403: it is for somebody else to do.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }
    /// 404: there is no such thing.
    pub fn not_found(what: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", format!("there is no {what}"))
    }
    /// 409: not as things stand.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }
    /// 429: too often.
    pub fn too_many(seconds: u64, message: impl Into<String>) -> Self {
        Self { retry_after: Some(seconds), ..Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", message) }
    }
    /// 503: not now.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
    }
    /// 500: the fault is here. What exactly is told to the log alone.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "a request failed");
        let message = match store::has_written() {
            true => "the server failed; what was asked may be done in part",
            false => "the server failed; nothing was changed",
        };
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
    /// 503: the database is away. Whether something was done is said as far as it is known.
    pub(crate) fn outage(outage: Outage) -> Self {
        let (code, message) = match outage {
            Outage::Down if !store::has_written() => {
                ("database-down", "the database cannot be reached; nothing was done: try again in a moment")
            }
            Outage::Down | Outage::Lost => (
                "database-lost",
                "the database went away while this was done: it may be done or not; look before you ask again",
            ),
        };
        Self { retry_after: Some(AFTER_OUTAGE), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message) }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error.outage() {
            Some(outage) => {
                tracing::error!(%error, "a request failed: the database is away");
                Self::outage(outage)
            }
            None => Self::internal(error),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        StoreError::from(error).into()
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(&self)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
