//! A server that is set up: what its routes work with.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinHandle;

use crate::auth::Auth;
use crate::bus::{self, SharedBus};
use crate::config::Config;
use crate::games::presence::Presence;
use crate::games::{Challenges, Games, challenges, computer, sweeper};
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
    games: Games,
    challenges: Challenges,
    presence: Presence,
    /// What runs by itself.
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl App {
    /// Opens the database and starts what runs by itself.
    ///
    /// # Errors
    /// When the database or the bus cannot be had.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let store = Store::open(&config.database).await?;
        let auth = Auth::new(store.clone(), config.clock.clone(), config.base_url.as_deref());
        let bus: SharedBus = match config.bus.as_str() {
            "local" => Arc::new(bus::Local::default()),
            other => return Err(StartError::Bus(other.to_owned())),
        };
        let games = Games::new(store.clone(), Arc::clone(&bus), config.clock.clone());
        let challenges = Challenges::new(games.clone());
        let presence = Presence::new(bus, config.clock.clone());
        let tasks = Mutex::new(vec![
            tokio::spawn(sweeper::run(games.clone())),
            tokio::spawn(computer::run(games.clone(), config.workers)),
            tokio::spawn(challenges::run(challenges.clone())),
            tokio::spawn(presence.clone().run()),
        ]);
        Ok(Self(Arc::new(Parts { config, store, auth, games, challenges, presence, tasks })))
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
    /// Games.
    pub fn games(&self) -> &Games {
        &self.0.games
    }
    /// How games come about.
    pub fn challenges(&self) -> &Challenges {
        &self.0.challenges
    }
    /// Who is there.
    pub fn presence(&self) -> &Presence {
        &self.0.presence
    }
    /// What time it is, in milliseconds since 1970.
    pub fn now(&self) -> i64 {
        self.0.config.clock.now()
    }
    /// Ends what runs by itself, and shuts the database.
    pub async fn stop(&self) {
        for task in self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            task.abort();
        }
        self.0.store.close().await;
    }
}
