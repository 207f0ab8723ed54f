//! What can be seen from outside of what the server does: a line and an id for each request, and counts.

use std::sync::OnceLock;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::Instrument;

use crate::ids;

/// The header with a request's id. A proxy's or a client's own is kept.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Upper bounds, in seconds.
const BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// The counts of this process, which is one for all servers in it.
pub(crate) fn metrics() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let install = || {
        let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".into()), BUCKETS);
        let handle = builder.and_then(|builder| builder.install_recorder());
        let handle = handle.inspect_err(|error| tracing::warn!(%error, "no metrics")).ok()?;
        metrics::describe_counter!("warpchess_http_requests_total", "Requests answered, by route, method and status.");
        metrics::describe_histogram!("warpchess_http_request_seconds", "Time until the head of the reply, in seconds.");
        metrics::describe_counter!("warpchess_rate_limited_total", "Requests refused because they came too often.");
        metrics::describe_gauge!("warpchess_connections", "Open connections.");
        metrics::describe_gauge!("warpchess_streams", "Open streams of the API.");
        Some(handle)
    };
    HANDLE.get_or_init(install).as_ref()
}

/// The layer that gives each request an id, logs it and counts it.
pub(crate) async fn observe(mut request: Request, next: Next) -> Response {
    let id = request_id(&request);
    // The query is left out: people put secrets there.
    let span = tracing::info_span!("request", id, method = %request.method(), path = request.uri().path());
    if let Ok(value) = HeaderValue::from_str(&id) {
        request.headers_mut().insert(REQUEST_ID, value);
    }
    let method = method(&request);
    let began = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let took = began.elapsed();
    let status = response.status().as_u16();
    // The pattern and not the path, which would be another for every game.
    let route = response.extensions().get::<Route>().map_or("other", |route| route.as_str()).to_owned();
    metrics::counter!("warpchess_http_requests_total", "route" => route.clone(), "method" => method, "status" => status.to_string())
        .increment(1);
    metrics::histogram!("warpchess_http_request_seconds", "route" => route).record(took.as_secs_f64());
    span.in_scope(|| {
        let micros = took.as_micros() as u64;
        if status >= 500 {
            tracing::error!(status, micros, "answered");
        } else {
            tracing::info!(status, micros, "answered");
        }
    });
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// The route that answered, told to the layer around it.
#[derive(Clone)]
struct Route(MatchedPath);

impl Route {
    fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// The layer at the routes themselves, which alone know their pattern.
pub(crate) async fn name_route(matched: Option<MatchedPath>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Some(matched) = matched {
        response.extensions_mut().insert(Route(matched));
    }
    response
}

/// Methods there are: a label must not be what a client makes up.
fn method(request: &Request) -> &'static str {
    match request.method().as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

fn request_id(request: &Request) -> String {
    let given = request.headers().get(REQUEST_ID).and_then(|value| value.to_str().ok());
    let plain = |id: &&str| (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    given.filter(plain).map_or_else(|| ids::random(12), str::to_owned)
}
