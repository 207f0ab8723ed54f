//! The HTTP server: the page, the rules for the browser, and the API.
//!
//! [`router`] is the whole of it as a function from requests to replies, tested without a port; [`serve`] puts it on
//! one. The page is part of the program: `web/dist` as it was when this crate was built.
#![forbid(unsafe_code)]

pub mod admin;
pub mod app;
pub mod assets;
pub mod auth;
pub mod bus;
pub mod clock;
mod config;
mod connections;
pub mod error;
pub mod explorer;
mod fields;
pub mod games;
mod headers;
pub mod ids;
pub mod jobs;
mod lichess;
pub mod limits;
mod listen;
pub mod names;
mod openapi;
pub mod perf;
mod players;
mod preview;
pub mod rating;
mod refusals;
mod routes;
pub mod store;
mod telemetry;
mod text;
pub mod time;

use axum::Router;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

pub use crate::app::{App, StartError};
pub use crate::config::Config;
pub use crate::error::Error;
use crate::lichess::stream::NDJSON;
pub use crate::listen::{ServeError, serve, shutdown_signal};

/// The description of the API that the server itself gives at `/openapi.json`.
pub fn openapi() -> utoipa::openapi::OpenApi {
    routes::description()
}

/// Every path that the server answers.
///
/// | path | reply |
/// | --- | --- |
/// | `/`, `/pieces`, `/play/{variant}` and the like | the page; it reads the path itself |
/// | `/embed/{variant}` | the same, and other sites may show it inside theirs |
/// | `/diagram/{variant}/card.png` | a picture of a position, for sites that show what a link leads to |
/// | `/healthz`, `/readyz`, `/metrics` | for whoever watches over the process |
/// | `/api/…`, `/game/export/{id}` | the API, described at `/openapi.json` and `/api/docs/`; errors are JSON |
/// | anything else | a file of the page, or 404 |
pub fn router(app: App) -> Router {
    // Counting begins with the first request, not with the first look at the counts.
    telemetry::metrics();
    let https = app.config().base_url.as_deref().is_some_and(|url| url.starts_with("https:"));
    routes::router(app.clone())
        .layer(axum::middleware::from_fn(|request, next: axum::middleware::Next| store::noting(next.run(request))))
        .layer(axum::middleware::from_fn(refusals::in_form))
        .layer(axum::middleware::from_fn(auth::keep_cookies))
        .layer(axum::middleware::from_fn_with_state(app.clone(), auth::same_site))
        .layer(axum::middleware::from_fn_with_state(app, limits::limit))
        // What is written while things happen would wait for the compressor.
        .layer(CompressionLayer::new().compress_when(DefaultPredicate::new().and(NotForContentType::const_new(NDJSON))))
        .layer(axum::middleware::map_response(headers::secure))
        .layer(axum::middleware::map_response(move |reply| headers::strict_transport(reply, https)))
        .layer(axum::middleware::from_fn(telemetry::observe))
}
