//! The description of the API, made of the routes themselves, and the page that shows it.

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

/// What stands around the routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Warpchess",
        description = "Play chess and its relatives with portals, pockets and two boards: from a board, with a bot, from a \
            page. Paths that Lichess has too are asked and answered as there, so that its clients work when their base URL \
            is pointed here; what is new is marked so. Refusals are JSON: `error` is a sentence, `code` a word for programs, \
            `field` the part of the request at fault. Too many requests are answered with 429 and `Retry-After`, all while the \
            database is away with 503 (`database-down`: nothing was done; `database-lost`: nobody knows). Bodies say by their \
            Content-Type that they are JSON or a form, others are refused with 415. Where several scopes stand one below the \
            other, a token needs one of them.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "account", description = "One's own account"),
        (name = "tokens", description = "Tokens, by which programs are known"),
        (name = "players", description = "Players, ratings, leaderboards"),
        (name = "challenges", description = "Finding somebody to play"),
        (name = "play", description = "Playing, for boards and bots"),
        (name = "games", description = "Games that were played, and those under way"),
        (name = "server", description = "The server itself"),
    ),
    components(schemas(crate::error::Error)),
    modifiers(&Security),
)]
pub(crate) struct Description;

struct Security;

impl Modify for Security {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        let components = description.components.get_or_insert_default();
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("An API token")).build();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description("warpchess", "The session of a browser"));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
    }
}
