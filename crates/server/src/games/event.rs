//! What happens in a game, as clients are told and as it is kept.

use serde::Serialize;
use utoipa::ToSchema;
use warpchess_rules::Color;

use super::clock::Clocks;
use crate::store::games::EventRow;

/// Something that happened in a game.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    t: &'static str,
    /// In which game.
    pub game: String,
    /// Its number there, from 1, without gaps.
    pub seq: i64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What.
    #[serde(flatten)]
    pub what: What,
    /// What the clocks show after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clocks>,
    /// How the game has ended, if it did by this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// What happened.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum What {
    /// The game began.
    Start,
    /// A move was played. It is written so that the game can be read without the rules it was played by.
    Move {
        /// How many plies were played with it.
        ply: i64,
        by: &'static str,
        uci: String,
        san: String,
        fen: String,
    },
    DrawOffer {
        by: &'static str,
    },
    DrawDecline {
        by: &'static str,
    },
    TakebackOffer {
        by: &'static str,
    },
    TakebackDecline {
        by: &'static str,
    },
    /// Plies were taken back: so many are left.
    Takeback {
        ply: i64,
        fen: String,
    },
    /// A player gave the opponent time.
    MoreTime {
        by: &'static str,
        seconds: i64,
    },
    /// The clocks run, although not both have moved.
    ClocksStart,
    /// The game ended by something that is no move.
    End {
        by: Option<&'static str>,
    },
    RematchOffer {
        by: &'static str,
    },
    RematchDecline {
        by: &'static str,
    },
    /// The players play on, in this game.
    Rematch {
        rematch: String,
    },
}

impl What {
    /// Its name in the stored row.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Move { .. } => "move",
            Self::DrawOffer { .. } => "draw-offer",
            Self::DrawDecline { .. } => "draw-decline",
            Self::TakebackOffer { .. } => "takeback-offer",
            Self::TakebackDecline { .. } => "takeback-decline",
            Self::Takeback { .. } => "takeback",
            Self::MoreTime { .. } => "more-time",
            Self::ClocksStart => "clocks-start",
            Self::End { .. } => "end",
            Self::RematchOffer { .. } => "rematch-offer",
            Self::RematchDecline { .. } => "rematch-decline",
            Self::Rematch { .. } => "rematch",
        }
    }
}

/// How a game has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct End {
    /// `ended` or `aborted`.
    pub status: &'static str,
    /// `white` or `black`; null for a draw and for a game called off.
    pub winner: Option<&'static str>,
    /// Why.
    pub reason: String,
    /// What the game did to White's and to Black's rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating_diffs: Option<[i64; 2]>,
}

impl Event {
    /// An event, its number and clocks to be filled in.
    pub(crate) fn new(game: &str, seq: i64, at: i64, what: What) -> Self {
        Self { t: "event", game: game.to_owned(), seq, at, what, clock: None, end: None }
    }

    /// As it is sent.
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// As it is stored.
    pub(crate) fn to_row(&self, move_id: Option<String>) -> EventRow {
        EventRow {
            game: self.game.clone(),
            seq: self.seq,
            kind: self.what.kind().to_owned(),
            data: self.to_json(),
            move_id,
            at: self.at,
        }
    }
}

/// A color's name, for those who have perhaps none.
pub(crate) fn name(color: Option<Color>) -> Option<&'static str> {
    color.map(Color::name)
}
