//! What editors and analysts rely on: set-ups, trees and lines.

use serde_json::{Value, json};
use warpchess_rules::VariantId;

fn ask(request: Value) -> Value {
    let reply = warpchess_wire::handle(request.to_string().as_bytes());
    serde_json::from_slice(&reply).expect("a reply in JSON")
}

fn ok(request: Value) -> Value {
    let reply = ask(request);
    reply.get("ok").unwrap_or_else(|| panic!("{reply}")).clone()
}

fn fens(variant: VariantId) -> Vec<String> {
    let path = format!("{}/../../vectors/{variant}.moves.tsv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut fens: Vec<String> = lines.filter_map(|line| line.split('\t').next()).map(str::to_owned).collect();
    fens.dedup();
    fens.push(variant.info().start_fen.to_owned());
    fens
}

#[test]
fn a_position_taken_to_pieces_and_put_together_is_the_same() {
    for variant in VariantId::all() {
        let mut positions = 0;
        for fen in fens(variant) {
            let read = ok(json!({"op": "readSetup", "variant": variant.id(), "fen": fen}));
            assert_eq!(read["problem"], Value::Null, "{fen}");
            let written = ok(json!({"op": "writeSetup", "variant": variant.id(), "setup": read["setup"]}));
            assert_eq!(written["problem"], Value::Null, "{fen}");
            assert_eq!(written["fen"], read["fen"], "{fen}");
            positions += 1;
        }
        assert!(positions > 20, "{variant}: {positions}");
    }
}

/// Pages tell refusals in their own language, by the code: English alone would do for one language only.
#[test]
fn whatever_is_wrong_with_a_text_has_a_code_with_its_values() {
    let mut refused = 0;
    let mut look = |request: Value| {
        let reply = ask(request);
        for problem in [&reply["error"], &reply["ok"]["problem"]].into_iter().filter(|problem| !problem.is_null()) {
            refused += 1;
            assert!(problem["code"].as_str().is_some_and(|code| !code.is_empty()), "{reply}");
        }
    };
    for variant in VariantId::all() {
        let fen = variant.info().start_fen;
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut wrong = vec![String::new(), format!("{fen} more"), "8/".repeat(2000)];
        wrong.extend((0..fields.len()).map(|n| fields[..n].join(" ")));
        for (i, c) in fen.char_indices() {
            let (before, after) = (&fen[..i], &fen[i + c.len_utf8()..]);
            wrong.extend(["", "x", "9", "|", "/", "K", "[", "é"].map(|other| format!("{before}{other}{after}")));
        }
        for fen in wrong {
            look(json!({"op": "readSetup", "variant": variant.id(), "fen": fen}));
            look(json!({"op": "view", "variant": variant.id(), "fen": fen, "moves": []}));
        }
        let start = variant.info().start_fen;
        for pgn in [
            "",
            "[Event",
            "[Event x]",
            "[Event \"x\"",
            &format!("[{} \"x\"]", "E".repeat(9000)),
            "1. e9",
            "(1. e4)",
            "1. e4 )",
            "1. e4 (",
            "{",
            "}",
            "[SetUp \"1\"]\n\n*",
        ] {
            let tags = format!("[Variant \"{}\"]\n[FEN \"{start}\"]\n{pgn}", variant.id());
            for text in [pgn, &tags] {
                look(json!({"op": "readPgn", "text": text}));
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn what_is_wrong_with_a_setup_names_the_field_of_the_fen() {
    let wrong = [
        ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "placement"),
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "castling"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "ep"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "fullmove"),
        ("chess", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "side"),
        ("pocketmutation", "4k3/8/8/8/8/8/8/4K3[NB] w - - 0 1", "pocket"),
        ("porthole", "4k3/8/8/8/8/8/8/4K3 w - - z9 0 1", "portals"),
        ("portalduel", "4k3/8/8/8/8/8/8/4K3 w - - -e4 0 1", "portals"),
    ];
    for (variant, fen, part) in wrong {
        let reply = ask(json!({"op": "readSetup", "variant": variant, "fen": fen}));
        // A text that cannot be shown is refused whole; else it is shown with its fault.
        let problem = reply.get("error").unwrap_or(&reply["ok"]["problem"]);
        assert_eq!(problem["part"], part, "{fen}: {reply}");
        assert_eq!(problem["field"], "fen", "{fen}");
    }
}

#[test]
fn a_fen_may_lack_its_last_fields() {
    let read = ok(json!({"op": "readSetup", "variant": "chess", "fen": "4k3/8/8/8/8/8/8/4K3"}));
    assert_eq!(read["setup"]["turn"], "white");
    assert_eq!(read["setup"]["pieces"].as_array().expect("a list").len(), 2);
    let written = ok(json!({"op": "writeSetup", "variant": "chess", "setup": read["setup"]}));
    assert_eq!(written["fen"], "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(written["problem"], Value::Null);
}

#[test]
fn a_senseless_setup_is_told_so_and_breaks_nothing() {
    let mut setup = ok(json!({"op": "readSetup", "variant": "porthole", "fen": "4k3/8/8/8/8/8/8/4K3 w - - - 0 1"}));
    setup["setup"]["portals"] = json!([{"owner": null, "at": {"area": "A", "square": "é9"}, "count": 200}]);
    setup["setup"]["castling"] = json!([" \n", "x y"]);
    setup["setup"]["ep"] = json!([]);
    setup["setup"]["halfmove"] = json!("1 2\u{a0}3");
    let written = ok(json!({"op": "writeSetup", "variant": "porthole", "setup": setup["setup"]}));
    assert_eq!(written["fen"], "4k3/8/8/8/8/8/8/4K3 w - - - 123 1");
    for fen in ["", "[[[", "| | |", "é/é/é/é/é/é/é/é w", "8/8/8/8/8/8/8/9 w"] {
        let reply = ask(json!({"op": "readSetup", "variant": "portalduel", "fen": fen}));
        assert_eq!(reply["error"]["field"], "fen", "{fen}: {reply}");
    }
}

#[test]
fn a_tree_goes_to_pgn_and_back() {
    let text = "[Event \"A game\"]\n[White \"Ann\"]\n\n{Before} 1. e4 $1 {best} (1. d4 {also} d5 (1... Nf6) 2. c4) 1... e5 \
                (1... c5 2. Nf3 ({instead} 2. c3)) 2. Nf3 1-0";
    let game = ok(json!({"op": "readPgn", "text": text}));
    assert_eq!((&game["variant"], &game["fen"]), (&json!("chess"), &Value::Null));
    assert_eq!((&game["result"], &game["more"]), (&json!("1-0"), &json!(false)));
    assert_eq!(game["tags"]["White"], "Ann");
    assert_eq!(game["comments"], json!(["Before"]));
    let nodes = game["nodes"].as_array().expect("a list");
    let told: Vec<(Value, &str)> =
        nodes.iter().map(|n| (n["parent"].clone(), n["san"].as_str().expect("a text"))).collect();
    let expected = [
        (json!(null), "e4"),
        (json!(null), "d4"),
        (json!(1), "d5"),
        (json!(1), "Nf6"),
        (json!(2), "c4"),
        (json!(0), "e5"),
        (json!(0), "c5"),
        (json!(6), "Nf3"),
        (json!(6), "c3"),
        (json!(5), "Nf3"),
    ];
    assert_eq!(told, expected);
    assert_eq!(nodes[0]["nags"], json!([1]));
    assert_eq!(nodes[0]["comments"], json!(["best"]));
    assert_eq!(nodes[8]["before"], json!(["instead"]));
    let mut request = game.clone();
    request["op"] = json!("writePgn");
    let written = ok(request);
    let again = ok(json!({"op": "readPgn", "text": written}));
    assert_eq!(again, game);
}

#[test]
fn a_pgn_that_cannot_be_read_says_where() {
    let fault = |text: &str| ask(json!({"op": "readPgn", "text": text}))["error"].clone();
    let error = fault("1. e4 e5 2. Ke3 *");
    assert_eq!(error["field"], "pgn");
    assert!(error["message"].as_str().expect("a text").contains("move 2."), "{error}");
    assert!(fault("")["message"].as_str().expect("a text").contains("no game"));
    let many = ok(json!({"op": "readPgn", "text": "1. e4 *\n\n1. d4 *"}));
    assert_eq!(many["more"], true);
}

#[test]
fn a_tree_that_is_none_is_refused() {
    let write = |nodes: Value| ask(json!({"op": "writePgn", "variant": "chess", "nodes": nodes}))["error"].clone();
    assert_eq!(write(json!([{"uci": "e2e5"}]))["field"], "moves");
    assert_eq!(write(json!([{"uci": "e2e4", "parent": 0}]))["field"], "moves");
    assert_eq!(write(json!([{"uci": "e2e4", "parent": 7}]))["field"], "moves");
    // Each move a variation of the one before: deeper than any reader would follow.
    let mut nodes = vec![json!({"uci": "a2a3"})];
    let mut parent = Value::Null;
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for i in 0..100 {
        nodes.push(json!({"uci": cycle[i % 4], "parent": parent}));
        let variation = nodes.len() - 1;
        parent = json!(variation);
        nodes.push(json!({"uci": if i % 2 == 0 { "a7a6" } else { "a2a3" }, "parent": parent}));
    }
    let deep = write(json!(nodes));
    assert!(deep["message"].as_str().is_some_and(|text| text.contains("inside one another")), "{deep}");
}

#[test]
fn the_best_lines_come_best_first_and_with_words() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let found = ok(json!({"op": "analyse", "variant": "chess", "fen": fen, "lines": 3, "nodes": 20_000}));
    let lines = found["lines"].as_array().expect("a list");
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["mate"], &lines[0]["scoreCp"]), (&json!(1), &Value::Null));
    assert_eq!((&lines[0]["pv"], &lines[0]["san"]), (&json!(["a1a8"]), &json!(["Ra8#"])));
    assert!(lines[1]["scoreCp"].is_number() || lines[1]["mate"].is_number());
    let over = json!({"op": "analyse", "variant": "chess", "fen": fen, "moves": ["a1a8"], "lines": 1, "nodes": 10});
    assert_eq!(ask(over)["error"]["field"], "moves");
    for variant in VariantId::all() {
        let found = ok(json!({"op": "analyse", "variant": variant.id(), "lines": 2, "nodes": 3000}));
        assert_eq!(found["lines"].as_array().expect("a list").len(), 2, "{variant}");
    }
}
