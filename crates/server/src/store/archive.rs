//! Games of the past, looked for.

use std::fmt::Write;

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, Row as _};

use super::games::{GameRow, OPENING};
use super::{Db, StoreError};

/// Which games are looked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Of this account.
    pub user: Option<String>,
    /// Against this account; where `user` is given.
    pub against: Option<String>,
    /// Whether imported games are found by the names of their players.
    pub names: bool,
    /// The color of `user`: white or black.
    pub color: Option<String>,
    /// Begun at this time or later.
    pub since: Option<i64>,
    /// Begun at this time or earlier.
    pub until: Option<i64>,
    /// Rated or casual.
    pub rated: Option<bool>,
    /// The game's id.
    pub variant: Option<String>,
    /// The names of speeds; empty for all.
    pub speeds: Vec<String>,
    /// Who won.
    pub result: Option<Result>,
    /// Why they ended; empty for all reasons. Games that go on or were called off have none of these.
    pub reasons: Vec<String>,
    /// The first moves, in UCI form with spaces between, from the usual beginning.
    pub line: Option<String>,
    /// Imported, or played here.
    pub imported: Option<bool>,
    /// With an analysis that is done, or without.
    pub analysed: Option<bool>,
    /// Those that go on.
    pub ongoing: bool,
    /// Those that have ended.
    pub finished: bool,
    /// Those that were called off.
    pub aborted: bool,
    /// The oldest first.
    pub oldest_first: bool,
}

/// How a game ended, for who looks for it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Result {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Nobody did.
    Draw,
    /// The player who is looked for won.
    Win,
    /// The player who is looked for lost.
    Loss,
}

/// Where a page of games ended: when its last game began, and its id.
pub type After = (i64, String);

/// A statement that is being written. All values are bound; what is put together are columns and signs.
#[derive(Default)]
struct Statement {
    sql: String,
    values: Vec<Value>,
}

enum Value {
    Text(String),
    Number(i64),
}

impl Statement {
    fn text(&mut self, value: impl Into<String>) -> String {
        self.values.push(Value::Text(value.into()));
        format!("${}", self.values.len())
    }
    fn number(&mut self, value: i64) -> String {
        self.values.push(Value::Number(value));
        format!("${}", self.values.len())
    }
    fn and(&mut self, condition: impl std::fmt::Display) {
        let _ = write!(self.sql, " AND {condition}");
    }
    fn one_of(&mut self, column: &str, values: &[String]) -> String {
        let places: Vec<String> = values.iter().map(|value| self.text(value.clone())).collect();
        format!("{column} IN ({})", places.join(", "))
    }
}

/// A page of games, behind `after`.
///
/// # Errors
/// When the database fails, or a row cannot be read.
pub async fn page(
    db: &mut Db,
    filter: &Filter,
    after: Option<&After>,
    limit: i64,
) -> std::result::Result<Vec<GameRow>, StoreError> {
    let mut statement = Statement::default();
    if !states(&mut statement, filter) {
        return Ok(Vec::new());
    }
    let sides = players(&mut statement, filter);
    if let Some(variant) = &filter.variant {
        let variant = statement.text(variant.clone());
        // A player's games are found by the player: what is put together has no index.
        let column = if sides.is_empty() { "variant" } else { "(variant || '')" };
        statement.and(format_args!("{column} = {variant}"));
    }
    if !filter.speeds.is_empty() {
        let speeds = statement.one_of("speed", &filter.speeds);
        statement.and(speeds);
    }
    for (comparison, value) in [(">=", filter.since), ("<=", filter.until)] {
        if let Some(value) = value {
            let value = statement.number(value);
            statement.and(format_args!("created_at {comparison} {value}"));
        }
    }
    for (column, flag) in [("rated", filter.rated), ("imported", filter.imported)] {
        if let Some(flag) = flag {
            let flag = statement.number(i64::from(flag));
            statement.and(format_args!("{column} = {flag}"));
        }
    }
    let mut is_rare = false;
    if let Some(line) = filter.line.as_deref().filter(|line| !line.is_empty()) {
        is_rare = sides.is_empty() && few_began_with(&mut *db, filter.variant.as_deref(), line).await?;
        began_with(&mut statement, if is_rare { "opening" } else { "(opening || '')" }, line);
    }
    if let Some(analysed) = filter.analysed {
        let not = if analysed { "" } else { "NOT " };
        statement.and(format_args!(
            "{not}EXISTS (SELECT 1 FROM analysis_jobs WHERE game_id = games.id AND analysis_jobs.state = 'done')"
        ));
    }
    let (sign, order) = if filter.oldest_first { (">", "ASC") } else { ("<", "DESC") };
    if let Some((at, id)) = after {
        let (at, id) = (statement.number(*at), statement.text(id.clone()));
        // As a comparison of rows it would be shorter, but SQLite then sorts what it could read in order.
        statement.and(format_args!(
            "created_at {sign}= {at} AND (created_at {sign} {at} OR (created_at = {at} AND id {sign} {id}))"
        ));
    }
    let limit = statement.number(limit);
    // With the sign before it no index gives the order: few games are found first, and sorted then.
    let plus = if is_rare { "+" } else { "" };
    let end = format!("ORDER BY {plus}created_at {order}, id {order} LIMIT {limit}");
    let Statement { sql: conditions, values } = statement;
    let of = |side: &str| format!("SELECT * FROM games WHERE {side}{conditions} {end}");
    let sql = match sides.as_slice() {
        [] => of("1 = 1"),
        [side] => of(side),
        // Each read in order from an index of its own, no further than is asked for; "or" would have all of them sorted.
        sides => {
            let parts = sides.iter().enumerate().map(|(i, side)| format!("SELECT * FROM ({}) AS side{i}", of(side)));
            format!("{} {end}", parts.collect::<Vec<_>>().join(" UNION "))
        }
    };
    bound(sql, values).fetch_all(db).await?.iter().map(GameRow::from_row).collect()
}

fn bound(sql: String, values: Vec<Value>) -> Query<'static, Any, AnyArguments> {
    let query = sqlx::query(sqlx::AssertSqlSafe(sql));
    values.into_iter().fold(query, |query, value| match value {
        Value::Text(text) => query.bind(text),
        Value::Number(number) => query.bind(number),
    })
}

/// How many games with a beginning are few.
const FEW: i64 = 2000;

/// Whether so few games began so that it is better to find them all than to look through those of the variant by their date.
async fn few_began_with(db: &mut Db, variant: Option<&str>, line: &str) -> std::result::Result<bool, StoreError> {
    let Some(variant) = variant else { return Ok(false) };
    let mut statement = Statement::default();
    let variant = statement.text(variant);
    began_with(&mut statement, "opening", line);
    let limit = statement.number(FEW);
    let Statement { sql: conditions, values } = statement;
    let sql = format!(
        "SELECT COUNT(*) FROM (SELECT 1 FROM games WHERE variant = {variant}{conditions} LIMIT {limit}) AS found"
    );
    Ok(bound(sql, values).fetch_one(db).await?.try_get::<i64, _>(0)? < FEW)
}

/// How far the games are and how they ended; `false` when there can be none.
fn states(statement: &mut Statement, filter: &Filter) -> bool {
    let mut states = Vec::new();
    if filter.ongoing {
        states.push("ended_at IS NULL".to_owned());
    }
    if filter.finished || !filter.reasons.is_empty() {
        states.push(match filter.reasons.as_slice() {
            [] => "status = 'ended'".to_owned(),
            reasons => format!("status = 'ended' AND {}", statement.one_of("reason", reasons)),
        });
    }
    if filter.aborted {
        states.push("status = 'aborted'".to_owned());
    }
    if states.is_empty() {
        return false;
    }
    statement.and(format_args!("({})", states.join(" OR ")));
    if filter.result.is_some() {
        statement.and("status = 'ended'");
    }
    match filter.result {
        Some(Result::White) => statement.and("winner = 'white'"),
        Some(Result::Black) => statement.and("winner = 'black'"),
        // A game of which nobody knows how it ended is no draw.
        Some(Result::Draw) => statement.and("winner IS NULL AND reason <> 'unknown'"),
        Some(Result::Win | Result::Loss) | None => {}
    }
    true
}

/// Which sides the player who is looked for may have had, one condition each: an account, or a name in an imported game. None where
/// nobody is looked for.
fn players(statement: &mut Statement, filter: &Filter) -> Vec<String> {
    let Some(user) = &filter.user else { return Vec::new() };
    let user = statement.text(user.clone());
    let against = filter.against.as_ref().map(|against| statement.text(against.clone()));
    let mut sides = Vec::new();
    for (own, other) in [("white", "black"), ("black", "white")] {
        if filter.color.as_deref().is_some_and(|color| color != own) {
            continue;
        }
        for column in if filter.names { &["user", "key"][..] } else { &["user"] } {
            let mut all = vec![format!("{own}_{column} = {user}")];
            all.extend(against.as_ref().map(|against| format!("{other}_{column} = {against}")));
            match filter.result {
                Some(Result::Win) => all.push(format!("winner = '{own}'")),
                Some(Result::Loss) => all.push(format!("winner = '{other}'")),
                _ => {}
            }
            sides.push(all.join(" AND "));
        }
    }
    sides
}

/// Games that began so: by the part of the moves that has an index, and by all of them where the line is longer. `column` is that
/// part, or what has the same value and no index.
fn began_with(statement: &mut Statement, column: &str, line: &str) {
    if line.len() < OPENING {
        // What follows a line is nothing or a space; '!' comes after the space.
        let (from, to) = (statement.text(line), statement.text(format!("{line}!")));
        statement.and(format_args!("{column} >= {from} AND {column} < {to}"));
    } else {
        let beginning = statement.text(line.get(..OPENING).unwrap_or(line));
        statement.and(format_args!("{column} = {beginning}"));
        let (length, with_space) = (line.len() + 1, statement.text(format!("{line} ")));
        // The end of the game is like a space.
        statement.and(format_args!("substr(moves || ' ', 1, {length}) = {with_space}"));
    }
}
