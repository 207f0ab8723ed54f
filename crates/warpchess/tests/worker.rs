//! `warpchess worker`, run as a program: killed in the middle, and another goes on.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

/// Killed when the test ends, however it ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Site {
    folder: std::path::PathBuf,
    database: String,
    address: String,
    token: String,
    _server: Running,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Site {
    fn warpchess(database: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpchess"));
        command.env_remove("PORT").env_remove("RUST_LOG").env("WARPCHESS_DATABASE", database);
        command
    }

    /// A server that analyses nothing itself, and somebody with a token.
    fn start(nodes: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("warpchess-worker-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let database = format!("sqlite:{}", folder.join("games.db").display());
        let admin = |arguments: &[&str], said: &str| {
            let mut command = Self::warpchess(&database);
            command.arg("admin").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            child.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
            String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().trim().to_owned()
        };
        admin(&["create-user", "ann", "--password-stdin"], "a long password\n");
        let token = admin(&["create-token", "ann", "--scopes", "board:play"], "");
        let mut command = Self::warpchess(&database);
        command.args(["serve", "--port", "0", "--workers", "0", "--analysis-nodes", nodes]);
        let mut server = command.stdout(Stdio::piped()).spawn().map(Running).unwrap();
        let mut line = String::new();
        BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("Warpchess is at http://").and_then(|rest| rest.split(' ').next());
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { folder, database, address, token, _server: server }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\n\
             content-type: text/plain\r\ncontent-length: {}\r\n\r\n",
            self.token,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (_, body) = reply.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {reply}"))
    }

    /// Waits until an analysis is as it should be.
    fn until(&self, id: &str, what: impl Fn(&Value) -> bool) -> Value {
        loop {
            let form = self.ask("GET", &format!("/api/games/{id}/analysis"), "");
            if what(&form) {
                return form;
            }
            assert!(form["state"] != "failed", "{form}");
            sleep(Duration::from_millis(50));
        }
    }

    fn worker(&self) -> Running {
        Self::warpchess(&self.database).arg("worker").stderr(Stdio::null()).spawn().map(Running).unwrap()
    }
}

#[test]
fn a_worker_that_is_killed_leaves_its_work_to_another() {
    let site = Site::start("30000");
    let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 1/2-1/2";
    let id = site.ask("POST", "/api/import", pgn)["id"].as_str().unwrap().to_owned();
    let asked = site.ask("POST", &format!("/api/games/{id}/analysis"), "");
    assert_eq!((&asked["state"], &asked["total"]), (&Value::from("queued"), &Value::from(19)));

    let first = site.worker();
    let begun = site.until(&id, |form| form["done"].as_i64() > Some(0));
    // By a signal that nothing can be done about.
    drop(first);
    let left = site.ask("GET", &format!("/api/games/{id}/analysis"), "");
    let _second = site.worker();
    let done = site.until(&id, |form| form["state"] == "done");
    assert_eq!(done["done"], 19);
    assert!(done["plies"].as_array().unwrap().iter().all(|ply| ply["eval"].is_object()), "{done}");
    if left["state"] == "running" {
        assert_eq!(done["attempts"], 2, "{begun}");
        // What the first had found was not looked for again.
        let known =
            |form: &Value, ply: usize| (form["plies"][ply]["eval"].clone(), form["plies"][ply]["variation"].clone());
        for ply in (0..19).filter(|&ply| known(&left, ply).0.is_object()) {
            assert_eq!(known(&left, ply), known(&done, ply), "{ply}");
        }
    }
}

#[test]
fn a_database_that_cannot_be_had_is_one_line_and_exit_code_1() {
    let output = Site::warpchess("sqlite:/no/such/folder/x.db").arg("worker").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("error: ") && message.lines().count() == 1, "{message}");
}
