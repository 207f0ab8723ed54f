//! What is kept: SQLite or PostgreSQL, chosen by URL.
//!
//! The statements are the same for both (`$1` for arguments; numbers are `BIGINT`, flags are 0 and 1, times are
//! milliseconds since 1970), each subject in a module of its own with functions over a connection, so that one transaction
//! can touch several. [`Store::read`] gives a connection for reading; [`Store::write`] runs a job in a transaction and
//! answers when it is durable.

pub mod aborts;
pub mod accounts;
pub mod analysis;
pub mod archive;
pub mod challenges;
pub mod chat;
mod error;
pub mod explorer;
pub mod games;
pub mod imports;
mod migrate;
pub mod moves;
mod noted;
pub mod presence;
pub(crate) mod private;
pub mod ratings;
pub mod sessions;
pub mod tokens;
mod writer;

use std::collections::HashSet;
use std::str::FromStr;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, ConnectOptions, Executor, Row};

pub use error::{Outage, StoreError};
pub(crate) use noted::{has_written, note, noting};
use writer::Writer;

/// How many connections read at once.
const READERS: u32 = 8;
/// How many connections a node has to PostgreSQL, where they write too.
const POSTGRES: u32 = 16;

/// How long a request waits for a connection to the database, where nobody says otherwise: then it is told that the database
/// is away.
pub const PATIENCE: Duration = Duration::from_secs(3);
/// How long a program waits for its database when it begins: the two may be started together.
const BEGIN_WITHIN: Duration = Duration::from_secs(30);
/// What lies in memory has one connection for all, which is never away.
const IN_MEMORY: Duration = Duration::from_secs(30);

/// A connection: what statements are run on.
pub type Db = AnyConnection;

/// Which database it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file, or memory, of this program's own.
    Sqlite,
    /// A server, which several nodes may share.
    Postgres,
}

/// The database. Clones are handles to the same.
#[derive(Clone)]
pub struct Store {
    kind: Kind,
    readers: AnyPool,
    writer: Writer,
    /// Where it is, without a password.
    place: Arc<str>,
}

impl Store {
    /// Opens the database at a URL and brings it up to date: `sqlite:FILE` (made when it is not there),
    /// `sqlite::memory:` (gone with the handle) or `postgres://…`.
    ///
    /// # Errors
    /// When it cannot be opened, or was written by a newer version of this program.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::opened(url, "rwc", PATIENCE).await
    }

    /// The same; `patience` is how long somebody waits for a connection.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_with(url: &str, patience: Duration) -> Result<Self, StoreError> {
        Self::opened(url, "rwc", patience).await
    }

    /// The same, of a database that is there: of a name mistyped no empty one is made.
    ///
    /// # Errors
    /// As [`open`](Self::open), and when there is no such file.
    pub async fn open_existing(url: &str) -> Result<Self, StoreError> {
        Self::opened(url, "rw", PATIENCE).await
    }

    async fn opened(url: &str, mode: &str, patience: Duration) -> Result<Self, StoreError> {
        static DRIVERS: Once = Once::new();
        DRIVERS.call_once(sqlx::any::install_default_drivers);

        let kind = kind(url).ok_or_else(|| StoreError::Url(without_password(url)))?;
        let place: Arc<str> = without_password(url).into();
        let failed = |source| StoreError::Open { url: place.to_string(), source };
        let in_memory = url == MEMORY;
        let full = if kind == Kind::Sqlite && !in_memory && !url.contains('?') {
            format!("{url}?mode={mode}")
        } else {
            url.to_owned()
        };
        let options = AnyConnectOptions::from_str(&full).map_err(failed)?.disable_statement_logging();
        let patience = if in_memory { IN_MEMORY } else { patience };
        let pool = AnyPoolOptions::new().acquire_timeout(patience).test_before_acquire(false);

        let (readers, writer) = match kind {
            Kind::Postgres => {
                let pool = pool.max_connections(POSTGRES).test_before_acquire(true);
                let began = Instant::now();
                let mut pool = loop {
                    match pool.clone().connect_with(options.clone()).await.map_err(failed) {
                        Err(StoreError::Open { source: sqlx::Error::PoolTimedOut, .. })
                            if began.elapsed() < BEGIN_WITHIN =>
                        {
                            tokio::time::sleep(Duration::from_millis(200)).await;
                        }
                        opened => break opened?,
                    }
                };
                migrate(kind, &mut pool).await?;
                (pool.clone(), Writer::each(pool))
            }
            Kind::Sqlite => {
                if !in_memory && full.ends_with("mode=rwc") {
                    private::create(&full);
                }
                // Never closed for being old: what lies in memory would be gone.
                let lasting = pool.max_lifetime(None).idle_timeout(None);
                let one = lasting.clone().max_connections(1).after_connect(|connection, _| {
                    Box::pin(async move {
                        connection.execute(PRAGMAS).await?;
                        Ok(())
                    })
                });
                let mut one = one.connect_with(options.clone()).await.map_err(failed)?;
                migrate(kind, &mut one).await?;
                if in_memory {
                    (one.clone(), Writer::grouped(one))
                } else {
                    let many = lasting.max_connections(READERS).after_connect(|connection, _| {
                        Box::pin(async move {
                            connection.execute(PRAGMAS).await?;
                            connection.execute("PRAGMA query_only = ON").await?;
                            Ok(())
                        })
                    });
                    (many.connect_with(options).await.map_err(failed)?, Writer::grouped(one))
                }
            }
        };
        Ok(Self { kind, readers, writer, place })
    }

    /// Which database it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }
    /// Where it is: its URL without a password.
    pub fn place(&self) -> &str {
        &self.place
    }
    /// A connection for reading what was committed.
    ///
    /// # Errors
    /// When none can be had.
    pub async fn read(&self) -> Result<PoolConnection<Any>, StoreError> {
        Ok(self.readers.acquire().await?)
    }
    /// Runs a job in a transaction, and answers when what it wrote is durable. A job that fails leaves nothing; one
    /// whose asker goes away is done all the same.
    ///
    /// # Errors
    /// The job's own, or that of the database.
    ///
    /// # Examples
    /// ```ignore
    /// store.write(move |db| Box::pin(async move { sessions::insert(db, &session).await })).await?;
    /// ```
    pub async fn write<T, E, F>(&self, job: F) -> Result<T, E>
    where
        F: for<'c> FnOnce(&'c mut Db) -> BoxFuture<'c, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let written = self.writer.write(job).await;
        if written.is_ok() {
            note();
        }
        written
    }
    /// Stores a move with its event, and answers when it is durable: whether it is stored, or the game had changed meanwhile.
    ///
    /// # Errors
    /// When the database fails. Then nothing is stored.
    pub async fn play(&self, row: moves::MoveRow) -> Result<bool, StoreError> {
        let stored = self.writer.play(row).await;
        if stored.is_ok() {
            note();
        }
        stored
    }
    /// Whether it answers.
    ///
    /// # Errors
    /// Why it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let mut connection = self.read().await?;
        sqlx::query("SELECT 1").execute(&mut *connection).await?;
        Ok(())
    }
    /// Lets reading end and shuts the database; what is asked later fails.
    pub async fn close(&self) {
        self.readers.close().await;
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Store").field(&self.place).finish()
    }
}

const MEMORY: &str = "sqlite::memory:";

/// What a statement gives that ends in the name of a column, for the rows in which that is one of some values.
async fn among(db: &mut Db, select: &'static str, values: &[&str]) -> Result<HashSet<String>, StoreError> {
    if values.is_empty() {
        return Ok(HashSet::new());
    }
    let places: Vec<String> = (1..=values.len()).map(|i| format!("${i}")).collect();
    let sql = format!("{select} IN ({})", places.join(", "));
    let mut query = sqlx::query(sqlx::AssertSqlSafe(sql)).persistent(false);
    for value in values {
        query = query.bind(*value);
    }
    Ok(query.fetch_all(db).await?.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}

/// WAL lets readers read while one writes; FULL has a transaction on the disk before it is acknowledged.
const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 20000; PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 67108864";

fn kind(url: &str) -> Option<Kind> {
    match url.split_once(':')? {
        ("sqlite", file) if !file.trim_start_matches('/').is_empty() => Some(Kind::Sqlite),
        ("postgres" | "postgresql", rest) if rest.starts_with("//") => Some(Kind::Postgres),
        _ => None,
    }
}

async fn migrate(kind: Kind, pool: &mut AnyPool) -> Result<(), StoreError> {
    let mut connection = pool.acquire().await?;
    migrate::run(kind, &mut connection).await
}

/// The URL as it may be shown.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let Some((login, host)) = rest.rsplit_once('@') else { return url.to_owned() };
    let user = login.split(':').next().unwrap_or_default();
    format!("{scheme}://{user}@{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        assert_eq!(without_password("postgres://me:s@cret@db/x"), "postgres://me@db/x");
        assert_eq!(without_password("postgres://me@db/x"), "postgres://me@db/x");
        assert_eq!(without_password("sqlite:x.db"), "sqlite:x.db");
    }

    #[test]
    fn a_url_tells_the_database() {
        for (url, expected) in [
            ("sqlite:x.db", Some(Kind::Sqlite)),
            ("sqlite:///var/x.db", Some(Kind::Sqlite)),
            (MEMORY, Some(Kind::Sqlite)),
            ("postgres://a/b", Some(Kind::Postgres)),
            ("postgresql://a/b", Some(Kind::Postgres)),
            ("sqlite:", None),
            ("sqlite://", None),
            ("mysql://a/b", None),
            ("x.db", None),
            ("", None),
        ] {
            assert_eq!(kind(url), expected, "{url}");
        }
    }
}
