//! Game records: what is read, how it is refused, how it is written.

use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use warpchess_rules::notation::pgn::{Limits, Line, Node, PgnError, PgnErrorKind, Reader, Record, Score, Tags, write};
use warpchess_rules::notation::{san, uci};
use warpchess_rules::{Game, VariantId};

fn all(text: impl AsRef<[u8]>) -> Vec<Result<Record, PgnError>> {
    Reader::new(text.as_ref()).collect()
}

#[track_caller]
fn one(text: impl AsRef<[u8]>) -> Record {
    let mut games = all(text);
    assert_eq!(games.len(), 1);
    games.remove(0).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn refused(text: impl AsRef<[u8]>) -> PgnError {
    let mut games = all(text);
    assert_eq!(games.len(), 1);
    games.remove(0).expect_err("an error")
}

fn moves(record: &Record) -> String {
    record.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
}

fn chess() -> VariantId {
    VariantId::from_name("chess").expect("a game")
}

/// A game of chess with these lines.
fn record(line: Line) -> Record {
    Record { line, ..Record::new(chess()) }
}

fn line(ucis: &str) -> Line {
    let mut position = chess().start();
    ucis.split_whitespace()
        .map(|text| {
            let m = uci::parse(&*position, text).expect("a legal move");
            position.play(m);
            m
        })
        .collect()
}

#[test]
fn ordinary_game_is_read() {
    let record =
        one("[Event \"Casual\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n");
    assert_eq!(moves(&record), "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    assert_eq!((record.score, record.file_line), (Score::WhiteWins, 1));
    assert_eq!(record.tags.get("Event"), Some("Casual"));
}

#[test]
fn line_ends_byte_order_mark_and_escaped_lines_do_not_matter() {
    let text = "\u{feff}% for another program [Event \"x\"]\r\n[Event \"a\"]\r\n\r\n1. e4\r\n%e5 2. Ke2 } (\r\ne5 *\r\n\r\n\u{feff}[Event \"b\"]\r1. d4\r1-0";
    let games: Vec<_> = all(text).into_iter().map(|g| g.unwrap_or_else(|e| panic!("{e}"))).collect();
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["e2e4 e7e5", "d2d4"]);
    assert_eq!(games[1].file_line, 8);
}

#[test]
fn latin_1_is_tolerated() {
    let record = one(b"[White \"M\xfcller\"]\n[Black \"M\xc3\xbcller\"]\n\n1. e4 {sch\xf6n} \xbd-\xbd".as_slice());
    assert_eq!((record.tags.get("White"), record.tags.get("Black")), (Some("Müller"), Some("Müller")));
    assert_eq!(record.line.moves[0].comments, ["schön"]);
    assert_eq!(record.score, Score::Draw);
}

#[test]
fn numbers_may_be_written_in_any_way() {
    for text in [
        "1. e4 e5 2. Nf3 *",
        "1.e4 e5 2.Nf3 *",
        "1:e4 e5 2:Nf3 *",
        "1 e4 e5 2 Nf3 *",
        "e4 e5 Nf3",
        "1. e4 1... e5 2. Nf3",
        "1.e4 1...e5 2.Nf3 *",
        "1. e4 … e5 17. Nf3*",
        "1 . e4 ... e5 2. Nf3",
    ] {
        assert_eq!(moves(&one(text)), "e2e4 e7e5 g1f3", "{text}");
    }
}

#[test]
fn comments_and_signs_belong_to_their_moves() {
    let record = one(
        "{before\n  all} 1. e4! {a} $14 ;b } c\n e5?? {} 2. Nf3 {d\n\te} !? (2. f4 $5 {[%clk 0:01]}) {f} 2... Nc6!!! *",
    );
    assert_eq!(record.line.comments, ["before all"]);
    let told: Vec<_> = record.line.moves.iter().map(|n| (n.nags.clone(), n.comments.join("|"))).collect();
    let expected =
        [(vec![1, 14], "a|b } c"), (vec![4], ""), (vec![5], "d e|f"), (vec![3], "")].map(|(n, c)| (n, c.to_owned()));
    assert_eq!(told, expected);
    let variation = &record.line.moves[2].variations[0];
    assert_eq!(variation.moves[0].comments, ["[%clk 0:01]"]);
    assert_eq!(variation.moves[0].nags, [5]);
}

#[test]
fn comments_between_games_belong_to_neither() {
    let games = all("[Event \"a\"]\n\n1. e4 *\n\n{between}\n\n[Event \"b\"]\n\n{own} 1. d4 *\n\n; after all\n");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].as_ref().expect("a game").line.comments, ["own"]);
}

#[test]
fn nested_variations_are_kept_as_a_tree() {
    let record = one("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 (2... Nf6) 3. exd5) (2. d4) 2... d6) (1... e6) 2. Nf3 *");
    assert_eq!(moves(&record), "e2e4 e7e5 g1f3");
    let variations = &record.line.moves[1].variations;
    let text = |line: &Line| line.moves.iter().map(|n| n.mv.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(variations.iter().map(text).collect::<Vec<_>>(), ["c7c5 g1f3 d7d6", "e7e6"]);
    let second = &variations[0].moves[1].variations;
    assert_eq!(second.iter().map(text).collect::<Vec<_>>(), ["c2c3 d7d5 e4d5", "d2d4"]);
    assert_eq!(text(&second[0].moves[1].variations[0]), "g8f6");
    assert_eq!(record.line.total_moves(), 12);
}

#[test]
fn promotion_in_brackets_is_no_variation() {
    let record = one("[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. e8(Q) (1. e8=R) Kh7 *");
    assert_eq!(moves(&record), "e7e8q g7h7");
}

#[test]
fn games_without_tags_or_scores_are_told_apart() {
    let games = all(
        "1. e4 e5 1-0 1. d4 0-1\n\n[White \"x\"]\n1. c4\n[White \"y\"]\n\n1. f4\n\n[Event \"empty\"]\n[Event \"z\"]\n*",
    );
    let games: Vec<_> = games.into_iter().map(|g| g.unwrap_or_else(|e| panic!("{e}"))).collect();
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["e2e4 e7e5", "d2d4", "c2c4", "f2f4", "", ""]);
    assert_eq!(games[2].score, Score::Unknown);
}

#[test]
fn score_falls_back_on_its_tag() {
    assert_eq!(one("[Result \"0-1\"]\n\n1. e4").score, Score::BlackWins);
    assert_eq!(one("[Result \"0-1\"]\n\n1. e4 1/2").score, Score::Draw);
}

#[test]
fn set_up_positions() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30";
    let record = one(format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n30... Kd7 31. e4 *"));
    assert_eq!(moves(&record), "e8d7 e2e4");
    assert_eq!(record.start.fen(), fen);
    let error = refused("[Event \"x\"]\n[FEN \"4k3/8/8 w - - 0 1\"]\n\n1. e4 *");
    assert!(matches!(error.kind, PgnErrorKind::Fen(_)));
    assert_eq!(error.line, 2);
    let error = refused("[SetUp \"1\"]\n\n1. e4 *");
    assert!(matches!(error.kind, PgnErrorKind::NoFen));
}

#[test]
fn unescaped_quotes_and_brackets_in_values_are_read() {
    let record =
        one("[Event \"The \"Big\" [one] \\\\ \\\"two\\\"\" ]\n[Site\t\"\"]\n[Time-Control \"300\"]\n\n1. e4 *");
    assert_eq!(record.tags.get("Event"), Some("The \"Big\" [one] \\ \"two\""));
    assert_eq!(record.tags.get("Site"), Some(""));
    assert_eq!(record.tags.get("Time_Control"), Some("300"));
}

#[test]
fn bad_game_is_reported_and_the_next_one_read() {
    let text = "[Event \"1\"]\n\n1. e4 e5 2. Ke3 {1-0 [Event \"no\"]} (2. d4 1-0) Nc6 1-0\n\n\
                [Event \"2\"]\n[Variant \"Losing Chess\"]\n\n1. e4 *\n\n\
                [Event \"3\"]\n\n1. e4 e5 2. Nf3 Qh9 0-1\n\n\
                [Event \"4\n[Site \"x\"]\n\n1. e4 *\n\n\
                [Event \"5\"]\n\n1. e4 (1. d4 d5 *\n\n\
                [Event \"6\"]\n\n1. e4 ) e5 *\n\n\
                [Event \"7\"]\n\n( 1. e4 ) e5 *\n\n\
                [Event \"8\"]\n\n1. e4 {never closed\n\n\
                [Event \"9\"]\n\n1. e4 } *\n\n\
                [Event \"10\"]\n\n1. e4 [%clk] e5 *\n\n\
                [Event \"11\"]\n\n1. e4 e5 1-0";
    let games: Vec<_> = Reader::new(text.as_bytes()).named("bad.pgn").collect();
    let told: Vec<_> = games.iter().map(|g| g.as_ref().map_or_else(ToString::to_string, moves)).collect();
    let fen1 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(told[0], format!("bad.pgn:3: game 1, move 2.: 'Ke3' is not a legal move in {fen1}"));
    assert!(
        told[1].starts_with("bad.pgn:6: game 2: unknown variant 'Losing Chess', expected one of chess"),
        "{}",
        told[1]
    );
    assert_eq!(told[2], "bad.pgn:12: game 3, move 2...: 'Qh9' is not the text of a move");
    assert_eq!(told[3], "bad.pgn:14: game 4: a tag's value has no end");
    assert_eq!(told[4], "bad.pgn:23: game 5, move 2.: the game ends inside a variation, ')' expected");
    assert_eq!(told[5], "bad.pgn:25: game 6, move 1...: ')' without a variation to close");
    assert!(told[6].starts_with("bad.pgn:29: game 7, move 1.: a variation before the first move"), "{}", told[6]);
    assert_eq!(told[7], "bad.pgn:33: game 8, move 1...: a comment has no end, '}' expected");
    assert_eq!(told[8], "bad.pgn:37: game 9, move 1...: '}' closes nothing");
    assert_eq!(told[9], "bad.pgn:41: game 10, move 1...: a tag's name expected after '['");
    assert_eq!(told[10], "e2e4 e7e5");
    assert_eq!(told.len(), 11);
}

#[test]
fn move_after_the_end_is_refused() {
    let error = refused("1. f3 e5 2. g4 Qh4# 3. a3 0-1");
    assert_eq!(error.at.map(|at| at.0), Some(3));
    assert!(matches!(error.kind, PgnErrorKind::Move(san::SanError::Illegal { .. })));
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let moves = ["Nf3", "Nc3", "e4", "d4"];
    let nest = |depth: usize| {
        let mut text = "1. a3 ".to_owned();
        (0..depth).for_each(|i| text.push_str(&format!("(1. {} ", moves[i % 4])));
        text + &")".repeat(depth) + " 1... e5 1-0\n\n[Event \"next\"]\n\n1. c4 *"
    };
    let limit = Limits::default().depth;
    let games = all(nest(limit));
    assert_eq!(games[0].as_ref().expect("within the limit").line.total_moves(), limit + 2);
    for depth in [limit + 1, 200_000] {
        let games = all(nest(depth));
        assert_eq!(games.len(), 2);
        let error = games[0].as_ref().expect_err("too deep");
        assert!(matches!(error.kind, PgnErrorKind::TooMuch(_)), "{error}");
        assert!(games[1].is_ok());
    }
    let games = all("(".repeat(3_000_000) + "\n[Event \"next\"]\n\n1. c4 *");
    assert!(games[0].is_err() && games[1].is_ok());
}

/// A text that goes on for ever, so that reading more than is needed shows.
struct Endless(u64);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(b'a');
        self.0 = self.0.checked_sub(buffer.len() as u64).ok_or_else(|| io::Error::other("the wire is cut"))?;
        Ok(buffer.len())
    }
}

#[test]
fn gigantic_tokens_are_refused_without_being_kept() {
    let limits = Limits { text: 1 << 16, ..Limits::default() };
    for start in ["[Event \"", "[", "{", "1. e4 {", ";", "1. e4 ;", "1. ", "$", "1. e4 $", "1. e4 e5 2. "] {
        let text = BufReader::new(start.as_bytes().chain(Endless(4 << 20)));
        let mut reader = Reader::with_limits(text, limits);
        let first = reader.next().expect("an answer");
        assert!(matches!(first.expect_err("no game").kind, PgnErrorKind::Io(_)), "{start}");
        assert!(reader.next().is_none(), "{start}: after an input error there is nothing more");
    }
    for (start, end) in [("[Event \"", "\"]"), ("[", " \"x\"]"), ("1. e4 {", "}"), ("1. e4 ;", ""), ("1. ", "")] {
        let text = format!("{start}{}{end}\n\n1. e4 *\n\n[Event \"next\"]\n\n1. d4 *", "a".repeat(1 << 20));
        let games: Vec<_> = Reader::with_limits(text.as_bytes(), limits).collect();
        assert_eq!(games.len(), 2, "{start}");
        assert!(games[0].is_err(), "{start}");
        assert_eq!(moves(games[1].as_ref().expect("the next game")), "d2d4");
    }
}

#[test]
fn many_small_things_are_too_much_for_a_game_too() {
    let limits = Limits { text: 10_000, moves: 100, depth: 4 };
    let read = |text: String| Reader::with_limits(text.as_bytes(), limits).next().expect("a game");
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    assert!(read(shuffle.repeat(25)).is_ok());
    for text in [
        shuffle.repeat(26),
        format!("e4 {}", "{a}".repeat(1000)),
        format!("e4 {}", "$1".repeat(10_001)),
        format!("e4 {}", "!? ".repeat(10_001)),
        (0..2000).map(|i| format!("[T{i} \"\"]\n")).collect(),
        format!("e4 {}", "(d4)".repeat(100)),
    ] {
        let error = read(text).expect_err("too much");
        assert!(matches!(error.kind, PgnErrorKind::TooMuch(_)), "{error}");
    }
}

#[test]
fn lines_are_at_most_eighty_columns_wide_and_read_back() {
    let mut all = line("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8");
    for (i, node) in all.moves.iter_mut().enumerate() {
        node.comments = vec!["word ".repeat(i * 3).trim().to_owned(), format!("%{i} [x] ;y")];
        node.comments.retain(|c| !c.is_empty());
        node.nags = (0..i as u8).collect();
    }
    let mut inner = line("d2d4 d7d5 c2c4");
    inner.comments = vec!["in".into()];
    for _ in 0..40 {
        let mut outer = line("c2c4 c7c5");
        outer.moves[0].variations = vec![inner, line("f2f4")];
        inner = outer;
    }
    all.moves[0].variations = vec![inner];
    let record = record(all);
    let text = write(&record).expect("legal moves");
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert!(!line.ends_with(' ') && !line.starts_with(['%', ' ']), "{line}");
    }
    let read = one(&text);
    assert_eq!(read.line, record.line);
    assert_eq!(write(&read).expect("legal moves"), text);
}

#[test]
fn comments_that_hold_braces_are_read_back() {
    let mut line = line("e2e4 e7e5");
    line.comments = vec!["a } b".into(), "{ c".into()];
    line.moves[0].comments = vec!["d {e} f".into(), "g".into(), "%".into()];
    line.moves[0].variations = vec![Line { comments: vec!["}".into()], moves: vec![Node::new(super_move("d2d4"))] }];
    line.moves[1].comments = vec!["[Event \"h\"]".into()];
    let record = record(line);
    assert_eq!(one(write(&record).expect("legal moves")).line, record.line);
}

fn super_move(text: &str) -> warpchess_rules::Move {
    uci::parse(&*chess().start(), text).expect("a legal move")
}

#[test]
fn tags_are_written_in_the_order_of_the_specification() {
    let mut tags = Tags::new();
    for (name, value) in
        [("Opening", "x\n\"y\\z\""), ("Black", "B"), ("Annotator", "A"), ("Result", "1-0"), ("FEN", "?")]
    {
        tags.set(name, value).expect("a good name");
    }
    assert!(tags.set("a b", "x").is_err() && tags.set("", "x").is_err() && tags.set("a\"", "x").is_err());
    let text = write(&Record { tags, ..Record::new(chess()) }).expect("no moves");
    let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"B\"]\n\
                    [Result \"*\"]\n[Annotator \"A\"]\n[Opening \"x \\\"y\\\\z\\\"\"]\n\n*\n";
    assert_eq!(text, expected);
}

#[test]
fn first_position_is_told_unless_it_is_the_usual_one() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 30";
    let mut game = Game::from_fen(chess(), fen).expect("a position");
    game.play_san("Kd7").expect("a legal move");
    game.play_san("e4").expect("a legal move");
    let text = write(&game.to_record(Tags::new())).expect("legal moves");
    assert!(
        text.contains(&format!("[Result \"*\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n30... Kd7 31. e4 *\n")),
        "{text}"
    );
    assert_eq!(one(&text).start.fen(), fen);
}

#[test]
fn illegal_record_is_not_written() {
    let error = write(&record([super_move("e2e4"), super_move("d2d4")].into_iter().collect())).expect_err("illegal");
    assert_eq!(error.uci, "d2d4");
}

/// The games of a variant's vectors, as UCI moves.
fn vector_games(variant: VariantId) -> Vec<Vec<String>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(format!("{variant}.games.tsv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut games = vec![Vec::new()];
    for fields in text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect::<Vec<_>>()) {
        match fields[1] {
            "status" => games.push(Vec::new()),
            uci => games.last_mut().expect("a game").push(uci.to_owned()),
        }
    }
    games.retain(|game| !game.is_empty());
    assert!(games.len() > 3);
    games
}

#[test]
fn games_of_every_variant_are_read_back_from_one_file() {
    let mut games = Vec::new();
    let mut file = String::new();
    for variant in VariantId::all() {
        for ucis in vector_games(variant) {
            let mut game = Game::new(variant);
            for (i, text) in ucis.iter().enumerate() {
                // Random games go on where the rules of counting would end them.
                if let Err(error) = game.play_uci(text) {
                    assert!(game.outcome().is_some(), "{variant}: ply {i}: {error}");
                    break;
                }
            }
            file += &write(&game.to_record(Tags::new())).expect("legal moves");
            file += "\n";
            games.push(game);
        }
    }
    let mut reader = Reader::new(file.as_bytes());
    for game in &games {
        let record = reader.next().expect("as many games").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(record.variant, game.variant());
        assert_eq!(record.moves().collect::<Vec<_>>(), game.moves().collect::<Vec<_>>());
        assert_eq!(record.score, Score::from(game.outcome()));
        let replayed = Game::from_record(&record).expect("legal moves");
        assert_eq!(replayed.position().fen(), game.position().fen());
    }
    assert!(reader.next().is_none());
}
