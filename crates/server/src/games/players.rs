//! What games need to know of accounts: the one place where they ask.

use super::Speed;
use crate::store::games::GameRow;
use crate::store::{Db, StoreError};

/// A player's rating as others see it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// Rounded.
    pub rating: i64,
    /// Whether it is known too badly to be relied on.
    pub provisional: bool,
}

/// What an account is worth now; `None` when nothing is known.
///
/// # Errors
/// When the database fails.
pub async fn current(_db: &mut Db, _user: &str, _variant: &str, _speed: Speed) -> Result<Option<Shown>, StoreError> {
    Ok(None)
}

/// Reckons a game that has just ended in, in the transaction that ends it, and gives the change of White's and of
/// Black's rating. `None` for casual and aborted games, and those without two accounts.
///
/// # Errors
/// When the database fails.
pub async fn update_after(_db: &mut Db, _game: &GameRow) -> Result<Option<[i64; 2]>, StoreError> {
    Ok(None)
}

/// How an account writes its name; `None` when there is no such account.
///
/// # Errors
/// When the database fails.
pub async fn account_name(_db: &mut Db, user: &str) -> Result<Option<String>, StoreError> {
    Ok(Some(user.to_owned()))
}

/// What somebody is taken to be worth of whom nothing is known.
pub const FIRST_RATING: i64 = 1500;
