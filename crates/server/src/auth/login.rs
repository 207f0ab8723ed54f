//! Accounts: making one, logging in and out, changing the password, tokens.

use axum::http::HeaderValue;

use super::{Auth, Identity, Password, Scopes, UserId, cookie, hash, secret};
use crate::error::Error;
use crate::ids;
use crate::names::{self, Name};
use crate::store::sessions::{self, Session};
use crate::store::tokens::{self, Token};
use crate::store::{StoreError, accounts};

/// How many tokens an account has at most.
const MOST_TOKENS: usize = 50;
/// How many characters the description of a token has at most.
const LONGEST_DESCRIPTION: usize = 100;

/// A token that was just made. The secret cannot be had again.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// The token itself.
    pub secret: String,
    /// What is kept of it.
    pub token: Token,
}

impl Auth {
    /// Makes an account.
    ///
    /// # Errors
    /// When the name or the password is refused, or the name is taken.
    pub async fn register(&self, name: &str, password: Password, bot: bool) -> Result<Name, Error> {
        let name = Name::parse(name)?;
        let hash = password.hash(&name.id).await?;
        let now = self.clock.now();
        let wanted = name.clone();
        let made = self
            .store
            .write(move |db| Box::pin(async move { accounts::insert(db, &wanted, &hash, bot, now).await }))
            .await?;
        if !made {
            let taken = Error::conflict("name-taken", "this name, or one that looks like it, is taken");
            return Err(Error { field: Some("username".into()), ..taken });
        }
        Ok(name)
    }

    /// The account of a name and its password. Whether the name or the password is wrong is not told, nor how long it takes.
    ///
    /// # Errors
    /// 401 when they do not belong together; 403 when the account is shut out.
    pub async fn check(&self, name: &str, password: Password) -> Result<accounts::Account, Error> {
        let account = match names::known(name) {
            Some(id) => accounts::by_id(&mut *self.store.read().await?, &id).await?,
            None => None,
        };
        let right = password.is(account.as_ref().map(|account| account.password_hash.clone())).await?;
        let account = account
            .filter(|_| right)
            .ok_or_else(|| Error { code: "wrong-login", ..Error::unauthorized("the name or the password is wrong") })?;
        if account.banned_at.is_some() {
            return Err(Error { code: "banned", ..Error::forbidden("this account is shut out") });
        }
        Ok(account)
    }

    /// Logs a browser in: the cookie to send. The session it had goes on under another cookie, so that one that somebody
    /// else knows is worth nothing.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn log_in(&self, before: Option<&Identity>, user: &UserId) -> Result<HeaderValue, Error> {
        let cookie = ids::random(40);
        let now = self.clock.now();
        // The session of somebody else who was logged in is not handed on.
        let kept = before.filter(|who| who.user.is_none()).map(|who| who.session.clone());
        let ended = before.filter(|who| who.user.is_some()).map(|who| who.session.clone());
        let session = Session {
            id: kept.clone().unwrap_or_else(|| ids::random(16)),
            user: Some(user.clone()),
            created_at: now,
            seen_at: now,
        };
        let hash = hash(&cookie);
        self.store
            .write(move |db| {
                Box::pin(async move {
                    for id in [kept, ended].into_iter().flatten() {
                        sessions::delete(db, &id).await?;
                    }
                    sessions::insert(db, &session, &hash).await
                })
            })
            .await
            .map_err(|error: StoreError| Error::from(error))?;
        Ok(cookie::value(&cookie, self.secure))
    }

    /// Ends a session: the cookie that takes the browser's away.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn log_out(&self, who: &Identity) -> Result<HeaderValue, Error> {
        let id = who.session.clone();
        self.store.write(move |db| Box::pin(async move { sessions::delete(db, &id).await })).await?;
        Ok(cookie::none(self.secure))
    }

    /// Gives an account another password; its other sessions end. Tokens stay: they were not made from the password.
    ///
    /// # Errors
    /// When the old password is wrong or the new one refused.
    pub async fn change_password(&self, who: &Identity, old: Password, new: Password) -> Result<(), Error> {
        let user = who.user.clone().unwrap_or_default();
        let wrong = |error: Error| match error.code {
            "wrong-login" => Error { code: "wrong-password", ..Error::bad("password", "the password is wrong") },
            _ => error,
        };
        self.check(&user, old).await.map_err(wrong)?;
        let hash = new.hash(&user).await.map_err(|error| Error { field: Some("newPassword".into()), ..error })?;
        let session = who.session.clone();
        self.store
            .write(move |db| {
                Box::pin(async move {
                    accounts::set_password(db, &user, &hash).await?;
                    sessions::delete_of_user(db, &user, Some(&session)).await
                })
            })
            .await
            .map_err(|error: StoreError| Error::from(error))
    }

    /// Makes a token for an account.
    ///
    /// # Errors
    /// When the description is too long, the account has too many, or the end lies in the past.
    pub async fn create_token(
        &self,
        user: &UserId,
        description: &str,
        scopes: Scopes,
        expires_at: Option<i64>,
    ) -> Result<NewToken, Error> {
        let description: String = description.trim().chars().filter(|c| !c.is_control()).collect();
        if description.chars().count() > LONGEST_DESCRIPTION {
            return Err(Error::bad("description", "a description has at most 100 characters"));
        }
        let now = self.clock.now();
        if expires_at.is_some_and(|at| at <= now) {
            return Err(Error::bad("expiresAt", "the end of a token lies in the future"));
        }
        let secret = secret::new_token();
        let token = Token {
            id: ids::random(12),
            user: user.clone(),
            description,
            scopes,
            created_at: now,
            used_at: None,
            expires_at,
        };
        let (hash, kept) = (hash(&secret), token.clone());
        self.store
            .write(move |db| {
                Box::pin(async move {
                    if tokens::of_user(db, &kept.user).await?.len() >= MOST_TOKENS {
                        return Err(Error::conflict("too-many-tokens", "an account has at most 50 tokens; delete one"));
                    }
                    Ok::<_, Error>(tokens::insert(db, &kept, &hash).await?)
                })
            })
            .await?;
        Ok(NewToken { secret, token })
    }
}
