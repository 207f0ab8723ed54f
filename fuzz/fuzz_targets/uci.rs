//! Any bytes as a move in UCI form, in a position that other bytes choose.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| warpchess_rules::notation::fuzz::uci(data));
