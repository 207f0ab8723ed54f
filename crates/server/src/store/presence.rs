//! Who was at which game.

use sqlx::Row;
use warpchess_rules::Color;

use super::{Db, StoreError};

/// Notes that players were at their games.
///
/// # Errors
/// When the database fails.
pub async fn note(db: &mut Db, all: &[(String, Color)]) -> Result<(), StoreError> {
    for (game, color) in all {
        let sql = match color {
            Color::White => "UPDATE games SET white_came = 1 WHERE id = $1 AND white_came = 0",
            Color::Black => "UPDATE games SET black_came = 1 WHERE id = $1 AND black_came = 0",
        };
        sqlx::query(sql).bind(game).execute(&mut *db).await?;
    }
    Ok(())
}

/// Who was at games that go on by the clock.
///
/// # Errors
/// When the database fails.
pub async fn came(db: &mut Db) -> Result<Vec<(String, Color)>, StoreError> {
    let select = sqlx::query(
        "SELECT id, white_came, black_came FROM games WHERE deadline_at IS NOT NULL AND limit_ms IS NOT NULL \
         AND (white_came = 1 OR black_came = 1)",
    );
    let mut all = Vec::new();
    for row in select.fetch_all(db).await? {
        let id: String = row.try_get("id")?;
        for (color, column) in [(Color::White, "white_came"), (Color::Black, "black_came")] {
            if row.try_get::<i64, _>(column)? != 0 {
                all.push((id.clone(), color));
            }
        }
    }
    Ok(all)
}
