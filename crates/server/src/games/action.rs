//! What can be done in a game, and why it may be refused.

use axum::http::StatusCode;
use serde::Deserialize;

use crate::error::{AFTER_OUTAGE, Error};
use crate::fields::{Wrong, needed};
use crate::store::{Outage, StoreError};

/// Something a player does.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "ActionForm")]
pub enum Action {
    /// Plays a move.
    Move {
        /// The plies before it: a move is for one position and played in no other.
        ply: i64,
        /// The move.
        uci: String,
        /// The client's own name for it. The same move sent again, with the same name, is played once.
        id: Option<String>,
    },
    /// Gives up.
    Resign,
    /// Calls the game off, before both have moved.
    Abort,
    /// Offers a draw; accepts one that is offered.
    DrawOffer,
    /// Accepts the draw that is offered.
    DrawAccept,
    /// Declines it.
    DrawDecline,
    /// Claims a draw by repetition or by moves without progress.
    DrawClaim,
    /// Asks to take the last move back; accepts what the opponent asks.
    TakebackOffer,
    /// Lets the opponent take back.
    TakebackAccept,
    /// Does not.
    TakebackDecline,
    /// Offers another game; accepts one that is offered.
    RematchOffer,
    /// Accepts it.
    RematchAccept,
    /// Declines it.
    RematchDecline,
    /// Gives the opponent time, in a live game.
    AddTime {
        /// How much.
        seconds: i64,
    },
    /// Points out that the opponent's time is over.
    Flag,
    /// Takes the game of an opponent who has left. Whether that is so is found out before (`routes::games::done`).
    ClaimVictory,
}

/// An action as it is sent: all fields that any has, so that what is wrong with one is told by its name.
#[derive(Deserialize)]
struct ActionForm {
    action: String,
    ply: Option<i64>,
    uci: Option<String>,
    id: Option<String>,
    seconds: Option<i64>,
}

impl TryFrom<ActionForm> for Action {
    type Error = Wrong;
    fn try_from(form: ActionForm) -> Result<Self, Wrong> {
        Ok(match form.action.as_str() {
            "move" => Self::Move { ply: needed("ply", form.ply)?, uci: needed("uci", form.uci)?, id: form.id },
            "add-time" => Self::AddTime { seconds: needed("seconds", form.seconds)? },
            name => Self::named(name)
                .ok_or_else(|| Wrong::new("action", format!("there is no action '{}'", crate::lichess::cut(name))))?,
        })
    }
}

impl Action {
    /// An action by its name; moves have more than a name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "resign" => Self::Resign,
            "abort" => Self::Abort,
            "draw-offer" => Self::DrawOffer,
            "draw-accept" => Self::DrawAccept,
            "draw-decline" => Self::DrawDecline,
            "draw-claim" => Self::DrawClaim,
            "takeback-offer" => Self::TakebackOffer,
            "takeback-accept" => Self::TakebackAccept,
            "takeback-decline" => Self::TakebackDecline,
            "rematch-offer" => Self::RematchOffer,
            "rematch-accept" => Self::RematchAccept,
            "rematch-decline" => Self::RematchDecline,
            "flag" => Self::Flag,
            "claim-victory" => Self::ClaimVictory,
            _ => return None,
        })
    }
}

/// What was done, for the one who did it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// The number of the event it led to.
    pub seq: i64,
    /// How many plies are played now.
    pub ply: i64,
    /// Whether it had been done before, and was not done again.
    pub duplicate: bool,
    /// The game that follows, after a rematch was agreed on.
    pub rematch: Option<String>,
}

/// Why an action is refused. Nothing was changed, unless a flag fell.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such game.
    #[error("there is no game {0}")]
    NoGame(String),
    /// Spectators do nothing.
    #[error("you do not play in this game")]
    NotAPlayer,
    /// The token was made for other things.
    #[error("this token lacks the scope board:play or bot:play")]
    NotAllowed,
    /// It is over.
    #[error("the game is over ({0})")]
    Over(String),
    /// It is not over yet.
    #[error("the game is not over yet")]
    NotOver,
    /// It is the other's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move is for a position that has passed.
    #[error("the move is for ply {ply}, the game is at ply {now}")]
    Stale {
        /// The plies before the move, as the client thought.
        ply: i64,
        /// The plies played.
        now: i64,
    },
    /// The move is for a position that has not come about.
    #[error("the move is for ply {ply}, the game is only at ply {now}")]
    Early {
        /// The plies before the move, as the client thought.
        ply: i64,
        /// The plies played.
        now: i64,
    },
    /// No legal move is written so.
    #[error("{0}")]
    Illegal(String),
    /// A part of the request is no good: which, and why.
    #[error("{1}")]
    Malformed(&'static str, String),
    /// The time was over before the move came.
    #[error("your time was over before the move came")]
    OutOfTime,
    /// Both have moved.
    #[error("both players have moved: the game can be resigned, but not called off")]
    TooLateToAbort,
    /// There is no game yet to give up.
    #[error("the game has not begun in earnest: call it off instead of resigning")]
    AbortInstead,
    /// Nothing is offered.
    #[error("your opponent offers no {0}")]
    NoOffer(&'static str),
    /// It is offered already.
    #[error("you offer a {0} already")]
    OfferStands(&'static str),
    /// The player has made no move yet.
    #[error("you have made no move that could be taken back")]
    NothingToTakeBack,
    /// The computer plays to the end.
    #[error("the computer agrees to no draws: it plays on")]
    ComputerPlaysOn,
    /// There is no draw to claim.
    #[error("{0}")]
    NoClaim(String),
    /// The time is not over.
    #[error("your opponent has {0} ms left")]
    FlagStands(i64),
    /// The opponent is there, or may come back yet.
    #[error("your opponent has not been gone for long enough")]
    OpponentThere,
    /// There is no clock.
    #[error("the game has no clock")]
    NoClock,
    /// The players play on already.
    #[error("the rematch is game {0}")]
    RematchExists(String),
    /// The moves cannot be replayed.
    #[error("the game was begun by other rules (version {0}) and cannot be played on")]
    OtherRules(i64),
    /// Too many do something in this game at once.
    #[error("the game is busy; try again")]
    Busy,
    /// More was said than others can read.
    #[error("that was too often; try again in {0} s")]
    TooOften(u64),
    /// The database is away, and nothing was done.
    #[error("the database cannot be reached; nothing was done: try again in a moment")]
    Down,
    /// The database went away.
    #[error("the database went away while this was done: it may be done or not; look, or send it again")]
    Lost,
    /// The server failed.
    #[error("the server failed and does not know whether it was done: look, or send it again")]
    Failed,
}

impl Refusal {
    /// What programs go by.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoGame(_) => "no-game",
            Self::NotAPlayer => "not-a-player",
            Self::NotAllowed => "missing-scope",
            Self::Over(_) => "over",
            Self::NotOver => "not-over",
            Self::NotYourTurn => "not-your-turn",
            Self::Stale { .. } => "stale",
            Self::Early { .. } => "early",
            Self::Illegal(_) => "illegal-move",
            Self::Malformed(..) => "malformed",
            Self::OutOfTime => "out-of-time",
            Self::TooLateToAbort => "too-late-to-abort",
            Self::AbortInstead => "abort-instead",
            Self::NoOffer(_) => "no-offer",
            Self::OfferStands(_) => "offer-stands",
            Self::NothingToTakeBack => "nothing-to-take-back",
            Self::ComputerPlaysOn => "computer-plays-on",
            Self::NoClaim(_) => "no-claim",
            Self::FlagStands(_) => "flag-stands",
            Self::OpponentThere => "opponent-there",
            Self::NoClock => "no-clock",
            Self::RematchExists(_) => "rematch-exists",
            Self::OtherRules(_) => "other-rules",
            Self::Busy => "busy",
            Self::TooOften(_) => "too-many-requests",
            Self::Down => "database-down",
            Self::Lost => "database-lost",
            Self::Failed => "internal",
        }
    }

    /// The part of the request at fault.
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            Self::Malformed(field, _) => Some(field),
            Self::Illegal(_) => Some("uci"),
            Self::Stale { .. } | Self::Early { .. } => Some("ply"),
            _ => None,
        }
    }

    /// Seconds until it makes sense to ask again.
    pub const fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooOften(seconds) => Some(*seconds),
            Self::Busy => Some(1),
            Self::Down | Self::Lost => Some(AFTER_OUTAGE),
            _ => None,
        }
    }

    /// The status of a reply that says so.
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::NoGame(_) => StatusCode::NOT_FOUND,
            Self::NotAPlayer | Self::NotAllowed => StatusCode::FORBIDDEN,
            Self::Illegal(_) | Self::Malformed(..) => StatusCode::BAD_REQUEST,
            Self::TooOften(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::Down | Self::Lost => StatusCode::SERVICE_UNAVAILABLE,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::CONFLICT,
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "an action in a game failed");
        match error.outage() {
            Some(Outage::Down) => Self::Down,
            Some(Outage::Lost) => Self::Lost,
            None => Self::Failed,
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            // There it is known whether something else was done for the request.
            Refusal::Down => return Self::outage(Outage::Down),
            Refusal::Lost => return Self::outage(Outage::Lost),
            _ => {}
        }
        let field = refusal.field().map(Into::into);
        Self {
            field,
            retry_after: refusal.retry_after(),
            ..Self::new(refusal.status(), refusal.code(), refusal.to_string())
        }
    }
}
