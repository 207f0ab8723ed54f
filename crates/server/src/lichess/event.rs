//! What a player is told: games that begin and end, challenges that come, are declined or taken back.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};
use warpchess_rules::Color;

use super::stream::{Gone, Lines};
use super::{challenge, game};
use crate::App;
use crate::auth::Identity;
use crate::bus;
use crate::games::challenges::Challenge;
use crate::store::games;

/// How many ended games a stream remembers.
const REMEMBERED: usize = 1000;

/// What the bus tells a player.
#[derive(Debug, Deserialize)]
struct Told {
    t: String,
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    challenge: Option<Named>,
}

#[derive(Debug, Deserialize)]
struct Named {
    id: String,
}

/// The stream of one player.
pub(crate) struct Events {
    app: App,
    who: Identity,
    user: String,
    /// Games whose beginning was told and whose end was not.
    playing: HashSet<String>,
    /// Games whose end was told lately: the bus may say it twice.
    ended: HashSet<String>,
    /// Challenges that were told and wait.
    waiting: HashSet<String>,
}

impl Events {
    pub(crate) fn new(app: App, who: Identity, user: String) -> Self {
        Self { app, who, user, playing: HashSet::new(), ended: HashSet::new(), waiting: HashSet::new() }
    }

    /// Tells until the client goes.
    pub(crate) async fn run(mut self, mut lines: Lines) -> Result<(), Gone> {
        // From now on, before the first look: nothing falls between.
        let _connected = self.app.challenges().connected(&self.who);
        let Some(subject) = bus::player_subject(Some(&self.user), None) else { return Ok(()) };
        let mut news = self.app.games().bus().subscribe(&subject);
        self.catch_up(&mut lines).await?;
        loop {
            match lines.wait(news.next()).await? {
                Ok(text) => self.heard(&mut lines, &text).await?,
                Err(bus::Missed) => self.catch_up(&mut lines).await?,
            }
        }
    }

    /// Tells what there is now and was not told.
    async fn catch_up(&mut self, lines: &mut Lines) -> Result<(), Gone> {
        let now: Vec<String> = {
            let Ok(mut db) = self.app.store().read().await else { return Err(Gone) };
            games::ongoing(&mut db, &self.user, i64::MAX).await.map_err(|_| Gone)?
        };
        for id in self.playing.clone().into_iter().filter(|id| !now.contains(id)) {
            self.game(lines, &id).await?;
        }
        for id in now {
            self.game(lines, &id).await?;
        }
        let challenges = self.app.challenges().of(&self.who).await.map_err(|_| Gone)?;
        for it in challenges {
            self.challenge(lines, it).await?;
        }
        Ok(())
    }

    async fn heard(&mut self, lines: &mut Lines, text: &str) -> Result<(), Gone> {
        let Ok(told) = serde_json::from_str::<Told>(text) else { return Ok(()) };
        match (told.t.as_str(), told.game, told.challenge) {
            ("game-start" | "game-end", Some(id), _) => self.game(lines, &id).await,
            (_, _, Some(Named { id })) => match self.app.challenges().get(&id, Some(&self.who)).await {
                Ok(it) => self.challenge(lines, it).await,
                Err(_) => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Tells of a game that began or ended.
    async fn game(&mut self, lines: &mut Lines, id: &str) -> Result<(), Gone> {
        let Ok(state) = self.app.games().state(id, Some(&self.who)).await else { return Ok(()) };
        let Some(color) = [Color::White, Color::Black].into_iter().find(|color| state.you == Some(color.name())) else {
            return Ok(());
        };
        let ended = state.end.is_some();
        let form = {
            let mut db = self.app.store().read().await.map_err(|_| Gone)?;
            game::short(&mut db, &state, color).await.map_err(|_| Gone)?
        };
        if self.ended.contains(id) {
            return Ok(());
        }
        if self.playing.insert(id.to_owned()) {
            lines.json(&json!({ "type": "gameStart", "game": form })).await?;
        }
        if ended {
            self.playing.remove(id);
            if self.ended.len() >= REMEMBERED {
                self.ended.clear();
            }
            self.ended.insert(id.to_owned());
            lines.json(&json!({ "type": "gameFinish", "game": form })).await?;
        }
        Ok(())
    }

    /// Tells of a challenge that came or went.
    async fn challenge(&mut self, lines: &mut Lines, it: Challenge) -> Result<(), Gone> {
        // Those to anybody are the lobby's.
        if it.to.is_none() {
            return Ok(());
        }
        let kind = match it.status {
            "open" if self.waiting.insert(it.id.clone()) => "challenge",
            "declined" if self.waiting.remove(&it.id) => "challengeDeclined",
            "canceled" | "expired" if self.waiting.remove(&it.id) => "challengeCanceled",
            "accepted" => {
                self.waiting.remove(&it.id);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let form: Value = {
            let mut db = self.app.store().read().await.map_err(|_| Gone)?;
            challenge::form(&self.app, &mut db, &it, Some(&self.user)).await.map_err(|_| Gone)?
        };
        let mut event = json!({ "type": kind, "challenge": form });
        if kind == "challenge" {
            event["compat"] = json!({ "bot": true, "board": true });
        }
        lines.json(&event).await
    }
}
