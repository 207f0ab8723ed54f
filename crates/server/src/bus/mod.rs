//! How those who watch hear of what happened, on this node and on others.
//!
//! The bus carries no truth: messages may be lost, come twice or out of order. They are numbered, and who finds a gap
//! reads the store.

mod local;
mod nats;

use std::sync::Arc;

pub use axum::extract::ws::Utf8Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

pub use local::Local;
pub use nats::{Nats, NatsError, NatsUrl};

/// A bus that parts of the server share.
pub type SharedBus = Arc<dyn Bus>;

/// Carries messages by subject.
pub trait Bus: Send + Sync + 'static {
    /// Sends to all who have subscribed, if anybody has. The text is shared, not copied.
    fn publish(&self, subject: &str, message: Utf8Bytes);
    /// Sends to those on this node alone.
    fn publish_here(&self, subject: &str, message: Utf8Bytes) {
        self.publish(subject, message);
    }
    /// From now on receives what is sent.
    fn subscribe(&self, subject: &str) -> Subscription;
    /// Whether other nodes are on it, so that games change without this node's doing.
    fn is_shared(&self) -> bool;
    /// Whether other nodes are heard. If not, the store tells what they do.
    fn is_up(&self) -> bool {
        true
    }
    /// Done when what was published has left this node.
    fn flush(&self) -> BoxFuture<'_, ()> {
        std::future::ready(()).boxed()
    }
}

/// What a channel carries: a message, or `None` when there may have been some that did not arrive.
type Note = Option<Utf8Bytes>;

/// Receives the messages of a subject.
#[derive(Debug)]
pub struct Subscription(broadcast::Receiver<Note>);

/// Some messages did not arrive: the store knows what they said.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Missed;

impl Subscription {
    /// The next message. When the bus is gone there is none, ever.
    ///
    /// # Errors
    /// When messages were lost before the next.
    pub async fn next(&mut self) -> Result<Utf8Bytes, Missed> {
        match self.0.recv().await {
            Ok(message) => message.ok_or(Missed),
            Err(RecvError::Lagged(_)) => Err(Missed),
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// Where the events of a game are told.
pub fn game_subject(id: &str) -> String {
    format!("game.{id}")
}

/// Where it is told what is said in a game, and who is there.
pub fn room_subject(id: &str) -> String {
    format!("room.{id}")
}

/// Where changes of the lobby are told.
pub const LOBBY: &str = "lobby";

/// Where each node tells who is there.
pub const PRESENCE: &str = "presence";

/// Where a player is told of challenges and of games that begin and end: an account, or a session that has none.
pub fn player_subject(user: Option<&str>, session: Option<&str>) -> Option<String> {
    match (user, session) {
        (Some(user), _) => Some(format!("user.{user}")),
        (None, Some(session)) => Some(format!("session.{session}")),
        (None, None) => None,
    }
}
