//! The description of the API tells which scopes a token needs; so it is asked, path by path, with tokens that have them and
//! tokens that have all others.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::http::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;
use warpchess_server::{App, router};

use crate::common::client::{Client, unlimited};

const ALL: [&str; 6] =
    ["preference:read", "challenge:read", "challenge:write", "board:play", "bot:play", "account:manage"];

/// A value for each name in a path.
fn filled(path: &str) -> String {
    let values = [
        ("{id}", "abcdefgh"),
        ("{username}", "ann"),
        ("{uci}", "e2e4"),
        ("{answer}", "yes"),
        ("{seconds}", "5"),
        ("{variant}", "chess"),
        ("{perf}", "blitz"),
        ("{count}", "5"),
        ("{one}", "ann"),
        ("{other}", "ann"),
        ("{streamId}", "watch"),
    ];
    values.iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value))
}

/// A body that can be read, where one is.
fn body(path: &str) -> Value {
    match path {
        "/api/challenges" => {
            json!({ "variant": "chess", "control": { "kind": "unlimited" }, "opponent": { "kind": "lobby" } })
        }
        "/api/games/{id}/actions" => json!({ "action": "resign" }),
        _ => json!({}),
    }
}

/// Whether it was refused for want of a scope.
async fn lacks_scope(app: &App, method: &str, path: &str, token: &str) -> bool {
    let request = Request::builder()
        .method(method)
        .uri(filled(path))
        .header(AUTHORIZATION, format!("Bearer {token}"))
        .header(CONTENT_TYPE, "application/json");
    let body = if method == "get" { String::new() } else { body(path).to_string() };
    let request = request.method(method.to_uppercase().as_str()).body(Body::from(body)).unwrap();
    let reply = router(app.clone()).oneshot(request).await.unwrap();
    if reply.status() != 403 {
        // It may be a stream, which has no end.
        return false;
    }
    let bytes = reply.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice::<Value>(&bytes).unwrap()["code"] == "missing-scope"
}

/// Tokens by their scopes.
struct Tokens {
    owner: Client,
    made: BTreeMap<String, String>,
}

impl Tokens {
    async fn of<'a>(&mut self, scopes: impl IntoIterator<Item = &'a str>) -> String {
        let scopes = scopes.into_iter().collect::<Vec<_>>().join(",");
        if let Some(token) = self.made.get(&scopes) {
            return token.clone();
        }
        let made = self.owner.post("/api/tokens", json!({ "scopes": scopes })).await.ok();
        let token = made["token"].as_str().unwrap().to_owned();
        self.made.insert(scopes, token.clone());
        token
    }
}

#[tokio::test]
async fn the_description_names_the_scopes_that_each_path_takes() {
    let app = unlimited().await;
    let mut tokens = Tokens { owner: Client::registered(&app, "ann").await, made: BTreeMap::new() };
    let description = Client::new(&app).get("/openapi.json").await.ok();
    let mut scoped = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let ways = operation["security"].as_array().cloned().unwrap_or_default();
            // Each way is enough; within one, all scopes are needed.
            let ways: Vec<BTreeSet<&str>> = ways
                .iter()
                .filter_map(|way| way["token"].as_array())
                .map(|scopes| scopes.iter().filter_map(Value::as_str).collect())
                .collect();
            let named: BTreeSet<&str> = ways.iter().flatten().copied().collect();
            assert!(named.iter().all(|scope| ALL.contains(scope)), "{method} {path}: {named:?}");
            for way in &ways {
                let token = tokens.of(way.iter().copied()).await;
                assert!(!lacks_scope(&app, method, path, &token).await, "{method} {path} with {way:?}");
                // It may have ended itself.
                tokens.made.retain(|_, known| path != "/api/token" || *known != token);
            }
            let needs = !ways.is_empty() && ways.iter().all(|way| !way.is_empty());
            scoped += usize::from(needs);
            let others = tokens.of(ALL.into_iter().filter(|scope| !named.contains(scope) && needs)).await;
            assert_eq!(lacks_scope(&app, method, path, &others).await, needs, "{method} {path} without {named:?}");
            tokens.made.retain(|_, known| path != "/api/token" || *known != others);
        }
    }
    assert!(scoped > 40, "{scoped} paths take a scope");
}
