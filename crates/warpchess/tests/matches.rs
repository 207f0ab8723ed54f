//! `warpchess match`, run as a program against programs.

mod scratch;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use warpchess_rules::notation::pgn::{Reader, Record};
use warpchess_rules::{EndReason, Game};

use scratch::Scratch;

const WARPCHESS: &str = env!("CARGO_BIN_EXE_warpchess");

fn run(arguments: &[&str]) -> Output {
    Command::new(WARPCHESS).arg("match").args(arguments).output().expect("the program")
}

/// The result as JSON of a match that is played to its end, and what was told on the way.
#[track_caller]
fn result(arguments: &[&str]) -> (Value, String) {
    let output = run(&[arguments, &["--json"]].concat());
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{told}");
    (serde_json::from_slice(&output.stdout).expect("JSON"), told)
}

/// What is said of a match that cannot be played.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    told
}

fn records(path: &str) -> Vec<Record> {
    let text = fs::read(path).expect("a file");
    Reader::new(&text[..]).map(|record| record.expect("a good game")).collect()
}

/// An engine of a few lines: greets as engines do, and answers `go` with `answer`.
fn shell(answer: &str) -> String {
    let script = format!(
        "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) {answer};; quit) exit;; esac; done"
    );
    assert!(!script.contains('"'));
    // Two quotes, since the command itself is parted at blanks.
    format!("name=shell cmd=\"sh -c '{script}'\"")
}

/// The same with options, which complains when it is given a book.
fn offers(answer: &str) -> String {
    let option = "echo option name Hash type spin default 16 min 1 max 64; echo option name Book type string";
    let complain = "case $rest in *Book*) echo info string error: no book 7;; esac";
    shell(answer)
        .replace("name=shell", "name=offers")
        .replace("uci) echo uciok", &format!("uci) {option}; echo uciok"))
        .replace("quit) exit", &format!("setoption) {complain};; quit) exit"))
}

#[test]
fn every_game_is_played_between_the_engine_built_in_and_its_own_program() {
    let scratch = Scratch::new();
    let program = format!("name=program cmd='{WARPCHESS} uci' option.Hash=1");
    for variant in warpchess_rules::VariantId::all() {
        let pgn = scratch.file(variant.id());
        let arguments = [variant.id(), "--second", &program, "--nodes", "150", "--games", "2", "--max-plies", "40"];
        let (result, told) = result(&[&arguments[..], &["--pgn", &pgn]].concat());
        assert_eq!(told, "", "{variant}");
        assert_eq!(result["faults"], serde_json::json!([0, 0]), "{variant}");
        let games = records(&pgn);
        assert_eq!(games.len(), 2);
        let [one, other] = &games[..] else { unreachable!() };
        assert_eq!(one.start.fen(), other.start.fen(), "a pair has one opening");
        assert_eq!(one.tags.get("White"), other.tags.get("Black"));
        for game in &games {
            assert_eq!(game.variant, variant);
            Game::from_record(game).expect("a legal game");
        }
    }
}

#[test]
fn the_stronger_wins_and_the_same_match_comes_out_the_same() {
    let arguments = ["chess", "--first", "level=3", "--second", "level=1", "--games", "6", "--concurrency", "2"];
    let (first, _) = result(&arguments);
    assert!(first["counts"]["wins"].as_u64() >= Some(5), "{first}");
    assert_eq!(result(&arguments).0, first);
}

#[test]
fn an_engine_that_plays_what_is_not_legal_loses_that_game() {
    let illegal = shell("echo bestmove e2e5");
    let (result, told) = result(&["chess", "--second", &illegal, "--nodes", "50", "--games", "2"]);
    assert_eq!(result["counts"]["wins"], 2);
    assert_eq!(result["faults"], serde_json::json!([0, 2]));
    assert!(told.contains("(shell against Warpchess): White played 'e2e5', which is no legal move"), "{told}");
}

#[test]
fn an_engine_that_dies_loses_and_is_started_again() {
    let dying = shell("echo out of luck >&2; exit 3");
    let (result, told) = result(&["chess", "--second", &dying, "--nodes", "50", "--games", "4"]);
    assert_eq!((&result["counts"]["wins"], &result["endings"]["died"]), (&4.into(), &4.into()));
    assert!(told.contains("White's program ended: exit status: 3; it said 'out of luck'"), "{told}");
}

#[test]
fn an_engine_that_gives_no_answer_loses_on_time() {
    // Deaf to `stop`, too, so that it has to be ended; one that stops when told loses by its clock.
    for (answer, ending) in [("exec sleep 30", "silent"), ("sleep 0.4; echo bestmove 0000", "time")] {
        let slow = shell(answer);
        let arguments = ["chess", "--first", &slow, "--second", "nodes=50", "--tc", "0.2", "--games", "2"];
        let (result, told) = result(&arguments);
        assert_eq!((&result["counts"]["losses"], &result["endings"][ending]), (&2.into(), &2.into()), "{told}");
    }
}

/// More games at a time than there are processors: moves come late by what the machine has else to do.
#[test]
fn the_engine_built_in_loses_no_game_on_time_on_a_busy_machine() {
    for limit in [["--movetime", "15"], ["--tc", "0.3+0.02"]] {
        let arguments = ["chess", "--games", "16", "--concurrency", "16", "--max-plies", "30", "--plies", "4"];
        let (result, told) = result(&[&arguments[..], &limit].concat());
        assert_eq!(result["faults"], serde_json::json!([0, 0]), "{limit:?}: {told}");
    }
}

#[test]
fn a_tied_match_is_told_without_infinities_and_without_a_sign_before_nought() {
    // Games of one ply are drawn.
    let output = run(&["chess", "--nodes", "1", "--games", "4", "--max-plies", "1"]);
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(told.contains("Elo       +0.0 ± ") && told.contains("unknown: all pairs came out alike"), "{told}");
    assert!(!told.contains('∞') && !told.contains("-0.0") && !told.contains("NaN"), "{told}");
}

#[test]
fn a_match_that_cannot_be_played_is_refused_in_one_line() {
    let cases: [(&[&str], &str); 19] = [
        (&["chess", "--games", "3"], "--games 3: an even number expected"),
        (&["chess", "--games", "-2"], "'-2' for '--games <N>': a whole number from 2 to 1000000 expected"),
        (&["chess", "--tc", "-1"], "'-1' for '--tc <TIME>': '-1' is no time control"),
        (&["chess", "--max-plies", "0"], "a whole number from 1 to 65535 expected"),
        (&["chess", "--win", "0:0"], "'0:0' is no rule"),
        (&["chess", "--first", "level=3 level=4"], "level a second time"),
        (&["chess", "--first", "param.foo=3"], "there is no parameter 'foo'"),
        (
            &["chess", "--second", &format!("{} option.Hash=0", offers("true"))],
            "option 'Hash': '0' is not a whole number from 1 to 64",
        ),
        (&["chess", "--second", &format!("{} option.hash=many", offers("true"))], "option 'Hash': 'many' is not"),
        (
            &["chess", "--second", &offers("true").replace("cmd=", "option.Book=none cmd=")],
            "offers: option 'Book': it said 'error: no book 7'",
        ),
        (&["chess", "--state", "/dev/zero"], "/dev/zero: a regular file expected"),
        (&["chess", "--tc", "soon"], "'soon' is no time control"),
        (&["chess", "--first", "level=11"], "level: '11' is not a level from 1 to 8"),
        (&["chess", "--first", "cmd=/no/such/engine"], "engine: '/no/such/engine' cannot be started"),
        (&["chess", "--second", "name=off cmd=false"], "off: it ended at once: exit status: 1"),
        (&["chess", "--sprt", "5:0"], "elo0 must be less than elo1"),
        (&["chess", "--draw", "40"], "'40' is no rule"),
        (&["teleport", "--second", &shell("true")], "shell: it does not play teleport: it has no option UCI_Variant"),
        (&["chess", "--second", &format!("{} option.Hush=1", shell("true"))], "shell: it has no option 'Hush'"),
    ];
    for (arguments, message) in cases {
        let told = refused(arguments);
        assert!(told.starts_with("error: ") && told.contains(message), "{arguments:?}: {told}");
    }
}

#[test]
fn a_match_goes_on_where_it_was_interrupted() {
    let scratch = Scratch::new();
    let (state, pgn, whole) = (scratch.file("state"), scratch.file("pgn"), scratch.file("whole"));
    let terms = ["teleport", "--first", "level=2", "--second", "level=1", "--seed", "9"];
    let with = |more: &[&str]| result(&[&terms[..], more].concat()).0;
    with(&["--games", "4", "--state", &state, "--pgn", &pgn]);
    // As after a fall: half a line of state, and a game in the PGN that was not counted.
    let text = fs::read_to_string(&state).expect("a state");
    let cut: String = text.lines().take(4).map(|line| format!("{line}\n")).collect();
    fs::write(&state, cut + &text.lines().last().expect("a line")[..20]).expect("a disk");
    let resumed = with(&["--games", "8", "--state", &state, "--pgn", &pgn]);
    assert_eq!(resumed, with(&["--games", "8", "--pgn", &whole]));
    let moves = |path: &str| -> Vec<Vec<String>> {
        records(path).iter().map(|game| game.moves().map(|m| m.to_string()).collect()).collect()
    };
    assert_eq!(moves(&pgn), moves(&whole));

    let other = refused(&["teleport", "--first", "level=3", "--second", "level=1", "--seed", "9", "--state", &state]);
    assert!(other.contains("this is the state of another match: the first engine was"), "{other}");
}

#[test]
fn a_sequential_test_ends_a_match_early() {
    let arguments = ["chess", "--first", "level=3", "--second", "level=1", "--games", "400", "--sprt", "0:200"];
    let (result, _) = result(&arguments);
    assert_eq!(result["sprt"]["verdict"], "h1", "{result}");
    let games = ["wins", "draws", "losses"].map(|word| result["counts"][word].as_u64().expect("a count"));
    assert!(games.iter().sum::<u64>() < 100, "{result}");
}

#[test]
fn games_are_claimed_adjudicated_and_told_in_pgn() {
    let scratch = Scratch::new();
    let pgn = scratch.file("pgn");
    let arguments = ["chess", "--first", "level=3", "--second", "level=1", "--games", "2", "--win", "3:400"];
    let (result, _) = result(&[&arguments[..], &["--pgn", &pgn]].concat());
    assert_eq!(result["endings"]["adjudicatedWin"], 2, "{result}");
    for game in records(&pgn) {
        assert_eq!(game.tags.get("Termination"), Some("adjudication"));
        let last = game.line.moves.last().expect("a move");
        assert!(last.comments.last().is_some_and(|c| c.ends_with("adjudicated: both saw it won")), "{last:?}");
        assert!(
            Game::from_record(&game).expect("legal moves").outcome().is_none_or(|o| o.reason == EndReason::Checkmate)
        );
    }
    assert!(Path::new(&pgn).is_file());
}

#[test]
fn records_and_state_are_never_one_file() {
    let scratch = Scratch::new();
    let file = scratch.file("both");
    fs::write(scratch.file("old"), "1. e4 *\n").expect("a disk");
    fs::hard_link(scratch.file("old"), scratch.file("hard")).expect("a link");
    for (pgn, state) in [("both", "both"), ("both", "./both"), ("old", "hard")] {
        let told = refused(&["chess", "--games", "2", "--pgn", &scratch.file(pgn), "--state", &scratch.file(state)]);
        assert!(told.contains("--state ") && told.contains("this is that of --pgn"), "{told}");
    }
    let engine = scratch.file("engine");
    fs::write(&engine, "#!/bin/sh\n").expect("a disk");
    let told = refused(&["chess", "--first", &format!("'cmd={engine}'"), "--pgn", &engine]);
    assert!(told.contains("this is that of --first"), "{told}");
    assert_eq!(fs::read_to_string(scratch.file("old")).expect("a file"), "1. e4 *\n");
    assert!(!Path::new(&file).exists());
}

#[test]
fn a_match_with_other_weights_is_another_match() {
    let scratch = Scratch::new();
    let (weights, state) = (scratch.file("weights"), scratch.file("state"));
    let first = format!("'weights={weights}'");
    let arguments = ["chess", "--first", &first, "--nodes", "1", "--max-plies", "2", "--games", "2", "--state", &state];
    fs::write(&weights, "chess\ttempo\t20\n").expect("a disk");
    result(&arguments);
    // A comment changes nothing.
    fs::write(&weights, "# by hand\nchess\ttempo\t20\n").expect("a disk");
    result(&arguments);
    fs::write(&weights, "chess\ttempo\t21\n").expect("a disk");
    let told = refused(&arguments);
    assert!(told.contains("the state of another match: the sum of the first engine's weights was"), "{told}");
}

#[test]
fn the_limits_that_are_told_are_those_that_were_played_by() {
    let arguments = ["chess", "--first", "depth=2", "--second", "depth=1", "--games", "2", "--max-plies", "4"];
    let (told, _) = result(&arguments);
    assert_eq!(told["controls"], serde_json::json!(["depth 2", "depth 1"]), "{told}");
    assert_eq!((&told["first"], &told["second"]), (&"Warpchess depth=2".into(), &"Warpchess depth=1".into()));
    let told = String::from_utf8(run(&arguments).stdout).expect("text");
    let line = "Warpchess depth=2 against Warpchess depth=1 in chess, depth 2 against depth 1\n";
    assert!(told.contains(line) && !told.contains("10+0.1"), "{told}");
}
