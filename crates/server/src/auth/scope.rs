//! What a token may be used for. The names are those of Lichess, which clients know.

use std::fmt;
use std::str::FromStr;

/// One permission.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// See the account's preferences.
    PreferenceRead,
    /// See incoming challenges.
    ChallengeRead,
    /// Create, accept and decline challenges.
    ChallengeWrite,
    /// Play with the board API.
    BoardPlay,
    /// Play with the bot API.
    BotPlay,
    /// Read and write what belongs to the account itself: its data, its tokens.
    AccountManage,
}

/// A set of permissions.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u8);

/// A text that names no permission.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown scope '{}', expected some of {}", .0.chars().take(40).collect::<String>(), Scope::ALL.map(Scope::name).join(", "))]
pub struct UnknownScope(String);

impl Scope {
    /// Every one.
    pub const ALL: [Self; 6] = [
        Self::PreferenceRead,
        Self::ChallengeRead,
        Self::ChallengeWrite,
        Self::BoardPlay,
        Self::BotPlay,
        Self::AccountManage,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreferenceRead => "preference:read",
            Self::ChallengeRead => "challenge:read",
            Self::ChallengeWrite => "challenge:write",
            Self::BoardPlay => "board:play",
            Self::BotPlay => "bot:play",
            Self::AccountManage => "account:manage",
        }
    }
}

impl Scopes {
    /// All of them: what somebody may who is logged in by password.
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// Whether it is among them.
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }

    /// Those there are.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |&scope| self.contains(scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | 1 << scope as u8))
    }
}

impl FromStr for Scope {
    type Err = UnknownScope;
    fn from_str(name: &str) -> Result<Self, UnknownScope> {
        Self::ALL.into_iter().find(|scope| scope.name() == name).ok_or_else(|| UnknownScope(name.to_owned()))
    }
}

impl FromStr for Scopes {
    type Err = UnknownScope;
    /// Names with commas between.
    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::parse).collect()
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, scope) in self.iter().enumerate() {
            f.write_str(if i > 0 { "," } else { "" })?;
            f.write_str(scope.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_written_as_they_are_read() {
        for text in ["", "bot:play", "challenge:read,challenge:write,board:play"] {
            assert_eq!(text.parse::<Scopes>().unwrap().to_string(), text);
        }
        assert_eq!(Scopes::all().iter().count(), Scope::ALL.len());
    }

    #[test]
    fn a_scope_that_there_is_not_is_named() {
        let error = "bot:play, web:mod".parse::<Scopes>().unwrap_err().to_string();
        assert!(error.contains("'web:mod'") && error.contains("board:play"), "{error}");
    }
}
