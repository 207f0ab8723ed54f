//! The HTTP server: the page, the rules for the browser, and the API.
//!
//! [`router`] is the whole of it as a function from requests to replies, tested without a port; [`serve`] puts it on
//! one. The page is part of the program: `web/dist` as it was when this crate was built.
#![forbid(unsafe_code)]

pub mod app;
pub mod assets;
pub mod auth;
pub mod bus;
pub mod clock;
mod config;
pub mod error;
pub mod games;
mod headers;
pub mod ids;
mod listen;
mod routes;
pub mod store;

use axum::Router;
use tower_http::compression::CompressionLayer;
use tower_http::trace::TraceLayer;

pub use crate::app::{App, StartError};
pub use crate::config::Config;
pub use crate::error::Error;
pub use crate::listen::{ServeError, serve, shutdown_signal};

/// Every path that the server answers.
///
/// | path | reply |
/// | --- | --- |
/// | `/`, `/play/{variant}`, `/pieces` | the page; it reads the path itself |
/// | `/healthz` | `ok`, as long as the process answers |
/// | `/api/…` | JSON, errors too |
/// | anything else | a file of the page, or 404 |
pub fn router(app: App) -> Router {
    routes::router(app)
        .layer(axum::middleware::from_fn(auth::keep_cookies))
        .layer(CompressionLayer::new())
        .layer(axum::middleware::map_response(headers::secure))
        .layer(TraceLayer::new_for_http())
}
