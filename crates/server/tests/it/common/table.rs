//! A server with a clock that stands, and two players at it.

use std::sync::Arc;
use std::time::Duration;

use warpchess_server::auth::{Identity, Scopes};
use warpchess_server::clock::{Clock, ManualClock};
use warpchess_server::games::challenges::{Made, Opponent, Wish};
use warpchess_server::games::view::GameState;
use warpchess_server::games::{Action, Control, Done, Refusal};
use warpchess_server::{App, Config};

/// When tests begin.
pub(crate) const START: i64 = 1_700_000_000_000;

pub(crate) struct Table {
    pub(crate) app: App,
    pub(crate) clock: ManualClock,
    pub(crate) config: Config,
    pub(crate) white: Identity,
    pub(crate) black: Identity,
    /// The game.
    pub(crate) id: String,
}

pub(crate) fn anonymous(session: &str) -> Identity {
    Identity {
        user: None,
        session: session.to_owned(),
        name: "Anonymous".into(),
        bot: false,
        scopes: Scopes::default(),
    }
}

pub(crate) fn account(name: &str) -> Identity {
    Identity {
        user: Some(name.to_lowercase()),
        session: format!("of {name}"),
        name: name.to_owned(),
        bot: false,
        scopes: Scopes::all(),
    }
}

/// Three minutes and two seconds.
pub(crate) const BLITZ: Control = Control::Live { limit: 180_000, increment: 2000 };

pub(crate) fn wish(variant: &str, control: Control) -> Wish {
    Wish {
        variant: variant.to_owned(),
        fen: None,
        setup: None,
        control,
        color: Some("white".into()),
        rated: false,
        opponent: Opponent::Link,
        min_rating: None,
        max_rating: None,
    }
}

impl Table {
    pub(crate) async fn with(database: &str, wish: Wish) -> Self {
        let clock = ManualClock::new(START);
        let config =
            Config { database: database.to_owned(), clock: Arc::new(clock.clone()), workers: 0, ..Config::default() };
        let app = App::start(config.clone()).await.unwrap();
        let (white, black) = (anonymous("white"), anonymous("black"));
        let id = begin(&app, &wish, &white, &black).await;
        Self { app, clock, config, white, black, id }
    }
    pub(crate) async fn of(variant: &str) -> Self {
        Self::with("sqlite::memory:", wish(variant, BLITZ)).await
    }
    pub(crate) async fn at(variant: &str, fen: &str) -> Self {
        Self::with("sqlite::memory:", Wish { fen: Some(fen.to_owned()), ..wish(variant, BLITZ) }).await
    }

    /// The server goes down, and comes up again.
    pub(crate) async fn restart(&mut self) {
        self.app.stop().await;
        self.app = App::start(self.config.clone()).await.unwrap();
    }

    pub(crate) fn pass(&self, millis: u64) {
        self.clock.advance(Duration::from_millis(millis));
    }
    pub(crate) fn now(&self) -> i64 {
        self.clock.now()
    }
    pub(crate) async fn state(&self) -> GameState {
        self.app.games().state(&self.id, None).await.unwrap()
    }
    /// The player whose turn it is.
    pub(crate) async fn to_move(&self) -> Identity {
        match self.state().await.turn {
            "white" => self.white.clone(),
            _ => self.black.clone(),
        }
    }
    pub(crate) async fn act(&self, who: &Identity, action: Action) -> Result<Done, Refusal> {
        self.app.games().act(&self.id, who, action, 0).await
    }
    pub(crate) async fn play(&self, who: &Identity, ply: i64, uci: &str) -> Result<Done, Refusal> {
        self.act(who, Action::Move { ply, uci: uci.to_owned(), id: None }).await
    }
    /// Moves by whoever is to move, a second each.
    pub(crate) async fn moves(&self, moves: &str) {
        for uci in moves.split_whitespace() {
            self.pass(1000);
            let who = self.to_move().await;
            let ply = self.state().await.ply;
            self.play(&who, ply, uci).await.unwrap_or_else(|refusal| panic!("{uci}: {refusal}"));
        }
    }
    /// Waits until the game is over by itself.
    pub(crate) async fn over(&self) -> GameState {
        over(&self.app, &self.id).await
    }
}

/// Waits until a game is over by itself.
pub(crate) async fn over(app: &App, id: &str) -> GameState {
    loop {
        let state = app.games().state(id, None).await.unwrap();
        if state.status != "started" {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// A game between two.
pub(crate) async fn begin(app: &App, wish: &Wish, first: &Identity, second: &Identity) -> String {
    match app.challenges().make(wish, first).await.unwrap() {
        Made::Challenge(challenge) => app.challenges().accept(&challenge.id, second).await.unwrap(),
        Made::Game(id) => id,
    }
}
