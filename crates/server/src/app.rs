//! A server that is set up: what its routes work with.

use std::sync::Arc;

use crate::auth::Auth;
use crate::config::Config;
use crate::store::{Store, StoreError};

/// Why a server cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The bus.
    #[error("'{0}' is no bus that this program knows: expected local")]
    Bus(String),
}

/// The parts of a server. Clones are handles to the same.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    config: Config,
    store: Store,
    auth: Auth,
}

impl App {
    /// Opens the database and starts what runs by itself.
    ///
    /// # Errors
    /// When the database or the bus cannot be had.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let store = Store::open(&config.database).await?;
        let auth = Auth::new(store.clone(), config.clock.clone(), config.base_url.as_deref());
        Ok(Self(Arc::new(Parts { config, store, auth })))
    }
    /// How it was set up.
    pub fn config(&self) -> &Config {
        &self.0.config
    }
    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }
    /// Who is who.
    pub fn auth(&self) -> &Auth {
        &self.0.auth
    }
    /// What time it is, in milliseconds since 1970.
    pub fn now(&self) -> i64 {
        self.0.config.clock.now()
    }
    /// Ends what runs by itself, and shuts the database.
    pub async fn stop(&self) {
        self.0.store.close().await;
    }
}
