//! What is done to a server's database from the command line, while the server runs or not.

use std::path::{Path, PathBuf};

use sqlx::Connection;

use crate::auth::{Auth, Password, Scopes};
use crate::clock::{Clock, SystemClock};
use crate::error::Error;
use crate::explorer;
use crate::names;
use crate::store::{Kind, Store, StoreError, accounts, private, sessions};

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A name, a password or the like is refused.
    #[error("{0}")]
    Refused(#[from] Error),
    /// There is no such account.
    #[error("there is no account called '{0}'")]
    NoAccount(String),
    /// A backup needs a file that is not there.
    #[error("{0} exists already: a backup is written into a new file")]
    Exists(PathBuf),
    /// The backup failed.
    #[error("cannot write a backup to {path}: {source}")]
    Backup {
        /// Where to.
        path: PathBuf,
        /// What the database says.
        source: sqlx::Error,
    },
    /// A server has tools of its own.
    #[error("PostgreSQL is backed up by its own tool: pg_dump --format=custom --file={0} --dbname=URL")]
    PgDump(PathBuf),
}

/// A database, opened to be administered.
#[derive(Debug)]
pub struct Admin {
    store: Store,
    auth: Auth,
    url: String,
}

impl Admin {
    /// Opens a database by its URL; it is brought up to date, and made if it is not there.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub async fn open(url: &str) -> Result<Self, AdminError> {
        Ok(Self::of(Store::open(url).await?, url))
    }

    /// Opens a database that is there.
    ///
    /// # Errors
    /// When there is none, or it cannot be opened.
    pub async fn open_existing(url: &str) -> Result<Self, AdminError> {
        Ok(Self::of(Store::open_existing(url).await?, url))
    }

    fn of(store: Store, url: &str) -> Self {
        let auth = Auth::new(store.clone(), std::sync::Arc::new(SystemClock), None);
        Self { store, auth, url: url.to_owned() }
    }

    /// Makes an account: its id.
    ///
    /// # Errors
    /// When the name or the password is refused, or the name is taken.
    pub async fn create_user(&self, name: &str, password: Password, bot: bool) -> Result<String, AdminError> {
        Ok(self.auth.register(name, password, bot).await?.id)
    }

    /// Makes a token that does not end: the token itself.
    ///
    /// # Errors
    /// When there is no such account, or it has too many tokens.
    pub async fn create_token(&self, name: &str, scopes: Scopes, description: &str) -> Result<String, AdminError> {
        let id = self.id(name).await?;
        Ok(self.auth.create_token(&id, description, scopes, None).await?.secret)
    }

    /// Gives an account another password; its sessions end.
    ///
    /// # Errors
    /// When there is no such account or the password is refused.
    pub async fn reset_password(&self, name: &str, password: Password) -> Result<(), AdminError> {
        let id = self.id(name).await?;
        let hash = password.hash(&id).await?;
        self.store
            .write(move |db| {
                Box::pin(async move {
                    accounts::set_password(db, &id, &hash).await?;
                    sessions::delete_of_user(db, &id, None).await
                })
            })
            .await
            .map_err(|error: StoreError| AdminError::from(error))
    }

    /// Shuts an account out, or lets it in again. When it is shut out its sessions and tokens end.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn ban(&self, name: &str, banned: bool) -> Result<(), AdminError> {
        let id = self.id(name).await?;
        let since = banned.then(|| SystemClock.now());
        self.store.write(move |db| Box::pin(async move { accounts::set_banned(db, &id, since).await })).await?;
        Ok(())
    }

    /// Counts all games anew for the opening explorer: how many. The server may go on meanwhile.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rebuild_explorer(&self) -> Result<u64, AdminError> {
        Ok(explorer::rebuild(&self.store).await?)
    }

    /// Writes a copy of the database as it is at one moment. The server may go on meanwhile.
    ///
    /// # Errors
    /// When the file is there already or cannot be written, or the database is no file.
    pub async fn backup(&self, path: &Path) -> Result<(), AdminError> {
        if self.store.kind() == Kind::Postgres {
            return Err(AdminError::PgDump(path.to_owned()));
        }
        if path.exists() {
            return Err(AdminError::Exists(path.to_owned()));
        }
        let failed = |source| AdminError::Backup { path: path.to_owned(), source };
        // SQLite fills an empty file, and would make one that everybody may read.
        private::create_new(path).map_err(|error| failed(error.into()))?;
        let mut connection = sqlx::SqliteConnection::connect(&self.url).await.map_err(failed)?;
        // A copy without gaps, and in one piece: what is in the write-ahead log is in it.
        let written = sqlx::query("VACUUM INTO $1").bind(path.to_string_lossy().into_owned());
        written.execute(&mut connection).await.map_err(failed)?;
        connection.close().await.map_err(failed)
    }

    /// Shuts the database.
    pub async fn close(self) {
        self.store.close().await;
    }

    async fn id(&self, name: &str) -> Result<String, AdminError> {
        let none = || AdminError::NoAccount(name.to_owned());
        let id = names::known(name).ok_or_else(none)?;
        let mut db = self.store.read().await?;
        accounts::by_id(&mut db, &id).await?.map(|account| account.id).ok_or_else(none)
    }
}
