//! Games that were played, as clients get them afterwards: PGN, or JSON with the moves as people write them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use warpchess_rules::notation::pgn::{self, Line, Score, Tags};
use warpchess_rules::{Color, Game};

use super::{UNKNOWN, add, status, title, variant_key};
use crate::App;
use crate::error::Error;
use crate::fields::Fields;
use crate::games::Control;
use crate::games::import::clean;
use crate::jobs::report::{Report, summary_json};
use crate::perf::Perf;
use crate::store::analysis::{self, State};
use crate::store::games::{self, GameRow, Seat, Status};
use crate::store::{Db, StoreError, accounts, imports};
use crate::time::{Day, time_of_day};

/// What is wanted of a game.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    moves: bool,
    tags: bool,
    clocks: bool,
    pgn_in_json: bool,
    /// What an analysis has found.
    evals: bool,
    /// What was a mistake, in words.
    literate: bool,
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
            evals: flag("evals", true)?,
            literate: flag("literate", false)?,
        })
    }

    /// All there is, for whose games they are.
    pub(crate) const fn whole() -> Self {
        Self { moves: true, tags: true, clocks: true, pgn_in_json: false, evals: true, literate: false }
    }

    /// For lists: what is told of a game without its moves.
    pub(crate) const fn short() -> Self {
        Self { moves: false, tags: true, clocks: false, pgn_in_json: false, evals: false, literate: false }
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
    /// The PGN that it was imported with.
    imported: Option<String>,
    /// Its analysis, if there is one that is complete.
    report: Option<Report>,
}

impl Exported {
    pub(crate) async fn of(app: &App, db: &mut Db, row: GameRow) -> Result<Self, StoreError> {
        let game = row.replay(usize::MAX);
        let sans = match &game {
            Some(game) => (0..game.len()).filter_map(|ply| game.san(ply)).collect(),
            None => told_moves(db, &row.id).await?,
        };
        let titles = [title(db, row.white.user.as_deref()).await?, title(db, row.black.user.as_deref()).await?];
        let url = app.url(&format!("/game/{}", row.id));
        let imported = if row.imported { imports::pgn(db, &row.id).await? } else { None };
        let report = match &game {
            Some(game) if analysis::job(db, &row.id).await?.is_some_and(|job| job.state == State::Done) => {
                Some(Report::new(game.clone(), analysis::plies(db, &row.id).await?))
            }
            _ => None,
        };
        Ok(Self { row, game, sans, titles, url, imported, report })
    }

    /// Games as lists of the archive have them. What is looked up is looked up for all at once, and no more than is told.
    pub(crate) async fn listed_all(app: &App, db: &mut Db, rows: Vec<GameRow>) -> Result<Vec<Value>, StoreError> {
        let players: BTreeSet<&str> =
            rows.iter().flat_map(|row| [&row.white, &row.black]).filter_map(|seat| seat.user.as_deref()).collect();
        let bots = accounts::bots(db, &players.into_iter().collect::<Vec<_>>()).await?;
        let analysed = analysis::done(db, &rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>()).await?;
        let title = |seat: &Seat| seat.user.as_ref().is_some_and(|user| bots.contains(user)).then_some("BOT");
        let listed = |row: GameRow| {
            let game = row.replay(usize::MAX);
            let is_analysed = game.is_some() && analysed.contains(&row.id);
            let titles = [title(&row.white), title(&row.black)];
            let url = app.url(&format!("/game/{}", row.id));
            Self { row, game, sans: Vec::new(), titles, url, imported: None, report: None }.listed(is_analysed)
        };
        Ok(rows.into_iter().map(listed).collect())
    }

    /// As lists of the archive have it: how it began and how it stands, instead of its moves.
    fn listed(&self, is_analysed: bool) -> Value {
        let mut form = self.json(&Wanted::short());
        form["plies"] = json!(self.row.ply);
        form["opening"] = json!(self.row.moves().take(LISTED_PLIES).collect::<Vec<_>>());
        add(&mut form, "lastFen", self.game.as_ref().map(|game| game.position().fen()));
        form["analysed"] = json!(is_analysed);
        form
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
            "source": match (row.imported, row.white.level.or(row.black.level)) {
                (true, _) => "import",
                (false, Some(_)) => "ai",
                (false, None) => "friend",
            },
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
        if wanted.clocks && (self.live() || (row.imported && !row.clocks.is_empty())) {
            form["clocks"] = json!(row.clocks.iter().map(|ms| ms / 10).collect::<Vec<_>>());
        }
        if let Some(report) = self.report.as_ref().filter(|_| wanted.evals) {
            form["analysis"] = report.lichess();
            for color in [Color::White, Color::Black] {
                form["players"][color.name()]["analysis"] = summary_json(&report.summary(color));
            }
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
            (Status::Ended, None) if self.row.reason.as_deref() == Some(UNKNOWN) => Score::Unknown,
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
        // An imported game has its own tags, comments and variations.
        let mut record = match &self.imported {
            Some(text) => {
                let mut record = pgn::Reader::new(text.as_bytes()).next()?.ok()?;
                // Those that were taken in before are as they came.
                clean(&mut record);
                record
            }
            None => {
                let mut named = Tags::new();
                for (name, value) in tags {
                    named.set(name, value).ok()?;
                }
                let mut record = game.to_record(named);
                record.score = self.score();
                record
            }
        };
        if !wanted.moves {
            record.line = Line::default();
        }
        for (i, node) in record.line.moves.iter_mut().enumerate() {
            let remark =
                self.report.as_ref().filter(|_| wanted.evals).map(|report| report.pgn(i + 1)).unwrap_or_default();
            // An imported game says it in its own comments.
            let told = wanted.clocks && self.live() && !self.row.imported;
            let clock = self.row.clocks.get(i).filter(|_| told).map(|ms| clock_comment(*ms));
            let words = remark.words.filter(|_| wanted.literate);
            let said: Vec<String> = [remark.eval, clock, words].into_iter().flatten().collect();
            if !said.is_empty() {
                node.comments.insert(0, said.join(" "));
            }
            let nag = remark.nag.filter(|nag| wanted.literate && !node.nags.contains(nag));
            node.nags.extend(nag);
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

/// How many plies lists tell of a game's beginning.
const LISTED_PLIES: usize = 12;

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
