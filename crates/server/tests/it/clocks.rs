//! Clocks and flags.

use warpchess_server::App;
use warpchess_server::auth::Identity;
use warpchess_server::clock::Clock;
use warpchess_server::games::clock::Clocks;
use warpchess_server::games::{Action, Control, Refusal};

use crate::common::Database;
use crate::common::table::{BLITZ, START, Table, over, wish};

async fn clocks(table: &Table) -> (i64, i64, Option<&'static str>) {
    let Clocks { white, black, running } = table.state().await.clock.unwrap();
    (white, black, running)
}

#[tokio::test]
async fn time_runs_from_the_second_move_on_and_increments_are_added() {
    let table = Table::of("chess").await;
    table.moves("e2e4 e7e5").await;
    assert_eq!(clocks(&table).await, (180_000, 180_000, Some("white")));
    table.pass(5000);
    assert_eq!(clocks(&table).await, (175_000, 180_000, Some("white")));
    table.play(&table.white, 2, "g1f3").await.unwrap();
    assert_eq!(clocks(&table).await, (177_000, 180_000, Some("black")));
    table.pass(500);
    table.play(&table.black, 3, "b8c6").await.unwrap();
    assert_eq!(clocks(&table).await, (177_000, 181_500, Some("white")));
}

#[tokio::test]
async fn a_flag_falls_although_nobody_watches() {
    for database in Database::all().await {
        let table = Table::with(&database.url, wish("chess", BLITZ)).await;
        table.moves("e2e4 e7e5 g1f3").await;
        table.pass(179_000);
        assert_eq!(table.state().await.status, "started", "{}", database.name);
        // What lag could still be made good is waited for.
        table.pass(5000);
        let state = table.over().await;
        let end = state.end.unwrap();
        assert_eq!((end.winner, end.reason.as_str()), (Some("white"), "timeout"), "{}", database.name);
        assert_eq!(state.clock.unwrap().black, 0);
    }
}

#[tokio::test]
async fn a_flag_falls_although_the_node_that_saw_the_game_is_gone() {
    for database in Database::all().await {
        let table = Table::with(&database.url, wish("chess", BLITZ)).await;
        table.moves("e2e4 e7e5 g1f3").await;
        table.app.stop().await;
        table.pass(200_000);
        let other = App::start(table.config.clone()).await.unwrap();
        let end = over(&other, &table.id).await.end.unwrap();
        assert_eq!((end.winner, end.reason.as_str()), (Some("white"), "timeout"), "{}", database.name);
    }
}

#[tokio::test]
async fn time_out_against_a_side_that_can_never_win_is_a_draw() {
    let table = Table::at("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1").await;
    table.moves("a1a2 e8e7").await;
    table.pass(300_000);
    let end = table.over().await.end.unwrap();
    assert_eq!((end.winner, end.reason.as_str()), (None, "timeout"));
    // A knight in the pocket is enough to win with.
    let table = Table::at("pocketmutation", "4k3/8/8/8/8/8/8/R3K3[n] w - - 0 10").await;
    table.moves("a1a2 e8e7").await;
    table.pass(300_000);
    assert_eq!(table.over().await.end.unwrap().winner, Some("black"));
}

#[tokio::test]
async fn who_does_not_make_the_first_move_has_the_game_called_off() {
    let table = Table::of("chess").await;
    table.moves("e2e4").await;
    table.pass(30_000);
    let state = table.over().await;
    assert_eq!((state.status, state.end.unwrap().reason.as_str()), ("aborted", "noStart"));
}

#[tokio::test]
async fn a_move_that_comes_too_late_loses_and_is_not_played() {
    let table = Table::of("chess").await;
    table.moves("e2e4 e7e5").await;
    // Not yet seen by the sweeper, or not at all: the move itself shows it.
    let late = table.now() + 200_000;
    table.pass(200_000);
    let refused = table.play(&table.white, 2, "g1f3").await.unwrap_err();
    assert!(matches!(&refused, Refusal::OutOfTime | Refusal::Over(_)), "{refused}");
    let state = table.over().await;
    assert_eq!((state.ply, state.end.unwrap().winner), (2, Some("black")));
    assert_eq!(table.now(), late);
}

#[tokio::test]
async fn the_opponent_may_claim_a_fallen_flag_and_no_other() {
    let table = Table::of("chess").await;
    table.moves("e2e4 e7e5").await;
    table.pass(100_000);
    assert!(matches!(table.act(&table.black, Action::Flag).await, Err(Refusal::FlagStands(ms)) if ms > 70_000));
    table.pass(100_000);
    let claimed = table.act(&table.black, Action::Flag).await;
    assert!(matches!(&claimed, Ok(_) | Err(Refusal::Over(_))), "{claimed:?}");
    assert_eq!(table.state().await.end.unwrap().reason, "timeout");
}

#[tokio::test]
async fn after_taking_back_the_right_clock_runs_and_shows_what_it_showed() {
    for database in Database::all().await {
        let mut table = Table::with(&database.url, wish("chess", BLITZ)).await;
        table.moves("e2e4 e7e5 g1f3 b8c6").await;
        let before = clocks(&table).await;
        assert_eq!(before, (181_000, 181_000, Some("white")));
        table.pass(10_000);
        table.play(&table.white, 4, "f1c4").await.unwrap();
        table.pass(20_000);
        // White takes the bishop's move back: it is White's turn again, and Black has lost nothing.
        table.act(&table.white, Action::TakebackOffer).await.unwrap();
        table.act(&table.black, Action::TakebackAccept).await.unwrap();
        assert_eq!(clocks(&table).await, before, "{}", database.name);
        table.pass(1000);
        assert_eq!(clocks(&table).await, (180_000, 181_000, Some("white")));
        table.restart().await;
        assert_eq!(clocks(&table).await, (180_000, 181_000, Some("white")), "{}", database.name);
        // Both moves of a pair: Black's, and White's before it. It is White's turn at ply 4, so two plies go.
        table.act(&table.white, Action::TakebackOffer).await.unwrap();
        table.act(&table.black, Action::TakebackAccept).await.unwrap();
        assert_eq!(table.state().await.moves, ["e2e4", "e7e5"]);
        assert_eq!(clocks(&table).await, (180_000, 180_000, Some("white")), "{}", database.name);
    }
}

#[tokio::test]
async fn lag_is_made_good_within_a_quota() {
    let table = Table::of("chess").await;
    table.moves("e2e4 e7e5").await;
    let lagging = |ply, uci: &str| Action::Move { ply, uci: uci.into(), id: None };
    // Of three minutes and two seconds a move is to take 6.5 s: 650 ms are made good for each, 1950 in a row.
    let mut made_good = 0;
    for (i, (white, black)) in
        [("g1f3", "g8f6"), ("f3g1", "f6g8"), ("g1h3", "g8h6"), ("h3g1", "h6g8"), ("b1c3", "b8c6")].iter().enumerate()
    {
        let ply = 2 + 2 * i as i64;
        let before = clocks(&table).await.0;
        table.pass(2000);
        table.app.games().act(&table.id, &table.white, lagging(ply, white), 1000).await.unwrap();
        made_good += clocks(&table).await.0 - before;
        table.act(&table.black, lagging(ply + 1, black)).await.unwrap();
    }
    assert_eq!(made_good, 1000 + 1000 + 1000 + 900 + 650, "a quota that fills by 650 a move");
    // Nobody gains time by pretending more lag than the move took.
    let before = clocks(&table).await.0;
    table.app.games().act(&table.id, &table.white, lagging(12, "d2d4"), 1_000_000).await.unwrap();
    assert_eq!(clocks(&table).await.0, before + 2000);
}

#[tokio::test]
async fn correspondence_has_so_many_days_for_each_move() {
    const DAY: u64 = 24 * 3_600_000;
    let table = Table::with("sqlite::memory:", wish("chess", Control::Days { days: 2 })).await;
    table.pass(DAY);
    table.play(&table.white, 0, "e2e4").await.unwrap();
    table.pass(DAY);
    table.play(&table.black, 1, "e7e5").await.unwrap();
    assert_eq!(clocks(&table).await, (2 * DAY as i64, 2 * DAY as i64, Some("white")));
    table.pass(2 * DAY - 1000);
    assert_eq!(table.state().await.status, "started");
    table.pass(2000);
    let end = table.over().await.end.unwrap();
    assert_eq!((end.winner, end.reason.as_str()), (Some("black"), "timeout"));
}

#[tokio::test]
async fn without_a_clock_nothing_runs() {
    let table = Table::with("sqlite::memory:", wish("chess", Control::Unlimited)).await;
    table.moves("e2e4 e7e5").await;
    table.pass(1_000_000_000_000);
    let state = table.state().await;
    assert_eq!((state.status, state.clock, state.deadline_at), ("started", None, None));
    assert_eq!(table.act(&table.black, Action::Flag).await, Err(Refusal::NoClock));
    assert!(table.clock.now() > START);
}

#[tokio::test]
async fn a_player_may_give_the_opponent_time() {
    let database = Database::sqlite();
    let mut table = Table::with(&database.url, wish("chess", BLITZ)).await;
    let (white, black) = (table.white.clone(), table.black.clone());
    let give = |seconds| Action::AddTime { seconds };
    // Before the first move too, when the game is called off as if nothing had been given.
    let deadline = table.state().await.deadline_at;
    table.act(&black, give(30)).await.unwrap();
    assert_eq!(table.state().await.clock.unwrap().white, 210_000);
    assert_eq!(table.state().await.deadline_at, deadline);
    table.moves("e2e4 e7e5").await;
    let before = table.state().await;
    table.act(&black, give(15)).await.unwrap();
    let after = table.state().await;
    assert_eq!(after.clock.unwrap().white, before.clock.unwrap().white + 15_000);
    assert_eq!(after.clock.unwrap().black, before.clock.unwrap().black);
    assert_eq!(after.deadline_at, before.deadline_at.map(|at| at + 15_000));
    // One whose clock stands.
    table.act(&white, give(1)).await.unwrap();
    assert_eq!(table.state().await.clock.unwrap().black, after.clock.unwrap().black + 1000);
    table.restart().await;
    assert_eq!(table.state().await.clock.unwrap().black, after.clock.unwrap().black + 1000);
    for seconds in [0, -5, 86_401, i64::MAX] {
        assert_eq!(table.act(&white, give(seconds)).await.unwrap_err().code(), "malformed", "{seconds}");
    }
    assert_eq!(table.act(&crate::common::table::anonymous("x"), give(5)).await.unwrap_err().code(), "not-a-player");
    // The time given is there to be used, and no more.
    let left = table.state().await.clock.unwrap().white;
    table.pass(left as u64 - 1);
    table.play(&white, 2, "g1f3").await.unwrap();
    let slow = Table::with("sqlite::memory:", wish("chess", Control::Days { days: 1 })).await;
    assert_eq!(slow.act(&slow.white, give(5)).await.unwrap_err().code(), "no-clock");
}

#[tokio::test]
async fn time_that_was_given_stays_given_when_moves_are_taken_back() {
    for database in Database::all().await {
        let mut table = Table::with(&database.url, wish("chess", BLITZ)).await;
        let (white, black) = (table.white.clone(), table.black.clone());
        let give = |seconds| Action::AddTime { seconds };
        let back = async |table: &Table, by: &Identity, to: &Identity| {
            table.act(by, Action::TakebackOffer).await.unwrap();
            table.act(to, Action::TakebackAccept).await.unwrap();
        };
        table.act(&black, give(30)).await.unwrap();
        table.moves("e2e4 e7e5 g1f3 b8c6").await;
        // White had 210 s and Black 180 s; two moves of a second each with two seconds of increment, of which the first is free.
        assert_eq!(clocks(&table).await, (211_000, 181_000, Some("white")));
        table.act(&black, give(15)).await.unwrap();
        table.moves("f1c4").await;
        table.act(&white, give(7)).await.unwrap();
        table.pass(5000);
        // White's 15 s were given before the move that is taken back, Black's 7 s after it.
        back(&table, &white, &black).await;
        assert_eq!(clocks(&table).await, (226_000, 188_000, Some("white")), "{}", database.name);
        table.restart().await;
        assert_eq!(clocks(&table).await, (226_000, 188_000, Some("white")), "{}", database.name);
        // And again, to before all of it.
        back(&table, &white, &black).await;
        assert_eq!(table.state().await.moves, ["e2e4", "e7e5"]);
        assert_eq!(clocks(&table).await, (225_000, 187_000, Some("white")), "{}", database.name);
        // The deadline knows it, too.
        let state = table.state().await;
        assert!(state.deadline_at.unwrap() >= table.now() + 225_000, "{}", database.name);
        // What was given before the first move is in what the first move left.
        back(&table, &white, &black).await;
        assert_eq!((table.state().await.ply, clocks(&table).await.0), (0, 225_000), "{}", database.name);
    }
}

#[tokio::test]
async fn clocks_that_are_started_run_before_both_have_moved() {
    for database in Database::all().await {
        let mut table = Table::with(&database.url, wish("chess", BLITZ)).await;
        let both = [table.white.clone(), table.black.clone()];
        table.pass(10_000);
        assert_eq!(clocks(&table).await, (180_000, 180_000, None));
        let games = table.app.games();
        let twice = [table.white.clone(), table.white.clone()];
        assert_eq!(games.start_clocks(&table.id, twice).await.unwrap_err().code(), "not-a-player");
        games.start_clocks(&table.id, both.clone()).await.unwrap();
        assert!(games.start_clocks(&table.id, both.clone()).await.unwrap().duplicate);
        table.pass(4000);
        assert_eq!(clocks(&table).await, (176_000, 180_000, Some("white")));
        table.restart().await;
        table.play(&table.white, 0, "e2e4").await.unwrap();
        table.pass(3000);
        assert_eq!(clocks(&table).await, (178_000, 177_000, Some("black")), "{}", database.name);
        // Nobody has lost a game that has not begun in earnest.
        table.pass(200_000);
        let state = table.over().await;
        assert_eq!((state.status, state.end.unwrap().reason.as_str()), ("aborted", "noStart"), "{}", database.name);
    }
    let slow = Table::with("sqlite::memory:", wish("chess", Control::Days { days: 1 })).await;
    let both = [slow.white.clone(), slow.black.clone()];
    assert_eq!(slow.app.games().start_clocks(&slow.id, both).await.unwrap_err().code(), "no-clock");
}
