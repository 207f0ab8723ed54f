//! What `deploy/` says, as far as it can be tried without containers: the balancer's file with a real HAProxy before two real
//! nodes that are set up by the environment of the compose file; and that all names in these files are names of something.

#[path = "../../server/tests/it/common/nats.rs"]
mod nats;
#[path = "../../server/tests/it/common/postgres.rs"]
#[allow(dead_code)]
mod postgres;
#[path = "../../server/tests/it/common/service.rs"]
#[allow(dead_code)]
mod service;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

use nats::Nats;
use postgres::Postgres;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("deploy/{name}: {error}"))
}

fn haproxy() -> Option<PathBuf> {
    service::program("haproxy", vec!["/usr/sbin".into(), "/usr/local/sbin".into()], "haproxy")
}

/// The variables that the compose file sets for a node, with what they are set to.
fn environment() -> BTreeMap<String, String> {
    let compose = text("compose.yaml");
    let lines = compose.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let set = lines.filter_map(|line| line.split_once(": "));
    set.filter(|(name, _)| name.starts_with("WARPCHESS_") || *name == "RUST_LOG")
        .map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned()))
        .collect()
}

/// What `warpchess serve --help` says.
fn help() -> String {
    let help = Command::new(env!("CARGO_BIN_EXE_warpchess")).args(["serve", "--help"]).output().unwrap();
    String::from_utf8(help.stdout).unwrap()
}

/// The words of a list as JSON and YAML have it: `["serve", "--listen"]`.
fn words(list: &str) -> Vec<String> {
    serde_json::from_str(list).unwrap_or_else(|error| panic!("{list}: {error}"))
}

#[test]
fn variables_and_flags_are_those_that_the_program_reads() {
    let help = help();
    let environment = environment();
    assert!(environment.len() >= 6, "{environment:?}");
    for name in environment.keys().filter(|name| *name != "RUST_LOG") {
        assert!(
            help.contains(&format!("[env: {name}=")),
            "compose.yaml sets {name}, which `warpchess serve` does not read"
        );
    }
    let compose = text("compose.yaml");
    let dockerfile = text("Dockerfile");
    let command = compose.lines().find_map(|line| line.trim().strip_prefix("command: ")).unwrap();
    let usual = dockerfile.lines().find_map(|line| line.strip_prefix("CMD ")).unwrap();
    for list in [command, usual] {
        let words = words(list);
        assert_eq!(words[0], "serve");
        for flag in words.iter().filter(|word| word.starts_with("--")) {
            assert!(help.contains(&format!("{flag} ")), "`warpchess serve` knows no {flag}");
        }
    }
}

#[test]
fn nodes_of_the_balancer_are_services_and_hosts_too() {
    let compose = text("compose.yaml");
    let services: BTreeSet<&str> = compose
        .split("\nservices:\n")
        .nth(1)
        .unwrap()
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with(' '))
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.strip_suffix(':'))
        .collect();
    let balancer = text("haproxy.cfg");
    let nodes: Vec<&str> = balancer.lines().filter_map(|line| line.trim().strip_prefix("server ")).collect();
    assert_eq!(nodes.len(), 2, "{nodes:?}");
    for node in nodes {
        let (name, address) = node.split_once(' ').unwrap();
        assert_eq!(address.split_once(':').unwrap().0, name);
        assert!(services.contains(name), "{name} is none of {services:?}");
    }
    let environment = environment();
    for variable in ["WARPCHESS_DATABASE", "WARPCHESS_BUS"] {
        let url = &environment[variable];
        let host = url.rsplit_once('@').map_or_else(|| url.split_once("//").unwrap().1, |(_, rest)| rest);
        let host = host.split([':', '/']).next().unwrap();
        assert!(services.contains(host), "{variable} is at {host}, which is none of {services:?}");
    }
}

#[test]
fn the_image_is_made_of_files_that_there_are() {
    let root = folder().join("..");
    let dockerfile = text("Dockerfile");
    let scripts: Vec<&str> = dockerfile.split_whitespace().filter(|word| word.starts_with("scripts/")).collect();
    assert!(scripts.len() >= 3, "{scripts:?}");
    for script in scripts {
        let mode = std::fs::metadata(root.join(script)).unwrap_or_else(|error| panic!("{script}: {error}"));
        assert!(std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o111 != 0, "{script} cannot be run");
    }
    // What is not sent to the builder must not be what it needs.
    for pattern in text("Dockerfile.dockerignore").lines().filter(|line| !line.is_empty()) {
        for needed in ["Cargo.toml", "Cargo.lock", "crates", "assets", "scripts", "web", "docs", "deploy"] {
            assert_ne!(pattern.trim_end_matches('/'), needed);
        }
    }
}

/// How many connections the balancer takes.
fn most_connections() -> usize {
    let balancer = text("haproxy.cfg");
    balancer.lines().find_map(|line| line.trim().strip_prefix("maxconn ")).unwrap().parse().unwrap()
}

#[test]
fn the_balancer_may_have_as_many_files_as_it_asks_for() {
    let compose = text("compose.yaml");
    let balancer = compose.split("\n  balancer:\n").nth(1).unwrap();
    let files = balancer.lines().find_map(|line| line.trim().strip_prefix("nofile: ")).unwrap();
    // It does not start with fewer: two for each connection, and some for itself.
    assert!(2 * most_connections() + 100 <= files.parse().unwrap());
}

#[test]
fn the_balancers_file_is_one() {
    let Some(haproxy) = haproxy() else { return };
    let checked = Command::new(haproxy).arg("-c").arg("-f").arg(folder().join("haproxy.cfg")).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

/// A process that ends with the test.
struct Running(Child);

impl Running {
    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn free() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// The head and the body of a reply; `None` when there is none.
async fn ask(at: SocketAddr, method: &str, path: &str, headers: &str, body: Option<Value>) -> Option<(String, String)> {
    let asked = async {
        let mut stream = TcpStream::connect(at).await.ok()?;
        let body = body.map_or_else(String::new, |body| body.to_string());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {at}\r\n{headers}content-type: application/json\r\ncontent-length: \
             {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.ok()?;
        let (head, body) = reply.split_once("\r\n\r\n")?;
        Some((head.to_owned(), body.to_owned()))
    };
    tokio::time::timeout(Duration::from_secs(20), asked).await.ok()?
}

async fn status(at: SocketAddr, path: &str) -> u16 {
    let reply = ask(at, "GET", path, "", None).await;
    reply.and_then(|(head, _)| head.split(' ').nth(1)?.parse().ok()).unwrap_or(0)
}

async fn until(what: &str, is: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !is().await {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn json(at: SocketAddr, path: &str, cookie: &str, body: Option<Value>) -> Value {
    let method = if body.is_some() { "POST" } else { "GET" };
    let reply = ask(at, method, path, &format!("cookie: {cookie}\r\n"), body).await;
    let (head, body) = reply.unwrap_or_else(|| panic!("{path} is not answered"));
    serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {head}\n{body}"))
}

async fn visitor(at: SocketAddr) -> String {
    let (head, _) = ask(at, "POST", "/api/challenges", "", Some(json!({}))).await.unwrap();
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    cookie.unwrap_or_else(|| panic!("{head}")).split(';').next().unwrap().to_owned()
}

async fn socket(at: SocketAddr, cookie: &str) -> WebSocketStream<TcpStream> {
    let mut request = format!("ws://{at}/ws").into_client_request().unwrap();
    request.headers_mut().insert("cookie", cookie.parse().unwrap());
    // As a page of the site would.
    request.headers_mut().insert("origin", format!("http://{at}").parse().unwrap());
    client_async(request, TcpStream::connect(at).await.unwrap()).await.unwrap().0
}

async fn answer(socket: &mut WebSocketStream<TcpStream>, message: Value, t: &str) -> Value {
    socket.send(Message::Text(message.to_string().into())).await.unwrap();
    let wait = async {
        while let Some(Ok(message)) = socket.next().await {
            let Message::Text(text) = message else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["t"] == t {
                return message;
            }
        }
        panic!("closed before {t}")
    };
    tokio::time::timeout(Duration::from_secs(30), wait).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn players_behind_the_balancer_play_on_when_a_node_dies() {
    let Some(haproxy) = haproxy() else { return };
    let (Some(postgres), Some(nats)) = (tokio::task::block_in_place(Postgres::start), Nats::start()) else { return };
    let (nodes, balancer) = ([free(), free()], free());

    // As the compose file has it, but for where things are.
    let mut environment = environment();
    environment.insert("WARPCHESS_DATABASE".into(), postgres.database().await);
    environment.insert("WARPCHESS_BUS".into(), nats.bus());
    environment.insert("WARPCHESS_BASE_URL".into(), format!("http://{balancer}"));
    environment.insert("WARPCHESS_WORKERS".into(), "0".into());
    environment.insert("RUST_LOG".into(), "warn".into());
    let mut running: Vec<Running> = Vec::new();
    for node in nodes {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpchess"));
        command.args(["serve", "--listen", &node.to_string()]).envs(&environment);
        running.push(Running(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()));
    }
    // As many connections as that take more files than a test may have.
    let mut config = text("haproxy.cfg").replace("bind :8080", &format!("bind {balancer}"));
    config = config.replace(&format!("maxconn {}", most_connections()), "maxconn 200");
    for (name, node) in ["node1:8080", "node2:8080"].iter().zip(nodes) {
        assert!(config.contains(name), "{name}");
        config = config.replace(name, &node.to_string());
    }
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("haproxy.cfg");
    std::fs::write(&file, config).unwrap();
    let mut command = Command::new(haproxy);
    command.arg("-db").arg("-f").arg(&file).stdin(Stdio::null()).stdout(Stdio::null());
    let _balancer = Running(command.spawn().unwrap());
    for node in nodes {
        until("the node is ready", async || status(node, "/readyz").await == 200).await;
    }
    until("the balancer has a node", async || status(balancer, "/readyz").await == 200).await;
    assert_eq!(status(balancer, "/metrics").await, 404, "what is measured is nobody's business");
    assert_eq!(status(nodes[0], "/metrics").await, 200);

    let (white, black) = (visitor(balancer).await, visitor(balancer).await);
    let wish = json!({ "variant": "chess", "color": "white", "opponent": { "kind": "link" },
        "control": { "kind": "live", "limit": 600_000, "increment": 0 } });
    let made = json(balancer, "/api/challenges", &white, Some(wish)).await;
    let id = made["challenge"]["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    json(balancer, &format!("/api/challenges/{id}/accept"), &black, Some(json!({}))).await;
    for node in nodes {
        assert_eq!(json(node, &format!("/api/games/{id}"), &white, None).await["status"], "started", "{node}");
    }
    let mut on_white = socket(balancer, &white).await;
    let joined = answer(&mut on_white, json!({ "t": "join", "game": id }), "joined").await;
    assert_eq!(joined["state"]["you"], "white");
    let first = json!({ "t": "move", "game": id, "ply": 0, "uci": "e2e4", "id": "1" });
    answer(&mut on_white, first, "ack").await;

    running[0].kill();
    // At once, before the balancer has noticed.
    for _ in 0..10 {
        assert_eq!(status(balancer, "/healthz").await, 200);
    }
    let mut on_black = socket(balancer, &black).await;
    let joined = answer(&mut on_black, json!({ "t": "join", "game": id }), "joined").await;
    assert_eq!((&joined["state"]["you"], &joined["state"]["moves"]), (&json!("black"), &json!(["e2e4"])));
    let second = json!({ "t": "move", "game": id, "ply": 1, "uci": "e7e5", "id": "2" });
    answer(&mut on_black, second, "ack").await;
}
