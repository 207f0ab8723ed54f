//! `warpchess serve`, run as a program.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

fn warpchess() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpchess"));
    command.env_remove("PORT").env_remove("RUST_LOG").env("WARPCHESS_DATABASE", "sqlite::memory:");
    command
}

/// Killed when the test ends, however it ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn it_prints_its_address_and_answers_there() {
    let mut server = warpchess().args(["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().map(Running).unwrap();
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line
        .strip_prefix("Warpchess is at http://")
        .and_then(|rest| rest.split(' ').next())
        .unwrap_or_else(|| panic!("{line}"));

    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
}

#[test]
fn a_taken_port_is_one_line_and_exit_code_1() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    for by_env in [false, true] {
        let port = address.port().to_string();
        let mut command = warpchess();
        command.arg("serve");
        if by_env {
            command.env("PORT", port)
        } else {
            command.args(["--port", &port])
        };
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.contains(&address.to_string()) && message.contains("--port"), "{message}");
    }
}

#[test]
fn a_port_that_is_none_is_bad_input_told_in_one_line() {
    for port in ["70000", "-1", "x", ""] {
        let output = warpchess().args(["serve", &format!("--port={port}")]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{port}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("error: ") && message.lines().count() == 1, "{message}");
        assert!(message.contains("--port"), "{message}");
    }
}

#[test]
fn an_address_may_have_its_port_with_it_and_the_database_is_told() {
    let folder = std::env::temp_dir().join(format!("warpchess-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // The port of --listen counts, not that of --port and PORT.
    let mut command = warpchess();
    command.args(["serve", "--listen", "127.0.0.1:0"]).env("PORT", "1").env_remove("WARPCHESS_DATABASE");
    let mut server = command.current_dir(&folder).stdout(Stdio::piped()).spawn().map(Running).unwrap();
    let mut lines = BufReader::new(server.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let address = lines.next().unwrap();
    assert!(address.starts_with("Warpchess is at http://127.0.0.1:") && !address.contains(":1 "), "{address}");
    let kept = lines.next().unwrap();
    assert!(kept.starts_with("Games are kept in /") && kept.ends_with("warpchess.db"), "{kept}");
    assert!(folder.join("warpchess.db").is_file());
    drop(server);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_database_that_cannot_be_had_is_one_line_and_exit_code_1() {
    for database in ["sqlite:/no/such/folder/x.db", "mysql://me:secret@host/x"] {
        let output = warpchess().args(["serve", "--port", "0", "--database", database]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("error: ") && message.lines().count() == 1, "{message}");
        assert!(!message.contains("secret"), "{message}");
    }
}

#[test]
fn a_database_that_is_not_there_is_made_by_servers_and_first_accounts_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = format!("sqlite:{}", folder.path().join("typo.db").display());
    let backup = folder.path().join("backup.db").display().to_string();
    for arguments in [
        vec!["admin", "--database", &database, "backup", &backup],
        vec!["admin", "--database", &database, "rebuild-explorer"],
        vec!["admin", "--database", &database, "ban", "ann"],
        vec!["worker", "--database", &database],
    ] {
        let output = warpchess().args(&arguments).output().expect("the program");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("typo.db"), "{arguments:?}: {output:?}");
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 0, "{arguments:?}");
    }
}
