//! Many live games at once against a server, as its clients play them: a WebSocket for each player, moves at a steady
//! pace, and a watch on how long each takes to reach both. [`run`] does it and gives a [`Report`].
//!
//! A move counts from the moment when it was to be sent, also if the generator itself was late: a server that falls behind
//! cannot slow down what it is measured by. Afterwards the games are looked at: each has to hold what was acknowledged.
#![forbid(unsafe_code)]

mod histogram;
mod http;
mod node;
mod report;
mod script;
mod socket;
mod table;
mod usage;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use hyper::Method;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{Instant, sleep, timeout};
use warpchess_rules::VariantId;

pub use histogram::Histogram;
pub use node::Node;
pub use report::{Quantiles, Report, Used};
pub use usage::Usage;

use http::{Http, Who};
use script::Script;
use table::{Played, Table};

/// How many games are begun at a time.
const CREATORS: usize = 16;
/// How long all games go on before anything is measured.
const SETTLE: Duration = Duration::from_secs(3);
/// Longest game. Then the players have another.
const PLIES: usize = 300;
/// How long the games may take to come to an end when all is over.
const ENDING: Duration = Duration::from_secs(40);

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The servers. White is a client of one and Black of the next.
    pub urls: Vec<String>,
    /// Processes of the servers, to see what they use.
    pub pids: Vec<u32>,
    /// How many games at once.
    pub games: usize,
    /// From one move of a game to the next.
    pub think: Duration,
    /// How long is measured.
    pub time: Duration,
    /// Which games, in turn.
    pub variants: Vec<VariantId>,
    /// API tokens of accounts that play, in turn. Without any, everybody plays without an account.
    pub tokens: Vec<String>,
}

/// Why there is no answer, or a game did not go on.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No address.
    #[error("'{0}' is no address, expected http://HOST:PORT")]
    Url(String),
    /// There is nothing to try.
    #[error("{0}")]
    Plan(&'static str),
    /// The own server.
    #[error("the server does not start: {0}")]
    Server(String),
    /// A request.
    #[error("{path}: {why}")]
    Request {
        /// Where to.
        path: String,
        /// What was wrong.
        why: String,
    },
    /// The server did not do what was asked.
    #[error("refused: {code}: {error}")]
    Refused {
        /// Its word for it.
        code: String,
        /// Its sentence.
        error: String,
    },
    /// A connection.
    #[error("{0}")]
    Lost(String),
    /// No answer.
    #[error("no answer within {0:?}")]
    Silence(Duration),
}

impl LoadError {
    fn refused(told: &socket::Told<'_>) -> Self {
        let text = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().unwrap_or_default().to_owned();
        Self::Refused { code: text(&told.code), error: text(&told.error) }
    }
}

/// What all games write into.
struct Shared {
    measuring: Cell<bool>,
    under_way: Cell<usize>,
    to_both: RefCell<Histogram>,
    acknowledged: RefCell<Histogram>,
    late: RefCell<Histogram>,
    errors: RefCell<BTreeMap<String, u64>>,
    played: RefCell<Vec<Played>>,
}

impl Shared {
    fn failed(&self, error: &LoadError) {
        *self.errors.borrow_mut().entry(error.to_string()).or_default() += 1;
    }
}

/// Plays, measures and looks at the games. `tell` is told now and then how it is going.
///
/// # Errors
/// When it cannot begin. What goes wrong later is in the report.
pub fn run(plan: &Plan, tell: impl Fn(&str)) -> Result<Report, LoadError> {
    let authorities = plan.urls.iter().map(|url| http::authority(url)).collect::<Result<Vec<_>, _>>()?;
    if authorities.is_empty() || plan.games == 0 || plan.variants.is_empty() {
        return Err(LoadError::Plan("a test needs a server, a game and a variant"));
    }
    if plan.tokens.len() == 1 {
        return Err(LoadError::Plan("one token is too few: nobody plays against oneself"));
    }
    more_files();
    // One thread: half of two processors is enough for the generator, and the server is not disturbed more than it has to.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| LoadError::Server(error.to_string()))?;
    // For as long as the program runs: games refer to them.
    let scripts: &'static [Script] = script::scripts(&plan.variants, PLIES).leak();
    LocalSet::new().block_on(&runtime, measure(plan, authorities, scripts, &tell))
}

/// Each connection takes a file, of which a program may have 1,024 where nobody asked for more.
fn more_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

async fn measure(
    plan: &Plan,
    authorities: Vec<String>,
    scripts: &'static [Script],
    tell: &impl Fn(&str),
) -> Result<Report, LoadError> {
    let shared = Rc::new(Shared {
        measuring: Cell::new(false),
        under_way: Cell::new(0),
        to_both: RefCell::default(),
        acknowledged: RefCell::default(),
        late: RefCell::default(),
        errors: RefCell::default(),
        played: RefCell::default(),
    });
    let stop = watch::Sender::new(false);
    let began = Instant::now();
    let mut tables = begin_all(plan, &authorities, scripts, &shared, &stop, tell).await;
    let ramp_up = began.elapsed();
    sleep(SETTLE).await;

    tell(&format!("{} games are under way; measuring for {:?}", shared.under_way.get(), plan.time));
    let processes =
        || -> Vec<Option<Usage>> { plan.pids.iter().map(|&pid| Usage::of(pid)).chain([Usage::own()]).collect() };
    let (before, from) = (processes(), Instant::now());
    shared.measuring.set(true);
    sleep(plan.time).await;
    shared.measuring.set(false);
    let (took, after) = (from.elapsed(), processes());

    stop.send_replace(true);
    let ended = timeout(ENDING, async { while tables.join_next().await.is_some() {} }).await;
    if ended.is_err() {
        shared.failed(&LoadError::Silence(ENDING));
        tables.shutdown().await;
    }
    tell("looking at the games");
    let played = shared.played.take();
    let (verified, wrong) = verify(&authorities, &played).await;

    let moves = shared.to_both.borrow().count();
    let names = plan.urls.iter().map(|url| format!("server {url}")).chain(["generator".into()]);
    let used = names.zip(before.into_iter().zip(after));
    let used = used.filter_map(|(name, (before, after))| Some(Used::between(name, before?, after?, moves, took)));
    let report = Report {
        games: plan.games,
        variants: plan.variants.iter().map(|variant| variant.id().to_owned()).collect(),
        think: plan.think.as_secs_f64(),
        seconds: took.as_secs_f64(),
        ramp_up: ramp_up.as_secs_f64(),
        moves,
        moves_per_second: moves as f64 / took.as_secs_f64().max(1e-9),
        to_both: Quantiles::from(&*shared.to_both.borrow()),
        to_acknowledgement: Quantiles::from(&*shared.acknowledged.borrow()),
        generator_late: Quantiles::from(&*shared.late.borrow()),
        errors: shared.errors.borrow().clone(),
        verified,
        wrong,
        used: used.collect(),
    };
    Ok(report)
}

/// Begins all games, a few at a time; each is played as soon as it has begun.
async fn begin_all(
    plan: &Plan,
    authorities: &[String],
    scripts: &'static [Script],
    shared: &Rc<Shared>,
    stop: &watch::Sender<bool>,
    tell: &impl Fn(&str),
) -> JoinSet<()> {
    let mut tables = JoinSet::new();
    let next = Cell::new(0);
    let (begun, mut ready) = tokio::sync::mpsc::unbounded_channel();
    let creators = (0..CREATORS.min(plan.games)).map(|_| {
        let (begun, next) = (begun.clone(), &next);
        async move {
            let mut connections: Vec<Http> = authorities.iter().map(|place| Http::new(place.clone())).collect();
            loop {
                let number = next.get();
                if number >= plan.games {
                    return;
                }
                next.set(number + 1);
                match begin(plan, authorities, &mut connections, &scripts[number % scripts.len()], number).await {
                    Ok(table) => {
                        let _ = begun.send((number, table));
                    }
                    Err(error) => shared.failed(&error),
                }
            }
        }
    });
    let mut creating = std::pin::pin!(futures_util::future::join_all(creators));
    let mut told_at = Instant::now();
    loop {
        tokio::select! {
            Some((number, table)) = ready.recv() => {
                tables.spawn_local(play(table, number, plan.think, Rc::clone(shared), stop.subscribe()));
                if told_at.elapsed() > Duration::from_secs(2) {
                    told_at = Instant::now();
                    tell(&format!("{} games begun", number + 1));
                }
            }
            _ = &mut creating => break,
        }
    }
    while let Ok((number, table)) = ready.try_recv() {
        tables.spawn_local(play(table, number, plan.think, Rc::clone(shared), stop.subscribe()));
    }
    tables
}

async fn begin(
    plan: &Plan,
    authorities: &[String],
    connections: &mut [Http],
    script: &'static Script,
    number: usize,
) -> Result<Table<'static>, LoadError> {
    let player = |seat: usize| match plan.tokens.len() {
        0 => Who::Nobody,
        tokens => Who::Token(plan.tokens[(2 * number + seat) % tokens].clone()),
    };
    let (first, second) = (number % authorities.len(), (number + 1) % authorities.len());
    let mut other = Http::new(authorities[second].clone());
    std::mem::swap(&mut other, &mut connections[second]);
    // With one server both ask by the same connection, one after the other.
    let mut one = if first == second { Http::new(authorities[first].clone()) } else { Http::new(String::new()) };
    if first != second {
        std::mem::swap(&mut one, &mut connections[first]);
    }
    let begun =
        Table::begin(script, (&mut one, &authorities[first], player(0)), (&mut other, &authorities[second], player(1)))
            .await;
    if first != second {
        connections[first] = one;
    }
    connections[second] = other;
    begun
}

/// Plays until it is over, or until something goes wrong.
async fn play(
    mut table: Table<'static>,
    number: usize,
    think: Duration,
    shared: Rc<Shared>,
    mut stop: watch::Receiver<bool>,
) {
    shared.under_way.set(shared.under_way.get() + 1);
    // Spread over the time, as if by chance.
    let mut due = Instant::now() + think.mul_f64((number as f64 * 0.618_034).fract());
    let over = loop {
        tokio::select! {
            thought = table.think(due) => if let Err(error) = thought { break Err(error) },
            _ = stop.wait_for(|stop| *stop) => break Ok(()),
        }
        if table.is_through() {
            shared.played.borrow_mut().push(table.played());
            if let Err(error) = table.again().await {
                break Err(error);
            }
            due = Instant::now() + think;
            continue;
        }
        match table.turn(due).await {
            Ok(moved) if shared.measuring.get() => {
                shared.to_both.borrow_mut().record(moved.with_both);
                shared.acknowledged.borrow_mut().record(moved.acknowledged);
                shared.late.borrow_mut().record(moved.sent);
            }
            Ok(_) => {}
            Err(error) => break Err(error),
        }
        due = (due + think).max(Instant::now());
    };
    shared.under_way.set(shared.under_way.get() - 1);
    if let Err(error) = over {
        shared.failed(&error);
    }
    shared.played.borrow_mut().push(table.played());
}

/// Whether games hold what was acknowledged, and nothing else: how many do, and what is wrong with the others. Of a game that
/// stopped with a move unanswered, one more move may be there.
async fn verify(authorities: &[String], played: &[Played]) -> (usize, Vec<String>) {
    let (mut right, mut wrong) = (0, Vec::new());
    let mut connections: Vec<Http> = authorities.iter().map(|place| Http::new(place.clone())).collect();
    let count = connections.len();
    for (number, Played { game, moves }) in played.iter().enumerate() {
        let asked =
            connections[number % count].ask(Method::GET, &format!("/api/games/{game}"), &mut Who::Nobody, None).await;
        let stored = match &asked {
            Ok(state) => state["moves"].as_array().cloned().unwrap_or_default(),
            Err(error) => {
                wrong.push(format!("{game}: {error}"));
                continue;
            }
        };
        let stored: Vec<&str> = stored.iter().filter_map(Value::as_str).collect();
        let same =
            stored.len() <= moves.len() + 1 && stored.iter().zip(moves).filter(|(a, b)| *a == b).count() == moves.len();
        if same {
            right += 1;
        } else {
            wrong.push(format!("{game}: {} moves acknowledged, {} stored", moves.len(), stored.len()));
        }
    }
    (right, wrong)
}
