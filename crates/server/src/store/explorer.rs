//! What was played in which position.

use std::collections::BTreeMap;
use std::fmt::Write;

use sqlx::Row as _;

use super::games::GameRow;
use super::{Db, Kind, StoreError};
use crate::explorer::{Counted, Found, Mode, RECENT, Recent, Sum, Wanted};
use crate::ids;

/// How many rows are written by one statement.
const ROWS: usize = 64;
/// How many columns a row has.
const COLUMNS: usize = 13;

/// What one row of the table is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // See the columns.
pub struct Key {
    pub variant: &'static str,
    pub position: i64,
    pub uci: String,
    pub speed: &'static str,
    pub mode: Mode,
    pub rating_group: i64,
}

/// What is added to a row.
#[derive(Clone, Default)]
struct Row {
    sum: Sum,
    /// Ids of games, the latest first.
    recent: Vec<String>,
    /// When the last of them ended.
    at: i64,
}

impl Row {
    fn of(game: &Counted) -> Self {
        Self { sum: Sum::one(game), recent: vec![game.game.clone()], at: game.at }
    }
}

impl Key {
    fn all_of(game: &Counted) -> impl Iterator<Item = Self> {
        game.moves.iter().map(|(position, uci)| Self {
            variant: game.variant.id(),
            position: *position,
            uci: uci.clone(),
            speed: game.speed.name(),
            mode: game.mode,
            rating_group: game.rating_group(),
        })
    }
}

/// Counts a game that has ended, and notes that it is counted; `None` for one of which nothing counts. Belongs into the
/// transaction that ends it.
///
/// # Errors
/// When the database fails.
pub async fn count(db: &mut Db, id: &str, game: Option<&Counted>) -> Result<(), StoreError> {
    if let Some(game) = game {
        let row = Row::of(game);
        // The moves are sorted, and nothing else of the key differs.
        let rows: Vec<(Key, &Row)> = Key::all_of(game).map(|key| (key, &row)).collect();
        add(db, &rows).await?;
    }
    note(db, id).await?;
    Ok(())
}

/// Notes that a game is counted; tells whether it was not before.
async fn note(db: &mut Db, id: &str) -> Result<bool, StoreError> {
    let done = sqlx::query("UPDATE games SET counted = 1 WHERE id = $1 AND counted = 0").bind(id).execute(db).await?;
    Ok(done.rows_affected() == 1)
}

/// Games that have ended and are not counted, the first that ended first.
///
/// # Errors
/// When the database fails, or a row cannot be read.
pub async fn uncounted(db: &mut Db, limit: i64) -> Result<Vec<GameRow>, StoreError> {
    let select =
        sqlx::query("SELECT * FROM games WHERE counted = 0 AND status = 'ended' ORDER BY ended_at, id LIMIT $1");
    select.bind(limit).fetch_all(db).await?.iter().map(GameRow::from_row).collect()
}

/// Counts several games at once, each after those before it, unless somebody else has counted it meanwhile.
///
/// # Errors
/// When the database fails.
pub async fn count_all(db: &mut Db, games: &[(String, Option<Counted>)]) -> Result<(), StoreError> {
    let mut counted = Vec::new();
    for (id, game) in games {
        if note(&mut *db, id).await? {
            counted.extend(game);
        }
    }
    let mut sums: BTreeMap<Key, Row> = BTreeMap::new();
    for game in counted {
        let one = Row::of(game);
        for key in Key::all_of(game) {
            let row = sums.entry(key).or_default();
            row.sum.add(&one.sum);
            row.recent.insert(0, game.game.clone());
            row.recent.truncate(RECENT);
            row.at = row.at.max(one.at);
        }
    }
    let rows: Vec<(Key, &Row)> = sums.iter().map(|(key, row)| (key.clone(), row)).collect();
    add(db, &rows).await
}

/// Adds sums to rows, whose keys are sorted and differ.
async fn add(db: &mut Db, rows: &[(Key, &Row)]) -> Result<(), StoreError> {
    for rows in rows.chunks(ROWS) {
        let mut sql = String::from(
            "INSERT INTO explorer (variant, position, uci, speed, mode, rating_group, white, draws, black, rating_sum, \
             rating_games, recent, last_at) VALUES ",
        );
        for i in 0..rows.len() {
            let comma = if i == 0 { "" } else { ", " };
            let places: Vec<String> = (1..=COLUMNS).map(|column| format!("${}", i * COLUMNS + column)).collect();
            let _ = write!(sql, "{comma}({})", places.join(", "));
        }
        // What is too long at the end of `recent` is cut off: ids have one length, with a space between.
        let length = RECENT * (ids::GAME + 1) - 1;
        let _ = write!(
            sql,
            " ON CONFLICT (variant, position, uci, speed, mode, rating_group) DO UPDATE SET \
             white = explorer.white + excluded.white, draws = explorer.draws + excluded.draws, \
             black = explorer.black + excluded.black, rating_sum = explorer.rating_sum + excluded.rating_sum, \
             rating_games = explorer.rating_games + excluded.rating_games, \
             recent = substr(excluded.recent || ' ' || explorer.recent, 1, {length}), \
             last_at = CASE WHEN excluded.last_at > explorer.last_at THEN excluded.last_at ELSE explorer.last_at END"
        );
        // One statement for each number of rows: they are not worth remembering all.
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql)).persistent(false);
        for (key, row) in rows {
            let sum = &row.sum;
            query = query
                .bind(key.variant)
                .bind(key.position)
                .bind(&key.uci)
                .bind(key.speed)
                .bind(key.mode.name())
                .bind(key.rating_group)
                .bind(sum.white)
                .bind(sum.draws)
                .bind(sum.black)
                .bind(sum.rating_sum)
                .bind(sum.rating_games)
                .bind(row.recent.join(" "))
                .bind(row.at);
        }
        query.execute(&mut *db).await?;
    }
    Ok(())
}

/// Forgets all that was counted. Games that end at the same time are counted before and forgotten, or after and kept.
///
/// # Errors
/// When the database fails.
pub async fn clear(db: &mut Db, kind: Kind) -> Result<(), StoreError> {
    if kind == Kind::Postgres {
        // Waits for those who count; in SQLite one writes at a time.
        sqlx::query("LOCK TABLE explorer IN EXCLUSIVE MODE").execute(&mut *db).await?;
    }
    sqlx::query("UPDATE games SET counted = 0 WHERE counted = 1").execute(&mut *db).await?;
    sqlx::query("DELETE FROM explorer").execute(db).await?;
    Ok(())
}

/// What was played in a position.
///
/// # Errors
/// When the database fails.
pub async fn moves(db: &mut Db, variant: &str, position: i64, wanted: &Wanted) -> Result<Found, StoreError> {
    let select = sqlx::query(
        "SELECT uci, speed, mode, rating_group, white, draws, black, rating_sum, rating_games, recent, last_at \
         FROM explorer WHERE variant = $1 AND position = $2",
    );
    let modes = if wanted.modes.is_empty() { &Mode::USUAL[..] } else { &wanted.modes };
    let mut found = Found::default();
    for row in select.bind(variant).bind(position).fetch_all(db).await? {
        let (speed, mode): (String, String) = (row.try_get("speed")?, row.try_get("mode")?);
        let group: i64 = row.try_get("rating_group")?;
        let fits = modes.iter().any(|wanted| wanted.name() == mode)
            && (wanted.speeds.is_empty() || wanted.speeds.contains(&speed))
            && (wanted.groups.is_empty() || wanted.groups.contains(&group));
        if !fits {
            continue;
        }
        let (uci, recent): (String, String) = (row.try_get("uci")?, row.try_get("recent")?);
        let sum = Sum {
            white: row.try_get("white")?,
            draws: row.try_get("draws")?,
            black: row.try_get("black")?,
            rating_sum: row.try_get("rating_sum")?,
            rating_games: row.try_get("rating_games")?,
        };
        found.moves.entry(uci.clone()).or_default().add(&sum);
        let games = recent.split_ascii_whitespace().map(str::to_owned).collect();
        found.recent.push(Recent { at: row.try_get("last_at")?, uci, games });
    }
    Ok(found)
}
