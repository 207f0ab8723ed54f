//! What the router promises, without a port.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::archive::play;
use crate::common::Database;
use crate::common::table::{BLITZ, account, begin, wish};
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode};
use axum::response::Response as Reply;
use http_body_util::BodyExt;
use tower::ServiceExt;
use warpchess_server::assets::{Asset, Assets};
use warpchess_server::games::Action;
use warpchess_server::{App, Config, router};

const PAGE: &str = "<!doctype html><title>Warpchess</title>";

/// A page small enough to see through.
#[derive(Clone)]
struct Files(BTreeMap<&'static str, Vec<u8>>);

impl Assets for Files {
    fn file(&self, path: &str) -> Option<Asset> {
        let bytes = self.0.get(path)?;
        let mut hash = [0; 32];
        hash[0] = bytes.len() as u8;
        Some(Asset { bytes: Cow::Owned(bytes.clone()), hash })
    }
}

fn built() -> Config {
    let files = BTreeMap::from([
        ("index.html", PAGE.as_bytes().to_vec()),
        ("rules.wasm", b"\0asm".to_vec()),
        ("assets/index-Bx1.js", "console.log('long');".repeat(100).into_bytes()),
        (".env", b"secret".to_vec()),
    ]);
    Config { assets: Arc::new(Files(files)), ..Config::default() }
}

async fn ask(config: Config, request: Request<Body>) -> Reply {
    router(App::start(config).await.unwrap()).oneshot(request).await.unwrap()
}

async fn get(path: &str) -> Reply {
    ask(built(), Request::get(path).body(Body::empty()).unwrap()).await
}

fn header<'a>(reply: &'a Response<Body>, name: &str) -> &'a str {
    reply.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

async fn text(reply: Reply) -> String {
    String::from_utf8(reply.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn the_pages_paths_get_the_page() {
    let games = ["play", "rules", "analysis", "editor", "embed"].map(|page| format!("/{page}/chess"));
    let slashed = games.clone().map(|path| format!("{path}/"));
    let others = ["/", "/pieces", "/pieces/", "/play/chess?side=black", "/play/chess/?side=black"].map(str::to_owned);
    let people = ["login", "register", "account/", "leaderboards"].map(|path| format!("/{path}"));
    for path in others.iter().chain(&games).chain(&slashed).chain(&people).map(String::as_str) {
        let reply = get(path).await;
        assert_eq!(reply.status(), StatusCode::OK, "{path}");
        assert_eq!(header(&reply, "content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(text(reply).await, PAGE, "{path}");
    }
}

#[tokio::test]
async fn only_the_page_for_it_may_be_shown_inside_other_sites() {
    for (path, expected) in [("/embed/chess", "frame-ancestors *"), ("/embed/chess/", "frame-ancestors *")] {
        assert!(header(&get(path).await, "content-security-policy").ends_with(expected), "{path}");
    }
    for path in ["/", "/play/chess", "/embed", "/analysis/chess"] {
        assert!(header(&get(path).await, "content-security-policy").ends_with("frame-ancestors 'none'"), "{path}");
    }
}

#[tokio::test]
async fn unknown_paths_are_not_found_and_not_the_page() {
    for path in ["/nothing", "/play", "/play/chess/x", "/assets/none.js", "/assets/", "/rules.wasm.map", "//", "/index"]
    {
        let reply = get(path).await;
        assert_eq!(reply.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(!text(reply).await.contains("doctype"), "{path}");
    }
}

#[tokio::test]
async fn paths_that_leave_the_folder_or_are_hidden_are_not_found() {
    for path in
        ["/../Cargo.toml", "/assets/../index.html", "/%2e%2e/Cargo.toml", "/..%2fCargo.toml", "/.env", "/a\\b", "/c:/x"]
    {
        let request = Request::get(path).body(Body::empty());
        let Ok(request) = request else { continue };
        assert_eq!(ask(built(), request).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn unknown_api_paths_answer_in_json() {
    let reply = get("/api/nothing").await;
    assert_eq!(reply.status(), StatusCode::NOT_FOUND);
    assert_eq!(header(&reply, "content-type"), "application/json");
    assert_eq!(text(reply).await, r#"{"error":"the API has no path /api/nothing","code":"not-found"}"#);
}

#[tokio::test]
async fn what_there_is_not_gets_the_page_and_404() {
    for path in
        ["/play/halma", "/game/abcd1234", "/game/no-such", "/challenge/abcd1234/", "/player/nobody", "/@/nobody/"]
    {
        let reply = get(path).await;
        assert_eq!(reply.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(header(&reply, "content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(text(reply).await, PAGE, "{path}");
    }
}

#[tokio::test]
async fn a_person_who_asks_for_what_there_is_not_gets_the_page_and_404() {
    let request = Request::get("/nothing").header("accept", "text/html,*/*;q=0.8").body(Body::empty()).unwrap();
    let reply = ask(built(), request).await;
    assert_eq!(reply.status(), StatusCode::NOT_FOUND);
    assert_eq!(text(reply).await, PAGE);
}

#[tokio::test]
async fn the_api_lists_the_games() {
    let reply = get("/api/variants").await;
    assert_eq!(reply.status(), StatusCode::OK);
    assert_eq!(header(&reply, "content-type"), "application/json");
    let variants: serde_json::Value = serde_json::from_str(&text(reply).await).unwrap();
    assert_eq!(variants[0]["id"], "chess");
    assert_eq!(variants[0]["boards"][0]["files"], 8);
}

#[tokio::test]
async fn the_api_tells_in_json_that_a_method_is_wrong() {
    let reply = ask(built(), Request::post("/api/variants").body(Body::empty()).unwrap()).await;
    assert_eq!(reply.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(text(reply).await, r#"{"error":"/api/variants does not answer POST","code":"method-not-allowed"}"#);
}

#[tokio::test]
async fn webassembly_has_the_type_that_browsers_compile_while_it_arrives() {
    assert_eq!(header(&get("/rules.wasm").await, "content-type"), "application/wasm");
    assert_eq!(header(&get("/assets/index-Bx1.js").await, "content-type"), "text/javascript; charset=utf-8");
}

#[tokio::test]
async fn hashed_files_are_kept_and_others_asked_for_again() {
    assert_eq!(header(&get("/assets/index-Bx1.js").await, "cache-control"), "public, max-age=31536000, immutable");
    for path in ["/", "/rules.wasm"] {
        assert_eq!(header(&get(path).await, "cache-control"), "no-cache", "{path}");
    }
}

#[tokio::test]
async fn a_file_the_client_has_is_not_sent_again() {
    let etag = header(&get("/rules.wasm").await, "etag").to_owned();
    for said in [etag.clone(), format!("W/\"other\", {etag}"), "*".into()] {
        let request = Request::get("/rules.wasm").header("if-none-match", &said).body(Body::empty()).unwrap();
        let reply = ask(built(), request).await;
        assert_eq!(reply.status(), StatusCode::NOT_MODIFIED, "{said}");
        assert_eq!(header(&reply, "etag"), etag);
        assert_eq!(text(reply).await, "");
    }
    let other = Request::get("/rules.wasm").header("if-none-match", "W/\"other\"").body(Body::empty()).unwrap();
    assert_eq!(ask(built(), other).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn long_files_go_out_compressed_to_clients_that_can_read_it() {
    for coding in ["gzip", "br"] {
        let request =
            Request::get("/assets/index-Bx1.js").header("accept-encoding", coding).body(Body::empty()).unwrap();
        let reply = ask(built(), request).await;
        assert_eq!(header(&reply, "content-encoding"), coding);
        assert!(reply.into_body().collect().await.unwrap().to_bytes().len() < 200, "{coding}");
    }
    assert_eq!(header(&get("/assets/index-Bx1.js").await, "content-encoding"), "");
}

#[tokio::test]
async fn every_reply_says_what_the_browser_may_do_with_it() {
    for path in ["/", "/rules.wasm", "/healthz", "/api/nothing", "/nothing"] {
        let reply = get(path).await;
        let policy = header(&reply, "content-security-policy");
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval';"), "{path}: {policy}");
        assert!(policy.contains("style-src 'self';") && !policy.contains("unsafe-inline"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(header(&reply, "x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header(&reply, "referrer-policy"), "same-origin", "{path}");
    }
}

#[tokio::test]
async fn files_are_read_only() {
    for (method, path) in [(Method::POST, "/"), (Method::PUT, "/rules.wasm"), (Method::DELETE, "/healthz")] {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        let reply = ask(built(), request).await;
        assert_eq!(reply.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(header(&reply, "allow"), "GET,HEAD", "{path}");
    }
    let head = ask(built(), Request::head("/").body(Body::empty()).unwrap()).await;
    assert_eq!(head.status(), StatusCode::OK);
    assert_eq!(header(&head, "content-length"), PAGE.len().to_string());
    assert_eq!(text(head).await, "");
}

#[tokio::test]
async fn without_a_page_the_server_says_how_to_build_it() {
    let config = Config { assets: Arc::new(Files(BTreeMap::new())), ..Config::default() };
    let reply = ask(config, Request::get("/").body(Body::empty()).unwrap()).await;
    assert_eq!(reply.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(text(reply).await.contains("make run"));
}

#[tokio::test]
async fn health_is_a_word() {
    let reply = get("/healthz").await;
    assert_eq!(reply.status(), StatusCode::OK);
    assert_eq!(text(reply).await, "ok");
}

#[tokio::test]
async fn what_the_build_has_compressed_is_sent_to_those_who_can_read_it() {
    let files = BTreeMap::from([("assets/a.js", b"plain".to_vec()), ("assets/a.js.br", b"small".to_vec())]);
    let config = || Config { assets: Arc::new(Files(files.clone())), ..Config::default() };
    let asked =
        |coding: &str| Request::get("/assets/a.js").header("accept-encoding", coding).body(Body::empty()).unwrap();
    let small = ask(config(), asked("gzip, br")).await;
    assert_eq!(
        (header(&small, "content-encoding"), header(&small, "content-type")),
        ("br", "text/javascript; charset=utf-8")
    );
    let tag = header(&small, "etag").to_owned();
    assert_eq!(text(small).await, "small");
    let plain = ask(config(), asked("br;q=0")).await;
    assert_eq!((header(&plain, "content-encoding"), header(&plain, "etag")), ("", tag.as_str()));
    assert_eq!(text(plain).await, "plain");
}

/// A page with a head, which [`PAGE`] has not.
fn with_head() -> Config {
    let page = b"<!doctype html><html><head><title>Warpchess</title></head><body></body></html>".to_vec();
    Config { assets: Arc::new(Files(BTreeMap::from([("index.html", page)]))), ..Config::default() }
}

async fn page_at(path: &str) -> Reply {
    ask(with_head(), Request::get(path).header("host", "chess.example:8080").body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn pages_about_a_position_tell_other_sites_what_they_show() {
    for (path, title, image) in [
        ("/play/porthole", "Play Portal Chess", "http://chess.example:8080/diagram/porthole/card.png?fen=rnbqkbnr"),
        ("/rules/teleport", "Teleport: the rules", "http://chess.example:8080/diagram/teleport/card.png?fen="),
        (
            "/explorer/chess?moves=e2e4",
            "Chess: openings",
            "fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR+b+KQkq+-+0+1",
        ),
        (
            "/analysis/chess?fen=4k3/8/8/8/8/8/8/4K2R%20w%20K%20-%200%201",
            "Chess: analysis",
            "fen=4k3/8/8/8/8/8/8/4K2R+w+K+-+0+1",
        ),
    ] {
        let told = text(page_at(path).await).await;
        assert!(told.contains(&format!("<meta property=\"og:title\" content=\"{title}")), "{path}: {told}");
        let pictured = told.split("property=\"og:image\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert!(pictured.is_some_and(|url| url.contains(image)), "{path}: {pictured:?}");
        assert!(told.contains("og:description") && told.contains("summary_large_image"), "{path}");
    }
    let home = text(page_at("/").await).await;
    assert!(home.contains("property=\"og:title\" content=\"Seven kinds of chess"), "{home}");
    assert!(home.contains("/card.png?fen=rnbqkbnr/"), "{home}");
    assert!(!text(page_at("/pieces").await).await.contains("og:title"), "a page about no position says nothing");
}

#[tokio::test]
async fn a_game_tells_other_sites_who_plays_and_how_it_stands() {
    let database = Database::sqlite();
    let config = Config { database: database.url.clone(), workers: 0, ..with_head() };
    let app = App::start(config).await.unwrap();
    let (white, black) = (account("Ann"), account("Bob"));
    let id = begin(&app, &wish("porthole", BLITZ), &white, &black).await;
    let told = async || {
        let request = Request::get(format!("/game/{id}")).header("host", "chess.example:8080");
        text(router(app.clone()).oneshot(request.body(Body::empty()).unwrap()).await.unwrap()).await
    };
    let tag = |page: &str, name: &str| {
        let rest = page.split(&format!("property=\"og:{name}\" content=\"")).nth(1).map(str::to_owned);
        rest.and_then(|rest| rest.split('"').next().map(str::to_owned)).unwrap_or_else(|| panic!("{name}: {page}"))
    };

    play(&app, &id, &white, &black, "e2e4 e7e5").await;
    let page = told().await;
    assert!(tag(&page, "title").contains("Ann") && tag(&page, "title").contains("Bob"), "{page}");
    assert_eq!(tag(&page, "description"), "The game is being played; 2 half-moves so far.");
    assert_eq!(tag(&page, "url"), format!("http://chess.example:8080/game/{id}"));
    let image = tag(&page, "image");
    let shown =
        "http://chess.example:8080/diagram/porthole/card.png?fen=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    assert!(image.starts_with(shown), "the newest position: {image}");
    assert!(image.ends_with(&format!("&amp;game={id}")), "names and the last move are looked up: {image}");
    assert_eq!(told_status(&app, &format!("/game/{id}")).await, StatusCode::OK, "a game that there is");
    assert!(page.contains("name=\"twitter:card\" content=\"summary_large_image\""), "{page}");

    app.games().act(&id, &white, Action::Resign, 0).await.unwrap();
    let ended = told().await;
    assert!(tag(&ended, "description").starts_with("Black won after 2 half-moves"), "{ended}");
}

async fn told_status(app: &App, path: &str) -> StatusCode {
    router(app.clone()).oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap().status()
}

#[tokio::test]
async fn pages_about_two_positions_have_two_tags() {
    let one = page_at("/analysis/chess?moves=e2e4").await;
    let other = page_at("/analysis/chess?moves=d2d4").await;
    assert_ne!(header(&one, "etag"), header(&other, "etag"));
}

#[tokio::test]
async fn a_position_has_a_picture() {
    let path = "/diagram/chess/card.png?fen=4k3/8/8/8/8/8/8/4K2R+w+K+-+0+1";
    let reply = get(path).await;
    assert_eq!((reply.status(), header(&reply, "content-type")), (StatusCode::OK, "image/png"));
    assert!(header(&reply, "cache-control").contains("max-age=86400"));
    let tag = header(&reply, "etag").to_owned();
    let bytes = reply.into_body().collect().await.unwrap().to_bytes();
    // The header of a PNG tells width and height.
    assert_eq!((&bytes[..4], &bytes[16..24]), (&b"\x89PNG"[..], &[0, 0, 4, 176, 0, 0, 2, 118][..]));

    let again = Request::get(path).header("if-none-match", tag).body(Body::empty()).unwrap();
    assert_eq!(ask(built(), again).await.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(get("/diagram/chess/card.png?fen=nonsense").await.status(), StatusCode::BAD_REQUEST);
    assert_eq!(get("/diagram/draughts/card.png").await.status(), StatusCode::NOT_FOUND);
}
