//! How fast the explorer and the archive answer when there are many games: what docs/benchmarks.md tells. Takes minutes, so
//! it is run by its name alone:
//!
//! ```sh
//! cargo nextest run --workspace --run-ignored only --no-capture -E 'test(/^speed::/)'
//! ```

use std::time::{Duration, Instant};

use warpchess_rules::{Color, Game, VariantId};
use warpchess_server::App;
use warpchess_server::explorer::Counted;
use warpchess_server::games::{Control, Given, RULES_VERSION};
use warpchess_server::names::Name;
use warpchess_server::store::games::{GameRow, Seat, Status};
use warpchess_server::store::{Store, StoreError, accounts, explorer, games};

use crate::archive::app_at;
use crate::common::Database;
use crate::common::client::Client;
use crate::common::table::START;

/// How many games, unless `SPEED_GAMES` says another number.
const GAMES: usize = 25_000;
const PLAYERS: usize = 300;
/// How many plies each is long.
const PLIES: usize = 50;
/// How many times each kind of question is asked.
const ASKED: usize = 500;
/// What no answer is to take longer than, but for one in a hundred. Far more than it takes, since the machine may be slow.
const BAR: Duration = Duration::from_millis(500);

/// Numbers by chance, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
    /// Small numbers far more often: some openings, and some players, are much liked.
    fn mostly_low(&mut self, bound: usize) -> usize {
        let (a, b, c) = (self.below(bound), self.below(bound), self.below(bound));
        a.min(b).min(c)
    }
}

fn game(number: usize, chance: &mut Chance) -> (GameRow, Option<Counted>) {
    // Most games are of one kind; the other kinds share the rest.
    let all: Vec<VariantId> = VariantId::all().collect();
    let variant = if number.is_multiple_of(3) { all[number / 3 % all.len()] } else { VariantId::default() };
    let mut game = Game::new(variant);
    for ply in 0..PLIES {
        let mut moves = game.position().legal_moves();
        moves.sort_by_key(ToString::to_string);
        if moves.is_empty() || game.outcome().is_some() {
            break;
        }
        let chosen = if ply < 12 { chance.mostly_low(moves.len().min(8)) } else { chance.below(moves.len()) };
        let uci = moves[chosen].to_string();
        game.play_uci(&uci).unwrap();
    }
    let moves: Vec<String> = game.moves().map(|m| m.to_string()).collect();
    let white = chance.mostly_low(PLAYERS);
    let black = (white + 1 + chance.below(PLAYERS - 1)) % PLAYERS;
    let seat = |player: usize| Seat {
        user: Some(format!("player{player}")),
        name: format!("Player{player}"),
        rating: Some(1200 + player as i64 * 3),
        ms: Some(60_000),
        ..Seat::default()
    };
    let winner = [None, Some(Color::White), Some(Color::Black)][chance.below(3)];
    let at = START + number as i64 * 60_000;
    let row = GameRow {
        id: format!("{number:08}"),
        variant,
        rules_version: RULES_VERSION,
        initial_fen: None,
        ply: moves.len() as i64,
        clocks: vec![60_000; moves.len()],
        moves: moves.join(" "),
        version: moves.len() as i64 + 2,
        status: Status::Ended,
        winner,
        reason: Some(if winner.is_some() { "resignation" } else { "agreement" }.into()),
        rated: number.is_multiple_of(2),
        control: Control::Live { limit: [60_000, 300_000, 900_000][number % 3], increment: 0 },
        white: seat(white),
        black: seat(black),
        given: Given::default(),
        clocks_started: false,
        turn_started_at: None,
        deadline_at: None,
        engine_due_at: None,
        draw_offer: None,
        takeback_offer: None,
        rematch_offer: None,
        rematch_id: None,
        rematch_of: None,
        created_at: at,
        last_move_at: Some(at + 30_000),
        ended_at: Some(at + 30_000),
        imported: false,
    };
    let counted = Counted::of(&row, Some(&game));
    (row, counted)
}

/// Plays games by chance and keeps them: their moves, by kind of game.
async fn fill(store: &Store, count: usize) -> Vec<(VariantId, Vec<String>)> {
    for player in 0..PLAYERS {
        let name = Name::parse(&format!("Player{player}")).unwrap();
        let job = store.write(move |db| Box::pin(async move { accounts::insert(db, &name, "none", false, 0).await }));
        let _: bool = job.await.map_err(|error: StoreError| error.to_string()).unwrap();
    }
    let mut chance = Chance(1);
    let mut played = Vec::with_capacity(count);
    for first in (0..count).step_by(250) {
        let all: Vec<_> = (first..count.min(first + 250)).map(|number| game(number, &mut chance)).collect();
        played.extend(all.iter().map(|(row, _)| (row.variant, row.moves().map(str::to_owned).collect())));
        let job = store.write(move |db| {
            Box::pin(async move {
                let mut counted = Vec::new();
                for (row, it) in all {
                    games::insert(db, &row).await?;
                    games::update(db, &row, row.version).await?;
                    counted.push((row.id.clone(), it));
                }
                explorer::count_all(db, &counted).await
            })
        });
        job.await.unwrap();
    }
    played
}

async fn measure(app: &App, name: &str, what: &str, mut path: impl FnMut() -> String) {
    let mut client = Client::new(app);
    let mut times = Vec::with_capacity(ASKED);
    let mut length = 0;
    for _ in 0..ASKED {
        let path = path();
        let began = Instant::now();
        let reply = client.get(&path).await;
        times.push(began.elapsed());
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        length += reply.text.len();
    }
    times.sort_unstable();
    let (ms, at) = (|time: Duration| time.as_secs_f64() * 1e3, |share: usize| times[ASKED * share / 100]);
    let mean = times.iter().sum::<Duration>() / ASKED as u32;
    println!(
        "| {name} | {what} | {:.1} | {:.1} | {:.1} | {} |",
        ms(mean),
        ms(at(50)),
        ms(at(99)),
        length / ASKED / 1024
    );
    assert!(at(99) < BAR, "{what} takes {:?} on {name}", at(99));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes"]
async fn the_explorer_and_the_archive_answer_soon_when_there_are_many_games() {
    let count = std::env::var("SPEED_GAMES").ok().map_or(GAMES, |number| number.parse().unwrap());
    for database in Database::all().await {
        let app = app_at(&database).await;
        let began = Instant::now();
        let played = fill(app.store(), count).await;
        println!("{}: {count} games kept and counted in {:.0?}", database.name, began.elapsed());
        println!("| database | question | mean ms | p50 | p99 | KiB |\n| --- | --- | ---: | ---: | ---: | ---: |");
        let mut chance = Chance(2);
        let mut some = |most: usize| {
            let (variant, moves) = &played[chance.below(played.len())];
            let plies = chance.below(most + 1).min(moves.len());
            (variant.id(), moves[..plies].join(","))
        };
        let name = database.name;
        measure(&app, name, "explorer: the beginning", || "/api/explorer/chess".into()).await;
        measure(&app, name, "explorer: positions after up to 16 plies", || {
            let (variant, line) = some(16);
            format!("/api/explorer/{variant}?play={line}")
        })
        .await;
        measure(&app, name, "archive: the last games", || "/api/archive".into()).await;
        measure(&app, name, "archive: a game's beginning, up to 10 plies", || {
            let (variant, line) = some(10);
            format!("/api/archive?variant={variant}&line={line}")
        })
        .await;
        measure(&app, name, "archive: a long line, 20 plies", || {
            let (variant, line) = some(40);
            format!("/api/archive?variant={variant}&line={line}")
        })
        .await;
        let mut chance = Chance(3);
        let mut player = || format!("Player{}", chance.mostly_low(PLAYERS));
        measure(&app, name, "archive: of a player", || format!("/api/archive?player={}", player())).await;
        measure(&app, name, "archive: won by a player, in one game", || {
            format!("/api/archive?player={}&result=win&variant=twinportal", player())
        })
        .await;
        measure(&app, name, "archive: between two players", || {
            format!("/api/archive?player={}&opponent={}", player(), player())
        })
        .await;
        measure(&app, name, "archive: of a player, with a beginning", || {
            format!("/api/archive?player={}&variant=chess&line=a2a3,a7a5", player())
        })
        .await;
        measure(&app, name, "archive: of nobody", || "/api/archive?player=nobody".into()).await;
        measure(&app, name, "archive: how they ended, at a speed", || {
            "/api/archive?status=draw&speed=blitz&rated=true".into()
        })
        .await;
        let middle = START + count as i64 * 30_000;
        measure(&app, name, "archive: before a date, oldest first", || {
            format!("/api/archive?until={middle}&sort=dateAsc&variant=porthole")
        })
        .await;
        app.stop().await;
    }
}
