//! The opening explorer.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use warpchess_rules::notation::{san, uci};
use warpchess_rules::{AnyPosition, Color, Game};

use super::archive::{list, played, speeds};
use crate::explorer::{self, Mode, RATINGS, RECENT, Recent, Sum, Wanted};
use crate::fields::{Asked, Fields, Path};
use crate::store::games::{self, GameRow, Seat};
use crate::store::{Db, explorer as rows};
use crate::time::Day;
use crate::{App, Error, lichess};

/// How many games are told of at most.
const MOST_GAMES: i64 = 8;
/// How many if nobody says.
const USUAL_GAMES: i64 = 4;
/// How many moves at most, and if nobody says.
const MOST_MOVES: i64 = 500;
const USUAL_MOVES: i64 = 12;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(position))
}

/// What was played in a position
///
/// The shape is that of Lichess' opening explorer, with a game's id in the path. Games are counted with their first 40 plies.
#[utoipa::path(get, path = "/api/explorer/{variant}", operation_id = "explorer position", tag = "games", params(
    ("variant" = String, Path),
    ("fen" = Option<String>, Query, description = "The position, or that before `play`; the usual beginning if absent"),
    ("play" = Option<String>, Query, description = "Moves from there, in UCI with commas between"),
    ("speeds" = Option<String>, Query, description = "With commas between; all if absent"),
    ("modes" = Option<String>, Query, description = "`rated`, `casual`, `computer`, `import`, with commas between; all but `import` if absent"),
    ("ratings" = Option<String>, Query, description = "Groups of mean ratings by the numbers from which they begin (0, 1000, 1200, …, 2000, 2200, 2500), with commas between; all if absent"),
    ("moves" = Option<i64>, Query, description = "How many moves at most"),
    ("recentGames" = Option<i64>, Query, description = "How many of the last games, 0 to 8"),
    ("topGames" = Option<i64>, Query, description = "How many of the last games with the highest ratings, 0 to 8")),
    responses((status = 200, body = Object), (status = 400, body = Error)))]
async fn position(
    State(app): State<App>,
    Path(variant): Path<String>,
    Asked(query): Asked,
) -> Result<Json<Value>, Error> {
    let variant = lichess::variant_of(&variant)?;
    let game = match query.text("fen")? {
        Some(fen) => Game::from_fen(variant, &fen).map_err(|error| Error::bad("fen", error.to_string()))?,
        None => Game::new(variant),
    };
    let game = played(game, &list(&query, "play")?, "play")?;
    let position = game.position();
    let wanted = wanted(&query)?;
    let most_moves = query.within("moves", 0..=MOST_MOVES)?.unwrap_or(USUAL_MOVES);
    let recent = query.within("recentGames", 0..=MOST_GAMES)?.unwrap_or(USUAL_GAMES);
    let top = query.within("topGames", 0..=MOST_GAMES)?.unwrap_or(USUAL_GAMES);

    let mut db = app.store().read().await?;
    let key = explorer::position_key(variant, position);
    let mut found = rows::moves(&mut db, variant.id(), key, &wanted).await?;
    // Some moves depend on the number of the move, which positions that are the same here may differ in.
    found.moves.retain(|text, _| uci::parse(position, text).is_ok());
    found.recent.retain(|recent| found.moves.contains_key(&recent.uci));
    let mut total = Sum::default();
    found.moves.values().for_each(|sum| total.add(sum));
    let last = last_games(&mut db, found.recent).await?;
    let moves = explorer::ranked(found.moves);

    let shown = moves.iter().take(usize::try_from(most_moves).unwrap_or(0));
    let form = json!({
        "variant": variant.id(),
        "fen": position.fen(),
        "white": total.white,
        "draws": total.draws,
        "black": total.black,
        "averageRating": total.average_rating(),
        "moves": shown.map(|(text, sum)| move_form(position, text, sum)).collect::<Vec<_>>(),
        "recentGames": games_form(&last, recent),
        "topGames": games_form(&by_rating(last), top),
        "opening": null,
    });
    Ok(Json(form))
}

fn wanted(query: &Fields) -> Result<Wanted, Error> {
    let mode = |name: String| {
        let known = Mode::ALL.into_iter().find(|mode| mode.name() == name);
        known.ok_or_else(|| Error::bad("modes", "'modes' are expected to be rated, casual, computer or import"))
    };
    let group = |text: String| {
        let known = text.parse().ok().filter(|number| RATINGS.contains(number));
        known.ok_or_else(|| Error::bad("ratings", format!("'ratings' are expected to be some of {RATINGS:?}")))
    };
    Ok(Wanted {
        speeds: speeds(query, "speeds")?,
        modes: list(query, "modes")?.into_iter().map(mode).collect::<Result<_, _>>()?,
        groups: list(query, "ratings")?.into_iter().map(group).collect::<Result<_, _>>()?,
    })
}

fn move_form(position: &dyn AnyPosition, text: &str, sum: &Sum) -> Value {
    let san = uci::parse(position, text).map(|m| san::write(position, m)).ok();
    json!({
        "uci": text,
        "san": san,
        "white": sum.white,
        "draws": sum.draws,
        "black": sum.black,
        "averageRating": sum.average_rating(),
    })
}

/// The last games of all moves, the latest first, and what was played in them.
async fn last_games(db: &mut Db, mut recent: Vec<Recent>) -> Result<Vec<(GameRow, String)>, Error> {
    // The last eight games of all are among those of the eight rows whose last game is the latest.
    recent.sort_unstable_by(|a, b| b.cmp(a));
    recent.truncate(RECENT);
    let ids: Vec<&str> = recent.iter().flat_map(|recent| recent.games.iter().map(String::as_str)).collect();
    let mut found = Vec::new();
    for row in games::by_ids(db, &ids).await? {
        let played = recent.iter().find(|recent| recent.games.contains(&row.id)).map(|recent| recent.uci.clone());
        found.extend(played.map(|played| (row, played)));
    }
    found.sort_by(|(a, _), (b, _)| (b.ended_at, &b.id).cmp(&(a.ended_at, &a.id)));
    Ok(found)
}

fn by_rating(mut games: Vec<(GameRow, String)>) -> Vec<(GameRow, String)> {
    games.retain(|(row, _)| explorer::mean(row).is_some());
    games.sort_by_key(|(row, _)| std::cmp::Reverse(explorer::mean(row)));
    games
}

fn games_form(games: &[(GameRow, String)], most: i64) -> Vec<Value> {
    let player = |seat: &Seat| json!({ "name": seat.name, "rating": seat.rating });
    let form = |(row, text): &(GameRow, String)| {
        let Day { year, month, .. } = Day::of(row.created_at);
        json!({
            "id": row.id,
            "uci": text,
            "winner": row.winner.map(Color::name),
            "speed": row.speed().name(),
            "mode": Mode::of(row).name(),
            "white": player(&row.white),
            "black": player(&row.black),
            "year": year,
            "month": format!("{year:04}-{month:02}"),
        })
    };
    games.iter().take(usize::try_from(most).unwrap_or(0)).map(form).collect()
}
