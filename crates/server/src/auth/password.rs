//! Passwords: argon2id with the parameters that OWASP recommends, which are the crate's defaults.

use std::fmt;
use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use serde::Deserialize;
use tokio::sync::Semaphore;

use crate::error::Error;
use crate::ids;

/// How many characters a password has.
pub const LENGTH: std::ops::RangeInclusive<usize> = 8..=128;

/// Each takes 19 MiB and a processor: a flood of logins must not take all of either.
static SLOTS: Semaphore = Semaphore::const_new(4);

/// The hash of a password that nobody has, to be checked where there is no account: a name without one takes as long to
/// be refused as one with.
static NOBODYS: LazyLock<Option<String>> = LazyLock::new(|| hash_now(&ids::random_bytes::<32>()).ok());

/// A password as somebody typed it. It is never shown, not in logs either.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct Password(String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

impl From<String> for Password {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Password {
    /// Hashes it for an account, if it is good enough for `name`.
    ///
    /// # Errors
    /// When it is too short, too long or the account's own name.
    pub async fn hash(self, name: &str) -> Result<String, Error> {
        let bad = |sentence: &str| Err(Error { code: "bad-password", ..Error::bad("password", sentence) });
        if !LENGTH.contains(&self.0.chars().count()) {
            return bad("a password has 8 to 128 characters");
        }
        if self.0.eq_ignore_ascii_case(name) {
            return bad("a password is not the name");
        }
        if self.0.chars().all(|c| self.0.starts_with(c)) {
            return bad("a password has more than one character repeated");
        }
        blocking(move || hash_now(self.0.as_bytes()).map_err(Error::internal)).await?
    }

    /// Whether it is the password of an account. Where there is no account `hash` is `None`; the answer takes as long.
    ///
    /// # Errors
    /// When the server is too busy or the hash is none.
    pub async fn is(self, hash: Option<String>) -> Result<bool, Error> {
        // A text longer than any password would only make the first hash of it slow.
        let plausible = self.0.len() <= 4 * *LENGTH.end();
        let known = hash.is_some() && plausible;
        let right = blocking(move || {
            let Some(hash) = hash.or_else(|| NOBODYS.clone()) else { return Ok(false) };
            let parsed = PasswordHash::new(&hash).map_err(|_| Error::internal("a stored password hash is none"))?;
            let text = if plausible { self.0.as_bytes() } else { b"" };
            Ok::<_, Error>(Argon2::default().verify_password(text, &parsed).is_ok())
        })
        .await??;
        Ok(right && known)
    }
}

fn hash_now(password: &[u8]) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default().hash_password(password)?.to_string())
}

/// Runs what takes a while on a thread that may wait.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let slot = SLOTS.acquire().await.map_err(Error::internal)?;
    let done = tokio::task::spawn_blocking(work).await.map_err(Error::internal);
    drop(slot);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::from(text.to_owned())
    }

    #[tokio::test]
    async fn the_right_password_is_told_from_others() {
        let hash = password("correct horse").hash("ann").await.unwrap();
        assert!(hash.starts_with("$argon2id$") && !hash.contains("correct"), "{hash}");
        assert!(password("correct horse").is(Some(hash.clone())).await.unwrap());
        assert!(!password("correct horsE").is(Some(hash.clone())).await.unwrap());
        assert!(!password("").is(Some(hash)).await.unwrap());
    }

    #[tokio::test]
    async fn the_same_password_has_another_hash_each_time() {
        let one = password("correct horse").hash("ann").await.unwrap();
        assert_ne!(one, password("correct horse").hash("ann").await.unwrap());
    }

    #[tokio::test]
    async fn an_unknown_account_is_refused_by_the_same_work() {
        // Not measured, which a busy machine would spoil: the hash that is checked costs what an account's does.
        let cost = |hash: &str| hash.split('$').nth(3).map(str::to_owned);
        let real = password("correct horse").hash("ann").await.unwrap();
        assert_eq!(cost(NOBODYS.as_ref().unwrap()), cost(&real));
        assert!(!password("correct horse").is(None).await.unwrap());
        assert!(!password(&"x".repeat(100_000)).is(None).await.unwrap());
    }

    #[tokio::test]
    async fn weak_passwords_are_refused() {
        for text in ["", "short", "Wolfgang", "aaaaaaaaaaaa", &"x1".repeat(65)] {
            assert_eq!(password(text).hash("wolfgang").await.unwrap_err().code, "bad-password", "{text}");
        }
    }

    #[test]
    fn passwords_do_not_show_in_what_is_printed() {
        assert_eq!(format!("{:?}", password("correct horse")), "Password");
    }
}
