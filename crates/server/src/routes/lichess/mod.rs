//! The part of the API in which games come about and are played, as Lichess has it.

mod challenges;
mod games;
mod play;
mod streams;
mod watch;

use utoipa_axum::router::OpenApiRouter;

use crate::App;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(challenges::router())
        .merge(streams::router())
        .merge(watch::router())
        .merge(play::router())
        .merge(games::router())
}
