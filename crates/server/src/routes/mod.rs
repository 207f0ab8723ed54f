//! One module a part of the URL space.

mod account;
mod analysis;
mod api;
mod archive;
mod challenges;
mod explorer;
mod games;
mod health;
mod import;
mod lichess;
mod page;
mod players;
mod preview;
mod tokens;
mod ws;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_swagger_ui::SwaggerUi;

use crate::App;
use crate::headers;
use crate::openapi::Description;
use crate::telemetry::name_route;

/// Pages about a game, also with a slash at the end, which people add and other sites' links have.
fn pages() -> Router<App> {
    let mut router = Router::new().route("/pieces/", get(page::index));
    for page in ["/games", "/games/"] {
        router = router.route(page, get(page::index));
    }
    for page in ["play", "rules", "analysis", "explorer", "editor"] {
        router = router
            .route(&format!("/{page}/{{variant}}"), get(page::play))
            .route(&format!("/{page}/{{variant}}/"), get(page::play));
    }
    router.route("/embed/{variant}", get(page::embed)).route("/embed/{variant}/", get(page::embed))
}

/// Pages about players and what they do with each other.
fn people() -> Router<App> {
    let mut router = Router::new();
    for page in ["login", "register", "account", "leaderboards"] {
        router = router.route(&format!("/{page}"), get(page::index)).route(&format!("/{page}/"), get(page::index));
    }
    for (page, method) in [
        ("game", get(page::game)),
        ("challenge", get(page::challenge)),
        ("player", get(page::player)),
        ("@", get(page::player)),
    ] {
        router =
            router.route(&format!("/{page}/{{name}}"), method.clone()).route(&format!("/{page}/{{name}}/"), method);
    }
    router
}

/// What the API's description describes, with the routes.
fn described() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .merge(account::router())
        .merge(tokens::router())
        .merge(players::router())
        .merge(lichess::router())
        .merge(challenges::router())
        .merge(games::router())
        .merge(archive::router())
        .merge(import::router())
        .merge(explorer::router())
        .merge(analysis::router())
        .merge(api::router())
        .merge(health::router())
        .merge(preview::router())
}

/// The description of the API, as JSON.
pub(crate) fn description() -> utoipa::openapi::OpenApi {
    described().into_openapi()
}

/// The description of the API, and the page that shows it.
fn shown(description: utoipa::openapi::OpenApi) -> Router<App> {
    let page: Router<App> = SwaggerUi::new("/api/docs").url("/openapi.json", description).into();
    page.layer(axum::middleware::map_response(headers::described))
}

pub(crate) fn router(app: App) -> Router {
    let (routes, description) = described().split_for_parts();
    let body = app.config().limits.body;
    Router::new()
        // The paths at which the page shows something are those of web/src/lib/router.ts.
        .route("/", get(page::index))
        .route("/pieces", get(page::index))
        .merge(pages())
        .merge(people())
        .route("/ws", get(ws::connect))
        // No page about a game of this name.
        .route("/game/export", any(api::no_page))
        .route("/game/export/", any(api::no_page))
        .merge(routes.method_not_allowed_fallback(api::wrong_method))
        .nest("/api", api::fallback())
        .merge(shown(description))
        .fallback(page::file)
        .layer(axum::middleware::from_fn(name_route))
        .layer(DefaultBodyLimit::max(body))
        .with_state(app)
}
