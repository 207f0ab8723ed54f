//! Two nodes over one PostgreSQL database and one NATS server: it does not matter to players which they are on.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;
use warpchess_server::bus;
use warpchess_server::clock::ManualClock;
use warpchess_server::jobs::jetstream::JetStream;
use warpchess_server::jobs::queue::Queue;
use warpchess_server::limits::Limits;
use warpchess_server::{App, Config};

use super::common::Database;
use super::common::nats::Nats;
use super::common::socket::{Client, Server};
use super::common::table::START;

/// Two nodes, and what they share.
struct Cluster {
    a: Server,
    b: Server,
    nats: Nats,
    _database: Database,
}

impl Cluster {
    /// `None` where PostgreSQL or NATS is not installed.
    async fn start() -> Option<Self> {
        let nats = Nats::start()?;
        let database = Database::postgres().await?;
        let limits = Limits { requests: 0, logins: 0, ..Limits::default() };
        let config =
            Config { database: database.url.clone(), bus: nats.bus(), limits, workers: 0, ..Config::default() };
        let (a, b) = tokio::join!(Server::start(config.clone()), Server::start(config));
        Some(Self { a, b, nats, _database: database })
    }
    /// Both at the board, White on one node and Black on the other.
    async fn players(&self) -> Players {
        let (white, black) = (self.a.visitor().await, self.b.visitor().await);
        let game = self.a.game(&white, &black, "chess").await;
        let (mut on_a, mut on_b) = (self.a.client(&white).await, self.b.client(&black).await);
        on_a.join(&game, None).await;
        on_b.join(&game, None).await;
        Players { white, black, game, on_a, on_b }
    }
}

struct Players {
    white: String,
    black: String,
    game: String,
    on_a: Client,
    on_b: Client,
}

impl Players {
    /// Plays a move by the player whose turn it is; both are told.
    async fn play(&mut self, ply: i64, uci: &str) -> i64 {
        let mover = if ply % 2 == 0 { &mut self.on_a } else { &mut self.on_b };
        let ack = mover.play(&self.game, ply, uci, &format!("m{ply}")).await;
        assert_eq!(ack["t"], "ack", "{ack}");
        let seq = ack["seq"].as_i64().unwrap();
        for client in [&mut self.on_a, &mut self.on_b] {
            let event = client.event(seq).await;
            assert_eq!((&event["uci"], &event["ply"]), (&json!(uci), &json!(ply + 1)), "{event}");
        }
        seq
    }
}

/// As both nodes tell it, but for the time that it is.
async fn state(server: &Server, game: &str, cookie: &str) -> Value {
    let mut state = server.api("GET", &format!("/api/games/{game}"), cookie, None).await;
    state["now"] = Value::Null;
    state["clock"] = Value::Null;
    state
}

#[tokio::test(flavor = "multi_thread")]
async fn players_on_different_nodes_play_a_whole_game() {
    let Some(cluster) = Cluster::start().await else { return };
    let mut players = cluster.players().await;
    for (ply, uci) in (0..).zip(["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]) {
        players.play(ply, uci).await;
    }
    let on_a = state(&cluster.a, &players.game, &players.white).await;
    let on_b = state(&cluster.b, &players.game, &players.white).await;
    assert_eq!(on_a, on_b);
    assert_eq!((&on_a["end"]["reason"], &on_a["end"]["winner"]), (&json!("checkmate"), &json!("white")));
    let late = players.on_b.play(&players.game, 7, "e8f7", "late").await;
    assert_eq!(late["code"], "over", "{late}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_sent_to_both_nodes_at_once_is_played_once() {
    let Some(cluster) = Cluster::start().await else { return };
    let mut players = cluster.players().await;
    let mut again = cluster.b.client(&players.white).await;
    again.join(&players.game, None).await;
    let game = players.game.clone();
    let (one, two) = tokio::join!(players.on_a.play(&game, 0, "e2e4", "m0"), again.play(&game, 0, "e2e4", "m0"));
    assert_eq!((&one["t"], &two["t"]), (&json!("ack"), &json!("ack")), "{one} {two}");
    assert_eq!(one["seq"], two["seq"]);
    let repeated = [&one, &two].iter().filter(|answer| answer["duplicate"] == true).count();
    assert_eq!(repeated, 1, "{one} {two}");
    // Of two different moves for one position one comes too late.
    let mut again = cluster.a.client(&players.black).await;
    again.join(&game, None).await;
    let (one, two) = tokio::join!(players.on_b.play(&game, 1, "e7e5", "x1"), again.play(&game, 1, "c7c5", "x2"));
    let mut kinds = [one["t"].as_str().unwrap(), two["t"].as_str().unwrap()];
    kinds.sort_unstable();
    assert_eq!(kinds, ["ack", "refused"], "{one} {two}");
    let played = state(&cluster.b, &game, &players.white).await;
    let kept = if one["t"] == "ack" { "e7e5" } else { "c7c5" };
    assert_eq!(played["moves"], json!(["e2e4", kept]));
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_of_one_node_are_seen_and_taken_on_the_other() {
    let Some(cluster) = Cluster::start().await else { return };
    let (ann, ben) = (cluster.a.visitor().await, cluster.b.visitor().await);
    let (mut on_a, mut on_b) = (cluster.a.client(&ann).await, cluster.b.client(&ben).await);
    on_b.send(json!({ "t": "lobby" })).await;
    assert_eq!(on_b.wait("lobby").await["challenges"], json!([]));
    let wish = json!({ "variant": "chess", "opponent": { "kind": "lobby" },
        "control": { "kind": "live", "limit": 300_000, "increment": 0 } });
    let made = cluster.a.api("POST", "/api/challenges", &ann, Some(wish)).await;
    let added = on_b.wait("lobby-add").await;
    assert_eq!(added["challenge"]["id"], made["challenge"]["id"]);
    let id = added["challenge"]["id"].as_str().unwrap();
    let begun = cluster.b.api("POST", &format!("/api/challenges/{id}/accept"), &ben, None).await;
    assert_eq!(on_b.wait("lobby-remove").await["id"], *id);
    assert_eq!(on_a.wait("game-start").await["game"], begun["game"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn talk_presence_and_rematches_cross_nodes() {
    let Some(cluster) = Cluster::start().await else { return };
    let mut players = cluster.players().await;
    let game = players.game.clone();
    let here = players.on_a.until(|m| m["t"] == "presence" && m["black"] == true).await;
    assert_eq!(here["white"], true, "{here}");
    let line = json!({ "t": "chat", "game": game, "room": "players", "text": "hello", "id": "c" });
    assert_eq!(players.on_a.ask(line).await["t"], "ack");
    assert_eq!(players.on_b.wait("chat").await["text"], "hello");
    players.play(0, "e2e4").await;
    players.play(1, "e7e5").await;
    let act = |action: &str| json!({ "t": "do", "game": game, "action": action });
    assert_eq!(players.on_b.ask(act("resign")).await["t"], "ack");
    players.on_a.until(|m| m["kind"] == "end").await;
    assert_eq!(players.on_a.ask(act("rematch-offer")).await["t"], "ack");
    players.on_b.until(|m| m["kind"] == "rematch-offer").await;
    let accepted = players.on_b.ask(act("rematch-accept")).await;
    let told = players.on_a.until(|m| m["kind"] == "rematch").await;
    assert_eq!(told["rematch"], accepted["rematch"]);
    let next = accepted["rematch"].as_str().unwrap();
    assert_eq!(players.on_a.join(next, None).await["state"]["you"], "black");
    drop(players.on_b);
    players.on_a.until(|m| m["t"] == "presence" && m["game"] == *game && m["black"] == false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_begins_knows_since_when_an_opponent_is_away() {
    let Some(nats) = Nats::start() else { return };
    let Some(database) = Database::postgres().await else { return };
    let clock = ManualClock::new(START);
    let limits = Limits { requests: 0, logins: 0, ..Limits::default() };
    let config = Config {
        database: database.url.clone(),
        bus: nats.bus(),
        clock: Arc::new(clock.clone()),
        limits,
        workers: 0,
        ..Config::default()
    };
    let (a, b) = (Server::start(config.clone()).await, Server::start(config.clone()).await);
    let (white, black) = (a.visitor().await, b.visitor().await);
    let game = a.game(&white, &black, "chess").await;
    let (mut on_a, mut on_b) = (a.client(&white).await, b.client(&black).await);
    on_a.join(&game, None).await;
    on_b.join(&game, None).await;
    on_a.play(&game, 0, "e2e4", "m0").await;
    on_b.play(&game, 1, "e7e5", "m1").await;
    on_a.until(|m| m["t"] == "presence" && m["black"] == true).await;
    drop(on_b);
    on_a.until(|m| m["t"] == "presence" && m["black"] == false && m["left"]["black"] == START).await;

    clock.advance(Duration::from_secs(15));
    let c = Server::start(config).await;
    let mut on_c = c.client(&white).await;
    on_c.join(&game, None).await;
    // What the others know comes soon; until then it is as if Black had left when the node began.
    let claim = json!({ "t": "do", "game": game, "action": "claim-victory", "id": "c" });
    assert_eq!(on_c.ask(claim.clone()).await["code"], "opponent-there");
    let told = async {
        loop {
            on_c.join(&game, None).await;
            let here = on_c.until(|m| m["t"] == "presence").await;
            if here["left"]["black"] == START {
                return on_c;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let mut on_c = timeout(Duration::from_secs(60), told).await.unwrap();
    clock.advance(Duration::from_secs(5));
    assert_eq!(on_c.ask(claim).await["t"], "ack");
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_start_at_once_make_the_database_together() {
    let Some(nats) = Nats::start() else { return };
    let Some(database) = Database::postgres().await else { return };
    let config = Config { database: database.url.clone(), bus: nats.bus(), workers: 0, ..Config::default() };
    let started = futures_util::future::join_all((0..4).map(|_| App::start(config.clone()))).await;
    for app in started {
        let app = app.unwrap();
        app.store().ping().await.unwrap();
        app.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_stops_hands_its_games_over() {
    let Some(cluster) = Cluster::start().await else { return };
    let mut players = cluster.players().await;
    players.play(0, "e2e4").await;
    let seen = players.play(1, "e7e5").await;
    cluster.a.stop().await;
    assert_eq!(players.on_a.next().await, None, "the node says goodbye");
    players.on_a = cluster.b.client(&players.white).await;
    let joined = players.on_a.join(&players.game, Some(seen)).await;
    assert_eq!(joined["state"]["moves"], json!(["e2e4", "e7e5"]));
    players.play(2, "g1f3").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_missed_while_the_bus_was_gone_is_read_from_the_store() {
    let Some(mut cluster) = Cluster::start().await else { return };
    let mut players = cluster.players().await;
    players.play(0, "e2e4").await;
    cluster.nats.stop();
    // The other node hears nothing, and is asked by its clients' connections to look.
    let ack = players.on_b.play(&players.game, 1, "e7e5", "m1").await;
    assert_eq!(ack["t"], "ack", "{ack}");
    let event = players.on_a.event(ack["seq"].as_i64().unwrap()).await;
    assert_eq!(event["uci"], "e7e5");
    players.play(2, "g1f3").await;
    cluster.nats.resume();
    for (ply, uci) in (3..).zip(["b8c6", "f1c4", "f8c5", "b1c3", "g8f6"]) {
        players.play(ply, uci).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_left_while_the_bus_was_gone_has_left_when_it_is_back() {
    let Some(mut cluster) = Cluster::start().await else { return };
    let mut players = cluster.players().await;
    players.play(0, "e2e4").await;
    players.play(1, "e7e5").await;
    players.on_a.until(|m| m["t"] == "presence" && m["black"] == true).await;
    cluster.nats.stop();
    // What White's node believes of Black is worth nothing until it hears the other again.
    let claim = json!({ "t": "do", "game": players.game, "action": "claim-victory", "id": "c" });
    assert_eq!(players.on_a.ask(claim).await["code"], "opponent-there");
    drop(players.on_b);
    // The other node notices.
    loop {
        let mut watching = cluster.b.client(&players.white).await;
        watching.join(&players.game, None).await;
        if watching.wait("presence").await["black"] == false {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    cluster.nats.resume();
    let told = players.on_a.until(|m| m["t"] == "presence" && m["black"] == false && !m["left"]["black"].is_null());
    timeout(Duration::from_secs(45), told)
        .await
        .expect("by what the nodes tell each other again, and not a minute later");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_bus_a_node_does_not_start_and_says_why() {
    let config = Config { bus: "nats://127.0.0.1:1".into(), ..Config::default() };
    let error = App::start(config).await.err().unwrap().to_string();
    assert!(error.contains("bus"), "{error}");
    let config = Config { bus: "amqp://127.0.0.1".into(), ..Config::default() };
    let error = App::start(config).await.err().unwrap().to_string();
    assert!(error.contains("expected local or nats://"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_job_of_the_queue_goes_to_one_worker_of_all_nodes() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.bus().parse().unwrap();
    let (one, two) = (bus::Nats::connect(&url).await.unwrap(), bus::Nats::connect(&url).await.unwrap());
    let (one, two) = (JetStream::new(&one), JetStream::new(&two));
    let wait = Duration::from_secs(1);
    // The queue is made while others begin already; until then the database alone has the jobs.
    let first = loop {
        one.push("first").await;
        if let Ok(delivery) = timeout(wait, two.next()).await {
            break delivery;
        }
    };
    assert_eq!(first.job, "first");
    first.taken().await;
    for number in 0..10 {
        one.push(&number.to_string()).await;
    }
    let mut got = Vec::new();
    while got.len() < 10 {
        let delivery = tokio::select! { delivery = one.next() => delivery, delivery = two.next() => delivery };
        got.push(delivery.job.clone());
        delivery.taken().await;
    }
    got.sort();
    assert_eq!(got, (0..10).map(|number| number.to_string()).collect::<Vec<_>>());
    assert!(timeout(wait, one.next()).await.is_err(), "nothing is given twice");
}
