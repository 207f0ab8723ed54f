//! Workers: each takes one job on at a time, and has a thread of low priority search, so that games are not disturbed.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use warpchess_engine::{AnyEngine, Limits, Options, Score, Signals, SystemClock, engine_for};
use warpchess_rules::{Color, Game};

use super::{ATTEMPTS, Jobs, LEASE};
use crate::store::analysis::{self, Eval, JobRow, PlyRow, State};
use crate::store::{StoreError, games};

/// How often the database is looked into for jobs that the queue has not told of.
const LOOK: Duration = Duration::from_secs(1);
/// How often what was found is written: others see it, and the lease is renewed.
const WRITE: Duration = Duration::from_millis(500);
/// After how long of failing to write a worker gives up, and leaves the job to others.
const PATIENCE: u32 = 20;
/// The longest a position is searched.
const LONGEST_SEARCH: Duration = Duration::from_secs(20);
/// Memory of a search, in mebibytes.
const HASH: usize = 16;
/// How many moves of a line are kept.
const LINE: usize = 10;

/// What analyses are said to be made by.
const ENGINE: &str = concat!("Warpchess ", env!("CARGO_PKG_VERSION"));

/// Does what waits, as long as it is polled, with so many workers.
pub async fn work(jobs: Jobs, workers: usize) {
    let all = (0..workers).map(|number| run(jobs.clone(), number));
    futures_util::future::join_all(all).await;
}

/// One worker.
pub(crate) async fn run(jobs: Jobs, number: usize) {
    let name = jobs.worker(number);
    loop {
        match claim(&jobs, &name).await {
            Ok(Some(job)) => analyse(&jobs, &name, &job).await,
            Ok(None) => {
                tokio::select! {
                    delivery = jobs.0.queue.next() => delivery.taken().await,
                    () = tokio::time::sleep(LOOK) => {}
                }
            }
            Err(error) => {
                tracing::warn!(%error, "a worker cannot read jobs");
                tokio::time::sleep(LOOK).await;
            }
        }
    }
}

/// Takes a job on, if one waits.
async fn claim(jobs: &Jobs, worker: &str) -> Result<Option<JobRow>, StoreError> {
    let now = jobs.0.clock.now();
    let waiting = analysis::waiting(&mut *jobs.0.store.read().await?, now, 8).await?;
    for job in waiting {
        if job.attempts >= ATTEMPTS {
            give_up(jobs, job, now).await?;
            continue;
        }
        let claimed = JobRow { attempts: job.attempts + 1, ..job.clone() };
        let worker = worker.to_owned();
        let claim = jobs
            .0
            .store
            .write(move |db| Box::pin(async move { analysis::claim(db, &job, &worker, now, now + LEASE).await }));
        if claim.await? {
            return Ok(Some(claimed));
        }
    }
    Ok(None)
}

/// A game at which every worker has died is no game for workers.
async fn give_up(jobs: &Jobs, job: JobRow, now: i64) -> Result<(), StoreError> {
    let (game, done, total) = (job.game.clone(), job.done, job.total);
    let error = format!("given up: {ATTEMPTS} workers stopped while they were at it");
    tracing::error!(game, "an analysis was given up");
    let given_up =
        jobs.0.store.write(move |db| Box::pin(async move { analysis::give_up(db, &job, &error, now).await }));
    if given_up.await? {
        jobs.tell(&game, State::Failed, done, total);
    }
    Ok(())
}

/// A job that a worker has.
struct Held<'a> {
    jobs: &'a Jobs,
    worker: &'a str,
    job: &'a JobRow,
}

/// Why a worker stops in the middle.
enum Stopped {
    /// Somebody else has the job.
    Lost,
    Failed(StoreError),
}

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

async fn analyse(jobs: &Jobs, worker: &str, job: &JobRow) {
    let held = Held { jobs, worker, job };
    match held.analyse().await {
        Ok(()) => {}
        Err(Stopped::Lost) => tracing::info!(game = job.game, "somebody else goes on with an analysis"),
        Err(Stopped::Failed(error)) => tracing::warn!(game = job.game, %error, "an analysis was left"),
    }
}

impl Held<'_> {
    async fn analyse(&self) -> Result<(), Stopped> {
        let id = &self.job.game;
        let (row, known) = {
            let mut db = self.jobs.0.store.read().await?;
            (games::by_id(&mut db, id).await?, analysis::plies(&mut db, id).await?)
        };
        let Some(game) = row.as_ref().and_then(|row| row.replay(usize::MAX)) else {
            return self.finish(Some("the rules of today do not allow the game's moves")).await;
        };
        let fen = row.and_then(|row| row.initial_fen);
        let missing: Vec<usize> =
            (0..=game.len()).rev().filter(|&ply| known.iter().all(|known| known.ply != ply as i64)).collect();
        self.jobs.tell(id, State::Running, known.len() as i64, self.job.total);

        let (sender, mut found) = mpsc::channel(64);
        let nodes = u64::try_from(self.job.nodes).unwrap_or(super::NODES);
        let search = Search { game, fen, missing, nodes };
        let _stop = search.start(sender);
        let mut unwritten: Vec<PlyRow> = Vec::new();
        let (mut open, mut failures) = (true, 0);
        while open {
            let until = tokio::time::Instant::now() + WRITE;
            loop {
                tokio::select! {
                    ply = found.recv() => match ply {
                        Some(ply) => unwritten.push(ply),
                        None => { open = false; break }
                    },
                    () = tokio::time::sleep_until(until) => break,
                }
            }
            match self.write(&unwritten, LEASE).await {
                Ok(()) => {
                    unwritten.clear();
                    failures = 0;
                }
                Err(Stopped::Failed(error)) if failures < PATIENCE => {
                    // The database may come back. What was found is kept meanwhile.
                    tracing::warn!(game = id, %error, "what was found is not written yet");
                    failures += 1;
                    open = true;
                    tokio::time::sleep(WRITE).await;
                }
                Err(stopped) => return Err(stopped),
            }
        }
        let done = analysis::plies(&mut *self.jobs.0.store.read().await?, id).await?.len() as i64;
        if done < self.job.total {
            // The thread has died: the job is free at once, for another attempt.
            tracing::error!(game = id, done, "a search stopped before its end");
            return self.write(&[], 0).await;
        }
        self.finish(None).await
    }

    /// Keeps what was found, and the job for `lease` more milliseconds.
    async fn write(&self, found: &[PlyRow], lease: i64) -> Result<(), Stopped> {
        let (id, worker, attempt) = (self.job.game.clone(), self.worker.to_owned(), self.job.attempts);
        let until = self.jobs.0.clock.now() + lease;
        let anything = !found.is_empty();
        let found = found.to_vec();
        let written = self.jobs.0.store.write(move |db| {
            Box::pin(async move { analysis::progress(db, &id, (&worker, attempt), &found, until).await })
        });
        let done = written.await?.ok_or(Stopped::Lost)?;
        if anything {
            self.jobs.tell(&self.job.game, State::Running, done, self.job.total);
        }
        Ok(())
    }

    async fn finish(&self, error: Option<&'static str>) -> Result<(), Stopped> {
        let (id, worker, attempt) = (self.job.game.clone(), self.worker.to_owned(), self.job.attempts);
        let at = self.jobs.0.clock.now();
        let finished = self.jobs.0.store.write(move |db| {
            Box::pin(async move { analysis::finish(db, &id, (&worker, attempt), ENGINE, error, at).await })
        });
        if !finished.await? {
            return Err(Stopped::Lost);
        }
        let state = if error.is_some() { State::Failed } else { State::Done };
        self.jobs.tell(&self.job.game, state, self.job.total, self.job.total);
        Ok(())
    }
}

/// What a thread is to find out.
struct Search {
    game: Game,
    fen: Option<String>,
    /// Plies, the last first: what was found behind a position helps before it.
    missing: Vec<usize>,
    nodes: u64,
}

/// Ends a search when it is dropped.
struct Stop(Arc<Signals>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Search {
    /// Begins it in a thread of its own; what is found is sent.
    fn start(self, sender: mpsc::Sender<PlyRow>) -> Stop {
        let signals = Arc::new(Signals::new());
        let stop = Stop(Arc::clone(&signals));
        let thread = std::thread::Builder::new().name("analysis".into()).spawn(move || {
            step_back();
            self.run(&signals, &sender);
        });
        if let Err(error) = thread {
            // The sender is gone with it: that is seen as a search that stopped.
            tracing::error!(%error, "no thread for an analysis");
        }
        stop
    }

    fn run(&self, signals: &Signals, sender: &mpsc::Sender<PlyRow>) {
        let mut engine = engine_for(self.game.variant(), &Options { hash: HASH, ..Options::default() });
        let moves: Vec<String> = self.game.moves().map(|m| m.to_string()).collect();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        for &ply in &self.missing {
            let Some(found) = self.position(&mut *engine, &moves, ply, signals) else { return };
            if signals.stopped() || sender.blocking_send(found).is_err() {
                return;
            }
        }
    }

    fn position(&self, engine: &mut dyn AnyEngine, moves: &[&str], ply: usize, signals: &Signals) -> Option<PlyRow> {
        let position = self.game.position_at(ply)?;
        let row = |eval, line| Some(PlyRow { ply: ply as i64, eval, line });
        if let Some(outcome) = position.outcome() {
            let eval = if outcome.winner.is_some() { Eval::Mate(0) } else { Eval::Cp(0) };
            return row(eval, Vec::new());
        }
        engine.set_game(self.fen.as_deref(), moves.get(..ply)?).ok()?;
        let limits = Limits { nodes: Some(self.nodes), movetime: Some(LONGEST_SEARCH), ..Limits::default() };
        let found = engine.search(&limits, &SystemClock::start(), signals, &mut |_| ());
        let sign = if position.turn() == Color::White { 1 } else { -1 };
        let eval = match found.score {
            Score::Cp(cp) => Eval::Cp(i64::from(cp) * sign),
            Score::Mate(mate) => Eval::Mate(i64::from(mate) * sign),
        };
        let line = if found.pv.is_empty() { found.best.into_iter().collect() } else { found.pv };
        row(eval, line.iter().take(LINE).map(ToString::to_string).collect())
    }
}

/// Lets all other threads go first.
fn step_back() {
    // On Linux it is the thread's alone; elsewhere it would be the whole server's.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 19) {
        tracing::debug!(%error, "an analysis has ordinary priority");
    }
}
