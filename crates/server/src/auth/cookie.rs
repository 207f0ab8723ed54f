//! The cookie by which a browser is known.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::Request;
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

const NAME: &str = "warpchess";
/// How long a browser keeps it, in seconds: a year.
const MAX_AGE: u32 = 365 * 24 * 3600;

/// A cookie to send with the reply, put there by whoever answers.
#[derive(Clone, Default)]
struct Outgoing(Arc<Mutex<Option<HeaderValue>>>);

/// The cookie that came with a request.
pub(super) fn read(headers: &HeaderMap) -> Option<String> {
    let lists = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = lists.flat_map(|list| list.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let (_, token) = pairs.find(|(name, _)| *name == NAME)?;
    Some(token.to_owned()).filter(|token| token.len() <= 100 && token.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// The header that has a browser keep the cookie.
pub(super) fn value(token: &str, secure: bool) -> HeaderValue {
    set_cookie(token, MAX_AGE, secure)
}

/// The header that has a browser forget it.
pub(super) fn none(secure: bool) -> HeaderValue {
    set_cookie("", 0, secure)
}

fn set_cookie(token: &str, max_age: u32, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{NAME}={token}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}");
    // Tokens are letters and digits.
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// Has the cookie sent with the reply.
pub(super) fn send(parts: &Parts, token: &str, secure: bool) {
    if let Some(Outgoing(cookie)) = parts.extensions.get::<Outgoing>() {
        *cookie.lock().unwrap_or_else(PoisonError::into_inner) = Some(value(token, secure));
    }
}

/// The layer that adds the cookie to replies.
pub(crate) async fn keep_cookies(mut request: Request, next: Next) -> Response {
    let outgoing = Outgoing::default();
    request.extensions_mut().insert(outgoing.clone());
    let mut response = next.run(request).await;
    let cookie = outgoing.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("a=b; warpchess=abc123; c=d"));
        assert_eq!(read(&headers).as_deref(), Some("abc123"));
        headers.clear();
        headers.append(COOKIE, HeaderValue::from_static("warpchess=<script>"));
        assert_eq!(read(&headers), None);
    }
}
