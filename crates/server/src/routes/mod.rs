//! One module a part of the URL space.

mod api;
mod health;
mod page;
mod ws;

use axum::Router;
use axum::routing::get;

use crate::App;

pub(crate) fn router(app: App) -> Router {
    Router::new()
        // The paths at which the page shows something are those of web/src/lib/router.ts.
        .route("/", get(page::index))
        .route("/pieces", get(page::index))
        .route("/play/{variant}", get(page::play))
        .route("/ws", get(ws::connect))
        .route("/healthz", get(health::healthz))
        .nest("/api", api::router())
        .fallback(page::file)
        .with_state(app)
}
