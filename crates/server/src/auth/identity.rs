//! Who it is.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;

use super::cookie;
use crate::app::App;
use crate::error::Error;
use crate::store::sessions::Session;

/// An account: its name in lower case.
pub type UserId = String;
/// A browser's session: what may be told of it, not the cookie.
pub type SessionId = String;

/// Whoever asks. As an extractor it begins a session for those who have none, and sends the cookie with the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The account, if one is logged in.
    pub user: Option<UserId>,
    /// The session.
    pub session: SessionId,
    /// As others are told.
    pub name: String,
}

/// What those are called who have no account.
const ANONYMOUS: &str = "Anonymous";

impl Identity {
    pub(crate) fn of(session: &Session) -> Self {
        let name = session.user.clone().unwrap_or_else(|| ANONYMOUS.into());
        Self { user: session.user.clone(), session: session.id.clone(), name }
    }
}

impl FromRequestParts<App> for Identity {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        if let Some(known) = known(parts, app).await? {
            return Ok(known);
        }
        let (token, identity) = app.auth().begin().await?;
        cookie::send(parts, &token, app.auth().secure);
        Ok(identity)
    }
}

/// Whoever asks, if he is known; nothing is begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaybeIdentity(pub Option<Identity>);

impl FromRequestParts<App> for MaybeIdentity {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        Ok(Self(known(parts, app).await?))
    }
}

impl OptionalFromRequestParts<App> for Identity {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Error> {
        known(parts, app).await
    }
}

async fn known(parts: &Parts, app: &App) -> Result<Option<Identity>, Error> {
    match cookie::read(&parts.headers) {
        Some(token) => app.auth().by_cookie(&token).await,
        None => Ok(None),
    }
}
