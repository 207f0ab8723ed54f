//! What a search promises, in every game.

use std::time::{Duration, Instant};
use warpchess_engine::{
    AnyEngine, Bound, Effort, Engine, Level, Limits, MAX_PLY, NodeClock, Options, Score, Signals, SystemClock,
    engine_for, think,
};
use warpchess_rules::variants::{Chess, VariantVisitor};
use warpchess_rules::{AnyPosition, Move, Position, VariantId};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CLOCK: NodeClock = NodeClock { per_second: 1_000_000 };

fn chess(fen: &str, limits: &Limits) -> warpchess_engine::SearchResult {
    let mut engine = Engine::<Chess>::new(&Options::default());
    engine.set_game(Some(fen), &[]).expect("fen");
    engine.search(limits, &CLOCK, &Signals::new(), &mut |_| ())
}

struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Positions of random games, none of them finished.
fn positions(variant: VariantId, count: usize, seed: u64) -> Vec<Box<dyn AnyPosition>> {
    let mut random = Random(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = variant.start();
        for _ in 0..1 + random.below(100) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
        if position.has_legal_move() {
            found.push(position);
        }
    }
    found
}

#[test]
fn the_move_chosen_is_legal_in_every_game() {
    for variant in VariantId::all() {
        let mut engine = engine_for(variant, &Options { hash: 1, ..Options::default() });
        for position in positions(variant, 40, 5) {
            let fen = position.fen();
            engine.set_game(Some(&fen), &[]).expect("fen");
            let result = engine.search(&Limits::nodes(2000), &CLOCK, &Signals::new(), &mut |_| ());
            let mut after = position.boxed_clone();
            for &m in &result.pv {
                assert!(after.is_legal(m), "{variant}: {m} of {:?} in {fen}", result.pv);
                after.play(m);
            }
            assert_eq!(result.best, result.pv.first().copied());
            assert!(result.best.is_some(), "{variant}: {fen}");
        }
    }
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2),
        ("8/8/8/8/8/1k6/7r/1K6 b - - 0 1", 1),
        ("8/8/8/8/8/1k6/7r/K7 w - - 0 1", -1),
    ] {
        let result = chess(fen, &Limits { mate: Some(mate as u32), ..Limits::nodes(300_000) });
        assert_eq!(result.score, Score::Mate(mate), "{fen}: {:?}", result.pv);
        if mate > 0 {
            assert_eq!(result.pv.len(), 2 * mate as usize - 1, "{fen}: {:?}", result.pv);
        }
    }
}

#[test]
fn a_king_destroyed_is_a_win_although_nothing_attacks_it() {
    let mut engine = engine_for("portalduel".parse().expect("a game"), &Options::default());
    for (fen, key, n) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - d7e7 0 1", "Od7e7", 1),
        ("8/5B1k/8/2P5/3p4/2r3NK/5P1n/8 w - - f6g6 0 1", "Of6g6", 1),
        ("6k1/8/p7/2p5/P7/8/2rb1pB1/5K2 w - - h6g7 0 1", "Oh6g7", 1),
        ("5k2/3P4/8/3B2r1/8/3n4/N2K4/8 w - - g8e8 0 1", "", 2),
    ] {
        engine.clear();
        engine.set_game(Some(fen), &[]).expect("fen");
        let result = engine.search(&Limits::nodes(100_000), &CLOCK, &Signals::new(), &mut |_| ());
        assert_eq!(result.score, Score::Mate(n), "{fen}");
        assert!(key.is_empty() || result.best.is_some_and(|m| m.to_string() == key), "{fen}: {:?}", result.best);
    }
}

struct WinsInOne;
impl VariantVisitor for WinsInOne {
    /// How many there were, and those in which a king was destroyed.
    type Output = [usize; 2];
    fn visit<P: Position>(self) -> Self::Output {
        let mut engine = Engine::<P>::new(&Options { hash: 1, ..Options::default() });
        let mut random = Random(3);
        let mut counts = [0; 2];
        for _ in 0..150 {
            let mut position = P::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let after = moves.iter().map(|&m| position.after(m)).find(|after| {
                    !after.has_legal_move() && after.outcome_without_moves().winner == Some(position.turn())
                });
                if let Some(after) = after {
                    counts[0] += 1;
                    counts[1] += usize::from(after.king_destroyed());
                    engine.clear();
                    engine.set_position(position.clone());
                    let result = engine.search(&Limits::nodes(100_000), &CLOCK, &Signals::new(), &mut |_| ());
                    assert_eq!(result.score, Score::Mate(1), "{}", Position::fen(&position));
                }
                position.play_unchecked(moves[random.below(moves.len())], &mut ());
            }
        }
        counts
    }
}

#[test]
fn whatever_wins_at_once_is_found() {
    for variant in VariantId::all() {
        let [all, destroyed] = variant.visit(WinsInOne);
        assert!(all >= 10, "{variant}: {all}");
        assert_eq!(destroyed > 0, variant.id() == "portalduel", "{variant}");
    }
}

#[test]
fn a_finished_game_has_a_score_and_no_move() {
    let mated = chess("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", &Limits::depth(3));
    assert_eq!((mated.best, mated.score), (None, Score::Mate(0)));
    let stalemate = chess("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &Limits::depth(3));
    assert_eq!((stalemate.best, stalemate.score), (None, Score::Cp(0)));
}

#[test]
fn limits_are_kept() {
    for nodes in [1, 100, 5_000, 50_000] {
        let result = chess(START, &Limits::nodes(nodes));
        assert!(result.nodes <= nodes + 1, "{} of {nodes}", result.nodes);
        assert!(result.best.is_some());
    }
    assert_eq!(chess(START, &Limits::depth(4)).depth, 4);
    let mut engine = Engine::<Chess>::new(&Options::default());
    let began = Instant::now();
    let limits = Limits::movetime(Duration::from_millis(100));
    engine.search(&limits, &SystemClock::start(), &Signals::new(), &mut |_| ());
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(95) && took < Duration::from_millis(150), "{took:?}");
}

/// How long a search goes on after it is told to stop.
fn lateness(engine: &mut dyn AnyEngine) -> Duration {
    let signals = Signals::new();
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let limits = Limits { infinite: true, ..Limits::default() };
            engine.search(&limits, &SystemClock::start(), &signals, &mut |_| ());
            Instant::now()
        });
        std::thread::sleep(Duration::from_millis(40));
        let told = Instant::now();
        signals.stop();
        thread.join().expect("search").saturating_duration_since(told)
    })
}

#[test]
fn stop_is_obeyed_within_twenty_milliseconds() {
    for variant in VariantId::all() {
        let mut engine = engine_for(variant, &Options::default());
        // The best of some tries: a busy machine may keep a thread waiting longer than the engine does.
        let best = (0..20).map(|_| lateness(&mut *engine)).find(|late| *late < Duration::from_millis(20));
        assert!(best.is_some(), "{variant}");
    }
}

#[test]
fn an_infinite_search_waits_for_stop_even_when_all_is_known() {
    let signals = Signals::new();
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let mut engine = Engine::<Chess>::new(&Options::default());
            engine.set_game(Some("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), &[]).expect("fen");
            let limits = Limits { infinite: true, ..Limits::default() };
            engine.search(&limits, &SystemClock::start(), &signals, &mut |_| ())
        });
        std::thread::sleep(Duration::from_millis(30));
        assert!(!thread.is_finished());
        signals.stop();
        assert_eq!(thread.join().expect("search").best, None);
    });
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Engine::<Chess>::new(&Options::default());
    engine.set_game(Some("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), &[]).expect("fen");
    let asked = moves_named(&engine, "e1e2");
    let limits = Limits { search_moves: asked.clone(), depth: Some(4), ..Limits::default() };
    let result = engine.search(&limits, &CLOCK, &Signals::new(), &mut |_| ());
    assert_eq!(result.best, asked.first().copied());
}

#[test]
fn several_lines_differ_and_come_best_first() {
    let limits = Limits { multipv: 5, depth: Some(5), ..Limits::default() };
    let result = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &limits);
    assert_eq!(result.lines.len(), 5);
    for pair in result.lines.windows(2) {
        assert!(pair[0].score >= pair[1].score);
        assert_ne!(pair[0].moves[0], pair[1].moves[0]);
    }
}

#[test]
fn only_the_last_line_told_of_may_be_a_bound() {
    let mut engine = Engine::<Chess>::new(&Options::default());
    engine.set_game(Some("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"), &[]).expect("fen");
    let limits = Limits { multipv: 3, depth: Some(7), ..Limits::default() };
    let mut bounds = 0;
    engine.search(&limits, &CLOCK, &Signals::new(), &mut |info| {
        let (last, before) = info.lines.split_last().expect("a line");
        assert!(before.iter().all(|line| line.bound == Bound::Exact));
        bounds += usize::from(last.bound != Bound::Exact);
    });
    assert!(bounds > 0, "a mate is worth more than was expected");
}

#[test]
fn a_level_keeps_its_own_limits_and_those_it_is_given() {
    let level = Level::new(5).expect("a level");
    let nodes = |limits: &Limits| {
        let mut engine = Engine::<Chess>::new(&Options::default());
        level.choose_within(&mut engine, limits, &CLOCK, &Signals::new(), 1).nodes
    };
    assert!(nodes(&Limits::nodes(500)) <= 501);
    assert!(nodes(&Limits::depth(60)) <= 60_001);
}

#[test]
fn a_third_repetition_is_a_draw_whatever_the_material() {
    let cycle = ["a1a2", "h8g8", "a2a1", "g8h8"];
    let moves: Vec<&str> = cycle.iter().cycle().copied().take(10).collect();
    let mut engine = Engine::<Chess>::new(&Options::default());
    engine.set_game(Some("7k/8/8/8/8/8/2Q5/K7 w - - 0 1"), &moves).expect("game");
    let free = engine.search(&Limits::depth(6), &CLOCK, &Signals::new(), &mut |_| ());
    assert!(free.score > Score::Cp(500));
    assert_ne!(free.best.map(|m| m.to_string()).as_deref(), Some("a2a1"));
    let back = moves_named(&engine, "a2a1");
    let limits = Limits { search_moves: back, depth: Some(6), ..Limits::default() };
    assert_eq!(engine.search(&limits, &CLOCK, &Signals::new(), &mut |_| ()).score, Score::Cp(0));
}

fn moves_named(engine: &dyn AnyEngine, uci: &str) -> Vec<Move> {
    engine.legal_moves().into_iter().filter(|m| m.to_string() == uci).collect()
}

#[test]
fn the_fifty_move_rule_is_seen_coming() {
    // A queen up, but the next quiet move is the hundredth ply.
    let far = chess("7k/8/8/8/8/8/2Q5/K7 w - - 10 80", &Limits::depth(5));
    assert!(far.score > Score::Cp(500), "{:?}", far.score);
    let near = chess("7k/8/8/8/8/8/2Q5/K7 w - - 99 80", &Limits::depth(5));
    assert_eq!(near.score, Score::Cp(0));
}

#[test]
fn levels_play_legal_moves_alike_for_a_seed_and_within_their_bounds() {
    for variant in VariantId::all() {
        for level in Level::all().take(6) {
            let effort = |seed| Effort::Level { level, movetime: None, seed };
            let mut choices = std::collections::BTreeSet::new();
            for seed in 0..8 {
                let ask = || think(variant, None, &[], &effort(seed), &CLOCK, &Signals::new()).expect("start");
                let (a, b) = (ask(), ask());
                assert_eq!(a.best, b.best);
                assert!(variant.start().is_legal(a.best.expect("a move")));
                assert!(a.nodes <= 200_001);
                choices.insert(a.best);
                if level.number() > 2 {
                    break;
                }
            }
            assert!(level.number() > 1 || choices.len() > 1, "{variant}: a beginner is not a machine");
        }
    }
    assert!(Level::new(0).is_err() && Level::new(9).is_err());
}

#[test]
fn bad_positions_and_moves_are_named() {
    let effort = Effort::Limits(Limits::depth(1));
    let ask = |fen, moves: &[&str]| {
        think("chess".parse().expect("id"), fen, moves, &effort, &CLOCK, &Signals::new()).expect_err("bad").to_string()
    };
    assert!(ask(None, &["e2e4", "e2e4"]).starts_with("move 2: 'e2e4' is not a legal move"));
    assert!(!ask(Some("nonsense"), &[]).is_empty());
}

#[test]
fn threads_help_and_end_together() {
    let mut engine = Engine::<Chess>::new(&Options { threads: 3, ..Options::default() });
    let result = engine.search(&Limits::nodes(60_000), &CLOCK, &Signals::new(), &mut |_| ());
    assert!(result.best.is_some());
    // Each thread looks at the sum every so often.
    assert!((60_000..70_000).contains(&result.nodes), "{}", result.nodes);
    engine.set_game(Some("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), &[]).expect("fen");
    assert_eq!(engine.search(&Limits::depth(5), &CLOCK, &Signals::new(), &mut |_| ()).score, Score::Mate(1));
    assert!(lateness(&mut engine) < Duration::from_millis(200));
}

/// A match judges openings with one engine again and again: what it found before must not matter.
#[test]
fn a_cleared_engine_searches_as_a_new_one_does() {
    let limits = Limits::nodes(4000);
    for variant in VariantId::all() {
        let mut used = engine_for(variant, &Options::default());
        for position in positions(variant, 4, 11) {
            let mut fresh = engine_for(variant, &Options::default());
            used.clear();
            let results = [&mut used, &mut fresh].map(|engine| {
                engine.set_game(Some(&position.fen()), &[]).expect("a legal position");
                engine.search(&limits, &CLOCK, &Signals::new(), &mut |_| ())
            });
            assert_eq!(results[0], results[1], "{variant}: {}", position.fen());
        }
    }
}

/// A search stopped before its first iteration knows nothing, least of all a mate.
#[test]
fn a_search_stopped_at_once_claims_no_mate() {
    let signals = Signals::new();
    signals.stop();
    for variant in VariantId::all() {
        let mut engine = engine_for(variant, &Options::default());
        let result = engine.search(&Limits::depth(20), &CLOCK, &signals, &mut |_| ());
        assert!(result.best.is_some() && matches!(result.score, Score::Cp(_)), "{variant}: {result:?}");
    }
}

#[test]
fn the_deepest_search_fits_in_a_small_stack() {
    // WebAssembly has a megabyte for all `MAX_PLY` plies: ten kilobytes a ply.
    const { assert!(MAX_PLY <= 100) };
    for variant in VariantId::all() {
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(move || {
            let mut engine = engine_for(variant, &Options::default());
            let mut deepest = 0;
            engine.search(&Limits::nodes(150_000), &CLOCK, &Signals::new(), &mut |info| {
                deepest = deepest.max(info.lines[0].seldepth);
            });
            deepest
        });
        let deepest = thread.expect("a thread").join().expect("no overflow");
        assert!(deepest >= 13, "{variant}: {deepest}");
    }
}
