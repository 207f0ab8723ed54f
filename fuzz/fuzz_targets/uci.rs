//! Any words as moves of any game: a word is refused or is a legal move, written as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpchess_fuzz::{check, variant_and_text};
use warpchess_rules::notation::uci;
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::Position;

struct Moves<'a>(&'a str);

impl VariantVisitor for Moves<'_> {
    type Output = ();
    fn visit<P: Position>(self) {
        let mut position = P::start();
        for word in self.0.split_whitespace() {
            // A number stands for the move at that place, so that games go on further than by guessing words.
            let moves = position.legal_moves();
            let m = match word.parse::<usize>() {
                Ok(n) if !moves.is_empty() => moves[n % moves.len()],
                _ => match uci::parse(&position, word) {
                    Ok(m) => {
                        assert_eq!(m.to_string(), word);
                        m
                    }
                    Err(_) => continue,
                },
            };
            position.play_unchecked(m, &mut ());
            check(&position);
        }
    }
}

fuzz_target!(|data: &[u8]| {
    if let Some((variant, text)) = variant_and_text(data) {
        variant.visit(Moves(text));
    }
});
