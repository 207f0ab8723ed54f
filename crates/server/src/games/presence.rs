//! Who is there: which players are connected to a game, and how many watch. Each node tells how many it has; a node that
//! has not told for a while counts as gone.
//!
//! Since when a player is away outlives a node: the other nodes know it, and tell one that begins. That a player was there at
//! all is stored. When the only node begins again nobody is there, and those who were have left as it began: who could not
//! be connected is not to lose by it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use warpchess_rules::Color;

use crate::bus::{self, SharedBus};
use crate::clock::SharedClock;
use crate::ids;
use crate::store::{Store, StoreError, presence as rows};

/// How often a node tells again what it has, in milliseconds.
const REPEAT: i64 = 20_000;
/// After how long without word a node counts as gone, in milliseconds.
const GONE: i64 = 60_000;

/// How many who have come are stored at once.
const BATCH: usize = 256;
/// How many players who have left are remembered before those are forgotten who left long ago.
const REMEMBERED: usize = 10_000;
/// After how long it does not matter any more that a player has left, in milliseconds.
const FORGOTTEN: i64 = 60 * 60_000;

/// How many connections there are to a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// White's.
    pub white: u32,
    /// Black's.
    pub black: u32,
    /// Those who watch.
    pub spectators: u32,
}

impl Counts {
    const fn of(&self, color: Color) -> u32 {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

/// Since when White and Black are away.
type Left = [Option<i64>; 2];

/// What a node tells.
#[derive(Debug, Serialize, Deserialize)]
struct Report {
    node: String,
    game: String,
    #[serde(flatten)]
    counts: Counts,
    /// Since when White and Black are away, for a node that has just begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<Left>,
}

/// A node has begun, or was not on the bus, and asks the others.
#[derive(Debug, Serialize, Deserialize)]
struct Hello {
    hello: String,
}

/// What each node has told of each game, and when.
type ByGame = HashMap<String, HashMap<String, (Counts, i64)>>;

/// Who is there. Clones are handles to the same.
#[derive(Clone)]
pub struct Presence(Arc<Parts>);

struct Parts {
    bus: SharedBus,
    clock: SharedClock,
    node: String,
    games: Mutex<ByGame>,
    /// Players who were there and are not any more, and since when.
    left: Mutex<HashMap<(String, Color), i64>>,
    /// Players who have come, to be stored.
    came: mpsc::UnboundedSender<(String, Color)>,
    coming: Mutex<Option<mpsc::UnboundedReceiver<(String, Color)>>>,
}

/// Somebody is there until this is dropped.
pub struct Guard {
    presence: Presence,
    game: String,
    color: Option<Color>,
}

impl Presence {
    pub(crate) fn new(bus: SharedBus, clock: SharedClock) -> Self {
        let (came, coming) = mpsc::unbounded_channel();
        Self(Arc::new(Parts {
            bus,
            clock,
            node: ids::random(12),
            games: Mutex::default(),
            left: Mutex::default(),
            came,
            coming: Mutex::new(Some(coming)),
        }))
    }

    /// Who was there before this node began: away, until they come or another node tells of them.
    pub(crate) async fn recall(&self, store: &Store) -> Result<(), StoreError> {
        let known = rows::came(&mut *store.read().await?).await?;
        let now = self.0.clock.now();
        self.left().extend(known.into_iter().map(|key| (key, now)));
        Ok(())
    }

    fn left(&self) -> MutexGuard<'_, HashMap<(String, Color), i64>> {
        self.0.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn games(&self) -> MutexGuard<'_, ByGame> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody has come to a game: a player or one who watches.
    pub fn enter(&self, game: &str, color: Option<Color>) -> Guard {
        self.change(game, color, |count| count.saturating_add(1));
        Guard { presence: self.clone(), game: game.to_owned(), color }
    }

    fn change(&self, game: &str, color: Option<Color>, how: impl Fn(u32) -> u32) {
        let now = self.0.clock.now();
        let before = self.of(game);
        let counts = {
            let mut games = self.games();
            let nodes = games.entry(game.to_owned()).or_default();
            let (counts, at) = nodes.entry(self.0.node.clone()).or_default();
            *at = now;
            let count = match color {
                Some(Color::White) => &mut counts.white,
                Some(Color::Black) => &mut counts.black,
                None => &mut counts.spectators,
            };
            *count = how(*count);
            let counts = *counts;
            if counts == Counts::default() {
                nodes.remove(&self.0.node);
            }
            if nodes.is_empty() {
                games.remove(game);
            }
            counts
        };
        // One who was away is known already.
        let new = color.filter(|&color| before.of(color) == 0 && self.left_at(game, color).is_none());
        if let Some(color) = new.filter(|&color| self.of(game).of(color) > 0) {
            let _ = self.0.came.send((game.to_owned(), color));
        }
        self.note(game, before, now);
        self.report(game, counts, None);
        self.tell(game);
    }

    /// Since when a player is away who was there before; `None` for one who is there, or never was.
    pub fn left_at(&self, game: &str, color: Color) -> Option<i64> {
        self.left().get(&(game.to_owned(), color)).copied()
    }

    /// Whether it is known who is away: what other nodes know is, as long as they are heard.
    pub fn is_sure(&self) -> bool {
        !self.0.bus.is_shared() || self.0.bus.is_up()
    }

    /// Notes who has left, at `since`, or come back, going by how many there were `before`.
    fn note(&self, game: &str, before: Counts, since: i64) {
        let (after, now) = (self.of(game), self.0.clock.now());
        let mut left = self.left();
        for (color, before, after) in
            [(Color::White, before.white, after.white), (Color::Black, before.black, after.black)]
        {
            let key = (game.to_owned(), color);
            if after > 0 {
                left.remove(&key);
            } else if before > 0 {
                left.insert(key, since);
            }
        }
        if left.len() > REMEMBERED {
            left.retain(|_, since| now - *since < FORGOTTEN);
        }
    }

    /// How many there are, on all nodes.
    pub fn of(&self, game: &str) -> Counts {
        let now = self.0.clock.now();
        let games = self.games();
        let nodes = games.get(game).into_iter().flat_map(HashMap::iter);
        let present = nodes.filter(|(node, (_, at))| **node == self.0.node || now - at < GONE);
        present.fold(Counts::default(), |sum, (_, (counts, _))| Counts {
            white: sum.white + counts.white,
            black: sum.black + counts.black,
            spectators: sum.spectators + counts.spectators,
        })
    }

    fn report(&self, game: &str, counts: Counts, left: Option<Left>) {
        if self.0.bus.is_shared() {
            let report = Report { node: self.0.node.clone(), game: game.to_owned(), counts, left };
            self.0.bus.publish(bus::PRESENCE, serde_json::to_string(&report).unwrap_or_default().into());
        }
    }

    /// Tells again whom this node has; and who has left, to one that does not know.
    fn report_all(&self, is_asked: bool) {
        let mut games: HashMap<String, (Counts, Option<Left>)> = {
            let games = self.games();
            let own = games.iter().filter_map(|(game, nodes)| Some((game, nodes.get(&self.0.node)?)));
            own.map(|(game, (counts, _))| (game.clone(), (*counts, None))).collect()
        };
        if is_asked {
            for ((game, color), since) in self.left().iter() {
                let (_, left) = games.entry(game.clone()).or_default();
                left.get_or_insert_default()[*color as usize] = Some(*since);
            }
        }
        for (game, (counts, left)) in games {
            self.report(&game, counts, left);
        }
    }

    /// Tells those on this node.
    fn tell(&self, game: &str) {
        // On a shared bus every node would tell all others what they reckon themselves: theirs is a subject of its own.
        self.0.bus.publish_here(&self.subject(game), self.message(game).into());
    }

    /// Where those on this node are told of a game.
    pub(crate) fn subject(&self, game: &str) -> String {
        format!("here.{}.{game}", self.0.node)
    }

    pub(crate) fn message(&self, game: &str) -> String {
        let Counts { white, black, spectators } = self.of(game);
        let (white, black) = (white > 0, black > 0);
        let left = serde_json::json!({
            "white": self.left_at(game, Color::White), "black": self.left_at(game, Color::Black),
        });
        serde_json::json!({
            "t": "presence", "game": game, "white": white, "black": black, "spectators": spectators, "left": left,
        })
        .to_string()
    }

    fn heard(&self, report: Report) {
        if report.node == self.0.node {
            return;
        }
        let (name, before) = (report.game.clone(), self.of(&report.game));
        let watched = {
            let now = self.0.clock.now();
            let mut games = self.games();
            let nodes = games.entry(report.game.clone()).or_default();
            if report.counts == Counts::default() {
                nodes.remove(&report.node);
            } else {
                nodes.insert(report.node, (report.counts, now));
            }
            let watched = nodes.contains_key(&self.0.node);
            if nodes.is_empty() {
                games.remove(&report.game);
            }
            watched
        };
        self.note(&name, before, self.0.clock.now());
        let away = report.left.unwrap_or_default();
        let here = self.of(&name);
        for (color, count) in [(Color::White, here.white), (Color::Black, here.black)] {
            if let Some(since) = away[color as usize].filter(|_| count == 0) {
                let mut left = self.left();
                let known = left.entry((name.clone(), color)).or_insert(since);
                *known = since.min(*known);
            }
        }
        if watched {
            self.tell(&name);
        }
    }

    /// Forgets nodes that have not told for long: whom they had have left.
    fn forget_nodes(&self) {
        let now = self.0.clock.now();
        let mut gone: Vec<(String, Counts, i64)> = Vec::new();
        self.games().retain(|game, nodes| {
            nodes.retain(|node, (counts, at)| {
                let stays = *node == self.0.node || now - *at < GONE;
                if !stays {
                    gone.push((game.clone(), *counts, *at));
                }
                stays
            });
            !nodes.is_empty()
        });
        for (game, before, at) in gone {
            // It was to tell again: until then it may have been there.
            self.note(&game, before, (at + REPEAT).min(now));
            self.tell(&game);
        }
    }

    /// Listens to other nodes, and tells them again what there is here; stores who has come.
    pub(crate) async fn run(self, store: Store) {
        let coming = self.0.coming.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(coming) = coming else { return };
        if self.0.bus.is_shared() {
            tokio::join!(self.keep(store, coming), self.listen());
        } else {
            self.keep(store, coming).await;
        }
    }

    async fn keep(&self, store: Store, mut coming: mpsc::UnboundedReceiver<(String, Color)>) {
        let mut came = Vec::new();
        while coming.recv_many(&mut came, BATCH).await > 0 {
            // Two nodes that store the same take it in the same order.
            came.sort_unstable();
            let batch = std::mem::take(&mut came);
            let kept = store.write(move |db| Box::pin(async move { rows::note(db, &batch).await }));
            if let Err(error) = kept.await {
                tracing::warn!(%error, "it is not stored who has come");
            }
        }
    }

    /// Asks the others whom they have.
    fn say_hello(&self) {
        let hello = Hello { hello: self.0.node.clone() };
        self.0.bus.publish(bus::PRESENCE, serde_json::to_string(&hello).unwrap_or_default().into());
    }

    async fn listen(&self) {
        let mut others = self.0.bus.subscribe(bus::PRESENCE);
        self.say_hello();
        let mut repeat_at = self.0.clock.now() + REPEAT;
        loop {
            tokio::select! {
                message = others.next() => {
                    let Ok(text) = message else {
                        // Who has come and gone meanwhile, here and there, was told to nobody.
                        self.report_all(true);
                        self.say_hello();
                        continue;
                    };
                    if let Ok(report) = serde_json::from_str(&text) {
                        self.heard(report);
                    } else if serde_json::from_str::<Hello>(&text).is_ok_and(|it| it.hello != self.0.node) {
                        self.report_all(true);
                    }
                }
                () = self.0.clock.sleep_until(repeat_at) => {
                    repeat_at = self.0.clock.now() + REPEAT;
                    self.forget_nodes();
                    self.report_all(false);
                }
            }
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.presence.change(&self.game, self.color, |count| count.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;
    use std::time::Duration;

    /// As if it had come from another node.
    fn report(presence: &Presence, node: &str, white: u32, left: Option<Left>) {
        let counts = Counts { white, ..Counts::default() };
        presence.heard(Report { node: node.into(), game: "g".into(), counts, left });
    }

    fn presence() -> (Presence, ManualClock) {
        let clock = ManualClock::new(1_000_000);
        (Presence::new(Arc::new(bus::Local::default()), Arc::new(clock.clone())), clock)
    }

    #[tokio::test]
    async fn whom_a_dead_node_had_have_left() {
        let (presence, clock) = presence();
        report(&presence, "other", 1, None);
        assert_eq!(presence.of("g").white, 1);
        clock.advance(Duration::from_secs(61));
        presence.forget_nodes();
        assert_eq!(presence.of("g").white, 0);
        assert_eq!(presence.left_at("g", Color::White), Some(1_020_000), "when it had last to tell");
        assert_eq!(presence.left_at("g", Color::Black), None);
        // One who is on another node besides has not.
        report(&presence, "a", 1, None);
        clock.advance(Duration::from_secs(30));
        report(&presence, "b", 1, None);
        clock.advance(Duration::from_secs(31));
        presence.forget_nodes();
        assert_eq!((presence.of("g").white, presence.left_at("g", Color::White)), (1, None));
    }

    #[tokio::test]
    async fn a_node_that_begins_is_told_since_when_players_are_away() {
        let (presence, _) = presence();
        presence.left().insert(("g".into(), Color::White), 1_000_000);
        report(&presence, "other", 0, Some([Some(990_000), None]));
        assert_eq!(presence.left_at("g", Color::White), Some(990_000));
        assert_eq!(presence.left_at("g", Color::Black), None);
        // Not of one who has come meanwhile: the message may have been on its way for long.
        let here = presence.enter("g", Some(Color::White));
        report(&presence, "other", 0, Some([Some(990_000), None]));
        assert_eq!(presence.left_at("g", Color::White), None);
        drop(here);
    }
}
