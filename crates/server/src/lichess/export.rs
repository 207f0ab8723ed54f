//! Games that were played, as clients get them afterwards: PGN, or JSON with the moves as people write them.

use serde_json::{Value, json};
use warpchess_rules::notation::pgn::{self, Line, Score, Tags};
use warpchess_rules::{Color, Game};

use super::{add, status, title, variant_key};
use crate::App;
use crate::error::Error;
use crate::fields::Fields;
use crate::games::Control;
use crate::perf::Perf;
use crate::store::games::{self, GameRow, Seat, Status};
use crate::store::{Db, StoreError};
use crate::time::{Day, time_of_day};

/// What is wanted of a game.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    moves: bool,
    tags: bool,
    clocks: bool,
    pgn_in_json: bool,
}

impl Wanted {
    /// As a query says it.
    pub(crate) fn of(query: &Fields) -> Result<Self, Error> {
        let flag = |name, usual| Ok::<_, Error>(query.flag(name)?.unwrap_or(usual));
        Ok(Self {
            moves: flag("moves", true)?,
            tags: flag("tags", true)?,
            clocks: flag("clocks", false)?,
            pgn_in_json: flag("pgnInJson", false)?,
        })
    }
}

/// A game with what has to be looked up for it.
pub(crate) struct Exported {
    row: GameRow,
    /// Replayed; `None` if the rules of today do not allow its moves.
    game: Option<Game>,
    /// The moves as people write them.
    sans: Vec<String>,
    titles: [Option<&'static str>; 2],
    url: String,
}

impl Exported {
    pub(crate) async fn of(app: &App, db: &mut Db, row: GameRow) -> Result<Self, StoreError> {
        let game = replay(&row);
        let sans = match &game {
            Some(game) => (0..game.len()).filter_map(|ply| game.san(ply)).collect(),
            None => told_moves(db, &row.id).await?,
        };
        let titles = [title(db, row.white.user.as_deref()).await?, title(db, row.black.user.as_deref()).await?];
        let url = app.url(&format!("/{}", row.id));
        Ok(Self { row, game, sans, titles, url })
    }

    fn perf(&self) -> Perf {
        Perf { variant: self.row.variant, speed: self.row.speed() }
    }

    /// As JSON.
    pub(crate) fn json(&self, wanted: &Wanted) -> Value {
        let row = &self.row;
        let mut form = json!({
            "id": row.id,
            "rated": row.rated,
            "variant": variant_key(row.variant),
            "speed": row.speed().name(),
            "perf": self.perf().to_string(),
            "createdAt": row.created_at,
            "lastMoveAt": row.last_move_at.or(row.ended_at).unwrap_or(row.created_at),
            "status": status(row.status.name(), row.reason.as_deref()).1,
            "source": if row.white.level.or(row.black.level).is_some() { "ai" } else { "friend" },
            "players": {
                "white": player(&row.white, self.titles[0]),
                "black": player(&row.black, self.titles[1]),
            },
        });
        add(&mut form, "initialFen", row.initial_fen.as_deref());
        add(&mut form, "winner", row.winner.map(Color::name));
        match row.control {
            Control::Live { limit, increment } => {
                let (limit, increment) = (limit / 1000, increment / 1000);
                form["clock"] =
                    json!({ "initial": limit, "increment": increment, "totalTime": limit + 40 * increment });
            }
            Control::Days { days } => form["daysPerTurn"] = json!(days),
            Control::Unlimited => {}
        }
        if wanted.moves {
            form["moves"] = json!(self.sans.join(" "));
        }
        if wanted.clocks && self.live() {
            form["clocks"] = json!(row.clocks.iter().map(|ms| ms / 10).collect::<Vec<_>>());
        }
        if wanted.pgn_in_json {
            form["pgn"] = json!(self.pgn(wanted));
        }
        form
    }

    fn live(&self) -> bool {
        self.row.control.is_live()
    }

    fn score(&self) -> Score {
        match (self.row.status, self.row.winner) {
            (Status::Ended, Some(Color::White)) => Score::WhiteWins,
            (Status::Ended, Some(Color::Black)) => Score::BlackWins,
            (Status::Ended, None) => Score::Draw,
            (Status::Started | Status::Aborted, _) => Score::Unknown,
        }
    }

    /// As a PGN, with a line end after it.
    pub(crate) fn pgn(&self, wanted: &Wanted) -> String {
        let tags = if wanted.tags { self.tags() } else { Vec::new() };
        match &self.game {
            Some(game) => self.replayed_pgn(game, tags, wanted).unwrap_or_else(|| self.told_pgn(&self.tags(), wanted)),
            None => self.told_pgn(&tags, wanted),
        }
    }

    fn replayed_pgn(&self, game: &Game, tags: Vec<(&'static str, String)>, wanted: &Wanted) -> Option<String> {
        let mut named = Tags::new();
        for (name, value) in tags {
            named.set(name, value).ok()?;
        }
        let mut record = game.to_record(named);
        record.score = self.score();
        if !wanted.moves {
            record.line = Line::default();
        } else if wanted.clocks && self.live() {
            for (node, ms) in record.line.moves.iter_mut().zip(&self.row.clocks) {
                node.comments.push(clock_comment(*ms));
            }
        }
        let text = pgn::write(&record).ok()?;
        if wanted.tags {
            return Some(text);
        }
        // Without tags there are only moves.
        text.split_once("\n\n").map(|(_, moves)| moves.to_owned())
    }

    /// A PGN of what was told when the moves were played: it can be read where the rules are those of then.
    fn told_pgn(&self, tags: &[(&'static str, String)], wanted: &Wanted) -> String {
        let mut text = String::new();
        for (name, value) in tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            text += &format!("[{name} \"{value}\"]\n");
        }
        text += &format!("[Variant \"{}\"]\n", self.row.variant);
        if let Some(fen) = &self.row.initial_fen {
            text += &format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n");
        }
        text += &format!("[Result \"{}\"]\n\n", self.score());
        let moves = if wanted.moves { self.sans.as_slice() } else { &[] };
        for (ply, san) in moves.iter().enumerate() {
            if ply % 2 == 0 {
                text += &format!("{}. ", ply / 2 + 1);
            }
            text += &format!("{san} ");
        }
        text + &format!("{}\n", self.score())
    }

    fn tags(&self) -> Vec<(&'static str, String)> {
        let row = &self.row;
        let Day { year, month, day } = Day::of(row.created_at);
        let (hour, minute, second) = time_of_day(row.created_at);
        let date = format!("{year:04}.{month:02}.{day:02}");
        let rated = if row.rated { "Rated" } else { "Casual" };
        let mut tags = vec![
            ("Event", format!("{rated} {} game", self.perf().name())),
            ("Site", self.url.clone()),
            ("Date", date.clone()),
            ("Round", "-".to_owned()),
            ("White", row.white.name.clone()),
            ("Black", row.black.name.clone()),
            ("GameId", row.id.clone()),
            ("UTCDate", date),
            ("UTCTime", format!("{hour:02}:{minute:02}:{second:02}")),
            (
                "TimeControl",
                match row.control {
                    Control::Live { limit, increment } => format!("{}+{}", limit / 1000, increment / 1000),
                    Control::Days { days } => format!("1/{}", days * 86_400),
                    Control::Unlimited => "-".to_owned(),
                },
            ),
            (
                "Termination",
                match (row.status, row.reason.as_deref()) {
                    (Status::Started, _) => "Unterminated",
                    (Status::Aborted, _) => "Abandoned",
                    (Status::Ended, Some("timeout")) => "Time forfeit",
                    (Status::Ended, _) => "Normal",
                }
                .to_owned(),
            ),
        ];
        for (seat, elo, diff, title_tag, title) in [
            (&row.white, "WhiteElo", "WhiteRatingDiff", "WhiteTitle", self.titles[0]),
            (&row.black, "BlackElo", "BlackRatingDiff", "BlackTitle", self.titles[1]),
        ] {
            if let Some(rating) = seat.rating {
                tags.push((elo, rating.to_string()));
            }
            if let Some(change) = seat.rating_diff {
                tags.push((diff, format!("{change:+}")));
            }
            if let Some(title) = title {
                tags.push((title_tag, title.to_owned()));
            }
        }
        tags
    }
}

/// `[%clk 0:02:59]`, what the mover's clock shows.
fn clock_comment(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn player(seat: &Seat, title: Option<&'static str>) -> Value {
    if let Some(level) = seat.level {
        return json!({ "aiLevel": level });
    }
    let mut form = json!({});
    match &seat.user {
        Some(id) => {
            form["user"] = json!({ "id": id, "name": seat.name });
            add(&mut form["user"], "title", title);
        }
        None => form["name"] = json!(seat.name),
    }
    add(&mut form, "rating", seat.rating);
    add(&mut form, "ratingDiff", seat.rating_diff);
    if seat.provisional {
        form["provisional"] = json!(true);
    }
    form
}

fn replay(row: &GameRow) -> Option<Game> {
    let mut game = match &row.initial_fen {
        Some(fen) => Game::from_fen(row.variant, fen).ok()?,
        None => Game::new(row.variant),
    };
    row.moves().try_for_each(|uci| game.play_uci(uci).map(|_| ())).ok()?;
    Some(game)
}

/// The moves as they were told when they were played, and not taken back.
async fn told_moves(db: &mut Db, id: &str) -> Result<Vec<String>, StoreError> {
    let mut sans = Vec::new();
    for event in games::events_after(db, id, 0, i64::MAX).await? {
        let data: Value = serde_json::from_str(&event.data)
            .map_err(|error| StoreError::corrupt(format!("event {} of game {id}", event.seq), error))?;
        match event.kind.as_str() {
            "move" => sans.push(data["san"].as_str().unwrap_or("?").to_owned()),
            "takeback" => sans.truncate(data["ply"].as_u64().unwrap_or(0) as usize),
            _ => {}
        }
    }
    Ok(sans)
}
