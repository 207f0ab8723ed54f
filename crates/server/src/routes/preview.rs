//! Pictures of positions.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use warpchess_diagram::card::{self, Told};
use warpchess_diagram::png;
use warpchess_rules::{AnyPosition, VariantId};

use crate::App;
use crate::error::Error;
use crate::fields::{Asked, Path};
use crate::preview;

/// Pictures that are drawn at once. Each takes a thread for tens of milliseconds.
const AT_ONCE: usize = 2;
/// Requests that may wait for it.
const WAITING: usize = 32;
/// What is kept of what was drawn, in bytes.
const KEPT: usize = 16 << 20;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(picture))
}

/// What was drawn last, the oldest first.
#[derive(Default)]
struct Drawn {
    pictures: HashMap<String, Bytes>,
    order: VecDeque<String>,
    bytes: usize,
}

impl Drawn {
    fn keep(&mut self, name: String, picture: &Bytes) {
        if self.pictures.insert(name.clone(), picture.clone()).is_none() {
            self.bytes += picture.len();
            self.order.push_back(name);
        }
        while self.bytes > KEPT {
            let Some(oldest) = self.order.pop_front() else { break };
            self.bytes -= self.pictures.remove(&oldest).map_or(0, |picture| picture.len());
        }
    }
}

static DRAWN: LazyLock<Mutex<Drawn>> = LazyLock::new(Mutex::default);
static DRAWING: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(AT_ONCE)));
static QUEUE: Semaphore = Semaphore::const_new(WAITING);

/// What stands beside a position: the game's name and how it stands, and of a game between people who plays it and what
/// was moved last, where the position is still that game's.
async fn told(app: &App, position: &dyn AnyPosition, game: Option<&str>) -> Told {
    let title = position.info().names[0].to_owned();
    let mut told = Told { title, lines: vec![preview::status(position)], last: Vec::new() };
    let Some(id) = game else { return told };
    let Ok(row) = app.games().row(id).await else { return told };
    let Some(played) = row.replay(usize::MAX).filter(|played| played.position().fen() == position.fen()) else {
        return told;
    };
    let [white, black] = [&row.white, &row.black].map(preview::seat);
    told.lines.insert(0, format!("{white} – {black}"));
    told.last = Told::touched(played.effects(row.moves().count().saturating_sub(1)));
    told
}

/// A picture of a position, 1200 × 630 pixels, for sites that show what a link leads to.
#[utoipa::path(get, path = "/diagram/{variant}/card.png", tag = "games", params(("variant" = String, Path),
    ("fen" = Option<String>, Query, description = "The usual beginning without it"),
    ("game" = Option<String>, Query, description = "The game in which it stands now: its players are named")), responses(
    (status = 200, description = "A PNG", content_type = "image/png", body = Vec<u8>), (status = 400, body = Error),
    (status = 404, body = Error), (status = 503, body = Error)))]
async fn picture(
    State(app): State<App>,
    Path(variant): Path<String>,
    Asked(query): Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let id: VariantId = variant.parse().map_err(|_| Error::not_found("such game"))?;
    let position = match query.text("fen")? {
        Some(fen) => id.from_fen(&fen).map_err(|error| Error::bad("fen", error.to_string()))?,
        None => id.start(),
    };
    let told = told(&app, &*position, query.text("game")?.as_deref()).await;
    // The same position has one picture, however its FEN was written.
    let name = format!("{id} {} {}", position.fen(), told.lines.join("\n"));
    let tag = format!("W/\"{}-{:016x}\"", env!("CARGO_PKG_VERSION"), fnv(&name));
    let common = [(ETAG, tag.clone()), (CACHE_CONTROL, "public, max-age=86400".to_owned())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let known = DRAWN.lock().unwrap_or_else(PoisonError::into_inner).pictures.get(&name).cloned();
    let picture = match known {
        Some(picture) => picture,
        None => {
            let busy = || Error::unavailable("too many pictures are being drawn; try again in a moment");
            let _place = QUEUE.try_acquire().map_err(|_| busy())?;
            let permit = Arc::clone(&DRAWING).acquire_owned().await.map_err(|_| busy())?;
            let drawn = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                png::png(&card::card(&*position, &told))
            });
            let failed = |error: &dyn std::fmt::Display| {
                tracing::error!(%error, "a picture could not be drawn");
                Error::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the picture could not be drawn")
            };
            let picture = Bytes::from(drawn.await.map_err(|e| failed(&e))?.map_err(|e| failed(&e))?);
            DRAWN.lock().unwrap_or_else(PoisonError::into_inner).keep(name, &picture);
            picture
        }
    };
    Ok((common, [(CONTENT_TYPE, "image/png")], Body::from(picture)).into_response())
}

/// [FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/): the same in every process, so that tags are.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let mut drawn = Drawn::default();
        let picture = Bytes::from(vec![0; KEPT / 4]);
        for i in 0..10 {
            drawn.keep(i.to_string(), &picture);
            drawn.keep(i.to_string(), &picture);
        }
        assert!(drawn.bytes <= KEPT && drawn.pictures.len() == 4 && drawn.order.len() == 4);
        assert!(drawn.pictures.contains_key("9"), "the newest is");
    }
}
