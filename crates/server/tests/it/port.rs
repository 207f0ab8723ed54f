//! What `serve` promises of a port.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use warpchess_server::{Config, ServeError, serve};

const ANY_PORT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

#[tokio::test]
async fn it_says_where_it_listens_answers_and_stops_when_asked() {
    let (ready, is_ready) = oneshot::channel();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(serve(ANY_PORT, Config::default(), move |address| ready.send(address).unwrap(), async {
        stopped.await.unwrap()
    }));
    let address = is_ready.await.unwrap();
    assert_ne!(address.port(), 0);

    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 200") && reply.ends_with("ok"), "{reply}");

    // A client that keeps its connection open and asks nothing does not hold the server.
    let _idle = TcpStream::connect(address).await.unwrap();
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(5), server).await.unwrap().unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_taken_port_is_an_error_that_names_the_address_and_the_way_out() {
    let taken = tokio::net::TcpListener::bind(ANY_PORT).await.unwrap();
    let address = taken.local_addr().unwrap();
    let error = serve(address, Config::default(), |_| panic!("not ready"), async {}).await.unwrap_err();
    assert!(matches!(error, ServeError::Taken(at) if at == address));
    let message = error.to_string();
    assert!(
        message.contains(&address.to_string()) && message.contains("--port") && message.contains("PORT"),
        "{message}"
    );
    assert!(!message.contains('\n'));
}

#[tokio::test]
async fn one_connection_too_many_is_told_so_and_a_closed_one_makes_room() {
    let limits = warpchess_server::limits::Limits { connections_of_one: 2, ..Default::default() };
    let (ready, address) = tokio::sync::oneshot::channel();
    let config = Config { limits, ..Config::default() };
    let any = "127.0.0.1:0".parse().unwrap();
    tokio::spawn(serve(any, config, |at| ready.send(at).unwrap(), std::future::pending()));
    let address = address.await.unwrap();
    let ask = async |stream: &mut TcpStream| {
        let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
        let mut head = [0; 12];
        let _ = stream.read_exact(&mut head).await;
        String::from_utf8_lossy(&head).into_owned()
    };
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        assert_eq!(ask(&mut stream).await, "HTTP/1.1 200");
        held.push(stream);
    }
    let mut third = TcpStream::connect(address).await.unwrap();
    let mut head = [0; 12];
    third.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 429");
    held.pop();
    for _ in 0..200 {
        let mut again = TcpStream::connect(address).await.unwrap();
        if ask(&mut again).await == "HTTP/1.1 200" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("no room was made");
}

/// A server with little patience.
async fn hasty() -> SocketAddr {
    let within = Duration::from_millis(500);
    let limits = warpchess_server::limits::Limits {
        head_within: within,
        body_within: within,
        requests: 0,
        ..Default::default()
    };
    let (ready, address) = oneshot::channel();
    let config = Config { limits, ..Config::default() };
    tokio::spawn(serve(ANY_PORT, config, |at| ready.send(at).unwrap(), std::future::pending()));
    address.await.unwrap()
}

/// Sends `first`, then a byte of `rest` again and again, until the server closes: what it said.
async fn drip(address: SocketAddr, first: &str, rest: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(first.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = stream.into_split();
    let dripping = tokio::spawn({
        let rest = rest.to_owned();
        async move {
            for byte in rest.iter().cycle() {
                tokio::time::sleep(Duration::from_millis(20)).await;
                if writer.write_all(&[*byte]).await.is_err() {
                    return;
                }
            }
            // Nothing more is said, and the connection is held.
            std::future::pending().await
        }
    });
    let mut reply = Vec::new();
    // A reset is an end, too.
    let closed = tokio::time::timeout(Duration::from_secs(30), reader.read_to_end(&mut reply)).await;
    assert!(closed.is_ok(), "the server still waits after {first:?}");
    dripping.abort();
    String::from_utf8_lossy(&reply).into_owned()
}

#[tokio::test]
async fn connections_that_say_nothing_or_too_slowly_are_closed() {
    let address = hasty().await;
    let head = "POST /api/login HTTP/1.1\r\nhost: x\r\n";
    for (first, rest) in [
        // Nothing, half a line, half a head; a head that never ends.
        ("", b"".as_slice()),
        ("GET /healthz HT", b""),
        (head, b""),
        ("GET /healthz HTTP/1.1\r\nx: ", b"y"),
    ] {
        let said = drip(address, first, rest).await;
        assert!(!said.contains(" 200 "), "{first:?}: {said}");
    }
    // After a whole request a next that does not come.
    let said = drip(address, "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n", b"").await;
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    // A body that comes a byte at a time, and one that stops.
    let first = format!("{head}content-type: application/json\r\ncontent-length: 60000\r\n\r\n{{");
    for rest in [b" ".as_slice(), b""] {
        let said = drip(address, &first, rest).await;
        assert!(said.starts_with("HTTP/1.1 408") && said.contains("too-slow"), "{said}");
        assert!(said.contains("connection: close"), "{said}");
    }
    // Meanwhile and afterwards others are answered.
    assert!(drip(address, "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", b"").await.ends_with("ok"));
}

#[tokio::test]
async fn a_head_that_is_too_long_is_refused() {
    let address = hasty().await;
    let many: String = (0..100).map(|i| format!("x-{i}: y\r\n")).collect();
    let long = format!("x: {}\r\n", "y".repeat(100 * 1024));
    for headers in [many, long] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET /healthz HTTP/1.1\r\nhost: x\r\n{headers}\r\n");
        // The server may close while the rest is still being sent.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply).await;
        let reply = String::from_utf8_lossy(&reply);
        assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 4"), "{reply}");
    }
}
