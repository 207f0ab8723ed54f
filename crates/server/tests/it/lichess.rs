//! The API in which games come about and are played, as Lichess has it.

use serde_json::json;
use warpchess_server::App;

use crate::common::client::{Client, unlimited};

const SCOPES: &str = "bot:play,board:play,challenge:read,challenge:write,preference:read";

async fn player(app: &App, name: &str) -> Client {
    Client::with_token(app, name, SCOPES).await
}

/// A game that Ann has white in, and nobody has moved.
async fn game(app: &App, terms: serde_json::Value) -> (Client, Client, String) {
    let (mut ann, mut bob) = (player(app, "ann").await, player(app, "bob").await);
    let mut wish = json!({ "rated": false, "color": "white", "clock.limit": 300, "clock.increment": 3 });
    wish.as_object_mut().unwrap().extend(terms.as_object().unwrap().clone());
    let challenge = ann.post("/api/challenge/bob", wish).await.ok();
    let id = challenge["id"].as_str().unwrap().to_owned();
    bob.post(&format!("/api/challenge/{id}/accept"), json!({})).await.ok();
    (ann, bob, id)
}

async fn play(client: &mut Client, id: &str, uci: &str) {
    client.post(&format!("/api/board/game/{id}/move/{uci}"), json!({})).await.ok();
}

#[tokio::test]
async fn a_challenge_is_seen_by_both_and_becomes_a_game_of_its_id() {
    let app = unlimited().await;
    let (mut ann, mut bob) = (player(&app, "Ann").await, player(&app, "Bob").await);
    let wish =
        json!({ "rated": true, "clock.limit": 180, "clock.increment": 2, "color": "black", "variant": "standard" });
    let made = ann.post("/api/challenge/BOB", wish).await.ok();
    assert_eq!(made["status"], "created");
    assert_eq!((&made["challenger"]["name"], &made["destUser"]["id"]), (&json!("Ann"), &json!("bob")));
    assert_eq!(made["variant"], json!({ "key": "standard", "name": "Standard", "short": "Std" }));
    assert_eq!(made["timeControl"], json!({ "type": "clock", "limit": 180, "increment": 2, "show": "3+2" }));
    assert_eq!(
        (&made["direction"], &made["speed"], &made["finalColor"]),
        (&json!("out"), &json!("blitz"), &json!("black"))
    );
    let lists = bob.get("/api/challenge").await.ok();
    assert_eq!(lists["in"][0]["id"], made["id"]);
    assert_eq!(lists["in"][0]["direction"], "in");

    let id = made["id"].as_str().unwrap();
    let mut cid = player(&app, "Cid").await;
    assert_eq!(cid.post(&format!("/api/challenge/{id}/accept"), json!({})).await.status, 403);
    bob.post(&format!("/api/challenge/{id}/accept"), json!({})).await.ok();
    let playing = bob.get("/api/account/playing").await.ok();
    let game = &playing["nowPlaying"][0];
    assert_eq!((&game["gameId"], &game["color"], &game["isMyTurn"]), (&json!(id), &json!("white"), &json!(true)));
    assert_eq!(game["opponent"]["username"], "Ann");
    assert_eq!(game["fullId"].as_str().unwrap().len(), 12);
}

#[tokio::test]
async fn a_challenge_can_be_declined_with_a_reason_and_taken_back() {
    let app = unlimited().await;
    let (mut ann, mut bob) = (player(&app, "ann").await, player(&app, "bob").await);
    let one = ann.post("/api/challenge/bob", json!({ "days": 2 })).await.ok();
    let id = one["id"].as_str().unwrap();
    assert_eq!(one["timeControl"], json!({ "type": "correspondence", "daysPerTurn": 2 }));
    bob.post(&format!("/api/challenge/{id}/decline"), json!({ "reason": "tooSlow" })).await.ok();
    let declined = ann.get(&format!("/api/challenge/{id}/show")).await.ok();
    assert_eq!((&declined["status"], &declined["declineReasonKey"]), (&json!("declined"), &json!("tooSlow")));
    assert!(declined["declineReason"].as_str().unwrap().contains("too slow"));

    let two = ann.post("/api/challenge/bob", json!({})).await.ok();
    let id = two["id"].as_str().unwrap();
    assert_eq!(bob.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.status, 403);
    ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.ok();
    assert_eq!(bob.post(&format!("/api/challenge/{id}/accept"), json!({})).await.refused(409), "challenge-gone");
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_and_the_field_named() {
    let app = unlimited().await;
    let mut ann = player(&app, "ann").await;
    player(&app, "bob").await;
    for (wish, field) in [
        (json!({ "variant": "crazyhouse" }), "variant"),
        (json!({ "clock.limit": -1 }), "clock.limit"),
        (json!({ "clock.limit": 60, "days": 1 }), "days"),
        (json!({ "clock.limit": "soon" }), "clock.limit"),
        (json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }), "fen"),
        (json!({ "color": "green" }), "color"),
        (json!({ "rated": "perhaps" }), "rated"),
    ] {
        let reply = ann.post("/api/challenge/bob", wish.clone()).await;
        assert_eq!(reply.status, 400, "{wish}");
        assert_eq!(reply.json()["field"], field, "{wish}");
    }
    assert_eq!(ann.post("/api/challenge/nobody", json!({})).await.status, 404);
    assert_eq!(ann.post("/api/challenge/ann", json!({})).await.status, 400);
    assert_eq!(ann.post("/api/challenge/ai", json!({ "level": 9 })).await.json()["field"], "level");
}

#[tokio::test]
async fn a_game_is_played_to_mate_rated_and_exported() {
    let app = unlimited().await;
    let (mut ann, mut bob, id) = game(&app, json!({ "rated": true })).await;
    for (i, uci) in ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().enumerate() {
        play(if i % 2 == 0 { &mut ann } else { &mut bob }, &id, uci).await;
    }
    let json = ann.get(&format!("/api/game/{id}?clocks=true&pgnInJson=true")).await.ok();
    assert_eq!(
        (&json["status"], &json["winner"], &json["moves"]),
        (&json!("mate"), &json!("black"), &json!("f3 e5 g4 Qh4#"))
    );
    assert_eq!((&json["variant"], &json["perf"]), (&json!("standard"), &json!("blitz")));
    assert_eq!(json["players"]["white"]["user"]["name"], "ann");
    assert_eq!(json["players"]["white"]["ratingDiff"], -162);
    assert_eq!(json["clocks"].as_array().unwrap().len(), 4);
    let pgn = ann.get(&format!("/game/export/{id}?clocks=true")).await;
    assert_eq!(pgn.header("content-type"), "application/x-chess-pgn");
    for part in ["[White \"ann\"]", "[Result \"0-1\"]", "[TimeControl \"300+3\"]", "[WhiteElo \"1500\"]", "[%clk 0:0"] {
        assert!(pgn.text.contains(part), "{part} is not in {}", pgn.text);
    }
    assert_eq!(bob.get("/api/user/bob").await.ok()["perfs"]["blitz"]["games"], 1);
    assert_eq!(bob.get("/api/account").await.ok()["count"]["win"], 1);
    assert_eq!(ann.get("/api/crosstable/ann/bob").await.ok()["users"], json!({ "ann": 0.0, "bob": 1.0 }));
}

#[tokio::test]
async fn actions_out_of_turn_or_state_are_refused_with_a_reason() {
    let app = unlimited().await;
    let (mut ann, mut bob, id) = game(&app, json!({})).await;
    let path = |what: &str| format!("/api/board/game/{id}/{what}");
    assert_eq!(bob.post(&path("move/e7e5"), json!({})).await.refused(409), "not-your-turn");
    assert_eq!(ann.post(&path("move/e2e5"), json!({})).await.refused(400), "illegal-move");
    assert_eq!(ann.post(&path("draw/no"), json!({})).await.refused(409), "no-offer");
    assert_eq!(ann.post(&path("takeback/no"), json!({})).await.refused(409), "no-offer");
    assert_eq!(ann.post(&path("claim-victory/"), json!({})).await.refused(409), "opponent-there");
    assert_eq!(ann.post(&path("berserk"), json!({})).await.refused(400), "not-here");
    let mut cid = player(&app, "cid").await;
    assert_eq!(cid.post(&path("move/e2e4"), json!({})).await.refused(403), "not-a-player");
    assert_eq!(cid.post(&path("chat"), json!({ "room": "player", "text": "hi" })).await.status, 400);
    assert_eq!(ann.post("/api/board/game/nothere1/move/e2e4", json!({})).await.refused(404), "no-game");
    ann.post(&path("abort"), json!({})).await.ok();
    assert_eq!(ann.post(&path("move/e2e4"), json!({})).await.refused(409), "over");
}

#[tokio::test]
async fn bots_play_as_bots_and_others_at_boards() {
    let app = unlimited().await;
    let (mut ann, _, id) = game(&app, json!({})).await;
    assert_eq!(ann.post(&format!("/api/bot/game/{id}/move/e2e4"), json!({})).await.refused(400), "not-a-bot");
    assert_eq!(ann.post("/api/bot/account/upgrade", json!({})).await.refused(400), "has-played");
    let mut bot = player(&app, "robot").await;
    bot.post("/api/bot/account/upgrade", json!({})).await.ok();
    bot.post("/api/bot/account/upgrade", json!({})).await.ok();
    assert_eq!(bot.get("/api/account").await.ok()["title"], "BOT");
    assert_eq!(bot.post(&format!("/api/board/game/{id}/move/e2e4"), json!({})).await.refused(400), "a-bot");
    let mut weak = Client::with_token(&app, "weak", "challenge:write").await;
    assert_eq!(weak.post(&format!("/api/board/game/{id}/move/e2e4"), json!({})).await.refused(403), "missing-scope");
}

#[tokio::test]
async fn draws_and_takebacks_take_two() {
    let app = unlimited().await;
    let (mut ann, mut bob, id) = game(&app, json!({})).await;
    let path = |what: &str| format!("/api/board/game/{id}/{what}");
    play(&mut ann, &id, "e2e4").await;
    play(&mut bob, &id, "e7e5").await;
    ann.post(&path("takeback/yes"), json!({})).await.ok();
    bob.post(&path("takeback/yes"), json!({})).await.ok();
    assert_eq!(ann.get(&format!("/api/game/{id}")).await.ok()["moves"], "");
    play(&mut ann, &id, "d2d4").await;
    ann.post(&path("draw/yes"), json!({})).await.ok();
    assert_eq!(ann.post(&path("draw/yes"), json!({})).await.refused(409), "offer-stands");
    bob.post(&path("draw/yes"), json!({})).await.ok();
    let game = ann.get(&format!("/api/game/{id}")).await.ok();
    assert_eq!((&game["status"], &game["moves"]), (&json!("draw"), &json!("d4")));
}

#[tokio::test]
async fn an_offered_draw_is_a_claim_where_the_rules_give_one() {
    let app = unlimited().await;
    let (mut ann, mut bob, id) = game(&app, json!({})).await;
    for _ in 0..2 {
        play(&mut ann, &id, "g1f3").await;
        play(&mut bob, &id, "g8f6").await;
        play(&mut ann, &id, "f3g1").await;
        play(&mut bob, &id, "f6g8").await;
    }
    ann.post(&format!("/api/board/game/{id}/draw/yes"), json!({})).await.ok();
    assert_eq!(ann.get(&format!("/api/game/{id}")).await.ok()["status"], "draw");
}

#[tokio::test]
async fn games_of_a_player_are_filtered_and_come_in_order() {
    let app = unlimited().await;
    let (mut ann, mut bob, first) = game(&app, json!({ "variant": "pocketmutation" })).await;
    play(&mut ann, &first, "e2e4").await;
    play(&mut bob, &first, "e7e5").await;
    ann.post(&format!("/api/board/game/{first}/resign"), json!({})).await.ok();
    let second = ann.post("/api/challenge/ai", json!({ "level": 1, "color": "black", "clock.limit": 60 })).await.ok();
    let second = second["id"].as_str().unwrap().to_owned();

    let list = |query: &str| format!("/api/games/user/Ann?{query}");
    let ids = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.is_empty());
        lines
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_str().unwrap().to_owned())
            .collect()
    };
    for (query, expected) in [
        ("", vec![&first]),
        ("ongoing=true", vec![&second, &first]),
        ("ongoing=true&sort=dateAsc", vec![&first, &second]),
        ("ongoing=true&max=1", vec![&second]),
        ("vs=bob", vec![&first]),
        ("vs=nobody", vec![]),
        ("color=white", vec![&first]),
        ("color=black", vec![]),
        ("rated=true", vec![]),
        ("perfType=pocketmutation", vec![&first]),
        ("perfType=pocketmutation-blitz", vec![&first]),
        ("perfType=blitz", vec![]),
        ("since=0&until=9999999999999", vec![&first]),
        ("until=5", vec![]),
        ("finished=false", vec![]),
    ] {
        let request = axum::http::Request::get(list(query)).header("accept", "application/x-ndjson");
        let reply = ann.send(request, axum::body::Body::empty()).await;
        assert_eq!(reply.status, 200, "{query}: {}", reply.text);
        assert_eq!(ids(&reply.text).iter().collect::<Vec<_>>(), expected, "{query}");
    }
    let request = axum::http::Request::get(list("finished=true")).header("accept", "application/json");
    let array = ann.send(request, axum::body::Body::empty()).await;
    assert_eq!(array.header("content-type"), "application/json");
    assert_eq!(array.ok().as_array().unwrap().len(), 1);
    let pgn = ann.get(&list("ongoing=false")).await;
    assert!(
        pgn.text.contains("[Variant \"pocketmutation\"]") && pgn.text.ends_with("1-0\n\n\n")
            || pgn.text.ends_with("0-1\n\n\n")
    );
    let request = axum::http::Request::post("/api/games/export/_ids").header("accept", "application/x-ndjson");
    let both = ann.send(request, axum::body::Body::from(format!("{second},nothere1,{first}"))).await;
    assert_eq!(ids(&both.text), [second, first]);
    for query in ["perfType=halma", "color=green", "sort=up", "max=-1", "rated=x"] {
        assert_eq!(ann.get(&list(query)).await.status, 400, "{query}");
    }
}

#[tokio::test]
async fn a_deleted_accounts_games_stay_without_its_name() {
    let app = unlimited().await;
    let (mut ann, mut bob, id) = game(&app, json!({})).await;
    play(&mut ann, &id, "e2e4").await;
    play(&mut bob, &id, "e7e5").await;
    let mut owner = Client::new(&app);
    owner.post("/api/login", json!({ "username": "ann", "password": "password of ann" })).await.ok();
    owner.post("/api/account/delete", json!({ "password": "password of ann" })).await.ok();
    let reply = bob.get(&format!("/api/game/{id}")).await;
    assert!(!reply.text.contains("ann"), "{}", reply.text);
    let game = reply.ok();
    assert_eq!((&game["status"], &game["winner"]), (&json!("resign"), &json!("black")), "what went on was given up");
}

#[tokio::test]
async fn every_route_of_the_api_is_described() {
    let description = serde_json::to_value(warpchess_server::openapi()).unwrap();
    let paths = description["paths"].as_object().unwrap();
    for path in [
        "/api/challenge/{username}",
        "/api/board/seek",
        "/api/stream/event",
        "/api/bot/game/stream/{id}",
        "/api/bot/game/{id}/move/{uci}",
        "/api/board/game/{id}/takeback/{answer}",
        "/game/export/{id}",
        "/api/games/user/{username}",
        "/api/archive",
        "/api/archive/export",
        "/api/import",
        "/api/explorer/{variant}",
        "/api/games/{id}/analysis",
        "/api/stream/games-by-users",
        "/api/round/{id}/add-time/{seconds}",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
    let mut ids = std::collections::HashSet::new();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(operation["summary"].is_string(), "{method} {path} has no summary");
            assert!(!operation["tags"].as_array().unwrap().is_empty(), "{method} {path} has no tag");
            assert!(ids.insert(operation["operationId"].clone()), "{method} {path}: {}", operation["operationId"]);
        }
    }
}

#[tokio::test]
async fn who_calls_off_game_after_game_has_to_wait() {
    let app = unlimited().await;
    let (mut ann, mut bob) = (player(&app, "ann").await, player(&app, "bob").await);
    let wish = || json!({ "clock.limit": 60, "clock.increment": 1 });
    for _ in 0..5 {
        let made = ann.post("/api/challenge/bob", wish()).await.ok();
        let id = made["id"].as_str().unwrap();
        bob.post(&format!("/api/challenge/{id}/accept"), json!({})).await.ok();
        ann.post(&format!("/api/board/game/{id}/abort"), json!({})).await.ok();
    }
    let reply = ann.post("/api/challenge/bob", wish()).await;
    assert!((1..=900).contains(&reply.header("retry-after").parse::<u64>().unwrap()));
    assert_eq!(reply.refused(429), "too-many-aborts");
    let made = bob.post("/api/challenge/ann", wish()).await.ok();
    let accept = format!("/api/challenge/{}/accept", made["id"].as_str().unwrap());
    assert_eq!(ann.post(&accept, json!({})).await.refused(429), "too-many-aborts");
    ann.post("/api/challenge/ai", json!({ "level": 1 })).await.ok();
}

#[tokio::test]
async fn the_clocks_run_from_the_beginning_if_both_players_want_it() {
    let app = unlimited().await;
    let (ann, bob, id) = game(&app, json!({})).await;
    let cid = player(&app, "cid").await;
    let token = |client: &Client| client.token.clone().unwrap();
    let start =
        |a: &Client, b: &Client| format!("/api/challenge/{id}/start-clocks?token1={}&token2={}", token(a), token(b));
    // The tokens say it, whoever sends them.
    let mut sender = Client::new(&app);
    for (path, status, code) in [
        (start(&ann, &ann), 403, "not-a-player"),
        (start(&ann, &cid), 403, "not-a-player"),
        (format!("/api/challenge/{id}/start-clocks?token1={}&token2=wct_none", token(&ann)), 401, "invalid-token"),
        (format!("/api/challenge/{id}/start-clocks?token1={}", token(&ann)), 400, "bad-request"),
    ] {
        let reply = sender.post(&path, json!({})).await;
        assert_eq!(reply.refused(status), code, "{path}");
    }
    let state = sender.get(&format!("/api/games/{id}")).await.ok();
    assert_eq!(state["clock"]["running"], json!(null));
    for _ in 0..2 {
        sender.post(&start(&bob, &ann), json!({})).await.ok();
        let state = sender.get(&format!("/api/games/{id}")).await.ok();
        assert_eq!((&state["clock"]["running"], &state["seq"]), (&json!("white"), &json!(2)), "once is enough");
    }
    let slow = Client::with_token(&app, "dan", "challenge:read,board:play").await;
    assert_eq!(sender.post(&start(&slow, &ann), json!({})).await.refused(403), "missing-scope");
}
