//! Every mate in one, two or three of a set made from the engine's own games, found and proved by trying all there is (see the
//! example `mates`), is found by the usual search in a second's work.

use std::path::Path;
use warpchess_engine::{Limits, NodeClock, Options, Score, Signals, engine_for};
use warpchess_rules::VariantId;

#[test]
fn mates_in_one_to_three_are_found() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mates.tsv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let clock = NodeClock { per_second: 1_000_000 };
    let mut missed = Vec::new();
    for variant in VariantId::all() {
        let mut engine = engine_for(variant, &Options::default());
        let rows = text.lines().filter(|l| l.split('\t').next() == Some(variant.id()));
        let mut count = 0;
        for row in rows {
            let [_, fen, n] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("bad line {row}") };
            let n: u32 = n.parse().expect("a number");
            engine.clear();
            engine.set_game(Some(fen), &[]).unwrap_or_else(|e| panic!("{row}: {e}"));
            let limits = Limits { mate: Some(n), ..Limits::nodes(clock.per_second) };
            let result = engine.search(&limits, &clock, &Signals::new(), &mut |_| ());
            if result.score != Score::Mate(n as i32) {
                missed.push(format!("{row}: {} after {} nodes", result.score, result.nodes));
            }
            count += 1;
        }
        assert_eq!(count, 50, "{variant}");
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
