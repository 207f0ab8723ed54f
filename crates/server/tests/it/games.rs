//! What may be done in a game, and what comes of it.

use warpchess_server::games::{Action, Control, Refusal};
use warpchess_server::store::games;

use crate::common::Database;
use crate::common::table::{BLITZ, Table, anonymous, begin, wish};

fn code<T: std::fmt::Debug>(refused: Result<T, Refusal>) -> &'static str {
    refused.unwrap_err().code()
}

#[tokio::test]
async fn a_game_is_played_to_mate_and_is_there_after_a_restart() {
    for database in Database::all().await {
        let mut table = Table::with(&database.url, wish("chess", BLITZ)).await;
        table.moves("f2f3 e7e5 g2g4 d8h4").await;
        for restarted in [false, true] {
            let state = table.state().await;
            let end = state.end.unwrap();
            assert_eq!((end.status, end.winner, end.reason.as_str()), ("ended", Some("black"), "checkmate"));
            assert_eq!(state.moves, ["f2f3", "e7e5", "g2g4", "d8h4"], "{} {restarted}", database.name);
            assert_eq!((state.clock.unwrap().running, state.deadline_at), (None, None));
            table.restart().await;
        }
        assert_eq!(code(table.play(&table.white, 4, "e2e4").await), "over");
    }
}

#[tokio::test]
async fn every_event_has_the_next_number() {
    let table = Table::of("chess").await;
    table.moves("e2e4 e7e5").await;
    table.act(&table.white, Action::DrawOffer).await.unwrap();
    table.act(&table.black, Action::DrawDecline).await.unwrap();
    table.act(&table.black, Action::Resign).await.unwrap();
    let events = table.app.games().events_after(&table.id, 0).await.unwrap();
    let told: Vec<(i64, &str)> = events.iter().map(|event| (event.seq, event.kind.as_str())).collect();
    assert_eq!(told, [(1, "start"), (2, "move"), (3, "move"), (4, "draw-offer"), (5, "draw-decline"), (6, "end")]);
    assert_eq!(table.state().await.seq, 6);
}

#[tokio::test]
async fn what_is_out_of_turn_or_out_of_state_is_refused_with_a_reason() {
    let table = Table::of("chess").await;
    let (white, black, other) = (&table.white, &table.black, &anonymous("other"));
    assert_eq!(code(table.play(other, 0, "e2e4").await), "not-a-player");
    assert_eq!(code(table.play(black, 0, "e2e4").await), "not-your-turn");
    assert_eq!(code(table.play(white, 0, "e2e5").await), "illegal-move");
    assert_eq!(code(table.play(white, 0, &"x".repeat(100)).await), "malformed");
    assert_eq!(code(table.act(white, Action::Resign).await), "abort-instead");
    assert_eq!(code(table.act(white, Action::DrawAccept).await), "no-offer");
    assert_eq!(code(table.act(white, Action::DrawDecline).await), "no-offer");
    assert_eq!(code(table.act(white, Action::DrawClaim).await), "no-claim");
    assert_eq!(code(table.act(white, Action::TakebackOffer).await), "nothing-to-take-back");
    assert_eq!(code(table.act(white, Action::TakebackAccept).await), "no-offer");
    assert_eq!(code(table.act(white, Action::RematchOffer).await), "not-over");
    assert_eq!(code(table.act(white, Action::Flag).await), "not-your-turn");
    assert_eq!(code(table.act(black, Action::Flag).await), "flag-stands");
    table.moves("e2e4 e7e5").await;
    assert_eq!(code(table.act(white, Action::Abort).await), "too-late-to-abort");
    assert_eq!(code(table.act(black, Action::DrawClaim).await), "not-your-turn");
    table.act(white, Action::DrawOffer).await.unwrap();
    assert_eq!(code(table.act(white, Action::DrawOffer).await), "offer-stands");
    assert_eq!(code(table.act(white, Action::DrawAccept).await), "no-offer");
    table.act(white, Action::Resign).await.unwrap();
    for action in [Action::Resign, Action::DrawOffer, Action::TakebackOffer, Action::Abort, Action::Flag] {
        assert_eq!(code(table.act(black, action).await), "over");
    }
    assert_eq!(code(table.app.games().act("nothing1", white, Action::Resign, 0).await), "no-game");
    let moves = table.state().await.moves;
    assert_eq!(moves, ["e2e4", "e7e5"]);
}

#[tokio::test]
async fn a_move_for_another_ply_is_never_played() {
    // A move chosen while offline, or sent ahead, arrives when the game has gone on.
    let table = Table::of("chess").await;
    table.moves("e2e4 e7e5 g1f3").await;
    assert_eq!(table.play(&table.white, 2, "d2d4").await, Err(Refusal::Stale { ply: 2, now: 3 }));
    assert_eq!(table.play(&table.black, 5, "b8c6").await, Err(Refusal::Early { ply: 5, now: 3 }));
    assert_eq!(table.state().await.ply, 3);
}

#[tokio::test]
async fn a_move_sent_again_is_answered_and_played_once() {
    for database in Database::all().await {
        let mut table = Table::with(&database.url, wish("chess", BLITZ)).await;
        let named = |ply, uci: &str, id: &str| Action::Move { ply, uci: uci.into(), id: Some(id.into()) };
        let first = table.act(&table.white, named(0, "e2e4", "a")).await.unwrap();
        assert!(!first.duplicate);
        let again = table.act(&table.white, named(0, "e2e4", "a")).await.unwrap();
        assert_eq!((again.seq, again.ply, again.duplicate), (first.seq, 1, true), "{}", database.name);
        // The other player may use the same name.
        table.act(&table.black, named(1, "e7e5", "a")).await.unwrap();
        // The server has forgotten nothing, and neither has the game gone back when a move is taken back.
        table.restart().await;
        let again = table.act(&table.white, named(0, "e2e4", "a")).await.unwrap();
        assert_eq!((again.seq, again.ply, again.duplicate), (first.seq, 2, true), "{}", database.name);
        table.act(&table.white, Action::TakebackOffer).await.unwrap();
        table.act(&table.black, Action::TakebackAccept).await.unwrap();
        assert_eq!(table.state().await.ply, 0);
        assert!(table.act(&table.white, named(0, "e2e4", "a")).await.unwrap().duplicate);
        assert_eq!(table.state().await.ply, 0);
    }
}

#[tokio::test]
async fn of_two_moves_for_the_same_ply_one_is_played() {
    let table = Table::of("chess").await;
    let (a, b) = tokio::join!(table.play(&table.white, 0, "e2e4"), table.play(&table.white, 0, "d2d4"));
    assert_eq!([a.is_ok(), b.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert_eq!(table.state().await.ply, 1);
}

#[tokio::test]
async fn draws_are_offered_accepted_and_lapse_with_the_next_move() {
    let table = Table::of("chess").await;
    table.moves("e2e4 e7e5").await;
    table.act(&table.white, Action::DrawOffer).await.unwrap();
    table.moves("g1f3").await;
    assert_eq!(table.state().await.draw_offer, Some("white"), "who offers may move on");
    table.moves("b8c6").await;
    assert_eq!(table.state().await.draw_offer, None, "a move declines");
    table.act(&table.black, Action::DrawOffer).await.unwrap();
    table.act(&table.white, Action::DrawOffer).await.unwrap();
    let end = table.state().await.end.unwrap();
    assert_eq!((end.winner, end.reason.as_str()), (None, "agreement"));
}

#[tokio::test]
async fn a_threefold_repetition_can_be_claimed_also_after_a_restart() {
    let database = Database::sqlite();
    let mut table = Table::with(&database.url, wish("chess", BLITZ)).await;
    table.moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1").await;
    assert_eq!(code(table.act(&table.black, Action::DrawClaim).await), "no-claim");
    table.moves("f6g8").await;
    table.restart().await;
    table.act(&table.white, Action::DrawClaim).await.unwrap();
    assert_eq!(table.state().await.end.unwrap().reason, "threefoldRepetition");
}

#[tokio::test]
async fn a_game_can_be_called_off_before_both_have_moved() {
    let table = Table::of("chess").await;
    table.moves("e2e4").await;
    table.act(&table.black, Action::Abort).await.unwrap();
    let state = table.state().await;
    assert_eq!((state.status, state.end.unwrap().winner), ("aborted", None));
}

#[tokio::test]
async fn a_rematch_has_the_colors_changed_and_is_one() {
    let table = Table::of("teleport").await;
    table.moves("e2e4 e7e5").await;
    table.act(&table.white, Action::Resign).await.unwrap();
    assert_eq!(code(table.act(&table.white, Action::RematchAccept).await), "no-offer");
    table.act(&table.white, Action::RematchOffer).await.unwrap();
    let done = table.act(&table.black, Action::RematchOffer).await.unwrap();
    let next = done.rematch.unwrap();
    let state = table.app.games().state(&next, Some(&table.black)).await.unwrap();
    assert_eq!((state.variant, state.you, state.ply, state.control), ("teleport", Some("white"), 0, BLITZ));
    assert_eq!(state.rematch_of.as_deref(), Some(table.id.as_str()));
    assert_eq!(table.act(&table.white, Action::RematchOffer).await, Err(Refusal::RematchExists(next.clone())));
    table.app.games().act(&next, &table.black, Action::Move { ply: 0, uci: "e2e4".into(), id: None }, 0).await.unwrap();
}

#[tokio::test]
async fn taking_back_restores_the_pocket_and_the_game_goes_on_after_a_restart() {
    let database = Database::sqlite();
    let mut table = Table::with(&database.url, wish("pocketmutation", BLITZ)).await;
    table.moves("e2e4 b8^N g1f3 N@c3").await;
    let before = table.app.games().view(&table.id).await.unwrap().unwrap();
    let before = serde_json::to_value(&before).unwrap();
    table.moves("d2c3 e7e5").await;
    table.act(&table.white, Action::TakebackOffer).await.unwrap();
    table.act(&table.black, Action::TakebackAccept).await.unwrap();
    for restarted in [false, true] {
        let after = table.app.games().view(&table.id).await.unwrap().unwrap();
        let after = serde_json::to_value(&after).unwrap();
        assert_eq!(after["pieces"], before["pieces"], "{restarted}");
        assert_eq!(after["fen"], before["fen"], "{restarted}");
        table.restart().await;
    }
    // Black takes back the drop: the knight is in the pocket again, and can be dropped elsewhere.
    table.act(&table.black, Action::TakebackOffer).await.unwrap();
    table.act(&table.white, Action::TakebackAccept).await.unwrap();
    table.restart().await;
    assert_eq!(table.state().await.turn, "black");
    table.moves("N@d5 e4d5").await;
    assert_eq!(table.state().await.moves, ["e2e4", "b8^N", "g1f3", "N@d5", "e4d5"]);
}

#[tokio::test]
async fn taking_back_restores_portals() {
    let table = Table::of("portalduel").await;
    table.moves("O@d4 O@e5").await;
    let placed = table.app.games().view(&table.id).await.unwrap().unwrap();
    table.moves("Od4d5").await;
    table.act(&table.white, Action::TakebackOffer).await.unwrap();
    table.act(&table.black, Action::TakebackAccept).await.unwrap();
    let back = table.app.games().view(&table.id).await.unwrap().unwrap();
    assert_eq!(serde_json::to_value(back).unwrap(), serde_json::to_value(placed).unwrap());
}

#[tokio::test]
async fn bare_kings_are_no_draw_while_a_pocket_is_full() {
    // White's knight can come back to the board.
    let full = Table::at("pocketmutation", "4k3/8/8/8/8/8/3p4/4K3[N] w - - 0 10").await;
    full.moves("e1d2 e8e7").await;
    assert_eq!(full.state().await.status, "started");
    full.moves("N@e4").await;
    let empty = Table::at("pocketmutation", "4k3/8/8/8/8/8/3p4/4K3[] w - - 0 10").await;
    empty.moves("e1d2").await;
    assert_eq!(empty.state().await.end.unwrap().reason, "insufficientMaterial");
}

#[tokio::test]
async fn a_game_of_other_rules_can_be_read_but_not_played_on() {
    let database = Database::sqlite();
    let mut table = Table::with(&database.url, wish("chess", BLITZ)).await;
    table.moves("e2e4 e7e5").await;
    // As if a move had been legal when it was played and were not any more.
    let id = table.id.clone();
    let job = table.app.store().write(move |db| {
        Box::pin(async move {
            let mut row = games::by_id(db, &id).await?.unwrap();
            row.moves = "e2e4 e7e5 e4e6".into();
            row.ply = 3;
            games::update(db, &row, row.version).await
        })
    });
    assert!(job.await.unwrap());
    table.restart().await;
    let state = table.state().await;
    assert_eq!(state.moves, ["e2e4", "e7e5", "e4e6"]);
    assert_eq!(state.rules_version, warpchess_server::games::RULES_VERSION);
    assert!(table.app.games().view(&table.id).await.unwrap().is_none());
    let events = table.app.games().events_after(&table.id, 0).await.unwrap();
    assert!(events[1].data.contains(r#""san":"e4""#) && events[1].data.contains(r#""fen":"rnbqkbnr/"#));
    assert_eq!(code(table.play(&table.white, 3, "g1f3").await), "other-rules");
    // Nobody is stuck in it.
    table.pass(600_000);
    assert_eq!(table.over().await.status, "aborted");
}

#[tokio::test]
async fn players_and_spectators_do_not_hear_each_other() {
    use warpchess_server::store::chat::Room;
    let table = Table::of("chess").await;
    let games = table.app.games();
    let other = anonymous("other");
    games.say(&table.id, &table.white, Room::Players, " good   luck\u{7} ").await.unwrap();
    games.say(&table.id, &other, Room::Spectators, "who wins?").await.unwrap();
    assert_eq!(code(games.say(&table.id, &other, Room::Players, "e4!").await), "malformed");
    assert_eq!(code(games.say(&table.id, &table.white, Room::Spectators, "hi").await), "malformed");
    assert_eq!(code(games.say(&table.id, &table.white, Room::Players, &"x".repeat(141)).await), "malformed");
    let said = games.said(&table.id, Room::Players, 0).await.unwrap();
    assert_eq!(said.len(), 1);
    assert!(said[0].to_json().contains("good luck"));
    assert_eq!(games.said(&table.id, Room::Spectators, 0).await.unwrap().len(), 1);
    assert!(games.said(&table.id, Room::Spectators, 2).await.unwrap().is_empty());
}

#[tokio::test]
async fn games_to_watch_are_live_begun_and_not_over() {
    for database in Database::all().await {
        let table = Table::with(&database.url, wish("chess", BLITZ)).await;
        let ids = async || games::live(&mut table.app.store().read().await.unwrap(), 10).await.unwrap();
        let slow = wish("chess", Control::Days { days: 3 });
        let slow = begin(&table.app, &slow, &table.white, &table.black).await;
        for (who, ply, uci) in [(&table.white, 0, "e2e4"), (&table.black, 1, "e7e5")] {
            let action = Action::Move { ply, uci: uci.to_owned(), id: None };
            table.app.games().act(&slow, who, action, 0).await.unwrap();
        }
        table.moves("e2e4").await;
        assert_eq!(ids().await, [""; 0], "{}: none has begun but by correspondence", database.name);
        table.moves("e7e5").await;
        let second = begin(&table.app, &wish("porthole", BLITZ), &table.white, &table.black).await;
        table.pass(1000);
        for (who, ply, uci) in [(&table.white, 0, "e2e4"), (&table.black, 1, "e7e5")] {
            let action = Action::Move { ply, uci: uci.to_owned(), id: None };
            table.app.games().act(&second, who, action, 0).await.unwrap();
        }
        assert_eq!(ids().await, [second.as_str(), table.id.as_str()], "{}", database.name);
        table.act(&table.white, Action::Resign).await.unwrap();
        assert_eq!(ids().await, [second.as_str()], "{}", database.name);
    }
}
