//! Moves, which are most of what is written: all that wait are stored by two statements, however many they are.

use std::collections::HashSet;

use serde::Serialize;
use sqlx::Row;
use warpchess_rules::Color;

use super::games::{EventRow, GameRow};
use super::{Db, Kind, StoreError};

/// A move that does not end its game, and what it changes about it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveRow {
    /// The game.
    id: String,
    /// The number of the last event before.
    seen: i64,
    uci: String,
    /// What the mover's clock shows after it, as text; `None` without a clock.
    clock: Option<String>,
    ply: i64,
    white_ms: Option<i64>,
    white_lag_ms: i64,
    black_ms: Option<i64>,
    black_lag_ms: i64,
    turn_started_at: Option<i64>,
    deadline_at: Option<i64>,
    engine_due_at: Option<i64>,
    draw_offer: Option<&'static str>,
    /// The event, as it is stored and sent.
    data: String,
    move_id: Option<String>,
    at: i64,
}

impl MoveRow {
    /// The last move of a game, with its event. `None` if the row or the event is of something else.
    pub fn last(game: &GameRow, event: EventRow) -> Option<Self> {
        let uci = game.moves.rsplit(' ').next().filter(|uci| !uci.is_empty())?;
        if event.kind != "move" || game.ended_at.is_some() || event.seq != game.version {
            return None;
        }
        let clocked = game.white.ms.is_some();
        Some(Self {
            id: game.id.clone(),
            seen: game.version - 1,
            uci: uci.to_owned(),
            clock: game.clocks.last().filter(|_| clocked).map(ToString::to_string),
            ply: game.ply,
            white_ms: game.white.ms,
            white_lag_ms: game.white.lag_ms,
            black_ms: game.black.ms,
            black_lag_ms: game.black.lag_ms,
            turn_started_at: game.turn_started_at,
            deadline_at: game.deadline_at,
            engine_due_at: game.engine_due_at,
            draw_offer: game.draw_offer.map(Color::name),
            data: event.data,
            move_id: event.move_id,
            at: event.at,
        })
    }
}

/// Columns of [`MoveRow`] with their types in PostgreSQL. `moves` and `clocks` are appended to.
const COLUMNS: [(&str, &str); 16] = [
    ("id", "text"),
    ("seen", "bigint"),
    ("uci", "text"),
    ("clock", "text"),
    ("ply", "bigint"),
    ("white_ms", "bigint"),
    ("white_lag_ms", "bigint"),
    ("black_ms", "bigint"),
    ("black_lag_ms", "bigint"),
    ("turn_started_at", "bigint"),
    ("deadline_at", "bigint"),
    ("engine_due_at", "bigint"),
    ("draw_offer", "text"),
    ("data", "text"),
    ("move_id", "text"),
    ("at", "bigint"),
];

/// The rows of the argument, a JSON array, as a table `m` with these columns.
fn rows(kind: Kind, columns: &[(&str, &str)]) -> String {
    match kind {
        Kind::Sqlite => {
            let columns: Vec<String> =
                columns.iter().map(|(name, _)| format!("value ->> '{name}' AS {name}")).collect();
            format!("(SELECT {} FROM json_each($1)) AS m", columns.join(", "))
        }
        Kind::Postgres => {
            let columns: Vec<String> = columns.iter().map(|(name, kind)| format!("{name} {kind}")).collect();
            format!("jsonb_to_recordset($1::jsonb) AS m({})", columns.join(", "))
        }
    }
}

/// Stores moves, each if nobody has changed its game meanwhile. Tells for each whether it is stored.
///
/// # Errors
/// When the database fails.
pub async fn play(db: &mut Db, kind: Kind, moves: &[MoveRow]) -> Result<Vec<bool>, StoreError> {
    let json = |rows: &[&MoveRow]| {
        serde_json::to_string(rows).map_err(|error| StoreError::panicked(format!("moves cannot be written: {error}")))
    };
    // Of two moves for one game one comes too late, and is told so like any other.
    let mut games = HashSet::new();
    let first: Vec<bool> = moves.iter().map(|played| games.insert(played.id.as_str())).collect();
    let chosen = |which: &[bool]| moves.iter().zip(which).filter(|(_, is)| **is).map(|(played, _)| played).collect();
    let all: Vec<&MoveRow> = chosen(&first);
    let text = json(&all)?;
    if kind == Kind::Postgres {
        // Two nodes that have moves of the same games take them in the same order, and neither waits for the other in vain.
        let lock = format!(
            "SELECT games.id FROM games JOIN {} ON games.id = m.id ORDER BY games.id FOR UPDATE OF games",
            rows(kind, &COLUMNS[..1])
        );
        sqlx::query(sqlx::AssertSqlSafe(lock)).bind(&text).fetch_all(&mut *db).await?;
    }
    let update = format!(
        "UPDATE games SET \
         moves = CASE games.moves WHEN '' THEN m.uci ELSE games.moves || ' ' || m.uci END, \
         clocks = CASE WHEN m.clock IS NULL THEN games.clocks WHEN games.clocks = '' THEN m.clock \
         ELSE games.clocks || ' ' || m.clock END, \
         ply = m.ply, version = m.seen + 1, white_ms = m.white_ms, white_lag_ms = m.white_lag_ms, \
         black_ms = m.black_ms, black_lag_ms = m.black_lag_ms, turn_started_at = m.turn_started_at, \
         deadline_at = m.deadline_at, engine_due_at = m.engine_due_at, draw_offer = m.draw_offer, \
         takeback_offer = NULL, last_move_at = m.at FROM {} WHERE games.id = m.id AND games.version = m.seen \
         RETURNING games.id",
        rows(kind, &COLUMNS)
    );
    let stored = sqlx::query(sqlx::AssertSqlSafe(update)).bind(&text).fetch_all(&mut *db).await?;
    let stored = stored.iter().map(|row| row.try_get(0)).collect::<Result<HashSet<String>, _>>()?;
    let kept: Vec<bool> =
        moves.iter().zip(&first).map(|(played, first)| *first && stored.contains(&played.id)).collect();
    if stored.is_empty() {
        return Ok(kept);
    }
    let text = if kept == first { text } else { json(&chosen(&kept))? };
    let insert = format!(
        "INSERT INTO game_events (game_id, seq, kind, data, move_id, at) \
         SELECT m.id, m.seen + 1, 'move', m.data, m.move_id, m.at FROM {}",
        rows(kind, &COLUMNS)
    );
    sqlx::query(sqlx::AssertSqlSafe(insert)).bind(&text).execute(db).await?;
    Ok(kept)
}
