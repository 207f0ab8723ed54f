//! The command line's contract: what it prints, where, and how it ends.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const GAMES: [&str; 7] = ["chess", "teleport", "pocketmutation", "porthole", "portalduel", "twinportal", "splitportal"];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn run_with(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpchess"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // From a thread of its own: the program may answer before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("written");
    output
}

fn run(args: &[&str]) -> Output {
    run_with(args, b"")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Exit code 0 and this output.
fn prints(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", err(&output));
    out(&output)
}

/// Exit code 2, nothing but one line on standard error that has all these words.
fn refuses(args: &[&str], words: &[&str]) {
    let output = run(args);
    let told = err(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
    assert_eq!(told.lines().count(), 1, "{args:?}: {told}");
    for word in words {
        assert!(told.contains(word), "{args:?}: '{word}' is not in {told}");
    }
}

#[test]
fn variants_lists_every_game_and_tells_all_as_json() {
    let text = prints(&["variants"]);
    let ids: Vec<&str> = text.lines().map(|line| line.split_whitespace().next().unwrap_or("")).collect();
    assert_eq!(ids, GAMES);
    let json: serde_json::Value = serde_json::from_str(&prints(&["variants", "--json"])).expect("JSON");
    let infos = json.as_array().expect("an array");
    assert_eq!(infos.iter().map(|i| i["id"].as_str().unwrap_or("")).collect::<Vec<_>>(), GAMES);
    for info in infos {
        for language in ["en", "es", "ru"] {
            assert!(info["names"][language].as_str().is_some_and(|name| !name.is_empty()), "{info}");
        }
        for role in info["roles"].as_array().expect("roles") {
            assert!(role["betza"].is_string() && role["letter"].is_string() && role["value"].is_number(), "{role}");
        }
    }
}

#[test]
fn bench_counts_every_game_and_the_sum() {
    let text = prints(&["bench", "--depth", "2"]);
    let last = |line: &str| line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok());
    let rows: Vec<u64> = text.lines().filter_map(last).collect();
    let (signature, games) = rows.split_last().expect("rows");
    assert_eq!(games.len(), 7, "{text}");
    assert_eq!(games.iter().sum::<u64>(), *signature, "{text}");
    let json: serde_json::Value = serde_json::from_str(&prints(&["bench", "--depth", "2", "--json"])).expect("JSON");
    assert_eq!(json["signature"], *signature);
    assert_eq!(json["games"].as_array().map(Vec::len), Some(7));
    refuses(&["bench", "--depth", "0"], &["0", "--depth"]);
}

#[test]
fn perft_prints_the_total_alone_and_speed_elsewhere() {
    let output = run(&["perft", "chess", "4"]);
    assert_eq!(out(&output), "197281\n");
    assert!(err(&output).contains("197281 nodes in "), "{}", err(&output));
    for extra in [&["--no-bulk"][..], &["--threads", "2"], &["--no-bulk", "--threads", "3"]] {
        assert_eq!(prints(&[&["perft", "chess", "4", START], extra].concat()), "197281\n", "{extra:?}");
    }
    assert_eq!(prints(&["perft", "chess", "0"]), "1\n");
    assert_eq!(prints(&["perft", "pocketmutation", "3", "-"]), "44392\n");
}

#[test]
fn divide_is_sorted_and_ends_with_the_total() {
    let text = prints(&["perft", "chess", "3", "--divide", "--threads", "2"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[20]), (21, "a2a3: 380", "8902"));
    assert!(lines[..20].is_sorted());
    let sum: u64 =
        lines[..20].iter().map(|line| line.split(": ").nth(1).expect("count").parse::<u64>().expect("number")).sum();
    assert_eq!(sum, 8902);
}

#[test]
fn batch_answers_each_line_and_names_bad_ones() {
    let good = format!("chess\t{START}\t3\n");
    let output = run_with(&["batch"], good.as_bytes());
    assert_eq!((out(&output).as_str(), output.status.code()), ("8902\n", Some(0)));
    let text = format!("{good}nochess\t{START}\t3\nchess\tjunk\t1\n\nchess\t{START}\tx\n{good}");
    let output = run_with(&["batch"], &[text.as_bytes(), b"\xff\xfe\t\t\n"].concat());
    let answers = out(&output);
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), 7, "{answers}");
    assert_eq!((lines[0], lines[5]), ("8902", "8902"));
    for (line, word) in [(1, "nochess"), (2, "placement"), (3, "fields"), (4, "depth 'x'"), (6, "UTF-8")] {
        assert!(lines[line].starts_with("error: ") && lines[line].contains(word), "{}", lines[line]);
    }
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn moves_are_sorted_in_each_form() {
    let uci = prints(&["moves", "teleport"]);
    assert!(uci.lines().is_sorted());
    assert_eq!(uci.lines().count(), 34);
    let san = prints(&["moves", "teleport", "--san"]);
    assert_eq!(san.lines().next(), Some("a1a2\tR~a2"));
    assert!(san.lines().zip(uci.lines()).all(|(san, uci)| san.starts_with(&format!("{uci}\t"))));
    let json: serde_json::Value = serde_json::from_str(&prints(&["moves", "teleport", "--json"])).expect("JSON");
    let first = &json.as_array().expect("an array")[0];
    assert_eq!((&first["uci"], &first["kind"], &first["to"]["square"]), (&"a1a2".into(), &"swap".into(), &"a2".into()));
}

#[test]
fn apply_prints_each_position_and_the_status() {
    assert_eq!(
        prints(&["apply", "chess", "-", "f2f3", "e7e5", "g2g4", "d8h4"]).lines().skip(3).collect::<Vec<_>>(),
        ["rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate black-wins"]
    );
    assert_eq!(prints(&["apply", "portalduel", "-"]), "ongoing\n");
    assert_eq!(prints(&["apply", "chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]), "stalemate\n");
    refuses(&["apply", "chess", START, "e2e4", "e2e5"], &["move 2", "'e2e5'", "/4P3/"]);
}

/// Fourrière–Aronson, 2003; played before White's first-move ban, hence full move 2.
#[test]
fn a_real_pocket_game_is_legal_but_not_on_the_first_move() {
    let moves = ["h1^I", "d7d5", "I@f4", "d8^U", "a1^D", "g7g6", "D@e5", "g8f6", "e5c7", "U@g5", "g1f3", "g5c7"];
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0";
    let text = prints(&[&["apply", "pocketmutation", &format!("{start} 2")][..], &moves].concat());
    let last: Vec<&str> = text.lines().skip(11).collect();
    assert_eq!(last, ["rnb1kb1r/ppu1pp1p/5np1/3p4/5I2/5N2/PPPPPPPP/1NBQKB2[] w - - 0 8", "ongoing"]);
    refuses(&["apply", "pocketmutation", &format!("{start} 1"), "h1^I"], &["h1^I"]);
}

#[test]
fn show_draws_text_without_escapes_into_a_pipe_and_svg_into_a_file() {
    for game in GAMES {
        let text = prints(&["show", game]);
        assert!(!text.contains('\u{1b}'), "{game}: escapes in a pipe");
        assert!(text.contains("White to move"), "{text}");
    }
    assert!(prints(&["show", "porthole"]).contains("5   . (.)(.) .  . (.)(.) ."));
    let file = std::env::temp_dir().join(format!("warpchess-show-{}.svg", std::process::id()));
    prints(&["show", "twinportal", "--svg", file.to_str().expect("UTF-8")]);
    let svg = std::fs::read_to_string(&file).expect("the file is there");
    std::fs::remove_file(&file).expect("removed");
    assert!(svg.starts_with("<svg ") && svg.contains("B"), "{svg:.100}");
    refuses(&["show", "chess", "--svg", "/no/such/folder/x.svg"], &["/no/such/folder/x.svg"]);
}

#[test]
fn pgn_check_compares_results_with_what_is_on_the_board() {
    let mated = "1. f3 e5 2. g4 Qh4#";
    for (text, said) in [
        (
            format!("[Result \"1-0\"]\n\n{mated} 1-0\n"),
            "-:1: the result is given as 1-0, but the game ends 0-1 (checkmate)",
        ),
        (format!("[Result \"1-0\"]\n\n{mated} 0-1\n"), "-:1: the tag Result says 1-0, the end of the moves 0-1"),
    ] {
        let output = run_with(&["pgn", "check", "-"], text.as_bytes());
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{output:?}");
    }
    // Given up, or not finished: nothing on the board says otherwise.
    for text in [format!("[Result \"0-1\"]\n\n{mated} 0-1\n"), "1. e4 0-1\n".into(), format!("{mated} *\n")] {
        assert_eq!(run_with(&["pgn", "check", "-"], text.as_bytes()).status.code(), Some(0), "{text}");
    }
}

#[test]
fn pgn_reports_a_bad_game_and_goes_on() {
    let text = b"[Variant \"Pocket Mutation Chess\"]\n\n1. e4 Nb8^B *\n\n[Variant \"Nochess\"]\n\n1. e4 *\n\n1. e4 Ke4 *\n\n1. d4 1/2-1/2\n";
    let output = run_with(&["pgn", "check", "-"], text);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(out(&output), "4 games, 2 good, 2 bad\n");
    let told = err(&output);
    assert!(told.contains("-:5: game 2: unknown variant 'Nochess'"), "{told}");
    assert!(told.contains("-:9: game 3, move 1...: 'Ke4'"), "{told}");
    let output = run_with(&["pgn", "export", "-", "--format", "uci"], text);
    assert_eq!(out(&output).lines().count(), 2);
    assert!(
        out(&output)
            .lines()
            .next()
            .is_some_and(|line| line.starts_with("pocketmutation\t") && line.ends_with("\te2e4 b8^B"))
    );
    let again = run_with(&["pgn", "check", "-"], &run_with(&["pgn", "export", "-"], text).stdout);
    assert_eq!((out(&again).as_str(), again.status.code()), ("2 games, 2 good, 0 bad\n", Some(0)));
    let stats = out(&run_with(&["pgn", "stats", "-"], text));
    assert!(stats.contains("pocketmutation: 1 games") && stats.contains("drawn 1"), "{stats}");
    refuses(&["pgn", "check", "/no/such/file.pgn"], &["/no/such/file.pgn"]);
}

#[test]
fn play_takes_moves_hints_and_take_backs() {
    for game in GAMES {
        let input = b"help\nmoves\nhint\nnonsense\nfen\nundo\npgn\nquit\n";
        let output = run_with(&["play", game, "--level", "1", "--seed", "1"], input);
        assert_eq!(output.status.code(), Some(0), "{game}: {}", err(&output));
        let text = out(&output);
        assert!(text.contains("Perhaps ") && text.contains("nonsense") && text.contains("[Result \"*\"]"), "{text}");
    }
    let output = run_with(&["play", "chess", "--level", "1", "--seed", "1", "--side", "b"], b"e5\nundo\nfen\n");
    let text = out(&output);
    assert_eq!(text.matches("The computer plays").count(), 2, "{text}");
    let last = text.lines().last().unwrap_or("");
    assert!(last.contains(" b KQkq "), "the computer's first move stands after undo: {last}");
    let mate = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    let text = out(&run_with(&["play", "chess", "--fen", mate], b"Ra8#\nRa7\nquit\n"));
    assert!(text.contains("1-0: checkmate white-wins") && text.contains("The game is over"), "{text}");
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    refuses(&["perft", "draughts", "3"], &["draughts", "chess, teleport"]);
    refuses(&["perft", "chess", "-1"], &["-1"]);
    refuses(&["perft", "chess", "three"], &["three"]);
    refuses(&["moves", "chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1"], &["placement", "rank 1"]);
    refuses(&["moves", "chess", &START.replace(" w ", " x ")], &["side to move", "'x'"]);
    refuses(&["moves", "chess", &format!("{START} more")], &["more"]);
    refuses(&["moves", "chess", &"p".repeat(100_000)], &["text", "bytes"]);
    refuses(&["play", "chess", "--level", "9"], &["9"]);
    refuses(&["play", "chess", "--fen", "8/8"], &["placement"]);
    refuses(&["nonsense"], &["nonsense"]);
    // What is quoted neither breaks the line nor drives the terminal.
    refuses(&["apply", "chess", "-", "e2\ne4"], &["'e2\\ne4'"]);
    refuses(&["moves", "chess", "\u{1b}[31m"], &["\\u{1b}[31m"]);
    refuses(&["pgn", "check", "/no\nsuch"], &["/no\\nsuch"]);
    refuses(&["apply", "chess"], &["FEN"]);
}

/// A text that is a position of one game is refused by another, unless both write positions in the same way.
#[test]
fn a_fen_of_another_game_is_an_error() {
    let starts: Vec<(String, String)> = serde_json::from_str::<serde_json::Value>(&prints(&["variants", "--json"]))
        .expect("JSON")
        .as_array()
        .expect("an array")
        .iter()
        .map(|info| (info["id"].as_str().unwrap_or("").into(), info["startFen"].as_str().unwrap_or("").into()))
        .collect();
    for (game, _) in &starts {
        for (other, fen) in starts.iter().filter(|(other, _)| other != game) {
            if [game.as_str(), other].iter().all(|g| ["chess", "teleport"].contains(g)) {
                continue;
            }
            refuses(&["moves", game, fen], &[game, "FEN field"]);
        }
    }
}
