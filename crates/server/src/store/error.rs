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
    /// What was written was to be made durable, and the answer whether it is never came, or was no: it may be kept or not.
    #[error("the database did not say that it keeps what was written: {0}")]
    Commit(String),
    /// The transaction was given up before its end: nothing of it is kept.
    #[error("what was written is not kept: {why}")]
    GivenUp {
        /// What the driver says.
        why: String,
        /// Whether it is because the database cannot be reached.
        down: bool,
    },
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

/// The database cannot do what is asked at the moment.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Outage {
    /// And did nothing of it.
    Down,
    /// And nobody knows whether it did.
    Lost,
}

impl StoreError {
    /// What it means for what was asked, where it is no fault of the program but the database that is away.
    pub fn outage(&self) -> Option<Outage> {
        match self {
            Self::Sql(error) | Self::Open { source: error, .. } => is_away(error).then_some(Outage::Down),
            Self::GivenUp { down, .. } => down.then_some(Outage::Down),
            Self::Closed => Some(Outage::Down),
            Self::Commit(_) => Some(Outage::Lost),
            Self::Url(_) | Self::Migration { .. } | Self::Newer(_) | Self::Corrupt { .. } => None,
        }
    }
    /// Something of the program's own fell over while it wrote.
    pub(crate) fn panicked(why: impl Into<String>) -> Self {
        Self::GivenUp { why: why.into(), down: false }
    }
    /// Whether a row could not be written because one with the same key is there.
    pub fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Sql(sqlx::Error::Database(error)) if error.is_unique_violation())
    }
    /// A stored value that makes no sense.
    pub fn corrupt(what: impl Into<String>, why: impl std::fmt::Display) -> Self {
        Self::Corrupt { what: what.into(), why: why.to_string() }
    }
}

/// Whether an error says that the database is not there, or has no place for one more connection.
fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => true,
        sqlx::Error::WorkerCrashed => true,
        // Classes of SQLSTATE: 08 is the connection, 57P the server that shuts down, crashed or begins.
        // https://www.postgresql.org/docs/current/errcodes-appendix.html
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            code.starts_with("08") || code.starts_with("57P") || matches!(&*code, "53300" | "25006")
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_write_that_failed_is_told() {
        assert_eq!(StoreError::Sql(sqlx::Error::PoolTimedOut).outage(), Some(Outage::Down));
        assert_eq!(StoreError::Sql(sqlx::Error::RowNotFound).outage(), None);
        assert_eq!(StoreError::Commit("cut".into()).outage(), Some(Outage::Lost));
        assert_eq!(StoreError::GivenUp { why: "cut".into(), down: true }.outage(), Some(Outage::Down));
        assert_eq!(StoreError::panicked("odd").outage(), None);
    }
}
