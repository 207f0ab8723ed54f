//! The bus of a node that is alone.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::broadcast::{self, Sender};

use super::{Bus, Note, Subscription, Utf8Bytes};

/// How many messages a subscriber may be behind before some are lost to it.
const BEHIND: usize = 32;

/// Within the process.
#[derive(Debug, Default)]
pub struct Local {
    subjects: Mutex<HashMap<String, Sender<Note>>>,
    shared: bool,
}

impl Local {
    /// A bus for several servers in one process, as tests have them: those that name it alike are on the same.
    pub fn named(name: &str) -> Arc<Self> {
        static ALL: Mutex<BTreeMap<String, Weak<Local>>> = Mutex::new(BTreeMap::new());
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bus) = all.get(name).and_then(Weak::upgrade) {
            return bus;
        }
        let bus = Arc::new(Self { shared: true, ..Self::default() });
        all.insert(name.to_owned(), Arc::downgrade(&bus));
        bus
    }

    /// Tells all subscribers that they may have missed something.
    pub(super) fn miss_all(&self) {
        let mut subjects = self.subjects.lock().unwrap_or_else(PoisonError::into_inner);
        subjects.retain(|_, sender| sender.send(None).is_ok());
    }
}

impl Bus for Local {
    fn publish(&self, subject: &str, message: Utf8Bytes) {
        let mut subjects = self.subjects.lock().unwrap_or_else(PoisonError::into_inner);
        if subjects.get(subject).is_some_and(|sender| sender.send(Some(message)).is_err()) {
            // Everybody has gone.
            subjects.remove(subject);
        }
    }
    fn subscribe(&self, subject: &str) -> Subscription {
        let mut subjects = self.subjects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = subjects.get(subject) {
            return Subscription(sender.subscribe());
        }
        let (sender, receiver) = broadcast::channel(BEHIND);
        subjects.insert(subject.to_owned(), sender);
        Subscription(receiver)
    }
    fn is_shared(&self) -> bool {
        self.shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::Missed;

    #[tokio::test]
    async fn a_message_reaches_all_who_subscribed_to_its_subject() {
        let bus = Local::default();
        let (mut a, mut b, mut other) = (bus.subscribe("x"), bus.subscribe("x"), bus.subscribe("y"));
        bus.publish("x", "one".into());
        bus.publish("y", "two".into());
        assert_eq!(a.next().await.unwrap(), "one");
        assert_eq!(b.next().await.unwrap(), "one");
        assert_eq!(other.next().await.unwrap(), "two");
    }

    #[tokio::test]
    async fn who_falls_behind_is_told_so() {
        let bus = Local::default();
        let mut slow = bus.subscribe("x");
        for i in 0..100 {
            bus.publish("x", i.to_string().into());
        }
        assert_eq!(slow.next().await, Err(Missed));
        slow.next().await.unwrap();
    }

    #[tokio::test]
    async fn all_can_be_told_that_they_may_have_missed_something() {
        let bus = Local::default();
        let mut a = bus.subscribe("x");
        bus.miss_all();
        bus.publish("x", "one".into());
        assert_eq!(a.next().await, Err(Missed));
        assert_eq!(a.next().await.unwrap(), "one");
    }

    #[tokio::test]
    async fn subjects_without_subscribers_are_forgotten() {
        let bus = Local::default();
        drop(bus.subscribe("x"));
        bus.publish("x", "one".into());
        assert!(bus.subjects.lock().unwrap().is_empty());
    }
}
