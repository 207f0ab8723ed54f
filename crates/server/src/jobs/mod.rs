//! Analyses of games: asked for by people, kept in the database, done by workers in this process or others.
//!
//! A job is a row (`store/analysis.rs`). A worker takes it on for a while ([`LEASE`]) and renews that with every bit of
//! progress; if it dies, the time runs out and another goes on where it was left. How workers hear of work is the queue's
//! affair ([`queue`]); they look into the database, too.

pub mod jetstream;
pub mod judge;
mod process;
pub mod queue;
pub mod report;
mod worker;

use std::sync::Arc;

use serde_json::json;

use crate::auth::Identity;
use crate::bus::{self, SharedBus};
use crate::clock::SharedClock;
use crate::error::Error;
use crate::games::action::Refusal;
use crate::ids;
use crate::store::analysis::{self, JobRow, State};
use crate::store::games::{GameRow, Status};
use crate::store::{Store, StoreError};
use queue::Queue;

pub use process::Process;
pub(crate) use worker::run;
pub use worker::work;

/// How long a worker has a job without a sign of life, in milliseconds.
pub const LEASE: i64 = 15_000;
/// How often a job is taken on before it is given up.
pub const ATTEMPTS: i64 = 3;
/// How far a position is searched, in nodes.
pub const NODES: u64 = 200_000;
/// How many plies a game may have to be analysed.
pub const LONGEST: i64 = 600;
/// How many analyses of one asker may be not done.
pub const OPEN_OF_ONE: i64 = 5;
/// How many one asker may ask for in a day.
pub const DAILY: i64 = 50;
/// How many may wait in all.
pub const MOST_OPEN: i64 = 2000;

const DAY: i64 = 24 * 60 * 60_000;

/// All analyses. Clones are handles to the same.
#[derive(Clone)]
pub struct Jobs(Arc<Parts>);

struct Parts {
    store: Store,
    bus: SharedBus,
    clock: SharedClock,
    queue: Arc<dyn Queue>,
    nodes: u64,
    /// What the workers of this process are called, before their numbers.
    name: String,
}

impl Jobs {
    /// Analyses of the games of a store; `nodes` is how far each position is searched.
    pub fn new(store: Store, bus: SharedBus, clock: SharedClock, queue: Arc<dyn Queue>, nodes: u64) -> Self {
        Self(Arc::new(Parts { store, bus, clock, queue, nodes, name: ids::random(8) }))
    }

    /// Has a game analysed. `true` when there is something to do, `false` when it is done or under way.
    ///
    /// # Errors
    /// When the game goes on or is too long, or it is too much for one asker.
    pub async fn request(&self, game: &GameRow, who: &Identity) -> Result<bool, Error> {
        let plays = [&game.white, &game.black].into_iter().any(|seat| {
            seat.user.is_none() && seat.session.as_ref() == Some(&who.session)
                || seat.user.is_some() && seat.user == who.user
        });
        if who.user.is_none() && !plays {
            return Err(Error::unauthorized("log in to have games analysed in which you do not play"));
        }
        match game.status {
            Status::Ended => {}
            Status::Started => return Err(Refusal::NotOver.into()),
            Status::Aborted => {
                return Err(Error::conflict("no-moves", "the game was called off: there is nothing to analyse"));
            }
        }
        if game.ply == 0 {
            return Err(Error::conflict("no-moves", "the game has no moves: there is nothing to analyse"));
        }
        if game.ply > LONGEST {
            return Err(Error::conflict("too-long", format!("games of more than {LONGEST} plies are not analysed")));
        }
        let Some(by) = bus::player_subject(who.user.as_deref(), Some(&who.session)) else {
            return Err(Error::unauthorized("log in to have games analysed"));
        };
        let now = self.0.clock.now();
        let (id, nodes, total) = (game.id.clone(), i64::try_from(self.0.nodes).unwrap_or(i64::MAX), game.ply + 1);
        let begun = self.0.store.write(move |db| {
            Box::pin(async move {
                let known = analysis::job(db, &id).await?;
                if known.is_some_and(|job| job.state != State::Failed) {
                    return Ok(false);
                }
                let (lately, open) = analysis::requested_by(db, &by, now - DAY).await?;
                if open >= OPEN_OF_ONE {
                    return Err(Error::too_many(
                        60,
                        format!("{OPEN_OF_ONE} analyses that you asked for are not done yet"),
                    ));
                }
                if lately >= DAILY {
                    return Err(Error::too_many(3600, format!("you have asked for {DAILY} analyses within a day")));
                }
                if analysis::open(db).await? >= MOST_OPEN {
                    return Err(Error::unavailable("too many analyses wait already"));
                }
                Ok::<_, Error>(analysis::request(db, &id, &by, now, nodes, total).await?)
            })
        });
        let begun = begun.await?;
        if begun {
            self.0.queue.push(&game.id).await;
            self.tell(&game.id, State::Queued, 0, total);
        }
        Ok(begun)
    }

    /// The analysis of a game, if one was ever asked for.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn of(&self, game: &str) -> Result<Option<JobRow>, StoreError> {
        analysis::job(&mut *self.0.store.read().await?, game).await
    }

    /// Tells those who follow the game.
    fn tell(&self, game: &str, state: State, done: i64, total: i64) {
        let message = json!({ "t": "analysis", "game": game, "state": state.name(), "done": done, "total": total });
        self.0.bus.publish(&bus::room_subject(game), message.to_string().into());
    }

    /// What a worker of this process is called.
    fn worker(&self, number: usize) -> String {
        format!("{}-{number}", self.0.name)
    }

    /// Gives back what this process's workers have; they have been stopped before.
    pub(crate) async fn release(&self, workers: usize) {
        for number in 0..workers {
            let worker = self.worker(number);
            let job = self.0.store.write(move |db| Box::pin(async move { analysis::release(db, &worker).await }));
            let released: Result<(), StoreError> = job.await;
            if let Err(error) = released {
                // Others wait for the end of the lease, then.
                tracing::warn!(%error, "an analysis was not given back");
            }
        }
    }
}
