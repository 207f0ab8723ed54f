//! The form of the database, step by step, forwards only.

use sqlx::AnyConnection;
use sqlx::{Connection, Row};

use super::{Kind, StoreError};

/// A step: its name, and what it says in each dialect.
struct Step {
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

/// Lists the steps by the names of their files.
macro_rules! steps {
    ($($name:literal,)*) => {
        &[$(Step {
            name: $name,
            sqlite: include_str!(concat!("../../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../../migrations/postgres/", $name, ".sql")),
        },)*]
    };
}

/// In the order in which they are made. A step that was published is never changed.
const STEPS: &[Step] = steps! {
    "0001_sessions",
    "0002_games",
    "0003_accounts",
    "0004_aborts",
    "0005_archive",
    "0006_explorer",
    "0007_analysis",
    "0008_presence",
};

/// Any number, the same in all versions: who holds this lock migrates.
const LOCK: i64 = 0x7761_7270_6368_6573;

/// Makes the steps that are missing, all or none. Two programs may start at once: one waits for the other.
pub(super) async fn run(kind: Kind, connection: &mut AnyConnection) -> Result<(), StoreError> {
    let mut transaction = match kind {
        Kind::Sqlite => connection.begin_with("BEGIN IMMEDIATE").await?,
        Kind::Postgres => connection.begin().await?,
    };
    if kind == Kind::Postgres {
        sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *transaction).await?;
    }
    sqlx::raw_sql("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)").execute(&mut *transaction).await?;
    let rows = sqlx::query("SELECT name FROM migrations ORDER BY name").fetch_all(&mut *transaction).await?;
    let made = rows.iter().map(|row| row.try_get::<String, _>(0)).collect::<Result<Vec<_>, _>>()?;
    if let Some(unknown) = made.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        return Err(StoreError::Newer(unknown.clone()));
    }
    for step in STEPS.iter().filter(|step| !made.iter().any(|name| name == step.name)) {
        let failed = |source| StoreError::Migration { step: step.name, source };
        let sql = match kind {
            Kind::Sqlite => step.sqlite,
            Kind::Postgres => step.postgres,
        };
        sqlx::raw_sql(sql).execute(&mut *transaction).await.map_err(failed)?;
        let note = sqlx::query("INSERT INTO migrations (name) VALUES ($1)").bind(step.name);
        note.execute(&mut *transaction).await.map_err(failed)?;
        tracing::info!(step = step.name, "database brought up to date");
    }
    Ok(transaction.commit().await?)
}
