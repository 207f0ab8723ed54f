//! Names for things, chosen by chance.

const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Length of a game's id.
pub const GAME: usize = 8;

/// Bytes that nobody can guess.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // The system has refused randomness: nothing may be handed out that could be guessed.
    if let Err(error) = getrandom::fill(&mut bytes) {
        panic!("the system gives no random numbers: {error}");
    }
    bytes
}

/// So many letters and digits by chance, all equally likely.
pub fn random(length: usize) -> String {
    let mut text = String::with_capacity(length);
    while text.len() < length {
        // The largest multiple of 62 below 256: what lies above would favour the first letters.
        let usable = random_bytes::<32>().into_iter().filter(|byte| *byte < 248);
        text.extend(usable.take(length - text.len()).map(|byte| char::from(LETTERS[usize::from(byte % 62)])));
    }
    text
}

/// Whether a text could be the id of a game, or of a game as one player sees it (four more letters).
pub fn is_game_id(text: &str) -> bool {
    (text.len() == GAME || text.len() == GAME + 4) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_letters_and_digits_and_differ() {
        let (a, b) = (random(GAME), random(GAME));
        assert!(is_game_id(&a), "{a}");
        assert_ne!(a, b);
        assert_eq!(random(100).len(), 100);
    }
}
