//! Challenges: games that wait for a second player.

use sqlx::Row;
use sqlx::any::AnyRow;
use warpchess_rules::{Color, VariantId};

use super::games::{color, columns};
use super::{Db, StoreError};
use crate::games::Control;

/// Who may accept a challenge.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Anybody, from the lobby.
    Open,
    /// Whoever has the link.
    Link,
    /// One account.
    User,
}

impl Kind {
    /// As it is stored and sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Link => "link",
            Self::User => "user",
        }
    }
}

/// How far a challenge is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// It waits.
    Open,
    /// Its game has begun.
    Accepted,
    /// The one challenged does not want to.
    Declined,
    /// The challenger does not want to any more.
    Canceled,
    /// Nobody came.
    Expired,
}

impl Status {
    const ALL: [Self; 5] = [Self::Open, Self::Accepted, Self::Declined, Self::Canceled, Self::Expired];

    /// As it is stored and sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Canceled => "canceled",
            Self::Expired => "expired",
        }
    }
}

/// A challenge as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // See the columns.
pub struct ChallengeRow {
    pub id: String,
    pub kind: Kind,
    pub status: Status,
    pub variant: VariantId,
    pub initial_fen: Option<String>,
    pub control: Control,
    /// The challenger's; `None` for one by chance.
    pub color: Option<Color>,
    pub rated: bool,
    pub min_rating: Option<i64>,
    pub max_rating: Option<i64>,
    pub creator_user: Option<String>,
    pub creator_session: Option<String>,
    pub creator_name: String,
    pub creator_rating: Option<i64>,
    pub creator_provisional: bool,
    pub target_user: Option<String>,
    pub decline_reason: Option<String>,
    pub game_id: Option<String>,
    pub created_at: i64,
    pub expires_at: i64,
}

impl ChallengeRow {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let id: String = row.try_get("id")?;
        let corrupt =
            |column: &str, why: &dyn std::fmt::Display| StoreError::corrupt(format!("{column} of challenge {id}"), why);
        let (kind, status): (String, String) = (row.try_get("kind")?, row.try_get("status")?);
        let control = match (row.try_get("limit_ms")?, row.try_get("increment_ms")?, row.try_get("days")?) {
            (Some(limit), Some(increment), None) => Control::Live { limit, increment },
            (None, None, Some(days)) => Control::Days { days },
            _ => Control::Unlimited,
        };
        Ok(Self {
            kind: [Kind::Open, Kind::Link, Kind::User]
                .into_iter()
                .find(|known| known.name() == kind)
                .ok_or_else(|| corrupt("kind", &kind))?,
            status: Status::ALL
                .into_iter()
                .find(|known| known.name() == status)
                .ok_or_else(|| corrupt("status", &status))?,
            variant: row.try_get::<String, _>("variant")?.parse().map_err(|error| corrupt("variant", &error))?,
            initial_fen: row.try_get("initial_fen")?,
            control,
            color: color(&row.try_get::<String, _>("color")?),
            rated: row.try_get::<i64, _>("rated")? != 0,
            min_rating: row.try_get("min_rating")?,
            max_rating: row.try_get("max_rating")?,
            creator_user: row.try_get("creator_user")?,
            creator_session: row.try_get("creator_session")?,
            creator_name: row.try_get("creator_name")?,
            creator_rating: row.try_get("creator_rating")?,
            creator_provisional: row.try_get::<i64, _>("creator_provisional")? != 0,
            target_user: row.try_get("target_user")?,
            decline_reason: row.try_get("decline_reason")?,
            game_id: row.try_get("game_id")?,
            created_at: row.try_get("created_at")?,
            expires_at: row.try_get("expires_at")?,
            id,
        })
    }
}

/// Keeps a new challenge.
///
/// # Errors
/// When the database fails.
pub async fn insert(db: &mut Db, challenge: &ChallengeRow) -> Result<(), StoreError> {
    let (limit, increment, days) = columns(challenge.control);
    sqlx::query(
        "INSERT INTO challenges (id, kind, status, variant, initial_fen, limit_ms, increment_ms, days, color, rated, \
         min_rating, max_rating, creator_user, creator_session, creator_name, creator_rating, creator_provisional, \
         target_user, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, \
         $16, $17, $18, $19, $20)",
    )
    .bind(&challenge.id)
    .bind(challenge.kind.name())
    .bind(challenge.status.name())
    .bind(challenge.variant.id())
    .bind(&challenge.initial_fen)
    .bind(limit)
    .bind(increment)
    .bind(days)
    .bind(challenge.color.map_or("random", Color::name))
    .bind(i64::from(challenge.rated))
    .bind(challenge.min_rating)
    .bind(challenge.max_rating)
    .bind(&challenge.creator_user)
    .bind(&challenge.creator_session)
    .bind(&challenge.creator_name)
    .bind(challenge.creator_rating)
    .bind(i64::from(challenge.creator_provisional))
    .bind(&challenge.target_user)
    .bind(challenge.created_at)
    .bind(challenge.expires_at)
    .execute(db)
    .await?;
    Ok(())
}

/// A challenge.
///
/// # Errors
/// When the database fails.
pub async fn by_id(db: &mut Db, id: &str) -> Result<Option<ChallengeRow>, StoreError> {
    let row = sqlx::query("SELECT * FROM challenges WHERE id = $1").bind(id).fetch_optional(db).await?;
    row.as_ref().map(ChallengeRow::from_row).transpose()
}

/// What waits in the lobby, newest first.
///
/// # Errors
/// When the database fails.
pub async fn lobby(db: &mut Db, now: i64, limit: i64) -> Result<Vec<ChallengeRow>, StoreError> {
    let rows = sqlx::query(
        "SELECT * FROM challenges WHERE status = 'open' AND kind = 'open' AND expires_at > $1 \
         ORDER BY created_at DESC LIMIT $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(db)
    .await?;
    rows.iter().map(ChallengeRow::from_row).collect()
}

/// What waits that somebody has made or is asked for, newest first.
///
/// # Errors
/// When the database fails.
pub async fn of_player(
    db: &mut Db,
    user: Option<&str>,
    session: &str,
    now: i64,
) -> Result<Vec<ChallengeRow>, StoreError> {
    let sql = match user {
        Some(_) => {
            "SELECT * FROM challenges WHERE status = 'open' AND expires_at > $1 \
             AND (creator_user = $2 OR target_user = $2) ORDER BY created_at DESC LIMIT 100"
        }
        None => {
            "SELECT * FROM challenges WHERE status = 'open' AND expires_at > $1 AND creator_session = $2 \
             ORDER BY created_at DESC LIMIT 100"
        }
    };
    let rows = sqlx::query(sql).bind(now).bind(user.unwrap_or(session)).fetch_all(db).await?;
    rows.iter().map(ChallengeRow::from_row).collect()
}

/// Ends an open challenge; tells whether it was open.
///
/// # Errors
/// When the database fails.
pub async fn close(
    db: &mut Db,
    id: &str,
    status: Status,
    game: Option<&str>,
    reason: Option<&str>,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE challenges SET status = $1, game_id = $2, decline_reason = $3 WHERE id = $4 AND status = 'open'",
    )
    .bind(status.name())
    .bind(game)
    .bind(reason)
    .bind(id)
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Open challenges for which nobody came in time.
///
/// # Errors
/// When the database fails.
pub async fn expired(db: &mut Db, now: i64, limit: i64) -> Result<Vec<ChallengeRow>, StoreError> {
    let rows = sqlx::query("SELECT * FROM challenges WHERE status = 'open' AND expires_at <= $1 LIMIT $2")
        .bind(now)
        .bind(limit)
        .fetch_all(db)
        .await?;
    rows.iter().map(ChallengeRow::from_row).collect()
}

/// A live challenge in the lobby: who made it, and when its maker was last seen to be connected.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // See the columns.
pub struct Standing {
    pub id: String,
    pub user: Option<String>,
    pub session: Option<String>,
    pub seen_at: Option<i64>,
}

/// All live challenges in the lobby.
///
/// # Errors
/// When the database fails.
pub async fn standing(db: &mut Db) -> Result<Vec<Standing>, StoreError> {
    let select = sqlx::query(
        "SELECT id, creator_user, creator_session, seen_at FROM challenges \
         WHERE status = 'open' AND kind = 'open' AND limit_ms IS NOT NULL",
    );
    let standing = |row: &AnyRow| -> Result<Standing, StoreError> {
        Ok(Standing {
            id: row.try_get("id")?,
            user: row.try_get("creator_user")?,
            session: row.try_get("creator_session")?,
            seen_at: row.try_get("seen_at")?,
        })
    };
    select.fetch_all(db).await?.iter().map(standing).collect()
}

/// Notes that the makers of challenges are connected.
///
/// # Errors
/// When the database fails.
pub async fn seen(db: &mut Db, ids: &[String], now: i64) -> Result<(), StoreError> {
    for id in ids {
        let update = sqlx::query("UPDATE challenges SET seen_at = $1 WHERE id = $2 AND status = 'open'");
        update.bind(now).bind(id).execute(&mut *db).await?;
    }
    Ok(())
}

/// Notes that somebody was connected until now, for challenges of which nobody has noted it yet.
///
/// # Errors
/// When the database fails.
pub async fn maker_left(db: &mut Db, user: Option<&str>, session: &str, now: i64) -> Result<(), StoreError> {
    let column = if user.is_some() { "creator_user" } else { "creator_session" };
    let sql = format!(
        "UPDATE challenges SET seen_at = $1 WHERE {column} = $2 AND status = 'open' AND kind = 'open' AND seen_at IS NULL"
    );
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(now).bind(user.unwrap_or(session)).execute(db).await?;
    Ok(())
}
