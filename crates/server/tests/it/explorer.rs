//! The opening explorer: what finished games add to it, and that counting anew comes to the same.

use serde_json::{Value, json};
use sqlx::Row;
use warpchess_server::admin::Admin;
use warpchess_server::games::Action;
use warpchess_server::games::challenges::{Opponent, Wish};
use warpchess_server::store::Store;
use warpchess_server::{App, explorer};

use crate::archive::{app_at, play, resigned};
use crate::common::Database;
use crate::common::client::Client;
use crate::common::table::{BLITZ, account, anonymous, begin, wish};

/// All that was counted, one line a row; the last games in no order.
async fn counted(store: &Store) -> Vec<String> {
    let mut db = store.read().await.unwrap();
    let rows = sqlx::query("SELECT * FROM explorer").fetch_all(&mut *db).await.unwrap();
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let texts = ["variant", "uci", "speed", "mode"].map(|name| row.get::<String, _>(name));
            let numbers =
                ["position", "rating_group", "white", "draws", "black", "rating_sum", "rating_games", "last_at"]
                    .map(|name| row.get::<i64, _>(name));
            let recent: String = row.get("recent");
            let mut recent: Vec<&str> = recent.split(' ').collect();
            recent.sort_unstable();
            format!("{texts:?} {numbers:?} {recent:?}")
        })
        .collect();
    lines.sort();
    lines
}

async fn moves(client: &mut Client, query: &str) -> Vec<(String, i64, i64, i64)> {
    let reply = client.get(&format!("/api/explorer/{query}")).await.ok();
    let moves = reply["moves"].as_array().unwrap().iter();
    let number = |form: &Value, name: &str| form[name].as_i64().unwrap();
    moves
        .map(|form| {
            let uci = form["uci"].as_str().unwrap().to_owned();
            (uci, number(form, "white"), number(form, "draws"), number(form, "black"))
        })
        .collect()
}

/// Some games of all kinds.
async fn games(app: &App) -> Vec<String> {
    for name in ["Ann", "Bob"] {
        Client::registered(app, name).await;
    }
    let (ann, bob, nobody) = (account("Ann"), account("Bob"), anonymous("x"));
    let rated = Wish { rated: true, ..wish("chess", BLITZ) };
    let mut all = vec![
        resigned(app, &rated, &ann, &bob, "e2e4 e7e5 g1f3").await,
        resigned(app, &wish("chess", BLITZ), &bob, &ann, "g1f3 e7e5 e2e4 b8c6").await,
        resigned(app, &wish("chess", BLITZ), &nobody, &ann, "e2e4 c7c5").await,
        resigned(app, &wish("teleport", BLITZ), &ann, &bob, "e2e4 e7e5").await,
    ];
    let draw = begin(app, &rated, &ann, &bob).await;
    play(app, &draw, &ann, &bob, "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3").await;
    app.games().act(&draw, &ann, Action::DrawOffer, 0).await.unwrap();
    app.games().act(&draw, &bob, Action::DrawAccept, 0).await.unwrap();
    all.push(draw);
    // None of these has a result.
    let aborted = begin(app, &wish("chess", BLITZ), &ann, &bob).await;
    app.games().act(&aborted, &ann, Action::Abort, 0).await.unwrap();
    let going = begin(app, &wish("chess", BLITZ), &ann, &bob).await;
    play(app, &going, &ann, &bob, "h2h3 h7h6").await;
    all
}

#[tokio::test]
async fn a_finished_game_is_counted_in_each_of_its_positions() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let all = games(&app).await;
        let mut client = Client::new(&app);
        let of = |uci: &str, white, draws, black| (uci.to_owned(), white, draws, black);
        let name = database.name;
        assert_eq!(moves(&mut client, "chess").await, [of("e2e4", 0, 1, 2), of("g1f3", 0, 0, 1)], "{name}");
        assert_eq!(moves(&mut client, "standard?play=e2e4").await, [of("e7e5", 0, 1, 1), of("c7c5", 0, 0, 1)]);
        // Another way to the same position; and of a position that comes again each move counts once a game.
        let expected = [of("b8c6", 0, 0, 1), of("g8f6", 0, 1, 0)];
        assert_eq!(moves(&mut client, "chess?play=g1f3,e7e5,e2e4").await, expected);
        assert_eq!(moves(&mut client, "chess?play=e2e4,e7e5,g1f3").await, expected);
        assert_eq!(moves(&mut client, "chess?play=e2e4,e7e5").await, [of("g1f3", 0, 1, 1)]);
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 7 33".replace(' ', "%20");
        assert_eq!(moves(&mut client, &format!("chess?fen={fen}")).await, expected, "whatever its clocks");
        assert_eq!(moves(&mut client, "teleport").await, [of("e2e4", 0, 0, 1)]);
        assert_eq!(moves(&mut client, "porthole").await, []);

        assert_eq!(moves(&mut client, "chess?modes=rated").await, [of("e2e4", 0, 1, 1)]);
        assert_eq!(moves(&mut client, "chess?modes=casual&play=e2e4").await, [of("c7c5", 0, 0, 1)]);
        assert_eq!(moves(&mut client, "chess?speeds=bullet").await, []);
        assert_eq!(moves(&mut client, "chess?speeds=bullet,blitz&moves=1").await, [of("e2e4", 0, 1, 2)]);
        assert_eq!(moves(&mut client, "chess?ratings=2000,2200").await, []);
        assert_eq!(moves(&mut client, "chess?ratings=1400").await.len(), 2);

        let reply = client.get("/api/explorer/chess").await.ok();
        assert_eq!((&reply["white"], &reply["draws"], &reply["black"]), (&json!(0), &json!(1), &json!(3)));
        assert_eq!((&reply["moves"][0]["san"], &reply["opening"]), (&json!("e4"), &Value::Null));
        assert!((1400..1600).contains(&reply["averageRating"].as_i64().unwrap()), "{reply}");
        let recent = reply["recentGames"].as_array().unwrap();
        assert_eq!(recent.len(), 4);
        let seen: std::collections::BTreeSet<&str> = recent.iter().map(|game| game["id"].as_str().unwrap()).collect();
        assert!(!seen.contains(all[3].as_str()), "that was another game");
        let last = recent.iter().find(|game| game["id"] == json!(all[4])).unwrap();
        assert_eq!((&last["uci"], &last["winner"], &last["mode"]), (&json!("e2e4"), &Value::Null, &json!("rated")));
        assert_eq!(last["white"]["name"], "Ann");
        assert_eq!(client.get("/api/explorer/chess?recentGames=1&topGames=0").await.ok()["topGames"], json!([]));
        app.stop().await;
    }
}

#[tokio::test]
async fn games_with_the_computer_and_imported_ones_can_be_told_apart() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let ann = account("ann");
        let computer =
            Wish { opponent: Opponent::Computer { level: 1 }, color: Some("black".into()), ..wish("chess", BLITZ) };
        let id = begin(&app, &computer, &ann, &ann).await;
        // The computer is not there: it is helped along.
        let job = app.store().write({
            let id = id.clone();
            move |db| {
                Box::pin(async move {
                    let update = sqlx::query("UPDATE games SET white_level = NULL, white_user = 'bob' WHERE id = $1");
                    update.bind(id).execute(db).await.map_err(warpchess_server::store::StoreError::from)
                })
            }
        });
        job.await.unwrap();
        app.stop().await;

        let app = app_at(&database).await;
        play(&app, &id, &account("bob"), &ann, "d2d4 d7d5").await;
        let job = app.store().write({
            let id = id.clone();
            move |db| {
                Box::pin(async move {
                    let update = sqlx::query("UPDATE games SET white_level = 1, white_user = NULL WHERE id = $1");
                    update.bind(id).execute(db).await.map_err(warpchess_server::store::StoreError::from)
                })
            }
        });
        job.await.unwrap();
        app.stop().await;
        let app = app_at(&database).await;
        app.games().act(&id, &ann, Action::Resign, 0).await.unwrap();

        let mut client = Client::new(&app);
        client.post_text("/api/import", "[WhiteElo \"2600\"]\n[BlackElo \"2500\"]\n\n1. c4 e5 1-0").await.ok();
        client.post_text("/api/import", "1. c4 *").await.ok();
        let uci = |moves: Vec<(String, i64, i64, i64)>| moves.into_iter().map(|(uci, ..)| uci).collect::<Vec<_>>();
        assert_eq!(uci(moves(&mut client, "chess").await), ["d2d4"], "{}", database.name);
        assert_eq!(uci(moves(&mut client, "chess?modes=computer").await), ["d2d4"]);
        assert_eq!(uci(moves(&mut client, "chess?modes=rated,casual").await), [""; 0]);
        assert_eq!(moves(&mut client, "chess?modes=import").await, [("c2c4".to_owned(), 1, 0, 0)]);
        assert_eq!(uci(moves(&mut client, "chess?modes=import&ratings=2500").await), ["c2c4"]);
        app.stop().await;
    }
}

#[tokio::test]
async fn counting_anew_comes_to_the_same_as_counting_each_game() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        games(&app).await;
        let (ann, nobody) = (account("Ann"), anonymous("x"));
        for variant in warpchess_rules::VariantId::all() {
            let id = begin(&app, &wish(variant.id(), BLITZ), &ann, &nobody).await;
            // Longer than what is counted.
            for ply in 0..explorer::PLIES as i64 + 6 {
                let view = serde_json::to_value(app.games().view(&id).await.unwrap().unwrap()).unwrap();
                let legal = view["legal"].as_array().unwrap();
                let Some(uci) = legal.get(ply as usize * 7 % legal.len().max(1)) else { break };
                let uci = uci["uci"].as_str().unwrap().to_owned();
                let who = if app.games().state(&id, None).await.unwrap().turn == "white" { &ann } else { &nobody };
                app.games().act(&id, who, Action::Move { ply, uci, id: None }, 0).await.unwrap();
            }
            let _ = app.games().act(&id, &ann, Action::Resign, 0).await;
        }
        let pgn = "1. e4 e5 2. Nf3 1-0\n\n1. e4 e5 0-1\n\n1. e4 *\n\n1. d4 d5 1/2-1/2";
        Client::new(&app).post_text("/api/import", pgn).await;

        let incremental = counted(app.store()).await;
        assert!(incremental.len() > 100, "{}", incremental.len());
        // By the command, while the server runs.
        let admin = Admin::open(&database.url).await.unwrap();
        let games = admin.rebuild_explorer().await.unwrap();
        assert_eq!(counted(app.store()).await, incremental, "{}", database.name);
        assert_eq!(admin.rebuild_explorer().await.unwrap(), games);
        assert_eq!(counted(app.store()).await, incremental, "{}", database.name);
        admin.close().await;

        // A server finds what was played before there was an explorer.
        let clear = app.store().write(|db| {
            Box::pin(async move {
                let clear = sqlx::query("DELETE FROM explorer").execute(&mut *db).await;
                clear.map_err(warpchess_server::store::StoreError::from)?;
                let forget = sqlx::query("UPDATE games SET counted = 0").execute(db).await;
                forget.map_err(warpchess_server::store::StoreError::from)
            })
        });
        clear.await.unwrap();
        app.stop().await;
        let app = app_at(&database).await;
        for _ in 0..3000 {
            if counted(app.store()).await == incremental {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        assert_eq!(counted(app.store()).await, incremental, "{}", database.name);
        app.stop().await;
    }
}

#[tokio::test]
async fn games_that_end_while_it_is_counted_anew_are_counted_once() {
    for database in Database::all().await {
        let app = app_at(&database).await;
        let (ann, bob) = (anonymous("ann"), anonymous("bob"));
        for _ in 0..20 {
            resigned(&app, &wish("chess", BLITZ), &ann, &bob, "e2e4 e7e5").await;
        }
        let store = app.store().clone();
        let again = tokio::spawn(async move {
            for _ in 0..5 {
                explorer::rebuild(&store).await.unwrap();
            }
        });
        let blitz = wish("chess", BLITZ);
        let ending = (0..15).map(|_| resigned(&app, &blitz, &ann, &bob, "e2e4 e7e5"));
        futures_util::future::join_all(ending).await;
        again.await.unwrap();
        let mut client = Client::new(&app);
        assert_eq!(moves(&mut client, "chess").await, [("e2e4".to_owned(), 0, 0, 35)], "{}", database.name);
        app.stop().await;
    }
}

#[tokio::test]
async fn only_the_last_games_of_a_move_are_remembered() {
    let database = Database::sqlite();
    let app = app_at(&database).await;
    let (ann, bob) = (anonymous("ann"), anonymous("bob"));
    let mut ids = Vec::new();
    for _ in 0..explorer::RECENT + 3 {
        ids.push(resigned(&app, &wish("chess", BLITZ), &ann, &bob, "e2e4 e7e5").await);
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let reply = Client::new(&app).get("/api/explorer/chess?recentGames=8").await.ok();
    let recent = reply["recentGames"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap());
    let expected: Vec<&str> = ids.iter().rev().take(explorer::RECENT).map(String::as_str).collect();
    assert_eq!(recent.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn what_cannot_be_understood_is_named() {
    let database = Database::sqlite();
    let app = app_at(&database).await;
    let mut client = Client::new(&app);
    for (query, field) in [
        ("halma", "variant"),
        ("chess?fen=nonsense", "fen"),
        ("chess?play=e2e5", "play"),
        ("chess?play=e2e4,,x", "play"),
        ("chess?speeds=fast", "speeds"),
        ("chess?modes=serious", "modes"),
        ("chess?ratings=1500", "ratings"),
        ("chess?moves=-1", "moves"),
        ("chess?recentGames=9", "recentGames"),
        ("chess?topGames=x", "topGames"),
    ] {
        let reply = client.get(&format!("/api/explorer/{query}")).await;
        assert_eq!((reply.status, &reply.json()["field"]), (400, &json!(field)), "{query}: {}", reply.text);
    }
}
