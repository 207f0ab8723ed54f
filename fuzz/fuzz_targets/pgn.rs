//! Any bytes as a file of games.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| warpchess_rules::notation::fuzz::pgn(data));
