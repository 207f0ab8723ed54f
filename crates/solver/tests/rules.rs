//! What a mate is in each game, what limits and options do, and what a solution tells.

use std::collections::HashSet;
use warpchess_engine::{NodeClock, Signals};
use warpchess_rules::notation::pgn;
use warpchess_rules::variants::VariantVisitor;
use warpchess_rules::{Position, VariantId};
use warpchess_solver::{Defence, Keys, Limits, MAX_MOVES, Options, ProblemError, Solution, Verdict, record, solve};

const CLOCK: NodeClock = NodeClock { per_second: 1_000_000 };

struct Ask<'a> {
    fen: &'a str,
    moves: u32,
    options: &'a Options,
}

impl VariantVisitor for Ask<'_> {
    type Output = Result<Solution, ProblemError>;
    fn visit<P: Position>(self) -> Self::Output {
        let position = P::from_fen(self.fen).unwrap_or_else(|e| panic!("{}: {e}", self.fen));
        solve(&position, self.moves, self.options, &CLOCK, &Signals::new())
    }
}

fn game(id: &str) -> VariantId {
    id.parse().expect("a game")
}

fn ask(id: &str, fen: &str, moves: u32, options: &Options) -> Result<Solution, ProblemError> {
    game(id).visit(Ask { fen, moves, options })
}

fn solved(id: &str, fen: &str, moves: u32, options: &Options) -> Solution {
    ask(id, fen, moves, options).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// The length of the shortest mate and its keys.
fn mate(id: &str, fen: &str, moves: u32) -> (Option<u32>, String) {
    let solution = solved(id, fen, moves, &Options::default());
    let keys: Vec<String> = solution.keys.iter().map(|key| key.m.to_string()).collect();
    match solution.verdict {
        Verdict::Mate { moves, shortest: true } => (Some(moves), keys.join(" ")),
        Verdict::NoMate => (None, keys.join(" ")),
        verdict => panic!("{fen}: {verdict:?}"),
    }
}

const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

#[test]
fn stalemate_and_insufficient_material_are_no_mate() {
    assert_eq!(mate("chess", "k7/P7/1K6/8/8/8/8/8 w - - 0 1", 3), (None, String::new()));
    // The king is shut in, but the pawn has moves.
    assert_eq!(mate("chess", "7k/7p/5K2/8/4N3/8/8/8 w - - 0 1", 2), (None, String::new()));
}

#[test]
fn moves_that_were_played_before_the_problem_do_not_count() {
    let keys = "f6f7 f6g6".to_owned();
    assert_eq!(mate("chess", "7k/8/5K2/8/8/8/8/R7 w - - 99 80", 2), (Some(2), keys));
    assert_eq!(mate("chess", "7k/8/5K2/8/8/8/8/R7 w - - 149 80", 2).0, Some(2));
    // Not even where a game is drawn at once by them.
    assert_eq!(mate("pocketmutation", "7k/8/5K2/8/8/8/8/R7[] w - - 99 80", 2).0, Some(2));
    assert_eq!(mate("pocketmutation", "7k/8/5K2/8/8/8/8/R7[] w - - 100 80", 2).0, Some(2));
}

#[test]
fn a_swap_can_mate() {
    let fen = "N5k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    assert_eq!(mate("teleport", fen, 1), (Some(1), "a1a8".into()));
    assert_eq!(mate("chess", fen, 1), (None, String::new()));
}

#[test]
fn a_drop_can_mate() {
    assert_eq!(mate("pocketmutation", "6rk/6pp/8/8/8/8/8/6K1[N] w - - 0 2", 1), (Some(1), "N@f7".into()));
    // The pocket is Black's.
    assert_eq!(mate("pocketmutation", "6rk/6pp/8/8/8/8/8/6K1[n] w - - 0 2", 1).0, None);
}

#[test]
fn a_way_through_a_portal_can_mate() {
    // On a8 the rook would give no check: the portal on b8 is in its way.
    assert_eq!(mate("porthole", "6k1/5ppp/8/8/8/8/8/R5K1 w - - b1b8 0 1", 1), (Some(1), "a1b1b8".into()));
}

#[test]
fn a_king_destroyed_is_a_king_mated() {
    // White's own king is attacked, which the black hole makes up for; there is no check before it.
    assert_eq!(mate("portalduel", "4r3/8/8/3k4/8/8/8/4K3 w - - c3c4 0 1", 1), (Some(1), "Oc3c4".into()));
}

#[test]
fn a_black_hole_may_not_take_the_mover_along() {
    assert_eq!(mate("portalduel", "8/8/8/2k5/8/2K5/8/8 w - - d3d4 0 1", 1).0, None);
}

#[test]
fn turns_in_both_areas_are_moves_of_the_attacker() {
    // Black's declared king is lifted off by White's teleport and would land beside the rook on h4: White's only turn.
    let fen = "8/8/8/8/k7/8/8/6K1|8/8/8/8/R6R/8/8/8 w A -|- -|- a4/a4 2 3";
    assert_eq!(mate("twinportal", fen, 1), (Some(1), "0000".into()));
}

#[test]
fn the_side_to_move_may_be_black() {
    assert_eq!(mate("chess", "7K/8/5k2/8/8/8/8/r7 b - - 0 1", 2), (Some(2), "f6f7 f6g6".into()));
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    for moves in [0, MAX_MOVES + 1, 256, 257, u32::MAX] {
        assert_eq!(ask("chess", MORPHY, moves, &Options::default()), Err(ProblemError::Moves(moves)));
    }
    for over in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "k7/P7/K7/8/8/8/8/8 b - - 0 1", "k7/8/K7/8/8/8/8/8 w - - 0 1"] {
        let answer = ask("chess", over, 2, &Options::default());
        assert!(matches!(answer, Err(ProblemError::Over(_))), "{over}: {answer:?}");
    }
    let options = Options { hash: usize::MAX, ..Options::default() };
    assert_eq!(ask("chess", MORPHY, 2, &options), Err(ProblemError::Memory(usize::MAX)));
}

#[test]
fn the_longest_question_is_answered_or_given_up() {
    for variant in VariantId::all() {
        let options = Options { limits: Limits { nodes: Some(20_000), time: None }, hash: 1, ..Options::default() };
        let fen = variant.info().start_fen;
        let solution = variant.visit(Ask { fen, moves: MAX_MOVES, options: &options }).expect("a good question");
        assert_eq!(solution.verdict, Verdict::Undecided, "{variant}");
        assert!(solution.keys.is_empty() && !solution.complete, "{variant}");
    }
}

#[test]
fn limits_may_hide_the_truth_but_never_change_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/mates.tsv");
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    for (i, line) in text.lines().enumerate() {
        let [id, fen, moves] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let moves: u32 = moves.parse().expect("a number");
        let whole: HashSet<_> = solved(id, fen, moves, &Options::default()).keys.iter().map(|key| key.m).collect();
        for nodes in [1, 2 + i as u64, 40 + 7 * i as u64, 300 + 41 * i as u64] {
            let limits = Limits { nodes: Some(nodes), time: None };
            let options = Options { limits, hash: 0, tree: true, tries: 3, ..Options::default() };
            let solution = solved(id, fen, moves, &options);
            assert!(solution.nodes <= nodes, "{line}: {} of {nodes} nodes", solution.nodes);
            match solution.verdict {
                Verdict::Mate { moves: found, .. } => assert_eq!(found, moves, "{line}: {nodes} nodes"),
                Verdict::NoMate => panic!("{line}: refuted in {nodes} nodes"),
                Verdict::Undecided => assert!(!solution.complete, "{line}"),
            }
            assert!(solution.keys.iter().all(|key| whole.contains(&key.m)), "{line}: {nodes} nodes");
            assert!(!solution.all_keys || solution.keys.len() == whole.len(), "{line}: {nodes} nodes");
        }
    }
}

#[test]
fn a_stop_ends_the_search() {
    let signals = Signals::new();
    signals.stop();
    let position = warpchess_rules::variants::Chess::start();
    let solution = solve(&position, 20, &Options::default(), &CLOCK, &signals).expect("a good question");
    assert_eq!(solution.verdict, Verdict::Undecided);
}

#[test]
fn a_short_mate_is_told_and_longer_ways_only_on_request() {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    assert_eq!(mate("chess", fen, 3), (Some(1), "a1a8".into()));
    let all = solved("chess", fen, 2, &Options { keys: Keys::All, ..Options::default() });
    assert_eq!(all.verdict, Verdict::Mate { moves: 1, shortest: true });
    let lengths: Vec<u32> = all.keys.iter().map(|key| key.mate).collect();
    assert!(lengths.contains(&2) && lengths.is_sorted(), "{lengths:?}");
    let first = solved("chess", MORPHY, 2, &Options { keys: Keys::First, ..Options::default() });
    assert_eq!(first.verdict, Verdict::Mate { moves: 2, shortest: false });
    assert!(!first.all_keys && first.keys.len() == 1);
}

/// Every legal defence is there, and every answer leads to mate in as many moves as told.
fn check_tree<P: Position>(position: &P, tree: &[Defence], moves: u32) -> usize {
    let mut legal: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    legal.sort();
    assert_eq!(tree.iter().map(|defence| defence.m.to_string()).collect::<Vec<_>>(), legal);
    let mut count = 0;
    for defence in tree {
        let after = position.after(defence.m);
        assert!((1..=moves).contains(&defence.mate));
        let options = Options { tree: false, hash: 1, ..Options::default() };
        let solution = solve(&after, moves, &options, &CLOCK, &Signals::new()).expect("a game that goes on");
        assert_eq!(solution.verdict, Verdict::Mate { moves: defence.mate, shortest: true });
        let answers: Vec<_> = defence.answers.iter().map(|answer| answer.m).collect();
        assert_eq!(answers, solution.keys.iter().map(|key| key.m).collect::<Vec<_>>());
        assert_eq!(defence.is_dual(), answers.len() > 1);
        count += 1;
        let first = &defence.answers[0];
        if defence.mate > 1 {
            count += check_tree(&after.after(first.m), &first.defences, defence.mate - 1);
        } else {
            assert!(first.defences.is_empty());
        }
    }
    count
}

struct CheckTree<'a>(&'a str, &'a Solution);

impl VariantVisitor for CheckTree<'_> {
    type Output = usize;
    fn visit<P: Position>(self) -> usize {
        let position = P::from_fen(self.0).expect("a good FEN");
        let mates = self.1.keys.iter().filter(|key| key.mate > 1);
        mates.map(|key| check_tree(&position.after(key.m), &key.tree, key.mate - 1)).sum()
    }
}

#[test]
fn trees_hold_every_defence_and_every_answer_and_are_written_as_pgn() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/mates.tsv");
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let options = Options { tree: true, tries: 2, ..Options::default() };
    let mut defences = 0;
    for line in text.lines().step_by(5).chain([format!("chess\t{MORPHY}\t2").as_str()]) {
        let [id, fen, moves] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let moves = moves.parse().expect("a number");
        let solution = solved(id, fen, moves, &options);
        assert!(solution.complete, "{line}");
        defences += game(id).visit(CheckTree(fen, &solution));
        let start = game(id).from_fen(fen).expect("a good FEN");
        let record = record(game(id), &*start, &solution);
        let written = pgn::write(&record).unwrap_or_else(|e| panic!("{line}: {e}"));
        let read = pgn::Reader::new(written.as_bytes()).next().expect("a game");
        let read = read.unwrap_or_else(|e| panic!("{line}: {e}\n{written}"));
        assert_eq!(read.line.total_moves(), record.line.total_moves(), "{line}");
        assert_ne!(read.score, pgn::Score::Unknown, "{line}");
    }
    assert!(defences > 100, "{defences}");
}

#[test]
fn a_tree_that_grows_too_big_is_cut_and_said_to_be() {
    let solution = solved("chess", MORPHY, 2, &Options { tree: true, tree_moves: 5, ..Options::default() });
    assert!(!solution.complete && solution.all_keys);
}

#[test]
fn tries_fail_to_exactly_the_defences_told() {
    let position = warpchess_rules::variants::Chess::from_fen(MORPHY).expect("a good FEN");
    let options = Options { tries: 2, ..Options::default() };
    let solution = solve(&position, 2, &options, &CLOCK, &Signals::new()).expect("a good question");
    let told: Vec<String> = solution
        .tries
        .iter()
        .map(|t| format!("{} {}", t.m, t.refutations.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")))
        .collect();
    assert_eq!(told, ["a1a2 a7a5 a7a6", "a1a3 a7a5 a7a6", "a1a4 a7a5 a7a6", "a1a5 a7a6"]);
    let one = solve(&position, 2, &Options { tries: 1, ..options }, &CLOCK, &Signals::new()).expect("a good question");
    assert_eq!(one.tries.len(), 1);
}
