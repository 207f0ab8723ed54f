//! What can go wrong with the database.

/// Why the database did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The URL is none that this program knows.
    #[error(
        "'{0}' is no database that this program knows: expected sqlite:FILE, sqlite::memory: or postgres://USER@HOST/NAME"
    )]
    Url(String),
    /// It cannot be opened.
    #[error("cannot open the database {url}: {source}")]
    Open {
        /// Where it was looked for, without a password.
        url: String,
        /// What the driver says.
        source: sqlx::Error,
    },
    /// It cannot be brought to the form that this program reads.
    #[error("the database cannot be brought up to date (step {step}): {source}")]
    Migration {
        /// The file of the step.
        step: &'static str,
        /// What the driver says.
        source: sqlx::Error,
    },
    /// A later version of this program has changed its form.
    #[error("the database was written by a newer version of this program (step {0} is not known here)")]
    Newer(String),
    /// A statement failed.
    #[error("the database failed: {0}")]
    Sql(#[from] sqlx::Error),
    /// What was written could not be made durable; it was not kept.
    #[error("the database could not keep what was written: {0}")]
    Commit(String),
    /// Something stored cannot be read.
    #[error("{what} is stored in a form that cannot be read: {why}")]
    Corrupt {
        /// Which row and column.
        what: String,
        /// What is wrong with it.
        why: String,
    },
    /// The store was shut.
    #[error("the database is shut")]
    Closed,
}

impl StoreError {
    /// Whether a row could not be written because one with the same key is there.
    pub fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Sql(sqlx::Error::Database(error)) if error.is_unique_violation())
    }
    /// A stored value that makes no sense.
    pub fn corrupt(what: impl Into<String>, why: impl std::fmt::Display) -> Self {
        Self::Corrupt { what: what.into(), why: why.to_string() }
    }
}
