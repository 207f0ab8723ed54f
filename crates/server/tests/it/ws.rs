//! The WebSocket protocol, at a real port.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, Message};
use warpchess_server::Config;
use warpchess_server::clock::{Clock, ManualClock};

use crate::common::Database;
use crate::common::socket::{Client, Server};
use crate::common::table::START;

async fn server() -> Server {
    Server::start(Config { workers: 1, ..Config::default() }).await
}

#[tokio::test]
async fn two_play_and_one_watches() {
    let server = server().await;
    let (white, black) = (server.visitor().await, server.visitor().await);
    let game = server.game(&white, &black, "chess").await;
    let (mut w, mut b) = (server.client(&white).await, server.client(&black).await);
    let mut s = server.client(&server.visitor().await).await;
    assert_eq!(w.wait("welcome").await["protocol"], 1);
    assert_eq!(w.join(&game, None).await["state"]["you"], "white");
    assert_eq!(b.join(&game, None).await["state"]["you"], "black");
    let joined = s.join(&game, None).await;
    assert_eq!((joined["state"]["you"].as_str(), joined["room"].as_str()), (None, Some("spectators")));
    let there = w.until(|m| m["t"] == "presence" && m["spectators"] == 1).await;
    assert_eq!((there["white"].as_bool(), there["black"].as_bool()), (Some(true), Some(true)));

    let ack = w.play(&game, 0, "e2e4", "m1").await;
    assert_eq!((ack["t"].as_str(), ack["seq"].as_i64(), ack["ply"].as_i64()), (Some("ack"), Some(2), Some(1)));
    for client in [&mut w, &mut b, &mut s] {
        let event = client.event(2).await;
        assert_eq!(
            (event["kind"].as_str(), event["uci"].as_str(), event["san"].as_str()),
            (Some("move"), Some("e2e4"), Some("e4"))
        );
        assert_eq!(event["clock"]["white"], 300_000);
    }
    let refused = s.play(&game, 1, "e7e5", "x").await;
    assert_eq!((refused["code"].as_str(), refused["id"].as_str()), (Some("not-a-player"), Some("x")));
    b.ask(json!({ "t": "do", "game": game, "action": "draw-offer" })).await;
    assert_eq!(w.event(3).await["kind"], "draw-offer");
    w.ask(json!({ "t": "do", "game": game, "action": "draw-accept" })).await;
    let end = s.event(4).await;
    assert_eq!((end["end"]["reason"].as_str(), end["end"]["winner"].as_str()), (Some("agreement"), None));
    w.wait("game-end").await;
}

#[tokio::test]
async fn the_game_of_an_opponent_who_stays_away_can_be_claimed() {
    let clock = ManualClock::new(START);
    let server = Server::start(Config { clock: Arc::new(clock.clone()), workers: 0, ..Config::default() }).await;
    let (white, black) = (server.visitor().await, server.visitor().await);
    let game = server.game(&white, &black, "chess").await;
    let (mut w, mut b) = (server.client(&white).await, server.client(&black).await);
    let claim = json!({ "t": "do", "game": game, "action": "claim-victory", "id": "c" });
    assert_eq!(w.join(&game, None).await["state"]["patience"], 20_000);
    b.join(&game, None).await;
    w.play(&game, 0, "e2e4", "m1").await;
    b.play(&game, 1, "e7e5", "m2").await;
    w.until(|m| m["t"] == "presence" && m["black"] == true).await;
    assert_eq!(w.ask(claim.clone()).await["code"], "opponent-there");
    drop(b);
    let gone = w.until(|m| m["t"] == "presence" && m["black"] == false && !m["left"]["black"].is_null()).await;
    assert_eq!((gone["left"]["black"].as_i64(), gone["left"]["white"].as_i64()), (Some(START), None));
    clock.advance(Duration::from_millis(19_999));
    assert_eq!(w.ask(claim.clone()).await["code"], "opponent-there");
    clock.advance(Duration::from_millis(1));
    let mut s = server.client(&server.visitor().await).await;
    assert_eq!(s.ask(claim.clone()).await["code"], "not-a-player");
    assert_eq!(w.ask(claim).await["t"], "ack");
    assert_eq!(w.event(4).await["end"]["winner"], "white");
}

#[tokio::test]
async fn an_opponent_who_does_not_come_back_after_a_restart_has_left() {
    let clock = ManualClock::new(START);
    let database = Database::sqlite();
    let config =
        Config { database: database.url.clone(), clock: Arc::new(clock.clone()), workers: 0, ..Config::default() };
    let server = Server::start(config.clone()).await;
    let (white, black) = (server.visitor().await, server.visitor().await);
    let game = server.game(&white, &black, "chess").await;
    // One who plays by requests alone was never there, and cannot have left.
    let silent = server.game(&white, &black, "chess").await;
    let (mut w, mut b) = (server.client(&white).await, server.client(&black).await);
    for client in [&mut w, &mut b] {
        client.join(&game, None).await;
    }
    for (ply, (client, uci)) in (0..).zip([(&mut w, "e2e4"), (&mut b, "e7e5")]) {
        client.play(&game, ply, uci, "m").await;
    }
    w.join(&silent, None).await;
    // Stored is what is told here by the next answer to a write: who came is written before.
    wait_for_both(&database, &game).await;
    server.stop().await;
    while w.next().await.is_some() {}

    clock.advance(Duration::from_secs(15));
    let server = Server::start(config).await;
    let mut w = server.client(&white).await;
    w.join(&game, None).await;
    let here = w.until(|m| m["t"] == "presence" && m["game"] == *game && m["white"] == true).await;
    // While there was no server nobody could be there.
    assert_eq!(here["left"], json!({ "white": null, "black": START + 15_000 }));
    let claim = |game: &str| json!({ "t": "do", "game": game, "action": "claim-victory", "id": "c" });
    clock.advance(Duration::from_millis(19_999));
    assert_eq!(w.ask(claim(&game)).await["code"], "opponent-there");
    clock.advance(Duration::from_millis(1));
    assert_eq!(w.ask(claim(&silent)).await["code"], "opponent-there");
    assert_eq!(w.ask(claim(&game)).await["t"], "ack");
    server.stop().await;
}

/// Waits until it is stored that both players were at a game.
async fn wait_for_both(database: &Database, game: &str) {
    let store = database.open().await;
    loop {
        let came = warpchess_server::store::presence::came(&mut store.read().await.unwrap()).await.unwrap();
        if came.iter().filter(|(id, _)| id == game).count() == 2 {
            return store.close().await;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_live_challenge_leaves_the_lobby_soon_after_its_maker() {
    let clock = ManualClock::new(START);
    let database = Database::sqlite();
    let config =
        Config { database: database.url.clone(), clock: Arc::new(clock.clone()), workers: 0, ..Config::default() };
    let server = Server::start(config.clone()).await;
    let (maker, other, program) = (server.visitor().await, server.visitor().await, server.visitor().await);
    let live = json!({ "kind": "live", "limit": 300_000, "increment": 0 });
    let open = async |server: &Server, who: &str, control: &serde_json::Value| {
        let wish = json!({ "variant": "chess", "opponent": { "kind": "lobby" }, "control": control });
        server.api("POST", "/api/challenges", who, Some(wish)).await["challenge"]["id"].as_str().unwrap().to_owned()
    };
    let lobby = async |server: &Server| {
        let mut watching = server.client(&other).await;
        watching.send(json!({ "t": "lobby" })).await;
        let told = watching.wait("lobby").await;
        let ids = told["challenges"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned());
        ids.collect::<std::collections::BTreeSet<_>>()
    };
    let mut on = server.client(&maker).await;
    on.wait("welcome").await;
    let gone = open(&server, &maker, &live).await;
    let slow = open(&server, &maker, &json!({ "kind": "days", "days": 2 })).await;
    // Who only asks by HTTP was never connected.
    let silent = open(&server, &program, &live).await;

    // As long as the maker is there, it stands; and a moment after.
    let store = database.open().await;
    let noted = async || {
        let from = clock.now();
        loop {
            let all = warpchess_server::store::challenges::standing(&mut store.read().await.unwrap()).await.unwrap();
            if all.iter().any(|it| it.id == gone && it.seen_at.is_some_and(|at| at > from)) {
                return;
            }
            clock.advance(Duration::from_millis(500));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    for _ in 0..10 {
        noted().await;
        clock.advance(Duration::from_secs(3));
    }
    noted().await;
    assert_eq!(lobby(&server).await.len(), 3);
    drop(on);
    // Comes again in time, and stays for longer than the grace.
    clock.advance(Duration::from_secs(6));
    let mut on = server.client(&maker).await;
    on.wait("welcome").await;
    for _ in 0..6 {
        noted().await;
        clock.advance(Duration::from_secs(3));
    }
    assert_eq!(lobby(&server).await.len(), 3, "a page that is loaded anew keeps them");

    // The server begins again: the maker has the same moment to come back.
    server.stop().await;
    clock.advance(Duration::from_secs(60));
    let server = Server::start(config).await;
    let mut on = server.client(&maker).await;
    on.wait("welcome").await;
    for _ in 0..6 {
        noted().await;
        clock.advance(Duration::from_secs(3));
    }
    assert_eq!(lobby(&server).await.len(), 3, "also when the server was gone");
    let mut watching = server.client(&other).await;
    watching.send(json!({ "t": "lobby" })).await;
    watching.wait("lobby").await;
    drop(on);
    let left = clock.now();
    let passing = async {
        loop {
            clock.advance(Duration::from_secs(1));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let told = tokio::select! {
        told = watching.wait("lobby-remove") => told,
        () = passing => unreachable!(),
    };
    assert!(clock.now() - left > 5000, "not at once");
    assert_eq!(told["id"], *gone);
    assert_eq!(lobby(&server).await, [slow, silent].into_iter().collect());
    server.stop().await;
}

#[tokio::test]
async fn who_comes_back_gets_what_was_missed_in_order_and_once() {
    let server = server().await;
    let (white, black) = (server.visitor().await, server.visitor().await);
    let game = server.game(&white, &black, "chess").await;
    let (mut w, mut b) = (server.client(&white).await, server.client(&black).await);
    w.join(&game, None).await;
    b.join(&game, None).await;
    w.play(&game, 0, "e2e4", "1").await;
    b.event(2).await;
    // Black is away while White's move, the opponent's answer from another device and another move are made.
    drop(b);
    let mut other = server.client(&black).await;
    other.join(&game, None).await;
    other.play(&game, 1, "e7e5", "2").await;
    w.play(&game, 2, "g1f3", "3").await;

    let mut b = server.client(&black).await;
    let joined = b.join(&game, Some(2)).await;
    assert_eq!((joined["seq"].as_i64(), joined["state"]["seq"].as_i64()), (Some(2), Some(4)));
    other.play(&game, 3, "b8c6", "4").await;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let message = b.next().await.unwrap();
        if message["t"] == "event" {
            seen.push((message["seq"].as_i64().unwrap(), message["uci"].as_str().unwrap().to_owned()));
        }
    }
    assert_eq!(seen, [(3, "e7e5".into()), (4, "g1f3".into()), (5, "b8c6".into())]);
    // A number from nowhere is none: the state tells all.
    assert_eq!(b.join(&game, Some(99)).await["seq"], 5);
}

#[tokio::test]
async fn a_move_that_was_queued_while_offline_is_answered_and_not_played_in_anothers_place() {
    let server = server().await;
    let (white, black) = (server.visitor().await, server.visitor().await);
    let game = server.game(&white, &black, "chess").await;
    let mut w = server.client(&white).await;
    let mut b = server.client(&black).await;
    w.play(&game, 0, "e2e4", "a").await;
    // The answer was lost on the way; the client sends the move again after coming back.
    drop(w);
    let mut w = server.client(&white).await;
    let again = w.play(&game, 0, "e2e4", "a").await;
    assert_eq!(
        (again["t"].as_str(), again["duplicate"].as_bool(), again["seq"].as_i64()),
        (Some("ack"), Some(true), Some(2))
    );
    b.play(&game, 1, "e7e5", "a").await;
    let again = w.play(&game, 0, "e2e4", "a").await;
    assert_eq!((again["duplicate"].as_bool(), again["ply"].as_i64()), (Some(true), Some(2)));
    // A premove for a ply that has passed, and one for a ply to come.
    let stale = w.play(&game, 0, "d2d4", "b").await;
    assert_eq!((stale["code"].as_str(), stale["ply"].as_i64()), (Some("stale"), Some(2)));
    let early = w.play(&game, 4, "d2d4", "c").await;
    assert_eq!((early["code"].as_str(), early["ply"].as_i64()), (Some("early"), Some(2)));
    let state = server.api("GET", &format!("/api/games/{game}"), &white, None).await;
    assert_eq!(state["moves"], json!(["e2e4", "e7e5"]));
}

#[tokio::test]
async fn games_go_on_after_the_server_was_restarted() {
    let database = Database::sqlite();
    let config = Config { database: database.url.clone(), ..Config::default() };
    let first = Server::start(config.clone()).await;
    let (white, black) = (first.visitor().await, first.visitor().await);
    let game = first.game(&white, &black, "teleport").await;
    let mut w = first.client(&white).await;
    w.join(&game, None).await;
    w.play(&game, 0, "e2e4", "1").await;
    first.stop().await;
    while w.next().await.is_some() {}

    let second = Server::start(config).await;
    let mut b = second.client(&black).await;
    assert_eq!(b.join(&game, Some(1)).await["state"]["you"], "black");
    assert_eq!(b.event(2).await["uci"], "e2e4");
    assert_eq!(b.play(&game, 1, "e7e5", "1").await["seq"], 3);
    second.stop().await;
}

#[tokio::test]
async fn the_lobby_is_told_as_it_changes() {
    let server = server().await;
    let (a, b) = (server.visitor().await, server.visitor().await);
    let mut watching = server.client(&b).await;
    watching.send(json!({ "t": "lobby" })).await;
    assert_eq!(watching.wait("lobby").await["challenges"], json!([]));
    let wish = json!({
        "variant": "splitportal", "opponent": { "kind": "lobby" }, "control": { "kind": "days", "days": 3 },
    });
    let made = server.api("POST", "/api/challenges", &a, Some(wish)).await;
    let added = watching.wait("lobby-add").await;
    assert_eq!(added["challenge"], made["challenge"]);
    assert_eq!(added["challenge"]["speed"], "correspondence");
    let mut maker = server.client(&a).await;
    maker.wait("welcome").await;
    let id = made["challenge"]["id"].as_str().unwrap();
    let game = server.api("POST", &format!("/api/challenges/{id}/accept"), &b, None).await["game"].clone();
    assert_eq!(watching.wait("lobby-remove").await["id"], *id);
    assert_eq!(watching.wait("game-start").await["game"], game);
    assert_eq!(maker.wait("game-start").await["game"], game);
    assert_eq!(maker.wait("challenge-accepted").await["challenge"]["game"], game);
}

#[tokio::test]
async fn the_computer_answers() {
    let server = server().await;
    let me = server.visitor().await;
    let wish = json!({
        "variant": "porthole", "color": "white", "opponent": { "kind": "computer", "level": 1 },
        "control": { "kind": "unlimited" },
    });
    let made = server.api("POST", "/api/challenges", &me, Some(wish)).await;
    let game = made["game"].as_str().unwrap().to_owned();
    let mut client = server.client(&me).await;
    client.join(&game, None).await;
    client.play(&game, 0, "e2e4", "1").await;
    assert_eq!(client.event(3).await["by"], "black");
}

#[tokio::test]
async fn what_is_said_stays_in_its_room() {
    let server = server().await;
    let (white, black) = (server.visitor().await, server.visitor().await);
    let game = server.game(&white, &black, "chess").await;
    let (mut w, mut b) = (server.client(&white).await, server.client(&black).await);
    let mut s = server.client(&server.visitor().await).await;
    for client in [&mut w, &mut b, &mut s] {
        client.join(&game, None).await;
    }
    let say = |room: &str, text: &str| json!({ "t": "chat", "game": game, "room": room, "text": text, "id": "c" });
    assert_eq!(s.ask(say("spectators", "he loses")).await["chat"], 1);
    assert_eq!(w.ask(say("players", "good luck")).await["chat"], 2);
    assert_eq!(b.wait("chat").await["text"], "good luck");
    assert_eq!(s.ask(say("players", "psst")).await["t"], "refused");
    assert!(b.seen.iter().all(|message| message["t"] != "chat"));
    // Who comes in later reads it.
    let mut again = server.client(&black).await;
    again.join(&game, None).await;
    assert_eq!(again.wait("chat").await["text"], "good luck");
}

#[tokio::test]
async fn nonsense_is_answered_and_too_much_of_it_ends_the_connection() {
    let server = server().await;
    let cookie = server.visitor().await;
    let mut client = server.client(&cookie).await;
    for nonsense in [json!({}), json!([]), json!({ "t": "dance" }), json!({ "t": "move", "game": 7 })] {
        assert_eq!(client.ask(nonsense).await["t"], "error");
    }
    for id in ["", "../etc", "nothing1", "x'; DROP TABLE games; --"] {
        let refused = client.join(id, None).await;
        assert_eq!(refused["code"], "no-game", "{id}");
    }
    let refused = client.ask(json!({ "t": "do", "game": "nothing1", "action": "dance" })).await;
    assert_eq!(refused["code"], "malformed");
    assert_eq!(client.ask(json!({ "t": "ping", "n": 7 })).await["n"], 7);
    for (wrong, field) in [
        (json!({}), "t"),
        (json!({ "t": "move", "game": "nothing1", "uci": "e2e4" }), "ply"),
        (json!({ "t": "chat", "game": "nothing1", "room": "players", "text": 5 }), "text"),
        (json!({ "t": "join" }), "game"),
        (json!([]), "message"),
    ] {
        assert_eq!(client.ask(wrong.clone()).await["field"], field, "{wrong}");
    }
}

#[tokio::test]
async fn a_connection_that_is_ended_for_what_was_sent_is_told_why() {
    let server = server().await;
    let cookie = server.visitor().await;
    let frame = |bytes: &[u8]| Message::Frame(Frame::message(bytes.to_owned(), OpCode::Data(Data::Text), true));
    let pings = (0..200).map(|n| Message::Text(json!({ "t": "ping", "n": n }).to_string().into())).collect();
    for (code, sent) in [
        (1009, vec![Message::Text("x".repeat(4097).into())]),
        (1009, vec![Message::Text("x".repeat(500_000).into())]),
        (1003, vec![Message::Binary(vec![1, 2, 3].into())]),
        (1007, vec![frame(b"{\"t\": \"\xff\"}")]),
        (1008, pings),
    ] {
        let mut client = server.client(&cookie).await;
        for message in sent {
            client.send_raw(message).await;
        }
        assert_eq!(client.end().await, Some(code));
    }
    let mut client = server.client(&cookie).await;
    client.send_raw(Message::Text(format!("{:<4096}", r#"{"t":"ping","n":1}"#).into())).await;
    assert_eq!(client.wait("pong").await["n"], 1, "4096 bytes are not too many");
}

#[tokio::test]
async fn nobody_floods_a_chat() {
    let server = server().await;
    let (white, black) = (server.visitor().await, server.visitor().await);
    let game = server.game(&white, &black, "chess").await;
    let mut client = server.client(&white).await;
    client.join(&game, None).await;
    let mut last = Value::Null;
    for n in 0..40 {
        let line = json!({ "t": "chat", "game": game, "room": "players", "text": format!("line {n}"), "id": "x" });
        last = client.ask(line).await;
        if last["t"] == "refused" {
            assert!(n >= 10, "ten may come at once");
            break;
        }
    }
    assert_eq!((&last["code"], &last["id"]), (&json!("too-many-requests"), &json!("x")), "{last}");
    assert!(last["retryAfter"].as_i64().is_some_and(|seconds| (1..=60).contains(&seconds)), "{last}");
    // The other may speak, and the game goes on.
    let mut other = server.client(&black).await;
    other.join(&game, None).await;
    let line = json!({ "t": "chat", "game": game, "room": "players", "text": "calm down" });
    assert_eq!(other.ask(line).await["t"], "ack");
    assert_eq!(client.play(&game, 0, "e2e4", "m").await["t"], "ack");
}

#[tokio::test]
async fn pages_of_other_sites_cannot_connect() {
    let server = server().await;
    let cookie = server.visitor().await;
    let refused = Client::connect(server.address, Some(&cookie), Some("https://evil.example")).await;
    assert!(matches!(refused, Err(Error::Http(reply)) if reply.status() == 403));
    let own = format!("http://{}", server.address);
    Client::connect(server.address, Some(&cookie), Some(&own)).await.unwrap();
}

#[tokio::test]
async fn a_visitor_without_a_cookie_gets_one() {
    let server = server().await;
    let reply = server.http("POST", "/api/challenges", None, Some(json!({}))).await;
    let cookie = reply.lines().find(|line| line.starts_with("set-cookie: warpchess=")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let mut client = Client::connect(server.address, None, None).await.unwrap();
    assert_eq!(client.wait("welcome").await["you"]["user"], json!(null));
}
