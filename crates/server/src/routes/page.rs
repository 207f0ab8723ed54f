//! The page and its files.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};

use warpchess_rules::VariantId;

use crate::assets::Asset;
use crate::auth::MaybeIdentity;
use crate::games::Refusal;
use crate::preview;
use crate::routes::players::account;
use crate::{App, refusals};

/// Names of files below this folder hold a hash of what is in them: another content is another name.
const HASHED: &str = "assets/";

/// What is served in the page's place when it was not built.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Warpchess</title>\
    <h1>The page has not been built</h1><p>This server was built without <code>web/dist</code>. \
    Run <code>make run</code> in the project's folder: it builds the page and then the server with it.</p>";

/// The page. What it shows is decided in the browser, by the path.
/// What it is about is told in its head, to sites on which somebody posts its address.
pub(crate) async fn index(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Response {
    match app.config().assets.file("index.html") {
        Some(asset) => {
            let about = preview::about(&app, &uri, &headers).await;
            reply("index.html", preview::tell(asset, about.as_ref()), &headers)
        }
        None => not_built(),
    }
}

/// The page, which shows a game. For a game that there is not it says so, to people and to programs.
pub(crate) async fn play(state: State<App>, Path(variant): Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    match variant.parse::<VariantId>() {
        Ok(_) => index(state, uri, headers).await,
        Err(_) => not_found(&state.0),
    }
}

/// The page, which shows a board and nothing else. Other sites may show it inside theirs.
pub(crate) async fn embed(state: State<App>, variant: Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    let mut response = play(state, variant, uri, headers).await;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, crate::headers::embeddable());
    response
}

/// The page about a game between people, with status 404 where there is none.
pub(crate) async fn game(state: State<App>, Path(id): Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    match state.games().row(&id).await {
        Err(Refusal::NoGame(_)) => not_found(&state.0),
        _ => index(state, uri, headers).await,
    }
}

/// The page about a challenge, with status 404 where there is none for whoever asks.
pub(crate) async fn challenge(
    state: State<App>,
    Path(id): Path<String>,
    who: Result<MaybeIdentity, crate::Error>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let who = who.ok().and_then(|MaybeIdentity(who)| who);
    match state.challenges().get(&id, who.as_ref()).await {
        Err(error) if error.status == StatusCode::NOT_FOUND => not_found(&state.0),
        _ => index(state, uri, headers).await,
    }
}

/// The page about a player, with status 404 where there is none.
pub(crate) async fn player(state: State<App>, Path(name): Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    let known = match state.store().read().await {
        Ok(mut db) => account(&mut db, &name).await,
        Err(error) => Err(error.into()),
    };
    match known {
        Err(error) if error.status == StatusCode::NOT_FOUND => not_found(&state.0),
        _ => index(state, uri, headers).await,
    }
}

/// The page with status 404: it tells people that there is nothing here, and leads on.
fn not_found(app: &App) -> Response {
    match app.config().assets.file("index.html") {
        Some(asset) => (StatusCode::NOT_FOUND, [(CONTENT_TYPE, content_type("index.html"))], Body::from(asset.bytes))
            .into_response(),
        None => not_built(),
    }
}

fn not_built() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, Html(NOT_BUILT)).into_response()
}

/// A file of the page, or 404: in words for people, who ask for a page, in short for programs.
pub(crate) async fn file(State(app): State<App>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if refusals::is_api(uri.path()) {
        return refusals::no_path(uri.path()).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    // The folder is read from disk in debug builds, and no name in it has any of these.
    let plain =
        !path.split('/').any(|part| part.is_empty() || part.starts_with('.')) && !path.contains(['\\', '%', ':']);
    let asset = if plain { app.config().assets.file(path) } else { None };
    match asset {
        None if asks_for_a_page(&headers) => not_found(&app),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
        Some(_) if method != Method::GET && method != Method::HEAD => {
            (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET,HEAD")]).into_response()
        }
        Some(asset) => {
            // The build has compressed it better than there would be time for now.
            let small = takes_brotli(&headers).then(|| app.config().assets.file(&format!("{path}.br"))).flatten();
            let Some(small) = small else { return reply(path, asset, &headers) };
            let mut response = reply(path, Asset { bytes: small.bytes, hash: asset.hash }, &headers);
            let headers = response.headers_mut();
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
            headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
            response
        }
    }
}

/// Whether the client can read what is compressed by Brotli.
fn takes_brotli(request: &HeaderMap) -> bool {
    let said = request.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    said.flat_map(|list| list.split(',')).any(|coding| match coding.split_once(';') {
        Some((name, weight)) => name.trim() == "br" && !matches!(weight.trim(), "q=0" | "q=0.0"),
        None => coding.trim() == "br",
    })
}

fn reply(path: &str, asset: Asset, request: &HeaderMap) -> Response {
    // Weak: the same bytes go out compressed in one way, in another, or not at all.
    let etag = asset.hash[..16].iter().fold(String::from("W/\""), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
    let caching = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let common = [(ETAG, etag.clone()), (CACHE_CONTROL, caching.to_owned())];
    if known(request, &etag) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    (common, [(CONTENT_TYPE, content_type(path))], Body::from(asset.bytes)).into_response()
}

/// Whether the client says that it has what `etag` names.
fn known(request: &HeaderMap, etag: &str) -> bool {
    let mut said = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    said.any(|list| list.split(',').map(str::trim).any(|tag| tag == etag || tag == "*"))
}

/// Whether a browser asks for something to show, rather than for a part of a page.
fn asks_for_a_page(request: &HeaderMap) -> bool {
    request.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}

fn content_type(path: &str) -> String {
    let mime = mime_guess::from_path(path).first_or_octet_stream();
    let text = mime.type_() == mime_guess::mime::TEXT || mime.subtype() == mime_guess::mime::JAVASCRIPT;
    if text { format!("{mime}; charset=utf-8") } else { mime.to_string() }
}
