//! What clients are told while the database is away.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use warpchess_server::Config;
use warpchess_server::limits::Limits;

use crate::common::Postgres;
use crate::common::socket::Server;

/// A reply of a server, and how long it took.
async fn ask(
    server: &Server,
    method: &str,
    path: &str,
    cookie: &str,
    body: Option<Value>,
) -> (String, Value, Duration) {
    let began = Instant::now();
    let reply = server.http(method, path, Some(cookie), body).await;
    let took = began.elapsed();
    let (head, body) = reply.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {reply}")), took)
}

#[tokio::test]
async fn while_postgresql_is_away_requests_are_told_so_soon_and_truly_and_later_all_goes_on() {
    let Some(mut postgres) = tokio::task::spawn_blocking(Postgres::start).await.unwrap() else { return };
    let limits = Limits { requests: 0, logins: 0, ..Limits::default() };
    let config = Config {
        database: postgres.database().await,
        database_patience: Duration::from_secs(1),
        limits,
        workers: 0,
        ..Config::default()
    };
    let server = Server::start(config).await;
    let (white, black) = (server.visitor().await, server.visitor().await);
    let game = server.game(&white, &black, "chess").await;
    let mut client = server.client(&white).await;
    assert_eq!(client.join(&game, None).await["t"], "joined");
    assert_eq!(client.play(&game, 0, "e2e4", "m0").await["t"], "ack");

    postgres = tokio::task::spawn_blocking(move || {
        postgres.stop();
        postgres
    })
    .await
    .unwrap();
    let wish = json!({ "variant": "chess", "control": { "kind": "unlimited" }, "opponent": { "kind": "link" } });
    let action = json!({ "action": "move", "ply": 1, "uci": "e7e5" });
    for (method, path, body) in [
        ("GET", "/api/archive".into(), None),
        ("GET", format!("/api/games/{game}"), None),
        ("GET", format!("/game/export/{game}"), None),
        ("POST", "/api/challenges".into(), Some(wish)),
        ("POST", format!("/api/games/{game}/actions"), Some(action)),
    ] {
        let (head, json, took) = ask(&server, method, &path, &black, body).await;
        assert!(head.starts_with("HTTP/1.1 503"), "{method} {path}: {head}");
        assert!(head.contains("\r\nretry-after: "), "{method} {path}: {head}");
        assert_eq!(json["code"], "database-down", "{method} {path}: {json}");
        assert!(json["error"].as_str().unwrap().contains("nothing was done"), "{json}");
        // The machine may be slow; half a minute it is not.
        assert!(took < Duration::from_secs(10), "{method} {path} took {took:?}");
    }
    // Whoever is connected is answered there.
    let refused = client.ask(json!({ "t": "do", "game": game, "action": "draw-offer", "id": "r" })).await;
    assert_eq!((&refused["t"], &refused["id"]), (&json!("refused"), &json!("r")), "{refused}");
    assert!(["database-down", "database-lost"].contains(&refused["code"].as_str().unwrap()), "{refused}");
    assert!(refused["retryAfter"].as_i64().is_some_and(|seconds| seconds > 0), "{refused}");
    // What others have done meanwhile it cannot be told: it is to come again.
    assert_eq!(client.end().await, Some(1013));

    let _postgres = tokio::task::spawn_blocking(move || {
        postgres.resume();
        postgres
    })
    .await
    .unwrap();
    let began = Instant::now();
    loop {
        let action = json!({ "action": "move", "ply": 1, "uci": "e7e5", "id": "m1" });
        let (head, json, _) = ask(&server, "POST", &format!("/api/games/{game}/actions"), &black, Some(action)).await;
        if head.starts_with("HTTP/1.1 200") {
            assert_eq!((&json["ply"], &json["duplicate"]), (&json!(2), &json!(false)), "nothing had been done");
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{head} {json}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
