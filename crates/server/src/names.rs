//! Names of accounts.
//!
//! A name is shown as it was written and found whatever its case. Two names that look alike cannot both be had: an
//! account is also found by its [`skeleton`].

use crate::error::Error;

/// How many characters a name has.
pub const LENGTH: std::ops::RangeInclusive<usize> = 2..=20;

/// Names that would pass for the server's own, for a role, or for a word that stands where a name stands in a path.
const RESERVED: &[&str] = &[
    "abuse",
    "account",
    "admin",
    "administrator",
    "ai",
    "anonymous",
    "anon",
    "api",
    "black",
    "bot",
    "computer",
    "contact",
    "deleted",
    "ghost",
    "guest",
    "help",
    "info",
    "lichess",
    "me",
    "mod",
    "moderator",
    "new",
    "nobody",
    "null",
    "official",
    "open",
    "owner",
    "postmaster",
    "root",
    "security",
    "server",
    "settings",
    "staff",
    "stockfish",
    "support",
    "system",
    "top",
    "undefined",
    "user",
    "warpchess",
    "webmaster",
    "white",
];

/// A name that may be given to an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As it is shown.
    pub shown: String,
    /// As it is found: lower case. The account's id.
    pub id: String,
    /// What others may not look like.
    pub skeleton: String,
}

impl Name {
    /// Reads a name.
    ///
    /// # Errors
    /// When it has characters, a length or a meaning that names may not have.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let bad = |sentence: &str| Err(Error { code: "bad-name", ..Error::bad("username", sentence) });
        if !LENGTH.contains(&text.chars().count()) {
            return bad("a name has 2 to 20 characters");
        }
        if !text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')) {
            return bad("a name has letters from a to z, digits, '_' and '-' only");
        }
        let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) || !edge(text.chars().last()) {
            return bad("a name begins with a letter and ends with a letter or digit");
        }
        if text.as_bytes().windows(2).any(|pair| pair.iter().all(|c| matches!(c, b'_' | b'-'))) {
            return bad("a name has no two of '_' and '-' in a row");
        }
        let name = Self { shown: text.to_owned(), id: id(text), skeleton: skeleton(text) };
        if RESERVED.iter().any(|word| skeleton(word) == name.skeleton) {
            return Err(Error { code: "reserved-name", ..Error::bad("username", "this name is reserved") });
        }
        Ok(name)
    }
}

/// The id of the account of a name that somebody wrote; `None` when no account can be called so, and none need be looked
/// for.
pub fn known(name: &str) -> Option<String> {
    let possible =
        name.len() <= *LENGTH.end() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'-');
    possible.then(|| id(name))
}

/// The id of the account of a name.
pub fn id(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// What is left of a name when all that is easily confused is made the same: case, `0` and `o`, `1`, `i` and `l`, `rn`
/// and `m`, `vv` and `w`, `_` and `-`.
pub fn skeleton(name: &str) -> String {
    let single: String = name
        .chars()
        .map(|c| match c.to_ascii_lowercase() {
            '0' => 'o',
            '1' | 'i' => 'l',
            '-' => '_',
            c => c,
        })
        .collect();
    single.replace("rn", "m").replace("vv", "w")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_as_written_and_found_in_any_case() {
        let name = Name::parse("Ann-Lee_2").unwrap();
        assert_eq!((name.shown.as_str(), name.id.as_str()), ("Ann-Lee_2", "ann-lee_2"));
    }

    #[test]
    fn names_that_look_alike_are_the_same_to_the_server() {
        for (one, other) in [("Morris", "rnorrls"), ("Bo0", "boo"), ("will", "WI1l"), ("a_b", "a-b"), ("wow", "vvow")] {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
        assert_ne!(skeleton("anna"), skeleton("anne"));
    }

    #[test]
    fn names_with_other_letters_or_lengths_are_refused_and_the_field_named() {
        let long = "a".repeat(21);
        for text in
            ["", "a", &long, "ann lee", "ännä", "аnna", "ann\u{200b}", "1ann", "-ann", "ann_", "a--b", "a/b", "<b>"]
        {
            let error = Name::parse(text).expect_err(text);
            assert_eq!((error.code, error.field.as_deref()), ("bad-name", Some("username")), "{text}");
        }
    }

    #[test]
    fn nobody_can_pass_for_the_server() {
        for text in ["admin", "Admin", "adm1n", "AI", "root", "R00T", "Warpchess", "vvarpchess", "rnoderator", "ghost"]
        {
            assert_eq!(Name::parse(text).expect_err(text).code, "reserved-name", "{text}");
        }
    }
}
