//! Games of the past: looked for, page by page, and exported while they are read.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use axum::http::header::ACCEPT;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;
use warpchess_server::limits::Limits;
use warpchess_server::store::StoreError;
use warpchess_server::{App, Config, router};

use crate::common::Database;
use crate::common::client::Client;
use crate::common::table::{BLITZ, account, anonymous, begin, wish};
use warpchess_server::auth::Identity;
use warpchess_server::games::challenges::Wish;
use warpchess_server::games::{Action, Control};

pub(crate) async fn app_at(database: &Database) -> App {
    let limits = Limits { requests: 0, logins: 0, guesses: 0, imports: 0, ..Limits::default() };
    App::start(Config { database: database.url.clone(), limits, workers: 0, ..Config::default() }).await.unwrap()
}

/// Plays moves in turn, White first.
pub(crate) async fn play(app: &App, id: &str, white: &Identity, black: &Identity, moves: &str) {
    for (ply, uci) in (0..).zip(moves.split_whitespace()) {
        let who = if app.games().state(id, None).await.unwrap().turn == "white" { white } else { black };
        app.games().act(id, who, Action::Move { ply, uci: uci.into(), id: None }, 0).await.unwrap();
    }
}

/// A game that White gives up after some moves.
pub(crate) async fn resigned(app: &App, wish: &Wish, white: &Identity, black: &Identity, moves: &str) -> String {
    let id = begin(app, wish, white, black).await;
    play(app, &id, white, black, moves).await;
    app.games().act(&id, white, Action::Resign, 0).await.unwrap();
    id
}

fn ids(reply: &Value) -> Vec<String> {
    reply["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
}

/// Which of the games are found.
async fn found(client: &mut Client, query: &str, games: &[(&str, &String)]) -> String {
    let reply = client.get(&format!("/api/archive?max=100&{query}")).await;
    assert_eq!(reply.status, 200, "{query}: {}", reply.text);
    let found: BTreeSet<String> = ids(&reply.json()).into_iter().collect();
    let names: Vec<&str> = games.iter().filter(|(_, id)| found.contains(*id)).map(|(name, _)| *name).collect();
    assert_eq!(names.len(), found.len(), "{query}: a game nobody has played");
    names.join(" ")
}

#[tokio::test]
async fn games_are_found_by_all_that_is_known_of_them() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let mut client = Client::registered(&app, "Ann").await;
        Client::registered(&app, "Bob").await;
        let (ann, bob, nobody) = (account("Ann"), account("Bob"), anonymous("x"));
        let rated = Wish { rated: true, ..wish("chess", BLITZ) };
        let slow = Wish { fen: None, ..wish("chess", Control::Days { days: 2 }) };
        let a = resigned(&app, &rated, &ann, &bob, "e2e4 e7e5 g1f3").await;
        let b = resigned(&app, &slow, &bob, &ann, "e2e4 c7c5").await;
        let c = begin(&app, &wish("chess", BLITZ), &ann, &nobody).await;
        play(&app, &c, &ann, &nobody, "f2f3 e7e5 g2g4 d8h4").await;
        let d = resigned(&app, &wish("pocketmutation", BLITZ), &nobody, &ann, "e2e4 e7e5").await;
        let e = begin(&app, &wish("chess", BLITZ), &ann, &bob).await;
        play(&app, &e, &ann, &bob, "e2e4 e7e5").await;
        let f = begin(&app, &wish("chess", BLITZ), &bob, &ann).await;
        app.games().act(&f, &bob, Action::Abort, 0).await.unwrap();
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let g = begin(&app, &Wish { fen: Some(fen.into()), ..wish("chess", BLITZ) }, &bob, &nobody).await;
        play(&app, &g, &bob, &nobody, "e2e4 e8d7").await;
        app.games().act(&g, &bob, Action::DrawOffer, 0).await.unwrap();
        app.games().act(&g, &nobody, Action::DrawAccept, 0).await.unwrap();

        let games = [("a", &a), ("b", &b), ("c", &c), ("d", &d), ("e", &e), ("f", &f), ("g", &g)];
        for (query, expected) in [
            ("", "a b c d g"),
            ("player=ann", "a b c d"),
            ("player=ANN&color=white", "a c"),
            ("player=ann&color=black", "b d"),
            ("player=ann&opponent=bob", "a b"),
            ("player=ann&result=win", "b d"),
            ("player=ann&result=loss", "a c"),
            ("player=ann&color=white&result=loss", "a c"),
            ("player=somebody", ""),
            ("variant=pocketmutation", "d"),
            ("variant=standard", "a b c g"),
            ("result=black", "a b c d"),
            ("result=draw", "g"),
            ("result=white", ""),
            ("status=mate", "c"),
            ("status=mate,draw", "c g"),
            ("status=agreement", "g"),
            ("status=started", "e"),
            ("status=aborted", "f"),
            ("status=started,resign", "a b d e"),
            ("rated=true", "a"),
            ("rated=false", "b c d g"),
            ("speed=blitz", "a c d g"),
            ("speed=correspondence,bullet", "b"),
            ("since=0", "a b c d g"),
            ("until=5", ""),
            ("variant=chess&line=e2e4", "a b"),
            ("variant=chess&line=e2e4,e7e5", "a"),
            ("variant=chess&line=e2e4,e7e5,g1f3", "a"),
            ("variant=chess&line=e2e4,e7e5,g1f3,b8c6", ""),
            ("variant=chess&line=d2d4", ""),
            ("variant=pocketmutation&line=e2e4,e7e5", "d"),
            ("source=import", ""),
            ("source=played", "a b c d g"),
            ("analysed=true", ""),
            ("analysed=false", "a b c d g"),
        ] {
            assert_eq!(found(&mut client, query, &games).await, expected, "{}: {query}", database.name);
        }
        let reply = client.get("/api/archive?status=mate").await.ok();
        let game = &reply["games"][0];
        assert_eq!(
            (&game["plies"], &game["opening"][1], &game["source"]),
            (&json!(4), &json!("e7e5"), &json!("friend"))
        );
        assert!(game["lastFen"].as_str().unwrap().starts_with("rnb1kbnr/pppp1ppp/"), "{game}");
        assert!(game.get("moves").is_none());
        app.stop().await;
    }
}

#[tokio::test]
async fn a_line_longer_than_what_has_an_index_is_found_all_the_same() {
    let line = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3";
    for database in Database::all().await {
        let app = app_at(&database).await;
        let (ann, bob) = (account("ann"), account("bob"));
        let long = resigned(&app, &wish("chess", BLITZ), &ann, &bob, line).await;
        let other = resigned(&app, &wish("chess", BLITZ), &ann, &bob, &line.replace("h2h3", "d2d4")).await;
        let games = [("long", &long), ("other", &other)];
        let mut client = Client::new(&app);
        let moves: Vec<&str> = line.split(' ').collect();
        for plies in 0..=moves.len() {
            let query = format!("variant=chess&line={}", moves[..plies].join(","));
            let expected = if plies == moves.len() { "long" } else { "long other" };
            assert_eq!(found(&mut client, &query, &games).await, expected, "{}: {plies}", database.name);
        }
        app.stop().await;
    }
}

#[tokio::test]
async fn what_cannot_be_looked_for_is_named() {
    let database = Database::sqlite();
    let app = app_at(&database).await;
    let mut client = Client::new(&app);
    for (query, field) in [
        ("variant=halma", "variant"),
        ("line=e2e4", "variant"),
        ("variant=chess&line=e2e5", "line"),
        ("variant=chess&line=e2e4,nonsense", "line"),
        ("player=a%00b", "player"),
        ("opponent=ann", "opponent"),
        ("color=white", "color"),
        ("player=ann&color=green", "color"),
        ("result=win", "result"),
        ("result=maybe", "result"),
        ("status=won", "status"),
        ("rated=perhaps", "rated"),
        ("speed=fast", "speed"),
        ("since=yesterday", "since"),
        ("source=book", "source"),
        ("sort=up", "sort"),
        ("max=0", "max"),
        ("max=101", "max"),
        ("cursor=5", "cursor"),
        ("cursor=x.abcd1234", "cursor"),
        ("cursor=5.abcd'--;", "cursor"),
    ] {
        let reply = client.get(&format!("/api/archive?{query}")).await;
        assert_eq!((reply.status, &reply.json()["field"]), (400, &json!(field)), "{query}: {}", reply.text);
    }
    assert_eq!(client.get("/api/archive/export?format=xml").await.json()["field"], "format");
}

/// Puts copies of a game into the archive, a second apart: the ids, newest first.
async fn many(app: &App, count: usize) -> Vec<String> {
    let (ann, bob) = (account("ann"), account("bob"));
    let game = resigned(app, &wish("chess", BLITZ), &ann, &bob, "e2e4 e7e5 g1f3").await;
    let template = app.games().row(&game).await.unwrap();
    let mut rows = Vec::new();
    for i in 0..count {
        let mut row = template.clone();
        row.id = format!("copy{i:04}");
        // Some at the same time.
        row.created_at += (i / 3) as i64 * 1000;
        rows.push(row);
    }
    let mut ids: Vec<(i64, String)> = rows.iter().map(|row| (row.created_at, row.id.clone())).collect();
    ids.push((template.created_at, game));
    let job = app.store().write(move |db| {
        Box::pin(async move {
            for row in &rows {
                warpchess_server::store::games::insert(db, row).await?;
                warpchess_server::store::games::update(db, row, row.version).await?;
            }
            Ok::<_, StoreError>(())
        })
    });
    job.await.unwrap();
    ids.sort();
    ids.into_iter().rev().map(|(_, id)| id).collect()
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let all = many(&app, 50).await;
        let mut client = Client::new(&app);
        for (sort, expected) in [("dateDesc", all.clone()), ("dateAsc", all.iter().rev().cloned().collect::<Vec<_>>())]
        {
            let (mut seen, mut cursor) = (Vec::new(), String::new());
            for _ in 0..20 {
                let reply = client.get(&format!("/api/archive?max=7&sort={sort}{cursor}")).await.ok();
                seen.extend(ids(&reply));
                match reply["cursor"].as_str() {
                    Some(next) => cursor = format!("&cursor={next}"),
                    None => break,
                }
            }
            // Games begun in the same millisecond are in the order of their ids, as the database has it.
            assert_eq!(seen.len(), expected.len(), "{}", database.name);
            assert_eq!(seen, expected, "{} {sort}", database.name);
        }
        app.stop().await;
    }
}

#[tokio::test]
async fn an_export_has_every_game_once_in_each_form() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let all = many(&app, 100).await;
        let mut client = Client::new(&app);
        let array = client.get("/api/archive/export?format=json").await;
        assert_eq!(array.header("content-type"), "application/json");
        let array: Vec<String> =
            array.json().as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(array, all);

        let lines = client.get("/api/archive/export?format=ndjson&player=ann").await;
        assert_eq!(lines.header("content-type"), "application/x-ndjson");
        let lines = lines.text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let lines: Vec<Value> = lines.collect();
        assert_eq!(lines.len(), all.len());
        assert_eq!((&lines[0]["id"], &lines[0]["moves"]), (&json!(all[0]), &json!("e4 e5 Nf3")));

        let pgn = client.get("/api/archive/export?sort=dateAsc").await;
        assert_eq!(pgn.header("content-type"), "application/x-chess-pgn");
        let games: Vec<_> = warpchess_rules::notation::pgn::Reader::new(pgn.text.as_bytes()).collect();
        assert_eq!(games.len(), all.len());
        assert!(games.iter().all(|game| game.as_ref().unwrap().line.moves.len() == 3));

        assert_eq!(client.get("/api/archive/export?format=ndjson&max=33").await.text.lines().count(), 33);
        assert_eq!(client.get("/api/archive/export?format=json&player=nobody").await.json(), json!([]));
        assert_eq!(client.get("/api/archive/export?format=pgn&max=0").await.text, "");
        let accept = Request::get("/api/archive/export?max=1").header(ACCEPT, "application/x-ndjson");
        assert_eq!(client.send(accept, Body::empty()).await.text.lines().count(), 1);
        // An array, where JSON is asked for that is one text.
        let accept = Request::get("/api/archive/export?max=33").header(ACCEPT, "application/json");
        let reply = client.send(accept, Body::empty()).await;
        assert_eq!(reply.header("content-type"), "application/json");
        assert_eq!(reply.ok().as_array().unwrap().len(), 33);
        let accept = Request::get("/api/archive/export?player=nobody").header(ACCEPT, "application/json");
        assert_eq!(client.send(accept, Body::empty()).await.ok(), json!([]));
        let by_ids = || Request::post("/api/games/export/_ids").header(ACCEPT, "application/json");
        let ids: Vec<String> = ids(&client.get("/api/archive?player=ann&max=3").await.ok());
        let reply = client.send(by_ids(), Body::from(ids.join(","))).await;
        assert_eq!(reply.ok().as_array().unwrap().len(), 3);
        assert_eq!(client.send(by_ids(), Body::from("nothing1")).await.ok(), json!([]));
        app.stop().await;
    }
}

#[tokio::test]
async fn an_export_comes_whole_to_clients_that_have_it_compressed() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let all = many(&app, 40).await;
        let request = Request::get("/api/archive/export?format=pgn").header("accept-encoding", "gzip");
        let reply = router(app.clone()).oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(reply.headers()["content-encoding"], "gzip");
        let whole = axum::body::to_bytes(reply.into_body(), usize::MAX).await.unwrap();
        // The end of a gzip file is the length of what is in it.
        let length = u32::from_le_bytes(*whole.last_chunk().unwrap());
        assert!(length as usize > 100 * all.len(), "{length} bytes of {} games", all.len());
    }
}

#[tokio::test]
async fn an_export_holds_a_page_of_games_at_a_time() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let all = many(&app, 300).await;
        let request = Request::get("/api/archive/export?format=ndjson").body(Body::empty()).unwrap();
        let reply = router(app.clone()).oneshot(request).await.unwrap();
        let mut frames = reply.into_body().into_data_stream();
        let first = frames.next().await.unwrap().unwrap();
        let games = first.iter().filter(|&&byte| byte == b'\n').count();
        assert!((1..=30).contains(&games), "{games} at once");

        // The first games are sent, and the last are not read yet: they are taken away under the export.
        let gone: Vec<String> = all[200..].iter().filter(|id| id.starts_with("copy")).cloned().collect();
        let expected = all.len() - gone.len();
        let job = app.store().write(move |db| {
            Box::pin(async move {
                for id in &gone {
                    let delete = sqlx::query("DELETE FROM games WHERE id = $1").bind(id);
                    delete.execute(&mut *db).await.map_err(StoreError::from)?;
                }
                Ok::<_, StoreError>(())
            })
        });
        job.await.unwrap();
        let mut sent = games;
        while let Some(frame) = frames.next().await {
            let games = frame.unwrap().iter().filter(|&&byte| byte == b'\n').count();
            assert!(games <= 30, "{games} at once");
            sent += games;
        }
        assert_eq!(sent, expected, "{}", database.name);
        app.stop().await;
    }
}
