//! Accounts.

use std::collections::HashSet;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Db, StoreError};
use crate::names::Name;

/// An account.
#[derive(Clone, PartialEq, Eq)]
pub struct Account {
    /// The name in lower case.
    pub id: String,
    /// The name as it is shown.
    pub name: String,
    /// The hash of its password.
    pub password_hash: String,
    /// Whether a program plays.
    pub bot: bool,
    /// When it was made.
    pub created_at: i64,
    /// When it was last used, to within some minutes.
    pub seen_at: i64,
    /// Since when it may do nothing, if so.
    pub banned_at: Option<i64>,
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Account").field("id", &self.id).field("bot", &self.bot).finish_non_exhaustive()
    }
}

const COLUMNS: &str = "id, name, password_hash, bot, created_at, seen_at, banned_at";

impl Account {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            password_hash: row.try_get("password_hash")?,
            bot: row.try_get::<i64, _>("bot")? != 0,
            created_at: row.try_get("created_at")?,
            seen_at: row.try_get("seen_at")?,
            banned_at: row.try_get("banned_at")?,
        })
    }
}

/// Makes an account, unless its name or one that looks like it is or was somebody's: then `false`.
///
/// # Errors
/// When the database fails.
pub async fn insert(db: &mut Db, name: &Name, password_hash: &str, bot: bool, now: i64) -> Result<bool, StoreError> {
    let retired = sqlx::query("SELECT 1 FROM retired_names WHERE skeleton_hash = $1")
        .bind(crate::auth::hash(&name.skeleton))
        .fetch_optional(&mut *db)
        .await?;
    if retired.is_some() {
        return Ok(false);
    }
    let done = sqlx::query(
        "INSERT INTO users (id, name, skeleton, password_hash, bot, created_at, seen_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT DO NOTHING",
    )
    .bind(&name.id)
    .bind(&name.shown)
    .bind(&name.skeleton)
    .bind(password_hash)
    .bind(i64::from(bot))
    .bind(now)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// The account of an id.
///
/// # Errors
/// When the database fails.
pub async fn by_id(db: &mut Db, id: &str) -> Result<Option<Account>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM users WHERE id = $1");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(db).await?;
    row.as_ref().map(Account::from_row).transpose()
}

/// Accounts whose names begin so, by name.
///
/// # Errors
/// When the database fails.
pub async fn beginning_with(db: &mut Db, start: &str, limit: i64) -> Result<Vec<Account>, StoreError> {
    // A range of the index, where LIKE would depend on the database's collation; '~' comes after all that names have.
    let sql =
        format!("SELECT {COLUMNS} FROM users WHERE id >= $1 AND id < $2 AND banned_at IS NULL ORDER BY id LIMIT $3");
    let rows =
        sqlx::query(sqlx::AssertSqlSafe(sql)).bind(start).bind(format!("{start}~")).bind(limit).fetch_all(db).await?;
    rows.iter().map(Account::from_row).collect()
}

/// Bots that were seen since, the latest first.
///
/// # Errors
/// When the database fails.
pub async fn bots_seen_since(db: &mut Db, since: i64, limit: i64) -> Result<Vec<Account>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM users WHERE bot = 1 AND seen_at >= $1 AND banned_at IS NULL ORDER BY seen_at DESC LIMIT $2"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(since).bind(limit).fetch_all(db).await?;
    rows.iter().map(Account::from_row).collect()
}

/// Notes that an account was used.
///
/// # Errors
/// When the database fails.
pub async fn touch(db: &mut Db, id: &str, now: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE users SET seen_at = $1 WHERE id = $2").bind(now).bind(id).execute(db).await?;
    Ok(())
}

/// Gives an account another password. `false` when there is no such account.
///
/// # Errors
/// When the database fails.
pub async fn set_password(db: &mut Db, id: &str, password_hash: &str) -> Result<bool, StoreError> {
    let update = sqlx::query("UPDATE users SET password_hash = $1 WHERE id = $2").bind(password_hash).bind(id);
    Ok(update.execute(db).await?.rows_affected() > 0)
}

/// Makes an account a bot's, if it never played. `false` when it has.
///
/// # Errors
/// When the database fails.
pub async fn make_bot(db: &mut Db, id: &str) -> Result<bool, StoreError> {
    let update = sqlx::query(
        "UPDATE users SET bot = 1 WHERE id = $1 AND (bot = 1 OR NOT EXISTS \
         (SELECT 1 FROM games WHERE white_user = $1 OR black_user = $1))",
    );
    Ok(update.bind(id).execute(db).await?.rows_affected() > 0)
}

/// Shuts an account out, or lets it in again. Its sessions and tokens end. `false` when there is no such account.
///
/// # Errors
/// When the database fails.
pub async fn set_banned(db: &mut Db, id: &str, banned_at: Option<i64>) -> Result<bool, StoreError> {
    let update = sqlx::query("UPDATE users SET banned_at = $1 WHERE id = $2").bind(banned_at).bind(id);
    let found = update.execute(&mut *db).await?.rows_affected() > 0;
    if banned_at.is_some() {
        sqlx::query("DELETE FROM sessions WHERE user_id = $1").bind(id).execute(&mut *db).await?;
        sqlx::query("DELETE FROM tokens WHERE user_id = $1").bind(id).execute(db).await?;
    }
    Ok(found)
}

/// What stands in games and chats where the name of an account stood that was deleted.
pub const DELETED: &str = "Deleted";

/// Deletes an account: its sessions, tokens and ratings go, its games stay without its name, and nobody gets the name
/// again. Its games should have ended.
///
/// # Errors
/// When the database fails.
pub async fn delete(db: &mut Db, id: &str) -> Result<(), StoreError> {
    let skeleton = crate::auth::hash(&crate::names::skeleton(id));
    sqlx::query("INSERT INTO retired_names (skeleton_hash) VALUES ($1) ON CONFLICT DO NOTHING")
        .bind(skeleton)
        .execute(&mut *db)
        .await?;
    for sql in [
        "DELETE FROM sessions WHERE user_id = $1",
        "DELETE FROM users WHERE id = $1",
        "DELETE FROM challenges WHERE target_user = $1 AND game_id IS NULL",
        "UPDATE imports SET importer_user = NULL WHERE importer_user = $1",
    ] {
        sqlx::query(sql).bind(id).execute(&mut *db).await?;
    }
    for sql in [
        "UPDATE challenges SET creator_user = NULL, creator_name = $2 WHERE creator_user = $1",
        "UPDATE games SET white_user = NULL, white_name = $2 WHERE white_user = $1",
        "UPDATE games SET black_user = NULL, black_name = $2 WHERE black_user = $1",
        "UPDATE chat SET author_user = NULL, author = $2 WHERE author_user = $1",
        "UPDATE analysis_jobs SET requester = $2 WHERE requester = 'user.' || $1",
    ] {
        sqlx::query(sql).bind(id).bind(DELETED).execute(&mut *db).await?;
    }
    Ok(())
}

/// How many games of an account ended how.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that ended or go on; aborted ones do not count.
    pub all: i64,
    /// Rated ones of these.
    pub rated: i64,
    /// Won.
    pub wins: i64,
    /// Drawn.
    pub draws: i64,
    /// Lost.
    pub losses: i64,
    /// Not ended.
    pub playing: i64,
}

/// Counts an account's games.
///
/// # Errors
/// When the database fails.
pub async fn tally(db: &mut Db, id: &str) -> Result<Tally, StoreError> {
    let mut tally = Tally::default();
    for (column, color) in [("white_user", "white"), ("black_user", "black")] {
        let sql = format!(
            "SELECT winner, rated, CASE WHEN ended_at IS NULL THEN 1 ELSE 0 END AS open, COUNT(*) AS n FROM games \
             WHERE {column} = $1 AND status <> 'aborted' GROUP BY winner, rated, open"
        );
        for row in sqlx::query(sqlx::AssertSqlSafe(sql)).bind(id).fetch_all(&mut *db).await? {
            let n: i64 = row.try_get("n")?;
            tally.all += n;
            if row.try_get::<i64, _>("rated")? != 0 {
                tally.rated += n;
            }
            let winner: Option<String> = row.try_get("winner")?;
            *match (row.try_get::<i64, _>("open")?, winner.as_deref()) {
                (1, _) => &mut tally.playing,
                (_, None) => &mut tally.draws,
                (_, Some(winner)) if winner == color => &mut tally.wins,
                _ => &mut tally.losses,
            } += n;
        }
    }
    Ok(tally)
}

/// Something that was said in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The game.
    pub game: String,
    /// To whom: players or spectators.
    pub room: String,
    /// What.
    pub text: String,
    /// When.
    pub at: i64,
}

/// All that an account said.
///
/// # Errors
/// When the database fails.
pub async fn chat_of(db: &mut Db, id: &str) -> Result<Vec<Said>, StoreError> {
    let select = sqlx::query("SELECT game_id, room, text, at FROM chat WHERE author_user = $1 ORDER BY at, game_id");
    let read = |row: &AnyRow| {
        Ok(Said {
            game: row.try_get("game_id")?,
            room: row.try_get("room")?,
            text: row.try_get("text")?,
            at: row.try_get("at")?,
        })
    };
    select.bind(id).fetch_all(db).await?.iter().map(read).collect()
}

/// The game that an account began last of those that go on.
///
/// # Errors
/// When the database fails.
pub async fn current_game(db: &mut Db, id: &str) -> Result<Option<String>, StoreError> {
    let select = sqlx::query(
        "SELECT id FROM games WHERE (white_user = $1 OR black_user = $1) AND ended_at IS NULL \
         ORDER BY created_at DESC LIMIT 1",
    );
    let row = select.bind(id).fetch_optional(db).await?;
    row.map(|row| Ok(row.try_get("id")?)).transpose()
}

/// How many games against `other` an account won, drew and lost.
///
/// # Errors
/// When the database fails.
pub async fn score(db: &mut Db, id: &str, other: &str) -> Result<(i64, i64, i64), StoreError> {
    let select = sqlx::query(
        "SELECT white_user, winner, COUNT(*) AS n FROM games WHERE ended_at IS NOT NULL AND status <> 'aborted' AND \
         ((white_user = $1 AND black_user = $2) OR (white_user = $2 AND black_user = $1)) GROUP BY white_user, winner",
    );
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for row in select.bind(id).bind(other).fetch_all(db).await? {
        let (white, winner): (String, Option<String>) = (row.try_get("white_user")?, row.try_get("winner")?);
        let n: i64 = row.try_get("n")?;
        match winner.as_deref() {
            None => draws += n,
            Some(winner) if (winner == "white") == (white == id) => wins += n,
            Some(_) => losses += n,
        }
    }
    Ok((wins, draws, losses))
}

/// Which of some accounts are programs.
///
/// # Errors
/// When the database fails.
pub async fn bots(db: &mut Db, ids: &[&str]) -> Result<HashSet<String>, StoreError> {
    super::among(db, "SELECT id FROM users WHERE bot = 1 AND id", ids).await
}
