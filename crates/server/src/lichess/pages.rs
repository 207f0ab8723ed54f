//! Many games as one reply, read while they are sent.

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};

use super::export::{Exported, Wanted};
use super::stream::{NDJSON, body};
use crate::store::archive::{self, After, Filter};
use crate::{App, Error};

/// What a PGN is.
pub(crate) const PGN: &str = "application/x-chess-pgn";
/// How many games are read at once: memory is bounded by it, whatever the number of games.
pub(crate) const PAGE: i64 = 30;

/// The form in which a client wants games.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// PGN.
    Pgn,
    /// One JSON object a line.
    Lines,
    /// One JSON array.
    Array,
}

impl Form {
    /// PGN unless the client asks for JSON: for one object a line, as on Lichess, or for JSON that is one array.
    pub(crate) fn asked(headers: &HeaderMap) -> Self {
        let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
        match (accept.contains("ndjson"), accept.contains("json")) {
            (true, _) => Self::Lines,
            (false, true) => Self::Array,
            (false, false) => Self::Pgn,
        }
    }

    /// A form by its name.
    pub(crate) fn named(name: &str) -> Result<Self, Error> {
        match name {
            "pgn" => Ok(Self::Pgn),
            "ndjson" => Ok(Self::Lines),
            "json" => Ok(Self::Array),
            _ => Err(Error::bad("format", "'format' is expected to be pgn, ndjson or json")),
        }
    }

    /// A game of several, as text.
    pub(crate) fn of_many(self, game: &Exported, wanted: &Wanted) -> String {
        match self {
            Self::Lines => format!("{}\n", game.json(wanted)),
            Self::Array => game.json(wanted).to_string(),
            // Two empty lines: a PGN has one of its own in the middle.
            Self::Pgn => format!("{}\n\n", game.pgn(wanted)),
        }
    }

    /// The type of a reply with several games.
    pub(crate) const fn of_several(self) -> &'static str {
        match self {
            Self::Lines => NDJSON,
            Self::Array => "application/json",
            Self::Pgn => PGN,
        }
    }
}

/// Games that are read page by page, while they are sent.
pub(crate) struct Pages {
    app: App,
    filter: Filter,
    wanted: Wanted,
    form: Form,
    after: Option<After>,
    left: i64,
    state: State,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum State {
    Begins,
    GoesOn,
    Over,
}

impl Pages {
    /// All games that are found, at most `most`.
    pub(crate) fn new(app: &App, filter: Filter, wanted: Wanted, form: Form, most: i64) -> Self {
        Self { app: app.clone(), filter, wanted, form, after: None, left: most, state: State::Begins }
    }

    /// The reply. A page is read when the client has taken the one before.
    pub(crate) fn reply(self) -> Response {
        let kind = self.form.of_several();
        ([(CONTENT_TYPE, kind)], body(self.stream())).into_response()
    }

    /// The text of the reply.
    pub(crate) fn stream(self) -> impl Stream<Item = Result<Bytes, std::io::Error>> + Send {
        stream::unfold(self, Self::next)
    }

    async fn next(mut self) -> Option<(Result<Bytes, std::io::Error>, Self)> {
        if self.state == State::Over {
            return None;
        }
        match self.page().await {
            Ok(text) if text.is_empty() => None,
            Ok(text) => Some((Ok(text.into()), self)),
            Err(error) => {
                // The head of the reply is sent: the client sees that the rest is missing.
                tracing::error!(error = error.message, "an export ended early");
                self.state = State::Over;
                Some((Err(std::io::Error::other(error)), self))
            }
        }
    }

    /// The text of the next page, empty when there is no more.
    async fn page(&mut self) -> Result<String, Error> {
        let array = self.form == Form::Array;
        let mut text = String::new();
        if array && self.state == State::Begins {
            text.push('[');
        }
        let mut db = self.app.store().read().await?;
        let rows = match self.left {
            ..=0 => Vec::new(),
            left => archive::page(&mut db, &self.filter, self.after.as_ref(), PAGE.min(left)).await?,
        };
        let mut first = self.state == State::Begins;
        self.state = if rows.is_empty() { State::Over } else { State::GoesOn };
        if let Some(last) = rows.last() {
            self.after = Some((last.created_at, last.id.clone()));
        }
        self.left -= rows.len() as i64;
        for row in rows {
            let game = Exported::of(&self.app, &mut db, row).await?;
            if array && !first {
                text.push_str(",\n");
            }
            first = false;
            text += &self.form.of_many(&game, &self.wanted);
        }
        if array && self.state == State::Over {
            text.push_str("]\n");
        }
        Ok(text)
    }
}
