//! Playing, for boards and bots: the same paths below `/api/board` and `/api/bot`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::{Scope, User};
use crate::fields::{Asked, Body, Path};
use crate::games::view::GameState;
use crate::games::{Action, Refusal};
use crate::lichess;
use crate::routes::account::{DONE, Done};
use crate::routes::games::{done, say};
use crate::store::chat::Room;
use crate::{App, Error};

/// Which half of the API is asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Api {
    Bot,
    Board,
}

impl Api {
    /// Makes sure that it is the one for an account.
    fn check(self, user: &User) -> Result<(), Error> {
        let (scope, bot) = match self {
            Self::Bot => (Scope::BotPlay, true),
            Self::Board => (Scope::BoardPlay, false),
        };
        user.need(scope)?;
        if user.identity.bot == bot {
            return Ok(());
        }
        let (code, message) = if bot {
            ("not-a-bot", "this is for bots: make the account one with /api/bot/account/upgrade")
        } else {
            ("a-bot", "this is not for bots: they play below /api/bot")
        };
        Err(Error::new(StatusCode::BAD_REQUEST, code, message))
    }
}

/// A game that a player plays, and how it stands.
pub(super) async fn players_game(app: &App, user: &User, api: Api, id: &str) -> Result<(String, GameState), Error> {
    api.check(user)?;
    let id = lichess::game_id(id)?;
    let state = app.games().state(id, Some(&user.identity)).await?;
    if state.you.is_none() {
        return Err(Refusal::NotAPlayer.into());
    }
    Ok((id.to_owned(), state))
}

async fn act(app: &App, user: &User, api: Api, id: &str, action: Action) -> Result<Json<Done>, Error> {
    api.check(user)?;
    app.games().act(lichess::game_id(id)?, &user.identity, action, 0).await?;
    Ok(DONE)
}

async fn play(app: &App, user: &User, api: Api, id: &str, uci: String, offers: bool) -> Result<Json<Done>, Error> {
    let (id, state) = players_game(app, user, api, id).await?;
    // The client names no ply: it means the position that it was told last. If that has passed it is not its turn.
    let ply = state.ply;
    app.games().act(&id, &user.identity, Action::Move { ply, uci, id: None }, 0).await?;
    if offers {
        // The move was played: an offer that cannot be made is no reason to say that it was not.
        let _ = app.games().act(&id, &user.identity, Action::DrawOffer, 0).await;
    }
    Ok(DONE)
}

fn yes(answer: &str) -> bool {
    matches!(answer, "yes" | "true" | "1")
}

async fn draw(app: &App, user: &User, api: Api, id: &str, answer: &str) -> Result<Json<Done>, Error> {
    if !yes(answer) {
        return act(app, user, api, id, Action::DrawDecline).await;
    }
    // Where the rules give a draw, to offer one is to claim it.
    match act(app, user, api, id, Action::DrawClaim).await {
        Err(error) if matches!(error.code, "no-claim" | "not-your-turn") => {
            act(app, user, api, id, Action::DrawOffer).await
        }
        done => done,
    }
}

async fn takeback(app: &App, user: &User, api: Api, id: &str, answer: &str) -> Result<Json<Done>, Error> {
    let action = if yes(answer) { Action::TakebackOffer } else { Action::TakebackDecline };
    act(app, user, api, id, action).await
}

/// Give the opponent time
///
/// In a live game; for time odds, or out of kindness.
#[utoipa::path(post, path = "/api/round/{id}/add-time/{seconds}", operation_id = "play add time", tag = "play",
    params(("id" = String, Path), ("seconds" = i64, Path, description = "1 to 86400")),
    responses((status = 200, body = Done), (status = 400, body = Error), (status = 403, body = Error), (status = 404, body = Error), (status = 409, body = Error)),
    security(("token" = ["challenge:write"]), ("token" = ["bot:play"]), ("token" = ["board:play"])))]
async fn add_time(
    State(app): State<App>,
    user: User,
    Path((id, seconds)): Path<(String, String)>,
) -> Result<Json<Done>, Error> {
    user.need_any(&[Scope::ChallengeWrite, Scope::BoardPlay, Scope::BotPlay])?;
    let seconds = seconds.parse().map_err(|_| Error::bad("seconds", "'seconds' is expected to be a whole number"))?;
    app.games().act(lichess::game_id(&id)?, &user.identity, Action::AddTime { seconds }, 0).await?;
    Ok(DONE)
}

async fn claim_victory(app: &App, user: &User, api: Api, id: &str) -> Result<Json<Done>, Error> {
    let (id, _) = players_game(app, user, api, id).await?;
    done(app, &user.identity, &id, Action::ClaimVictory, 0).await?;
    Ok(DONE)
}

/// Something to say.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field")]
struct Line {
    /// `player`, or `spectator` for those who watch.
    room: String,
    /// At most 140 characters.
    text: String,
}

async fn speak(
    app: &App,
    user: &User,
    api: Api,
    id: &str,
    fields: &crate::fields::Fields,
) -> Result<Json<Done>, Error> {
    api.check(user)?;
    let room = match fields.text("room")?.as_deref() {
        None | Some("player") => Room::Players,
        Some("spectator") => Room::Spectators,
        Some(_) => return Err(Error::bad("room", "'room' is expected to be player or spectator")),
    };
    say(app, &user.identity, None, lichess::game_id(id)?, room, &fields.needed("text")?).await?;
    Ok(DONE)
}

async fn said(app: &App, user: &User, api: Api, id: &str) -> Result<Json<Value>, Error> {
    let (id, _) = players_game(app, user, api, id).await?;
    let lines = app.games().said(&id, Room::Players, 0).await?;
    let form = |line: &crate::games::chat::Said| json!({ "user": line.name(), "text": line.text() });
    Ok(Json(lines.iter().map(form).collect()))
}

/// The routes of one half of the API: each is a function of its own, since each has a description of its own.
macro_rules! half {
    ($module:ident, $api:expr, $base:literal, $scope:literal) => {
        mod $module {
            use super::*;

            pub(super) fn router() -> OpenApiRouter<App> {
                OpenApiRouter::new()
                    .routes(routes!(play_move))
                    .routes(routes!(chat, chat_lines))
                    .routes(routes!(abort))
                    .routes(routes!(resign))
                    .routes(routes!(answer_draw))
                    .routes(routes!(claim_draw))
                    .routes(routes!(answer_takeback))
                    .routes(routes!(claim))
                    .routes(routes!(claim_with_slash))
                    .routes(routes!(berserk))
            }

            /// Play a move
            #[utoipa::path(post, path = concat!($base, "/{id}/move/{uci}"), operation_id = concat!($scope, " move"), tag = "play",
                params(("id" = String, Path), ("uci" = String, Path, description = "In UCI form, as the game's rules page says"),
                    ("offeringDraw" = Option<bool>, Query, description = "Whether to offer a draw with it")),
                responses((status = 200, body = Done), (status = 400, description = "No legal move", body = Error),
                    (status = 409, description = "Not one's turn, or the game is over", body = Error)), security(("token" = [$scope])))]
            async fn play_move(
                State(app): State<App>,
                user: User,
                Path((id, uci)): Path<(String, String)>,
                Asked(query): Asked,
            ) -> Result<Json<Done>, Error> {
                play(&app, &user, $api, &id, uci, query.flag("offeringDraw")?.unwrap_or(false)).await
            }

            /// Say something
            #[utoipa::path(post, path = concat!($base, "/{id}/chat"), operation_id = concat!($scope, " chat"), tag = "play",
                params(("id" = String, Path)), request_body = Line,
                responses((status = 200, body = Done), (status = 400, body = Error), (status = 429, description = "More than 30 lines a minute, or 10 at once", body = Error)),
                security(("token" = [$scope])))]
            async fn chat(State(app): State<App>, user: User, Path(id): Path<String>, Body(fields): Body) -> Result<Json<Done>, Error> {
                speak(&app, &user, $api, &id, &fields).await
            }

            /// What was said
            #[utoipa::path(get, path = concat!($base, "/{id}/chat"), operation_id = concat!($scope, " chat lines"), tag = "play",
                params(("id" = String, Path)), responses((status = 200, body = Vec<Object>), (status = 403, body = Error)), security(("token" = [$scope])))]
            async fn chat_lines(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Value>, Error> {
                said(&app, &user, $api, &id).await
            }

            /// Call the game off, before both have moved
            #[utoipa::path(post, path = concat!($base, "/{id}/abort"), operation_id = concat!($scope, " abort"), tag = "play",
                params(("id" = String, Path)), responses((status = 200, body = Done), (status = 409, body = Error)), security(("token" = [$scope])))]
            async fn abort(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Done>, Error> {
                act(&app, &user, $api, &id, Action::Abort).await
            }

            /// Give up
            #[utoipa::path(post, path = concat!($base, "/{id}/resign"), operation_id = concat!($scope, " resign"), tag = "play",
                params(("id" = String, Path)), responses((status = 200, body = Done), (status = 409, body = Error)), security(("token" = [$scope])))]
            async fn resign(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Done>, Error> {
                act(&app, &user, $api, &id, Action::Resign).await
            }

            /// Offer, accept (`yes`) or decline (`no`) a draw
            ///
            /// Where the rules allow to claim one, `yes` claims it.
            #[utoipa::path(post, path = concat!($base, "/{id}/draw/{answer}"), operation_id = concat!($scope, " draw"), tag = "play",
                params(("id" = String, Path), ("answer" = String, Path)), responses((status = 200, body = Done), (status = 409, body = Error)), security(("token" = [$scope])))]
            async fn answer_draw(State(app): State<App>, user: User, Path((id, answer)): Path<(String, String)>) -> Result<Json<Done>, Error> {
                draw(&app, &user, $api, &id, &answer).await
            }

            /// Claim a draw by repetition or by moves without progress
            #[utoipa::path(post, path = concat!($base, "/{id}/claim-draw"), operation_id = concat!($scope, " claim draw"), tag = "play",
                params(("id" = String, Path)), responses((status = 200, body = Done), (status = 409, body = Error)), security(("token" = [$scope])))]
            async fn claim_draw(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Done>, Error> {
                act(&app, &user, $api, &id, Action::DrawClaim).await
            }

            /// Propose, accept (`yes`) or decline (`no`) to take back
            #[utoipa::path(post, path = concat!($base, "/{id}/takeback/{answer}"), operation_id = concat!($scope, " takeback"), tag = "play",
                params(("id" = String, Path), ("answer" = String, Path)), responses((status = 200, body = Done), (status = 409, body = Error)), security(("token" = [$scope])))]
            async fn answer_takeback(State(app): State<App>, user: User, Path((id, answer)): Path<(String, String)>) -> Result<Json<Done>, Error> {
                takeback(&app, &user, $api, &id, &answer).await
            }

            /// Claim the game of an opponent who has left
            #[utoipa::path(post, path = concat!($base, "/{id}/claim-victory"), operation_id = concat!($scope, " claim victory"), tag = "play",
                params(("id" = String, Path)), responses((status = 200, body = Done), (status = 409, body = Error)), security(("token" = [$scope])))]
            async fn claim(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Done>, Error> {
                claim_victory(&app, &user, $api, &id).await
            }

            /// The same, as berserk asks
            #[utoipa::path(post, path = concat!($base, "/{id}/claim-victory/"), operation_id = concat!($scope, " claim victory/"), tag = "play",
                params(("id" = String, Path)), responses((status = 200, body = Done), (status = 409, body = Error)), security(("token" = [$scope])))]
            async fn claim_with_slash(State(app): State<App>, user: User, Path(id): Path<String>) -> Result<Json<Done>, Error> {
                claim_victory(&app, &user, $api, &id).await
            }

            /// Halve one's clock in a tournament
            ///
            /// Refused: there are no tournaments here.
            #[utoipa::path(post, path = concat!($base, "/{id}/berserk"), operation_id = concat!($scope, " berserk"), tag = "play",
                params(("id" = String, Path)), responses((status = 400, body = Error)), security(("token" = [$scope])))]
            async fn berserk(user: User, Path(_): Path<String>) -> Error {
                let not_here = || Error::new(StatusCode::BAD_REQUEST, "not-here", "this server has no tournaments");
                $api.check(&user).err().unwrap_or_else(not_here)
            }
        }
    };
}

half!(bot, Api::Bot, "/api/bot/game", "bot:play");
half!(board, Api::Board, "/api/board/game", "board:play");

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(bot::router()).merge(board::router()).routes(routes!(add_time))
}
