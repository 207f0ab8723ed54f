//! The transposition table saves work and changes nothing.

use warpchess_engine::{Engine, Limits, NodeClock, Options, Params, Signals};
use warpchess_rules::Position;
use warpchess_rules::variants::{Chess, PocketMutation, Porthole};

/// A search of every line: what is pruned, reduced or guessed from the table's move depends on what was searched before.
fn plain() -> Params {
    Params {
        aspiration_depth: 1000,
        null_depth: 1000,
        reverse_futility_depth: 0,
        futility_depth: 0,
        razor_depth: 0,
        late_move_depth: 0,
        exchange_depth: 0,
        reduction_base: -1000.0,
        delta_margin: 1_000_000,
        internal_reduction_depth: 1000,
        reduction_depth: 1000,
        history_depth: 0,
        singular_depth: 1000,
        probable_depth: 1000,
        correction: 0,
        ..Params::default()
    }
}

fn compare<P: Position>(depth: u32) {
    let clock = NodeClock { per_second: 1 };
    let mut seed = 77u64;
    let (mut with_nodes, mut without_nodes) = (0, 0);
    for _ in 0..12 {
        let mut position = P::start();
        for _ in 0..30 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            position.play_unchecked(moves[(seed >> 33) as usize % moves.len()], &mut ());
        }
        let search = |hash| {
            let mut engine = Engine::<P>::new(&Options { hash, params: plain(), ..Options::default() });
            engine.set_position(position.clone());
            engine.search(&Limits::depth(depth), &clock, &Signals::new(), &mut |_| ())
        };
        let (with, without) = (search(4), search(0));
        assert_eq!(with.score, without.score, "{}", position.fen());
        with_nodes += with.nodes;
        without_nodes += without.nodes;
    }
    assert!(with_nodes < without_nodes);
}

#[test]
fn the_score_is_the_same_without_a_table() {
    compare::<Chess>(3);
    compare::<Porthole>(3);
    compare::<PocketMutation>(2);
}
