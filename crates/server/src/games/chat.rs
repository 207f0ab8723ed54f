//! What is said in a game: among the players, and among those who watch. Neither hears the other room.

use serde::Serialize;
use warpchess_rules::Color;

use super::action::Refusal;
use super::service::Games;
use crate::auth::Identity;
use crate::bus;
use crate::store::StoreError;
use crate::store::chat::{self, Line, Room};
use crate::text::visible;

/// Longest line, in characters.
pub const LONGEST: usize = 140;
/// How many lines a client is told that comes in.
const LAST: i64 = 100;
/// How often a number is tried for that others took at the same moment.
const ATTEMPTS: usize = 5;

/// A line as it is sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Said {
    t: &'static str,
    game: String,
    /// Its number in the game.
    pub seq: i64,
    /// `players` or `spectators`.
    pub room: &'static str,
    name: String,
    color: Option<String>,
    text: String,
    at: i64,
}

impl From<Line> for Said {
    fn from(line: Line) -> Self {
        Self {
            t: "chat",
            game: line.game,
            seq: line.seq,
            room: line.room.name(),
            name: line.author,
            color: line.color,
            text: line.text,
            at: line.at,
        }
    }
}

impl Said {
    /// Who said it.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// What was said.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// As it is sent.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A text as others may see it: no control characters, no spaces but single ones; `None` when nothing is left or it is too
/// long.
pub fn clean(text: &str) -> Option<String> {
    if text.len() > LONGEST * 8 {
        return None;
    }
    Some(visible(text)).filter(|text| !text.is_empty() && text.chars().count() <= LONGEST)
}

impl Games {
    /// Says something in a game: players to each other, others among themselves.
    ///
    /// # Errors
    /// When the text is no good or there is no such game.
    pub async fn say(&self, id: &str, who: &Identity, room: Room, text: &str) -> Result<i64, Refusal> {
        let text = clean(text).ok_or_else(|| {
            Refusal::Malformed("text", format!("a chat line has 1 to {LONGEST} characters that can be seen"))
        })?;
        let color = self.with(id, |live, _| live.color_of(who)).await?;
        if (room == Room::Players) != color.is_some() {
            return Err(Refusal::Malformed(
                "room",
                "players talk in the room 'players', spectators in the room 'spectators'".into(),
            ));
        }
        let line = Line {
            game: id.to_owned(),
            seq: 0,
            room,
            author: who.name.clone(),
            user: who.user.clone(),
            color: color.map(|color| Color::name(color).to_owned()),
            text,
            at: self.clock().now(),
        };
        for _ in 0..ATTEMPTS {
            let mut line = line.clone();
            let job = self.store().write({
                let line = line.clone();
                move |db| Box::pin(async move { chat::insert(db, &line).await })
            });
            match job.await {
                Ok(seq) => {
                    line.seq = seq;
                    self.bus().publish(&bus::room_subject(id), Said::from(line).to_json().into());
                    return Ok(seq);
                }
                Err(error) if error.is_unique_violation() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Refusal::Busy)
    }

    /// What was said last in a room, after line number `seen`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn said(&self, id: &str, room: Room, seen: i64) -> Result<Vec<Said>, StoreError> {
        let mut db = self.store().read().await?;
        Ok(chat::last(&mut db, id, room, seen, LAST).await?.into_iter().map(Said::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_taken_out() {
        assert_eq!(clean(" good\u{7}  game\n").as_deref(), Some("good game"));
        assert_eq!(clean("a\u{202e}b").as_deref(), Some("a b"));
        assert_eq!(clean("\u{200b} \t"), None);
        assert_eq!(clean(&"x".repeat(LONGEST + 1)), None);
        assert_eq!(clean("¡Qué partida! Ничья?").as_deref(), Some("¡Qué partida! Ничья?"));
    }
}
