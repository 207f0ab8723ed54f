//! The computer opponent, and several nodes at one database.

use std::time::Duration;

use warpchess_server::App;
use warpchess_server::Config;
use warpchess_server::games::challenges::{Opponent, Wish};
use warpchess_server::games::{Action, Control, Refusal};

use crate::common::Database;
use crate::common::table::{BLITZ, anonymous, begin, wish};

fn config(database: &Database, bus: &str, workers: usize) -> Config {
    Config { database: database.url.clone(), bus: bus.to_owned(), workers, ..Config::default() }
}

fn against_computer(variant: &str) -> Wish {
    Wish { opponent: Opponent::Computer { level: 1 }, ..wish(variant, Control::Unlimited) }
}

/// Waits until so many plies are played.
async fn at_ply(app: &App, id: &str, ply: i64) -> Vec<String> {
    loop {
        let state = app.games().state(id, None).await.unwrap();
        if state.ply >= ply {
            return state.moves;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn it_answers_every_move_once_in_every_game() {
    let database = Database::sqlite();
    let app = App::start(config(&database, "local", 2)).await.unwrap();
    let me = anonymous("me");
    for variant in warpchess_rules::VariantId::all() {
        let id = begin(&app, &against_computer(variant.id()), &me, &me).await;
        for round in 0..3 {
            let view = serde_json::to_value(app.games().view(&id).await.unwrap().unwrap()).unwrap();
            let uci = view["legal"][0]["uci"].as_str().unwrap().to_owned();
            let state = app.games().state(&id, Some(&me)).await.unwrap();
            assert_eq!(state.turn, "white", "{variant}");
            app.games().act(&id, &me, Action::Move { ply: state.ply, uci, id: None }, 0).await.unwrap();
            assert_eq!(at_ply(&app, &id, 2 * round + 2).await.len() as i64, 2 * round + 2, "{variant}");
        }
    }
}

#[tokio::test]
async fn its_turn_outlives_the_node_and_is_taken_once_by_two() {
    for database in Database::all().await {
        // The node that has the game computes nothing.
        let me = anonymous("me");
        let first = App::start(config(&database, "local", 0)).await.unwrap();
        let mut ids = Vec::new();
        for _ in 0..8 {
            let id = begin(&first, &against_computer("chess"), &me, &me).await;
            first.games().act(&id, &me, Action::Move { ply: 0, uci: "e2e4".into(), id: None }, 0).await.unwrap();
            ids.push(id);
        }
        first.stop().await;
        // Two others come up at once.
        let bus = format!("local:{}", database.url);
        let (a, b) = tokio::join!(App::start(config(&database, &bus, 2)), App::start(config(&database, &bus, 2)));
        let (a, b) = (a.unwrap(), b.unwrap());
        for id in &ids {
            at_ply(&a, id, 2).await;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        for id in &ids {
            let events = b.games().events_after(id, 0).await.unwrap();
            assert_eq!(events.iter().filter(|event| event.kind == "move").count(), 2, "{}", database.name);
            assert_eq!(b.games().state(id, None).await.unwrap().ply, 2);
        }
        a.stop().await;
        b.stop().await;
    }
}

#[tokio::test]
async fn it_takes_back_at_once_and_plays_no_move_of_a_position_that_is_gone() {
    let database = Database::sqlite();
    let app = App::start(config(&database, "local", 1)).await.unwrap();
    let me = anonymous("me");
    let id = begin(&app, &against_computer("chess"), &me, &me).await;
    for round in 0..5 {
        let play = |uci: &str| Action::Move { ply: 0, uci: uci.into(), id: None };
        app.games().act(&id, &me, play("e2e4"), 0).await.unwrap();
        if round % 2 == 0 {
            at_ply(&app, &id, 2).await;
        }
        app.games().act(&id, &me, Action::TakebackOffer, 0).await.unwrap();
        assert_eq!(app.games().state(&id, None).await.unwrap().ply, 0);
    }
    app.games().act(&id, &me, Action::Move { ply: 0, uci: "d2d4".into(), id: None }, 0).await.unwrap();
    let moves = at_ply(&app, &id, 2).await;
    assert_eq!((moves.len(), moves[0].as_str()), (2, "d2d4"));
    assert_eq!(app.games().act(&id, &me, Action::DrawOffer, 0).await, Err(Refusal::ComputerPlaysOn));
    app.games().act(&id, &me, Action::Resign, 0).await.unwrap();
    let next = app.games().act(&id, &me, Action::RematchOffer, 0).await.unwrap().rematch.unwrap();
    assert_eq!(at_ply(&app, &next, 1).await.len(), 1, "now it has White");
}

#[tokio::test]
async fn players_on_two_nodes_play_one_game() {
    for database in Database::all().await {
        let bus = format!("local:two of {}", database.url);
        let a = App::start(config(&database, &bus, 0)).await.unwrap();
        let b = App::start(config(&database, &bus, 0)).await.unwrap();
        let (white, black) = (anonymous("white"), anonymous("black"));
        let id = begin(&a, &wish("chess", BLITZ), &white, &black).await;
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"];
        for (ply, uci) in (0..).zip(moves) {
            let (app, who) = if ply % 2 == 0 { (&a, &white) } else { (&b, &black) };
            let action = Action::Move { ply, uci: uci.into(), id: Some(format!("m{ply}")) };
            let done = app.games().act(&id, who, action.clone(), 0).await.unwrap();
            assert_eq!(done.ply, ply + 1, "{}", database.name);
            // Sent again, to the other node.
            let other = if ply % 2 == 0 { &b } else { &a };
            assert!(other.games().act(&id, who, action, 0).await.unwrap().duplicate, "{}", database.name);
        }
        // Both at once, on both: one is played.
        let action = |uci: &str| Action::Move { ply: 6, uci: uci.into(), id: None };
        let (x, y) =
            tokio::join!(a.games().act(&id, &white, action("d2d3"), 0), b.games().act(&id, &white, action("e1g1"), 0));
        assert_eq!([&x, &y].iter().filter(|it| it.is_ok()).count(), 1, "{x:?} {y:?}");
        assert_eq!(a.games().state(&id, None).await.unwrap().moves, b.games().state(&id, None).await.unwrap().moves);
        a.stop().await;
        b.stop().await;
    }
}
