//! Ratings, and how they came about.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Db, StoreError};
use crate::rating::{Rating, Score, rate};

/// An account's rating in a game at a speed, and the results it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Whose.
    pub user: String,
    /// The game's id.
    pub variant: String,
    /// The speed's name.
    pub speed: String,
    /// The rating when it was last changed.
    pub rating: Rating,
    /// Rated games won.
    pub wins: i64,
    /// Drawn.
    pub draws: i64,
    /// Lost.
    pub losses: i64,
    /// When it was last changed.
    pub updated_at: i64,
}

const COLUMNS: &str = "user_id, variant, speed, rating, deviation, volatility, wins, draws, losses, updated_at";

impl Standing {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            user: row.try_get("user_id")?,
            variant: row.try_get("variant")?,
            speed: row.try_get("speed")?,
            rating: Rating {
                value: row.try_get("rating")?,
                deviation: row.try_get("deviation")?,
                volatility: row.try_get("volatility")?,
            },
            wins: row.try_get("wins")?,
            draws: row.try_get("draws")?,
            losses: row.try_get("losses")?,
            updated_at: row.try_get("updated_at")?,
        })
    }

    /// Of who has not played this yet.
    pub fn new(user: &str, variant: &str, speed: &str, now: i64) -> Self {
        Self {
            user: user.to_owned(),
            variant: variant.to_owned(),
            speed: speed.to_owned(),
            rating: Rating::default(),
            wins: 0,
            draws: 0,
            losses: 0,
            updated_at: now,
        }
    }

    /// How many rated games.
    pub fn games(&self) -> i64 {
        self.wins + self.draws + self.losses
    }
}

/// An account's rating in a game at a speed; `None` before the first rated game.
///
/// # Errors
/// When the database fails.
pub async fn of(db: &mut Db, user: &str, variant: &str, speed: &str) -> Result<Option<Standing>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM ratings WHERE user_id = $1 AND variant = $2 AND speed = $3");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(user).bind(variant).bind(speed).fetch_optional(db).await?;
    row.as_ref().map(Standing::from_row).transpose()
}

/// All ratings of an account.
///
/// # Errors
/// When the database fails.
pub async fn of_user(db: &mut Db, user: &str) -> Result<Vec<Standing>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM ratings WHERE user_id = $1 ORDER BY variant, speed");
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(user).fetch_all(db).await?;
    rows.iter().map(Standing::from_row).collect()
}

/// The strongest in a game at a speed whose ratings are certain enough, who played since and are not shut out.
///
/// # Errors
/// When the database fails.
pub async fn top(
    db: &mut Db,
    variant: &str,
    speed: &str,
    surer_than: f64,
    since: i64,
    limit: i64,
) -> Result<Vec<(String, Standing)>, StoreError> {
    let sql = "SELECT r.user_id, r.variant, r.speed, r.rating, r.deviation, r.volatility, r.wins, r.draws, r.losses, \
        r.updated_at, u.name FROM ratings r JOIN users u ON u.id = r.user_id \
        WHERE r.variant = $1 AND r.speed = $2 AND r.deviation <= $3 AND r.updated_at >= $4 AND u.banned_at IS NULL \
        ORDER BY r.rating DESC, r.user_id LIMIT $5";
    let rows =
        sqlx::query(sql).bind(variant).bind(speed).bind(surer_than).bind(since).bind(limit).fetch_all(db).await?;
    rows.iter().map(|row| Ok((row.try_get("name")?, Standing::from_row(row)?))).collect()
}

/// A rating after a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The game.
    pub game: String,
    /// What was played.
    pub variant: String,
    /// How fast.
    pub speed: String,
    /// The rating before.
    pub before: f64,
    /// The rating after.
    pub after: f64,
    /// When.
    pub at: i64,
}

/// An account's ratings after each rated game, the oldest first.
///
/// # Errors
/// When the database fails.
pub async fn history(db: &mut Db, user: &str) -> Result<Vec<Change>, StoreError> {
    let rows = sqlx::query(
        "SELECT game_id, variant, speed, before_rating, rating, at FROM rating_changes \
         WHERE user_id = $1 ORDER BY variant, speed, at, game_id",
    )
    .bind(user)
    .fetch_all(db)
    .await?;
    let read = |row: &AnyRow| {
        Ok(Change {
            game: row.try_get("game_id")?,
            variant: row.try_get("variant")?,
            speed: row.try_get("speed")?,
            before: row.try_get("before_rating")?,
            after: row.try_get("rating")?,
            at: row.try_get("at")?,
        })
    };
    rows.iter().map(read).collect()
}

/// By how much the last rated game changed the rating that is shown.
///
/// # Errors
/// When the database fails.
pub async fn last_change(db: &mut Db, user: &str, variant: &str, speed: &str) -> Result<i64, StoreError> {
    let select = sqlx::query(
        "SELECT before_rating, rating FROM rating_changes WHERE user_id = $1 AND variant = $2 AND speed = $3 \
         ORDER BY at DESC LIMIT 1",
    );
    let Some(row) = select.bind(user).bind(variant).bind(speed).fetch_optional(db).await? else { return Ok(0) };
    let (before, after): (f64, f64) = (row.try_get("before_rating")?, row.try_get("rating")?);
    Ok(after.round() as i64 - before.round() as i64)
}

/// The place on the leaderboard, if there is one.
///
/// # Errors
/// When the database fails.
pub async fn rank(db: &mut Db, of: &Standing, surer_than: f64, since: i64) -> Result<Option<i64>, StoreError> {
    if of.games() == 0 || of.rating.deviation > surer_than || of.updated_at < since {
        return Ok(None);
    }
    let select = sqlx::query(
        "SELECT COUNT(*) AS n FROM ratings r JOIN users u ON u.id = r.user_id WHERE r.variant = $1 AND r.speed = $2 \
         AND r.deviation <= $3 AND r.updated_at >= $4 AND r.rating > $5 AND u.banned_at IS NULL",
    );
    let row = select.bind(&of.variant).bind(&of.speed).bind(surer_than).bind(since).bind(of.rating.value);
    Ok(Some(row.fetch_one(db).await?.try_get::<i64, _>("n")? + 1))
}

/// A rated game that has ended, between two accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated<'a> {
    /// The game.
    pub game: &'a str,
    /// What was played.
    pub variant: &'a str,
    /// How fast.
    pub speed: &'a str,
    /// Who had white.
    pub white: &'a str,
    /// Who had black.
    pub black: &'a str,
    /// White's result.
    pub score: Score,
    /// When it ended.
    pub at: i64,
}

/// Rates a game: by how much white's and black's shown ratings change. Belongs into the transaction that ends the game.
/// `None` when it was rated before, and nothing changes; also when one of the two accounts is gone.
///
/// # Errors
/// When the database fails.
pub async fn record(db: &mut Db, game: &Rated<'_>) -> Result<Option<(i64, i64)>, StoreError> {
    if game.white == game.black {
        return Ok(None);
    }
    let known =
        sqlx::query("SELECT COUNT(*) AS n FROM users WHERE id = $1 OR id = $2").bind(game.white).bind(game.black);
    let rated = sqlx::query("SELECT 1 FROM rating_changes WHERE game_id = $1").bind(game.game);
    if known.fetch_one(&mut *db).await?.try_get::<i64, _>("n")? < 2 || rated.fetch_optional(&mut *db).await?.is_some() {
        return Ok(None);
    }
    // Always in the same order: two transactions that lock the same two rows must not wait for each other.
    let first = standing(db, game, game.white.min(game.black)).await?;
    let second = standing(db, game, game.white.max(game.black)).await?;
    let (mut white, mut black) = if first.user == game.white { (first, second) } else { (second, first) };
    let before = (white.rating, black.rating);
    let (new_white, new_black) =
        rate((white.rating, game.at - white.updated_at), (black.rating, game.at - black.updated_at), game.score);
    white.count(new_white, game.score, game.at);
    black.count(new_black, game.score.reversed(), game.at);
    for (standing, before) in [(&white, before.0), (&black, before.1)] {
        keep(db, standing).await?;
        sqlx::query(
            "INSERT INTO rating_changes (game_id, user_id, variant, speed, before_rating, rating, deviation, at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(game.game)
        .bind(&standing.user)
        .bind(game.variant)
        .bind(game.speed)
        .bind(before.value)
        .bind(standing.rating.value)
        .bind(standing.rating.deviation)
        .bind(game.at)
        .execute(&mut *db)
        .await?;
    }
    Ok(Some((new_white.shown() - before.0.shown(), new_black.shown() - before.1.shown())))
}

impl Standing {
    fn count(&mut self, rating: Rating, score: Score, at: i64) {
        *match score {
            Score::Win => &mut self.wins,
            Score::Draw => &mut self.draws,
            Score::Loss => &mut self.losses,
        } += 1;
        self.rating = rating;
        self.updated_at = at;
    }
}

/// The standing of a player before a game. Its row is locked until the transaction ends, where others write too: of two
/// games that end at the same time, the second is rated by what the first made.
async fn standing(db: &mut Db, game: &Rated<'_>, user: &str) -> Result<Standing, StoreError> {
    let new = Standing::new(user, game.variant, game.speed, game.at);
    sqlx::query(
        "INSERT INTO ratings (user_id, variant, speed, rating, deviation, volatility, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (user_id, variant, speed) DO UPDATE SET updated_at = ratings.updated_at",
    )
    .bind(user)
    .bind(game.variant)
    .bind(game.speed)
    .bind(new.rating.value)
    .bind(new.rating.deviation)
    .bind(new.rating.volatility)
    .bind(new.updated_at)
    .execute(&mut *db)
    .await?;
    Ok(of(db, user, game.variant, game.speed).await?.unwrap_or(new))
}

async fn keep(db: &mut Db, standing: &Standing) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE ratings SET rating = $4, deviation = $5, volatility = $6, wins = $7, draws = $8, losses = $9, \
         updated_at = $10 WHERE user_id = $1 AND variant = $2 AND speed = $3",
    )
    .bind(&standing.user)
    .bind(&standing.variant)
    .bind(&standing.speed)
    .bind(standing.rating.value)
    .bind(standing.rating.deviation)
    .bind(standing.rating.volatility)
    .bind(standing.wins)
    .bind(standing.draws)
    .bind(standing.losses)
    .bind(standing.updated_at)
    .execute(db)
    .await?;
    Ok(())
}
