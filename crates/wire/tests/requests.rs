//! What requests are answered with, as texts: clients depend on every letter.

use serde_json::{Value, json};

fn ask(request: Value) -> Value {
    let reply = warpchess_wire::handle(request.to_string().as_bytes());
    serde_json::from_slice(&reply).expect("a reply in JSON")
}

fn ok(request: Value) -> Value {
    let reply = ask(request);
    reply.get("ok").unwrap_or_else(|| panic!("{reply}")).clone()
}

/// The part at fault, after a look at the sentence.
fn fault(request: Value, named: &str) -> String {
    let reply = ask(request);
    let message = reply["error"]["message"].as_str().unwrap_or_else(|| panic!("{reply}"));
    assert!(message.contains(named), "{message}");
    reply["error"]["field"].as_str().expect("a field").to_owned()
}

fn legal(view: &Value, uci: &str) -> Value {
    let moves = view["legal"].as_array().expect("a list");
    moves.iter().find(|m| m["uci"] == uci).unwrap_or_else(|| panic!("{uci} in {moves:?}")).clone()
}

fn board(square: &str) -> Value {
    json!({"area": "A", "square": square})
}

#[test]
fn a_game_that_has_begun_is_viewed_whole() {
    let view = ok(json!({"op": "view", "variant": "chess", "fen": null, "moves": ["e2e4"]}));
    assert_eq!(view["variant"], "chess");
    assert_eq!(view["startFen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(view["fen"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!((&view["turn"], &view["area"]), (&json!("black"), &Value::Null));
    assert_eq!((&view["ply"], &view["fullmove"]), (&json!(1), &json!(1)));
    let pieces = view["pieces"].as_array().expect("a list");
    assert_eq!(pieces.len(), 32);
    assert!(pieces.contains(&json!({"piece": {"color": "white", "role": "P"}, "at": board("e4")})));
    assert_eq!((&view["markers"], &view["check"]), (&json!([]), &json!([])));
    assert_eq!((&view["outcome"], &view["claimable"]), (&Value::Null, &Value::Null));
    assert_eq!(view["legal"].as_array().expect("a list").len(), 20);
    let played = &view["history"][0];
    assert_eq!((&played["uci"], &played["san"]), (&json!("e2e4"), &json!("e4")));
    assert_eq!((&played["turn"], &played["fullmove"]), (&json!("white"), &json!(1)));
    assert_eq!(
        played["effects"],
        json!([{"type": "move", "piece": {"color": "white", "role": "P"}, "from": board("e2"), "to": board("e4")}])
    );
    assert_eq!(played["fen"], view["fen"]);
}

#[test]
fn a_legal_move_tells_its_gestures_and_what_it_takes() {
    let fen = "r3k3/1P6/8/2pP4/8/8/8/4K2R w Kq c6 0 1";
    let view = ok(json!({"op": "view", "variant": "chess", "fen": fen}));
    let promotion = legal(&view, "b7a8q");
    assert_eq!((&promotion["kind"], &promotion["role"]), (&json!("promotion"), &json!("Q")));
    assert_eq!((&promotion["from"], &promotion["to"]), (&board("b7"), &board("a8")));
    assert_eq!((&promotion["captures"], &promotion["check"]), (&json!([board("a8")]), &json!(true)));
    assert_eq!(
        (&promotion["mover"], &promotion["via"], &promotion["exit"]),
        (&json!("piece"), &Value::Null, &Value::Null)
    );
    let en_passant = legal(&view, "d5c6");
    assert_eq!((&en_passant["kind"], &en_passant["captures"]), (&json!("enPassant"), &json!([board("c5")])));
    let castling = legal(&view, "e1g1");
    assert_eq!(
        (&castling["kind"], &castling["to"], &castling["check"]),
        (&json!("castle"), &board("g1"), &json!(false))
    );
}

#[test]
fn a_mate_is_told_with_its_winner_and_the_king_in_check() {
    let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let view = ok(json!({"op": "view", "variant": "chess", "moves": moves}));
    assert_eq!(view["outcome"], json!({"winner": "black", "reason": "checkmate"}));
    assert_eq!(view["check"], json!([board("e1")]));
    assert_eq!(view["legal"], json!([]));
}

#[test]
fn what_is_wrong_with_a_game_is_named() {
    assert_eq!(fault(json!({"op": "view", "variant": "halma"}), "'halma'"), "variant");
    assert_eq!(fault(json!({"op": "view", "variant": "chess", "fen": "8/8 w - - 0 1"}), "ranks"), "fen");
    assert_eq!(fault(json!({"op": "view", "variant": "chess", "moves": ["e2e4", "e2e4"]}), "move 2"), "moves");
    assert_eq!(fault(json!({"op": "randomSetup", "variant": "chess", "seed": 1}), "one set-up"), "variant");
    assert_eq!(fault(json!({"op": "randomSetup", "variant": "chess", "seed": -1}), "-1"), "request");
    assert_eq!(fault(json!({"op": "view"}), "variant"), "request");
    assert_eq!(fault(json!({"op": "nothing"}), "nothing"), "request");
    assert_eq!(fault(json!([]), ""), "request");
}

#[test]
fn every_game_is_described_in_three_languages() {
    let variants = ok(json!({"op": "variants"}));
    let variants = variants.as_array().expect("a list");
    assert!(variants.iter().any(|v| v["id"] == "chess"));
    for variant in variants {
        for language in ["en", "es", "ru"] {
            for text in ["names", "summary"] {
                assert!(variant[text][language].as_str().is_some_and(|t| !t.is_empty()), "{variant}");
            }
        }
    }
}

#[test]
fn counts_are_those_of_the_tree_of_moves() {
    assert_eq!(ok(json!({"op": "perft", "variant": "chess", "depth": 3})), 8902);
    assert_eq!(
        ok(json!({"op": "perft", "variant": "chess", "moves": ["f2f3", "e7e5", "g2g4", "d8h4"], "depth": 1})),
        0
    );
}

#[test]
fn a_picture_is_one_of_the_position_reached() {
    let start = ok(json!({"op": "svg", "variant": "chess"}));
    let after = ok(json!({"op": "svg", "variant": "chess", "moves": ["e2e4"]}));
    assert!(start.as_str().is_some_and(|svg| svg.starts_with("<svg ")));
    assert_ne!(start, after);
}

#[test]
fn what_people_write_is_understood_as_the_move_it_means() {
    let read = |text| json!({"op": "parse", "variant": "chess", "moves": ["e2e4", "e7e5"], "text": text});
    for text in ["Nf3", "Ng1-f3", "g1f3", "Nf3+"] {
        assert_eq!(ok(read(text)), "g1f3");
    }
    assert_eq!(fault(read("Nf6"), "'Nf6'"), "text");
    assert_eq!(fault(read(""), "''"), "text");
}

#[test]
fn a_game_is_written_as_a_pgn() {
    let text = ok(json!({
        "op": "pgn", "variant": "teleport", "moves": ["b1d2", "e7e5"], "tags": {"White": "Ann", "Date": "2026.01.02"}
    }));
    let text = text.as_str().expect("a text");
    for line in ["[White \"Ann\"]", "[Date \"2026.01.02\"]", "[Variant \"teleport\"]", "1. N~d2 e5 *"] {
        assert!(text.lines().any(|l| l == line), "{line} in {text}");
    }
    let badly_named = json!({"op": "pgn", "variant": "chess", "tags": {"a b": "x"}});
    assert_eq!(fault(badly_named, "'a b'"), "tags");
}

#[test]
fn a_set_up_by_chance_depends_on_the_seed_alone() {
    let set_up = |seed: u64| ok(json!({"op": "randomSetup", "variant": "porthole", "seed": seed}));
    assert_eq!(set_up(7), set_up(7));
    assert_ne!(set_up(7), set_up(8));
    let view = ok(json!({"op": "view", "variant": "porthole", "fen": set_up(7)}));
    assert_eq!(view["fen"], set_up(7));
}

#[test]
fn a_game_that_is_over_has_no_moves_and_takes_none() {
    let mut moves: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(4);
    let view = ok(json!({"op": "view", "variant": "chess", "moves": moves}));
    assert_eq!(view["outcome"], json!({"winner": null, "reason": "fivefoldRepetition"}));
    assert_eq!(view["legal"], json!([]));
    let claimable = ok(json!({"op": "view", "variant": "chess", "moves": &moves[..8]}));
    assert_eq!((&claimable["outcome"], &claimable["claimable"]), (&Value::Null, &json!("threefoldRepetition")));
    moves.push("e2e4");
    assert_eq!(fault(json!({"op": "view", "variant": "chess", "moves": moves}), "over"), "moves");
}

#[test]
fn the_computer_finds_a_mate_and_tells_what_it_expects() {
    let fen = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1";
    let found = ok(json!({"op": "search", "variant": "chess", "fen": fen, "level": 8, "millis": null, "seed": 0}));
    assert_eq!((&found["mate"], &found["scoreCp"]), (&json!(1), &Value::Null));
    assert_eq!(found["pv"], json!([found["uci"]]));
    let view = ok(json!({"op": "view", "variant": "chess", "fen": fen, "moves": [found["uci"]]}));
    assert_eq!(view["outcome"]["reason"], "checkmate");
}

#[test]
fn the_same_seed_chooses_the_same_move() {
    let found = |seed: u64| ok(json!({"op": "search", "variant": "chess", "level": 1, "seed": seed}))["uci"].clone();
    assert_eq!(found(3), found(3));
    let choices: std::collections::BTreeSet<_> = (0..20).map(|seed| found(seed).to_string()).collect();
    assert!(choices.len() > 1, "{choices:?}");
}

#[test]
fn a_search_that_makes_no_sense_is_refused() {
    assert_eq!(fault(json!({"op": "search", "variant": "chess", "level": 9}), "1 to 8"), "level");
    assert_eq!(fault(json!({"op": "search", "variant": "chess"}), "level"), "request");
    let mated = ["f2f3", "e7e5", "g2g4", "d8h4"];
    assert_eq!(fault(json!({"op": "search", "variant": "chess", "moves": mated, "level": 1}), "over"), "moves");
}

#[test]
fn a_promotion_offers_the_queen_first() {
    let view = ok(json!({"op": "view", "variant": "chess", "fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"}));
    let moves = view["legal"].as_array().expect("a list");
    let roles: Vec<_> = moves.iter().filter(|m| m["kind"] == "promotion").map(|m| m["role"].clone()).collect();
    assert_eq!(roles, ["Q", "R", "B", "N"]);
}

fn premove(variant: &str, fen: &str, uci: &str) -> Option<Value> {
    let list = ok(json!({"op": "premoves", "variant": variant, "fen": fen}));
    list.as_array().expect("a list").iter().find(|m| m["uci"] == uci).cloned()
}

#[test]
fn premoves_are_all_that_can_become_legal_recaptures_among_them() {
    // Black is to move: White may recapture on d5 whatever takes there, but never moves the pinned knight.
    let fen = "4r1k1/8/4p3/3P4/2P1N3/8/8/4K3 b - - 0 1";
    let recapture = premove("chess", fen, "c4d5").expect("the pawn on d5 may be taken");
    assert_eq!((&recapture["kind"], &recapture["captures"]), (&json!("normal"), &json!([])));
    assert_eq!(recapture["from"], board("c4"));
    let takes = premove("chess", fen, "d5e6").expect("a capture of what stands there now");
    assert_eq!(takes["captures"], json!([board("e6")]));
    assert!(premove("chess", fen, "c4c6").is_none(), "no move of a pawn at all");
}

#[test]
fn premoves_know_pockets_portals_and_the_area_of_the_next_turn() {
    let pocket = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R[N] b - - 0 2";
    assert_eq!(premove("pocketmutation", pocket, "N@e4").expect("a drop")["from"], json!({"pocket": "white"}));
    assert_eq!(premove("teleport", "4k3/8/8/8/8/8/8/RN2K3 b - - 0 1", "a1b1").expect("a swap")["kind"], "swap");
    let exits = "4k3/8/8/8/8/5N2/8/4K3 b - - c4g5 0 1";
    assert_eq!(premove("porthole", exits, "f3g5c4").expect("an entry")["exit"], board("c4"));
    let twin = "rnbq1bnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR b B KQ|kq -|- -/- 0 1";
    let next = premove("twinportal", twin, "d2d4").expect("White is next on board B");
    assert_eq!(next["from"], json!({"area": "B", "square": "d2"}));
    assert!(premove("twinportal", twin, "e4e5").is_none(), "the pawn of board A has no turn then");
    let over = ok(json!({"op": "premoves", "variant": "chess", "fen": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}));
    assert_eq!(over, json!([]), "after the end there is nothing to decide");
}

fn why(variant: &str, fen: &str, from: &str, to: &str) -> String {
    let reply = ok(json!({"op": "why", "variant": variant, "fen": fen, "from": board(from), "to": board(to)}));
    let at = reply["at"]["square"].as_str().map_or_else(String::new, |square| format!(" {square}"));
    format!("{}{at}", reply["reason"].as_str().expect("a reason"))
}

#[test]
fn what_is_not_legal_is_told_with_its_reason() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(why("chess", start, "a1", "a5"), "piece a2");
    assert_eq!(why("chess", start, "a1", "a2"), "own a2");
    assert_eq!(why("chess", start, "b1", "b3"), "shape");
    assert_eq!(why("chess", start, "e2", "d3"), "noCapture");
    assert_eq!(why("chess", start, "e1", "g1"), "castle");
    assert_eq!(why("chess", start, "e7", "e5"), "notDue");
    assert_eq!(why("chess", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2", "c3"), "exposes");
    assert_eq!(why("chess", "4r1k1/8/8/8/8/8/8/4K2R w - - 0 1", "h1", "h8"), "check");
    assert_eq!(why("chess", "4r1k1/8/8/8/8/8/8/3K4 w - - 0 1", "d1", "e1"), "attacked");
    assert_eq!(why("porthole", "4k3/8/8/8/1R6/8/8/4K3 w - - d4f6 0 1", "b4", "g4"), "portalBetween d4");
    assert_eq!(why("porthole", "4k3/8/8/8/8/8/3P4/4K3 w - - d3f6 0 1", "d2", "d3"), "portal d3");
    let nightrider = "4k3/8/3p4/8/2I5/8/8/4K3[] w - - 0 2";
    assert_eq!(why("pocketmutation", nightrider, "c4", "e8"), "piece d6");
    let bad = json!({"op": "why", "variant": "chess", "from": {"area": "C", "square": "e4"}, "to": board("e4")});
    assert_eq!(fault(bad, "'C'"), "request");
    let bad = json!({"op": "why", "variant": "chess", "from": board("z9"), "to": board("e4")});
    assert_eq!(fault(bad, "z9"), "request");
}

#[test]
fn what_a_client_knows_of_a_game_is_not_told_again() {
    let moves = json!(["e2e4", "e7e5", "g1f3"]);
    let whole = ok(json!({"op": "view", "variant": "chess", "moves": moves}));
    let rest = ok(json!({"op": "view", "variant": "chess", "moves": moves, "known": 2}));
    assert_eq!(rest["history"], json!([whole["history"][2]]));
    assert_eq!((&rest["legal"], &rest["ply"]), (&whole["legal"], &json!(3)));
}

#[test]
fn a_memory_changes_no_answer() {
    let mut memory = warpchess_wire::Memory::default();
    let game = |variant: &str, fen: Value, moves: &[&str]| json!({"op": "view", "variant": variant, "fen": fen, "moves": moves});
    for request in [
        game("chess", Value::Null, &["e2e4", "e7e5"]),
        game("chess", Value::Null, &["e2e4", "e7e5", "g1f3"]),
        game("chess", Value::Null, &["e2e4"]),
        game("chess", Value::Null, &["e2e4", "c7c5"]),
        game("chess", Value::Null, &["e2e4", "c7c5", "e4e6", "g8f6"]),
        game("chess", Value::Null, &["e2e4", "c7c5", "g1f3"]),
        game("teleport", Value::Null, &["e2e4", "c7c5"]),
        game("teleport", json!("nonsense"), &["e2e4"]),
        game("chess", json!("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), &["e1g1"]),
        game("chess", Value::Null, &["f2f3", "e7e5", "g2g4", "d8h4"]),
        game("chess", Value::Null, &["f2f3", "e7e5", "g2g4", "d8h4", "e1f2"]),
        game("chess", Value::Null, &["f2f3", "e7e5", "g2g4"]),
    ] {
        let bytes = request.to_string();
        let remembered = warpchess_wire::handle_with(bytes.as_bytes(), &mut memory);
        assert_eq!(remembered, warpchess_wire::handle(bytes.as_bytes()), "{bytes}");
    }
}

#[test]
fn refusals_have_a_reason_for_programs() {
    let reason = |request: Value| {
        let reply = ask(request);
        (reply["error"]["code"].clone(), reply["error"]["params"].clone())
    };
    let view = |fen: &str| json!({"op": "view", "variant": "chess", "fen": fen});
    assert_eq!(reason(view("8/8/8/8/8/8/8/8 w - - 0 1")), (json!("kings"), json!({"n": "0", "color": "white"})));
    assert_eq!(
        reason(json!({"op": "view", "variant": "chess", "moves": ["e2e4", "e7e6", "e4e6"]})),
        (json!("moves"), json!({"n": "3", "text": "e4e6"}))
    );
    let text = |text: &str| json!({"op": "parse", "variant": "chess", "text": text});
    assert_eq!(reason(text("Ke3")), (json!("moveIllegal"), json!({"text": "Ke3"})));
    assert_eq!(reason(text("hello there")).0, "moveUnknown");
    assert_eq!(
        reason(json!({"op": "readPgn", "text": "1. e4 e5\n2. Ke3 *"})),
        (json!("moveIllegal"), json!({"text": "Ke3", "line": "2", "move": "2."}))
    );
    let judged = ok(json!({"op": "readSetup", "variant": "portalduel", "fen":
        "8/8/8/8/8/8/8/4K2R w K - -- 0 1"}));
    assert_eq!(judged["problem"]["part"], "placement", "a set-up's problem has a part, a sentence and a reason");
    assert_eq!(judged["problem"]["code"], "kings", "{judged}");
}

/// What a light view leaves out is what `name` tells, or null, or empty.
#[test]
fn a_light_view_tells_the_same_moves_without_their_names() {
    let games = [
        json!({"variant": "chess", "fen": "r3k3/1P6/8/2pP4/8/8/8/4K2R w Kq c6 0 1"}),
        json!({"variant": "porthole", "moves": ["e2e4"]}),
        json!({"variant": "porthole", "moves": ["g1f3", "g8f6", "f3g5b4"]}),
        json!({"variant": "pocketmutation"}),
        json!({"variant": "pocketmutation", "moves": ["e2e4", "e7e5"]}),
        json!({"variant": "twinportal", "moves": ["e2e4"]}),
        json!({"variant": "portalduel"}),
    ];
    for game in games {
        let with = |more: Value| {
            let mut request = game.clone();
            for (key, value) in more.as_object().expect("fields") {
                request[key] = value.clone();
            }
            ok(request)
        };
        let whole = with(json!({"op": "view"}));
        let light = with(json!({"op": "view", "light": true}));
        let all = whole["legal"].as_array().expect("a list");
        let bare: Vec<Value> = light["legal"].as_array().expect("a list").iter().flat_map(told_apart).collect();
        assert_eq!(all.len(), bare.len());
        for (m, bare) in all.iter().zip(bare) {
            let mut filled = json!({"mover": null, "from": null, "to": null, "via": null, "exit": null, "role": null, "captures": []});
            let name = with(json!({"op": "name", "uci": m["uci"]}));
            for (key, value) in bare.as_object().expect("fields").iter().chain(name.as_object().expect("fields")) {
                filled[key] = value.clone();
            }
            assert_eq!(&filled, m);
        }
    }
}

/// The moves that a light view tells together.
fn told_apart(group: &Value) -> Vec<Value> {
    let ways = group["ways"].as_array().expect("a list").iter();
    let one = |way: &Value| {
        let mut m = group.clone();
        let fields = m.as_object_mut().expect("fields");
        fields.remove("ways");
        fields.insert("uci".into(), way[0].clone());
        if way[1].is_string() {
            fields.insert("exit".into(), json!({"area": group["to"]["area"], "square": way[1]}));
        }
        if way[2].is_string() {
            fields.insert("role".into(), way[2].clone());
        }
        m
    };
    ways.map(one).collect()
}

#[test]
fn what_is_no_legal_move_has_no_name() {
    assert_eq!(fault(json!({"op": "name", "variant": "chess", "uci": "e2e5"}), "e2e5"), "text");
}
