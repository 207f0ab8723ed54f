//! Analyses: asked for, done by workers here and elsewhere, taken on when a worker dies, told in exports.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use warpchess_server::clock::{Clock, ManualClock};
use warpchess_server::jobs::{ATTEMPTS, DAILY, LEASE, OPEN_OF_ONE, Process};
use warpchess_server::limits::Limits;
use warpchess_server::store::StoreError;
use warpchess_server::store::analysis::{self, Eval, JobRow, PlyRow, State};
use warpchess_server::{App, Config};

use crate::archive::play;
use crate::common::Database;
use crate::common::client::Client;
use crate::common::socket::Server;
use crate::common::table::{BLITZ, START, account, anonymous, begin, wish};

fn config(database: &Database, workers: usize) -> Config {
    let limits = Limits { requests: 0, logins: 0, imports: 0, ..Limits::default() };
    Config { database: database.url.clone(), limits, workers, analysis_nodes: 2000, ..Config::default() }
}

const MATE: &str = "f2f3 e7e5 g2g4 d8h4";

/// A short game that is over.
async fn mated(app: &App) -> String {
    let (ann, bob) = (account("ann"), account("bob"));
    let id = begin(app, &wish("chess", BLITZ), &ann, &bob).await;
    play(app, &id, &ann, &bob, MATE).await;
    id
}

/// Waits until an analysis is as it should be.
async fn until(client: &mut Client, id: &str, state: &str) -> Value {
    loop {
        let form = client.get(&format!("/api/games/{id}/analysis")).await.ok();
        if form["state"] == state {
            return form;
        }
        assert!(form["state"] != "failed" && form["state"] != "none", "{form}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn request(client: &mut Client, id: &str) -> crate::common::client::Reply {
    client.post(&format!("/api/games/{id}/analysis"), json!({})).await
}

#[tokio::test]
async fn a_finished_game_is_analysed_and_its_mistakes_are_named() {
    for database in Database::all().await {
        let app = App::start(config(&database, 1)).await.unwrap();
        let id = mated(&app).await;
        let mut cid = Client::registered(&app, "cid").await;
        assert_eq!(cid.get(&format!("/api/games/{id}/analysis")).await.ok()["state"], "none");
        assert!(cid.get(&format!("/api/game/{id}")).await.ok().get("analysis").is_none());
        let reply = request(&mut cid, &id).await;
        assert_eq!(reply.status, 202, "{}", reply.text);

        let form = until(&mut cid, &id, "done").await;
        assert_eq!((&form["done"], &form["total"], &form["attempts"]), (&json!(5), &json!(5), &json!(1)));
        let plies = form["plies"].as_array().unwrap();
        assert_eq!(plies.len(), 5);
        assert_eq!((&plies[3]["move"], &plies[3]["san"]), (&json!("g2g4"), &json!("g4")));
        assert_eq!(plies[3]["eval"], json!({ "mate": -1 }), "Black mates");
        assert_eq!((&plies[3]["best"], &plies[3]["variation"]), (&json!("d8h4"), &json!(["d8h4"])));
        assert_eq!(plies[3]["judgment"]["name"], "Blunder");
        assert_eq!(plies[3]["judgment"]["best"], plies[2]["best"]);
        assert!(plies[3]["judgment"]["comment"].as_str().unwrap().starts_with("Blunder. "), "{}", plies[3]);
        assert_eq!((&plies[4]["eval"], plies[4].get("judgment")), (&json!({ "mate": 0 }), None));
        assert_eq!((&form["white"]["blunder"], &form["black"]["blunder"]), (&json!(1), &json!(0)));
        assert!(form["white"]["acpl"].as_i64().unwrap() > 100, "{}", form["white"]);
        // Asked for again it is there.
        assert_eq!(request(&mut cid, &id).await.status, 200);

        let game = cid.get(&format!("/api/game/{id}")).await.ok();
        let analysis = game["analysis"].as_array().unwrap();
        assert_eq!((analysis.len(), &analysis[2]["mate"]), (4, &json!(-1)));
        assert_eq!(analysis[2]["judgment"]["name"], "Blunder");
        assert!(analysis[0]["eval"].is_i64() && analysis[2]["variation"].is_string(), "{game}");
        assert_eq!(game["players"]["white"]["analysis"]["blunder"], 1);
        assert!(cid.get(&format!("/api/game/{id}?evals=false")).await.ok().get("analysis").is_none());
        let pgn = cid.get(&format!("/game/export/{id}?clocks=true")).await.text.replace('\n', " ");
        assert!(pgn.contains("[%eval #-1] [%clk ") && !pgn.contains("Blunder"), "{pgn}");
        let pgn = cid.get(&format!("/game/export/{id}?literate=true")).await.text;
        assert!(pgn.contains("$4") && pgn.replace('\n', " ").contains("[%eval #-1] Blunder. "), "{pgn}");
        let found = cid.get("/api/archive?analysed=true").await.ok();
        assert_eq!((&found["games"][0]["id"], &found["games"][0]["analysed"]), (&json!(id), &json!(true)));
        app.stop().await;
    }
}

#[tokio::test]
async fn every_game_can_be_analysed() {
    let database = Database::sqlite();
    let app = App::start(Config { analysis_nodes: 300, ..config(&database, 2) }).await.unwrap();
    let (ann, bob) = (account("ann"), account("bob"));
    let mut ids = Vec::new();
    for variant in warpchess_rules::VariantId::all() {
        let id = begin(&app, &wish(variant.id(), BLITZ), &ann, &bob).await;
        for ply in 0..6 {
            let view = serde_json::to_value(app.games().view(&id).await.unwrap().unwrap()).unwrap();
            let uci = view["legal"][0]["uci"].as_str().unwrap().to_owned();
            play_at(&app, &id, ply, &uci).await;
        }
        app.games().act(&id, &ann, warpchess_server::games::Action::Resign, 0).await.unwrap();
        ids.push(id);
    }
    for id in ids {
        // One asker may not ask for as many at once.
        let mut client = Client::registered(&app, &format!("n{}", &id[..6])).await;
        assert_eq!(request(&mut client, &id).await.status, 202);
        let form = until(&mut client, &id, "done").await;
        let plies = form["plies"].as_array().unwrap();
        assert!(
            plies.len() == 7 && plies.iter().all(|ply| ply["eval"].is_object() && ply["best"].is_string()),
            "{form}"
        );
    }
    app.stop().await;
}

async fn play_at(app: &App, id: &str, ply: i64, uci: &str) {
    let who = if app.games().state(id, None).await.unwrap().turn == "white" { account("ann") } else { account("bob") };
    let action = warpchess_server::games::Action::Move { ply, uci: uci.to_owned(), id: None };
    app.games().act(id, &who, action, 0).await.unwrap();
}

#[tokio::test]
async fn who_may_not_have_a_game_analysed_is_told_why() {
    let database = Database::sqlite();
    let app = App::start(config(&database, 0)).await.unwrap();
    let (ann, nobody) = (account("ann"), anonymous("somebody else"));
    let mut visitor = Client::new(&app);
    let mut cid = Client::registered(&app, "cid").await;
    let id = mated(&app).await;
    assert_eq!(request(&mut visitor, &id).await.refused(401), "unauthorized");
    assert_eq!(request(&mut cid, "nothere1").await.refused(404), "no-game");
    let going = begin(&app, &wish("chess", BLITZ), &ann, &nobody).await;
    assert_eq!(request(&mut cid, &going).await.refused(409), "not-over");
    app.games().act(&going, &ann, warpchess_server::games::Action::Abort, 0).await.unwrap();
    assert_eq!(request(&mut cid, &going).await.refused(409), "no-moves");
    let mut reader = Client::with_token(&app, "reader", "preference:read").await;
    assert_eq!(request(&mut reader, &id).await.refused(403), "missing-scope");
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 ".to_owned() + "c3 c6 d3 d6 1-0";
    let made = cid.post_text("/api/import", &long).await.ok();
    assert_eq!(request(&mut cid, made["id"].as_str().unwrap()).await.status, 202);

    // Nobody has all of the workers for himself.
    for i in 1..=OPEN_OF_ONE {
        let id = mated(&app).await;
        let reply = request(&mut cid, &id).await;
        assert_eq!(reply.status, if i < OPEN_OF_ONE { 202 } else { 429 }, "{i}: {}", reply.text);
    }
    let asked = app.store().write(|db| {
        Box::pin(async move {
            let done = sqlx::query("UPDATE analysis_jobs SET state = 'done'").execute(db).await;
            done.map_err(StoreError::from)
        })
    });
    asked.await.unwrap();
    let mut last = 0;
    for _ in OPEN_OF_ONE..=DAILY {
        let id = mated(&app).await;
        last = request(&mut cid, &id).await.status;
        let done = app.store().write(|db| {
            Box::pin(async move {
                let done = sqlx::query("UPDATE analysis_jobs SET state = 'done'").execute(db).await;
                done.map_err(StoreError::from)
            })
        });
        done.await.unwrap();
    }
    assert_eq!(last, 429, "a day's worth");
    app.stop().await;
}

#[tokio::test]
async fn a_player_without_an_account_may_have_the_own_game_analysed() {
    let database = Database::sqlite();
    let server = Server::start(config(&database, 1)).await;
    let (white, black) = (server.visitor().await, server.visitor().await);
    let id = server.game(&white, &black, "chess").await;
    for (ply, uci) in MATE.split(' ').enumerate() {
        let who = if ply % 2 == 0 { &white } else { &black };
        let act = json!({ "action": "move", "ply": ply, "uci": uci });
        server.api("POST", &format!("/api/games/{id}/actions"), who, Some(act)).await;
    }
    // Those who follow the game are told how far it is.
    let mut client = server.client(&black).await;
    client.join(&id, None).await;
    let reply = server.api("POST", &format!("/api/games/{id}/analysis"), &white, Some(json!({}))).await;
    assert_eq!(reply["total"], 5, "{reply}");
    loop {
        let told = client.wait("analysis").await;
        assert_eq!((&told["game"], &told["total"]), (&json!(id), &json!(5)));
        if told["state"] == "done" {
            break;
        }
        assert!(["queued", "running"].contains(&told["state"].as_str().unwrap()), "{told}");
    }
    server.stop().await;
}

fn found(ply: i64, cp: i64) -> PlyRow {
    PlyRow { ply, eval: Eval::Cp(cp), line: vec!["a2a3".into()] }
}

/// Takes a job on as a worker that is about to die.
async fn claim(app: &App, id: &str, worker: &str, now: i64) -> Option<JobRow> {
    let job = analysis::job(&mut app.store().read().await.unwrap(), id).await.unwrap().unwrap();
    let (worker, seen) = (worker.to_owned(), job.clone());
    let claimed = app
        .store()
        .write(move |db| Box::pin(async move { analysis::claim(db, &seen, &worker, now, now + LEASE).await }));
    let claimed: bool = claimed.await.unwrap();
    claimed.then(|| JobRow { attempts: job.attempts + 1, ..job })
}

async fn progress(app: &App, job: &JobRow, worker: &str, plies: Vec<PlyRow>, until: i64) -> Option<i64> {
    let (id, worker, attempt) = (job.game.clone(), worker.to_owned(), job.attempts);
    let written = app
        .store()
        .write(move |db| Box::pin(async move { analysis::progress(db, &id, (&worker, attempt), &plies, until).await }));
    let written: Result<Option<i64>, StoreError> = written.await;
    written.unwrap()
}

#[tokio::test]
async fn the_work_of_a_worker_that_dies_is_taken_on_where_it_was_left() {
    for database in Database::all().await {
        let clock = ManualClock::new(START);
        let config = Config { clock: Arc::new(clock.clone()), ..config(&database, 0) };
        let app = App::start(config.clone()).await.unwrap();
        let id = mated(&app).await;
        let mut cid = Client::registered(&app, "cid").await;
        request(&mut cid, &id).await.ok();

        let job = claim(&app, &id, "one", clock.now()).await.unwrap();
        assert!(claim(&app, &id, "two", clock.now()).await.is_none(), "it is the other's");
        assert_eq!(progress(&app, &job, "one", vec![found(0, 777)], clock.now() + LEASE).await, Some(1));
        let form = cid.get(&format!("/api/games/{id}/analysis")).await.ok();
        assert_eq!((&form["state"], &form["done"], &form["total"]), (&json!("running"), &json!(1), &json!(5)));
        assert_eq!((&form["plies"][0]["eval"], &form["plies"][1]["eval"]), (&json!({ "cp": 777 }), &Value::Null));

        // It is not heard of any more.
        app.stop().await;
        clock.advance(Duration::from_millis(LEASE as u64 - 1000));
        let app = App::start(Config { workers: 1, ..config }).await.unwrap();
        let mut cid = Client::new(&app);
        tokio::time::sleep(Duration::from_millis(300)).await;
        let form = cid.get(&format!("/api/games/{id}/analysis")).await.ok();
        assert_eq!((&form["state"], &form["done"]), (&json!("running"), &json!(1)), "its time is not over");
        clock.advance(Duration::from_millis(1000));
        let form = until(&mut cid, &id, "done").await;
        assert_eq!(form["attempts"], 2, "{}", database.name);
        assert_eq!(form["plies"][0]["eval"], json!({ "cp": 777 }), "what it had found stands");
        // Should it wake up, it has lost the job.
        assert_eq!(progress(&app, &job, "one", vec![found(1, 5)], clock.now() + LEASE).await, None);
        app.stop().await;
    }
}

#[tokio::test]
async fn a_game_at_which_every_worker_dies_is_given_up_and_may_be_tried_again() {
    for database in Database::all().await {
        let clock = ManualClock::new(START);
        let config = Config { clock: Arc::new(clock.clone()), ..config(&database, 0) };
        let app = App::start(config.clone()).await.unwrap();
        let id = mated(&app).await;
        let mut cid = Client::registered(&app, "cid").await;
        request(&mut cid, &id).await.ok();
        for attempt in 1..=ATTEMPTS {
            let job = claim(&app, &id, "worker", clock.now()).await.unwrap();
            assert_eq!(job.attempts, attempt);
            clock.advance(Duration::from_millis(LEASE as u64));
        }
        app.stop().await;
        let app = App::start(Config { workers: 1, ..config }).await.unwrap();
        let cookie = cid.cookie;
        let mut cid = Client::new(&app);
        cid.cookie = cookie;
        let failed = loop {
            let form = cid.get(&format!("/api/games/{id}/analysis")).await.ok();
            if form["state"] == "failed" {
                break form;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert!(failed["error"].as_str().unwrap().contains("given up"), "{failed}");
        assert_eq!(request(&mut cid, &id).await.status, 202);
        let form = until(&mut cid, &id, "done").await;
        assert_eq!((&form["error"], &form["attempts"]), (&Value::Null, &json!(1)), "{}", database.name);
        app.stop().await;
    }
}

#[tokio::test]
async fn of_many_workers_one_has_a_job() {
    for database in Database::all().await {
        let app = App::start(config(&database, 0)).await.unwrap();
        let mut cid = Client::registered(&app, "cid").await;
        for _ in 0..3 {
            let id = mated(&app).await;
            request(&mut cid, &id).await.ok();
            let names: Vec<String> = (0..8).map(|i| format!("worker {i}")).collect();
            let claims = names.iter().map(|name| claim(&app, &id, name, START));
            let claims = futures_util::future::join_all(claims).await;
            assert_eq!(claims.iter().flatten().count(), 1, "{}", database.name);
        }
        app.stop().await;
    }
}

#[tokio::test]
async fn a_process_of_its_own_does_the_work_and_gives_it_back_when_stopped() {
    for database in Database::all().await {
        let app = App::start(config(&database, 0)).await.unwrap();
        let mut cid = Client::registered(&app, "cid").await;
        let process = |threads| Process { database: database.url.clone(), bus: "local".into(), threads };
        let begin = |threads| {
            let (stop, stopped) = oneshot::channel::<()>();
            let run = process(threads).run(|| (), async move {
                let _ = stopped.await;
            });
            (stop, tokio::spawn(run))
        };
        let ids = [mated(&app).await, mated(&app).await];
        for id in &ids {
            request(&mut cid, id).await.ok();
        }
        let (stop, ended) = begin(2);
        for id in &ids {
            until(&mut cid, id, "done").await;
        }
        stop.send(()).unwrap();
        ended.await.unwrap().unwrap();

        // In the middle of a search that would take long.
        let id = mated(&app).await;
        request(&mut cid, &id).await.ok();
        let slow = app.store().write(|db| {
            Box::pin(async move {
                let slow = sqlx::query("UPDATE analysis_jobs SET nodes = 1000000000 WHERE state = 'queued'");
                slow.execute(db).await.map_err(StoreError::from)
            })
        });
        slow.await.unwrap();
        let (stop, ended) = begin(1);
        until(&mut cid, &id, "running").await;
        stop.send(()).unwrap();
        ended.await.unwrap().unwrap();
        let job = app.jobs().of(&id).await.unwrap().unwrap();
        assert_eq!((job.state, job.attempts, job.claimed_by), (State::Queued, 0, None), "{}", database.name);
        app.stop().await;
    }
}
