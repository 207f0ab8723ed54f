//! The engine plays as it did when its signature was last written down: a change of play does not slip in unseen.

use warpchess_engine::{BENCH_DEPTH, NodeClock, bench, bench_signature};

#[test]
fn the_signature_is_the_one_written_down() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/bench-signature.txt");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let rows = bench(BENCH_DEPTH, &NodeClock { per_second: 1_000_000 });
    let now = bench_signature(&rows);
    assert_eq!(
        text.trim(),
        now.to_string(),
        "the engine searches other nodes than before. If that is meant, write {now} (the last line of `warpchess bench`) \
         into crates/engine/bench-signature.txt, with what is changed; if not, something has changed play by mistake"
    );
}
