//! `warpchess selfplay`, `warpchess tune` and a match with what they made, run as programs.

mod scratch;

use std::fs;
use std::process::{Command, Output};

use scratch::Scratch;

const WARPCHESS: &str = env!("CARGO_BIN_EXE_warpchess");

fn run(arguments: &[&str]) -> Output {
    Command::new(WARPCHESS).args(arguments).output().expect("the program")
}

#[track_caller]
fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// What is said of input that cannot be used.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    told
}

fn selfplay<'a>(out: &'a str, games: &'a str) -> Vec<&'a str> {
    vec!["selfplay", "chess", "--games", games, "--nodes", "200", "--seed", "3", "--out", out]
}

#[test]
fn games_come_out_the_same_however_they_are_played() {
    let scratch = Scratch::new();
    let (whole, parts) = (scratch.file("whole"), scratch.file("parts"));
    assert_eq!(done(&[selfplay(&whole, "4"), vec!["--concurrency", "3"]].concat()), "");
    done(&selfplay(&parts, "2"));
    // Broken off in the middle of a game.
    let text = scratch.read("parts");
    scratch.write("parts", format!("{text}8/8/8/8/8/8/8/K6k w - - 0 1\t0."));
    done(&selfplay(&parts, "4"));
    assert_eq!(scratch.read("whole"), scratch.read("parts"));
    // All there is has been played.
    done(&selfplay(&parts, "4"));
    assert_eq!(scratch.read("whole"), scratch.read("parts"));
    let text = scratch.read("whole");
    assert_eq!(text.lines().next(), Some("# selfplay chess --nodes 200 --random 10 --seed 3"));
    assert_eq!(text.lines().last(), Some("# game 4"));
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        assert!(fields[0].split(' ').count() == 6 && ["1", "0.5", "0"].contains(&fields[1]), "{line}");
        assert!(fields[2].parse::<i32>().is_ok(), "{line}");
    }
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let scratch = Scratch::new();
    for content in
        [&b"my notes\n"[..], b"my notes", b"# selfplay chess --nodes 999 --random 10 --seed 3\n", b"\xff\xfe\x00"]
    {
        let path = scratch.write("notes", content);
        assert!(refused(&selfplay(&path, "1")).contains("nothing was changed"));
        assert_eq!(fs::read(&path).expect("a file"), content);
    }
}

#[test]
fn fitting_lessens_the_error_and_a_match_is_played_with_what_it_found() {
    let scratch = Scratch::new();
    let (games, numbers) = (scratch.file("games"), scratch.file("numbers"));
    done(&selfplay(&games, "8"));
    let told = done(&["tune", "chess", "--in", &games, "--out", &numbers, "--rounds", "1"]);
    let error = |name: &str| -> f64 {
        let line = told.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name} in {told}"));
        line.split_whitespace().last().and_then(|n| n.parse().ok()).expect("a number")
    };
    assert!(error("error after") < error("error before"), "{told}");
    let text = scratch.read("numbers");
    assert!(text.starts_with("# tune chess --rounds 1: "), "{text}");
    assert!(text.lines().skip(1).all(|line| line.starts_with("chess\t")), "{text}");
    let first = format!("name=new 'weights={numbers}'");
    let report = done(&["match", "chess", "--first", &first, "--nodes", "100", "--games", "2"]);
    assert!(report.contains("new against Warpchess in chess"), "{report}");
    // Games can be played with it, too, and are other games.
    let other = scratch.file("other");
    done(&[selfplay(&other, "1"), vec!["--weights", &numbers]].concat());
    assert!(scratch.read("other").lines().next().is_some_and(|line| line.contains("--weights of ")));
}

#[test]
fn bad_input_is_named_with_its_line() {
    let scratch = Scratch::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let good = scratch.write("good", format!("# a comment\n{start}\t1\t20\n"));
    let bad = scratch.write("bad", format!("{start}\t1\t20\n\n{start}\twon\t20\n"));
    let out = scratch.file("out");
    let tune = |files: &[&str]| -> String {
        let files = files.iter().flat_map(|file| ["--in", file]);
        refused(&[vec!["tune", "chess", "--out", &out], files.collect()].concat())
    };
    assert!(tune(&[&bad]).contains("bad', line 3: chess: 'won', a result for White of 1, 0.5 or 0 expected"));
    assert!(tune(&[&good, &bad]).contains("bad', line 3: "));
    let fen = scratch.write("fen", "8/8/8/8/8/8/8/8 w - - 0 1\t1\t0\n");
    assert!(tune(&[&fen]).contains("line 1: chess: "));
    let none = scratch.write("none", "# nothing\n");
    assert!(tune(&[&none]).contains("none': no positions"));
    assert!(tune(&["nowhere"]).contains("cannot read 'nowhere'"));
    assert!(tune(&[&scratch.write("bytes", b"\xff\xfe")]).contains("cannot read"));
    assert!(!scratch.path().join("out").exists(), "nothing was fitted");
    let numbers = scratch.write("numbers", "chess\ttempo\tfast\n");
    let told = refused(&["tune", "chess", "--in", &good, "--out", &out, "--weights", &numbers]);
    assert!(told.contains("numbers', line 1: 'fast' for tempo"), "{told}");
    let told = refused(&["match", "chess", "--first", &format!("'weights={numbers}'"), "--games", "2"]);
    assert!(told.contains("line 1: 'fast' for tempo"), "{told}");
}

#[test]
fn no_file_is_written_over_what_it_is_made_of() {
    let scratch = Scratch::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t1\t20\n";
    let numbers = "chess\ttempo\t20\n";
    let (games, weights) = (scratch.write("games", start), scratch.write("weights", numbers));
    fs::hard_link(&games, scratch.file("hard")).expect("a link");
    for out in ["games", "./games", "hard"] {
        let told = refused(&["tune", "chess", "--in", &games, "--out", &scratch.file(out)]);
        assert!(told.contains("--out ") && told.contains("this is that of --in"), "{told}");
    }
    let told = refused(&["tune", "chess", "--in", &games, "--weights", &weights, "--out", &weights]);
    assert!(told.contains("this is that of --weights"), "{told}");
    let told = refused(&["selfplay", "chess", "--games", "1", "--weights", &weights, "--out", &weights]);
    assert!(told.contains("this is that of --weights"), "{told}");
    for output in ["--pgn", "--state"] {
        let first = format!("'weights={weights}'");
        let told = refused(&["match", "chess", "--games", "2", "--first", &first, output, &weights]);
        assert!(told.contains("this is that of --first"), "{told}");
    }
    assert_eq!((scratch.read("games").as_str(), scratch.read("weights").as_str()), (start, numbers));
}

#[test]
fn positions_of_another_game_are_not_fitted() {
    let scratch = Scratch::new();
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t1\t20\n";
    let games = scratch.write("games", format!("# selfplay teleport --nodes 9 --random 1 --seed 1\n{line}"));
    let out = scratch.file("out");
    let told = refused(&["tune", "chess", "--in", &games, "--out", &out]);
    assert!(told.contains("games', line 1: positions of 'teleport', of 'chess' expected"), "{told}");
    done(&["tune", "teleport", "--in", &games, "--out", &out, "--rounds", "1"]);
    // What does not tell is believed.
    done(&["tune", "chess", "--in", &scratch.write("plain", line), "--out", &out, "--rounds", "1"]);
}

#[test]
fn numbers_that_say_nothing_of_the_game_are_refused() {
    let scratch = Scratch::new();
    let out = scratch.file("out");
    let games = scratch.write("games", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t1\t20\n");
    for content in ["", "# nothing\n", "teleport\ttempo\t20\n"] {
        let weights = scratch.write("weights", content);
        for arguments in [
            &["match", "chess", "--games", "2", "--first", &format!("'weights={weights}'")][..],
            &["selfplay", "chess", "--games", "1", "--weights", &weights, "--out", &out],
            &["tune", "chess", "--in", &games, "--weights", &weights, "--out", &out],
        ] {
            let told = refused(arguments);
            assert!(told.contains("weights' has no number for chess"), "{told}");
        }
    }
    assert!(!scratch.path().join("out").exists());
}

#[cfg(unix)]
#[test]
fn a_fit_that_is_broken_off_leaves_the_file_as_it_was() {
    let scratch = Scratch::new();
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t1\t20\n";
    let games = scratch.write("games", line.repeat(200_000));
    scratch.write("old", "of before");
    for (out, content) in [("new", None), ("old", Some("of before"))] {
        let mut child = Command::new(WARPCHESS)
            .args(["tune", "chess", "--in", &games, "--out", &scratch.file(out), "--rounds", "1000"])
            .spawn()
            .expect("the program");
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(child.try_wait().expect("a state").is_none(), "it works for long");
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert_eq!(fs::read_to_string(scratch.path().join(out)).ok().as_deref(), content);
    }
}

/// Also when it is known only after the work: a file that cannot be written is bad input.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_ends_every_command_alike() {
    let scratch = Scratch::new();
    let games = scratch.write("games", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t1\t20\n");
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let commands: [(&[&str], &str); 7] = [
        (&["tune", "chess", "--in", &games, "--rounds", "1"], "--out"),
        (&["selfplay", "chess", "--games", "1", "--nodes", "50"], "--out"),
        (&["match", "chess", "--games", "2", "--nodes", "1", "--max-plies", "2"], "--pgn"),
        (&["match", "chess", "--games", "2", "--nodes", "1", "--max-plies", "2"], "--state"),
        (&["lab", "chess", "--games", "1", "--nodes", "1", "--max-plies", "2"], "--svg"),
        (&["solve", "chess", fen, "--mate", "2"], "--pgn"),
        (&["show", "chess"], "--svg"),
    ];
    for (command, argument) in commands {
        for file in ["/dev/full", "/no/such/folder/file"] {
            let output = run(&[command, &[argument, file]].concat());
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{command:?} {argument} {file}: {told}");
            assert!(told.contains(file), "{told}");
        }
    }
}
