//! API tokens. What is kept is a hash, by which a token is found; the token itself is shown once, when it is made.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Db, StoreError};
use crate::auth::Scopes;

/// A token as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Names it where it is listed; no secret.
    pub id: String,
    /// Whose it is.
    pub user: String,
    /// What its owner calls it.
    pub description: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: i64,
    /// When it was last used, to within some minutes.
    pub used_at: Option<i64>,
    /// When it ends, if ever.
    pub expires_at: Option<i64>,
}

const COLUMNS: &str = "id, user_id, description, scopes, created_at, used_at, expires_at";

impl Token {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let id: String = row.try_get("id")?;
        let scopes: String = row.try_get("scopes")?;
        Ok(Self {
            scopes: scopes.parse().map_err(|error| StoreError::corrupt(format!("token {id}"), error))?,
            id,
            user: row.try_get("user_id")?,
            description: row.try_get("description")?,
            created_at: row.try_get("created_at")?,
            used_at: row.try_get("used_at")?,
            expires_at: row.try_get("expires_at")?,
        })
    }
}

/// Keeps a token.
///
/// # Errors
/// When the database fails.
pub async fn insert(db: &mut Db, token: &Token, token_hash: &str) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO tokens (id, token_hash, user_id, description, scopes, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&token.id)
    .bind(token_hash)
    .bind(&token.user)
    .bind(&token.description)
    .bind(token.scopes.to_string())
    .bind(token.created_at)
    .bind(token.expires_at)
    .execute(db)
    .await?;
    Ok(())
}

/// The token of a hash, if it has not ended.
///
/// # Errors
/// When the database fails.
pub async fn by_hash(db: &mut Db, token_hash: &str, now: i64) -> Result<Option<Token>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE token_hash = $1 AND (expires_at IS NULL OR expires_at > $2)");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(token_hash).bind(now).fetch_optional(db).await?;
    row.as_ref().map(Token::from_row).transpose()
}

/// An account's tokens, the newest first.
///
/// # Errors
/// When the database fails.
pub async fn of_user(db: &mut Db, user: &str) -> Result<Vec<Token>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM tokens WHERE user_id = $1 ORDER BY created_at DESC, id");
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(user).fetch_all(db).await?;
    rows.iter().map(Token::from_row).collect()
}

/// Notes that a token was used.
///
/// # Errors
/// When the database fails.
pub async fn touch(db: &mut Db, id: &str, now: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE tokens SET used_at = $1 WHERE id = $2").bind(now).bind(id).execute(db).await?;
    Ok(())
}

/// Ends a token of an account. `false` when it has none of this id.
///
/// # Errors
/// When the database fails.
pub async fn delete(db: &mut Db, user: &str, id: &str) -> Result<bool, StoreError> {
    let delete = sqlx::query("DELETE FROM tokens WHERE user_id = $1 AND id = $2").bind(user).bind(id);
    Ok(delete.execute(db).await?.rows_affected() > 0)
}
