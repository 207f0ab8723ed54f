//! What was said in games.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Db, StoreError};

/// Who hears it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Room {
    /// The two players.
    Players,
    /// Those who watch.
    Spectators,
}

impl Room {
    /// As it is stored and sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Players => "players",
            Self::Spectators => "spectators",
        }
    }
    /// A room by its name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Players, Self::Spectators].into_iter().find(|room| room.name() == name)
    }
}

/// Something said.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // See the columns.
pub struct Line {
    pub game: String,
    /// Numbers what is said in a game, both rooms together.
    pub seq: i64,
    pub room: Room,
    pub author: String,
    pub user: Option<String>,
    pub color: Option<String>,
    pub text: String,
    pub at: i64,
}

/// Keeps a line, numbered after the last. Tells the number.
///
/// # Errors
/// When the database fails; a unique violation when another was numbered so at the same moment.
pub async fn insert(db: &mut Db, line: &Line) -> Result<i64, StoreError> {
    let row = sqlx::query("SELECT COALESCE(MAX(seq), 0) + 1 FROM chat WHERE game_id = $1")
        .bind(&line.game)
        .fetch_one(&mut *db)
        .await?;
    let seq: i64 = row.try_get(0)?;
    sqlx::query(
        "INSERT INTO chat (game_id, seq, room, author, author_user, color, text, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&line.game)
    .bind(seq)
    .bind(line.room.name())
    .bind(&line.author)
    .bind(&line.user)
    .bind(&line.color)
    .bind(&line.text)
    .bind(line.at)
    .execute(db)
    .await?;
    Ok(seq)
}

/// The last lines of a room after number `seen`, oldest first.
///
/// # Errors
/// When the database fails.
pub async fn last(db: &mut Db, game: &str, room: Room, seen: i64, limit: i64) -> Result<Vec<Line>, StoreError> {
    let rows = sqlx::query(
        "SELECT seq, author, author_user, color, text, at FROM chat WHERE game_id = $1 AND room = $2 AND seq > $3 \
         ORDER BY seq DESC LIMIT $4",
    )
    .bind(game)
    .bind(room.name())
    .bind(seen)
    .bind(limit)
    .fetch_all(db)
    .await?;
    let line = |row: &AnyRow| -> Result<Line, StoreError> {
        Ok(Line {
            game: game.to_owned(),
            seq: row.try_get("seq")?,
            room,
            author: row.try_get("author")?,
            user: row.try_get("author_user")?,
            color: row.try_get("color")?,
            text: row.try_get("text")?,
            at: row.try_get("at")?,
        })
    };
    rows.iter().rev().map(line).collect()
}
