//! Any bytes as a move as people write it, in a position that other bytes choose.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| warpchess_rules::notation::fuzz::san(data));
