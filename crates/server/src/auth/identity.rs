//! Who it is.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use super::{Scope, Scopes, cookie};
use crate::app::App;
use crate::error::Error;
use crate::store::accounts::Account;
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
    /// The session; for a token what stands for it.
    pub session: SessionId,
    /// As others are told.
    pub name: String,
    /// Whether the account is a program's.
    pub bot: bool,
    /// What this request may do for the account: everything after a login by password, what a token was made for.
    pub scopes: Scopes,
}

/// What those are called who have no account.
pub const ANONYMOUS: &str = "Anonymous";

impl Identity {
    /// Whoever has a session; `account` is the one that is logged in.
    pub(crate) fn of(session: &Session, account: Option<&Account>) -> Self {
        Self {
            user: account.map(|account| account.id.clone()),
            session: session.id.clone(),
            name: account.map_or_else(|| ANONYMOUS.to_owned(), |account| account.name.clone()),
            bot: account.is_some_and(|account| account.bot),
            scopes: if account.is_some() { Scopes::all() } else { Scopes::default() },
        }
    }

    /// Whoever has a token.
    pub(crate) fn of_token(token: &str, account: &Account, scopes: Scopes) -> Self {
        Self {
            user: Some(account.id.clone()),
            session: format!("token-{token}"),
            name: account.name.clone(),
            bot: account.bot,
            scopes,
        }
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

/// Whoever asks with an account, by cookie or token. Others are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The account's id.
    pub id: UserId,
    /// The same as others see it.
    pub identity: Identity,
}

impl User {
    /// Makes sure that what is asked may be done: a token has to be made for it.
    ///
    /// # Errors
    /// 403, naming the scope that is missing.
    pub fn need(&self, scope: Scope) -> Result<(), Error> {
        self.need_any(&[scope])
    }

    /// The same where one of several scopes does.
    ///
    /// # Errors
    /// 403, naming the scopes.
    pub fn need_any(&self, scopes: &[Scope]) -> Result<(), Error> {
        if scopes.iter().any(|&scope| self.identity.scopes.contains(scope)) {
            return Ok(());
        }
        let names: Vec<_> = scopes.iter().map(|scope| scope.name()).collect();
        let message = format!("this token lacks the scope {}", names.join(" or "));
        Err(Error { code: "missing-scope", ..Error::forbidden(message) })
    }
}

impl FromRequestParts<App> for User {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let refused = || Error::unauthorized("this takes a login or a token");
        let identity = known(parts, app).await?.ok_or_else(refused)?;
        let id = identity.user.clone().ok_or_else(refused)?;
        Ok(Self { id, identity })
    }
}

async fn known(parts: &Parts, app: &App) -> Result<Option<Identity>, Error> {
    // A request says at most once who asks; a token that is none is refused, even where nobody need be known.
    if let Some(value) = parts.headers.get(AUTHORIZATION) {
        let token = value.to_str().ok().and_then(|value| value.split_once(' '));
        let token = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim());
        let invalid =
            || Error { code: "invalid-token", ..Error::unauthorized("no such token: it is unknown or has ended") };
        return app.auth().by_token(token.ok_or_else(invalid)?).await?.map(Some).ok_or_else(invalid);
    }
    match cookie::read(&parts.headers) {
        Some(token) => app.auth().by_cookie(&token).await,
        None => Ok(None),
    }
}
