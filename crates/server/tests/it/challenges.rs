//! How games come about.

use warpchess_server::App;
use warpchess_server::auth::Identity;
use warpchess_server::games::challenges::{Challenge, Made, Opponent, Wish};
use warpchess_server::games::{Action, Control};
use warpchess_server::names::Name;
use warpchess_server::store::{Store, StoreError, accounts};

use crate::common::Database;
use crate::common::table::{BLITZ, Table, account, anonymous, begin, wish};

async fn register(store: &Store, name: &str) {
    let name = Name::parse(name).unwrap();
    let job = store.write(move |db| Box::pin(async move { accounts::insert(db, &name, "none", false, 0).await }));
    let made: Result<bool, StoreError> = job.await;
    assert!(made.unwrap());
}

async fn challenge(app: &App, wish: &Wish, who: &Identity) -> Challenge {
    match app.challenges().make(wish, who).await.unwrap() {
        Made::Challenge(challenge) => *challenge,
        Made::Game(id) => panic!("game {id}"),
    }
}

#[tokio::test]
async fn an_open_challenge_is_in_the_lobby_until_one_accepts() {
    for database in Database::all().await {
        let table = Table::with(&database.url, wish("chess", BLITZ)).await;
        let app = &table.app;
        let open = Wish { opponent: Opponent::Lobby, ..wish("porthole", BLITZ) };
        let open = challenge(app, &open, &anonymous("a")).await;
        assert_eq!(app.challenges().lobby().await.unwrap(), std::slice::from_ref(&open));
        let own = app.challenges().accept(&open.id, &anonymous("a")).await.unwrap_err();
        assert_eq!(own.code, "own-challenge");
        // Two want it at once: one game begins.
        let (b, c) = (anonymous("b"), anonymous("c"));
        let (b, c) = tokio::join!(app.challenges().accept(&open.id, &b), app.challenges().accept(&open.id, &c));
        let games: Vec<_> = [&b, &c].into_iter().flatten().collect();
        let refused: Vec<_> = [&b, &c].into_iter().filter_map(|it| it.as_ref().err()).collect();
        assert_eq!((games.len(), refused[0].code), (1, "challenge-gone"), "{}", database.name);
        assert!(app.challenges().lobby().await.unwrap().is_empty());
        let now = app.challenges().get(&open.id, None).await.unwrap();
        assert_eq!((now.status, now.game.as_ref()), ("accepted", Some(games[0])));
        let state = app.games().state(games[0], Some(&anonymous("a"))).await.unwrap();
        assert_eq!((state.variant, state.you), ("porthole", Some("white")));
    }
}

#[tokio::test]
async fn a_challenge_to_a_player_is_for_that_player() {
    let table = Table::of("chess").await;
    let app = &table.app;
    for name in ["Ann", "Bob", "Cid"] {
        register(app.store(), name).await;
    }
    let (ann, bob, cid) = (account("Ann"), account("Bob"), account("Cid"));
    let to = |name: &str| Wish { opponent: Opponent::User { name: name.into() }, ..wish("chess", BLITZ) };
    assert_eq!(app.challenges().make(&to("nobody"), &ann).await.unwrap_err().code, "not-found");
    assert_eq!(app.challenges().make(&to("ANN"), &ann).await.unwrap_err().field.as_deref(), Some("opponent"));
    let first = challenge(app, &to("BOB"), &ann).await;
    assert_eq!(app.challenges().of(&bob).await.unwrap(), std::slice::from_ref(&first));
    assert!(app.challenges().of(&cid).await.unwrap().is_empty());
    assert_eq!(app.challenges().get(&first.id, Some(&cid)).await.unwrap_err().code, "not-found");
    assert_eq!(app.challenges().accept(&first.id, &cid).await.unwrap_err().code, "forbidden");
    assert_eq!(app.challenges().decline(&first.id, &cid, None).await.unwrap_err().code, "forbidden");
    assert_eq!(app.challenges().cancel(&first.id, &bob).await.unwrap_err().code, "forbidden");
    app.challenges().decline(&first.id, &bob, Some("later")).await.unwrap();
    let now = app.challenges().get(&first.id, Some(&ann)).await.unwrap();
    assert_eq!((now.status, now.reason.as_deref()), ("declined", Some("later")));
    assert_eq!(app.challenges().accept(&first.id, &bob).await.unwrap_err().code, "challenge-gone");
    let second = challenge(app, &to("bob"), &ann).await;
    app.challenges().cancel(&second.id, &ann).await.unwrap();
    app.challenges().cancel(&second.id, &ann).await.unwrap();
    assert_eq!(app.challenges().accept(&second.id, &bob).await.unwrap_err().code, "challenge-gone");
}

#[tokio::test]
async fn rated_games_take_accounts_and_change_their_ratings() {
    for database in Database::all().await {
        let mut table = Table::with(&database.url, wish("chess", BLITZ)).await;
        for name in ["Ann", "Bob"] {
            register(table.app.store(), name).await;
        }
        let (ann, bob) = (account("Ann"), account("Bob"));
        let rated = Wish { rated: true, ..wish("chess", BLITZ) };
        assert_eq!(
            table.app.challenges().make(&rated, &anonymous("a")).await.unwrap_err().field.as_deref(),
            Some("rated")
        );
        let waiting = challenge(&table.app, &rated, &ann).await;
        assert_eq!(table.app.challenges().accept(&waiting.id, &anonymous("b")).await.unwrap_err().code, "forbidden");
        table.id = table.app.challenges().accept(&waiting.id, &bob).await.unwrap();
        (table.white, table.black) = (ann, bob);
        table.moves("f2f3 e7e5 g2g4 d8h4").await;
        let state = table.state().await;
        assert_eq!((state.white.rating, state.white.provisional), (Some(1500), true));
        let [white, black] = state.end.unwrap().rating_diffs.unwrap();
        assert!(white < 0 && black > 0, "{} {white} {black}", database.name);
        let events = table.app.games().events_after(&table.id, 4).await.unwrap();
        assert!(events[0].data.contains("\"ratingDiffs\":"), "{}", events[0].data);
        // The next game begins with the new ratings.
        table.act(&table.white, Action::RematchOffer).await.unwrap();
        let next = table.act(&table.black, Action::RematchAccept).await.unwrap().rematch.unwrap();
        let next = table.app.games().state(&next, None).await.unwrap();
        assert_eq!(next.white.rating, Some(1500 + black), "{}", database.name);
        // A game that was called off changes nothing.
        table.id = next.id;
        (table.white, table.black) = (table.black, table.white);
        table.moves("e2e4").await;
        table.act(&table.black, Action::Abort).await.unwrap();
        assert_eq!(table.state().await.white.rating_diff, None);
    }
}

#[tokio::test]
async fn a_rating_range_is_kept_to() {
    let table = Table::of("chess").await;
    for name in ["Ann", "Bob"] {
        register(table.app.store(), name).await;
    }
    let strong = Wish { min_rating: Some(1800), opponent: Opponent::Lobby, ..wish("chess", BLITZ) };
    let strong = challenge(&table.app, &strong, &account("Ann")).await;
    let refused = table.app.challenges().accept(&strong.id, &account("Bob")).await.unwrap_err();
    assert!(refused.message.contains("1500") && refused.message.contains("1800"), "{refused}");
    let any = Wish { max_rating: Some(1800), opponent: Opponent::Lobby, ..wish("chess", BLITZ) };
    let any = challenge(&table.app, &any, &account("Ann")).await;
    assert_eq!(table.app.challenges().accept(&any.id, &anonymous("x")).await.unwrap_err().code, "forbidden");
    table.app.challenges().accept(&any.id, &account("Bob")).await.unwrap();
}

#[tokio::test]
async fn wishes_that_cannot_be_say_which_part() {
    let table = Table::of("chess").await;
    let base = wish("chess", BLITZ);
    let wrong = [
        ("variant", Wish { variant: "checkers".into(), ..base.clone() }),
        ("fen", Wish { fen: Some("8/8/8/8/8/8/8/8 w - - 0 1".into()), ..base.clone() }),
        ("fen", Wish { fen: Some("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".into()), ..base.clone() }),
        ("fen", Wish { fen: Some("x".repeat(5000)), ..base.clone() }),
        ("control.days", Wish { control: Control::Days { days: 4 }, ..base.clone() }),
        ("control.limit", Wish { control: Control::Live { limit: i64::MAX, increment: 0 }, ..base.clone() }),
        ("color", Wish { color: Some("green".into()), ..base.clone() }),
        ("opponent", Wish { opponent: Opponent::Computer { level: 9 }, ..base.clone() }),
        ("minRating", Wish { min_rating: Some(-5), ..base.clone() }),
        ("maxRating", Wish { max_rating: Some(i64::MAX), ..base.clone() }),
        ("minRating", Wish { min_rating: Some(2000), max_rating: Some(1000), ..base.clone() }),
    ];
    for (field, wish) in wrong {
        let error = table.app.challenges().make(&wish, &anonymous("a")).await.unwrap_err();
        assert_eq!((error.status.as_u16(), error.field.as_deref()), (400, Some(field)), "{error}");
    }
}

#[tokio::test]
async fn challenges_do_not_wait_forever() {
    let table = Table::of("chess").await;
    let open = Wish { opponent: Opponent::Lobby, ..wish("chess", BLITZ) };
    let open = challenge(&table.app, &open, &anonymous("a")).await;
    table.pass(16 * 60_000);
    assert!(table.app.challenges().lobby().await.unwrap().is_empty());
    assert_eq!(table.app.challenges().accept(&open.id, &anonymous("b")).await.unwrap_err().code, "challenge-gone");
}

#[tokio::test]
async fn nobody_floods_the_lobby() {
    let table = Table::of("chess").await;
    let open = Wish { opponent: Opponent::Lobby, ..wish("chess", BLITZ) };
    for _ in 0..20 {
        challenge(&table.app, &open, &anonymous("a")).await;
    }
    let error = table.app.challenges().make(&open, &anonymous("a")).await.unwrap_err();
    assert_eq!(error.status.as_u16(), 429);
    challenge(&table.app, &open, &anonymous("b")).await;
}

#[tokio::test]
async fn the_color_is_as_wished_or_by_chance() {
    let table = Table::of("chess").await;
    let (a, b) = (anonymous("a"), anonymous("b"));
    let black = Wish { color: Some("black".into()), ..wish("chess", BLITZ) };
    let id = begin(&table.app, &black, &a, &b).await;
    assert_eq!(table.app.games().state(&id, Some(&a)).await.unwrap().you, Some("black"));
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..40 {
        let id = begin(&table.app, &Wish { color: None, ..wish("chess", BLITZ) }, &a, &b).await;
        seen.insert(table.app.games().state(&id, Some(&a)).await.unwrap().you.unwrap());
    }
    assert_eq!(seen.len(), 2);
}

#[tokio::test]
async fn a_game_may_begin_by_chance_where_its_sources_leave_that_open() {
    let table = Table::of("chess").await;
    let app = &table.app;
    let by_chance = |variant: &str| Wish { setup: Some("random".into()), ..wish(variant, BLITZ) };
    let who = anonymous("a");
    let mut seen = std::collections::HashSet::new();
    for _ in 0..5 {
        let made = challenge(app, &by_chance("porthole"), &who).await;
        let fen = made.fen.unwrap();
        let id = app.challenges().accept(&made.id, &anonymous("b")).await.unwrap();
        let state = app.games().state(&id, None).await.unwrap();
        assert_eq!(state.initial_fen.as_ref(), Some(&fen), "it is settled before somebody accepts");
        seen.insert(fen);
    }
    assert!(seen.len() > 1, "{seen:?}");
    for (wish, field) in [
        (by_chance("chess"), "setup"),
        (Wish { setup: Some("mirrored".into()), ..wish("porthole", BLITZ) }, "setup"),
        (Wish { fen: Some("4k3/8/8/8/8/8/4P3/4K3 w - - - 0 1".into()), ..by_chance("porthole") }, "setup"),
        (Wish { rated: true, ..by_chance("porthole") }, "rated"),
    ] {
        let error = app.challenges().make(&wish, &account("a")).await.unwrap_err();
        assert_eq!(error.field.as_deref(), Some(field), "{error}");
    }
}
