//! A game in play: the row, and the rules' view of it. What may be done is decided here, without a database.

use std::collections::HashMap;

use warpchess_rules::{AnyPosition, Color, EndReason, Game, Outcome};

use super::action::{Action, Done, Refusal};
use super::clock::{self, Clocks, OPENING_PLIES};
use super::create;
use super::event::{End, Event, What, name};
use super::give_time;
use crate::auth::Identity;
use crate::store::games::{GameRow, Status};

/// Longest name of a client for a move.
const LONGEST_ID: usize = 40;
/// Longest text of a move.
const LONGEST_UCI: usize = 12;

/// A game in play.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) row: GameRow,
    /// `None` when the moves cannot be replayed, as by other rules than they were played by.
    pub(crate) game: Option<Game>,
    /// The moves that clients have named, and the numbers of their events.
    move_ids: HashMap<String, i64>,
}

/// What an action led to.
#[derive(Debug)]
pub(crate) enum Applied {
    /// Something happened, to be stored.
    Event {
        event: Box<Event>,
        move_id: Option<String>,
        /// A game that begins with it.
        rematch: Option<Box<Live>>,
        /// Why the action itself is refused all the same: the flag had fallen.
        refusal: Option<Refusal>,
    },
    /// It was done before.
    Before(Done),
}

impl Live {
    pub(crate) fn new(row: GameRow, move_ids: impl IntoIterator<Item = (String, i64)>) -> Self {
        let game = replay(&row);
        Self { row, game, move_ids: move_ids.into_iter().collect() }
    }

    /// The game as another node has left it: what both know of it is not played again. `move_ids` are those that have come
    /// since.
    pub(crate) fn renewed(self, row: GameRow, move_ids: impl IntoIterator<Item = (String, i64)>) -> Self {
        let mut ids = self.move_ids;
        ids.extend(move_ids);
        // What players decided is no move that could be taken back.
        let game = self.game.filter(|_| self.row.status == Status::Started).and_then(|mut game| {
            let common = self.row.moves().zip(row.moves()).take_while(|(old, new)| old == new).count();
            while game.len() > common {
                game.take_back();
            }
            row.moves().skip(common).try_for_each(|text| game.play_uci(text).map(|_| ())).ok()?;
            Some(game)
        });
        match game {
            Some(game) => Self { row, game: Some(game), move_ids: ids },
            None => Self { game: replay(&row), row, move_ids: ids },
        }
    }

    pub(crate) fn turn(&self) -> Color {
        self.game.as_ref().map_or(Color::White, |game| game.position().turn())
    }

    pub(crate) fn clocks(&self, now: i64) -> Option<Clocks> {
        clock::clocks(&self.row, self.turn(), now)
    }

    /// Which side somebody plays.
    pub(crate) fn color_of(&self, who: &Identity) -> Option<Color> {
        [Color::White, Color::Black].into_iter().find(|&color| {
            let seat = self.row.seat(color);
            match &seat.user {
                Some(user) => who.user.as_ref() == Some(user),
                None => seat.session.as_ref() == Some(&who.session),
            }
        })
    }

    /// Does what a player asks, if it may be done. After a refusal nothing has changed.
    pub(crate) fn act(&mut self, by: Color, action: &Action, now: i64, lag: i64) -> Result<Applied, Refusal> {
        if let Action::Move { ply, uci, id } = action {
            return self.play(by, *ply, uci, id.as_deref(), now, lag);
        }
        match action {
            Action::RematchOffer => self.rematch(by, true, now),
            Action::RematchAccept => self.rematch(by, false, now),
            Action::RematchDecline => {
                let offer = self.row.rematch_offer.filter(|&offer| offer == !by);
                offer.ok_or(Refusal::NoOffer("rematch"))?;
                self.row.rematch_offer = None;
                Ok(self.happened(now, What::RematchDecline { by: by.name() }))
            }
            _ => {
                self.ongoing()?;
                // Whatever is done after the flag has fallen comes too late; only that is told.
                if self.is_overdue(now) && *action != Action::Flag {
                    let refusal = Refusal::Over("timeout".into());
                    return Ok(self.time_over(now, Some(refusal)));
                }
                self.other(by, action, now)
            }
        }
    }

    fn other(&mut self, by: Color, action: &Action, now: i64) -> Result<Applied, Refusal> {
        match action {
            Action::Resign if self.row.ply < OPENING_PLIES => Err(Refusal::AbortInstead),
            Action::Resign => self.decide(by, now, |game| game.resign(by).ok()),
            Action::Abort if self.row.ply >= OPENING_PLIES => Err(Refusal::TooLateToAbort),
            Action::Abort => Ok(self.abort(Some(by), "aborted", now)),
            Action::DrawOffer | Action::DrawAccept if self.row.draw_offer == Some(!by) => {
                self.decide(by, now, |game| game.agree_draw().ok())
            }
            Action::DrawAccept | Action::DrawDecline if self.row.draw_offer != Some(!by) => {
                Err(Refusal::NoOffer("draw"))
            }
            Action::DrawOffer if self.row.seat(!by).level.is_some() => Err(Refusal::ComputerPlaysOn),
            Action::DrawOffer if self.row.draw_offer == Some(by) => Err(Refusal::OfferStands("draw")),
            Action::DrawOffer => {
                self.row.draw_offer = Some(by);
                Ok(self.happened(now, What::DrawOffer { by: by.name() }))
            }
            Action::DrawDecline => {
                self.row.draw_offer = None;
                Ok(self.happened(now, What::DrawDecline { by: by.name() }))
            }
            Action::DrawClaim if self.turn() != by => Err(Refusal::NotYourTurn),
            Action::DrawClaim => {
                let claimed = self.rules()?.claim_draw().map_err(|error| Refusal::NoClaim(error.to_string()))?;
                Ok(self.end(claimed, Some(by), now))
            }
            Action::TakebackOffer | Action::TakebackAccept if self.row.takeback_offer == Some(!by) => {
                self.take_back(!by, now)
            }
            Action::TakebackAccept | Action::TakebackDecline if self.row.takeback_offer != Some(!by) => {
                Err(Refusal::NoOffer("takeback"))
            }
            Action::TakebackOffer if self.row.takeback_offer == Some(by) => Err(Refusal::OfferStands("takeback")),
            Action::TakebackOffer => {
                self.takeback_ply(by)?;
                if self.row.seat(!by).level.is_some() {
                    return self.take_back(by, now);
                }
                self.row.takeback_offer = Some(by);
                Ok(self.happened(now, What::TakebackOffer { by: by.name() }))
            }
            Action::TakebackDecline => {
                self.row.takeback_offer = None;
                Ok(self.happened(now, What::TakebackDecline { by: by.name() }))
            }
            Action::AddTime { seconds } => self.give_time(by, *seconds, now),
            Action::Flag => match self.row.deadline_at {
                None => Err(Refusal::NoClock),
                Some(_) if self.turn() == by => Err(Refusal::NotYourTurn),
                Some(at) if now < at => Err(Refusal::FlagStands(at - now)),
                Some(_) => Ok(self.time_over(now, None)),
            },
            // Who is not there any more has no time any more.
            Action::ClaimVictory => self.decide(by, now, |game| game.time_out(!by).ok()),
            // These are done before.
            Action::Move { .. }
            | Action::DrawAccept
            | Action::TakebackAccept
            | Action::RematchOffer
            | Action::RematchAccept
            | Action::RematchDecline => Err(Refusal::Malformed("action", "no such action here".into())),
        }
    }

    fn play(
        &mut self,
        by: Color,
        ply: i64,
        uci: &str,
        id: Option<&str>,
        now: i64,
        lag: i64,
    ) -> Result<Applied, Refusal> {
        if id.is_some_and(|id| id.is_empty() || id.len() > LONGEST_ID) {
            return Err(Refusal::Malformed("id", format!("a move's id has 1 to {LONGEST_ID} bytes")));
        }
        if uci.len() > LONGEST_UCI {
            return Err(Refusal::Malformed("uci", format!("a move has at most {LONGEST_UCI} bytes")));
        }
        // Two players may choose the same name.
        let move_id = id.map(|id| format!("{}:{id}", &by.name()[..1]));
        if let Some(&seq) = move_id.as_ref().and_then(|id| self.move_ids.get(id)) {
            return Ok(Applied::Before(Done { seq, ply: self.row.ply, duplicate: true, rematch: None }));
        }
        self.ongoing()?;
        let at = self.row.ply;
        if ply != at {
            return Err(if ply < at { Refusal::Stale { ply, now: at } } else { Refusal::Early { ply, now: at } });
        }
        if self.turn() != by {
            return Err(Refusal::NotYourTurn);
        }
        if self.is_overdue(now) {
            return Ok(self.time_over(now, Some(Refusal::OutOfTime)));
        }
        let game = self.rules()?;
        let played = game.play_uci(uci).map_err(|error| Refusal::Illegal(error.to_string()))?;
        let (uci, san) = (played.to_string(), game.san(game.len() - 1).unwrap_or_default());
        let (fen, turn, outcome) = (game.position().fen(), game.position().turn(), game.outcome());
        if clock::charge(&mut self.row, by, now, lag).is_err() {
            if let Some(game) = &mut self.game {
                game.take_back();
            }
            return Ok(self.time_over(now, Some(Refusal::OutOfTime)));
        }
        let row = &mut self.row;
        if !row.moves.is_empty() {
            row.moves.push(' ');
        }
        row.moves.push_str(&uci);
        row.ply += 1;
        if let Some(ms) = row.seat(by).ms {
            row.clocks.push(ms);
        }
        row.last_move_at = Some(now);
        // Who moves on declines what was offered, and asks for nothing back any more.
        row.draw_offer = row.draw_offer.filter(|&offer| offer == by);
        row.takeback_offer = None;
        clock::start(row, turn, now);
        if let Some(outcome) = outcome {
            self.finish(outcome, now);
        }
        let what = What::Move { ply: self.row.ply, by: by.name(), uci, san, fen };
        let mut applied = self.happened(now, what);
        if let Applied::Event { event, move_id: id, .. } = &mut applied {
            if let Some(move_id) = &move_id {
                self.move_ids.insert(move_id.clone(), event.seq);
            }
            *id = move_id;
        }
        Ok(applied)
    }

    /// Ends the game of one whose time is over, or calls it off if it has not begun in earnest.
    pub(crate) fn time_over(&mut self, now: i64, refusal: Option<Refusal>) -> Applied {
        let loser = self.turn();
        let mut applied = if self.row.ply < OPENING_PLIES {
            self.abort(None, "noStart", now)
        } else {
            match self.game.as_mut().and_then(|game| game.time_out(loser).ok()) {
                Some(outcome) => self.end(outcome, None, now),
                // By the rules of today nobody can tell whether the other could have won.
                None => self.abort(None, "otherRules", now),
            }
        };
        if let Applied::Event { refusal: why, .. } = &mut applied {
            *why = refusal;
        }
        applied
    }

    /// Whether the time of the side to move is over, lag that could still be made good included.
    pub(crate) fn is_overdue(&self, now: i64) -> bool {
        self.row.status == Status::Started && self.row.deadline_at.is_some_and(|at| at <= now)
    }

    pub(super) fn ongoing(&self) -> Result<(), Refusal> {
        match self.row.status {
            Status::Started => Ok(()),
            Status::Aborted | Status::Ended => Err(Refusal::Over(self.row.reason.clone().unwrap_or_default())),
        }
    }

    fn rules(&mut self) -> Result<&mut Game, Refusal> {
        let version = self.row.rules_version;
        self.game.as_mut().ok_or(Refusal::OtherRules(version))
    }

    fn decide(
        &mut self,
        by: Color,
        now: i64,
        how: impl FnOnce(&mut Game) -> Option<Outcome>,
    ) -> Result<Applied, Refusal> {
        let outcome = how(self.rules()?).ok_or_else(|| Refusal::Over(String::new()))?;
        Ok(self.end(outcome, Some(by), now))
    }

    fn end(&mut self, outcome: Outcome, by: Option<Color>, now: i64) -> Applied {
        self.finish(outcome, now);
        self.happened(now, What::End { by: name(by) })
    }

    fn finish(&mut self, outcome: Outcome, now: i64) {
        let turn = self.turn();
        let timeout = outcome.reason == EndReason::Timeout;
        let row = &mut self.row;
        clock::stop(row, turn, now);
        if timeout {
            row.seat_mut(turn).ms = Some(0);
        }
        row.status = Status::Ended;
        row.winner = outcome.winner;
        row.reason = Some(outcome.reason.name().into());
        self.close(now);
    }

    fn abort(&mut self, by: Option<Color>, reason: &str, now: i64) -> Applied {
        let turn = self.turn();
        clock::stop(&mut self.row, turn, now);
        self.row.status = Status::Aborted;
        self.row.reason = Some(reason.into());
        self.close(now);
        self.happened(now, What::End { by: name(by) })
    }

    fn close(&mut self, now: i64) {
        self.row.ended_at = Some(now);
        self.row.draw_offer = None;
        self.row.takeback_offer = None;
    }

    /// How many plies are left when a player's last move is taken back.
    fn takeback_ply(&self, by: Color) -> Result<usize, Refusal> {
        let game = self.game.as_ref().ok_or(Refusal::OtherRules(self.row.rules_version))?;
        let was_to_move = |&ply: &usize| game.position_at(ply).is_some_and(|position| position.turn() == by);
        (0..game.len()).rev().find(was_to_move).ok_or(Refusal::NothingToTakeBack)
    }

    fn take_back(&mut self, by: Color, now: i64) -> Result<Applied, Refusal> {
        let ply = self.takeback_ply(by)?;
        let game = self.rules()?;
        while game.len() > ply {
            game.take_back();
        }
        let movers: Vec<Color> = (0..ply).filter_map(|i| game.position_at(i)).map(AnyPosition::turn).collect();
        let moves: Vec<String> = game.moves().map(|m| m.to_string()).collect();
        let (fen, turn) = (game.position().fen(), game.position().turn());
        let row = &mut self.row;
        row.moves = moves.join(" ");
        row.ply = i64::try_from(ply).unwrap_or(0);
        row.clocks.truncate(ply);
        // Each clock shows again what it showed after its owner's last move that still stands, and what was given since.
        for color in [Color::White, Color::Black] {
            let last = movers.iter().zip(&row.clocks).enumerate().rfind(|(_, (mover, _))| **mover == color);
            let (since, shown) = last.map_or((0, row.control.initial()), |(i, (_, ms))| (i as i64 + 1, Some(*ms)));
            row.seat_mut(color).ms = give_time::restored(&row.given, color, shown, since);
        }
        row.given.take_back(row.ply);
        row.draw_offer = None;
        row.takeback_offer = None;
        clock::start(row, turn, now);
        Ok(self.happened(now, What::Takeback { ply: self.row.ply, fen }))
    }

    fn rematch(&mut self, by: Color, may_offer: bool, now: i64) -> Result<Applied, Refusal> {
        if self.row.status == Status::Started {
            return Err(Refusal::NotOver);
        }
        if let Some(id) = &self.row.rematch_id {
            return Err(Refusal::RematchExists(id.clone()));
        }
        let agreed = self.row.rematch_offer == Some(!by) || (may_offer && self.row.seat(!by).level.is_some());
        if agreed {
            let next = create::rematch(&self.row, now);
            self.row.rematch_offer = None;
            self.row.rematch_id = Some(next.row.id.clone());
            let mut applied = self.happened(now, What::Rematch { rematch: next.row.id.clone() });
            if let Applied::Event { rematch, .. } = &mut applied {
                *rematch = Some(Box::new(next));
            }
            return Ok(applied);
        }
        if !may_offer {
            return Err(Refusal::NoOffer("rematch"));
        }
        if self.row.rematch_offer == Some(by) {
            return Err(Refusal::OfferStands("rematch"));
        }
        self.row.rematch_offer = Some(by);
        Ok(self.happened(now, What::RematchOffer { by: by.name() }))
    }

    /// Numbers what happened, and sees to what follows from how the row stands now.
    pub(crate) fn happened(&mut self, now: i64, what: What) -> Applied {
        let turn = self.turn();
        let row = &mut self.row;
        row.version += 1;
        let computers = row.status == Status::Started && row.seat(turn).level.is_some();
        // Only a new turn is due anew: somebody may be computing this one.
        let new_turn = matches!(what, What::Start | What::Move { .. } | What::Takeback { .. });
        row.engine_due_at = match (computers, new_turn) {
            (false, _) => None,
            (true, true) => Some(now),
            (true, false) => row.engine_due_at,
        };
        let over = row.status != Status::Started;
        let ends = over && matches!(what, What::Move { .. } | What::End { .. });
        let mut event = Event::new(&row.id, row.version, now, what);
        event.end = ends.then(|| end(row));
        event.clock = clock::clocks(row, turn, now);
        Applied::Event { event: Box::new(event), move_id: None, rematch: None, refusal: None }
    }
}

/// How a game has ended, from its row.
pub(crate) fn end(row: &GameRow) -> End {
    End {
        status: row.status.name(),
        winner: name(row.winner),
        reason: row.reason.clone().unwrap_or_default(),
        rating_diffs: row.white.rating_diff.zip(row.black.rating_diff).map(|(white, black)| [white, black]),
    }
}

/// The game by the rules; `None` when they do not allow it.
fn replay(row: &GameRow) -> Option<Game> {
    let mut game = match &row.initial_fen {
        Some(fen) => Game::from_fen(row.variant, fen).ok()?,
        None => Game::new(row.variant),
    };
    for text in row.moves() {
        if let Err(error) = game.play_uci(text) {
            tracing::warn!(game = row.id, %error, "a stored game cannot be replayed");
            return None;
        }
    }
    Some(game)
}
