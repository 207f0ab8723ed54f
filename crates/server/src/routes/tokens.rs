//! Tokens, by which programs are known.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::account::{DONE, Done};
use crate::auth::{self, Scope, Scopes, User};
use crate::fields::{Body, Path, Text};
use crate::store::tokens::{self, Token};
use crate::{App, Error};

/// How many tokens can be asked about at once.
const MOST_TESTED: usize = 1000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(delete))
        .routes(routes!(delete_own))
        .routes(routes!(test))
}

/// A token as it is listed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: String,
    description: String,
    /// What it may be used for.
    scopes: Vec<&'static str>,
    created_at: i64,
    /// When it was last used, to within ten minutes.
    used_at: Option<i64>,
    /// When it ends; null for never.
    expires_at: Option<i64>,
    /// The token itself, shown once, when it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl Listed {
    fn of(token: Token, secret: Option<String>) -> Self {
        Self {
            id: token.id,
            description: token.description,
            scopes: token.scopes.iter().map(Scope::name).collect(),
            created_at: token.created_at,
            used_at: token.used_at,
            expires_at: token.expires_at,
            token: secret,
        }
    }
}

/// A token to make.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field")]
#[schema(rename_all = "camelCase")]
struct Wanted {
    /// For oneself, at most 100 characters.
    description: Option<String>,
    /// With commas between.
    #[schema(example = "board:play,challenge:read,challenge:write")]
    scopes: String,
    /// In milliseconds since 1970; never if absent.
    expires_at: Option<i64>,
}

/// One's tokens
///
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/tokens", operation_id = "list tokens", tag = "tokens", responses((status = 200, body = Vec<Listed>), (status = 401, body = Error)), security(("cookie" = []), ("token" = ["account:manage"])))]
async fn list(State(app): State<App>, user: User) -> Result<Json<Vec<Listed>>, Error> {
    user.need(Scope::AccountManage)?;
    let mut db = app.store().read().await?;
    let tokens = tokens::of_user(&mut db, &user.id).await?;
    Ok(Json(tokens.into_iter().map(|token| Listed::of(token, None)).collect()))
}

/// Make a token
///
/// The reply has the token itself, which cannot be seen again. New: not in Lichess' API.
#[utoipa::path(post, path = "/api/tokens", operation_id = "create token", tag = "tokens", request_body = Wanted, responses(
    (status = 201, body = Listed), (status = 400, body = Error), (status = 401, body = Error)), security(("cookie" = []), ("token" = ["account:manage"])))]
async fn create(State(app): State<App>, user: User, Body(fields): Body) -> Result<(StatusCode, Json<Listed>), Error> {
    user.need(Scope::AccountManage)?;
    let scopes = fields.parsed::<Scopes>("scopes")?.unwrap_or_default();
    // A token makes no tokens that may more than itself.
    if let Some(scope) = scopes.iter().find(|&scope| !user.identity.scopes.contains(scope)) {
        user.need(scope)?;
    }
    let description = fields.text("description")?.unwrap_or_default();
    let new = app.auth().create_token(&user.id, &description, scopes, fields.time("expiresAt")?).await?;
    Ok((StatusCode::CREATED, Json(Listed::of(new.token, Some(new.secret)))))
}

/// End one of one's tokens
///
/// New: not in Lichess' API.
#[utoipa::path(delete, path = "/api/tokens/{id}", operation_id = "delete token", tag = "tokens", params(("id" = String, Path, description = "The token's id, not the token")),
    responses((status = 200, body = Done), (status = 404, body = Error), (status = 401, body = Error)), security(("cookie" = []), ("token" = ["account:manage"])))]
async fn delete(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Done>, Error> {
    user.need(Scope::AccountManage)?;
    let found = app.store().write(move |db| Box::pin(async move { tokens::delete(db, &user.id, &id).await })).await?;
    if found { Ok(DONE) } else { Err(Error::not_found("token of this id")) }
}

/// End the token that this is asked with
#[utoipa::path(delete, path = "/api/token", operation_id = "delete own token", tag = "tokens", responses((status = 200, body = Done), (status = 401, body = Error)), security(("token" = [])))]
async fn delete_own(State(app): State<App>, user: User) -> Result<Json<Done>, Error> {
    let id = user.identity.session.strip_prefix("token-").map(str::to_owned);
    let id = id.ok_or_else(|| Error::bad("authorization", "this is asked with the token that is to end"))?;
    app.store().write(move |db| Box::pin(async move { tokens::delete(db, &user.id, &id).await })).await?;
    Ok(DONE)
}

/// Whose tokens these are
///
/// The body is up to 1000 tokens with commas between; those that are none are answered with null.
#[utoipa::path(post, path = "/api/token/test", operation_id = "test tokens", tag = "tokens", request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = Object), (status = 400, body = Error)))]
async fn test(State(app): State<App>, Text(body): Text) -> Result<Json<Map<String, Value>>, Error> {
    let wanted: Vec<&str> = body.split(',').map(str::trim).filter(|token| !token.is_empty()).collect();
    if wanted.len() > MOST_TESTED {
        return Err(Error::bad("body", "at most 1000 tokens can be asked about at once"));
    }
    let now = app.now();
    let mut db = app.store().read().await?;
    let mut found = Map::new();
    for text in wanted {
        let token = match auth::secret::plausible(text) {
            true => tokens::by_hash(&mut db, &auth::hash(text), now).await?,
            false => None,
        };
        let form = token.map(|t| json!({ "userId": t.user, "scopes": t.scopes.to_string(), "expires": t.expires_at }));
        // Null for an end that never comes is no time to clients.
        let form = form.map(|mut form| {
            if let Some(fields) = form.as_object_mut().filter(|fields| fields["expires"].is_null()) {
                fields.remove("expires");
            }
            form
        });
        found.insert(text.to_owned(), form.unwrap_or(Value::Null));
    }
    Ok(Json(found))
}
