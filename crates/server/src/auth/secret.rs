//! API tokens: random texts that prove who asks. Stored are their hashes alone.

use subtle::ConstantTimeEq;

use crate::ids;

/// What tokens begin with, so that people and scanners recognise one that leaked.
pub const TOKEN_PREFIX: &str = "wct_";
/// How many letters follow: 143 bits.
const TOKEN_LETTERS: usize = 24;

/// A new API token.
pub fn new_token() -> String {
    TOKEN_PREFIX.to_owned() + &ids::random(TOKEN_LETTERS)
}

/// Whether a text could be a secret of ours, before anything is asked of the store.
pub fn plausible(text: &str) -> bool {
    (16..=64).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
}

/// Whether two texts are the same, in a time that does not tell where they differ.
pub fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_recognised_and_never_twice_the_same() {
        let token = new_token();
        assert!(token.starts_with("wct_") && token.len() == 28 && plausible(&token), "{token}");
        assert_ne!(token, new_token());
    }

    #[test]
    fn texts_are_compared_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd") && !same("abc", "abcd") && !same("", "a"));
    }
}
