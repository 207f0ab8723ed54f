//! Games that were called off, by who did it.

use sqlx::Row;

use super::{Db, StoreError};

/// How long it is kept, in milliseconds.
const KEPT: i64 = 24 * 60 * 60_000;

/// Notes that a player called a game off, or let it be called off by not moving.
///
/// # Errors
/// When the database fails.
pub async fn insert(db: &mut Db, game: &str, player: &str, now: i64) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM aborts WHERE player = $1 AND at < $2")
        .bind(player)
        .bind(now - KEPT)
        .execute(&mut *db)
        .await?;
    sqlx::query("INSERT INTO aborts (game_id, player, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
        .bind(game)
        .bind(player)
        .bind(now)
        .execute(db)
        .await?;
    Ok(())
}

/// When a player called games off since, the latest first, at most `limit` of them.
///
/// # Errors
/// When the database fails.
pub async fn since(db: &mut Db, player: &str, since: i64, limit: i64) -> Result<Vec<i64>, StoreError> {
    let rows = sqlx::query("SELECT at FROM aborts WHERE player = $1 AND at > $2 ORDER BY at DESC LIMIT $3");
    let rows = rows.bind(player).bind(since).bind(limit).fetch_all(db).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}
