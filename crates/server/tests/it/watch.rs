//! Streams of games that others play.

use axum::body::{Body, BodyDataStream};
use axum::http::Request;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;
use warpchess_server::games::Action;
use warpchess_server::{App, router};

use crate::archive::{play, resigned};
use crate::common::client::{Client, unlimited};
use crate::common::table::{BLITZ, account, anonymous, begin, wish};

/// A stream that was begun: the first empty line was read.
async fn stream(app: &App, path: &str, body: &'static str) -> BodyDataStream {
    let request = Request::post(path).body(Body::from(body)).unwrap();
    let reply = router(app.clone()).oneshot(request).await.unwrap();
    assert_eq!(reply.status(), 200);
    let mut stream = reply.into_body().into_data_stream();
    assert_eq!(stream.next().await.unwrap().unwrap(), "\n");
    stream
}

/// The next line that says something.
async fn next(stream: &mut BodyDataStream) -> Value {
    loop {
        let line = stream.next().await.unwrap().unwrap();
        if line != "\n" {
            return serde_json::from_slice(&line).unwrap();
        }
    }
}

#[tokio::test]
async fn games_between_some_players_are_told_when_they_begin_and_end() {
    let app = unlimited().await;
    let (ann, bob, cid) = (account("ann"), account("bob"), account("cid"));
    let going = begin(&app, &wish("chess", BLITZ), &ann, &bob).await;
    let mut stream = stream(&app, "/api/stream/games-by-users?withCurrentGames=true", "Ann, bob,dan").await;
    let first = next(&mut stream).await;
    assert_eq!((&first["id"], &first["statusName"]), (&json!(going), &json!("started")));
    assert_eq!(first["clock"], json!({ "initial": 180, "increment": 2, "totalTime": 260 }));

    // Of these one player is not among them.
    resigned(&app, &wish("chess", BLITZ), &ann, &cid, "e2e4 e7e5").await;
    resigned(&app, &wish("chess", BLITZ), &anonymous("x"), &bob, "e2e4 e7e5").await;
    play(&app, &going, &ann, &bob, "e2e4 e7e5").await;
    app.games().act(&going, &ann, Action::Resign, 0).await.unwrap();
    let end = next(&mut stream).await;
    assert_eq!((&end["id"], &end["statusName"], &end["winner"]), (&json!(going), &json!("resign"), &json!("black")));
    let other = begin(&app, &wish("teleport", BLITZ), &bob, &ann).await;
    let begun = next(&mut stream).await;
    assert_eq!((&begun["id"], &begun["variant"], &begun["status"]), (&json!(other), &json!("teleport"), &json!(20)));
    assert_eq!(begun["players"]["white"]["userId"], "bob");
}

#[tokio::test]
async fn games_are_followed_by_their_ids_and_more_are_added() {
    let app = unlimited().await;
    let (ann, bob) = (anonymous("ann"), anonymous("bob"));
    let going = begin(&app, &wish("chess", BLITZ), &ann, &bob).await;
    let over = resigned(&app, &wish("teleport", BLITZ), &ann, &bob, "e2e4 e7e5").await;
    let body = format!("{going},nothing1, {over}");
    let mut stream = stream(&app, "/api/stream/games/my-stream_1", Box::leak(body.into_boxed_str())).await;
    let first = [next(&mut stream).await, next(&mut stream).await];
    let told = |id: &str| first.iter().find(|line| line["id"] == id).unwrap();
    assert_eq!((&told(&going)["statusName"], &told(&going)["variant"]), (&json!("started"), &json!("standard")));
    assert_eq!((&told(&over)["statusName"], &told(&over)["winner"]), (&json!("resign"), &json!("black")));

    // What happens on the way is not told, the end is.
    play(&app, &going, &ann, &bob, "e2e4 e7e5").await;
    app.games().act(&going, &bob, Action::Resign, 0).await.unwrap();
    let end = next(&mut stream).await;
    assert_eq!((&end["id"], &end["statusName"], &end["winner"]), (&json!(going), &json!("resign"), &json!("white")));

    let mut client = Client::new(&app);
    let added = begin(&app, &wish("porthole", BLITZ), &ann, &bob).await;
    client.post_text("/api/stream/games/other/add", &added).await.ok();
    client.post_text("/api/stream/games/my-stream_1/add", &format!("{added},{over}")).await.ok();
    let line = next(&mut stream).await;
    assert_eq!(
        (&line["id"], &line["statusName"]),
        (&json!(added), &json!("started")),
        "and the one that was told is not again"
    );
    app.games().act(&added, &bob, Action::Abort, 0).await.unwrap();
    assert_eq!(next(&mut stream).await["statusName"], "aborted");

    let many: Vec<String> = (0..501).map(|i| format!("game{i:04}")).collect();
    for (path, body, field) in [
        ("/api/stream/games/x", "", "body"),
        ("/api/stream/games/x", &many.join(","), "body"),
        ("/api/stream/games/x.y", &added, "streamId"),
        ("/api/stream/games/x%3E/add", &added, "streamId"),
    ] {
        assert_eq!(client.post_text(path, body).await.json()["field"], field, "{path}");
    }
}

#[tokio::test]
async fn streams_are_bounded_in_size_and_number() {
    let app = unlimited().await;
    let mut client = Client::new(&app);
    let path = "/api/stream/games-by-users";
    for body in ["", ",,", "?"] {
        assert_eq!(client.post_text(path, body).await.json()["field"], "body", "{body}");
    }
    let names: Vec<String> = (0..301).map(|i| format!("name{i}")).collect();
    assert_eq!(client.post_text(path, &names.join(",")).await.json()["field"], "body");

    let mut streams = Vec::new();
    for _ in 0..100 {
        streams.push(stream(&app, path, "ann,bob").await);
    }
    let reply = client.post_text(path, "ann,bob").await;
    assert!(!reply.header("retry-after").is_empty());
    assert_eq!(reply.refused(429), "too-many-requests");
    let game = begin(&app, &wish("chess", BLITZ), &account("ann"), &account("bob")).await;
    assert_eq!(client.get(&format!("/api/stream/game/{game}")).await.refused(429), "too-many-requests");
    // Whoever goes makes place.
    streams.pop();
    while client_is_refused(&app, path).await {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

async fn client_is_refused(app: &App, path: &str) -> bool {
    let request = Request::post(path).body(Body::from("ann,bob")).unwrap();
    router(app.clone()).oneshot(request).await.unwrap().status() == 429
}
