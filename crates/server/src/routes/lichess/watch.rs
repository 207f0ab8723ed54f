//! Games between some players, or some games, as they begin and end.

use std::collections::{BTreeSet, HashMap};

use axum::extract::State;
use axum::response::Response;
use axum::{Extension, Json};
use futures_util::FutureExt;
use futures_util::future::select_all;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::MaybeIdentity;
use crate::bus::{Missed, Subscription};
use crate::fields::{Asked, Path, Text};
use crate::games::Control;
use crate::games::view::{GameState, Player};
use crate::lichess::stream::{self, Gone, Lines, NDJSON};
use crate::lichess::{self, add, game, status};
use crate::limits::Client;
use crate::perf::Perf;
use crate::routes::account::{DONE, Done};
use crate::store::games;
use crate::{App, Error, bus, names};

/// How many players can be watched.
const MOST_USERS: usize = 300;
/// How many games that have ended are remembered.
const REMEMBERED: usize = 1000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(by_users)).routes(routes!(by_ids)).routes(routes!(more_ids))
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

/// How many games can be followed by one stream.
const MOST_GAMES: usize = 500;

/// Some games, as they begin and end
///
/// The body is up to 500 ids with commas between. One game a line, as it is now and when it ends. More games are added by their
/// stream's name, which is the client's choice: up to 40 letters, digits, `-` and `_`.
#[utoipa::path(post, path = "/api/stream/games/{streamId}", operation_id = "stream games by ids", tag = "games", params(("streamId" = String, Path)),
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = Object, content_type = "application/x-ndjson"), (status = 400, body = Error), (status = 429, body = Error)))]
async fn by_ids(
    State(app): State<App>,
    Extension(Client(client)): Extension<Client>,
    MaybeIdentity(who): MaybeIdentity,
    Path(name): Path<String>,
    Text(body): Text,
) -> Result<Response, Error> {
    let owner = who.and_then(|who| who.user).unwrap_or_else(|| client.to_string());
    let (subject, ids) = (subject(&owner, &name)?, game_ids(&body)?);
    let place = app.limiter().stream(&owner)?;
    Ok(stream::reply(&app.clone(), NDJSON, move |lines| async move {
        let _place = place;
        Chosen { app, games: HashMap::new(), news: Vec::new() }.run(&subject, ids, lines).await
    }))
}

/// Follow more games by a stream that there is
///
/// It is found by its name and by who asks, who is whoever began it. The body is as for the stream itself.
#[utoipa::path(post, path = "/api/stream/games/{streamId}/add", operation_id = "stream games add", tag = "games", params(("streamId" = String, Path)),
    request_body(content = String, content_type = "text/plain"), responses((status = 200, body = Done), (status = 400, body = Error)))]
async fn more_ids(
    State(app): State<App>,
    Extension(Client(client)): Extension<Client>,
    MaybeIdentity(who): MaybeIdentity,
    Path(name): Path<String>,
    Text(body): Text,
) -> Result<Json<Done>, Error> {
    let owner = who.and_then(|who| who.user).unwrap_or_else(|| client.to_string());
    let (subject, ids) = (subject(&owner, &name)?, game_ids(&body)?);
    // The stream may be another node's.
    app.games().bus().publish(&subject, ids.into_iter().collect::<Vec<_>>().join(",").into());
    Ok(DONE)
}

/// Where the stream of a name, begun by somebody, is told of more games.
fn subject(owner: &str, name: &str) -> Result<String, Error> {
    let fits = (1..=40).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if !fits {
        return Err(Error::bad("streamId", "the name of a stream is 1 to 40 letters, digits, '-' and '_'"));
    }
    // Addresses have dots and colons, which mean something to the bus.
    let owner: String = owner.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    Ok(format!("stream.{owner}.{name}"))
}

fn game_ids(body: &str) -> Result<BTreeSet<String>, Error> {
    let ids: BTreeSet<String> =
        body.split(',').filter_map(|id| lichess::game_id(id.trim()).ok()).map(str::to_owned).collect();
    match ids.len() {
        0 => Err(Error::bad("body", "the body is expected to be ids of games with commas between")),
        1..=MOST_GAMES => Ok(ids),
        _ => Err(Error::bad("body", format!("at most {MOST_GAMES} games can be followed at once"))),
    }
}

/// Games that are followed by their ids.
struct Chosen {
    app: App,
    /// Those that were told of, and whether they had ended.
    games: HashMap<String, bool>,
    /// What is told of those that go on.
    news: Vec<(String, Subscription)>,
}

impl Chosen {
    async fn run(mut self, subject: &str, ids: BTreeSet<String>, mut lines: Lines) -> Result<(), Gone> {
        let mut more = self.app.games().bus().subscribe(subject);
        // That the connection stands is seen at once.
        lines.text("\n".to_owned()).await?;
        self.add(&mut lines, ids).await?;
        loop {
            let news = async {
                if self.news.is_empty() {
                    return std::future::pending().await;
                }
                // Waiting for a message and giving up loses none.
                let waits = self.news.iter_mut().map(|(_, subscription)| subscription.next().boxed());
                let (message, index, _) = select_all(waits).await;
                (index, message)
            };
            let what = lines.wait(async {
                tokio::select! {
                    added = more.next() => Err(added),
                    news = news => Ok(news),
                }
            });
            match what.await? {
                Err(added) => {
                    let added = added.ok().and_then(|text| game_ids(&text).ok());
                    self.add(&mut lines, added.unwrap_or_default()).await?;
                }
                Ok((index, message)) => {
                    // What happens on the way to the end is not told here.
                    let goes_on = |text: &str| serde_json::from_str::<Ends>(text).is_ok_and(|it| it.end.is_none());
                    if message.is_ok_and(|text| goes_on(&text)) {
                        continue;
                    }
                    let Some((id, _)) = self.news.get(index) else { continue };
                    let id = id.clone();
                    self.tell(&mut lines, &id).await?;
                }
            }
        }
    }

    async fn add(&mut self, lines: &mut Lines, ids: BTreeSet<String>) -> Result<(), Gone> {
        for id in ids {
            if self.games.len() >= MOST_GAMES || self.games.contains_key(&id) {
                continue;
            }
            // First to listen, then to look: so nothing falls in between.
            let news = self.app.games().bus().subscribe(&bus::game_subject(&id));
            self.news.push((id.clone(), news));
            self.tell(lines, &id).await?;
        }
        Ok(())
    }

    /// Tells how a game stands, if that was not told yet. One that there is not, or that is over, is not listened to any more.
    async fn tell(&mut self, lines: &mut Lines, id: &str) -> Result<(), Gone> {
        let state = self.app.games().state(id, None).await;
        let ended = state.as_ref().map_or(true, |state| state.end.is_some());
        if ended {
            self.news.retain(|(of, _)| of != id);
        }
        let Ok(state) = state else { return Ok(()) };
        if self.games.get(id).is_some_and(|told| *told || !ended) {
            return Ok(());
        }
        self.games.insert(id.to_owned(), ended);
        lines.json(&form(&state)).await
    }
}

/// What matters about an event.
#[derive(Deserialize)]
struct Ends {
    end: Option<serde::de::IgnoredAny>,
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
