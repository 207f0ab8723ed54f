//! What clients may take.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use warpchess_server::limits::Limits;

use crate::common::client::{Client, app, unlimited};

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_come_again() {
    let app = app(Limits { requests: 1, ..Limits::default() }).await;
    let mut client = Client::new(&app);
    for _ in 0..10 {
        assert_eq!(client.get("/healthz").await.status, 200);
    }
    let reply = client.get("/healthz").await;
    assert!(reply.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert_eq!(reply.refused(429), "too-many-requests");
}

#[tokio::test]
async fn passwords_are_not_guessed_at_leisure() {
    let app = app(Limits { requests: 0, guesses: 3, ..Limits::default() }).await;
    let mut client = Client::new(&app);
    for i in 0..4 {
        let login = json!({ "username": "ann", "password": format!("guess number {i}") });
        let status = client.post("/api/login", login).await.status;
        assert_eq!(status, if i < 3 { 401 } else { 429 });
    }
}

#[tokio::test]
async fn accounts_are_not_made_by_the_hundred() {
    let app = app(Limits { requests: 0, logins: 2, ..Limits::default() }).await;
    let mut client = Client::new(&app);
    for (i, status) in [201, 201, 429].into_iter().enumerate() {
        let account = json!({ "username": format!("person{}", ["a", "b", "c"][i]), "password": "long enough" });
        assert_eq!(client.post("/api/register", account).await.status, status);
    }
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused() {
    let app = unlimited().await;
    let body = json!({ "username": "x".repeat(100_000), "password": "long enough" });
    assert_eq!(Client::new(&app).post("/api/login", body).await.refused(413), "too-large");
}

#[tokio::test]
async fn nobody_says_too_much_in_a_game_and_others_are_not_hindered() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "ann").await;
    let wish = json!({ "variant": "chess", "opponent": { "kind": "computer", "level": 1 }, "control": { "kind": "unlimited" } });
    let mut games = Vec::new();
    for _ in 0..2 {
        games.push(ann.post("/api/challenges", wish.clone()).await.ok()["game"].as_str().unwrap().to_owned());
    }
    let line = json!({ "room": "player", "text": "hello" });
    let path = |game: &str| format!("/api/board/game/{game}/chat");
    let mut said = 0;
    let refused = loop {
        let reply = ann.post(&path(&games[0]), line.clone()).await;
        if reply.status != 200 {
            break reply;
        }
        said += 1;
        assert!(said < 40, "no end to it");
    };
    assert!(said >= 10 && refused.header("retry-after").parse::<u64>().unwrap() >= 1, "{said}");
    assert_eq!(refused.refused(429), "too-many-requests");
    ann.post(&path(&games[1]), line).await.ok();
}

#[tokio::test]
async fn a_request_is_known_by_an_id() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    assert_eq!(client.get("/healthz").await.header("x-request-id").len(), 12);
    let named = Request::get("/healthz").header("x-request-id", "from-the-proxy-1");
    assert_eq!(client.send(named, Body::empty()).await.header("x-request-id"), "from-the-proxy-1");
    let wild = Request::get("/healthz").header("x-request-id", "a b\"c");
    assert_eq!(client.send(wild, Body::empty()).await.header("x-request-id").len(), 12);
}

#[tokio::test]
async fn the_servers_counts_name_routes_and_not_games() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    client.get("/api/user/somebody").await;
    client.get("/nowhere/at/all").await;
    let text = client.get("/metrics").await.text;
    assert!(
        text.contains(r#"warpchess_http_requests_total{route="/api/user/{username}",method="GET",status="404"}"#),
        "{text}"
    );
    assert!(text.contains("warpchess_http_request_seconds_bucket"), "{text}");
    assert!(!text.contains("somebody") && !text.contains("nowhere"), "{text}");
}

#[tokio::test]
async fn readiness_ends_before_the_server_does() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    assert_eq!(client.get("/readyz").await.text, "ready");
    app.begin_to_stop();
    assert_eq!(client.get("/readyz").await.refused(503), "unavailable");
    assert_eq!(client.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn the_description_and_its_page_keep_to_the_content_security_policy() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    let description = client.get("/openapi.json").await.ok();
    assert!(description["openapi"].as_str().unwrap().starts_with("3."));
    for path in ["/api/account", "/api/user/{username}", "/api/tokens", "/api/variants", "/readyz"] {
        assert!(description["paths"][path].is_object(), "{path}");
    }
    let page = client.get("/api/docs/").await;
    assert_eq!(page.status, 200);
    // Its makers' script writes a style sheet into it; scripts of that kind are not allowed there either.
    let policy = page.header("content-security-policy");
    assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline';"), "{policy}");
    // No script that stands in the page itself would be run.
    for script in page.text.split("<script").skip(1) {
        let (tag, rest) = script.split_once('>').unwrap();
        assert!(
            tag.contains("src=\"./") && rest.starts_with("</script>") || rest.trim_start().starts_with("</script>"),
            "{script}"
        );
    }
    assert!(client.get("/api/docs/swagger-initializer.js").await.text.contains("/openapi.json"));
}

#[tokio::test]
async fn whatever_is_wrong_in_the_api_is_told_in_json() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    for path in ["/api/nothing", "/api/user/%ff", "/api/users/status?ids=%ff&withGameIds=maybe", "/api/user/a%00b"] {
        let reply = client.get(path).await;
        assert!((400..500).contains(&reply.status), "{path} {}", reply.status);
        assert!(reply.json()["code"].is_string(), "{path}");
    }
    for body in ["", "{", "[1]", "null"] {
        let request = Request::post("/api/login").header("content-type", "application/json");
        let reply = client.send(request, Body::from(body)).await;
        assert_eq!(reply.status, 400, "{body}");
        assert!(reply.json()["field"].is_string(), "{body}");
    }
}
