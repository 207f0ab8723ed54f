//! The opening explorer: what was played in a position, how it ended, and how strong the players were.
//!
//! Games are counted when they end, in the transaction that ends them, with their first [`PLIES`] plies. What is kept are
//! counts, one row for each move in each position and kind of game, and the ids of the last games; all of it can be
//! counted anew from the archive.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use warpchess_rules::{AnyPosition, Color, Game, VariantId};

use crate::games::Speed;
use crate::lichess::UNKNOWN;
use crate::store::games::{GameRow, Status};
use crate::store::{Store, StoreError, explorer as rows};

/// How many plies of a game are counted: openings end before, and a game costs a bounded number of rows.
pub const PLIES: usize = 40;
/// How many of the last games a row remembers.
pub const RECENT: usize = 8;
/// Mean ratings from which groups begin, as Lichess' explorer has them.
pub const RATINGS: [i64; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];
/// The group of games without ratings.
pub const UNRATED: i64 = -1;

/// What kind of game it was.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    /// Between accounts, and ratings changed.
    Rated,
    /// Between people, for fun.
    Casual,
    /// Against the computer.
    Computer,
    /// Played elsewhere, and imported.
    Import,
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rated, Self::Casual, Self::Computer, Self::Import];
    /// Those that are shown to who names none: what people have taken in for study is not what is played here.
    pub const USUAL: [Self; 3] = [Self::Rated, Self::Casual, Self::Computer];

    /// As it is stored and sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rated => "rated",
            Self::Casual => "casual",
            Self::Computer => "computer",
            Self::Import => "import",
        }
    }

    /// That of a game.
    pub const fn of(game: &GameRow) -> Self {
        if game.imported {
            Self::Import
        } else if game.white.level.is_some() || game.black.level.is_some() {
            Self::Computer
        } else if game.rated {
            Self::Rated
        } else {
            Self::Casual
        }
    }
}

/// By what a position is known: the first eight bytes of the SHA-256 of the game's id, a space, and the FEN without its last
/// two fields, which are clocks. Unlike the rules' own hash it does not change with the program.
pub fn position_key(variant: VariantId, position: &dyn AnyPosition) -> i64 {
    let fen = position.fen();
    let mut fields = fen.rsplitn(3, ' ');
    let (_, _) = (fields.next(), fields.next());
    let hash = Sha256::digest(format!("{variant} {}", fields.next().unwrap_or_default()));
    let mut first = [0; 8];
    for (to, from) in first.iter_mut().zip(hash) {
        *to = from;
    }
    i64::from_be_bytes(first)
}

/// A move in a position.
pub type Played = (i64, String);

/// A game, as it is counted: the same for each of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The game's id.
    pub game: String,
    /// What was played.
    pub variant: VariantId,
    /// How fast.
    pub speed: Speed,
    /// What kind of game.
    pub mode: Mode,
    /// Who won.
    pub winner: Option<Color>,
    /// The mean rating of the players that have one.
    pub rating: Option<i64>,
    /// When it ended.
    pub at: i64,
    /// The moves, each once a position, sorted: rows are always locked in the same order.
    pub moves: Vec<Played>,
}

impl Counted {
    /// A game that has ended; `None` when it does not count: it has no result, no moves, or was played by other rules.
    pub fn of(row: &GameRow, game: Option<&Game>) -> Option<Self> {
        let decided = row.status == Status::Ended && (row.winner.is_some() || row.reason.as_deref() != Some(UNKNOWN));
        let game = game.filter(|_| decided)?;
        let mut moves: Vec<Played> = game
            .moves()
            .take(PLIES)
            .enumerate()
            .filter_map(|(ply, m)| Some((position_key(row.variant, game.position_at(ply)?), m.to_string())))
            .collect();
        moves.sort_unstable();
        moves.dedup();
        if moves.is_empty() {
            return None;
        }
        Some(Self {
            game: row.id.clone(),
            variant: row.variant,
            speed: row.speed(),
            mode: Mode::of(row),
            winner: row.winner,
            rating: mean(row),
            at: row.ended_at.unwrap_or(row.created_at),
            moves,
        })
    }

    /// The group of its rating.
    pub fn rating_group(&self) -> i64 {
        self.rating.map_or(UNRATED, group)
    }
}

/// The mean rating of the players that have one.
pub fn mean(row: &GameRow) -> Option<i64> {
    match (row.white.rating, row.black.rating) {
        (Some(white), Some(black)) => Some((white + black) / 2),
        (one, other) => one.or(other),
    }
}

/// The group of a rating.
fn group(rating: i64) -> i64 {
    RATINGS.into_iter().rev().find(|&from| from <= rating).unwrap_or(RATINGS[0])
}

/// Sums of what was counted, one for each move.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Sum {
    /// Games that White won.
    pub white: i64,
    /// Games that nobody won.
    pub draws: i64,
    /// Games that Black won.
    pub black: i64,
    /// The mean ratings of the games that have them, added up.
    pub rating_sum: i64,
    /// How many these are.
    pub rating_games: i64,
}

/// The last games of a row: when the last ended, what was played, and their ids, the latest first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Recent {
    /// When the last of them ended.
    pub at: i64,
    /// What was played in them.
    pub uci: String,
    /// Their ids.
    pub games: Vec<String>,
}

/// What was played in a position.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Found {
    /// The moves, and how the games went.
    pub moves: BTreeMap<String, Sum>,
    /// The last games, those of one row each.
    pub recent: Vec<Recent>,
}

impl Sum {
    /// How many games.
    pub const fn games(&self) -> i64 {
        self.white + self.draws + self.black
    }
    /// Their mean rating.
    pub fn average_rating(&self) -> Option<i64> {
        (self.rating_games > 0).then(|| self.rating_sum / self.rating_games)
    }
    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.rating_sum += other.rating_sum;
        self.rating_games += other.rating_games;
    }
    /// One game.
    pub fn one(game: &Counted) -> Self {
        let (white, draws, black) = match game.winner {
            Some(Color::White) => (1, 0, 0),
            None => (0, 1, 0),
            Some(Color::Black) => (0, 0, 1),
        };
        Self {
            white,
            draws,
            black,
            rating_sum: game.rating.unwrap_or(0),
            rating_games: i64::from(game.rating.is_some()),
        }
    }
}

/// Which games are looked at.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// At these speeds; empty for all.
    pub speeds: Vec<String>,
    /// Of these kinds; empty for the usual.
    pub modes: Vec<Mode>,
    /// With ratings of these groups; empty for all, games without ratings too.
    pub groups: Vec<i64>,
}

/// Moves with their sums, the most played first.
pub fn ranked(sums: BTreeMap<String, Sum>) -> Vec<(String, Sum)> {
    let mut all: Vec<_> = sums.into_iter().collect();
    all.sort_by(|(a, x), (b, y)| y.games().cmp(&x.games()).then_with(|| a.cmp(b)));
    all
}

/// How many games are counted in one transaction: memory is bounded by it, whatever the number of games.
/// Few, so that games that are played do not wait.
const BATCH: i64 = 50;

/// Counts all games that have ended and are not counted: how many.
///
/// # Errors
/// When the database fails.
pub async fn catch_up(store: &Store) -> Result<u64, StoreError> {
    let mut all = 0;
    loop {
        let rows = rows::uncounted(&mut *store.read().await?, BATCH).await?;
        if rows.is_empty() {
            return Ok(all);
        }
        all += rows.len() as u64;
        let replayed = tokio::task::spawn_blocking(move || {
            let count = |row: GameRow| {
                let counted = Counted::of(&row, row.replay(PLIES).as_ref());
                (row.id, counted)
            };
            rows.into_iter().map(count).collect::<Vec<_>>()
        });
        count(store, replayed.await.map_err(|error| StoreError::panicked(error.to_string()))?).await?;
    }
}

/// Counts games that are stored, by their ids; those that were counted before are left out.
///
/// # Errors
/// When the database fails.
pub async fn count(store: &Store, games: Vec<(String, Option<Counted>)>) -> Result<(), StoreError> {
    for games in games.chunks(BATCH as usize) {
        let games = games.to_vec();
        store.write(move |db| Box::pin(async move { rows::count_all(db, &games).await })).await?;
    }
    Ok(())
}

/// Counts all games anew: how many. The server may run meanwhile; what it tells of positions grows until this is done.
///
/// # Errors
/// When the database fails.
pub async fn rebuild(store: &Store) -> Result<u64, StoreError> {
    let kind = store.kind();
    store.write(move |db| Box::pin(async move { rows::clear(db, kind).await })).await?;
    catch_up(store).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> VariantId {
        VariantId::default()
    }

    #[test]
    fn a_position_is_known_by_its_fen_without_clocks() {
        // echo -n 'chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -' | sha256sum
        let start = position_key(chess(), &*chess().start());
        assert_eq!(format!("{start:016x}"), "a7e1b5e9a8478aa8");
        let mut game = Game::new(chess());
        for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            game.play_uci(uci).unwrap();
        }
        assert_eq!(position_key(chess(), game.position()), start, "other clocks");
        game.play_uci("e2e4").unwrap();
        assert_ne!(position_key(chess(), game.position()), start);
    }

    #[test]
    fn ratings_fall_into_groups() {
        for (rating, expected) in [(-5, 0), (0, 0), (999, 0), (1000, 1000), (1599, 1400), (2499, 2200), (3000, 2500)] {
            assert_eq!(group(rating), expected, "{rating}");
        }
    }

    #[test]
    fn every_game_is_told_apart() {
        let keys: std::collections::HashSet<i64> =
            VariantId::all().map(|variant| position_key(variant, &*variant.start())).collect();
        assert_eq!(keys.len(), VariantId::all().count());
    }
}
