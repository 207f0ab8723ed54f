//! One's own account.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::{Identity, MaybeIdentity, Password, Scope, User};
use crate::fields::{Body, Fields};
use crate::games::{Action, Refusal};
use crate::lichess::export::Wanted;
use crate::lichess::pages::{Form, PAGE, Pages};
use crate::lichess::stream::body;
use crate::limits::Client;
use crate::players::{Extended, extended};
use crate::store::archive::{After, Filter};
use crate::store::{StoreError, accounts, analysis, games, imports, ratings, tokens};
use crate::{App, Error};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(register))
        .routes(routes!(log_in))
        .routes(routes!(log_out))
        .routes(routes!(session))
        .routes(routes!(change_password))
        .routes(routes!(delete))
        .routes(routes!(export))
        .routes(routes!(account))
        .routes(routes!(email))
        .routes(routes!(preferences))
        .routes(routes!(kid_mode, set_kid_mode))
        .routes(routes!(upgrade))
}

/// A name and a password.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field")]
struct Login {
    /// 2 to 20 letters, digits, `_` and `-`.
    #[schema(example = "ann")]
    username: String,
    /// 8 to 128 characters.
    password: String,
}

/// A password and the one that takes its place.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field")]
#[schema(rename_all = "camelCase")]
struct NewPassword {
    password: String,
    new_password: String,
}

/// The password, to be sure.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field")]
struct Sure {
    password: String,
}

/// Who somebody is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Who {
    /// The account's id; null without an account.
    id: Option<String>,
    /// As others are told.
    username: String,
    /// Whether the account is a program's.
    bot: bool,
}

impl Who {
    fn of(identity: Option<&Identity>) -> Self {
        Self {
            id: identity.and_then(|who| who.user.clone()),
            username: identity.map_or_else(|| crate::auth::ANONYMOUS.to_owned(), |who| who.name.clone()),
            bot: identity.is_some_and(|who| who.bot),
        }
    }
}

/// Whether it was done.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    ok: bool,
}

/// The reply to what was done and has nothing to tell.
pub(crate) const DONE: Json<Done> = Json(Done { ok: true });

fn password(fields: &Fields, name: &'static str) -> Result<Password, Error> {
    fields.needed(name).map(Password::from)
}

/// Make an account, and log in
///
/// New: not in Lichess' API.
#[utoipa::path(post, path = "/api/register", tag = "account", request_body = Login, responses(
    (status = 201, body = Who), (status = 400, body = Error), (status = 409, description = "The name is taken", body = Error),
    (status = 429, body = Error)))]
async fn register(
    State(app): State<App>,
    MaybeIdentity(before): MaybeIdentity,
    client: Option<Extension<Client>>,
    Body(fields): Body,
) -> Result<Response, Error> {
    count_login(&app, client)?;
    let name = app.auth().register(&fields.needed("username")?, password(&fields, "password")?, false).await?;
    let cookie = app.auth().log_in(before.as_ref(), &name.id).await?;
    let who = Who { id: Some(name.id), username: name.shown, bot: false };
    Ok((StatusCode::CREATED, [(SET_COOKIE, cookie)], Json(who)).into_response())
}

/// Log in
///
/// The reply sets the session's cookie. New: not in Lichess' API.
#[utoipa::path(post, path = "/api/login", tag = "account", request_body = Login, responses(
    (status = 200, body = Who), (status = 401, description = "The name or the password is wrong", body = Error),
    (status = 429, body = Error)))]
async fn log_in(
    State(app): State<App>,
    MaybeIdentity(before): MaybeIdentity,
    client: Option<Extension<Client>>,
    Body(fields): Body,
) -> Result<Response, Error> {
    count_login(&app, client)?;
    let name = fields.needed("username")?;
    app.limiter().guess(&name)?;
    let account = app.auth().check(&name, password(&fields, "password")?).await?;
    let cookie = app.auth().log_in(before.as_ref(), &account.id).await?;
    let who = Who { id: Some(account.id), username: account.name, bot: account.bot };
    Ok(([(SET_COOKIE, cookie)], Json(who)).into_response())
}

fn count_login(app: &App, client: Option<Extension<Client>>) -> Result<(), Error> {
    match client {
        Some(Extension(Client(client))) => app.limiter().login(&client),
        None => Ok(()),
    }
}

/// Log out
///
/// New: not in Lichess' API.
#[utoipa::path(post, path = "/api/logout", tag = "account", responses((status = 200, body = Done)), security(("cookie" = [])))]
async fn log_out(State(app): State<App>, MaybeIdentity(who): MaybeIdentity) -> Result<Response, Error> {
    let Some(who) = who else { return Ok(DONE.into_response()) };
    let cookie = app.auth().log_out(&who).await?;
    Ok(([(SET_COOKIE, cookie)], DONE).into_response())
}

/// Who one is
///
/// Begins a session if there is none. New: not in Lichess' API.
#[utoipa::path(get, path = "/api/session", tag = "account", responses((status = 200, body = Who)), security((), ("cookie" = []), ("token" = [])))]
async fn session(who: Identity) -> Json<Who> {
    Json(Who::of(Some(&who)))
}

/// Change the password
///
/// All other sessions end. New: not in Lichess' API.
#[utoipa::path(post, path = "/api/account/password", tag = "account", request_body = NewPassword, responses(
    (status = 200, body = Done), (status = 400, body = Error), (status = 401, body = Error)), security(("cookie" = []), ("token" = ["account:manage"])))]
async fn change_password(State(app): State<App>, user: User, Body(fields): Body) -> Result<Json<Done>, Error> {
    user.need(Scope::AccountManage)?;
    app.limiter().guess(&user.id)?;
    let (old, new) = (password(&fields, "password")?, password(&fields, "newPassword")?);
    app.auth().change_password(&user.identity, old, new).await?;
    Ok(DONE)
}

/// Delete the account
///
/// Games stay, without the name. Nobody gets the name again. New: not in Lichess' API.
#[utoipa::path(post, path = "/api/account/delete", operation_id = "delete account", tag = "account", request_body = Sure, responses(
    (status = 200, body = Done), (status = 400, body = Error), (status = 401, body = Error)), security(("cookie" = []), ("token" = ["account:manage"])))]
async fn delete(State(app): State<App>, user: User, Body(fields): Body) -> Result<Response, Error> {
    user.need(Scope::AccountManage)?;
    app.limiter().guess(&user.id)?;
    let wrong = |error: Error| match error.code {
        "wrong-login" => Error { code: "wrong-password", ..Error::bad("password", "the password is wrong") },
        _ => error,
    };
    app.auth().check(&user.id, password(&fields, "password")?).await.map_err(wrong)?;
    leave_games(&app, &user).await?;
    let id = user.id.clone();
    app.store().write(move |db| Box::pin(async move { accounts::delete(db, &id).await })).await?;
    app.games().forget_all();
    let cookie = app.auth().log_out(&user.identity).await?;
    Ok(([(SET_COOKIE, cookie)], DONE).into_response())
}

/// Ends what the account has going on: nobody is to wait for somebody who does not come back.
async fn leave_games(app: &App, user: &User) -> Result<(), Error> {
    for challenge in app.challenges().of(&user.identity).await? {
        let own = challenge.by.user.as_ref() == Some(&user.id);
        let ended = match own {
            true => app.challenges().cancel(&challenge.id, &user.identity).await,
            false => app.challenges().decline(&challenge.id, &user.identity, None).await,
        };
        // It may have become a game meanwhile, or none.
        ended.or_else(|error| if error.status == StatusCode::CONFLICT { Ok(()) } else { Err(error) })?;
    }
    let games = games::ongoing(&mut *app.store().read().await?, &user.id, i64::MAX).await?;
    for game in games {
        let mut ended = app.games().act(&game, &user.identity, Action::Abort, 0).await;
        if matches!(ended, Err(Refusal::TooLateToAbort)) {
            ended = app.games().act(&game, &user.identity, Action::Resign, 0).await;
        }
        match ended {
            Ok(_) | Err(Refusal::Over(_)) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Ok(())
}

/// Everything that is kept about the account
///
/// With its games, also those that go on or were called off, and those that it has imported. The reply is written while they are read.
/// New: not in Lichess' API.
#[utoipa::path(get, path = "/api/account/export", operation_id = "export account", tag = "account", responses(
    (status = 200, body = Object), (status = 401, body = Error)), security(("cookie" = []), ("token" = ["account:manage"])))]
async fn export(State(app): State<App>, user: User) -> Result<Response, Error> {
    user.need(Scope::AccountManage)?;
    let mut db = app.store().read().await?;
    let account = accounts::by_id(&mut db, &user.id).await?.ok_or_else(|| Error::not_found("such account"))?;
    let ratings = ratings::of_user(&mut db, &user.id).await?;
    let history = ratings::history(&mut db, &user.id).await?;
    let tokens = tokens::of_user(&mut db, &user.id).await?;
    let chat = accounts::chat_of(&mut db, &user.id).await?;
    let analyses = analysis::requested_by_user(&mut db, &user.id).await?;
    drop(db);
    let known = json!({
        "account": {
            "id": account.id, "username": account.name, "bot": account.bot,
            "createdAt": account.created_at, "seenAt": account.seen_at,
        },
        "ratings": ratings.iter().map(|r| json!({
            "variant": r.variant, "speed": r.speed, "rating": r.rating.value, "deviation": r.rating.deviation,
            "volatility": r.rating.volatility, "wins": r.wins, "draws": r.draws, "losses": r.losses,
            "updatedAt": r.updated_at,
        })).collect::<Vec<_>>(),
        "ratingHistory": history.iter().map(|c| json!({
            "game": c.game, "variant": c.variant, "speed": c.speed, "before": c.before, "after": c.after, "at": c.at,
        })).collect::<Vec<_>>(),
        "tokens": tokens.iter().map(|t| json!({
            "id": t.id, "description": t.description, "scopes": t.scopes.to_string(),
            "createdAt": t.created_at, "usedAt": t.used_at, "expiresAt": t.expires_at,
        })).collect::<Vec<_>>(),
        "chat": chat.iter().map(|c| json!({
            "game": c.game, "room": c.room, "text": c.text, "at": c.at,
        })).collect::<Vec<_>>(),
        "analyses": analyses.iter().map(|(game, at)| json!({ "game": game, "at": at })).collect::<Vec<_>>(),
    });
    // The rest is of any length: the object stays open, and what is read is written on.
    let head = known.to_string();
    let head = format!("{},\n\"games\": ", head.strip_suffix('}').unwrap_or(&head));
    let filter =
        Filter { user: Some(user.id.clone()), ongoing: true, finished: true, aborted: true, ..Filter::default() };
    let games = Pages::new(&app, filter, Wanted::whole(), Form::Array, i64::MAX).stream();
    let text = |text: String| stream::once(async { Ok(Bytes::from(text)) });
    let whole = text(head)
        .chain(games)
        .chain(text(",\"imports\": [".to_owned()))
        .chain(imported(app, user.identity))
        .chain(text("]}\n".to_owned()));
    Ok(([(CONTENT_TYPE, "application/json")], body(whole)).into_response())
}

/// The games that somebody has imported, as they are kept, with commas between.
fn imported(app: App, who: Identity) -> impl Stream<Item = Result<Bytes, std::io::Error>> + Send {
    stream::try_unfold((app, who, None::<After>), |(app, who, after)| async move {
        let page = async {
            let mut db = app.store().read().await?;
            let rows = imports::of(&mut db, &who, after.as_ref(), PAGE).await?;
            let mut text = String::new();
            for (row, at) in &rows {
                let comma = if after.is_none() && text.is_empty() { "" } else { ",\n" };
                let pgn = imports::pgn(&mut db, &row.id).await?;
                text += &format!("{comma}{}", json!({ "game": row.id, "at": at, "pgn": pgn }));
            }
            Ok::<_, StoreError>((text, rows.last().map(|(row, at)| (*at, row.id.clone()))))
        };
        let (text, last) = page.await.map_err(std::io::Error::other)?;
        Ok(last.map(|last| (Bytes::from(text), (app, who, Some(last)))))
    })
}

/// One's own account
#[utoipa::path(get, path = "/api/account", tag = "account", responses(
    (status = 200, body = Extended), (status = 401, body = Error)), security(("token" = [])))]
async fn account(State(app): State<App>, user: User) -> Result<Json<Extended>, Error> {
    let mut db = app.store().read().await?;
    let account = accounts::by_id(&mut db, &user.id).await?.ok_or_else(|| Error::not_found("such account"))?;
    Ok(Json(extended(&app, &mut db, &account).await?))
}

/// One's e-mail address
///
/// Always empty: accounts have none here.
#[utoipa::path(get, path = "/api/account/email", tag = "account", responses((status = 200, body = Object), (status = 401, body = Error)), security(("token" = [])))]
async fn email(_user: User) -> Json<Value> {
    Json(json!({ "email": "" }))
}

/// One's preferences
///
/// The page keeps them in the browser; there are none here.
#[utoipa::path(get, path = "/api/account/preferences", tag = "account", responses((status = 200, body = Object), (status = 401, body = Error)), security(("token" = ["preference:read"])))]
async fn preferences(user: User) -> Result<Json<Value>, Error> {
    user.need(Scope::PreferenceRead)?;
    Ok(Json(json!({ "prefs": {}, "language": "en" })))
}

/// Whether the account is a child's
///
/// Never: there is no such mode here.
#[utoipa::path(get, path = "/api/account/kid", tag = "account", responses((status = 200, body = Object), (status = 401, body = Error)), security(("token" = ["preference:read"])))]
async fn kid_mode(user: User) -> Result<Json<Value>, Error> {
    user.need(Scope::PreferenceRead)?;
    Ok(Json(json!({ "kid": false })))
}

/// Make the account a child's
///
/// Refused: there is no such mode here.
#[utoipa::path(post, path = "/api/account/kid", tag = "account", responses((status = 400, body = Error), (status = 401, body = Error)), security(("token" = [])))]
async fn set_kid_mode(_user: User) -> Error {
    Error { code: "not-here", ..Error::bad("v", "this server has no kid mode") }
}

/// Make the account a bot's
///
/// Only an account that has not played can become one. There is no way back.
#[utoipa::path(post, path = "/api/bot/account/upgrade", tag = "play", responses(
    (status = 200, body = Done), (status = 400, description = "It has played", body = Error), (status = 401, body = Error)),
    security(("token" = ["bot:play"])))]
async fn upgrade(State(app): State<App>, user: User) -> Result<Json<Done>, Error> {
    user.need(Scope::BotPlay)?;
    let id = user.id.clone();
    if app.store().write(move |db| Box::pin(async move { accounts::make_bot(db, &id).await })).await? {
        return Ok(DONE);
    }
    Err(Error::new(StatusCode::BAD_REQUEST, "has-played", "an account that has played cannot become a bot's"))
}
