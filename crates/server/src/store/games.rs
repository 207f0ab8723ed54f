//! Games and what happened in them.

use sqlx::Row;
use sqlx::any::AnyRow;
use warpchess_rules::{Color, Game, VariantId};

use super::{Db, StoreError};
use crate::games::{Control, Given, Speed};

/// How far a game is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// It is played.
    Started,
    /// It was called off before it had begun in earnest.
    Aborted,
    /// It has a result.
    Ended,
}

impl Status {
    /// As it is stored and sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Aborted => "aborted",
            Self::Ended => "ended",
        }
    }
}

/// A player's side of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seat {
    /// The account, if it is one's.
    pub user: Option<String>,
    /// The session that sat down, if no account did.
    pub session: Option<String>,
    /// The level, if it is the computer's.
    pub level: Option<u8>,
    /// As others see the player.
    pub name: String,
    /// When the game began.
    pub rating: Option<i64>,
    /// Whether that was known badly.
    pub provisional: bool,
    /// What the game changed about it.
    pub rating_diff: Option<i64>,
    /// What the clock showed when it last stood, in milliseconds.
    pub ms: Option<i64>,
    /// How much lag can still be made good, in milliseconds.
    pub lag_ms: i64,
}

/// A game as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // See the columns.
pub struct GameRow {
    pub id: String,
    pub variant: VariantId,
    pub rules_version: i64,
    pub initial_fen: Option<String>,
    /// In UCI form, with spaces between.
    pub moves: String,
    pub ply: i64,
    /// Number of the last event.
    pub version: i64,
    /// The mover's clock after each ply.
    pub clocks: Vec<i64>,
    pub status: Status,
    pub winner: Option<Color>,
    pub reason: Option<String>,
    pub rated: bool,
    pub control: Control,
    pub white: Seat,
    pub black: Seat,
    /// What the players gave each other.
    pub given: Given,
    /// Whether the clocks run before both have moved.
    pub clocks_started: bool,
    pub turn_started_at: Option<i64>,
    pub deadline_at: Option<i64>,
    pub engine_due_at: Option<i64>,
    pub draw_offer: Option<Color>,
    pub takeback_offer: Option<Color>,
    pub rematch_offer: Option<Color>,
    pub rematch_id: Option<String>,
    pub rematch_of: Option<String>,
    pub created_at: i64,
    pub last_move_at: Option<i64>,
    pub ended_at: Option<i64>,
    /// It was played elsewhere, and taken in for study.
    pub imported: bool,
}

/// How much of the moves is kept apart, for finding games by how they began, in bytes.
pub const OPENING: usize = 60;

/// The color of a name.
pub(crate) fn color(name: &str) -> Option<Color> {
    [Color::White, Color::Black].into_iter().find(|color| color.name() == name)
}

impl GameRow {
    /// A player's side.
    pub const fn seat(&self, color: Color) -> &Seat {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
    /// The same, to change it.
    pub const fn seat_mut(&mut self, color: Color) -> &mut Seat {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
    /// Its class.
    pub const fn speed(&self) -> Speed {
        self.control.speed()
    }
    /// The moves, one by one.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.moves.split_ascii_whitespace()
    }

    /// The first `plies` plies, replayed; `None` when the rules of today do not allow them.
    pub fn replay(&self, plies: usize) -> Option<Game> {
        let mut game = match &self.initial_fen {
            Some(fen) => Game::from_fen(self.variant, fen).ok()?,
            None => Game::new(self.variant),
        };
        self.moves().take(plies).try_for_each(|uci| game.play_uci(uci).map(|_| ())).ok()?;
        Some(game)
    }

    /// What the game is found by when one looks for how games began.
    fn opening(&self) -> Option<&str> {
        let usual = self.status == Status::Ended && self.initial_fen.is_none();
        usual.then(|| self.moves.get(..OPENING).unwrap_or(&self.moves))
    }

    pub(super) fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let id: String = row.try_get("id")?;
        let corrupt =
            |column: &str, why: &dyn std::fmt::Display| StoreError::corrupt(format!("{column} of game {id}"), why);
        let named = |column: &str| -> Result<Option<Color>, StoreError> {
            let name: Option<String> = row.try_get(column)?;
            name.map(|name| color(&name).ok_or_else(|| corrupt(column, &name))).transpose()
        };
        let control = match (row.try_get("limit_ms")?, row.try_get("increment_ms")?, row.try_get("days")?) {
            (Some(limit), Some(increment), None) => Control::Live { limit, increment },
            (None, None, Some(days)) => Control::Days { days },
            (None, None, None) => Control::Unlimited,
            _ => return Err(corrupt("time control", &"both live and by days")),
        };
        let status = match row.try_get::<String, _>("status")?.as_str() {
            "started" => Status::Started,
            "aborted" => Status::Aborted,
            "ended" => Status::Ended,
            other => return Err(corrupt("status", &other)),
        };
        let seat = |columns: [&str; 9]| -> Result<Seat, StoreError> {
            let [user, session, level, name, rating, provisional, diff, ms, lag] = columns;
            Ok(Seat {
                user: row.try_get(user)?,
                session: row.try_get(session)?,
                level: row.try_get::<Option<i64>, _>(level)?.and_then(|level| u8::try_from(level).ok()),
                name: row.try_get(name)?,
                rating: row.try_get(rating)?,
                provisional: row.try_get::<i64, _>(provisional)? != 0,
                rating_diff: row.try_get(diff)?,
                ms: row.try_get(ms)?,
                lag_ms: row.try_get(lag)?,
            })
        };
        let clocks: String = row.try_get("clocks")?;
        Ok(Self {
            variant: row.try_get::<String, _>("variant")?.parse().map_err(|error| corrupt("variant", &error))?,
            rules_version: row.try_get("rules_version")?,
            initial_fen: row.try_get("initial_fen")?,
            moves: row.try_get("moves")?,
            ply: row.try_get("ply")?,
            version: row.try_get("version")?,
            clocks: clocks.split_ascii_whitespace().filter_map(|text| text.parse().ok()).collect(),
            status,
            winner: named("winner")?,
            reason: row.try_get("reason")?,
            rated: row.try_get::<i64, _>("rated")? != 0,
            control,
            white: seat([
                "white_user",
                "white_session",
                "white_level",
                "white_name",
                "white_rating",
                "white_provisional",
                "white_rating_diff",
                "white_ms",
                "white_lag_ms",
            ])?,
            black: seat([
                "black_user",
                "black_session",
                "black_level",
                "black_name",
                "black_rating",
                "black_provisional",
                "black_rating_diff",
                "black_ms",
                "black_lag_ms",
            ])?,
            given: Given::read(&row.try_get::<String, _>("given")?),
            clocks_started: row.try_get::<i64, _>("clocks_started")? != 0,
            turn_started_at: row.try_get("turn_started_at")?,
            deadline_at: row.try_get("deadline_at")?,
            engine_due_at: row.try_get("engine_due_at")?,
            draw_offer: named("draw_offer")?,
            takeback_offer: named("takeback_offer")?,
            rematch_offer: named("rematch_offer")?,
            rematch_id: row.try_get("rematch_id")?,
            rematch_of: row.try_get("rematch_of")?,
            created_at: row.try_get("created_at")?,
            last_move_at: row.try_get("last_move_at")?,
            ended_at: row.try_get("ended_at")?,
            imported: row.try_get::<i64, _>("imported")? != 0,
            id,
        })
    }
}

/// A game.
///
/// # Errors
/// When the database fails, or the row cannot be read.
pub async fn by_id(db: &mut Db, id: &str) -> Result<Option<GameRow>, StoreError> {
    let row = sqlx::query("SELECT * FROM games WHERE id = $1").bind(id).fetch_optional(db).await?;
    row.as_ref().map(GameRow::from_row).transpose()
}

/// Games by their ids, in no order; those that there are not are left out.
///
/// # Errors
/// When the database fails, or a row cannot be read.
pub async fn by_ids(db: &mut Db, ids: &[&str]) -> Result<Vec<GameRow>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let places: Vec<String> = (1..=ids.len()).map(|i| format!("${i}")).collect();
    let sql = format!("SELECT * FROM games WHERE id IN ({})", places.join(", "));
    let mut query = sqlx::query(sqlx::AssertSqlSafe(sql)).persistent(false);
    for id in ids {
        query = query.bind(*id);
    }
    query.fetch_all(db).await?.iter().map(GameRow::from_row).collect()
}

/// Keeps a new game.
///
/// # Errors
/// When the database fails; a unique violation when the id is taken.
pub async fn insert(db: &mut Db, game: &GameRow) -> Result<(), StoreError> {
    let (limit, increment, days) = columns(game.control);
    let (white, black) = (&game.white, &game.black);
    sqlx::query(
        "INSERT INTO games (id, variant, rules_version, initial_fen, version, status, rated, speed, limit_ms, \
         increment_ms, days, white_user, white_session, white_level, white_name, white_rating, white_provisional, \
         white_ms, white_lag_ms, black_user, black_session, black_level, black_name, black_rating, black_provisional, \
         black_ms, black_lag_ms, turn_started_at, deadline_at, engine_due_at, rematch_of, created_at) VALUES ($1, $2, \
         $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, \
         $26, $27, $28, $29, $30, $31, $32)",
    )
    .bind(&game.id)
    .bind(game.variant.id())
    .bind(game.rules_version)
    .bind(&game.initial_fen)
    .bind(game.version)
    .bind(game.status.name())
    .bind(i64::from(game.rated))
    .bind(game.speed().name())
    .bind(limit)
    .bind(increment)
    .bind(days)
    .bind(&white.user)
    .bind(&white.session)
    .bind(white.level.map(i64::from))
    .bind(&white.name)
    .bind(white.rating)
    .bind(i64::from(white.provisional))
    .bind(white.ms)
    .bind(white.lag_ms)
    .bind(&black.user)
    .bind(&black.session)
    .bind(black.level.map(i64::from))
    .bind(&black.name)
    .bind(black.rating)
    .bind(i64::from(black.provisional))
    .bind(black.ms)
    .bind(black.lag_ms)
    .bind(game.turn_started_at)
    .bind(game.deadline_at)
    .bind(game.engine_due_at)
    .bind(&game.rematch_of)
    .bind(game.created_at)
    .execute(db)
    .await?;
    Ok(())
}

/// The columns of a time control: limit, increment, days.
pub(super) const fn columns(control: Control) -> (Option<i64>, Option<i64>, Option<i64>) {
    match control {
        Control::Live { limit, increment } => (Some(limit), Some(increment), None),
        Control::Days { days } => (None, None, Some(days)),
        Control::Unlimited => (None, None, None),
    }
}

/// Stores what has changed about a game, if nobody else has changed it since `version`. Tells whether it did.
///
/// # Errors
/// When the database fails.
pub async fn update(db: &mut Db, game: &GameRow, version: i64) -> Result<bool, StoreError> {
    let clocks: Vec<String> = game.clocks.iter().map(ToString::to_string).collect();
    let done = sqlx::query(
        "UPDATE games SET moves = $1, ply = $2, version = $3, clocks = $4, status = $5, winner = $6, reason = $7, \
         white_rating_diff = $8, white_ms = $9, white_lag_ms = $10, black_rating_diff = $11, black_ms = $12, \
         black_lag_ms = $13, turn_started_at = $14, deadline_at = $15, engine_due_at = $16, draw_offer = $17, \
         takeback_offer = $18, rematch_offer = $19, rematch_id = $20, last_move_at = $21, ended_at = $22, \
         opening = $23, given = $24, clocks_started = $25 WHERE id = $26 AND version = $27",
    )
    .bind(&game.moves)
    .bind(game.ply)
    .bind(game.version)
    .bind(clocks.join(" "))
    .bind(game.status.name())
    .bind(game.winner.map(Color::name))
    .bind(&game.reason)
    .bind(game.white.rating_diff)
    .bind(game.white.ms)
    .bind(game.white.lag_ms)
    .bind(game.black.rating_diff)
    .bind(game.black.ms)
    .bind(game.black.lag_ms)
    .bind(game.turn_started_at)
    .bind(game.deadline_at)
    .bind(game.engine_due_at)
    .bind(game.draw_offer.map(Color::name))
    .bind(game.takeback_offer.map(Color::name))
    .bind(game.rematch_offer.map(Color::name))
    .bind(&game.rematch_id)
    .bind(game.last_move_at)
    .bind(game.ended_at)
    .bind(game.opening())
    .bind(game.given.to_string())
    .bind(i64::from(game.clocks_started))
    .bind(&game.id)
    .bind(version)
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Something that happened, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventRow {
    /// In which game.
    pub game: String,
    /// Its number there, from 1.
    pub seq: i64,
    /// What it was.
    pub kind: String,
    /// All of it, as JSON, as clients get it.
    pub data: String,
    /// The client's name for its move, after the letter of its color.
    pub move_id: Option<String>,
    /// When.
    pub at: i64,
}

/// Notes what happened.
///
/// # Errors
/// When the database fails; a unique violation when something else has that number.
pub async fn insert_event(db: &mut Db, event: &EventRow) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO game_events (game_id, seq, kind, data, move_id, at) VALUES ($1, $2, $3, $4, $5, $6)")
        .bind(&event.game)
        .bind(event.seq)
        .bind(&event.kind)
        .bind(&event.data)
        .bind(&event.move_id)
        .bind(event.at)
        .execute(db)
        .await?;
    Ok(())
}

/// What happened after the event number `seen`, in order, at most `limit` of it.
///
/// # Errors
/// When the database fails.
pub async fn events_after(db: &mut Db, game: &str, seen: i64, limit: i64) -> Result<Vec<EventRow>, StoreError> {
    let rows = sqlx::query(
        "SELECT game_id, seq, kind, data, move_id, at FROM game_events WHERE game_id = $1 AND seq > $2 ORDER BY seq \
         LIMIT $3",
    )
    .bind(game)
    .bind(seen)
    .bind(limit)
    .fetch_all(db)
    .await?;
    let event = |row: &AnyRow| -> Result<EventRow, StoreError> {
        Ok(EventRow {
            game: row.try_get("game_id")?,
            seq: row.try_get("seq")?,
            kind: row.try_get("kind")?,
            data: row.try_get("data")?,
            move_id: row.try_get("move_id")?,
            at: row.try_get("at")?,
        })
    };
    rows.iter().map(event).collect()
}

/// Number of a game's last event.
///
/// # Errors
/// When the database fails.
pub async fn version(db: &mut Db, id: &str) -> Result<Option<i64>, StoreError> {
    let row = sqlx::query("SELECT version FROM games WHERE id = $1").bind(id).fetch_optional(db).await?;
    row.map(|row| Ok(row.try_get(0)?)).transpose()
}

/// The moves that clients have named: the names, and the numbers of the events, as far as they come after `seen`.
///
/// # Errors
/// When the database fails.
pub async fn move_ids(db: &mut Db, game: &str, seen: i64) -> Result<Vec<(String, i64)>, StoreError> {
    let rows =
        sqlx::query("SELECT move_id, seq FROM game_events WHERE game_id = $1 AND seq > $2 AND move_id IS NOT NULL")
            .bind(game)
            .bind(seen)
            .fetch_all(db)
            .await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Games whose time is over, longest overdue first.
///
/// # Errors
/// When the database fails.
pub async fn overdue(db: &mut Db, now: i64, limit: i64) -> Result<Vec<String>, StoreError> {
    let rows = sqlx::query("SELECT id FROM games WHERE deadline_at <= $1 ORDER BY deadline_at LIMIT $2")
        .bind(now)
        .bind(limit)
        .fetch_all(db)
        .await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// When the next game's time is over.
///
/// # Errors
/// When the database fails.
pub async fn next_deadline(db: &mut Db) -> Result<Option<i64>, StoreError> {
    let row = sqlx::query("SELECT deadline_at FROM games WHERE deadline_at IS NOT NULL ORDER BY deadline_at LIMIT 1")
        .fetch_optional(db)
        .await?;
    row.map(|row| Ok(row.try_get(0)?)).transpose()
}

/// Games in which the computer is to move and nobody computes, longest waiting first: id, version, and when it was due.
///
/// # Errors
/// When the database fails.
pub async fn engine_due(db: &mut Db, now: i64, limit: i64) -> Result<Vec<(String, i64, i64)>, StoreError> {
    let rows = sqlx::query(
        "SELECT id, version, engine_due_at FROM games WHERE engine_due_at <= $1 ORDER BY engine_due_at LIMIT $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(db)
    .await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))).collect()
}

/// Takes the computer's turn in a game on, until `until`: whoever is told `true` computes the move. When that time has come
/// and the move was not made, others may.
///
/// # Errors
/// When the database fails.
pub async fn claim_engine_turn(
    db: &mut Db,
    (id, version, due): &(String, i64, i64),
    until: i64,
) -> Result<bool, StoreError> {
    let done = sqlx::query("UPDATE games SET engine_due_at = $1 WHERE id = $2 AND version = $3 AND engine_due_at = $4")
        .bind(until)
        .bind(id)
        .bind(version)
        .bind(due)
        .execute(db)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// The games that somebody is in, newest first: those of an account, or of a session that has none.
///
/// # Errors
/// When the database fails.
pub async fn of_player(
    db: &mut Db,
    user: Option<&str>,
    session: &str,
    only_started: bool,
    limit: i64,
) -> Result<Vec<GameRow>, StoreError> {
    let sql = match (user, only_started) {
        (Some(_), true) => {
            "SELECT * FROM games WHERE (white_user = $1 OR black_user = $1) AND status = 'started' \
             ORDER BY created_at DESC LIMIT $2"
        }
        (Some(_), false) => {
            "SELECT * FROM games WHERE (white_user = $1 OR black_user = $1) ORDER BY created_at DESC LIMIT $2"
        }
        (None, true) => {
            "SELECT * FROM games WHERE (white_session = $1 OR black_session = $1) AND status = 'started' \
             ORDER BY created_at DESC LIMIT $2"
        }
        (None, false) => {
            "SELECT * FROM games WHERE (white_session = $1 OR black_session = $1) ORDER BY created_at DESC LIMIT $2"
        }
    };
    let rows = sqlx::query(sql).bind(user.unwrap_or(session)).bind(limit).fetch_all(db).await?;
    rows.iter().map(GameRow::from_row).collect()
}

/// The games of an account that go on, the latest first.
///
/// # Errors
/// When the database fails.
pub async fn ongoing(db: &mut Db, user: &str, limit: i64) -> Result<Vec<String>, StoreError> {
    let rows = sqlx::query(
        "SELECT id FROM games WHERE (white_user = $1 OR black_user = $1) AND ended_at IS NULL \
         ORDER BY created_at DESC, id LIMIT $2",
    );
    let rows = rows.bind(user).bind(limit).fetch_all(db).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Live games under way in which both have moved, the one with the latest move first.
///
/// # Errors
/// When the database fails.
pub async fn live(db: &mut Db, limit: i64) -> Result<Vec<String>, StoreError> {
    // Games with a clock that goes on have a deadline, and those have an index.
    let rows = sqlx::query(
        "SELECT id FROM games WHERE deadline_at IS NOT NULL AND limit_ms IS NOT NULL AND ply >= 2 \
         ORDER BY last_move_at DESC, id LIMIT $1",
    );
    let rows = rows.bind(limit).fetch_all(db).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}
