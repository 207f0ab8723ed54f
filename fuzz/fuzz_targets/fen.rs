//! Any text as a FEN of any game: it is refused, or it is a position that can be written, read again and played on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpchess_fuzz::{check, variant_and_text};
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::Position;

struct Fen<'a>(&'a str);

impl VariantVisitor for Fen<'_> {
    type Output = ();
    fn visit<P: Position>(self) {
        let Ok(position) = P::from_fen(self.0) else { return };
        check(&position);
        for m in position.legal_moves() {
            check(&position.after(m));
        }
    }
}

fuzz_target!(|data: &[u8]| {
    if let Some((variant, text)) = variant_and_text(data) {
        variant.visit(Fen(text));
    }
});
