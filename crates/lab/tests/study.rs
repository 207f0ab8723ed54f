//! Studies that are played.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use warpchess_arena::{Control, Plan};
use warpchess_engine::Level;
use warpchess_lab::{Beginning, Effort, Facts, Report, Study, Variety, chart, run};
use warpchess_rules::notation::pgn::Reader;
use warpchess_rules::{Game, VariantId};

/// A folder that is gone when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("warpchess-lab-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn small(variant: VariantId, games: u64) -> Study {
    Study { max_plies: 60, ..Study::new(variant, games, Effort::Limit(Control::Nodes(60))) }
}

fn play(study: &Study) -> Vec<Facts> {
    run(study, &mut |_| ()).expect("games")
}

#[test]
fn the_same_seed_gives_the_same_games_however_many_are_played_at_a_time() {
    for variant in VariantId::all() {
        let one = play(&small(variant, 4));
        let study = Study { concurrency: 3, ..small(variant, 4) };
        assert_eq!(play(&study), one, "{variant}");
        let other = play(&Study { seed: 2, ..small(variant, 4) });
        assert_ne!(other, one, "{variant}");
        let report = Report::new(&study, &one);
        // Sixty nodes a move leave so little choice that two of four games may come out alike.
        assert!(report.games == 4 && report.distinct >= 3, "{variant}: {} of 4 games differ", report.distinct);
        assert_eq!(one.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }
}

#[test]
fn levels_and_random_openings_come_out_the_same_too() {
    let chess = VariantId::default();
    let level = Effort::Level(Level::new(1).expect("a level"));
    let study = Study { max_plies: 30, ..Study::new(chess, 2, level) };
    assert_eq!(play(&study), play(&study));
    let beginning = Beginning::Random(Plan { plies: 6, balance: 200, seed: 3 });
    let study = Study { beginning, ..small(chess, 3) };
    let games = play(&study);
    assert_eq!(games, play(&study));
    assert!(games.iter().all(|game| game.fen.is_some()));
    assert!(Report::new(&study, &games).first_moves.is_empty(), "first moves mean nothing after random ones");
}

#[test]
fn a_position_given_is_the_start_of_every_game() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let study = Study { fen: Some(fen.into()), ..small(VariantId::default(), 3) };
    let games = play(&study);
    assert!(games.iter().all(|game| game.fen.as_deref() == Some(fen)));
    let report = serde_json::to_value(Report::new(&study, &games)).expect("JSON");
    assert_eq!(report["fen"], fen);
    let usual = small(VariantId::default(), 1);
    assert!(serde_json::to_value(Report::new(&usual, &play(&usual))).expect("JSON").get("fen").is_none());
}

#[test]
fn without_variety_all_games_are_one() {
    let beginning = Beginning::Start(Variety { plies: 0, within: 0 });
    let study = Study { beginning, ..small(VariantId::default(), 3) };
    let report = Report::new(&study, &play(&study));
    assert_eq!((report.games, report.distinct), (3, 1));
}

#[test]
fn a_measurement_goes_on_where_it_was_interrupted() {
    let scratch = Scratch::new("resume");
    let (state, pgn, whole) = (scratch.0.join("state"), scratch.0.join("pgn"), scratch.0.join("whole"));
    let variant = "teleport".parse().expect("a game");
    let with = |games, state: Option<&PathBuf>, pgn: &PathBuf| {
        play(&Study { state: state.cloned(), pgn: Some(pgn.clone()), ..small(variant, games) })
    };
    with(3, Some(&state), &pgn);
    // As after a fall: half a line of state, and a game in the PGN that was not counted.
    let text = fs::read_to_string(&state).expect("a state");
    let cut: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    fs::write(&state, cut + &text.lines().last().expect("a line")[..25]).expect("a disk");
    let resumed = with(5, Some(&state), &pgn);
    assert_eq!(resumed, with(5, None, &whole));
    // But for the date: midnight may have come.
    let games = |path| -> Vec<String> {
        let text = fs::read_to_string(path).expect("games");
        text.lines().filter(|line| !line.starts_with("[Date ")).map(str::to_owned).collect()
    };
    assert_eq!(games(&pgn), games(&whole));
    // What is there already is told, not played.
    let mut told = 0;
    let again = run(&Study { state: Some(state.clone()), ..small(variant, 4) }, &mut |_| told += 1).expect("games");
    assert_eq!((told, again.len()), (4, 4));

    let other = Study { seed: 9, state: Some(state.clone()), ..small(variant, 5) };
    let error = run(&other, &mut |_| ()).expect_err("another study").to_string();
    assert!(error.ends_with("this is the state of another measurement: the seed was 1, not 9"), "{error}");
    let games = Reader::new(fs::File::open(&pgn).map(std::io::BufReader::new).expect("games"));
    for record in games {
        Game::from_record(&record.expect("a good game")).expect("legal moves");
    }
}

#[test]
fn a_state_that_tells_of_no_game_is_refused() {
    let scratch = Scratch::new("broken");
    let state = scratch.0.join("state");
    let study = Study { state: Some(state.clone()), ..small(VariantId::default(), 2) };
    play(&study);
    let text = fs::read_to_string(&state).expect("a state");
    let first = text.lines().nth(1).and_then(|line| line.split('"').nth(5)).expect("a move").to_owned();
    fs::write(&state, text.replacen(&format!("\"{first}\""), "\"e2e5\"", 1)).expect("a disk");
    let error = run(&study, &mut |_| ()).expect_err("no game").to_string();
    assert!(error.contains("cannot be played over: ") && error.contains("e2e5"), "{error}");
}

/// `docs/lab.md` promises these.
#[test]
fn the_json_has_the_documented_form() {
    let variant = "portalduel".parse().expect("a game");
    let study = small(variant, 3);
    let json = serde_json::to_value(Report::new(&study, &play(&study))).expect("JSON");
    let documented = include_str!("../../../docs/lab.md");
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let mut objects = vec![&json];
    for name in ["white", "plies", "choices", "decides", "leads", "material"] {
        objects.push(&json[name]);
    }
    for name in ["endings", "lengths", "uses", "firstMoves"] {
        objects.push(&json[name][0]);
    }
    for object in objects {
        for key in keys(object) {
            assert!(documented.contains(&format!("`{key}`")), "{key} is not documented");
        }
    }
    assert_eq!((&json["format"], &json["variant"], &json["games"]), (&1.into(), &"portalduel".into(), &3.into()));
    assert_eq!(keys(&json["white"]["score"]), ["error", "high", "low", "of", "value"]);
    let names: Vec<&str> = json["uses"].as_array().expect("a list").iter().filter_map(|u| u["name"].as_str()).collect();
    for name in ["travel", "place", "shift", "carry", "blackHole", "castle", "enPassant", "promotion"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

#[test]
fn a_chart_is_well_formed_and_says_what_it_shows() {
    for variant in VariantId::all() {
        let study = small(variant, 2);
        let report = Report::new(&study, &play(&study));
        let svg = chart(&report);
        // Every tag is closed, in order.
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("a tag");
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{variant}"),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().expect("a name")),
            }
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(svg.contains(variant.info().names[0]) && svg.contains("White scores"), "{variant}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{variant}");
    }
    let empty = Report::new(&small(VariantId::default(), 1), &[]);
    assert!(chart(&empty).ends_with("</svg>\n"));
}
