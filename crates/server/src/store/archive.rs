//! Games of the past, looked for.

use std::fmt::Write;

use super::games::GameRow;
use super::{Db, StoreError};

/// Which games of a player are looked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The account.
    pub user: String,
    /// Begun at this time or later.
    pub since: Option<i64>,
    /// Begun at this time or earlier.
    pub until: Option<i64>,
    /// Against this account.
    pub against: Option<String>,
    /// Rated or casual.
    pub rated: Option<bool>,
    /// The game's id.
    pub variant: Option<String>,
    /// The speed's name.
    pub speed: Option<String>,
    /// The player's color: white or black.
    pub color: Option<String>,
    /// Those that go on.
    pub ongoing: bool,
    /// Those that have ended.
    pub finished: bool,
    /// The oldest first.
    pub oldest_first: bool,
}

/// Where a page of games ended: when its last game began, and its id.
pub type After = (i64, String);

/// A page of a player's games, behind `after`; games that were called off are left out.
///
/// # Errors
/// When the database fails, or a row cannot be read.
pub async fn page(db: &mut Db, filter: &Filter, after: Option<&After>, limit: i64) -> Result<Vec<GameRow>, StoreError> {
    // All values are bound; what is put together here are columns and signs.
    let mut sql = String::from("SELECT * FROM games WHERE status <> 'aborted'");
    let mut texts: Vec<String> = Vec::new();
    let mut numbers: Vec<i64> = Vec::new();
    // Texts are bound first, then numbers: $1 … are texts, the rest counts on from them when all are known.
    let mut text = |value: &str| {
        texts.push(value.to_owned());
        format!("${}", texts.len())
    };
    let user = text(&filter.user);
    let against = filter.against.as_deref().map(&mut text);
    let sides = |own: &str, other: &str| {
        let against = against.as_ref().map(|against| format!(" AND {other} = {against}")).unwrap_or_default();
        format!("({own} = {user}{against})")
    };
    let white = sides("white_user", "black_user");
    let black = sides("black_user", "white_user");
    let _ = match filter.color.as_deref() {
        Some("white") => write!(sql, " AND {white}"),
        Some("black") => write!(sql, " AND {black}"),
        _ => write!(sql, " AND ({white} OR {black})"),
    };
    for (column, value) in [("variant", &filter.variant), ("speed", &filter.speed)] {
        if let Some(value) = value {
            let _ = write!(sql, " AND {column} = {}", text(value));
        }
    }
    match (filter.ongoing, filter.finished) {
        (true, false) => sql.push_str(" AND ended_at IS NULL"),
        (false, true) => sql.push_str(" AND ended_at IS NOT NULL"),
        (true, true) => {}
        (false, false) => return Ok(Vec::new()),
    }
    let (sign, order) = if filter.oldest_first { (">", "ASC") } else { ("<", "DESC") };
    let last = after.map(|(_, id)| text(id));
    let mut number = |value: i64| {
        numbers.push(value);
        format!("${}", texts.len() + numbers.len())
    };
    for (comparison, value) in [(">=", filter.since), ("<=", filter.until)] {
        if let Some(value) = value {
            let _ = write!(sql, " AND created_at {comparison} {}", number(value));
        }
    }
    if let Some(rated) = filter.rated {
        let _ = write!(sql, " AND rated = {}", number(i64::from(rated)));
    }
    if let (Some((at, _)), Some(last)) = (after, last) {
        let at = number(*at);
        let _ = write!(sql, " AND (created_at {sign} {at} OR (created_at = {at} AND id {sign} {last}))");
    }
    let _ = write!(sql, " ORDER BY created_at {order}, id {order} LIMIT {}", number(limit));
    let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
    for value in texts {
        query = query.bind(value);
    }
    for value in numbers {
        query = query.bind(value);
    }
    query.fetch_all(db).await?.iter().map(GameRow::from_row).collect()
}
