//! Games between some players, as they begin and end.

use std::collections::{BTreeSet, HashMap};

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::select_all;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::MaybeIdentity;
use crate::bus::{Missed, Subscription};
use crate::fields::{Asked, Text};
use crate::games::Control;
use crate::games::view::{GameState, Player};
use crate::lichess::stream::{self, Gone, Lines, NDJSON};
use crate::lichess::{self, add, game, status};
use crate::limits::Client;
use crate::perf::Perf;
use crate::store::games;
use crate::{App, Error, bus, names};

/// How many players can be watched.
const MOST_USERS: usize = 300;
/// How many games that have ended are remembered.
const REMEMBERED: usize = 1000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(by_users))
}

/// The games between some players, as they begin and end
///
/// The body is up to 300 names with commas between. One game a line, when it begins and when it ends; both players are among
/// those. Empty lines show that the connection stands.
#[utoipa::path(post, path = "/api/stream/games-by-users", operation_id = "stream games by users", tag = "games",
    params(("withCurrentGames" = Option<bool>, Query, description = "Whether to begin with the games that go on")),
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = Object, content_type = "application/x-ndjson"), (status = 400, body = Error), (status = 429, body = Error)))]
async fn by_users(
    State(app): State<App>,
    Extension(Client(client)): Extension<Client>,
    MaybeIdentity(who): MaybeIdentity,
    Asked(query): Asked,
    Text(body): Text,
) -> Result<Response, Error> {
    let users: BTreeSet<String> = body.split(',').filter_map(|name| names::known(name.trim())).collect();
    let users: BTreeSet<String> = users.into_iter().filter(|name| !name.is_empty()).collect();
    if users.len() > MOST_USERS {
        return Err(Error::bad("body", format!("at most {MOST_USERS} players can be watched at once")));
    }
    if users.is_empty() {
        return Err(Error::bad("body", "the body is expected to be names with commas between"));
    }
    let current = query.flag("withCurrentGames")?.unwrap_or(false);
    let place = app.limiter().stream(&who.and_then(|who| who.user).unwrap_or_else(|| client.to_string()))?;
    Ok(stream::reply(&app.clone(), NDJSON, move |lines| async move {
        let _place = place;
        Watch { app, users, told: HashMap::new() }.run(current, lines).await
    }))
}

#[derive(Deserialize)]
struct Told {
    t: String,
    game: Option<String>,
}

struct Watch {
    app: App,
    users: BTreeSet<String>,
    /// Games that were told of, and whether they had ended.
    told: HashMap<String, bool>,
}

impl Watch {
    async fn run(mut self, current: bool, mut lines: Lines) -> Result<(), Gone> {
        let subjects = self.users.iter().filter_map(|user| bus::player_subject(Some(user.as_str()), None));
        // From now on, before the first look: nothing falls between.
        let mut news: Vec<Subscription> = subjects.map(|subject| self.app.games().bus().subscribe(&subject)).collect();
        // That the connection stands is seen at once.
        lines.text("\n".to_owned()).await?;
        let mut look = current;
        loop {
            if look {
                self.look(&mut lines).await?;
            }
            let waits = news.iter_mut().map(|subscription| subscription.next().boxed());
            let (message, ..) = lines.wait(select_all(waits)).await?;
            look = message == Err(Missed);
            let told = message.ok().and_then(|text| serde_json::from_str::<Told>(&text).ok());
            match told {
                Some(Told { t, game: Some(id) }) if t == "game-start" || t == "game-end" => {
                    self.game(&mut lines, &id).await?;
                }
                _ => {}
            }
        }
    }

    /// Tells of games that go on and were not told of.
    async fn look(&mut self, lines: &mut Lines) -> Result<(), Gone> {
        let mut ids = BTreeSet::new();
        {
            let mut db = self.app.store().read().await.map_err(|_| Gone)?;
            for user in &self.users {
                ids.extend(games::ongoing(&mut db, user, i64::MAX).await.map_err(|_| Gone)?);
            }
        }
        ids.extend(self.told.iter().filter(|(_, ended)| !**ended).map(|(id, _)| id.clone()));
        for id in ids {
            self.game(lines, &id).await?;
        }
        Ok(())
    }

    async fn game(&mut self, lines: &mut Lines, id: &str) -> Result<(), Gone> {
        let Ok(state) = self.app.games().state(id, None).await else { return Ok(()) };
        let among = |player: &Player| player.user.as_ref().is_some_and(|user| self.users.contains(user));
        let ended = state.end.is_some();
        if !among(&state.white) || !among(&state.black) || self.told.get(id).is_some_and(|told| *told || !ended) {
            return Ok(());
        }
        if self.told.len() >= REMEMBERED {
            self.told.retain(|_, ended| !*ended);
        }
        self.told.insert(id.to_owned(), ended);
        lines.json(&form(&state)).await
    }
}

/// A game, in the shape of this stream.
fn form(state: &GameState) -> Value {
    let (variant, speed) = game::kind(state);
    let end = state.end.as_ref();
    let (number, name) = status(state.status, end.map(|end| end.reason.as_str()));
    let player = |player: &Player| json!({ "userId": player.user, "rating": player.rating });
    let mut form = json!({
        "id": state.id,
        "rated": state.rated,
        "variant": lichess::variant_key(variant),
        "speed": state.speed,
        "perf": Perf { variant, speed }.to_string(),
        "createdAt": state.created_at,
        "status": number,
        "statusName": name,
        "players": { "white": player(&state.white), "black": player(&state.black) },
    });
    if let Control::Live { limit, increment } = state.control {
        let (limit, increment) = (limit / 1000, increment / 1000);
        form["clock"] = json!({ "initial": limit, "increment": increment, "totalTime": limit + 40 * increment });
    }
    add(&mut form, "winner", end.and_then(|end| end.winner));
    form
}
