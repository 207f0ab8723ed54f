//! Games taken in for study.

use axum::body::Body;
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use serde_json::{Value, json};
use warpchess_server::limits::Limits;

use crate::archive::app_at;
use crate::common::Database;
use crate::common::client::{Client, app, unlimited};

const ONE: &str = "[Event \"A match\"]\n[White \"Steinitz, Wilhelm\"]\n[Black \"Bardeleben\"]\n[Date \"1895.08.17\"]\n\
    [Result \"1-0\"]\n\n1. e4 {best by test} e5 2. Nf3 (2. f4 exf4) Nc6 1-0\n";
const TWO: &str = "[Variant \"pocketmutation\"]\n[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"1800\"]\n[BlackElo \"1700\"]\n\n1. e4 e5 1/2-1/2\n";

#[tokio::test]
async fn a_pgn_is_taken_in_and_found_and_exported_with_its_comments() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let mut ann = Client::registered(&app, "ann").await;
        let made = ann.post_text("/api/import", ONE).await.ok();
        let id = made["id"].as_str().unwrap();
        assert!(made["url"].as_str().unwrap().ends_with(&format!("/game/{id}")));

        let game = ann.get(&format!("/api/game/{id}")).await.ok();
        assert_eq!(
            (&game["source"], &game["rated"], &game["winner"]),
            (&json!("import"), &json!(false), &json!("white"))
        );
        assert_eq!((&game["status"], &game["moves"]), (&json!("unknownFinish"), &json!("e4 e5 Nf3 Nc6")));
        assert_eq!(game["players"]["white"], json!({ "name": "Steinitz, Wilhelm" }));
        let pgn = ann.get(&format!("/game/export/{id}")).await.text;
        for part in ["[Event \"A match\"]", "best by test", "f4 exf4", "[Date \"1895.08.17\"]", "1-0"] {
            assert!(pgn.contains(part), "{part} is not in {pgn}");
        }
        // As it stands on the page.
        let state = ann.get(&format!("/api/games/{id}")).await.ok();
        assert_eq!((&state["status"], &state["ply"], &state["you"]), (&json!("ended"), &json!(4), &Value::Null));
        ann.get(&format!("/api/games/{id}/view")).await.ok();

        for (query, count) in [
            ("player=steinitz,%20wilhelm", 1),
            ("player=Steinitz,%20Wilhelm&color=black", 0),
            ("player=bardeleben&result=loss", 1),
            ("player=ann", 0),
            ("source=import", 1),
            ("source=played", 0),
            ("until=-2000000000000", 1),
            ("variant=chess&line=e2e4,e7e5,g1f3", 1),
            ("result=white", 1),
        ] {
            let found = ann.get(&format!("/api/archive?{query}")).await.ok();
            assert_eq!(found["games"].as_array().unwrap().len(), count, "{}: {query}", database.name);
        }
        // Nobody's own game.
        assert_eq!(ann.get("/api/account").await.ok()["count"]["all"], 0);
        let act = json!({ "action": "resign" });
        assert_eq!(ann.post(&format!("/api/games/{id}/actions"), act).await.refused(403), "not-a-player");
        app.stop().await;
    }
}

#[tokio::test]
async fn clients_of_lichess_send_a_form() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    let form = "pgn=1.%20e4%20e5%202.%20Nf3+%2A";
    let request = Request::post("/api/import").header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let made = client.send(request, Body::from(form)).await.ok();
    let game = client.get(&format!("/api/game/{}", made["id"].as_str().unwrap())).await.ok();
    assert_eq!(game["moves"], "e4 e5 Nf3");
    let made = client.post("/api/import", json!({ "pgn": "1. d4 *" })).await.ok();
    let pgn = client.get(&format!("/game/export/{}", made["id"].as_str().unwrap())).await.text;
    assert!(pgn.ends_with("1. d4 *\n"), "{pgn}");
}

#[tokio::test]
async fn what_turns_or_hides_text_is_taken_out_of_imported_games() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    let pgn = "[Event \"Cup\u{202e}puC\"]\n[White \"Ann\u{2066} \u{200b}Lee\"]\n[Black \"\u{feff}Bob\u{61c}\"]\n\
               [Annotator \"\u{2067}x\"]\n\n1. e4 {so\u{202e}dab} e5 (1... c5 {\u{200f}Sicilian}) 2. Nf3 1-0";
    let id = client.post("/api/import", json!({ "pgn": pgn })).await.ok()["id"].as_str().unwrap().to_owned();
    let text = client.get(&format!("/game/export/{id}")).await.text;
    for part in ["\"Cup puC\"", "\"Ann Lee\"", "\"Bob\"", "\"x\"", "so dab", "{Sicilian}"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(text.chars().all(|c| c == '\n' || (' '..='~').contains(&c)), "{text:?}");
    let game = client.get(&format!("/api/game/{id}")).await.ok();
    assert_eq!(
        (&game["players"]["white"]["name"], &game["players"]["black"]["name"]),
        (&json!("Ann Lee"), &json!("Bob"))
    );
}

#[tokio::test]
async fn several_games_are_taken_in_together_or_not_at_all() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let mut ann = Client::registered(&app, "ann").await;
        let reply = ann.post_text("/api/import", &format!("{ONE}\n{TWO}")).await;
        assert_eq!(reply.header("content-type"), "application/x-ndjson");
        let lines: Vec<Value> = reply.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        let second = ann.get(&format!("/api/game/{}", lines[1]["id"].as_str().unwrap())).await.ok();
        assert_eq!(
            (&second["variant"], &second["players"]["white"]["rating"]),
            (&json!("pocketmutation"), &json!(1800))
        );

        let reply = ann.post_text("/api/import", &format!("{ONE}\n[White \"x\"]\n\n1. e4 e5\n2. Ke3 *\n")).await;
        let error = reply.json();
        assert_eq!((&error["code"], &error["field"]), (&json!("bad-pgn"), &json!("pgn")));
        for part in ["line 12", "game 2", "move 2.", "Ke3"] {
            assert!(error["error"].as_str().unwrap().contains(part), "{part}: {error}");
        }
        let found = ann.get("/api/archive").await.ok();
        assert_eq!(found["games"].as_array().unwrap().len(), 2, "{}", database.name);

        // The list of one's own, in pages.
        let first = ann.get("/api/import?max=1").await.ok();
        let second = ann.get(&format!("/api/import?max=1&cursor={}", first["cursor"].as_str().unwrap())).await.ok();
        assert_ne!(first["games"][0]["id"], second["games"][0]["id"]);
        assert_eq!(second["cursor"], Value::Null);
        assert!(first["games"][0]["importedAt"].is_i64());
        let mut bob = Client::registered(&app, "bob").await;
        assert_eq!(bob.get("/api/import").await.ok()["games"], json!([]));
        app.stop().await;
    }
}

#[tokio::test]
async fn imports_are_bounded_in_size_and_number() {
    let app = app(Limits { requests: 0, imports: 3, ..Limits::default() }).await;
    let mut client = Client::new(&app);
    let long = format!("1. e4 {{{}}} *", "x".repeat(1 << 20));
    assert_eq!(client.post_text("/api/import", &long).await.refused(413), "too-large");
    assert_eq!(client.post_text("/api/import", &"x".repeat(3 << 20)).await.refused(413), "too-large");
    let deep = "1. e4 ".to_owned() + &"(1. d4 ".repeat(100) + "*";
    assert_eq!(client.post_text("/api/import", &deep).await.refused(400), "bad-pgn");
    assert_eq!(client.post_text("/api/import", "").await.refused(400), "bad-pgn");
    assert_eq!(client.post("/api/import", json!({})).await.json()["field"], "pgn");
    // More than a request of the usual size may have.
    let much = format!("1. e4 {{{}}} *", "x".repeat(100 * 1024));
    client.post_text("/api/import", &much).await.ok();
    assert_eq!(client.post_text("/api/import", &"1. e4 1-0\n\n".repeat(4)).await.refused(429), "too-many-requests");
    assert_eq!(client.post_text("/api/import", &"1. e4 1-0\n\n".repeat(2)).await.status, 200);
    let reply = client.post_text("/api/import", "1. e4 *").await;
    assert!(!reply.header("retry-after").is_empty());
    assert_eq!(reply.refused(429), "too-many-requests");
    assert_eq!(client.get("/api/archive").await.ok()["games"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn what_was_imported_and_analysed_is_told_to_its_owner_and_nobodys_once_the_account_is_gone() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let mut ann = Client::registered(&app, "ann").await;
        let id = ann.post_text("/api/import", ONE).await.ok()["id"].as_str().unwrap().to_owned();
        ann.post(&format!("/api/games/{id}/analysis"), json!({})).await.ok();
        let data = ann.get("/api/account/export").await.ok();
        assert_eq!((&data["imports"][0]["game"], &data["analyses"][0]["game"]), (&json!(id), &json!(id)));
        ann.post("/api/account/delete", json!({ "password": "password of ann" })).await.ok();
        let mut db = app.store().read().await.unwrap();
        for sql in [
            "SELECT COUNT(*) FROM imports WHERE importer_user IS NOT NULL",
            "SELECT COUNT(*) FROM analysis_jobs WHERE requester LIKE '%ann'",
        ] {
            let row = sqlx::query(sql).fetch_one(&mut *db).await.unwrap();
            assert_eq!(sqlx::Row::get::<i64, _>(&row, 0), 0, "{}: {sql}", database.name);
        }
        drop(db);
        assert_eq!(Client::new(&app).get(&format!("/api/game/{id}")).await.status, 200, "the game stays");
        app.stop().await;
    }
}
