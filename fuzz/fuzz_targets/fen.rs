//! Any bytes as a FEN of every game.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| warpchess_rules::notation::fuzz::fen(data));
