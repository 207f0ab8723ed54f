//! For whoever watches over the process.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::telemetry;
use crate::{App, Error};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(healthz)).routes(routes!(readyz)).routes(routes!(metrics))
}

/// Whether the process answers
#[utoipa::path(get, path = "/healthz", tag = "server", responses((status = 200, description = "`ok`", body = String)))]
async fn healthz() -> &'static str {
    "ok"
}

/// Whether requests can be served
///
/// The database answers, and the server is not about to stop. For load balancers.
#[utoipa::path(get, path = "/readyz", tag = "server", responses(
    (status = 200, description = "`ready`", body = String), (status = 503, body = Error)))]
async fn readyz(State(app): State<App>) -> Result<&'static str, Error> {
    if app.stopping() {
        return Err(Error::unavailable("the server is about to stop"));
    }
    match tokio::time::timeout(std::time::Duration::from_secs(2), app.store().ping()).await {
        Ok(Ok(())) => Ok("ready"),
        Ok(Err(error)) => {
            tracing::error!(%error, "not ready");
            Err(Error::unavailable("the database does not answer"))
        }
        Err(_) => Err(Error::unavailable("the database does not answer in time")),
    }
}

/// Counts for Prometheus
#[utoipa::path(get, path = "/metrics", tag = "server", responses((status = 200, description = "In Prometheus' text format", body = String)))]
async fn metrics() -> Response {
    match telemetry::metrics() {
        Some(handle) => ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], handle.render()).into_response(),
        None => Error::unavailable("counts are kept elsewhere").into_response(),
    }
}
