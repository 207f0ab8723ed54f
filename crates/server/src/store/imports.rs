//! Games that were played elsewhere and taken in for study.

use sqlx::Row;

use super::games::{self, GameRow};
use super::{Db, StoreError};
use crate::auth::Identity;

/// Keeps an imported game. What a game in play never has is written apart: it is over from the beginning.
///
/// # Errors
/// When the database fails; a unique violation when the id is taken.
pub async fn insert(db: &mut Db, game: &GameRow, pgn: &str, importer: &Identity, at: i64) -> Result<(), StoreError> {
    games::insert(&mut *db, game).await?;
    games::update(&mut *db, game, game.version).await?;
    sqlx::query("UPDATE games SET imported = 1, white_key = $1, black_key = $2 WHERE id = $3")
        .bind(game.white.name.to_lowercase())
        .bind(game.black.name.to_lowercase())
        .bind(&game.id)
        .execute(&mut *db)
        .await?;
    sqlx::query(
        "INSERT INTO imports (game_id, importer_user, importer_session, imported_at, pgn) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&game.id)
    .bind(&importer.user)
    .bind(importer.user.is_none().then_some(&importer.session))
    .bind(at)
    .bind(pgn)
    .execute(db)
    .await?;
    Ok(())
}

/// The PGN that a game was imported with, in this program's own hand.
///
/// # Errors
/// When the database fails.
pub async fn pgn(db: &mut Db, game: &str) -> Result<Option<String>, StoreError> {
    let row = sqlx::query("SELECT pgn FROM imports WHERE game_id = $1").bind(game).fetch_optional(db).await?;
    row.map(|row| Ok(row.try_get("pgn")?)).transpose()
}

/// A page of what somebody imported, the latest first, behind `after`: games, and when they were imported.
///
/// # Errors
/// When the database fails, or a row cannot be read.
pub async fn of(
    db: &mut Db,
    importer: &Identity,
    after: Option<&(i64, String)>,
    limit: i64,
) -> Result<Vec<(GameRow, i64)>, StoreError> {
    let (column, who) = match &importer.user {
        Some(user) => ("importer_user", user),
        None => ("importer_session", &importer.session),
    };
    // Ids are letters and digits: '~' comes after them all.
    let (at, id) = after.map_or((i64::MAX, "~"), |(at, id)| (*at, id.as_str()));
    let sql = format!(
        "SELECT games.*, imports.imported_at FROM imports JOIN games ON games.id = imports.game_id \
         WHERE imports.{column} = $1 AND imported_at <= $2 AND (imported_at < $2 OR imports.game_id < $3) \
         ORDER BY imported_at DESC, imports.game_id DESC LIMIT $4"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(who).bind(at).bind(id).bind(limit).fetch_all(db).await?;
    rows.iter().map(|row| Ok((GameRow::from_row(row)?, row.try_get("imported_at")?))).collect()
}
