//! Games, kept in memory while they are played and in the store always.
//!
//! Every change is reckoned on what this node has in memory and stored on condition that nobody else has changed the game
//! meanwhile; if somebody has, it is read again and the change is reckoned anew. What is told to anybody is stored before.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as AsyncMutex, MutexGuard, Notify};
use warpchess_rules::Color;

use super::action::{Action, Done, Refusal};
use super::create::NewGame;
use super::event::{Event, What};
use super::live::{Applied, Live};
use super::players;
use super::view::GameState;
use crate::auth::Identity;
use crate::bus::{self, SharedBus, Utf8Bytes};
use crate::clock::SharedClock;
use crate::explorer::Counted;
use crate::store::games::{self, EventRow, GameRow, Status, color};
use crate::store::moves::MoveRow;
use crate::store::{Db, Store, StoreError, aborts, explorer, note};

/// How often a change is reckoned anew when others change the game meanwhile.
const ATTEMPTS: usize = 10;
/// How long a game that nobody asks for stays in memory, in milliseconds.
const IDLE: i64 = 10 * 60_000;
/// The longest gap a client is told event by event.
pub const LONGEST_GAP: i64 = 500;

/// All games. Clones are handles to the same.
#[derive(Clone)]
pub struct Games(Arc<Parts>);

struct Parts {
    store: Store,
    bus: SharedBus,
    clock: SharedClock,
    cache: Mutex<HashMap<String, Arc<Slot>>>,
    /// When the sweeper wakes up next; who sets an earlier deadline wakes it.
    sweep_at: AtomicI64,
    sweep: Notify,
    computer: Notify,
}

/// A game's place in memory. Who holds the lock is the only one on this node to change it.
#[derive(Default)]
struct Slot {
    live: AsyncMutex<Option<Live>>,
    used_at: AtomicI64,
}

/// Why a change was not stored.
enum Unstored {
    /// Somebody else has changed the game.
    Stale,
    Failed(StoreError),
}

impl From<StoreError> for Unstored {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

/// What was stored.
struct Stored {
    /// What storing it changed, as by ratings.
    row: Option<GameRow>,
    event: Event,
    rematch: Option<Live>,
}

impl Games {
    pub(crate) fn new(store: Store, bus: SharedBus, clock: SharedClock) -> Self {
        Self(Arc::new(Parts {
            store,
            bus,
            clock,
            cache: Mutex::default(),
            sweep_at: AtomicI64::new(i64::MAX),
            sweep: Notify::new(),
            computer: Notify::new(),
        }))
    }
    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }
    pub(crate) fn bus(&self) -> &SharedBus {
        &self.0.bus
    }
    pub(crate) fn clock(&self) -> &SharedClock {
        &self.0.clock
    }

    /// Does what a player asks. It is done to the end although the asker goes away meanwhile. `lag` is what the network
    /// took, in milliseconds.
    ///
    /// # Errors
    /// Why it may not be done.
    pub async fn act(&self, id: &str, who: &Identity, action: Action, lag: i64) -> Result<Done, Refusal> {
        let now = self.0.clock.now();
        let (id, who) = (id.to_owned(), who.clone());
        self.change(id, move |live| {
            let by = live.color_of(&who).ok_or(Refusal::NotAPlayer)?;
            live.act(by, &action, now, lag)
        })
        .await
    }

    /// Has the clocks run at once, as both players want it.
    ///
    /// # Errors
    /// When they are not the two players, or there are no clocks.
    pub async fn start_clocks(&self, id: &str, players: [Identity; 2]) -> Result<Done, Refusal> {
        let now = self.0.clock.now();
        self.change(id.to_owned(), move |live| match players.each_ref().map(|who| live.color_of(who)) {
            [Some(one), Some(other)] if one != other => live.start_clocks(now),
            _ => Err(Refusal::NotAPlayer),
        })
        .await
    }

    /// Plays the computer's move, if the moves before it are still those on which the computer thought: after a takeback
    /// the same ply may be another position.
    pub(crate) async fn act_for_computer(&self, id: &str, by: Color, moves: &str, uci: &str) -> Result<Done, Refusal> {
        let now = self.0.clock.now();
        let (moves, uci) = (moves.to_owned(), uci.to_owned());
        self.change(id.to_owned(), move |live| {
            if live.row.seat(by).level.is_none() {
                return Err(Refusal::NotAPlayer);
            }
            let ply = live.row.ply;
            if live.row.moves != moves {
                return Err(Refusal::Stale { ply, now: ply });
            }
            live.act(by, &Action::Move { ply, uci: uci.clone(), id: None }, now, 0)
        })
        .await
    }

    /// Ends a game whose time is over; nothing happens if it is not.
    pub(crate) async fn sweep(&self, id: &str) -> Result<Done, Refusal> {
        let now = self.0.clock.now();
        self.change(id.to_owned(), move |live| {
            if live.is_overdue(now) { Ok(live.time_over(now, None)) } else { Err(Refusal::FlagStands(0)) }
        })
        .await
    }

    async fn change<F>(&self, id: String, reckon: F) -> Result<Done, Refusal>
    where
        F: Fn(&mut Live) -> Result<Applied, Refusal> + Send + Sync + 'static,
    {
        let this = self.clone();
        let task = tokio::spawn(async move { this.change_here(&id, &reckon).await });
        let done = task.await.unwrap_or(Err(Refusal::Failed));
        // What the task has written it has written for whoever waits here.
        if done.is_ok() {
            note();
        }
        done
    }

    async fn change_here(
        &self,
        id: &str,
        reckon: &(dyn Fn(&mut Live) -> Result<Applied, Refusal> + Send + Sync),
    ) -> Result<Done, Refusal> {
        let slot = self.slot(id);
        let mut is_fresh = !self.0.bus.is_shared();
        for _ in 0..ATTEMPTS {
            let mut guard = slot.live.lock().await;
            is_fresh |= guard.is_none();
            let live = self.filled(id, &mut guard).await?;
            let seen = live.row.version;
            let applied = match reckon(live) {
                Ok(applied) => applied,
                // What this node remembers may be behind. A refusal has changed nothing.
                Err(_) if !is_fresh => {
                    self.renew(id, &mut guard).await?;
                    is_fresh = true;
                    continue;
                }
                Err(refusal) => return Err(refusal),
            };
            let Applied::Event { event, move_id, rematch, refusal } = applied else {
                let Applied::Before(done) = applied else { continue };
                return Ok(done);
            };
            let kept = match MoveRow::last(&live.row, event.to_row(move_id.clone())) {
                Some(played) => self.keep_move(played, *event).await,
                None => {
                    let counted = event.end.as_ref().and_then(|_| Counted::of(&live.row, live.game.as_ref()));
                    self.keep(live.row.clone(), seen, *event, move_id, rematch.map(|live| *live), counted).await
                }
            };
            match kept {
                Ok(stored) => {
                    if let Some(row) = stored.row {
                        live.row = row;
                    }
                    let rematch = stored.rematch.as_ref().map(|next| next.row.id.clone());
                    let done = Done { seq: live.row.version, ply: live.row.ply, duplicate: false, rematch };
                    self.tell(&live.row, &stored.event);
                    drop(guard);
                    if let Some(next) = stored.rematch {
                        self.begun(next);
                    }
                    return refusal.map_or(Ok(done), Err);
                }
                Err(Unstored::Stale) => *guard = None,
                Err(Unstored::Failed(error)) => {
                    *guard = None;
                    // Perhaps it was stored, and only the answer was lost: who watches looks into the store.
                    self.0.bus.publish(&bus::game_subject(id), Utf8Bytes::default());
                    return Err(error.into());
                }
            }
        }
        Err(Refusal::Busy)
    }

    async fn keep_move(&self, played: MoveRow, event: Event) -> Result<Stored, Unstored> {
        if self.0.store.play(played).await? {
            Ok(Stored { row: None, event, rematch: None })
        } else {
            Err(Unstored::Stale)
        }
    }

    async fn keep(
        &self,
        mut row: GameRow,
        seen: i64,
        mut event: Event,
        move_id: Option<String>,
        mut rematch: Option<Live>,
        counted: Option<Counted>,
    ) -> Result<Stored, Unstored> {
        let job = self.0.store.write(move |db| {
            Box::pin(async move {
                if !games::update(db, &row, seen).await? {
                    return Err(Unstored::Stale);
                }
                if event.end.is_some() {
                    finished(db, &mut row, &mut event, counted.as_ref()).await?;
                }
                games::insert_event(db, &event.to_row(move_id)).await?;
                if let Some(next) = &mut rematch {
                    insert(db, next).await?;
                }
                Ok(Stored { row: Some(row), event, rematch })
            })
        });
        job.await
    }

    /// Tells those who watch, and those who wait for what follows.
    fn tell(&self, row: &GameRow, event: &Event) {
        let text = event.to_json();
        self.0.bus.publish(&bus::game_subject(&row.id), text.into());
        if event.end.is_some() {
            self.tell_players(row, "game-end");
        }
        self.wake(row);
    }

    fn tell_players(&self, row: &GameRow, what: &str) {
        let text = serde_json::json!({ "t": what, "game": row.id }).to_string();
        for seat in [&row.white, &row.black] {
            if let Some(subject) = bus::player_subject(seat.user.as_deref(), seat.session.as_deref()) {
                self.0.bus.publish(&subject, text.clone().into());
            }
        }
    }

    fn wake(&self, row: &GameRow) {
        if row.deadline_at.is_some_and(|at| at < self.0.sweep_at.load(Ordering::Relaxed)) {
            self.0.sweep.notify_one();
        }
        if row.engine_due_at.is_some() {
            self.0.computer.notify_one();
        }
    }

    /// Has a new game, that is stored, played.
    pub(crate) fn begun(&self, live: Live) -> String {
        let id = live.row.id.clone();
        self.wake(&live.row);
        self.tell_players(&live.row, "game-start");
        let slot = Slot { live: AsyncMutex::new(Some(live)), used_at: AtomicI64::new(self.0.clock.now()) };
        self.cache().insert(id.clone(), Arc::new(slot));
        id
    }

    /// Begins a game.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create(&self, new: NewGame) -> Result<String, StoreError> {
        let now = self.0.clock.now();
        let live = self.0.store.write(move |db| {
            Box::pin(async move {
                let mut live = new.begin(now);
                insert(db, &mut live).await?;
                Ok::<_, StoreError>(live)
            })
        });
        Ok(self.begun(live.await?))
    }

    /// How a game stands now, as `who` sees it.
    ///
    /// # Errors
    /// When there is no such game, or the database fails.
    pub async fn state(&self, id: &str, who: Option<&Identity>) -> Result<GameState, Refusal> {
        self.with(id, |live, now| GameState::of(live, who, now)).await
    }

    /// The game as clients without rules show it; `None` when the rules of today do not allow its moves.
    ///
    /// # Errors
    /// When there is no such game, or the database fails.
    pub async fn view(&self, id: &str) -> Result<Option<warpchess_wire::view::GameView>, Refusal> {
        self.with(id, |live, _| live.game.as_ref().map(warpchess_wire::view::GameView::of)).await
    }

    /// The game's row as it is stored.
    ///
    /// # Errors
    /// When there is no such game, or the database fails.
    pub async fn row(&self, id: &str) -> Result<GameRow, Refusal> {
        self.with(id, |live, _| live.row.clone()).await
    }

    /// What happened after the event number `seen`, at most [`LONGEST_GAP`] events.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn events_after(&self, id: &str, seen: i64) -> Result<Vec<EventRow>, StoreError> {
        let mut db = self.0.store.read().await?;
        games::events_after(&mut db, id, seen, LONGEST_GAP).await
    }

    pub(crate) async fn with<T>(&self, id: &str, look: impl FnOnce(&Live, i64) -> T) -> Result<T, Refusal> {
        let slot = self.slot(id);
        let mut guard = slot.live.lock().await;
        if self.0.bus.is_shared() {
            // Other nodes may have changed it.
            self.renew(id, &mut guard).await?;
        }
        let live = self.filled(id, &mut guard).await?;
        Ok(look(live, self.0.clock.now()))
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.0.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, id: &str) -> Arc<Slot> {
        let slot = Arc::clone(self.cache().entry(id.to_owned()).or_default());
        slot.used_at.store(self.0.clock.now(), Ordering::Relaxed);
        slot
    }

    /// Brings a game that is in a slot to what the store has.
    async fn renew(&self, id: &str, guard: &mut MutexGuard<'_, Option<Live>>) -> Result<(), Refusal> {
        let Some(live) = guard.take() else { return Ok(()) };
        let mut db = self.0.store.read().await?;
        if games::version(&mut db, id).await? == Some(live.row.version) {
            **guard = Some(live);
        } else if let Some(row) = games::by_id(&mut db, id).await? {
            let ids = games::move_ids(&mut db, id, live.row.version).await?;
            **guard = Some(live.renewed(row, ids));
        }
        Ok(())
    }

    /// The game in a slot, read from the store if it is not there.
    async fn filled<'a>(&self, id: &str, guard: &'a mut MutexGuard<'_, Option<Live>>) -> Result<&'a mut Live, Refusal> {
        if guard.is_none() {
            let mut db = self.0.store.read().await?;
            let Some(row) = games::by_id(&mut db, id).await? else {
                self.cache().remove(id);
                return Err(Refusal::NoGame(id.chars().take(20).collect()));
            };
            // No more moves come to a game that is over.
            let ids = match row.status {
                Status::Started => games::move_ids(&mut db, id, 0).await?,
                Status::Aborted | Status::Ended => Vec::new(),
            };
            **guard = Some(Live::new(row, ids));
        }
        guard.as_mut().ok_or(Refusal::Failed)
    }

    /// Forgets all that is remembered of games: something about them was changed in the store, past this service. Who is
    /// at work on one finds that out when it stores what was done.
    pub(crate) fn forget_all(&self) {
        self.cache().clear();
    }

    /// Forgets games that nobody has asked for in a while.
    pub(crate) fn forget_idle(&self) {
        let now = self.0.clock.now();
        self.cache().retain(|_, slot| Arc::strong_count(slot) > 1 || now - slot.used_at.load(Ordering::Relaxed) < IDLE);
    }

    /// Waits until the sweeper has something to do: at `at`, or when an earlier deadline is set.
    pub(crate) async fn sweep_due(&self, at: i64) {
        self.0.sweep_at.store(at, Ordering::Relaxed);
        tokio::select! {
            () = self.0.clock.sleep_until(at) => {}
            () = self.0.sweep.notified() => {}
        }
    }

    /// Waits until the computer may be to move.
    pub(crate) async fn computer_due(&self, at: i64) {
        tokio::select! {
            () = self.0.clock.sleep_until(at) => {}
            () = self.0.computer.notified() => {}
        }
    }
}

/// What follows from a game's end, in the transaction that ends it.
async fn finished(
    db: &mut Db,
    row: &mut GameRow,
    event: &mut Event,
    counted: Option<&Counted>,
) -> Result<(), StoreError> {
    if row.status == Status::Aborted {
        return called_off(db, row, event).await;
    }
    explorer::count(db, &row.id, counted).await?;
    if let Some([white, black]) = players::update_after(db, row).await? {
        row.white.rating_diff = Some(white);
        row.black.rating_diff = Some(black);
        if let Some(end) = &mut event.end {
            end.rating_diffs = Some([white, black]);
        }
        games::update(db, row, row.version).await?;
    }
    Ok(())
}

/// Notes who called a game off: who asked for it, or who did not move.
async fn called_off(db: &mut Db, row: &GameRow, event: &Event) -> Result<(), StoreError> {
    let by = match (&event.what, row.reason.as_deref()) {
        (What::End { by: Some(name) }, _) => color(name),
        (_, Some("noStart")) => {
            let start = row.initial_fen.as_deref().and_then(|fen| row.variant.from_fen(fen).ok());
            let first = start.map_or(Color::White, |position| position.turn());
            Some(if row.ply % 2 == 0 { first } else { !first })
        }
        _ => None,
    };
    // Nobody waits for the computer in vain, and it waits for nobody.
    let people = row.white.level.is_none() && row.black.level.is_none();
    let Some(by) = by.filter(|_| people) else { return Ok(()) };
    let seat = row.seat(by);
    let Some(player) = bus::player_subject(seat.user.as_deref(), seat.session.as_deref()) else { return Ok(()) };
    aborts::insert(db, &row.id, &player, event.at).await
}

/// Stores a new game with its first event, the players' ratings looked up.
pub(crate) async fn insert(db: &mut Db, live: &mut Live) -> Result<(), StoreError> {
    let (variant, speed, now) = (live.row.variant.id(), live.row.speed(), live.row.created_at);
    for color in [Color::White, Color::Black] {
        let seat = live.row.seat_mut(color);
        if let Some(user) = &seat.user {
            let shown = players::current(db, user, variant, speed, now).await?;
            seat.rating = Some(shown.rating);
            seat.provisional = shown.provisional;
        }
    }
    if let Applied::Event { event, .. } = live.happened(now, What::Start) {
        games::insert(db, &live.row).await?;
        games::insert_event(db, &event.to_row(None)).await?;
    }
    Ok(())
}
