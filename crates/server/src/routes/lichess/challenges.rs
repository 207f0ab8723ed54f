//! Finding somebody to play.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use warpchess_rules::Color;

use crate::auth::{Scope, User};
use crate::fields::{Asked, Body, Fields, Path, Wrong};
use crate::games::challenges::{Challenge, Made, Opponent, RATINGS, Wish};
use crate::games::{Action, Control};
use crate::lichess::stream::{self, Gone, NDJSON};
use crate::lichess::{self, challenge, game};
use crate::routes::account::{DONE, Done};
use crate::{App, Error, bus};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        // Before the one with a name: no account has these names.
        .routes(routes!(computer))
        .routes(routes!(open))
        .routes(routes!(create))
        .routes(routes!(show))
        .routes(routes!(accept))
        .routes(routes!(decline))
        .routes(routes!(cancel))
        .routes(routes!(start_clocks))
        .routes(routes!(seek))
}

/// A game that is wished for.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field")]
struct Terms {
    /// Whether ratings change.
    rated: Option<bool>,
    /// What each clock shows at the beginning, in seconds.
    #[schema(rename = "clock.limit")]
    clock_limit: Option<i64>,
    /// What is added after each move, in seconds.
    #[schema(rename = "clock.increment")]
    clock_increment: Option<i64>,
    /// Days for each move, instead of a clock: 1, 2, 3, 5, 7, 10 or 14.
    days: Option<i64>,
    /// `white`, `black` or `random`.
    color: Option<String>,
    /// A game's id; `standard` stands for chess.
    #[schema(example = "standard")]
    variant: Option<String>,
    /// Another beginning than the usual.
    fen: Option<String>,
    /// `random` for a beginning by chance, in games that have such. New: not in Lichess' API.
    setup: Option<String>,
    /// For the computer: 1 to 8.
    level: Option<u8>,
}

fn control(fields: &Fields) -> Result<Control, Error> {
    let seconds = |name, limit: i64| fields.within(name, 0..=limit / 1000).map(|seconds| seconds.map(|s| s * 1000));
    let limit = seconds("clock.limit", crate::games::LONGEST_LIMIT)?;
    let increment = seconds("clock.increment", crate::games::LONGEST_INCREMENT)?;
    let control = match (limit, increment, fields.integer("days")?) {
        (None, None, None) => Control::Unlimited,
        (None, None, Some(days)) => Control::Days { days },
        (limit, increment, None) => {
            Control::Live { limit: limit.unwrap_or_default(), increment: increment.unwrap_or_default() }
        }
        _ => return Err(Error::bad("days", "a game has a clock or days, not both")),
    };
    playable(control, "clock.limit", "clock.increment")
}

/// A control that can be played; if it cannot, the field at fault by the name that clients give it.
fn playable(control: Control, limit: &'static str, increment: &'static str) -> Result<Control, Error> {
    let named = |wrong: Wrong| match wrong.field {
        "limit" => Error::bad(limit, wrong.message),
        "increment" => Error::bad(increment, wrong.message),
        field => Error::bad(field, wrong.message),
    };
    control.check().map(|()| control).map_err(named)
}

fn wish(fields: &Fields, opponent: Opponent) -> Result<Wish, Error> {
    let variant = fields.text("variant")?.as_deref().map(lichess::variant_of).transpose()?.unwrap_or_default();
    Ok(Wish {
        variant: variant.id().to_owned(),
        fen: fields.text("fen")?.filter(|fen| fen != "startpos"),
        setup: fields.text("setup")?,
        control: control(fields)?,
        color: fields.text("color")?,
        rated: fields.flag("rated")?.unwrap_or(false),
        opponent,
        min_rating: None,
        max_rating: None,
    })
}

async fn form(app: &App, it: &Challenge, user: &User) -> Result<Json<Value>, Error> {
    let mut db = app.store().read().await?;
    Ok(Json(challenge::form(app, &mut db, it, Some(&user.id)).await?))
}

/// Challenges that wait: those for oneself, and one's own
#[utoipa::path(get, path = "/api/challenge", operation_id = "challenges list", tag = "challenges", responses((status = 200, body = Object), (status = 401, body = Error)), security(("token" = ["challenge:read"])))]
async fn list(State(app): State<App>, user: User) -> Result<Json<Value>, Error> {
    user.need(Scope::ChallengeRead)?;
    let all = app.challenges().of(&user.identity).await?;
    let mut db = app.store().read().await?;
    let (mut incoming, mut outgoing) = (Vec::new(), Vec::new());
    for it in all {
        let form = challenge::form(&app, &mut db, &it, Some(&user.id)).await?;
        if it.by.user.as_ref() == Some(&user.id) { outgoing.push(form) } else { incoming.push(form) }
    }
    Ok(Json(json!({ "in": incoming, "out": outgoing })))
}

/// Challenge a player
///
/// Live challenges wait for 15 minutes, others for two weeks. The game will have the challenge's id.
#[utoipa::path(post, path = "/api/challenge/{username}", operation_id = "challenges create", tag = "challenges", params(("username" = String, Path)), request_body = Terms,
    responses((status = 200, body = Object), (status = 400, body = Error), (status = 401, body = Error), (status = 404, body = Error)),
    security(("token" = ["challenge:write"]), ("token" = ["bot:play"]), ("token" = ["board:play"])))]
async fn create(
    State(app): State<App>,
    user: User,
    Path(name): Path<String>,
    Body(fields): Body,
) -> Result<Json<Value>, Error> {
    user.need_any(&[Scope::ChallengeWrite, Scope::BotPlay, Scope::BoardPlay])?;
    let Made::Challenge(it) = app.challenges().make(&wish(&fields, Opponent::User { name })?, &user.identity).await?
    else {
        return Err(Error::internal("a challenge to a player became a game"));
    };
    form(&app, &it, &user).await
}

/// Make a challenge for whoever has its link
///
/// The challenger plays, which is different from Lichess, where two others may take the seats.
#[utoipa::path(post, path = "/api/challenge/open", operation_id = "challenges open", tag = "challenges", request_body = Terms,
    responses((status = 200, body = Object), (status = 400, body = Error), (status = 401, body = Error)), security(("token" = ["challenge:write"]), ("token" = ["bot:play"]), ("token" = ["board:play"])))]
async fn open(State(app): State<App>, user: User, Body(fields): Body) -> Result<Json<Value>, Error> {
    user.need_any(&[Scope::ChallengeWrite, Scope::BotPlay, Scope::BoardPlay])?;
    let Made::Challenge(it) = app.challenges().make(&wish(&fields, Opponent::Link)?, &user.identity).await? else {
        return Err(Error::internal("a challenge by link became a game"));
    };
    let Json(mut form) = form(&app, &it, &user).await?;
    let url = form["url"].clone();
    form["urlWhite"] = url.clone();
    form["urlBlack"] = url;
    form["open"] = json!({});
    Ok(Json(form))
}

/// Play the computer
#[utoipa::path(post, path = "/api/challenge/ai", operation_id = "challenges computer", tag = "challenges", request_body = Terms,
    responses((status = 201, body = Object), (status = 400, body = Error), (status = 401, body = Error)), security(("token" = ["challenge:write"]), ("token" = ["bot:play"]), ("token" = ["board:play"])))]
async fn computer(State(app): State<App>, user: User, Body(fields): Body) -> Result<Response, Error> {
    user.need_any(&[Scope::ChallengeWrite, Scope::BotPlay, Scope::BoardPlay])?;
    let level = fields.within("level", 1..=8)?.unwrap_or(1) as u8;
    let Made::Game(id) = app.challenges().make(&wish(&fields, Opponent::Computer { level })?, &user.identity).await?
    else {
        return Err(Error::internal("a challenge to the computer became none"));
    };
    let state = app.games().state(&id, Some(&user.identity)).await?;
    let color = if state.you == Some(Color::Black.name()) { Color::Black } else { Color::White };
    let mut form = game::short(&mut *app.store().read().await?, &state, color).await?;
    form["player"] = json!(state.turn);
    form["turns"] = json!(state.ply);
    form["createdAt"] = json!(state.created_at);
    Ok((StatusCode::CREATED, Json(form)).into_response())
}

/// A challenge
#[utoipa::path(get, path = "/api/challenge/{id}/show", operation_id = "challenges show", tag = "challenges", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 404, body = Error)), security(("token" = ["challenge:read"])))]
async fn show(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Value>, Error> {
    user.need(Scope::ChallengeRead)?;
    let it = app.challenges().get(&id, Some(&user.identity)).await?;
    form(&app, &it, &user).await
}

/// Accept a challenge
#[utoipa::path(post, path = "/api/challenge/{id}/accept", operation_id = "challenges accept", tag = "challenges", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = 404, body = Error), (status = 409, body = Error)), security(("token" = ["challenge:write"]), ("token" = ["bot:play"]), ("token" = ["board:play"])))]
async fn accept(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Done>, Error> {
    user.need_any(&[Scope::ChallengeWrite, Scope::BotPlay, Scope::BoardPlay])?;
    app.challenges().accept(&id, &user.identity).await?;
    Ok(DONE)
}

/// Why a challenge is declined.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field")]
struct Reason {
    /// `generic`, `later`, `tooFast`, `tooSlow`, `timeControl`, `rated`, `casual`, `standard`, `variant`, `noBot` or `onlyBot`.
    reason: Option<String>,
}

/// Decline a challenge
#[utoipa::path(post, path = "/api/challenge/{id}/decline", operation_id = "challenges decline", tag = "challenges", params(("id" = String, Path)), request_body = Reason,
    responses((status = 200, body = Done), (status = 404, body = Error), (status = 409, body = Error)), security(("token" = ["challenge:write"]), ("token" = ["bot:play"]), ("token" = ["board:play"])))]
async fn decline(
    State(app): State<App>,
    user: User,
    Path(id): Path<String>,
    Body(fields): Body,
) -> Result<Json<Done>, Error> {
    user.need_any(&[Scope::ChallengeWrite, Scope::BotPlay, Scope::BoardPlay])?;
    let reason = fields.text("reason")?;
    // An unknown one is none, as on Lichess: new reasons must not break old servers.
    let known = challenge::REASONS.iter().find(|(key, _)| Some(*key) == reason.as_deref());
    app.challenges().decline(&id, &user.identity, Some(known.map_or("generic", |&(key, _)| key))).await?;
    Ok(DONE)
}

/// Take a challenge back
///
/// If it was accepted meanwhile, its game is called off, as long as that can be done.
#[utoipa::path(post, path = "/api/challenge/{id}/cancel", operation_id = "challenges cancel", tag = "challenges", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = 404, body = Error), (status = 409, body = Error)), security(("token" = ["challenge:write"]), ("token" = ["bot:play"]), ("token" = ["board:play"])))]
async fn cancel(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Done>, Error> {
    user.need_any(&[Scope::ChallengeWrite, Scope::BotPlay, Scope::BoardPlay])?;
    match app.challenges().cancel(&id, &user.identity).await {
        Err(error) if error.code == "challenge-gone" => {
            let it = app.challenges().get(&id, Some(&user.identity)).await?;
            let Some(game) = it.game else { return Err(error) };
            app.games().act(&game, &user.identity, Action::Abort, 0).await?;
        }
        done => done?,
    }
    Ok(DONE)
}

/// Have the clocks of a live game run, although not both have moved
///
/// With a token of each player, in any order. If they run, nothing happens. Time that is over before both have moved still calls the
/// game off.
#[utoipa::path(post, path = "/api/challenge/{id}/start-clocks", operation_id = "challenges start clocks", tag = "challenges", params(("id" = String, Path),
        ("token1" = String, Query, description = "Of one player, with the scope `challenge:write`"), ("token2" = String, Query, description = "Of the other")),
    responses((status = 200, body = Done), (status = 401, body = Error), (status = 403, body = Error), (status = 404, body = Error), (status = 409, body = Error)))]
async fn start_clocks(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(query): Asked,
) -> Result<Json<Done>, Error> {
    let player = async |field: &'static str| {
        let known = app.auth().by_token(&query.needed(field)?).await?;
        let refused =
            || Error { code: "invalid-token", field: Some(field.into()), ..Error::unauthorized("no such token") };
        let identity = known.ok_or_else(refused)?;
        let user = User { id: identity.user.clone().ok_or_else(refused)?, identity };
        user.need(Scope::ChallengeWrite)?;
        Ok::<_, Error>(user.identity)
    };
    let players = [player("token1").await?, player("token2").await?];
    app.games().start_clocks(lichess::game_id(&id)?, players).await?;
    Ok(DONE)
}

/// A game with anybody.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field")]
#[schema(rename_all = "camelCase")]
struct Wanted {
    rated: Option<bool>,
    /// What each clock shows at the beginning, in minutes.
    time: Option<f64>,
    /// What is added after each move, in seconds.
    increment: Option<i64>,
    /// Days for each move, instead of a clock.
    days: Option<i64>,
    /// A game's id; `standard` stands for chess.
    variant: Option<String>,
    color: Option<String>,
    /// The opponent's rating, as in `1400-1800`.
    rating_range: Option<String>,
}

fn sought(fields: &Fields) -> Result<Wish, Error> {
    let variant = fields.text("variant")?.as_deref().map(lichess::variant_of).transpose()?.unwrap_or_default();
    let control = match fields.integer("days")? {
        Some(days) => Control::Days { days },
        None => {
            let minutes = fields.number("time")?.ok_or_else(|| Error::bad("time", "'time' or 'days' is missing"))?;
            if !(0.0..=180.0).contains(&minutes) {
                return Err(Error::bad("time", "'time' is expected to be minutes, 0 to 180"));
            }
            let increment = fields.within("increment", 0..=180)?.unwrap_or(0) * 1000;
            Control::Live { limit: (minutes * 60_000.0).round() as i64, increment }
        }
    };
    let wrong = || Error::bad("ratingRange", "'ratingRange' is expected to be as in 1400-1800, within 0-4000");
    let range = fields.text("ratingRange")?.map(|text| {
        let (low, high) = text.split_once('-').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<i64>().ok().filter(|rating| RATINGS.contains(rating));
        let (low, high) = number(low).zip(number(high)).filter(|(low, high)| low <= high).ok_or_else(wrong)?;
        Ok::<_, Error>((low, high))
    });
    let range = range.transpose()?;
    let control = playable(control, "time", "increment")?;
    Ok(Wish {
        variant: variant.id().to_owned(),
        fen: None,
        setup: None,
        control,
        color: fields.text("color")?,
        rated: fields.flag("rated")?.unwrap_or(false),
        opponent: Opponent::Lobby,
        min_rating: range.map(|range| range.0),
        max_rating: range.map(|range| range.1),
    })
}

/// Seek somebody to play
///
/// Whoever waits in the lobby for the same is taken at once. Otherwise the reply to a live seek goes on until somebody
/// comes; the seek ends with the connection. A seek by days is answered with its id, and waits.
#[utoipa::path(post, path = "/api/board/seek", operation_id = "challenges seek", tag = "challenges", request_body = Wanted,
    responses((status = 200, description = "Empty lines until the game begins", body = String, content_type = "application/x-ndjson"),
        (status = 400, body = Error), (status = 401, body = Error)), security(("token" = ["board:play"]), ("token" = ["bot:play"])))]
async fn seek(State(app): State<App>, user: User, Body(fields): Body) -> Result<Response, Error> {
    user.need_any(&[Scope::BoardPlay, Scope::BotPlay])?;
    let wish = sought(&fields)?;
    let live = matches!(wish.control, Control::Live { .. });
    if let Some(game) = taken(&app, &user, &wish).await? {
        return Ok(if live { String::new().into_response() } else { Json(json!({ "id": game })).into_response() });
    }
    // Listens before it stands in the lobby: somebody may come at once.
    let subject = bus::player_subject(Some(&user.id), None).unwrap_or_default();
    let mut news = app.games().bus().subscribe(&subject);
    let Made::Challenge(it) = app.challenges().make(&wish, &user.identity).await? else {
        return Err(Error::internal("a seek became a game"));
    };
    if !live {
        return Ok(Json(json!({ "id": it.id })).into_response());
    }
    let connected = app.challenges().connected(&user.identity);
    let standing = Standing { app: app.clone(), user, id: it.id };
    Ok(stream::reply(&app, NDJSON, move |mut lines| async move {
        let _connected = connected;
        lines.text("\n".to_owned()).await?;
        loop {
            // Whatever is told, whether it still stands is what counts.
            let _ = lines.wait(news.next()).await?;
            let it = standing.app.challenges().get(&standing.id, Some(&standing.user.identity)).await;
            if it.map_err(|_| Gone)?.status != "open" {
                return Ok(());
            }
        }
    }))
}

/// Accepts a challenge of the lobby that is what somebody seeks, if there is one: the game's id.
async fn taken(app: &App, user: &User, wish: &Wish) -> Result<Option<String>, Error> {
    let opposite = |color: &str| match color {
        "white" => "black",
        "black" => "white",
        _ => "random",
    };
    let wanted = wish.color.as_deref().unwrap_or("random");
    for it in app.challenges().lobby().await? {
        let same = it.variant == wish.variant && it.control == wish.control && it.rated == wish.rated;
        let plain = it.fen.is_none() && it.color == opposite(wanted);
        let rating = it.by.rating.unwrap_or(crate::rating::Rating::default().shown());
        let fits = wish.min_rating.is_none_or(|min| rating >= min) && wish.max_rating.is_none_or(|max| rating <= max);
        if !same || !plain || !fits || it.by.user.as_ref() == Some(&user.id) {
            continue;
        }
        // Somebody else may have been faster, or the challenger wants another rating.
        if let Ok(game) = app.challenges().accept(&it.id, &user.identity).await {
            return Ok(Some(game));
        }
    }
    Ok(None)
}

/// A seek in the lobby, which is taken out when the connection ends.
struct Standing {
    app: App,
    user: User,
    id: String,
}

impl Drop for Standing {
    fn drop(&mut self) {
        let (app, user, id) = (self.app.clone(), self.user.clone(), self.id.clone());
        tokio::spawn(async move {
            // That somebody has come is no fault.
            let _ = app.challenges().cancel(&id, &user.identity).await;
        });
    }
}
