//! Who is there: which players are connected to a game, and how many watch. Each node tells how many it has; a node that
//! has not told for a while counts as gone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use warpchess_rules::Color;

use crate::bus::{self, SharedBus};
use crate::clock::SharedClock;
use crate::ids;

/// How often a node tells again what it has, in milliseconds.
const REPEAT: i64 = 20_000;
/// After how long without word a node counts as gone, in milliseconds.
const GONE: i64 = 60_000;

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

/// What a node tells.
#[derive(Debug, Serialize, Deserialize)]
struct Report {
    node: String,
    game: String,
    #[serde(flatten)]
    counts: Counts,
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
}

/// Somebody is there until this is dropped.
pub struct Guard {
    presence: Presence,
    game: String,
    color: Option<Color>,
}

impl Presence {
    pub(crate) fn new(bus: SharedBus, clock: SharedClock) -> Self {
        Self(Arc::new(Parts { bus, clock, node: ids::random(12), games: Mutex::default(), left: Mutex::default() }))
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
        self.note(game, before);
        self.report(game, counts);
        self.tell(game);
    }

    /// Since when a player is away who was there before; `None` for one who is there, or never was.
    pub fn left_at(&self, game: &str, color: Color) -> Option<i64> {
        let left = self.0.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.get(&(game.to_owned(), color)).copied()
    }

    /// Notes who has left or come back, going by how many there were `before`.
    fn note(&self, game: &str, before: Counts) {
        let (after, now) = (self.of(game), self.0.clock.now());
        let mut left = self.0.left.lock().unwrap_or_else(PoisonError::into_inner);
        for (color, before, after) in
            [(Color::White, before.white, after.white), (Color::Black, before.black, after.black)]
        {
            let key = (game.to_owned(), color);
            if after > 0 {
                left.remove(&key);
            } else if before > 0 {
                left.insert(key, now);
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

    fn report(&self, game: &str, counts: Counts) {
        if self.0.bus.is_shared() {
            let report = Report { node: self.0.node.clone(), game: game.to_owned(), counts };
            self.0.bus.publish(bus::PRESENCE, serde_json::to_string(&report).unwrap_or_default().into());
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
        self.note(&name, before);
        if watched {
            self.tell(&name);
        }
    }

    /// Listens to other nodes, and tells them again what there is here.
    pub(crate) async fn run(self) {
        if !self.0.bus.is_shared() {
            return;
        }
        let mut others = self.0.bus.subscribe(bus::PRESENCE);
        let mut repeat_at = self.0.clock.now() + REPEAT;
        loop {
            tokio::select! {
                message = others.next() => {
                    if let Some(report) = message.ok().and_then(|text| serde_json::from_str(&text).ok()) {
                        self.heard(report);
                    }
                }
                () = self.0.clock.sleep_until(repeat_at) => {
                    let now = self.0.clock.now();
                    repeat_at = now + REPEAT;
                    let own: Vec<(String, Counts)> = {
                        let mut games = self.games();
                        games.retain(|_, nodes| {
                            nodes.retain(|node, (_, at)| *node == self.0.node || now - *at < GONE);
                            !nodes.is_empty()
                        });
                        let own = games.iter().filter_map(|(game, nodes)| Some((game, nodes.get(&self.0.node)?)));
                        own.map(|(game, (counts, _))| (game.clone(), *counts)).collect()
                    };
                    for (game, counts) in own {
                        self.report(&game, counts);
                    }
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
