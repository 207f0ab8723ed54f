//! The HTTP server: the page, the rules for the browser, and the API.
//!
//! [`router`] is the whole of it as a function from requests to replies, tested without a port; [`serve`] puts it on
//! one. The page is part of the program: `web/dist` as it was when this crate was built.
#![forbid(unsafe_code)]

pub mod assets;
mod headers;
mod listen;
mod routes;

use std::sync::Arc;

use axum::Router;
use tower_http::compression::CompressionLayer;
use tower_http::trace::TraceLayer;

use crate::assets::{Assets, Embedded};

pub use crate::listen::{ServeError, serve, shutdown_signal};

/// What a server is made of. The default is what `warpchess serve` runs.
#[derive(Clone)]
pub struct Config {
    /// Where the page's files come from.
    pub assets: Arc<dyn Assets>,
}

impl Default for Config {
    fn default() -> Self {
        Config { assets: Arc::new(Embedded) }
    }
}

/// Every path that the server answers.
///
/// | path | reply |
/// | --- | --- |
/// | `/`, `/pieces`, `/play/{variant}` and the like | the page; it reads the path itself |
/// | `/embed/{variant}` | the same, and other sites may show it inside theirs |
/// | `/healthz` | `ok`, as long as the process answers |
/// | `/api/…` | JSON, errors too |
/// | anything else | a file of the page, or 404 |
pub fn router(config: Config) -> Router {
    routes::router(config)
        .layer(CompressionLayer::new())
        .layer(axum::middleware::map_response(headers::secure))
        .layer(TraceLayer::new_for_http())
}
