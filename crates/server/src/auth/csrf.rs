//! No other site acts in the name of a browser that is logged in here.
//!
//! Cookies go out with `SameSite=Lax`; besides, whatever changes something is refused when the browser says that another
//! site has it sent. Browsers cannot be made to leave that out or to lie about it. Programs, which say nothing, are not
//! led astray by pages, and a token is no cookie.

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN, UPGRADE};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::Error;

/// The layer that refuses them.
pub(crate) async fn same_site(State(app): State<App>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS | Method::TRACE);
    // What is written over a WebSocket is no request any more: its beginning counts as writing.
    let writes = !reads || request.headers().contains_key(UPGRADE);
    if writes && foreign(request.headers(), app.config().base_url.as_deref()) {
        let message = "this was sent by a page of another site";
        return Error { code: "cross-site", ..Error::forbidden(message) }.into_response();
    }
    next.run(request).await
}

/// Whether a page of another site sends it.
fn foreign(headers: &HeaderMap, base_url: Option<&str>) -> bool {
    if headers.contains_key(AUTHORIZATION) {
        return false;
    }
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if let Some(origin) = text(ORIGIN.as_str()) {
        // Behind a proxy that ends encryption the host is right, the scheme may not be.
        let host = text(HOST.as_str()).unwrap_or_default();
        let ours = |url: &str| url.split_once("://").map(|(_, rest)| rest.trim_end_matches('/').to_owned());
        let from = ours(origin);
        return from.is_none() || (from.as_deref() != Some(host) && from != base_url.and_then(ours));
    }
    text("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        for pairs in [
            &[("host", "chess.org"), ("origin", "https://evil.org")][..],
            &[("host", "chess.org"), ("origin", "null")],
            &[("host", "chess.org"), ("origin", "https://chess.org.evil.org")],
            &[("host", "chess.org"), ("origin", "https://evil.org/chess.org")],
            &[("host", "chess.org"), ("origin", "https://evil.org"), ("sec-fetch-site", "same-origin")],
            &[("host", "chess.org"), ("origin", "")],
            &[("host", "chess.org"), ("sec-fetch-site", "cross-site")],
            &[("host", "chess.org"), ("sec-fetch-site", "same-site")],
        ] {
            assert!(foreign(&headers(pairs), None), "{pairs:?}");
        }
    }

    #[test]
    fn the_own_page_and_programs_are_not() {
        for pairs in [
            &[("host", "chess.org"), ("origin", "https://chess.org"), ("sec-fetch-site", "same-origin")][..],
            &[("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080")],
            &[("host", "10.0.0.3:8080"), ("origin", "https://chess.org")],
            &[("host", "chess.org"), ("sec-fetch-site", "none")],
            &[("host", "chess.org")],
            &[("host", "chess.org"), ("origin", "https://tools.org"), ("authorization", "Bearer wct_x")],
        ] {
            assert!(!foreign(&headers(pairs), Some("https://chess.org/")), "{pairs:?}");
        }
    }
}
