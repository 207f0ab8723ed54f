//! What games need to know of accounts: the one place where they ask.

use warpchess_rules::Color;

use super::Speed;
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

impl From<Rating> for Shown {
    fn from(rating: Rating) -> Self {
        Self { rating: rating.shown(), provisional: rating.provisional() }
    }
}

/// What an account is worth now, as far as is known.
///
/// # Errors
/// When the database fails.
pub async fn current(db: &mut Db, user: &str, variant: &str, speed: Speed, now: i64) -> Result<Shown, StoreError> {
    let standing = ratings::of(db, user, variant, speed.name()).await?;
    Ok(standing.map_or_else(Rating::default, |standing| standing.rating.aged(now - standing.updated_at)).into())
}

/// Reckons a game that has just ended in, in the transaction that ends it, and gives the change of White's and of
/// Black's rating. `None` for casual and aborted games, and those without two accounts.
///
/// # Errors
/// When the database fails.
pub async fn update_after(db: &mut Db, game: &GameRow) -> Result<Option<[i64; 2]>, StoreError> {
    if !game.rated || game.status != Status::Ended {
        return Ok(None);
    }
    let (Some(white), Some(black)) = (&game.white.user, &game.black.user) else { return Ok(None) };
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

/// How an account writes its name; `None` when there is no such account.
///
/// # Errors
/// When the database fails.
pub async fn account_name(db: &mut Db, user: &str) -> Result<Option<String>, StoreError> {
    let Some(id) = crate::names::known(user) else { return Ok(None) };
    let account = accounts::by_id(db, &id).await?;
    Ok(account.filter(|account| account.banned_at.is_none()).map(|account| account.name))
}
