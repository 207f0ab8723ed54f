//! A server that is set up: what its routes work with.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::auth::Auth;
use crate::bus::{self, SharedBus};
use crate::config::Config;
use crate::explorer;
use crate::games::presence::Presence;
use crate::games::{Challenges, Games, computer, lobby, sweeper};
use crate::jobs::jetstream::JetStream;
use crate::jobs::queue::{Local, Queue};
use crate::jobs::{self, Jobs};
use crate::limits::{Limiter, TIDY};
use crate::store::{Store, StoreError};
use crate::telemetry;

/// How long the bus may take to take what is still to be told when the server stops.
const FLUSH: Duration = Duration::from_secs(2);

/// Why a server cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The bus.
    #[error("'{0}' is no bus that this program knows: expected local or nats://HOST:PORT")]
    Bus(String),
    /// The servers of the bus.
    #[error(transparent)]
    Nats(#[from] bus::NatsError),
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
    jobs: Jobs,
    /// What runs by itself.
    tasks: Mutex<Vec<JoinHandle<()>>>,
    limiter: Limiter,
    /// Turns true when the server is about to stop.
    stopping: watch::Sender<bool>,
}

impl App {
    /// Opens the database and starts what runs by itself.
    ///
    /// # Errors
    /// When the database or the bus cannot be had.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let store = Store::open_with(&config.database, config.database_patience).await?;
        let auth = Auth::new(store.clone(), config.clock.clone(), config.base_url.as_deref());
        let (bus, queue) = open_bus(&config.bus).await?;
        let games = Games::new(store.clone(), Arc::clone(&bus), config.clock.clone());
        let challenges = Challenges::new(games.clone());
        let presence = Presence::new(Arc::clone(&bus), config.clock.clone());
        presence.recall(&store).await?;
        let jobs = Jobs::new(store.clone(), bus, config.clock.clone(), queue, config.analysis_nodes);
        let mut tasks = vec![
            tokio::spawn(sweeper::run(games.clone())),
            tokio::spawn(computer::run(games.clone(), config.workers)),
            tokio::spawn(lobby::run(challenges.clone())),
            tokio::spawn(presence.clone().run(store.clone())),
            tokio::spawn(count(store.clone())),
        ];
        tasks.extend((0..config.workers).map(|number| tokio::spawn(jobs::run(jobs.clone(), number))));
        let limiter = Limiter::new(config.limits.clone());
        let stopping = watch::Sender::new(false);
        let tasks = Mutex::new(tasks);
        let parts = Parts { config, store, auth, games, challenges, presence, jobs, tasks, limiter, stopping };
        let app = Self(Arc::new(parts));
        tokio::spawn(tidy(app.clone()));
        Ok(app)
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
    /// Analyses.
    pub fn jobs(&self) -> &Jobs {
        &self.0.jobs
    }
    /// What clients may take.
    pub(crate) fn limiter(&self) -> &Limiter {
        &self.0.limiter
    }
    /// The address of a path as it is seen from outside.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.0.config.base_url.as_deref().unwrap_or_default().trim_end_matches('/'))
    }
    /// Whether the server is about to stop.
    pub fn stopping(&self) -> bool {
        *self.0.stopping.borrow()
    }
    /// Done when the server is about to stop.
    pub(crate) async fn stopped(&self) {
        let _ = self.0.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }
    /// Has all that would go on forever come to an end.
    pub fn begin_to_stop(&self) {
        self.0.stopping.send_replace(true);
    }
    /// What time it is, in milliseconds since 1970.
    pub fn now(&self) -> i64 {
        self.0.config.clock.now()
    }
    /// Ends what runs by itself, and shuts the database.
    pub async fn stop(&self) {
        self.begin_to_stop();
        for task in self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            task.abort();
        }
        self.0.jobs.release(self.0.config.workers).await;
        let _ = tokio::time::timeout(FLUSH, self.0.games.bus().flush()).await;
        self.0.store.close().await;
    }
}

/// The bus of a name.
pub(crate) async fn open_bus(name: &str) -> Result<(SharedBus, Arc<dyn Queue>), StartError> {
    let local: SharedBus = match name.split_once(':') {
        None if name == "local" => Arc::new(bus::Local::default()),
        Some(("local", name)) => bus::Local::named(name),
        _ => {
            let url = name.parse().map_err(|_| StartError::Bus(name.to_owned()))?;
            let bus = bus::Nats::connect(&url).await?;
            let queue = JetStream::new(&bus);
            return Ok((Arc::new(bus), queue));
        }
    };
    Ok((local, Arc::new(Local::default())))
}

/// Counts for the explorer what was played before it counted.
async fn count(store: Store) {
    match explorer::catch_up(&store).await {
        Ok(0) => {}
        Ok(games) => tracing::info!(games, "games of the past were counted for the explorer"),
        Err(error) => tracing::warn!(%error, "games of the past were not counted for the explorer"),
    }
}

/// Now and then, what has to be done now and then.
async fn tidy(app: App) {
    let mut every = tokio::time::interval(TIDY);
    loop {
        tokio::select! {
            _ = every.tick() => {}
            () = app.stopped() => return,
        }
        app.limiter().tidy();
        if let Some(metrics) = telemetry::metrics() {
            metrics.run_upkeep();
        }
    }
}
