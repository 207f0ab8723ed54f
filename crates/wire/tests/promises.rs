//! What a client relies on, in every position and game of `vectors/`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use warpchess_rules::{Game, VariantId};
use warpchess_wire::view::GameView;

fn rows(variant: VariantId, kind: &str) -> Vec<Vec<String>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../vectors/{variant}.{kind}.tsv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Games as lists of UCI moves.
fn games(variant: VariantId) -> Vec<Vec<String>> {
    let mut games = vec![Vec::new()];
    for row in rows(variant, "games") {
        match row[1].as_str() {
            "status" => games.push(Vec::new()),
            uci => games.last_mut().expect("a game").push(uci.to_owned()),
        }
    }
    games.retain(|game| !game.is_empty());
    games
}

fn view(game: &Game) -> Value {
    serde_json::to_value(GameView::of(game)).expect("JSON")
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("{name} in {value}"))
}

/// How many of each thing there are, pieces and markers, each with its place.
#[derive(Debug, PartialEq, Eq, Default)]
struct Things(BTreeMap<String, u64>);

impl Things {
    fn of(view: &Value) -> Self {
        let mut things = Self::default();
        for piece in list(view, "pieces") {
            things.add(&piece["piece"], &piece["at"], 1);
        }
        for marker in list(view, "markers") {
            let plain = serde_json::json!({"kind": marker["kind"], "owner": marker["owner"]});
            things.add(&plain, &marker["at"], marker["count"].as_u64().expect("a count"));
        }
        things
    }

    fn add(&mut self, thing: &Value, at: &Value, count: u64) {
        *self.0.entry(format!("{thing} {at}")).or_default() += count;
    }

    fn remove(&mut self, thing: &Value, at: &Value) {
        let key = format!("{thing} {at}");
        let count = self.0.get_mut(&key).unwrap_or_else(|| panic!("{key} is not there"));
        *count -= 1;
        if *count == 0 {
            self.0.remove(&key);
        }
    }

    fn apply(&mut self, effect: &Value) {
        let (piece, marker) = (&effect["piece"], &effect["marker"]);
        match effect["type"].as_str().expect("a type") {
            "add" => self.add(piece, &effect["at"], 1),
            "remove" => self.remove(piece, &effect["at"]),
            "move" => {
                self.remove(piece, &effect["from"]);
                self.add(piece, &effect["to"], 1);
            }
            "markerAdd" => self.add(marker, &effect["at"], 1),
            "markerRemove" => self.remove(marker, &effect["at"]),
            "markerMove" => {
                self.remove(marker, &effect["from"]);
                self.add(marker, &effect["to"], 1);
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn effects_turn_what_lay_there_before_into_what_lies_there_after() {
    for variant in VariantId::all() {
        for moves in games(variant) {
            let mut game = Game::new(variant);
            let mut things = Things::of(&view(&game));
            for text in moves {
                game.play_uci(&text).unwrap_or_else(|e| panic!("{variant}: {e}"));
            }
            for played in list(&view(&game), "history") {
                list(played, "effects").iter().for_each(|effect| things.apply(effect));
                let fen = played["fen"].as_str().expect("a FEN");
                let after = Game::from_fen(variant, fen).unwrap_or_else(|e| panic!("{variant}: {e}"));
                assert_eq!(things, Things::of(&view(&after)), "{variant}: {played}");
            }
        }
    }
}

#[test]
fn the_gestures_of_a_move_mean_no_other_move() {
    for variant in VariantId::all() {
        for row in rows(variant, "moves") {
            let game = Game::from_fen(variant, &row[0]).unwrap_or_else(|e| panic!("{variant}: {e}"));
            let view = view(&game);
            let mut seen: BTreeMap<String, &Value> = BTreeMap::new();
            for m in list(&view, "legal") {
                let gesture = format!("{} {} {} {} {}", m["mover"], m["from"], m["to"], m["exit"], m["role"]);
                if let Some(other) = seen.insert(gesture, m) {
                    panic!("{variant}: {}: {m} and {other}", row[0]);
                }
            }
        }
    }
}

#[test]
fn what_is_picked_up_lies_where_the_move_begins() {
    for variant in VariantId::all() {
        for row in rows(variant, "moves") {
            let game = Game::from_fen(variant, &row[0]).unwrap_or_else(|e| panic!("{variant}: {e}"));
            let view = view(&game);
            for m in list(&view, "legal") {
                let told = || format!("{variant}: {}: {m}", row[0]);
                let from = &m["from"];
                match m["mover"].as_str() {
                    Some("piece") => {
                        let own = |piece: &&Value| piece["at"] == *from && piece["piece"]["color"] == view["turn"];
                        assert!(list(&view, "pieces").iter().any(|piece| own(&piece)), "{}", told());
                    }
                    Some("marker") => {
                        let own = |marker: &&Value| marker["at"] == *from && marker["owner"] == view["turn"];
                        assert!(list(&view, "markers").iter().any(|marker| own(&marker)), "{}", told());
                    }
                    _ => assert!(m["kind"] == "pass" && from.is_null() && m["to"].is_null(), "{}", told()),
                }
                assert_eq!(m["to"].is_null(), m["kind"] == "pass", "{}", told());
                for taken in list(m, "captures") {
                    let enemy = |piece: &&Value| piece["at"] == *taken && piece["piece"]["color"] != view["turn"];
                    assert!(list(&view, "pieces").iter().any(|piece| enemy(&piece)), "{}", told());
                }
            }
        }
    }
}

#[test]
fn the_kinds_of_moves_are_those_that_the_game_names() {
    for variant in VariantId::all() {
        let named: Vec<Value> = variant.info().to_json()["moveKinds"].as_array().expect("a list").clone();
        for row in rows(variant, "moves") {
            let game = Game::from_fen(variant, &row[0]).unwrap_or_else(|e| panic!("{variant}: {e}"));
            for m in list(&view(&game), "legal") {
                assert!(named.contains(&m["kind"]), "{variant}: {}: {m}", row[0]);
            }
        }
    }
}
