//! How the API says no: in one form, with what was at fault, and so that the client gets to read it.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use warpchess_server::limits::Limits;
use warpchess_server::{Config, serve};

use crate::common::client::{Client, unlimited};

async fn server() -> SocketAddr {
    let limits = Limits { requests: 0, ..Limits::default() };
    let (ready, address) = oneshot::channel();
    let config = Config { limits, ..Config::default() };
    let any = "127.0.0.1:0".parse().unwrap();
    tokio::spawn(serve(any, config, |at| ready.send(at).unwrap(), std::future::pending()));
    address.await.unwrap()
}

/// Sends bytes, and reads until the server closes: the reply, head and body.
async fn ask(address: SocketAddr, bytes: &[u8]) -> (String, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut reply = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(30), stream.read_to_end(&mut reply)).await;
    // Not by a reset, with which the reply may be lost.
    closed.expect("the server closes").expect("an end and no reset");
    let reply = String::from_utf8(reply).unwrap();
    let (head, body) = reply.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{reply}"));
    (head.to_owned(), body.to_owned())
}

fn code(body: &str) -> Value {
    let json: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"));
    assert!(json["error"].as_str().is_some_and(|sentence| !sentence.is_empty()), "{body}");
    json["code"].clone()
}

#[tokio::test]
async fn a_refusal_before_the_body_was_read_says_that_the_connection_ends() {
    let address = server().await;
    let head = "POST /api/account/password HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    // Nobody is logged in; the body is on its way, all of it or the beginning.
    let long = "x".repeat(300_000);
    for (length, sent) in [(300_000, long.as_str()), (10_000_000, long.as_str()), (10_000_000, "")] {
        let request = format!("{head}content-length: {length}\r\n\r\n{sent}");
        let (head, body) = ask(address, request.as_bytes()).await;
        assert!(head.starts_with("HTTP/1.1 401") && head.contains("connection: close"), "{head}");
        assert_eq!(code(&body), "unauthorized");
    }
    // Who waits to be asked for the body is not.
    let request = format!("{head}content-length: 20\r\nexpect: 100-continue\r\n\r\n");
    let (head, _) = ask(address, request.as_bytes()).await;
    assert!(head.starts_with("HTTP/1.1 401") && head.contains("connection: close"), "{head}");
    // Too long a body, sent whole.
    let body = json!({ "username": "x".repeat(200_000) }).to_string();
    let request = format!(
        "POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let (head, body) = ask(address, request.as_bytes()).await;
    assert!(head.starts_with("HTTP/1.1 413") && head.contains("connection: close"), "{head}");
    assert_eq!(code(&body), "too-large");
}

#[tokio::test]
async fn after_a_refusal_with_a_short_body_the_connection_goes_on() {
    let address = server().await;
    let body = r#"{"password":"x"}"#;
    let refused = format!(
        "POST /api/account/password HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let next = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let (head, rest) = ask(address, format!("{refused}{next}").as_bytes()).await;
    assert!(head.starts_with("HTTP/1.1 401") && !head.contains("connection: close"), "{head}");
    assert!(rest.contains("HTTP/1.1 200 OK") && rest.ends_with("ok"), "{rest}");
}

#[tokio::test]
async fn a_head_has_32_kib_and_64_headers_and_no_more() {
    let address = server().await;
    let request = |headers: &str| format!("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n");
    let long = |bytes: usize| request(&format!("x: {}\r\n", "y".repeat(bytes)));
    let (head, _) = ask(address, long(32 * 1024 - 200).as_bytes()).await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let many: String = (0..100).map(|i| format!("x-{i}: y\r\n")).collect();
    for request in [long(32 * 1024), long(50_000), long(200_000), request(&many)] {
        let (head, body) = ask(address, request.as_bytes()).await;
        assert!(head.starts_with("HTTP/1.1 431"), "{} bytes: {head}", request.len());
        assert_eq!(code(&body), "head-too-large");
    }
    let (head, body) = ask(address, b"NONSENSE\r\n\r\n").await;
    assert!(head.starts_with("HTTP/1.1 400"), "{head}");
    assert_eq!(code(&body), "bad-request");
}

#[tokio::test]
async fn whatever_refuses_says_so_in_json() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    for (method, path, status) in [
        ("GET", "/api", 404),
        ("GET", "/api/", 404),
        ("GET", "/api/nothing/at/all", 404),
        ("GET", "/api/games/%ff", 400),
        ("POST", "/api/challenges/%ff/accept", 400),
        ("GET", "/game/export/", 404),
        ("GET", "/game/export", 404),
        ("POST", "/game/export/abcdefgh", 405),
        ("PUT", "/api/account", 405),
        ("DELETE", "/api/variants", 405),
        ("POST", "/openapi.json", 405),
        ("POST", "/api/docs/", 405),
        ("GET", "/api/docs/nothing.js", 404),
        ("GET", "/ws", 400),
        ("POST", "/ws", 405),
        ("GET", "/ws/", 404),
    ] {
        // A browser that asks for a page gets no page here either.
        let request = Request::builder().method(method).uri(path).header("accept", "text/html");
        let reply = client.send(request, Body::empty()).await;
        assert_eq!(reply.status, status, "{method} {path}: {}", reply.text);
        assert!(reply.header("content-type").starts_with("application/json"), "{method} {path}: {}", reply.text);
        let json = reply.json();
        assert!(json["code"].is_string() && json["error"].is_string(), "{method} {path}: {json}");
        let begun = reply.head.headers().contains_key("set-cookie");
        assert!(!begun || !path.starts_with("/ws"), "no session is begun for who opens no WebSocket");
    }
}

#[tokio::test]
async fn what_is_at_fault_in_a_body_is_named_by_its_way() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "ann").await;
    let control = json!({ "kind": "live", "limit": 300_000, "increment": 0 });
    let wish = |name: &str, value: Value| {
        let mut wish = json!({ "variant": "chess", "control": control, "opponent": { "kind": "link" } });
        wish[name] = value;
        wish
    };
    let wishes = [
        (json!({}), "variant"),
        (json!([]), "body"),
        (json!({ "variant": 5 }), "variant"),
        (json!({ "variant": "chess", "opponent": { "kind": "link" } }), "control"),
        (wish("control", json!({ "kind": "live", "limit": "soon", "increment": 0 })), "control.limit"),
        (wish("control", json!({ "kind": "live", "increment": 0 })), "control.limit"),
        (wish("control", json!({ "kind": "live", "limit": -1, "increment": 0 })), "control.limit"),
        (wish("control", json!({ "kind": "live", "limit": 60_000, "increment": 1e9 as i64 })), "control.increment"),
        (wish("control", json!({ "kind": "days", "days": 4 })), "control.days"),
        (wish("control", json!({ "kind": "weeks" })), "control.kind"),
        (wish("control", json!({})), "control.kind"),
        (wish("opponent", json!({ "kind": "computer" })), "opponent.level"),
        (wish("opponent", json!({ "kind": "computer", "level": 9 })), "opponent.level"),
        (wish("opponent", json!({ "kind": "user", "name": 5 })), "opponent.name"),
        (wish("minRating", json!(-5)), "minRating"),
        (wish("maxRating", json!(4001)), "maxRating"),
        (wish("minRating", json!("high")), "minRating"),
        (wish("rated", json!("perhaps")), "rated"),
    ];
    for (body, field) in wishes {
        let reply = ann.post("/api/challenges", body.clone()).await;
        assert_eq!((reply.status, reply.json()["field"].as_str()), (400, Some(field)), "{body}: {}", reply.text);
    }
    let others = [
        ("/api/board/seek", json!({}), "time"),
        ("/api/board/seek", json!({ "time": "soon" }), "time"),
        ("/api/board/seek", json!({ "time": 500 }), "time"),
        ("/api/board/seek", json!({ "time": 0, "increment": 0 }), "time"),
        ("/api/board/seek", json!({ "time": 5, "increment": -1 }), "increment"),
        ("/api/board/seek", json!({ "days": 4 }), "days"),
        ("/api/board/seek", json!({ "days": 1, "ratingRange": "-5-100" }), "ratingRange"),
        ("/api/board/seek", json!({ "days": 1, "ratingRange": "1800-1400" }), "ratingRange"),
        ("/api/board/seek", json!({ "days": 1, "ratingRange": "1400-9999" }), "ratingRange"),
        ("/api/challenge/open", json!({ "clock.limit": 0, "clock.increment": 0 }), "clock.limit"),
        ("/api/challenge/open", json!({ "days": 99 }), "days"),
        ("/api/challenge/ai", json!({ "level": 0 }), "level"),
        ("/api/import", json!({ "pgn": 5 }), "pgn"),
        ("/api/import", json!({}), "pgn"),
        ("/api/login", json!({ "username": 5, "password": "long enough" }), "username"),
        ("/api/tokens", json!({ "scopes": "", "expiresAt": 1e18 as i64 }), "expiresAt"),
        ("/api/tokens", json!({ "scopes": "", "expiresAt": 5 }), "expiresAt"),
        ("/api/tokens", json!({ "scopes": "all" }), "scopes"),
    ];
    for (path, body, field) in others {
        let reply = ann.post(path, body.clone()).await;
        assert_eq!((reply.status, reply.json()["field"].as_str()), (400, Some(field)), "{path} {body}: {}", reply.text);
    }
    for (query, field) in [
        ("since=99999999999999999", "since"),
        ("until=-99999999999999999", "until"),
        ("max=-1", "max"),
        ("max=1.5", "max"),
        ("cursor=x", "cursor"),
        ("rated=perhaps", "rated"),
    ] {
        let reply = ann.get(&format!("/api/archive?{query}")).await;
        assert_eq!((reply.status, reply.json()["field"].as_str()), (400, Some(field)), "{query}: {}", reply.text);
    }
}

#[tokio::test]
async fn what_is_at_fault_in_a_game_is_named() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "ann").await;
    let wish = json!({ "variant": "chess", "color": "white", "opponent": { "kind": "computer", "level": 1 },
        "control": { "kind": "unlimited" } });
    let id = ann.post("/api/challenges", wish).await.ok()["game"].as_str().unwrap().to_owned();
    let actions = format!("/api/games/{id}/actions");
    for (body, status, field) in [
        (json!({ "action": "move", "ply": 0, "uci": "e2e5" }), 400, "uci"),
        (json!({ "action": "move", "ply": 0 }), 400, "uci"),
        (json!({ "action": "move", "ply": "x", "uci": "e2e4" }), 400, "ply"),
        (json!({ "action": "move", "uci": "e2e4" }), 400, "ply"),
        (json!({ "action": "move", "ply": 0, "uci": "e2e4", "id": "" }), 400, "id"),
        (json!({ "action": "move", "ply": 7, "uci": "e2e4" }), 409, "ply"),
        (json!({ "action": "add-time" }), 400, "seconds"),
        (json!({ "action": "dance" }), 400, "action"),
        (json!({}), 400, "action"),
    ] {
        let reply = ann.post(&actions, body.clone()).await;
        assert_eq!((reply.status, reply.json()["field"].as_str()), (status, Some(field)), "{body}: {}", reply.text);
    }
    for (path, body, field) in [
        ("chat", json!({ "room": "player" }), "text"),
        ("chat", json!({ "room": "player", "text": ["x"] }), "text"),
        ("chat", json!({ "room": "player", "text": "x".repeat(141) }), "text"),
        ("chat", json!({ "room": "attic", "text": "x" }), "room"),
        ("chat", json!({ "room": "spectator", "text": "x" }), "room"),
        ("move/e2e5", json!({}), "uci"),
    ] {
        let reply = ann.post(&format!("/api/board/game/{id}/{path}"), body.clone()).await;
        assert_eq!((reply.status, reply.json()["field"].as_str()), (400, Some(field)), "{path} {body}: {}", reply.text);
    }
    let reply = ann.post(&format!("/api/round/{id}/add-time/soon"), json!({})).await;
    assert_eq!(reply.json()["field"], "seconds", "{}", reply.text);
}

#[tokio::test]
async fn a_body_that_does_not_say_that_it_is_json_or_a_form_is_refused() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    let login = r#"{"username":"ann","password":"correct horse"}"#;
    for path in ["/api/register", "/api/challenges", "/api/games/abcdefgh/actions"] {
        for kind in [Some("text/plain"), Some("multipart/form-data"), Some("application/xml"), None] {
            let mut request = Request::post(path);
            if let Some(kind) = kind {
                request = request.header(CONTENT_TYPE, kind);
            }
            let reply = client.send(request, Body::from(login)).await;
            assert_eq!(reply.json()["field"], "content-type", "{path} {kind:?}: {}", reply.text);
            assert_eq!(reply.refused(415), "unsupported-media-type", "{path} {kind:?}");
        }
    }
    for (kind, body) in [
        ("application/json; charset=utf-8", login),
        ("Application/JSON", login),
        ("application/x-www-form-urlencoded", "username=ann&password=correct+horse"),
    ] {
        let reply = client.send(Request::post("/api/register").header(CONTENT_TYPE, kind), Body::from(body)).await;
        assert!([201, 409].contains(&reply.status), "{kind}: {}", reply.text);
    }
}
