//! `warpchess serve` is killed, again and again, while games are played: nothing that it acknowledged is lost, and nothing
//! is played twice.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use warpchess_rules::{Game, VariantId};

/// How often the server is killed.
const KILLS: usize = 4;
/// How many plies each game gets on with before the next kill.
const PLIES: usize = 6;

/// Killed when the test ends, however it ends.
struct Server(Child);

impl Server {
    fn start(address: SocketAddr, database: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpchess"));
        command.args(["serve", "--listen", &address.to_string(), "--database", database, "--workers", "1"]);
        command.env_remove("PORT").env_remove("RUST_LOG").stdout(Stdio::piped());
        let mut server = Self(command.spawn().unwrap());
        let mut line = String::new();
        BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains(&address.to_string()), "{line}");
        server
    }
    /// As `kill -9` does.
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A reply: its head and what it says; `None` when the server is not there, or goes away before it has answered.
fn ask(address: SocketAddr, method: &str, path: &str, cookie: &str, body: &Value) -> Option<(String, Value)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    let (head, body) = reply.split_once("\r\n\r\n")?;
    Some((head.to_owned(), serde_json::from_str(body).ok()?))
}

/// The same until there is an answer.
fn insist(address: SocketAddr, method: &str, path: &str, cookie: &str, body: &Value) -> (String, Value) {
    loop {
        match ask(address, method, path, cookie, body) {
            Some((head, _)) if head.starts_with("HTTP/1.1 429") || head.starts_with("HTTP/1.1 5") => {}
            Some(answer) => return answer,
            None => {}
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn visitor(address: SocketAddr) -> String {
    let (head, _) = insist(address, "POST", "/api/challenges", "", &json!({}));
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap_or_else(|| panic!("{head}"));
    cookie.split(';').next().unwrap().to_owned()
}

/// Plays a game against oneself until told to stop: its id, and the moves that were acknowledged.
fn play(address: SocketAddr, variant: VariantId, plies: &AtomicUsize, stop: &AtomicBool) -> (String, Vec<String>) {
    let players = [visitor(address), visitor(address)];
    let wish = json!({
        "variant": variant.id(), "color": "white", "opponent": { "kind": "link" },
        "control": { "kind": "live", "limit": 3_600_000, "increment": 0 },
    });
    let (_, made) = insist(address, "POST", "/api/challenges", &players[0], &wish);
    let challenge = made["challenge"]["id"].as_str().unwrap_or_else(|| panic!("{made}"));
    let accept = format!("/api/challenges/{challenge}/accept");
    // The answer may be lost, and the second time it is accepted already: then the challenge says which game it is.
    insist(address, "POST", &accept, &players[1], &Value::Null);
    let (_, challenge) = insist(address, "GET", &format!("/api/challenges/{challenge}"), &players[0], &Value::Null);
    let id = challenge["game"].as_str().unwrap_or_else(|| panic!("{challenge}")).to_owned();

    let mut game = Game::new(variant);
    let mut acknowledged = Vec::new();
    while !stop.load(Ordering::Relaxed) && game.outcome().is_none() {
        let moves = game.position().legal_moves();
        let chosen = moves[(game.len() * 7 + 3) % moves.len()];
        let mover = if game.position().turn() == warpchess_rules::Color::White { 0 } else { 1 };
        let action =
            json!({ "action": "move", "ply": game.len(), "uci": chosen.to_string(), "id": format!("m{}", game.len()) });
        let (head, done) = insist(address, "POST", &format!("/api/games/{id}/actions"), &players[mover], &action);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}\n{done}");
        assert_eq!(done["ply"], game.len() + 1, "{done}");
        acknowledged.push(chosen.to_string());
        game.play(chosen).unwrap();
        plies.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(15));
    }
    (id, acknowledged)
}

#[test]
fn nothing_acknowledged_is_lost_when_the_server_is_killed() {
    let folder = std::env::temp_dir().join(format!("warpchess-kill-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let database = format!("sqlite:{}", folder.join("kill.db").display());
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (plies, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let variants: Vec<VariantId> = VariantId::all().collect();

    let mut server = Server::start(address, &database);
    let games: Vec<(VariantId, String, Vec<String>)> = thread::scope(|scope| {
        let games: Vec<_> = variants
            .iter()
            .map(|&variant| {
                let (plies, stop) = (&plies, &stop);
                (variant, scope.spawn(move || play(address, variant, plies, stop)))
            })
            .collect();
        for kill in 1..=KILLS {
            while plies.load(Ordering::Relaxed) < kill * PLIES * variants.len()
                && !games.iter().any(|(_, thread)| thread.is_finished())
            {
                thread::sleep(Duration::from_millis(1));
            }
            server.kill();
            server = Server::start(address, &database);
        }
        stop.store(true, Ordering::Relaxed);
        games
            .into_iter()
            .map(|(variant, thread)| {
                let (id, moves) = thread.join().unwrap();
                (variant, id, moves)
            })
            .collect()
    });

    // And once more, so that all that is told comes from the disk.
    server.kill();
    server = Server::start(address, &database);
    for (variant, id, acknowledged) in games {
        assert!(!acknowledged.is_empty(), "{variant}");
        let (_, state) = insist(address, "GET", &format!("/api/games/{id}"), "", &Value::Null);
        assert_eq!(state["moves"], json!(acknowledged), "{variant}");
        let (head, view) = insist(address, "GET", &format!("/api/games/{id}/view"), "", &Value::Null);
        assert!(head.starts_with("HTTP/1.1 200"), "{variant}: the game cannot be replayed: {view}");
        let (_, events) = insist(address, "GET", &format!("/api/games/{id}/events"), "", &Value::Null);
        let events = events.as_array().unwrap().clone();
        let numbers: Vec<_> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>(), "{variant}");
        let moves: Vec<_> =
            events.iter().filter(|event| event["kind"] == "move").map(|event| event["uci"].clone()).collect();
        assert_eq!(moves, acknowledged, "{variant}");
    }
    server.kill();
    let _ = std::fs::remove_dir_all(folder);
}
