//! Ratings in the store, in both databases, and as the API tells of them.

use serde_json::json;
use warpchess_server::rating::Score;
use warpchess_server::store::Store;
use warpchess_server::store::ratings::{self, Rated};
use warpchess_server::{App, Config};

use crate::common::Database;
use crate::common::client::{Client, unlimited};

const NOON: i64 = 1_700_000_000_000;

async fn record(store: &Store, game: &str, white: &str, black: &str, score: Score, at: i64) -> Option<(i64, i64)> {
    let [game, white, black] = [game, white, black].map(str::to_owned);
    let job = store.write(move |db| {
        Box::pin(async move {
            let (variant, speed) = ("chess", "blitz");
            let rated = Rated { game: &game, variant, speed, white: &white, black: &black, score, at };
            ratings::record(db, &rated).await
        })
    });
    job.await.unwrap()
}

async fn app(database: &Database) -> App {
    let app = App::start(Config { database: database.url.clone(), ..Config::default() }).await.unwrap();
    for name in ["ann", "bob"] {
        Client::registered(&app, name).await;
    }
    app
}

#[tokio::test]
async fn a_game_is_rated_once_however_often_it_is_recorded() {
    for database in Database::all().await {
        let app = app(&database).await;
        let store = app.store();
        // Both begin at 1500 ± 350: the winner gets 162 points.
        let first = record(store, "game1", "ann", "bob", Score::Win, NOON).await;
        assert_eq!(first, Some((162, -162)), "{}", database.name);
        assert_eq!(record(store, "game1", "ann", "bob", Score::Win, NOON).await, None, "{}", database.name);

        let mut db = store.read().await.unwrap();
        let ann = ratings::of(&mut db, "ann", "chess", "blitz").await.unwrap().unwrap();
        assert_eq!((ann.rating.shown(), ann.wins, ann.games()), (1662, 1, 1), "{}", database.name);
        assert!(ann.rating.deviation < 350.0 && ann.rating.provisional());
        let history = ratings::history(&mut db, "bob").await.unwrap();
        assert_eq!(history.len(), 1);
        assert_eq!((history[0].before.round(), history[0].after.round()), (1500.0, 1338.0));
    }
}

#[tokio::test]
async fn games_that_end_at_the_same_time_are_all_rated() {
    for database in Database::all().await {
        let app = app(&database).await;
        let games = (0..20).map(|i| {
            let store = app.store().clone();
            // Both orders: two transactions must not wait for each other.
            let (white, black) = if i % 2 == 0 { ("ann", "bob") } else { ("bob", "ann") };
            tokio::spawn(async move { record(&store, &format!("g{i}"), white, black, Score::Draw, NOON + i).await })
        });
        for game in games.collect::<Vec<_>>() {
            assert!(game.await.unwrap().is_some(), "{}", database.name);
        }
        let mut db = app.store().read().await.unwrap();
        for user in ["ann", "bob"] {
            let standing = ratings::of(&mut db, user, "chess", "blitz").await.unwrap().unwrap();
            assert_eq!(standing.draws, 20, "{}", database.name);
        }
    }
}

#[tokio::test]
async fn nobody_is_rated_against_himself_or_somebody_gone() {
    let app = unlimited().await;
    Client::registered(&app, "ann").await;
    assert_eq!(record(app.store(), "g1", "ann", "ann", Score::Win, NOON).await, None);
    assert_eq!(record(app.store(), "g2", "ann", "nobody", Score::Win, NOON).await, None);
}

#[tokio::test]
async fn leaderboards_have_those_whose_rating_is_certain() {
    let app = unlimited().await;
    let names = ["ann", "bob", "cid"];
    for name in names {
        Client::registered(&app, name).await;
    }
    let now = app.now();
    for i in 0..40 {
        // Ann and Bob play each other many times, and Cid once.
        record(app.store(), &format!("a{i}"), "ann", "bob", Score::Draw, now - 1000 + i).await;
    }
    record(app.store(), "c", "ann", "cid", Score::Win, now).await;

    let mut client = Client::new(&app);
    let top = client.get("/api/player/top/10/blitz").await.ok();
    let users: Vec<&str> = top["users"].as_array().unwrap().iter().map(|user| user["id"].as_str().unwrap()).collect();
    assert_eq!(users, ["ann", "bob"], "{top}");
    assert_eq!(client.get("/api/player").await.ok()["blitz"][0]["username"], "ann");
    assert_eq!(client.get("/api/user/bob/perf/blitz").await.ok()["rank"], 2);
    assert_eq!(client.get("/api/user/cid/perf/blitz").await.ok()["rank"], json!(null));
    for path in ["/api/player/top/0/blitz", "/api/player/top/x/blitz", "/api/player/top/5/halma-blitz"] {
        assert_eq!(client.get(path).await.status, 400, "{path}");
    }
}

#[tokio::test]
async fn a_rating_history_has_a_point_for_each_day() {
    let app = unlimited().await;
    for name in ["ann", "bob"] {
        Client::registered(&app, name).await;
    }
    // 2023-11-14, twice, and the day after.
    for (game, at) in [("a", NOON), ("b", NOON + 1000), ("c", NOON + 86_400_000)] {
        record(app.store(), game, "ann", "bob", Score::Win, at).await;
    }
    let history = Client::new(&app).get("/api/user/ann/rating-history").await.ok();
    assert_eq!(history[0]["name"], "Blitz");
    let points = history[0]["points"].as_array().unwrap();
    assert_eq!(points.len(), 2, "{history}");
    assert_eq!(points[0].as_array().unwrap()[..3], [json!(2023), json!(10), json!(14)]);
    assert_eq!(points[1].as_array().unwrap()[..3], [json!(2023), json!(10), json!(15)]);
}
