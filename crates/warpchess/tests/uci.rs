//! `warpchess uci`, driven as a board drives it: a process, its input and its output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use warpchess_rules::{Game, VariantId};

const PATIENCE: Duration = Duration::from_secs(60);
/// What the protocol promises between `stop` and `bestmove`.
const STOP: Duration = Duration::from_millis(20);
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

/// Killed when the test ends, however it ends.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Engine {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpchess"));
        command.arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines }
    }
    fn of(variant: VariantId) -> Self {
        let mut engine = Self::start();
        engine.say(&format!("setoption name UCI_Variant value {variant}"));
        engine.ready();
        engine
    }
    fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open input");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program reads");
    }
    fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }
    /// The lines up to one that begins so, that one included.
    #[track_caller]
    fn until(&mut self, start: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok((_, line)) = self.lines.recv_timeout(left) else { panic!("no '{start}' after {lines:#?}") };
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }
    /// All that was said up to `readyok`.
    #[track_caller]
    fn ready(&mut self) -> Vec<String> {
        self.say("isready");
        self.until("readyok")
    }
    /// The same where others may have asked whether it is ready, too: up to the complaint about a word that nobody else says.
    #[track_caller]
    fn done_with(&mut self, mark: &str) -> Vec<String> {
        self.say(mark);
        self.until(&format!("info string error: unknown command '{mark}'"))
    }
    /// What `bestmove` says in answer to a command.
    #[track_caller]
    fn best(&mut self, command: &str) -> String {
        self.say(command);
        let line = self.until("bestmove").pop().expect("a line");
        line.split(' ').nth(1).expect("a move").to_owned()
    }
    fn quiet_for(&mut self, time: Duration) -> bool {
        self.lines.recv_timeout(time).is_err()
    }
    /// How long its threads have waited for a processor that others had: no program can hurry that.
    fn kept_waiting(&self) -> Duration {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let stats = tasks.into_iter().flatten().flatten();
        let nanos = stats
            .filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok())
            .filter_map(|stat| stat.split_whitespace().nth(1)?.parse::<u64>().ok());
        Duration::from_nanos(nanos.sum())
    }
    #[track_caller]
    fn exit(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the program does not end");
    }
}

fn id(name: &str) -> VariantId {
    name.parse().expect("a game")
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn it_names_itself_and_its_options() {
    let mut engine = Engine::start();
    engine.say("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Warpchess "), "{lines:#?}");
    for option in [
        "UCI_Variant type combo default chess var chess var teleport",
        "Hash type spin",
        "Threads type spin default 1 min 1 max 256",
        "MultiPV type spin default 1 min 1",
        "Ponder type check",
        "Move Overhead type spin default 10",
        "UCI_LimitStrength type check",
        "UCI_Elo type spin",
        "Skill Level type spin default 20 min 0 max 20",
        "UCI_AnalyseMode type check",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option}"))), "{option}: {lines:#?}");
    }
    engine.say("quit");
    assert!(engine.exit().success());
}

#[test]
fn a_game_is_played_to_its_end_in_every_variant() {
    for variant in VariantId::all() {
        let mut engine = Engine::of(variant);
        let mut game = Game::new(variant);
        let mut moves = String::new();
        while game.outcome().is_none() && game.len() < 60 {
            engine.say(&format!("position startpos moves {moves}"));
            let best = engine.best("go nodes 400");
            let played = game.play_uci(&best).unwrap_or_else(|error| panic!("{variant}: {error}"));
            moves.push_str(&format!("{played} "));
        }
        assert!(game.len() > 4, "{variant}: {moves}");
    }
}

#[test]
fn an_iteration_is_told_with_all_that_boards_show() {
    let mut engine = Engine::of(id("chess"));
    engine.say("setoption name MultiPV value 2");
    engine.say("position startpos moves e2e4");
    engine.say("go depth 5");
    let lines = engine.until("bestmove");
    let last = lines.iter().rev().find(|line| line.contains(" multipv 2 ")).expect("a second line");
    let words: Vec<&str> = last.split(' ').collect();
    let expected = ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"];
    let found: Vec<&str> = words.iter().copied().filter(|word| expected.contains(word)).collect();
    assert_eq!(found, expected, "{last}");
    assert_eq!(words[..3], ["info", "depth", "5"]);
    assert!(lines.last().is_some_and(|line| line.contains(" ponder ")), "{lines:#?}");
}

#[test]
fn a_variant_tells_its_board() {
    let mut engine = Engine::start();
    engine.say("setoption name UCI_Variant value pocketmutation");
    let line = engine.ready().remove(0);
    let start = id("pocketmutation").info().start_fen;
    assert_eq!(
        line,
        format!("info string variant pocketmutation files 8 ranks 8 pocket 18 template fairy startpos {start}")
    );
    engine.say("d");
    let lines = engine.until("Status: ");
    assert!(lines.contains(&format!("Fen: {start}")), "{lines:#?}");
}

#[test]
fn mate_is_announced_in_moves_and_a_search_for_it_ends() {
    let mut engine = Engine::of(id("chess"));
    engine.say("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    engine.say("go mate 2");
    let lines = engine.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{lines:#?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove a1a6")), "{lines:#?}");
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Engine::of(id("chess"));
    assert_eq!(engine.best("go searchmoves a2a3 depth 3"), "a2a3");
}

/// The shortest time of three: what delays the test itself is none of the program's doing.
#[track_caller]
fn stops_in_time(what: &str, mut attempt: impl FnMut() -> Duration) {
    let times: Vec<Duration> = (0..3).map(|_| attempt()).collect();
    let best = times.iter().min().expect("three attempts");
    assert!(*best < STOP, "{what}: {times:?}");
}

#[test]
fn stop_is_answered_within_twenty_milliseconds_at_any_moment() {
    let mut random = Random(3);
    for variant in VariantId::all() {
        let mut engine = Engine::of(variant);
        for wait in [0, 1, 7, 40, 150] {
            let go = ["go infinite", "go depth 90", "go ponder wtime 90000 btime 90000", "go"][random.below(4)];
            stops_in_time(&format!("{variant} {go} {wait} ms"), || {
                engine.say("position startpos");
                engine.say(go);
                std::thread::sleep(Duration::from_millis(wait));
                let waited = engine.kept_waiting();
                let told = Instant::now();
                engine.say("stop");
                loop {
                    let (at, line) = engine.lines.recv_timeout(PATIENCE).expect("an answer");
                    if line.starts_with("bestmove") {
                        assert!(!line.contains("(none)"), "{variant} {go} {wait}");
                        return (at - told).saturating_sub(engine.kept_waiting().saturating_sub(waited));
                    }
                }
            });
        }
    }
}

#[test]
fn several_threads_stop_as_one() {
    let mut engine = Engine::of(id("chess"));
    engine.say("setoption name Threads value 4");
    assert_ne!(engine.best("go depth 6"), "(none)");
    stops_in_time("four threads", || {
        engine.say("go infinite");
        std::thread::sleep(Duration::from_millis(60));
        let (told, waited) = (Instant::now(), engine.kept_waiting());
        engine.best("stop");
        told.elapsed().saturating_sub(engine.kept_waiting().saturating_sub(waited))
    });
}

#[test]
fn it_is_ready_while_it_thinks() {
    let mut engine = Engine::of(id("chess"));
    engine.say("go infinite");
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(engine.ready().last().map(String::as_str), Some("readyok"));
    engine.best("stop");
}

#[test]
fn time_limits_hold() {
    let mut engine = Engine::of(id("chess"));
    let began = Instant::now();
    engine.best("go movetime 200");
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(150) && took < Duration::from_millis(1500), "{took:?}");
    // Almost no time at all still gives a move.
    for go in ["go wtime 1 btime 1", "go wtime 0 btime 0 winc 0", "go wtime -5 btime -5", "go movetime 0"] {
        assert_ne!(engine.best(go), "(none)", "{go}");
    }
}

#[test]
fn pondering_ends_at_the_hit_not_before() {
    let mut engine = Engine::of(id("chess"));
    engine.say("position startpos moves e2e4 e7e5");
    engine.say("go ponder wtime 60 btime 60");
    std::thread::sleep(Duration::from_millis(200));
    engine.say("isready");
    assert!(engine.until("readyok").iter().all(|line| !line.starts_with("bestmove")));
    assert_ne!(engine.best("ponderhit"), "(none)");
}

/// Plays against itself by the clock, which stands still while the machine does other things. What was overstepped, if anything.
fn play_by_the_clock(variant: VariantId, plies: usize) -> Result<(), String> {
    let mut engine = Engine::of(variant);
    let mut game = Game::new(variant);
    let mut moves = String::new();
    let mut left = [Duration::from_secs(1); 2];
    while game.outcome().is_none() && game.len() < plies {
        let side = game.len() % 2;
        engine.say(&format!("position startpos moves {moves}"));
        let [white, black] = left.map(|time| time.as_millis());
        let (began, waited) = (Instant::now(), engine.kept_waiting());
        let best = engine.best(&format!("go wtime {white} btime {black} winc 10 binc 10"));
        let took = began.elapsed().saturating_sub(engine.kept_waiting().saturating_sub(waited));
        if took > left[side] {
            return Err(format!("{variant}: {took:?} of {:?} at ply {}", left[side], game.len()));
        }
        left[side] = left[side] - took + Duration::from_millis(10);
        moves.push_str(&format!("{} ", game.play_uci(&best).expect("a legal move")));
    }
    Ok(())
}

#[test]
fn a_clock_of_one_second_and_a_hundredth_is_never_overstepped() {
    for variant in ["chess", "pocketmutation", "twinportal"] {
        // What delays the test itself is taken for the program's time, so that one that fails is played again.
        let late: Vec<String> = (0..3).map_while(|_| play_by_the_clock(id(variant), 120).err()).collect();
        assert!(late.len() < 3, "{late:?}");
    }
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = Engine::of(id("chess"));
    engine.say(&format!("position fen {MATED}"));
    engine.say("go depth 5");
    let lines = engine.until("bestmove");
    assert_eq!(lines, ["info depth 0 score mate 0", "bestmove (none)"]);
    engine.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    engine.say("go infinite");
    assert!(engine.quiet_for(Duration::from_millis(50)), "an infinite search waits");
    engine.say("stop");
    assert_eq!(engine.until("bestmove"), ["info depth 0 score cp 0", "bestmove (none)"]);
}

#[test]
fn nought_is_a_move_where_a_turn_is_bound() {
    let mut engine = Engine::of(id("twinportal"));
    // White declares, Black moves, and White is bound to what he declared.
    let mut game = Game::new(id("twinportal"));
    let mut declared = String::new();
    for text in ["a2a4", "a7a6", "b2b3", "b7b6", "a4a4", "h7h6"] {
        game.play_uci(text).expect("a legal move");
        declared.push_str(&format!("{text} "));
    }
    assert_eq!(game.position().legal_moves().len(), 1);
    engine.say(&format!("position startpos moves {declared}"));
    assert_eq!(engine.best("go depth 4"), "0000");
    assert_eq!(engine.best("go depth 2 searchmoves 0000"), "0000");
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let mut engine = Engine::of(id("chess"));
    engine.say("position startpos moves e2e4");
    for (bad, named) in [
        ("position startpos moves e2e4 e7e5 e4e5", "error: position: move 3: 'e4e5' is not a legal move"),
        ("position fen 8/8/8 w - - 0 1", "error: position: "),
        ("position", "error: position: 'startpos' or 'fen' and a FEN expected, found 'nothing'"),
        ("position endpos", "error: position: 'startpos' or 'fen' and a FEN expected, found 'endpos'"),
        ("setoption name Hash value big", "error: setoption: Hash: 'big' is not a whole number"),
        ("setoption name UCI_Variant value go", "error: setoption: unknown variant 'go'"),
        ("setoption value 3", "error: setoption: 'name' expected"),
        ("xyzzy", "error: unknown command 'xyzzy'"),
    ] {
        engine.say(bad);
        let lines = engine.ready();
        assert_eq!(lines.len(), 2, "{bad}: {lines:#?}");
        assert!(lines[0].starts_with(&format!("info string {named}")), "{bad}: {lines:#?}");
    }
    engine.say("d");
    let lines = engine.until("Status: ");
    assert!(lines.iter().any(|line| line.ends_with("PPPP1PPP/RNBQKBNR b KQkq - 0 1")), "{lines:#?}");
    assert_ne!(engine.best("go depth two nodes 50"), "(none)");
}

#[test]
fn a_command_that_cannot_wait_ends_the_search() {
    let mut engine = Engine::of(id("chess"));
    for command in ["position startpos moves d2d4", "ucinewgame", "setoption name Hash value 8", "go depth 1"] {
        engine.say("go infinite");
        engine.say(command);
        let lines = engine.until("bestmove");
        assert!(lines.iter().any(|line| line.contains("the search was ended")), "{command}: {lines:#?}");
        engine.say("stop");
        engine.ready();
    }
}

#[test]
fn the_end_of_input_ends_the_program_also_while_it_thinks() {
    for commands in ["", "uci\n", "go infinite\n", "go infinite\nquit\n", "go ponder\nis"] {
        let mut engine = Engine::start();
        engine.send(commands.as_bytes());
        engine.input = None;
        assert!(engine.exit().success(), "{commands}");
    }
}

#[test]
fn an_output_nobody_reads_ends_nothing_with_a_panic() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpchess"));
    command.arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("its input");
    input.write_all(b"uci\ngo depth 4\nisready\n").expect("the program reads");
    std::thread::sleep(Duration::from_millis(200));
    drop(input);
    let output = child.wait_with_output().expect("a child");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_search_that_nobody_hears_of_ends_by_itself() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpchess"));
    command.arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("its input");
    // The second line is not obeyed any more: the program has ended then, though its input is still open.
    input.write_all(b"go infinite\n").expect("the program reads");
    let ended = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        let _ = input.write_all(b"isready\n");
        child.try_wait().expect("a child").is_some()
    });
    assert!(ended, "it goes on although nobody hears it");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpchess"));
    command.arg("uci").stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    child.stdin.take().expect("its input").write_all(b"uci\n").expect("the program reads");
    let output = child.wait_with_output().expect("a child");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the session ended: "), "{output:?}");
}

#[test]
fn weaker_play_can_be_asked_for() {
    let mut engine = Engine::of(id("chess"));
    engine.say("setoption name UCI_LimitStrength value true");
    engine.say("setoption name UCI_Elo value 600");
    let mut choices = std::collections::BTreeSet::new();
    for _ in 0..30 {
        engine.say("position startpos");
        choices.insert(engine.best("go wtime 60000 btime 60000"));
    }
    assert!(choices.len() > 1, "a beginner is no machine: {choices:?}");
    engine.say("setoption name UCI_AnalyseMode value true");
    engine.say("go nodes 20000");
    let lines = engine.until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info depth 5 ")), "an analysis is not weakened: {lines:#?}");
}

#[test]
fn garbage_of_any_kind_is_survived() {
    const WORDS: [&str; 44] = [
        "uci",
        "isready",
        "ucinewgame",
        "setoption",
        "name",
        "value",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "stop",
        "ponderhit",
        "d",
        "debug",
        "register",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "movestogo",
        "infinite",
        "mate",
        "searchmoves",
        "ponder",
        "MultiPV",
        "Hash",
        "UCI_Variant",
        "teleport",
        "Skill",
        "Level",
        "0000",
        "e2e4",
        "e7e5",
        "O@e4",
        "N@e4",
        "-1",
        "3",
        "99999999999999999999",
        "w",
        "-",
        "\u{fffd}",
    ];
    let mut random = Random(11);
    let mut engine = Engine::start();
    let variants: Vec<VariantId> = VariantId::all().collect();
    let fens: Vec<&str> = variants.iter().map(|v| v.info().start_fen).collect();
    for round in 0..400 {
        let mut line: Vec<u8> = Vec::new();
        match random.below(6) {
            0 => line.extend((0..random.below(60)).map(|_| random.below(256) as u8)),
            1 => {
                // A FEN with a few letters changed.
                let mut fen = fens[random.below(fens.len())].as_bytes().to_vec();
                for _ in 0..1 + random.below(3) {
                    let at = random.below(fen.len());
                    fen[at] = b" /|1PpKk8-[]wb5"[random.below(15)];
                }
                line.extend(b"position fen ");
                line.extend(fen);
                line.extend(b"\ngo nodes 50");
            }
            2 => line
                .extend(format!("setoption name UCI_Variant value {}", variants[random.below(variants.len())]).bytes()),
            _ => {
                for _ in 0..random.below(12) {
                    line.extend(WORDS[random.below(WORDS.len())].bytes());
                    line.push(b' ');
                }
            }
        }
        // No line may happen to end the session.
        line.retain(|&b| b != b'q');
        engine.send(&line);
        engine.send(b"\n");
        if round % 20 == 19 {
            engine.send(b"stop\n");
            engine.done_with(&format!("mark{round}"));
        }
    }
    engine.send(&vec![b'g'; 3 << 20]);
    engine.send(b"\nstop\n");
    let lines = engine.done_with("long");
    assert!(lines.iter().any(|line| line.contains("a line of more than")), "{lines:#?}");
    engine.say("setoption name UCI_Variant value chess");
    engine.say("setoption name MultiPV value 1");
    engine.say("position startpos");
    assert_ne!(engine.best("go depth 2"), "(none)");
    engine.say("quit");
    assert!(engine.exit().success());
}
