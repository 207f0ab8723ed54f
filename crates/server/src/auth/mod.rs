//! Who is asking, and what they may. A browser is known by a cookie from its first action on, with or without an
//! account; programs by a token.

mod cookie;
mod csrf;
mod identity;
mod login;
pub mod password;
pub mod scope;
pub mod secret;

pub use identity::{ANONYMOUS, Identity, MaybeIdentity, SessionId, User, UserId};
pub use password::Password;
pub use scope::{Scope, Scopes};

use sha2::{Digest, Sha256};

use crate::clock::SharedClock;
use crate::error::Error;
use crate::ids;
use crate::store::sessions::{self, Session};
use crate::store::{Store, StoreError, accounts, tokens};

pub(crate) use cookie::keep_cookies;
pub(crate) use csrf::same_site;

/// How often it is noted that a session is in use, in milliseconds.
const TOUCH: i64 = 10 * 60_000;

/// Sessions, accounts and tokens.
#[derive(Clone)]
pub struct Auth {
    store: Store,
    clock: SharedClock,
    /// Whether cookies are for encrypted connections only.
    secure: bool,
}

impl std::fmt::Debug for Auth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Auth").field("store", &self.store).finish_non_exhaustive()
    }
}

impl Auth {
    pub(crate) fn new(store: Store, clock: SharedClock, base_url: Option<&str>) -> Self {
        Self { store, clock, secure: base_url.is_some_and(|url| url.starts_with("https:")) }
    }

    /// Whoever has this cookie.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn by_cookie(&self, token: &str) -> Result<Option<Identity>, Error> {
        let hash = hash(token);
        let mut db = self.store.read().await?;
        let Some(session) = sessions::by_token_hash(&mut db, &hash).await? else { return Ok(None) };
        let account = match &session.user {
            Some(user) => accounts::by_id(&mut db, user).await?,
            None => None,
        };
        drop(db);
        let now = self.clock.now();
        if now - session.seen_at > TOUCH {
            let (id, user) = (session.id.clone(), session.user.clone());
            self.store
                .write(move |db| {
                    Box::pin(async move {
                        sessions::touch(db, &id, now).await?;
                        match user {
                            Some(user) => accounts::touch(db, &user, now).await,
                            None => Ok::<_, StoreError>(()),
                        }
                    })
                })
                .await?;
        }
        Ok(Some(Identity::of(&session, account.as_ref())))
    }

    /// Whoever has this API token.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn by_token(&self, token: &str) -> Result<Option<Identity>, Error> {
        if !secret::plausible(token) {
            return Ok(None);
        }
        let now = self.clock.now();
        let mut db = self.store.read().await?;
        let Some(token) = tokens::by_hash(&mut db, &hash(token), now).await? else { return Ok(None) };
        let Some(account) = accounts::by_id(&mut db, &token.user).await? else { return Ok(None) };
        drop(db);
        if account.banned_at.is_some() {
            return Ok(None);
        }
        if token.used_at.is_none_or(|at| now - at > TOUCH) || now - account.seen_at > TOUCH {
            let (id, user) = (token.id.clone(), account.id.clone());
            self.store
                .write(move |db| {
                    Box::pin(async move {
                        tokens::touch(db, &id, now).await?;
                        accounts::touch(db, &user, now).await
                    })
                })
                .await
                .map_err(|error: StoreError| Error::from(error))?;
        }
        Ok(Some(Identity::of_token(&token.id, &account, token.scopes)))
    }

    /// Begins a session without an account: the cookie, and who has it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin(&self) -> Result<(String, Identity), Error> {
        let token = ids::random(40);
        let now = self.clock.now();
        let session = Session { id: ids::random(16), user: None, created_at: now, seen_at: now };
        let identity = Identity::of(&session, None);
        let hash = hash(&token);
        self.store
            .write(move |db| Box::pin(async move { sessions::insert(db, &session, &hash).await }))
            .await
            .map_err(|error: StoreError| Error::from(error))?;
        Ok((token, identity))
    }
}

/// What is kept of a cookie or a token: it cannot be turned back. They are long and by chance, so no salt is needed.
pub fn hash(token: &str) -> String {
    ids::hex(&Sha256::digest(token.as_bytes()))
}
