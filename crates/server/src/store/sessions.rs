//! Who comes back: browsers, known by a cookie, with or without an account.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Db, StoreError};

/// A session as it is kept. The cookie itself is not: only its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Names it where it may be seen by others.
    pub id: String,
    /// The account that is logged in, if one is.
    pub user: Option<String>,
    /// When it began.
    pub created_at: i64,
    /// When it was last used, to within some minutes.
    pub seen_at: i64,
}

impl Session {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get("id")?,
            user: row.try_get("user_id")?,
            created_at: row.try_get("created_at")?,
            seen_at: row.try_get("seen_at")?,
        })
    }
}

/// Keeps a new session; `token_hash` is the SHA-256 hash of its cookie, in hexadecimal.
///
/// # Errors
/// When the database fails.
pub async fn insert(db: &mut Db, session: &Session, token_hash: &str) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO sessions (id, token_hash, user_id, created_at, seen_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(&session.id)
        .bind(token_hash)
        .bind(&session.user)
        .bind(session.created_at)
        .bind(session.seen_at)
        .execute(db)
        .await?;
    Ok(())
}

/// The session of a cookie.
///
/// # Errors
/// When the database fails.
pub async fn by_token_hash(db: &mut Db, token_hash: &str) -> Result<Option<Session>, StoreError> {
    let row = sqlx::query("SELECT id, user_id, created_at, seen_at FROM sessions WHERE token_hash = $1")
        .bind(token_hash)
        .fetch_optional(db)
        .await?;
    row.as_ref().map(Session::from_row).transpose()
}

/// Notes that a session was used.
///
/// # Errors
/// When the database fails.
pub async fn touch(db: &mut Db, id: &str, now: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE sessions SET seen_at = $1 WHERE id = $2").bind(now).bind(id).execute(db).await?;
    Ok(())
}

/// Ends a session.
///
/// # Errors
/// When the database fails.
pub async fn delete(db: &mut Db, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM sessions WHERE id = $1").bind(id).execute(db).await?;
    Ok(())
}

/// Ends the sessions of an account, but for one.
///
/// # Errors
/// When the database fails.
pub async fn delete_of_user(db: &mut Db, user: &str, but: Option<&str>) -> Result<(), StoreError> {
    let delete = sqlx::query("DELETE FROM sessions WHERE user_id = $1 AND id <> $2");
    delete.bind(user).bind(but.unwrap_or_default()).execute(db).await?;
    Ok(())
}
