//! One module a part of the URL space.

mod api;
mod health;
mod page;

use axum::Router;
use axum::routing::get;

use crate::Config;

/// Pages about a game, also with a slash at the end, which people add and other sites' links have.
fn pages() -> Router<Config> {
    let mut router = Router::new().route("/pieces/", get(page::index));
    for page in ["play", "rules", "analysis", "editor"] {
        router = router
            .route(&format!("/{page}/{{variant}}"), get(page::play))
            .route(&format!("/{page}/{{variant}}/"), get(page::play));
    }
    router.route("/embed/{variant}", get(page::embed)).route("/embed/{variant}/", get(page::embed))
}

pub(crate) fn router(config: Config) -> Router {
    Router::new()
        // The paths at which the page shows something are those of web/src/lib/router.ts.
        .route("/", get(page::index))
        .route("/pieces", get(page::index))
        .merge(pages())
        .route("/healthz", get(health::healthz))
        .nest("/api", api::router())
        .fallback(page::file)
        .with_state(config)
}
