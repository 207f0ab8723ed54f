//! What several tests need: databases to try things on.

pub(crate) mod client;
pub(crate) mod nats;
mod postgres;
mod service;
pub(crate) mod socket;
pub(crate) mod table;

pub(crate) use postgres::Postgres;
use tempfile::TempDir;
use warpchess_server::store::Store;

/// A database of a test's own, gone when it is dropped.
pub(crate) struct Database {
    /// For messages.
    pub(crate) name: &'static str,
    /// Opens it.
    pub(crate) url: String,
    _folder: Option<TempDir>,
}

impl Database {
    /// A file.
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("test.db").display());
        Self { name: "sqlite", url, _folder: Some(folder) }
    }
    /// A fresh database of a real server; `None` where PostgreSQL is not installed.
    pub(crate) async fn postgres() -> Option<Self> {
        Some(Self { name: "postgres", url: postgres::fresh_database().await?, _folder: None })
    }
    /// All there are.
    pub(crate) async fn all() -> Vec<Self> {
        [Some(Self::sqlite()), Self::postgres().await].into_iter().flatten().collect()
    }
    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.url).await.unwrap()
    }
}
