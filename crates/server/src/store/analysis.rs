//! Analyses: which are wanted, who is at work on them, and what was found.

use std::collections::HashSet;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Db, StoreError};

/// How far an analysis is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It waits for a worker.
    Queued,
    /// A worker has it, or had it when it died.
    Running,
    /// It is complete.
    Done,
    /// It was given up.
    Failed,
}

impl State {
    const ALL: [Self; 4] = [Self::Queued, Self::Running, Self::Done, Self::Failed];

    /// As it is stored and sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// An analysis as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // See the columns.
pub struct JobRow {
    pub game: String,
    pub state: State,
    pub requester: String,
    pub requested_at: i64,
    pub nodes: i64,
    pub claimed_by: Option<String>,
    pub lease_until: Option<i64>,
    pub attempts: i64,
    pub done: i64,
    pub total: i64,
    pub error: Option<String>,
    pub engine: Option<String>,
    pub finished_at: Option<i64>,
}

impl JobRow {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let game: String = row.try_get("game_id")?;
        let state: String = row.try_get("state")?;
        Ok(Self {
            state: State::ALL
                .into_iter()
                .find(|known| known.name() == state)
                .ok_or_else(|| StoreError::corrupt(format!("state of the analysis of game {game}"), &state))?,
            requester: row.try_get("requester")?,
            requested_at: row.try_get("requested_at")?,
            nodes: row.try_get("nodes")?,
            claimed_by: row.try_get("claimed_by")?,
            lease_until: row.try_get("lease_until")?,
            attempts: row.try_get("attempts")?,
            done: row.try_get("done")?,
            total: row.try_get("total")?,
            error: row.try_get("error")?,
            engine: row.try_get("engine")?,
            finished_at: row.try_get("finished_at")?,
            game,
        })
    }
}

/// What a position of a game is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlyRow {
    /// How many plies were played before it.
    pub ply: i64,
    /// From White's view.
    pub eval: Eval,
    /// What is best, and how it goes on, in UCI form.
    pub line: Vec<String>,
}

/// What a position is worth, from White's view.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Eval {
    /// Hundredths of a pawn.
    Cp(i64),
    /// Moves to mate; negative when Black mates. 0 when the game is over by one.
    Mate(i64),
}

/// The analysis of a game, if one was ever asked for.
///
/// # Errors
/// When the database fails, or the row cannot be read.
pub async fn job(db: &mut Db, game: &str) -> Result<Option<JobRow>, StoreError> {
    let row = sqlx::query("SELECT * FROM analysis_jobs WHERE game_id = $1").bind(game).fetch_optional(db).await?;
    row.as_ref().map(JobRow::from_row).transpose()
}

/// Which of some games have an analysis that is done.
///
/// # Errors
/// When the database fails.
pub async fn done(db: &mut Db, games: &[&str]) -> Result<HashSet<String>, StoreError> {
    super::among(db, "SELECT game_id FROM analysis_jobs WHERE state = 'done' AND game_id", games).await
}

/// Has a game analysed, unless it is or was; one that was given up begins anew, and keeps what was found. Tells whether
/// there is something to do.
///
/// # Errors
/// When the database fails.
pub async fn request(db: &mut Db, game: &str, by: &str, at: i64, nodes: i64, total: i64) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO analysis_jobs (game_id, state, requester, requested_at, nodes, total) \
         VALUES ($1, 'queued', $2, $3, $4, $5) ON CONFLICT (game_id) DO UPDATE SET state = 'queued', \
         requester = excluded.requester, requested_at = excluded.requested_at, attempts = 0, error = NULL, \
         claimed_by = NULL, lease_until = NULL WHERE analysis_jobs.state = 'failed'",
    )
    .bind(game)
    .bind(by)
    .bind(at)
    .bind(nodes)
    .bind(total)
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// How many analyses somebody asked for since then, and how many of all of theirs are not done.
///
/// # Errors
/// When the database fails.
pub async fn requested_by(db: &mut Db, requester: &str, since: i64) -> Result<(i64, i64), StoreError> {
    let lately = sqlx::query("SELECT COUNT(*) AS n FROM analysis_jobs WHERE requester = $1 AND requested_at >= $2");
    let lately = lately.bind(requester).bind(since).fetch_one(&mut *db).await?.try_get("n")?;
    let open =
        sqlx::query("SELECT COUNT(*) AS n FROM analysis_jobs WHERE requester = $1 AND state IN ('queued', 'running')");
    Ok((lately, open.bind(requester).fetch_one(db).await?.try_get("n")?))
}

/// The games of which an account asked for analyses, and when.
///
/// # Errors
/// When the database fails.
pub async fn requested_by_user(db: &mut Db, user: &str) -> Result<Vec<(String, i64)>, StoreError> {
    let select = sqlx::query(
        "SELECT game_id, requested_at FROM analysis_jobs WHERE requester = 'user.' || $1 ORDER BY requested_at",
    );
    let rows = select.bind(user).fetch_all(db).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// How many analyses are not done.
///
/// # Errors
/// When the database fails.
pub async fn open(db: &mut Db) -> Result<i64, StoreError> {
    let select = sqlx::query("SELECT COUNT(*) AS n FROM analysis_jobs WHERE state IN ('queued', 'running')");
    Ok(select.fetch_one(db).await?.try_get("n")?)
}

/// Analyses that wait for a worker, or whose worker has not been heard of in time; the longest waiting first.
///
/// # Errors
/// When the database fails, or a row cannot be read.
pub async fn waiting(db: &mut Db, now: i64, limit: i64) -> Result<Vec<JobRow>, StoreError> {
    let select = sqlx::query(
        "SELECT * FROM analysis_jobs WHERE state IN ('queued', 'running') AND (state = 'queued' OR lease_until <= $1) \
         ORDER BY requested_at, game_id LIMIT $2",
    );
    select.bind(now).bind(limit).fetch_all(db).await?.iter().map(JobRow::from_row).collect()
}

/// Takes an analysis on that waits: it is this worker's alone until `until`. Tells whether nobody else was faster.
///
/// # Errors
/// When the database fails.
pub async fn claim(db: &mut Db, job: &JobRow, worker: &str, now: i64, until: i64) -> Result<bool, StoreError> {
    let update = sqlx::query(
        "UPDATE analysis_jobs SET state = 'running', claimed_by = $1, lease_until = $2, attempts = attempts + 1 \
         WHERE game_id = $3 AND attempts = $4 AND (state = 'queued' OR (state = 'running' AND lease_until <= $5))",
    );
    let done = update.bind(worker).bind(until).bind(&job.game).bind(job.attempts).bind(now).execute(db).await?;
    Ok(done.rows_affected() == 1)
}

/// Keeps what was found of a game, and has the worker go on until `until`. `None` when the work is not this worker's any
/// more: then nothing is kept. Else how many positions are done.
///
/// # Errors
/// When the database fails.
pub async fn progress(
    db: &mut Db,
    game: &str,
    (worker, attempt): (&str, i64),
    found: &[PlyRow],
    until: i64,
) -> Result<Option<i64>, StoreError> {
    // The row is locked by it, so that nobody takes the work on meanwhile.
    let renewed = sqlx::query(
        "UPDATE analysis_jobs SET lease_until = $1 WHERE game_id = $2 AND claimed_by = $3 AND attempts = $4 \
         AND state = 'running'",
    );
    let renewed = renewed.bind(until).bind(game).bind(worker).bind(attempt).execute(&mut *db).await?;
    if renewed.rows_affected() == 0 {
        return Ok(None);
    }
    for ply in found {
        let (cp, mate) = match ply.eval {
            Eval::Cp(cp) => (Some(cp), None),
            Eval::Mate(mate) => (None, Some(mate)),
        };
        let insert = sqlx::query(
            "INSERT INTO analysis_plies (game_id, ply, cp, mate, line) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (game_id, ply) DO NOTHING",
        );
        insert.bind(game).bind(ply.ply).bind(cp).bind(mate).bind(ply.line.join(" ")).execute(&mut *db).await?;
    }
    let update = sqlx::query(
        "UPDATE analysis_jobs SET done = (SELECT COUNT(*) FROM analysis_plies WHERE game_id = $1) WHERE game_id = $1",
    );
    update.bind(game).execute(&mut *db).await?;
    let done = sqlx::query("SELECT done FROM analysis_jobs WHERE game_id = $1").bind(game).fetch_one(db).await?;
    Ok(Some(done.try_get("done")?))
}

/// Ends an analysis that is this worker's: it is complete, or `error` says why it is given up. Tells whether it was.
///
/// # Errors
/// When the database fails.
pub async fn finish(
    db: &mut Db,
    game: &str,
    (worker, attempt): (&str, i64),
    engine: &str,
    error: Option<&str>,
    at: i64,
) -> Result<bool, StoreError> {
    let state = if error.is_some() { State::Failed } else { State::Done };
    let update = sqlx::query(
        "UPDATE analysis_jobs SET state = $1, error = $2, engine = $3, finished_at = $4, claimed_by = NULL, \
         lease_until = NULL WHERE game_id = $5 AND claimed_by = $6 AND attempts = $7 AND state = 'running'",
    );
    let update = update.bind(state.name()).bind(error).bind(engine).bind(at);
    Ok(update.bind(game).bind(worker).bind(attempt).execute(db).await?.rows_affected() == 1)
}

/// Gives an analysis up whose workers have died too often. Tells whether it was still as it was seen.
///
/// # Errors
/// When the database fails.
pub async fn give_up(db: &mut Db, job: &JobRow, error: &str, now: i64) -> Result<bool, StoreError> {
    let update = sqlx::query(
        "UPDATE analysis_jobs SET state = 'failed', error = $1, finished_at = $2, claimed_by = NULL, lease_until = NULL \
         WHERE game_id = $3 AND attempts = $4 AND state = 'running' AND lease_until <= $2",
    );
    let done = update.bind(error).bind(now).bind(&job.game).bind(job.attempts).execute(db).await?;
    Ok(done.rows_affected() == 1)
}

/// Gives back what a worker has that goes: others go on with it at once, and it does not count as an attempt.
///
/// # Errors
/// When the database fails.
pub async fn release(db: &mut Db, worker: &str) -> Result<(), StoreError> {
    let update = sqlx::query(
        "UPDATE analysis_jobs SET state = 'queued', claimed_by = NULL, lease_until = NULL, attempts = attempts - 1 \
         WHERE claimed_by = $1 AND state = 'running'",
    );
    update.bind(worker).execute(db).await?;
    Ok(())
}

/// What was found of a game, from its beginning.
///
/// # Errors
/// When the database fails.
pub async fn plies(db: &mut Db, game: &str) -> Result<Vec<PlyRow>, StoreError> {
    let select = sqlx::query("SELECT ply, cp, mate, line FROM analysis_plies WHERE game_id = $1 ORDER BY ply");
    let read = |row: &AnyRow| {
        let (cp, mate): (Option<i64>, Option<i64>) = (row.try_get("cp")?, row.try_get("mate")?);
        let line: String = row.try_get("line")?;
        Ok(PlyRow {
            ply: row.try_get("ply")?,
            eval: mate.map_or(Eval::Cp(cp.unwrap_or(0)), Eval::Mate),
            line: line.split_ascii_whitespace().map(str::to_owned).collect(),
        })
    };
    select.bind(game).fetch_all(db).await?.iter().map(read).collect()
}
