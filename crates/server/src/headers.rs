//! Headers that every reply has.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// Scripts come from the server alone, none inline; `wasm-unsafe-eval` lets the page compile the rules. Styles, too:
/// places on a board are set element by element through the object model of the page, which no policy forbids. Pictures may be data since a board can be saved as one.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; object-src 'none'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The policy of a page that other sites may show inside theirs.
pub(crate) fn embeddable() -> HeaderValue {
    let policy = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *");
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static(POLICY))
}

/// Has the page that shows the API's description styled as its makers do it, by a style sheet that their script writes into it.
/// It shows nothing that anybody else has written.
pub(crate) async fn described(mut response: Response) -> Response {
    let policy = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");
    if let Ok(policy) = HeaderValue::try_from(policy) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Adds them.
pub(crate) async fn secure(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
    headers.insert(
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=()"),
    );
    // What the API tells is somebody's, or true only now.
    let api = headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if api && !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Tells browsers to come encrypted only, where the server is known to be reached so.
pub(crate) async fn strict_transport(mut response: Response, https: bool) -> Response {
    if https {
        response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    response
}
