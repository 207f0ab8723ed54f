//! Live challenges in the lobby stand as long as their maker is connected, and a moment longer: a page that is loaded anew, or
//! that comes to another node, keeps them. Each node notes which of them it has the maker of; whoever finds one that no node
//! has noted lately takes it out. So it does not matter which node dies.
//!
//! Who was never connected, as a program that asks by HTTP alone, has nothing to lose: such a challenge waits its time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::challenges::Challenges;
use crate::auth::Identity;
use crate::bus;
use crate::error::Error;
use crate::store::StoreError;
use crate::store::challenges::{self as rows, Status};

/// How often it is looked after the lobby, in milliseconds.
const LOOK: i64 = 3000;
/// How long a challenge stands after its maker was last seen, in milliseconds.
const GRACE: i64 = 10_000;

/// How many connections each player has to this node.
pub(super) type Players = Arc<Mutex<HashMap<String, usize>>>;

/// A player is connected until this is dropped.
pub struct Connected {
    challenges: Challenges,
    who: Identity,
    player: String,
}

impl Challenges {
    /// A player has connected.
    pub fn connected(&self, who: &Identity) -> Connected {
        let player = bus::player_subject(who.user.as_deref(), Some(&who.session)).unwrap_or_default();
        *self.players.lock().unwrap_or_else(PoisonError::into_inner).entry(player.clone()).or_default() += 1;
        Connected { challenges: self.clone(), who: who.clone(), player }
    }

    /// Notes whose makers are here, and takes out those whose makers have gone.
    pub(super) async fn look_after_lobby(&self) -> Result<(), Error> {
        let now = self.games.clock().now();
        let standing = rows::standing(&mut *self.games.store().read().await?).await?;
        let (here, others): (Vec<_>, Vec<_>) = {
            let players = self.players.lock().unwrap_or_else(PoisonError::into_inner);
            standing.into_iter().partition(|it| {
                let player = bus::player_subject(it.user.as_deref(), it.session.as_deref());
                player.is_some_and(|player| players.contains_key(&player))
            })
        };
        if !here.is_empty() {
            let ids: Vec<String> = here.into_iter().map(|it| it.id).collect();
            let job = self.games.store().write(move |db| Box::pin(async move { rows::seen(db, &ids, now).await }));
            job.await.map_err(|error: StoreError| Error::from(error))?;
        }
        for it in others {
            // While no server was there nobody could be connected.
            if it.seen_at.is_some_and(|at| now - at.max(self.began_at) > GRACE) {
                let row = self.row(&it.id).await?;
                self.close_if_open(row, Status::Canceled).await?;
            }
        }
        Ok(())
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        {
            let mut players = self.challenges.players.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(count) = players.get_mut(&self.player) else { return };
            *count -= 1;
            if *count > 0 {
                return;
            }
            players.remove(&self.player);
        }
        // What was made and left before anybody looked was seen now.
        let (challenges, who) = (self.challenges.clone(), self.who.clone());
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let now = challenges.games.clock().now();
            let job = challenges.games.store().write(move |db| {
                Box::pin(async move { rows::maker_left(db, who.user.as_deref(), &who.session, now).await })
            });
            let kept: Result<(), StoreError> = job.await;
            // Nothing is left to be done when the server stops.
            if let Err(error) = kept {
                tracing::debug!(%error, "it is not stored that the maker of challenges has left");
            }
        });
    }
}

/// Ends challenges that are overdue or left, as long as it is polled.
pub(crate) async fn run(all: Challenges) {
    loop {
        let looked = async {
            all.expire().await?;
            all.look_after_lobby().await
        };
        if let Err(error) = looked.await {
            tracing::warn!(%error, "challenges cannot be read");
        }
        let clock = all.games.clock();
        clock.sleep_until(clock.now() + LOOK).await;
    }
}
