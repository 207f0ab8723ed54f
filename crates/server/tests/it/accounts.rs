//! Accounts, sessions and tokens, as the API promises them.

use axum::body::Body;
use axum::http::Request;
use axum::http::header::{CONTENT_TYPE, COOKIE};
use serde_json::json;
use warpchess_server::admin::Admin;
use warpchess_server::auth::Scopes;

use crate::common::Database;
use crate::common::client::{Client, unlimited};

#[tokio::test]
async fn an_account_is_made_and_known_by_a_cookie_that_scripts_cannot_read() {
    let app = unlimited().await;
    let mut ann = Client::new(&app);
    let reply = ann.post("/api/register", json!({ "username": "Ann", "password": "correct horse" })).await;
    assert_eq!(reply.status, 201);
    let cookie = reply.header("set-cookie").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/"), "{cookie}");
    let who = ann.get("/api/session").await.ok();
    assert_eq!((&who["id"], &who["username"]), (&json!("ann"), &json!("Ann")));
    let account = ann.get("/api/account").await.ok();
    assert_eq!(account["id"], "ann");
    assert_eq!(account["perfs"]["blitz"], json!({ "games": 0, "rating": 1500, "rd": 350, "prog": 0, "prov": true }));
}

#[tokio::test]
async fn who_has_no_account_has_a_session_all_the_same() {
    let app = unlimited().await;
    let mut guest = Client::new(&app);
    assert_eq!(guest.get("/api/session").await.ok()["id"], json!(null));
    let cookie = guest.cookie.clone().unwrap();
    assert_eq!(guest.get("/api/session").await.ok()["username"], "Anonymous");
    assert_eq!(guest.cookie.as_ref(), Some(&cookie), "the same session goes on");
    assert_eq!(guest.get("/api/account").await.refused(401), "unauthorized");
}

#[tokio::test]
async fn names_that_are_taken_or_look_like_one_are_refused() {
    let app = unlimited().await;
    Client::registered(&app, "Morris").await;
    for name in ["morris", "MORRIS", "rnorris", "Morrls"] {
        let reply =
            Client::new(&app).post("/api/register", json!({ "username": name, "password": "long enough" })).await;
        assert_eq!(reply.json()["field"], "username");
        assert_eq!(reply.refused(409), "name-taken", "{name}");
    }
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_are_refused_alike() {
    let app = unlimited().await;
    Client::registered(&app, "ann").await;
    let mut replies = Vec::new();
    for (name, password) in [("ann", "not the password"), ("nobody", "not the password"), ("", "x"), ("a/b", "")] {
        let reply = Client::new(&app).post("/api/login", json!({ "username": name, "password": password })).await;
        if !name.is_empty() && !password.is_empty() {
            assert_eq!(reply.status, 401);
            replies.push(reply.text);
        } else {
            assert_eq!(reply.status, 400, "{}", reply.text);
        }
    }
    assert_eq!(replies[0], replies[1]);
}

#[tokio::test]
async fn logging_in_makes_the_cookie_from_before_worthless() {
    let app = unlimited().await;
    Client::registered(&app, "ann").await;
    // Somebody has put a session of his own into the browser.
    let mut browser = Client::new(&app);
    browser.get("/api/session").await.ok();
    let mut thief = browser.clone();
    browser.post("/api/login", json!({ "username": "Ann", "password": "password of ann" })).await.ok();
    assert_eq!(browser.get("/api/session").await.ok()["id"], "ann");
    assert_eq!(thief.get("/api/session").await.ok()["id"], json!(null));
}

#[tokio::test]
async fn a_session_ends_with_logging_out() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "ann").await;
    let mut copy = ann.clone();
    ann.post("/api/logout", json!({})).await.ok();
    assert_eq!(ann.cookie, None);
    assert_eq!(copy.get("/api/account").await.refused(401), "unauthorized");
}

#[tokio::test]
async fn changing_the_password_ends_the_other_sessions() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "ann").await;
    let mut elsewhere = Client::new(&app);
    elsewhere.post("/api/login", json!({ "username": "ann", "password": "password of ann" })).await.ok();

    let wrong =
        ann.post("/api/account/password", json!({ "password": "wrong", "newPassword": "new and longer" })).await;
    assert_eq!(wrong.refused(400), "wrong-password");
    let weak = ann.post("/api/account/password", json!({ "password": "password of ann", "newPassword": "x" })).await;
    assert_eq!(weak.json()["field"], "newPassword");

    let good = json!({ "password": "password of ann", "newPassword": "new and longer" });
    ann.post("/api/account/password", good).await.ok();
    ann.get("/api/account").await.ok();
    assert_eq!(elsewhere.get("/api/account").await.status, 401);
    let login = json!({ "username": "ann", "password": "password of ann" });
    assert_eq!(elsewhere.post("/api/login", login).await.refused(401), "wrong-login");
}

#[tokio::test]
async fn a_deleted_account_is_gone_and_nobody_gets_its_name() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "Anne").await;
    let token = ann.post("/api/tokens", json!({ "scopes": "bot:play" })).await.ok();
    assert_eq!(ann.post("/api/account/delete", json!({ "password": "x" })).await.refused(400), "wrong-password");
    ann.post("/api/account/delete", json!({ "password": "password of Anne" })).await.ok();

    let mut other = Client::new(&app);
    assert_eq!(other.get("/api/user/anne").await.status, 404);
    assert_eq!(
        other.post("/api/login", json!({ "username": "anne", "password": "password of Anne" })).await.status,
        401
    );
    let again = other.post("/api/register", json!({ "username": "anne", "password": "long enough" })).await;
    assert_eq!(again.refused(409), "name-taken");
    other.token = Some(token["token"].as_str().unwrap().to_owned());
    assert_eq!(other.get("/api/account").await.refused(401), "invalid-token");
}

#[tokio::test]
async fn ones_data_can_be_had_without_secrets() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "ann").await;
    ann.post("/api/tokens", json!({ "scopes": "bot:play", "description": "my bot" })).await.ok();
    let reply = ann.get("/api/account/export").await;
    assert!(!reply.text.contains("wct_") && !reply.text.contains("argon2"), "{}", reply.text);
    let data = reply.ok();
    assert_eq!(data["account"]["username"], "ann");
    assert_eq!(data["tokens"][0]["description"], "my bot");
    assert_eq!((&data["games"], &data["imports"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn ones_games_are_among_ones_data() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "ann").await;
    let wish = json!({ "variant": "chess", "color": "white", "opponent": { "kind": "computer", "level": 1 },
        "control": { "kind": "unlimited" } });
    let mut ids = Vec::new();
    // More than are read at once.
    for _ in 0..32 {
        ids.push(ann.post("/api/challenges", wish.clone()).await.ok()["game"].as_str().unwrap().to_owned());
    }
    let act = |id: &str| format!("/api/games/{id}/actions");
    ann.post(&act(&ids[0]), json!({ "action": "move", "ply": 0, "uci": "e2e4" })).await.ok();
    ann.post(&act(&ids[1]), json!({ "action": "abort" })).await.ok();
    let pgn = "[White \"Somebody\"]\n\n1. d4 {a comment} 1-0";
    for _ in 0..31 {
        ann.post("/api/import", json!({ "pgn": pgn })).await.ok();
    }
    // Somebody else's are not.
    let mut bob = Client::registered(&app, "bob").await;
    bob.post("/api/challenges", wish).await.ok();
    bob.post("/api/import", json!({ "pgn": pgn })).await.ok();

    let data = ann.get("/api/account/export").await.ok();
    let games = data["games"].as_array().unwrap();
    let mut told: Vec<&str> = games.iter().map(|game| game["id"].as_str().unwrap()).collect();
    told.sort_unstable();
    ids.sort_unstable();
    assert_eq!(told, ids);
    let moves: Vec<&str> = games.iter().map(|game| game["moves"].as_str().unwrap()).collect();
    assert!(moves.iter().any(|moves| moves.starts_with("e4")), "{moves:?}");
    assert!(games.iter().any(|game| game["status"] == "aborted"), "also those that were called off");
    let imports = data["imports"].as_array().unwrap();
    assert_eq!(imports.len(), 31);
    for import in imports {
        assert!(import["pgn"].as_str().unwrap().contains("{a comment}") && import["at"].is_i64(), "{import}");
    }
}

#[tokio::test]
async fn a_token_is_shown_once_and_does_what_it_was_made_for() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "ann").await;
    let made = ann.post("/api/tokens", json!({ "scopes": "preference:read", "description": "a test" })).await.ok();
    let secret = made["token"].as_str().unwrap().to_owned();
    let listed = ann.get("/api/tokens").await.ok();
    assert_eq!(listed[0]["id"], made["id"]);
    assert_eq!(listed[0]["token"], json!(null));

    let mut program = Client::new(&app);
    program.token = Some(secret.clone());
    assert_eq!(program.get("/api/account").await.ok()["id"], "ann");
    program.get("/api/account/preferences").await.ok();
    for (path, scope) in [("/api/bot/account/upgrade", "bot:play"), ("/api/account/password", "account:manage")] {
        let reply = program.post(path, json!({})).await;
        assert!(reply.text.contains(scope), "{}", reply.text);
        assert_eq!(reply.refused(403), "missing-scope", "{path}");
    }
    assert_eq!(program.post("/api/tokens", json!({ "scopes": "bot:play" })).await.status, 403, "no token makes tokens");

    let tested = program.post_text("/api/token/test", &format!("{secret},wct_nothingofthekindatall")).await.ok();
    assert_eq!(tested[&secret], json!({ "userId": "ann", "scopes": "preference:read" }));
    assert_eq!(tested["wct_nothingofthekindatall"], json!(null));

    ann.delete(&format!("/api/tokens/{}", made["id"].as_str().unwrap())).await.ok();
    assert_eq!(program.get("/api/account").await.refused(401), "invalid-token");
}

#[tokio::test]
async fn a_token_does_not_make_one_that_may_more() {
    let app = unlimited().await;
    let mut program = Client::with_token(&app, "ann", "account:manage").await;
    program.post("/api/tokens", json!({ "scopes": "account:manage" })).await.ok();
    let more = program.post("/api/tokens", json!({ "scopes": "account:manage,bot:play" })).await;
    assert_eq!(more.refused(403), "missing-scope");
}

#[tokio::test]
async fn somebody_elses_token_cannot_be_ended() {
    let app = unlimited().await;
    let mut ann = Client::registered(&app, "ann").await;
    let made = ann.post("/api/tokens", json!({ "scopes": "" })).await.ok();
    let mut bob = Client::registered(&app, "bob").await;
    assert_eq!(bob.delete(&format!("/api/tokens/{}", made["id"].as_str().unwrap())).await.status, 404);
}

#[tokio::test]
async fn a_token_that_is_none_is_refused_where_nobody_need_be_known() {
    let app = unlimited().await;
    for token in ["", "x", "wct_AAAAAAAAAAAAAAAAAAAAAAAA", "wct_' OR 1=1 --", "wct_ä"] {
        let mut client = Client::new(&app);
        client.token = Some(token.to_owned());
        let reply = client.get("/api/session").await;
        assert_eq!(reply.header("www-authenticate"), "Bearer");
        assert_eq!(reply.refused(401), "invalid-token", "{token}");
    }
}

#[tokio::test]
async fn pages_of_other_sites_cannot_write() {
    let app = unlimited().await;
    let ann = Client::registered(&app, "ann").await;
    let cookie = format!("warpchess={}", ann.cookie.clone().unwrap());
    let mut browser = Client::new(&app);
    let post = || Request::post("/api/logout").header(COOKIE, &cookie).header("host", "chess.org");
    for (name, value) in [("origin", "https://evil.org"), ("origin", "null"), ("sec-fetch-site", "cross-site")] {
        let reply = browser.send(post().header(name, value), Body::empty()).await;
        assert_eq!(reply.refused(403), "cross-site", "{name}: {value}");
    }
    let socket = Request::get("/api/session").header(COOKIE, &cookie).header("host", "chess.org");
    let socket = socket.header("upgrade", "websocket").header("origin", "https://evil.org");
    assert_eq!(browser.send(socket, Body::empty()).await.refused(403), "cross-site", "a WebSocket writes, too");
    assert_eq!(browser.send(post().header("origin", "https://chess.org"), Body::empty()).await.status, 200);
}

#[tokio::test]
async fn a_form_of_another_site_cannot_pass_for_json() {
    // Such a form is sent without asking first; it says where it comes from, and is refused for that.
    let app = unlimited().await;
    let form = Request::post("/api/register")
        .header(CONTENT_TYPE, "text/plain")
        .header("host", "chess.org")
        .header("origin", "https://evil.org");
    let body = Body::from(r#"{"username":"ann","password":"correct horse"}"#);
    assert_eq!(Client::new(&app).send(form, body).await.refused(403), "cross-site");
}

#[tokio::test]
async fn the_administrator_makes_resets_and_shuts_out() {
    for database in Database::all().await {
        let admin = Admin::open(&database.url).await.unwrap();
        assert_eq!(admin.create_user("Ann", "correct horse".to_owned().into(), false).await.unwrap(), "ann");
        let token = admin.create_token("ANN", "bot:play".parse::<Scopes>().unwrap(), "").await.unwrap();

        let config = warpchess_server::Config { database: database.url.clone(), ..Default::default() };
        let app = warpchess_server::App::start(config).await.unwrap();
        let mut program = Client::new(&app);
        program.token = Some(token);
        program.get("/api/account").await.ok();
        let mut ann = Client::new(&app);
        ann.post("/api/login", json!({ "username": "ann", "password": "correct horse" })).await.ok();

        admin.reset_password("ann", "another horse".to_owned().into()).await.unwrap();
        assert_eq!(ann.get("/api/account").await.status, 401, "{}", database.name);
        ann.post("/api/login", json!({ "username": "ann", "password": "another horse" })).await.ok();

        admin.ban("ann", true).await.unwrap();
        assert_eq!(ann.get("/api/account").await.status, 401, "{}", database.name);
        assert_eq!(program.get("/api/account").await.status, 401, "{}", database.name);
        let login = json!({ "username": "ann", "password": "another horse" });
        assert_eq!(ann.post("/api/login", login.clone()).await.refused(403), "banned");
        assert_eq!(ann.get("/api/user/ann").await.ok()["tosViolation"], true);
        admin.ban("ann", false).await.unwrap();
        ann.post("/api/login", login).await.ok();
        assert!(admin.ban("nobody", true).await.is_err());
    }
}

#[tokio::test]
async fn databases_and_backups_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games of mine.db");
    let admin = Admin::open(&format!("sqlite:{}", file.display())).await.unwrap();
    admin.create_user("Ann", "correct horse".to_owned().into(), true).await.unwrap();
    admin.backup(&folder.path().join("copy.db")).await.unwrap();
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?} {mode:o}", entry.file_name());
        seen += 1;
    }
    assert!(seen >= 4, "the database, its two logs and the backup: {seen}");
}

#[tokio::test]
async fn a_backup_is_a_database_with_all_that_was_written() {
    let database = Database::sqlite();
    let admin = Admin::open(&database.url).await.unwrap();
    admin.create_user("Ann", "correct horse".to_owned().into(), true).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.db");
    admin.backup(&file).await.unwrap();
    assert!(admin.backup(&file).await.is_err(), "a backup is not written over");

    let config = warpchess_server::Config { database: format!("sqlite:{}", file.display()), ..Default::default() };
    let app = warpchess_server::App::start(config).await.unwrap();
    assert_eq!(Client::new(&app).get("/api/user/ann").await.ok()["title"], "BOT");
}
