//! `warpchess solve`: what it prints, where, and how it ends.

mod scratch;

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use scratch::Scratch;

const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

fn solve_with(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpchess"))
        .arg("solve")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.as_ref().to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("written");
    output
}

/// Exit code and standard output.
fn solve(args: &[&str]) -> (i32, String) {
    let output = solve_with(args, "");
    (output.status.code().expect("no signal"), String::from_utf8(output.stdout).expect("UTF-8"))
}

fn json(args: &[&str]) -> serde_json::Value {
    let text = solve(&[args, &["--json"]].concat()).1;
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"))
}

#[test]
fn output_begins_with_the_keys_in_uci_and_san() {
    let (code, text) = solve(&["chess", MORPHY, "--mate", "2"]);
    assert_eq!((code, text.as_str()), (0, "a1a6 Ra6\nmate in 2, one key\n"));
    let (code, text) = solve(&["chess", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", "--mate", "2"]);
    assert_eq!((code, text.as_str()), (0, "f6f7 Kf7\nf6g6 Kg6\nmate in 2, cooked: 2 keys\n"));
    let (code, text) = solve(&["portalduel", "4r3/8/8/3k4/8/8/8/4K3 w - - c3c4 0 1", "--mate", "1"]);
    assert_eq!((code, text.as_str()), (0, "Oc3c4 Oc4#\nmate in 1, one key\n"));
}

#[test]
fn a_short_mate_is_flagged() {
    let (code, text) = solve(&["chess", MORPHY, "--mate", "4"]);
    assert_eq!((code, text.as_str()), (0, "a1a6 Ra6\nshort mate: mate in 2 instead of 4, one key\n"));
}

#[test]
fn no_mate_and_not_decided_have_their_own_exit_codes() {
    let (code, text) = solve(&["chess", MORPHY, "--mate", "1"]);
    assert_eq!((code, text.as_str()), (1, "no mate in 1\n"));
    let (code, text) = solve(&["chess", "-", "--mate", "9", "--nodes", "1000"]);
    assert_eq!(code, 3);
    assert!(text.starts_with("not decided "), "{text}");
    let (code, _) = solve(&["teleport", "startpos", "--mate", "9", "--time", "0.05"]);
    assert_eq!(code, 3);
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (args, word) in [
        (&["chess", "8/8", "--mate", "2"][..], "placement"),
        (&["chess", MORPHY, "--mate", "0"], "from 1 to 100"),
        (&["chess", MORPHY, "--mate", "4294967295"], "from 1 to 100"),
        (&["chess", MORPHY, "--mate", "99999999999"], "--mate"),
        (&["chess", MORPHY, "--mate", "-1"], "'-1' for '--mate <N>': a whole number from 1 to 100 expected"),
        (&["chess", MORPHY, "--mate", "2", "--nodes", "-5"], "'-5' for '--nodes <N>': a whole number from 1 to"),
        (&["chess", MORPHY], "--mate"),
        (&["chess", "--mate", "2"], "FEN"),
        (&["draughts", MORPHY, "--mate", "2"], "draughts"),
        (&["chess", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "--mate", "2"], "the game is over"),
        (&["chess", MORPHY, "--mate", "2", "--time", "0"], "seconds"),
        (&["chess", MORPHY, "--mate", "2", "--time", "nan"], "seconds"),
        (&["chess", MORPHY, "--mate", "2", "--nodes", "0"], "--nodes"),
        (&["chess", MORPHY, "--mate", "2", "--pgn", "/no/such/folder/x.pgn"], "/no/such/folder"),
        (&["chess", "--file", "/no/such/file"], "/no/such/file"),
    ] {
        let output = solve_with(args, "");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(word) && told.lines().count() == 1, "{args:?}: '{word}' expected in {told}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn tree_and_tries_are_printed_on_request() {
    let (_, text) = solve(&["chess", MORPHY, "--mate", "2", "--tree", "--tries"]);
    let expected = "a1a6 Ra6\nmate in 2, one key\ntry: a1a5 Ra5? a6!\n\n1. Ra6!\n   1... bxa6  2. b7#\n   \
                    1... Bc7, Bd6, Be5, Bf4, Bg3, Bh2  2. Rxa7#\n";
    assert_eq!(text, expected);
    let (_, text) = solve(&["chess", "4k3/8/2p3p1/1p6/8/pn6/2K5/5q2 b - - 3 48", "--mate", "2", "--tree"]);
    let expected = "f1e2 Qe2+\nmate in 2, one key, a dual after 1 defence\n\n1. Qe2+!\n   1... Kb1  2. a2# / Qb2# (dual)\n   \
                    1... Kxb3  2. Qb2#\n   1... Kc3  2. Qc4#\n";
    assert_eq!(text, expected);
    let (_, text) = solve(&["chess", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "--mate", "2", "--all-keys"]);
    assert!(text.starts_with("a1a8 Ra8#\n") && text.contains(" (mate in 2)\n"), "{text}");
}

#[test]
fn json_holds_everything() {
    let value = json(&["chess", MORPHY, "--mate", "2", "--tree", "--tries", "2"]);
    assert_eq!(value["verdict"], "mate");
    assert_eq!((value["mate"].as_u64(), value["shortest"].as_bool()), (Some(2), Some(true)));
    assert_eq!(value["keys"][0]["uci"], "a1a6");
    assert_eq!(value["keys"][0]["san"], "Ra6");
    assert_eq!(value["keys"][0]["tree"].as_array().map(Vec::len), Some(7));
    assert_eq!(value["keys"][0]["tree"][0]["answers"][0]["san"], "b7#");
    assert_eq!(value["tries"][3]["refutations"][0]["san"], "a6");
    assert!(value["nodes"].is_u64() && value["seconds"].is_f64() && value["found"]["nodes"].is_u64());
    assert_eq!(json(&["chess", MORPHY, "--mate", "1"])["verdict"], "noMate");
    assert_eq!(json(&["chess", "-", "--mate", "9", "--nodes", "99"])["verdict"], "undecided");
}

#[test]
fn the_pgn_is_one_that_pgn_check_accepts() {
    let file = std::env::temp_dir().join(format!("warpchess-solve-{}.pgn", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    for (args, code) in [
        (&["chess", MORPHY, "--mate", "2", "--tries", "3"][..], 0),
        (&["chess", MORPHY, "--mate", "1"], 1),
        (&["pocketmutation", "7k/8/5K2/8/8/8/8/R7[] w - - 0 2", "--mate", "2"], 0),
    ] {
        assert_eq!(solve(&[args, &["--pgn", path]].concat()).0, code, "{args:?}");
        let check = Command::new(env!("CARGO_BIN_EXE_warpchess")).args(["pgn", "check", path]).output();
        let check = check.expect("the program starts");
        let told = String::from_utf8_lossy(&check.stdout).into_owned();
        assert_eq!((check.status.code(), told.as_str()), (Some(0), "1 games, 1 good, 0 bad\n"), "{args:?}");
    }
    std::fs::remove_file(&file).expect("it was written");
}

#[test]
fn a_file_is_solved_line_by_line_and_ends_like_its_worst_line() {
    let good = "# a comment\nkbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"Morphy\";\n\n";
    let run = |text: &str| {
        let output = solve_with(&["chess", "--file", "-", "--nodes", "3000"], text);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(run(good), (Some(0), "Morphy\tmate in 2, one key\ta1a6 Ra6\n".into()));
    let none = format!("{good}{MORPHY}; mate 1\n");
    assert_eq!(run(&none), (Some(1), "Morphy\tmate in 2, one key\ta1a6 Ra6\n4\tno mate in 1\t\n".into()));
    let open = format!("{none}rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - dm 9;\n");
    assert_eq!(run(&open).0, Some(3));
    for empty in ["", "\n# nothing\n"] {
        let output = solve_with(&["chess", "--file", "-"], empty);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("-: no problem in it"));
    }
    for bad in ["8/8 w - - dm 2;", "kbK5/pp6/1P6/8/8/8/8/R7 w - -", "kbK5/pp6/1P6/8/8/8/8/R7 w - - dm two;"] {
        let output = solve_with(&["chess", "--file", "-", "--nodes", "3000"], format!("{open}{bad}\n"));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("-:6: "), "{told}");
    }
}

#[test]
fn lines_that_are_no_problem_are_told_by_what_is_wrong_with_them() {
    for (line, told) in [
        (&b"7k/5Q2/6K1/8/8/8/8/8 b - - dm 2;"[..], "the game is over (stalemate)"),
        (b"7k/5Q2/6K1/8/8/8/8 b - - dm 2;", "placement"),
        (b"kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"a; c0 1;", "a \" is not closed"),
        (b"kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"\xff\";", "not UTF-8"),
    ] {
        let text = [&b"# the first line\n"[..], line, b"\nkbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"a;b\";\n"].concat();
        let output = solve_with(&["chess", "--file", "-"], text);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.starts_with("-:2: ") && error.contains(told) && error.lines().count() == 1, "{told}: {error}");
        // The others are solved all the same.
        assert_eq!(String::from_utf8_lossy(&output.stdout), "a;b\tmate in 2, one key\ta1a6 Ra6\n");
    }
}

#[test]
fn trees_and_tries_of_a_file_are_printed_too() {
    let output = solve_with(&["chess", "--file", "-", "--tree", "--tries"], format!("{MORPHY} dm 2;\n"));
    let expected = "1\tmate in 2, one key\ta1a6 Ra6\ntry: a1a5 Ra5? a6!\n\n1. Ra6!\n   1... bxa6  2. b7#\n   \
                    1... Bc7, Bd6, Be5, Bf4, Bg3, Bh2  2. Rxa7#\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn problems_are_never_written_over() {
    let scratch = Scratch::new();
    let file = scratch.file("g.epd");
    let text = format!("{MORPHY} dm 2;\n");
    fs::write(&file, &text).expect("a disk");
    fs::hard_link(&file, scratch.file("hard")).expect("a link");
    for pgn in [file.clone(), scratch.file("./g.epd"), scratch.file("hard")] {
        let output = solve_with(&["chess", "--file", &file, "--pgn", &pgn], "");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("--pgn ") && told.contains("this is that of --file"), "{told}");
        assert_eq!(fs::read_to_string(&file).expect("a file"), text);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_solution_is_told_although_it_cannot_be_written() {
    for args in [&["chess", MORPHY, "--mate", "2"][..], &["chess", "--file", "-"]] {
        let output = solve_with(&[args, &["--pgn", "/dev/full"]].concat(), format!("{MORPHY} dm 2;\n"));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("--pgn /dev/full: cannot be written: "), "{told}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("mate in 2, one key"), "{told}");
    }
}

#[test]
fn a_record_of_before_is_kept_until_there_is_another() {
    let scratch = Scratch::new();
    let pgn = scratch.file("pgn");
    fs::write(&pgn, "of before").expect("a disk");
    assert_eq!(solve(&["chess", "8/8", "--mate", "2", "--pgn", &pgn]).0, 2);
    assert_eq!(solve_with(&["chess", "--file", "-", "--pgn", &pgn], "8/8 dm 2\n").status.code(), Some(2));
    assert_eq!(fs::read_to_string(&pgn).expect("a file"), "of before");
    assert_eq!(solve(&["chess", MORPHY, "--mate", "2", "--pgn", &pgn]).0, 0);
    assert!(fs::read_to_string(&pgn).expect("a file").starts_with("[Event "));
    assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 1, "nothing else is left beside it");
}

#[test]
fn games_of_a_file_are_there_as_soon_as_they_are_solved() {
    let scratch = Scratch::new();
    let pgn = scratch.file("pgn");
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpchess"))
        .args(["solve", "chess", "--file", "-", "--pgn", &pgn])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // No limit: the second is not solved while we wait.
    writeln!(stdin, "{MORPHY}; mate 2\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - dm 30;").expect("it reads");
    while !fs::read_to_string(&pgn).is_ok_and(|text| text.contains("Rxa7#")) {
        assert!(child.try_wait().expect("a state").is_none(), "it has ended without a game");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}
