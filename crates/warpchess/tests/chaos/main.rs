//! Games of many players while servers are killed, their database and bus crash, connections break and messages come twice,
//! late and out of order. Afterwards every acknowledged move is in the archive exactly once, every game replays legally,
//! clocks add up, and no client ends in a state that is not the server's.
//!
//! The short form is a test like any other; `make chaos` runs the long one. `CHAOS_SECONDS` says how long, `CHAOS_SEED`
//! repeats the choices (not the order of events, which the system decides).

mod chance;
mod check;
mod flags;
#[path = "../../../server/tests/it/common/nats.rs"]
mod nats;
mod player;
#[path = "../../../server/tests/it/common/postgres.rs"]
#[allow(dead_code)]
mod postgres;
mod proxy;
#[path = "../../../server/tests/it/common/service.rs"]
mod service;
mod world;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tokio::task::JoinSet;
use tokio::time::sleep;
use warpchess_rules::{Color, VariantId};

use chance::Chance;
use nats::Nats;
use player::Player;
use postgres::Postgres;
use world::{Node, World};

/// How long, where nobody says.
const SECONDS: u64 = 15;
/// Pairs of players.
const PAIRS: usize = 8;
/// From one disaster to the next, in milliseconds, besides what it takes itself.
const PAUSE: u64 = 1500;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

/// Two players, and one game after another.
async fn pair(world: Arc<World>, number: usize, cookies: (String, String), mut chance: Chance) -> [Player; 2] {
    let variants: Vec<VariantId> = VariantId::all().collect();
    let variant = variants[number % variants.len()];
    let mut white = Player::new(&world, cookies.0.clone(), Color::White, variant, chance.split());
    let mut black = Player::new(&world, cookies.1.clone(), Color::Black, variant, chance.split());
    while !world.stopping() {
        match world.begin(variant.id(), &cookies.0, &cookies.1, &mut chance).await {
            Some(game) => {
                tokio::join!(white.play(&game), black.play(&game));
            }
            None => sleep(Duration::from_millis(100)).await,
        }
    }
    [white, black]
}

/// What can go wrong besides the network.
struct Ground {
    postgres: Option<Postgres>,
    nats: Option<Nats>,
}

impl Ground {
    /// One disaster after another until the time is over: how many there were.
    async fn disasters(&mut self, world: &World, seconds: u64, mut chance: Chance) -> usize {
        let until = Instant::now() + Duration::from_secs(seconds);
        let mut count = 0;
        while Instant::now() < until {
            sleep(Duration::from_millis(PAUSE / 2 + chance.below(PAUSE))).await;
            let kinds = 2 + usize::from(self.postgres.is_some()) + usize::from(self.nats.is_some());
            // All kinds in turn, so that a short test has each.
            match count % kinds {
                0 => {
                    if let Some(node) = chance.pick(&world.nodes) {
                        node.restart().await;
                    }
                }
                1 => world.nodes.iter().for_each(|node| node.proxy.cut()),
                2 => {
                    let postgres = self.postgres.as_mut().unwrap();
                    tokio::task::block_in_place(|| {
                        postgres.stop();
                        postgres.resume();
                    });
                }
                _ => {
                    let nats = self.nats.as_mut().unwrap();
                    let gone = Duration::from_millis(chance.below(1500));
                    tokio::task::block_in_place(|| nats.stop());
                    sleep(gone).await;
                    tokio::task::block_in_place(|| nats.resume());
                }
            }
            count += 1;
        }
        count
    }
}

/// Says again what was said on the bus, now and then and much too late.
async fn echo(bus: String, mut chance: Chance) {
    let (server, prefix) = bus.rsplit_once('/').unwrap();
    let Ok(client) = async_nats::ConnectOptions::new().no_echo().connect(server).await else { return };
    let Ok(mut all) = client.subscribe(format!("{prefix}.>")).await else { return };
    while let Some(message) = all.next().await {
        if chance.once_in(4) {
            let (client, late) = (client.clone(), Duration::from_millis(chance.below(400)));
            tokio::spawn(async move {
                sleep(late).await;
                let _ = client.publish(message.subject, message.payload).await;
            });
        }
    }
}

async fn run(nodes: Vec<Node>, mut ground: Ground, mut chance: Chance) {
    let seconds = setting("CHAOS_SECONDS", SECONDS);
    let world = Arc::new(World::new(nodes));
    let mut pairs = JoinSet::new();
    for number in 0..PAIRS {
        let cookies = (world.nodes[0].visitor().await, world.nodes[0].visitor().await);
        pairs.spawn(pair(Arc::clone(&world), number, cookies, chance.split()));
    }
    let disasters = ground.disasters(&world, seconds, chance.split()).await;
    world.stop();
    let mut players = pairs.join_all().await;
    // All have their answers, and what is still on its way arrives: from then on nothing changes.
    sleep(Duration::from_secs(1)).await;
    let compared = players.iter_mut().flatten().map(Player::compare);
    futures_util::future::join_all(compared).await;
    let moves = check::check(&world).await;

    let counts: Vec<_> = world.nodes.iter().map(|node| &node.proxy.counts).collect();
    let sum = |count: fn(&proxy::Counts) -> u64| -> u64 { counts.iter().map(|counts| count(counts)).sum() };
    let (acks, games) = (world.acks.lock().unwrap().len(), world.games.lock().unwrap().len());
    println!(
        "{disasters} disasters in {seconds} s; {games} games, {moves} moves stored, {acks} acknowledged, {} of them to a move \
         sent again; {} connections, {} broken under way; {} messages late, {} twice",
        world.repeated.load(Ordering::Relaxed),
        world.reconnects.load(Ordering::Relaxed),
        sum(|counts| counts.breaks.load(Ordering::Relaxed)),
        sum(|counts| counts.late.load(Ordering::Relaxed)),
        sum(|counts| counts.twice.load(Ordering::Relaxed)),
    );
    let wrong = world.wrong.lock().unwrap();
    assert!(wrong.is_empty(), "{} things are wrong:\n{}", wrong.len(), wrong.join("\n"));
    // Otherwise nothing was shown.
    assert!(acks >= 100 && acks <= moves, "{acks} of {moves} moves were acknowledged");
    assert!(disasters >= 3, "{disasters} disasters");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_on_sqlite_keeps_what_it_has_acknowledged() {
    let mut chance = Chance::new(setting("CHAOS_SEED", 1));
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("chaos.db").display());
    let node = Node::start(&database, "local", chance.split()).await;
    run(vec![node], Ground { postgres: None, nats: None }, chance).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_on_postgresql_and_nats_keep_what_they_have_acknowledged() {
    let mut chance = Chance::new(setting("CHAOS_SEED", 2));
    let (Some(postgres), Some(nats)) = (tokio::task::block_in_place(Postgres::start), Nats::start()) else { return };
    let (database, bus) = (postgres.database().await, nats.bus());
    let mut nodes = Vec::new();
    for _ in 0..2 {
        nodes.push(Node::start(&database, &bus, chance.split()).await);
    }
    let echo = tokio::spawn(echo(bus, chance.split()));
    run(nodes, Ground { postgres: Some(postgres), nats: Some(nats) }, chance).await;
    echo.abort();
}
