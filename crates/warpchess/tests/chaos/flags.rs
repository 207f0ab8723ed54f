//! What a node that died leaves to be done is done by the others.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::chance::Chance;
use crate::nats::Nats;
use crate::postgres::Postgres;
use crate::world::Node;

/// A player at a node, with no bad network between.
struct Client(WebSocketStream<TcpStream>);

impl Client {
    async fn join(node: &Node, cookie: &str, game: &str) -> Self {
        let mut request = format!("ws://{}/ws", node.address).into_client_request().unwrap();
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        let stream = TcpStream::connect(node.address).await.unwrap();
        let mut client = Self(client_async(request, stream).await.unwrap().0);
        client.send(json!({ "t": "join", "game": game })).await;
        client.until(|message| message["t"] == "joined").await;
        client
    }
    async fn send(&mut self, message: Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }
    async fn until(&mut self, what: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = timeout(Duration::from_secs(60), self.0.next()).await.expect("a message");
            if let Message::Text(text) = message.expect("an open connection").unwrap() {
                let message = serde_json::from_str(&text).unwrap();
                if what(&message) {
                    return message;
                }
            }
        }
    }
    async fn play(&mut self, game: &str, ply: i64, uci: &str) {
        self.send(json!({ "t": "move", "game": game, "ply": ply, "uci": uci, "id": uci })).await;
        self.until(|message| message["t"] == "ack").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_falls_although_the_node_that_saw_the_game_has_died() {
    let mut chance = Chance::new(3);
    let (Some(postgres), Some(nats)) = (tokio::task::block_in_place(Postgres::start), Nats::start()) else { return };
    let (database, bus) = (postgres.database().await, nats.bus());
    let dies = Node::start(&database, &bus, chance.split()).await;
    let lives = Node::start(&database, &bus, chance.split()).await;
    let (white, black) = (dies.visitor().await, lives.visitor().await);
    let wish = json!({ "variant": "chess", "color": "white", "opponent": { "kind": "link" },
        "control": { "kind": "live", "limit": 3000, "increment": 0 } });
    let made = dies.api("POST", "/api/challenges", Some(&white), Some(wish)).await.unwrap();
    let accept = format!("/api/challenges/{}/accept", made["challenge"]["id"].as_str().unwrap());
    let game = dies.api("POST", &accept, Some(&black), None).await.unwrap()["game"].as_str().unwrap().to_owned();
    let mut on_dies = Client::join(&dies, &white, &game).await;
    let mut on_lives = Client::join(&lives, &black, &game).await;
    on_dies.play(&game, 0, "e2e4").await;
    on_lives.play(&game, 1, "e7e5").await;
    drop(dies);
    let end = on_lives.until(|message| message["kind"] == "end").await;
    assert_eq!((&end["end"]["reason"], &end["end"]["winner"]), (&json!("timeout"), &json!("black")), "{end}");
    assert_eq!(end["clock"]["white"], 0, "{end}");
}
