//! What a page is about, told in its head: title, description and picture, for sites that show what a link leads to
//! ([Open Graph](https://ogp.me/)). Programs that read it do not run the page.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

use axum::extract::Query;
use axum::http::header::HOST;
use axum::http::{HeaderMap, Uri};
use sha2::{Digest, Sha256};
use warpchess_rules::{AnyPosition, Color, Game, VariantId};

use crate::App;
use crate::assets::Asset;
use crate::store::games::{GameRow, Seat, Status};

/// Where in the page it goes.
const BEFORE: &str = "</head>";
/// More moves than this in an address are not replayed for a picture.
const MOST_MOVES: usize = 600;

/// What a page is about.
#[derive(Debug)]
pub(crate) struct About {
    title: String,
    description: String,
    /// The page's address without what it need not say.
    url: String,
    image: String,
}

/// What the page at a path is about; `None` where there is nothing to say but what the page says of itself.
pub(crate) async fn about(app: &App, uri: &Uri, headers: &HeaderMap) -> Option<About> {
    let origin = origin(app, headers)?;
    if uri.path() == "/" {
        return home(&origin);
    }
    let mut parts = uri.path().trim_matches('/').split('/');
    let (page, name) = (parts.next()?, parts.next()?);
    if page == "game" {
        return game(app, &origin, name).await;
    }
    let variant = name.parse::<VariantId>().ok()?;
    let info = variant.info();
    let name = info.names[0];
    let position = position(variant, uri);
    let (title, description) = match page {
        "play" => (format!("Play {name}"), info.summary[0].to_owned()),
        "rules" => (format!("{name}: the rules, to be tried out"), info.summary[0].to_owned()),
        "explorer" => (format!("{name}: openings"), format!("What was played in {name}, and how it ended.")),
        "analysis" => (format!("{name}: analysis"), status(&*position)),
        "editor" => (format!("{name}: a position"), status(&*position)),
        "embed" => (name.to_owned(), status(&*position)),
        _ => return None,
    };
    Some(About {
        title,
        description,
        url: format!("{origin}{}", uri.path()),
        image: image(&origin, variant, &*position),
    })
}

/// The page from which all games are begun; pictured by one on whose board there is more than pieces from the start.
fn home(origin: &str) -> Option<About> {
    let special = |id: &VariantId| !id.start().markers().is_empty();
    let pictured = VariantId::all().find(special).or_else(|| VariantId::all().next())?;
    Some(About {
        title: "Seven kinds of chess, against people and a computer".to_owned(),
        description: "Chess where pieces leave their squares in other ways: through portals, through a pocket, \
                      by changing places. In the browser, with nothing to install."
            .to_owned(),
        url: format!("{origin}/"),
        image: image(origin, pictured, &*pictured.start()),
    })
}

async fn game(app: &App, origin: &str, id: &str) -> Option<About> {
    let row = app.games().row(id).await.ok()?;
    let game = row.replay(usize::MAX);
    let info = row.variant.info();
    let [white, black] = [&row.white, &row.black].map(seat);
    let title = format!("{white} – {black}: {}", info.names[0]);
    let description = match (row.status, row.winner) {
        (Status::Started, _) => format!("The game is being played; {} half-moves so far.", row.ply),
        (Status::Aborted, _) => "The game was called off.".to_owned(),
        (_, Some(winner)) => {
            let side = if winner == Color::White { "White" } else { "Black" };
            format!("{side} won after {} half-moves{}.", row.ply, reason(&row))
        }
        (_, None) => format!("It ended after {} half-moves{}.", row.ply, reason(&row)),
    };
    let start;
    let position = match &game {
        Some(game) => game.position(),
        None => {
            start = row.variant.start();
            &*start
        }
    };
    // The server looks up who plays and what was moved last; the position's picture goes with it for what was called off.
    let image = format!("{}&game={id}", image(origin, row.variant, position));
    Some(About { title, description, url: format!("{origin}/game/{id}"), image })
}

/// How a game ended: `: fifty moves`.
fn reason(row: &GameRow) -> String {
    let Some(reason) = &row.reason else { return String::new() };
    reason.chars().fold(String::from(": "), |mut words, c| {
        if c.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
        words
    })
}

/// Who plays: a name, or the computer.
pub(crate) fn seat(seat: &Seat) -> String {
    seat.level.map_or_else(|| seat.name.clone(), |level| format!("Computer, level {level}"))
}

/// The position of an address; the usual beginning where it names none that can be had.
fn position(variant: VariantId, uri: &Uri) -> Box<dyn AnyPosition> {
    let query = Query::<HashMap<String, String>>::try_from_uri(uri).map(|Query(query)| query).unwrap_or_default();
    let value = |name: &str| query.get(name).filter(|value| !value.is_empty()).cloned();
    let begun = value("fen").and_then(|fen| Game::from_fen(variant, &fen).ok());
    let mut game = begun.unwrap_or_else(|| Game::new(variant));
    let moves = value("moves").unwrap_or_default();
    for uci in moves.split([',', ' ']).filter(|uci| !uci.is_empty()).take(MOST_MOVES) {
        if game.play_uci(uci).is_err() {
            break;
        }
    }
    game.position().boxed_clone()
}

/// How a position stands, in a sentence.
pub(crate) fn status(position: &dyn AnyPosition) -> String {
    match position.outcome() {
        Some(outcome) => format!("The game is over: {}.", outcome.status()),
        None => {
            let side = if position.turn() == Color::White { "White" } else { "Black" };
            format!("{side} to move, move {}.", position.fullmove_number())
        }
    }
}

/// The address of a position's picture.
fn image(origin: &str, variant: VariantId, position: &dyn AnyPosition) -> String {
    let mut fen = String::new();
    for byte in position.fen().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'/' => fen.push(byte as char),
            b' ' => fen.push('+'),
            other => {
                let _ = write!(fen, "%{other:02X}");
            }
        }
    }
    format!("{origin}/diagram/{variant}/card.png?fen={fen}")
}

/// The beginning of every address of this server: as it was told, or as the client reached it.
fn origin(app: &App, headers: &HeaderMap) -> Option<String> {
    if let Some(url) = app.config().base_url.as_deref() {
        return Some(url.trim_end_matches('/').to_owned());
    }
    let host = headers.get(HOST)?.to_str().ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    (!host.is_empty() && host.chars().all(plain)).then(|| format!("http://{host}"))
}

/// The page with what it is about in its head.
pub(crate) fn tell(page: Asset, about: Option<&About>) -> Asset {
    let Some((about, text)) = about.zip(std::str::from_utf8(&page.bytes).ok()) else { return page };
    let Some((head, rest)) = text.split_once(BEFORE) else { return page };
    let mut told = String::with_capacity(text.len() + 1024);
    told.push_str(head);
    let image = (warpchess_diagram::card::WIDTH.to_string(), warpchess_diagram::card::HEIGHT.to_string());
    for (property, content) in [
        ("og:type", "website"),
        ("og:site_name", "Warpchess"),
        ("og:title", &about.title),
        ("og:description", &about.description),
        ("og:url", &about.url),
        ("og:image", &about.image),
        ("og:image:type", "image/png"),
        ("og:image:width", &image.0),
        ("og:image:height", &image.1),
    ] {
        let _ = write!(told, "<meta property=\"{property}\" content=\"{}\" />", escaped(content));
    }
    told.push_str("<meta name=\"twitter:card\" content=\"summary_large_image\" />");
    told.push_str(BEFORE);
    told.push_str(rest);
    let hash = Sha256::digest(told.as_bytes()).into();
    Asset { bytes: Cow::Owned(told.into_bytes()), hash }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Asset {
        Asset { bytes: Cow::Borrowed(b"<html><head><title>x</title></head><body></body></html>"), hash: [0; 32] }
    }

    #[test]
    fn names_of_players_cannot_become_part_of_the_page() {
        let about = About {
            title: "\"><script>alert(1)</script>".to_owned(),
            description: "a & b".to_owned(),
            url: "http://h/game/x".to_owned(),
            image: "http://h/p.png".to_owned(),
        };
        let told = tell(page(), Some(&about));
        let text = std::str::from_utf8(&told.bytes).unwrap();
        assert!(!text.contains("<script>") && text.contains("&lt;script&gt;") && text.contains("a &amp; b"), "{text}");
        assert!(text.ends_with("</head><body></body></html>"));
        assert_ne!(told.hash, [0; 32], "another page has another tag");
    }

    #[test]
    fn a_page_about_nothing_stays_as_it_is() {
        assert_eq!(tell(page(), None).bytes, page().bytes);
    }

    #[test]
    fn the_position_is_that_of_the_address() {
        let chess: VariantId = "chess".parse().unwrap();
        let of = |query: &str| position(chess, &format!("/analysis/chess?{query}").parse().unwrap());
        assert_eq!(of("moves=e2e4,e7e5,zz").fullmove_number(), 2);
        assert_eq!(of("fen=nonsense").fen(), chess.start().fen());
        assert_eq!(of("fen=4k3%2F8/8/8/8/8/8/4K2R+w+K+-+0+1").fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    }
}
