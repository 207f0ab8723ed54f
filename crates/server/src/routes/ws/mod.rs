//! `/ws`: games as they happen. The protocol is described in `docs/protocol.md`.

mod connection;
mod lag;
mod message;

use axum::Extension;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;

use crate::auth::Identity;
use crate::limits::Client;
use crate::{App, Error};

/// Longest message of a client, in bytes.
pub(crate) const LONGEST_MESSAGE: usize = 4096;

/// A request that asks for a WebSocket; others are told so, before a session is begun for them.
pub(crate) struct Upgrade(WebSocketUpgrade);

impl FromRequestParts<App> for Upgrade {
    type Rejection = Error;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let upgrade = WebSocketUpgrade::from_request_parts(parts, app).await;
        upgrade.map(Self).map_err(|why| {
            let message = format!("a WebSocket is to be opened here: {}", why.body_text());
            Error::new(StatusCode::BAD_REQUEST, "not-a-websocket", message)
        })
    }
}

/// Makes a connection a WebSocket.
pub(crate) async fn connect(
    State(app): State<App>,
    headers: HeaderMap,
    Upgrade(upgrade): Upgrade,
    client: Option<Extension<Client>>,
    who: Identity,
) -> Result<Response, Error> {
    if !is_own_page(&headers, app.config().base_url.as_deref()) {
        return Err(Error::forbidden("a page of another site may not connect"));
    }
    // Thousands of these are held: by default each would keep 128 KiB for a message.
    let upgrade = upgrade.read_buffer_size(LONGEST_MESSAGE);
    let upgrade = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    // What is waiting for a client that does not read is bounded; more of it ends the connection.
    let upgrade = upgrade.write_buffer_size(16 * 1024).max_write_buffer_size(512 * 1024);
    let client = client.map(|Extension(Client(client))| client);
    Ok(upgrade.on_upgrade(move |socket| connection::Connection::new(app, who, client).run(socket)))
}

/// Whether the request comes from the server's own page, or from a program that is no browser. Browsers send cookies from
/// other sites' pages with it, and tell that by the origin.
fn is_own_page(headers: &HeaderMap, base_url: Option<&str>) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    if base_url.is_some_and(|base| same_origin(base, origin)) {
        return true;
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let authority = origin.parse::<Uri>().ok().and_then(|uri| uri.authority().map(ToString::to_string));
    host.is_some() && authority.as_deref() == host
}

fn same_origin(base: &str, origin: &str) -> bool {
    let parts = |url: &str| {
        let uri: Uri = url.parse().ok()?;
        Some((uri.scheme_str()?.to_owned(), uri.authority()?.to_string()))
    };
    parts(base).is_some_and(|base| parts(origin) == Some(base))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(host: &'static str, origin: Option<&'static str>, base: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        is_own_page(&headers, base)
    }

    #[test]
    fn pages_of_other_sites_may_not_connect() {
        assert!(own("127.0.0.1:8080", Some("http://127.0.0.1:8080"), None));
        assert!(own("127.0.0.1:8080", None, None));
        assert!(own("inner:1", Some("https://chess.example"), Some("https://chess.example/")));
        assert!(!own("127.0.0.1:8080", Some("http://evil.example"), None));
        assert!(!own("127.0.0.1:8080", Some("null"), None));
        assert!(!own("chess.example", Some("https://chess.example.evil.example"), Some("https://chess.example")));
    }
}
