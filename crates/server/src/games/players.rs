//! What games need to know of accounts: the one place where they ask.

use warpchess_rules::Color;

use super::Speed;
use crate::names;
use crate::rating::{Rating, Score};
use crate::store::games::{GameRow, Status};
use crate::store::ratings::{self, Rated};
use crate::store::{Db, StoreError, accounts};

/// A player's rating as others see it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Rounded.
    pub rating: i64,
    /// Whether it is known too badly to be relied on.
    pub provisional: bool,
}

/// What an account is worth now; `None` when there is no such account.
///
/// # Errors
/// When the database fails.
pub async fn current(db: &mut Db, user: &str, variant: &str, speed: Speed) -> Result<Option<Shown>, StoreError> {
    let known = ratings::of(db, user, variant, speed.name()).await?;
    // How long ago the last game was does not change what is shown, only how sure it is; that is reckoned when it counts.
    let rating = known.map_or_else(Rating::default, |standing| standing.rating);
    Ok(Some(Shown { rating: rating.shown(), provisional: rating.provisional() }))
}

/// Reckons a game that has just ended in, in the transaction that ends it, and gives the change of White's and of
/// Black's rating. `None` for casual and aborted games, and those without two accounts.
///
/// # Errors
/// When the database fails.
pub async fn update_after(db: &mut Db, game: &GameRow) -> Result<Option<[i64; 2]>, StoreError> {
    let (Some(white), Some(black)) = (&game.white.user, &game.black.user) else { return Ok(None) };
    if !game.rated || game.status != Status::Ended {
        return Ok(None);
    }
    let score = match game.winner {
        Some(Color::White) => Score::Win,
        Some(Color::Black) => Score::Loss,
        None => Score::Draw,
    };
    let rated = Rated {
        game: &game.id,
        variant: game.variant.id(),
        speed: game.speed().name(),
        white,
        black,
        score,
        at: game.ended_at.unwrap_or(game.created_at),
    };
    Ok(ratings::record(db, &rated).await?.map(|(white, black)| [white, black]))
}

/// How an account writes its name; `None` when there is no such account, or it is shut out.
///
/// # Errors
/// When the database fails.
pub async fn account_name(db: &mut Db, user: &str) -> Result<Option<String>, StoreError> {
    let Some(id) = names::known(user) else { return Ok(None) };
    let account = accounts::by_id(db, &id).await?;
    Ok(account.filter(|account| account.banned_at.is_none()).map(|account| account.name))
}

/// What somebody is taken to be worth of whom nothing is known.
pub const FIRST_RATING: i64 = 1500;
