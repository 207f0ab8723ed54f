//! `warpchess lab`, run as a program.

mod scratch;

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use scratch::Scratch;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpchess")).arg("lab").args(arguments).output().expect("the program")
}

#[track_caller]
fn text(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "progress is for terminals");
    String::from_utf8(output.stdout).expect("text")
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const QUICK: [&str; 6] = ["--games", "3", "--nodes", "60", "--max-plies", "60"];

#[test]
fn every_game_is_measured_and_told_as_a_table() {
    for variant in warpchess_rules::VariantId::all() {
        let table = text(run(&[&[variant.id()], &QUICK[..]].concat()));
        for part in ["3 games, 60 nodes a move, seed 1", "White scores", "Endings", "Legal moves", "Lead changes"] {
            assert!(table.contains(part), "{variant}: {part}\n{table}");
        }
        assert_eq!(
            table.contains("What is special decides"),
            variant
                .info()
                .kinds
                .iter()
                .any(|kind| { !["normal", "promotion", "enPassant", "castle"].contains(&kind.name()) })
        );
    }
}

#[test]
fn json_goes_to_a_file_beside_the_table_or_alone_to_standard_output() {
    let scratch = Scratch::new();
    let file = scratch.file("report.json");
    let arguments = |json| [&["teleport"], &QUICK[..], &["--json", json]].concat();
    let alone: Value = serde_json::from_str(&text(run(&arguments("-")))).expect("JSON alone");
    assert!(text(run(&arguments(&file))).contains("White scores"));
    let beside: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
    assert_eq!(alone, beside, "the same seed, the same numbers");
    assert_eq!(alone["games"], 3);
}

#[test]
fn picture_games_and_state_are_written_and_gone_on_from() {
    let scratch = Scratch::new();
    let (svg, pgn, state) = (scratch.file("chart.svg"), scratch.file("games.pgn"), scratch.file("state"));
    let files = ["--svg", &svg, "--pgn", &pgn, "--state", &state];
    let first = text(run(&[&["porthole"], &QUICK[..], &files].concat()));
    assert_eq!(first, text(run(&[&["porthole"], &QUICK[..], &files].concat())), "nothing is played twice");
    assert!(fs::read_to_string(&svg).expect("a picture").starts_with("<svg"));
    assert_eq!(fs::read_to_string(&pgn).expect("games").matches("[Round ").count(), 3);
}

#[test]
fn what_cannot_be_measured_is_refused_in_one_line_before_a_game_is_played() {
    let scratch = Scratch::new();
    let file = scratch.file("file");
    fs::write(scratch.file("poem"), "Roses are red\n").expect("a disk");
    fs::hard_link(scratch.file("poem"), scratch.file("linked")).expect("a link");
    let linked = scratch.file("linked");
    let (poem, nowhere) = (scratch.file("poem"), scratch.file("no/such/folder.svg"));
    let cases: [(&[&str], &str); 17] = [
        (&["checkers"], "unknown variant 'checkers'"),
        (&["chess", "--games", "0"], "a whole number from 1 to 1000000 expected"),
        (&["chess", "--level", "9"], "a whole number from 1 to 8 expected"),
        (&["chess", "--nodes", "5", "--depth", "3"], "cannot be used with"),
        (&["chess", "--within", "-1"], "'-1' for '--within <CP>': a whole number from 0 to 1000 expected"),
        (&["chess", "--games", "-2"], "'-2' for '--games <N>': a whole number from 1 to 1000000 expected"),
        (&["chess", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "--fen: the game is over (stalemate)"),
        (&["chess", "--fen", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"], "--fen: the game is over (checkmate white-wins)"),
        (&["chess", "--fen", "7k/8/8/8/8/8/8/K5Q1 w - - 100 90"], "--fen: the game is over (draw-50)"),
        (&["chess", "--openings", "book"], "invalid value 'book'"),
        (&["chess", "--fen", "4k3/8/8/8/8/8/8/4Q4 w - - 0 1"], "--fen: "),
        (&["chess", "--fen", START, "--openings", "random"], "--fen: random openings begin at"),
        (&["chess", "--svg", &nowhere], "No such file or directory"),
        (&["chess", "--svg", &file, "--json", &file], "a file of its own expected"),
        (&["chess", "--pgn", &poem, "--svg", &linked], "this is that of --svg"),
        (&["chess", "--state", "/dev/zero"], "a regular file expected"),
        (&["chess", "--state", &poem], "no record of a measurement"),
    ];
    for (arguments, message) in cases {
        let output = run(arguments);
        let told = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.starts_with("error: ") && told.contains(message) && told.lines().count() == 1, "{told}");
    }
    assert_eq!(fs::read_to_string(&poem).expect("a poem"), "Roses are red\n");
    // Nor are empty files left behind.
    let mut left: Vec<_> =
        fs::read_dir(scratch.path()).expect("a folder").map(|file| file.expect("one").file_name()).collect();
    left.sort();
    assert_eq!(left, ["linked", "poem"]);
}

/// Of a measurement that is broken off nothing is left that looks like a result.
#[cfg(unix)]
#[test]
fn what_is_written_at_the_end_is_not_begun_before() {
    let scratch = Scratch::new();
    let (svg, json) = (scratch.file("svg"), scratch.file("json"));
    fs::write(&json, "of before").expect("a disk");
    let mut lab = Command::new(env!("CARGO_BIN_EXE_warpchess"))
        .args(["lab", "chess", "--games", "1000000", "--nodes", "1000", "--svg", &svg, "--json", &json])
        .args(["--pgn", &scratch.file("pgn")])
        .spawn()
        .expect("the program");
    // It has begun to play when the first game is there.
    while fs::metadata(scratch.file("pgn")).map_or(0, |found| found.len()) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    lab.kill().expect("it runs");
    lab.wait().expect("it ends");
    assert!(!std::path::Path::new(&svg).exists());
    assert_eq!(fs::read_to_string(&json).expect("a file"), "of before");
}
