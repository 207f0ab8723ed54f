//! The computer opponent. Its turns stand in the store: whichever node takes one on first computes the move, and if that
//! node is gone before it has moved, another does.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use warpchess_engine::{Level, Limits, Options, Signals, SystemClock, engine_for};

use super::control::Control;
use super::service::Games;
use crate::store::StoreError;
use crate::store::games;

/// How long a node may take for a move before others take the turn on, in milliseconds.
const LEASE: i64 = 30_000;
/// How long it thinks at most.
const LONGEST_THOUGHT: Duration = Duration::from_secs(5);
/// Turns that other nodes have left are seen this late at most, in milliseconds.
const LONGEST_SLEEP: i64 = 1000;
/// Memory of a search, in mebibytes.
const HASH: usize = 8;

/// Takes turns on as long as it is polled; at most `workers` at once.
pub(crate) async fn run(all: Games, workers: usize) {
    let free = Arc::new(Semaphore::new(workers));
    if workers == 0 {
        return;
    }
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return };
        match claim(&all).await {
            Ok(Some(id)) => {
                let all = all.clone();
                tokio::spawn(async move {
                    if let Err(error) = play(&all, &id).await {
                        tracing::warn!(game = id, %error, "the computer did not move");
                    }
                    drop(permit);
                });
            }
            Ok(None) => {
                drop(permit);
                all.computer_due(all.clock().now() + LONGEST_SLEEP).await;
            }
            Err(error) => {
                drop(permit);
                tracing::warn!(%error, "the computer cannot read games");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// Takes a turn on, if one is waiting.
async fn claim(all: &Games) -> Result<Option<String>, StoreError> {
    let now = all.clock().now();
    let due = {
        let mut db = all.store().read().await?;
        games::engine_due(&mut db, now, 8).await?
    };
    for turn in due {
        let id = turn.0.clone();
        let job = all
            .store()
            .write(move |db| Box::pin(async move { games::claim_engine_turn(db, &turn, now + LEASE).await }));
        if job.await? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Computes a move and plays it.
async fn play(all: &Games, id: &str) -> Result<(), super::action::Refusal> {
    let (row, turn) = all.with(id, |live, _| (live.row.clone(), live.turn())).await?;
    let Some(level) = row.seat(turn).level.and_then(|number| Level::new(number).ok()) else { return Ok(()) };
    let movetime = thinking_time(row.control, row.seat(turn).ms);
    let (variant, fen, moves) = (row.variant, row.initial_fen.clone(), row.moves.clone());
    let seed = seed(id);
    let thought = tokio::task::spawn_blocking(move || {
        let mut engine = engine_for(variant, &Options { hash: HASH, ..Options::default() });
        let texts: Vec<&str> = moves.split_ascii_whitespace().collect();
        engine.set_game(fen.as_deref(), &texts).map_err(|error| error.to_string())?;
        let limits = Limits { movetime: Some(movetime), ..Limits::default() };
        let found = level.choose_within(&mut *engine, &limits, &SystemClock::start(), &Signals::new(), seed);
        // Out of time before the first iteration was through: any move is better than none.
        let best = found.best.or_else(|| engine.legal_moves().first().copied());
        best.map(|best| best.to_string()).ok_or_else(|| "there is no legal move".to_owned())
    });
    match thought.await {
        Ok(Ok(uci)) => all.act_for_computer(id, turn, &row.moves, &uci).await.map(|_| ()),
        Ok(Err(error)) => Err(super::action::Refusal::Malformed("uci", error)),
        Err(error) => Err(super::action::Refusal::Malformed("uci", error.to_string())),
    }
}

/// How long to think: a part of what is left.
fn thinking_time(control: Control, left: Option<i64>) -> Duration {
    let (Control::Live { increment, .. }, Some(left)) = (control, left) else { return LONGEST_THOUGHT };
    let part = left / 30 + increment * 3 / 4;
    Duration::from_millis(part.clamp(20, (left / 2).max(20)).unsigned_abs()).min(LONGEST_THOUGHT)
}

/// Another one in each game, so that weak levels do not play the same game again and again.
fn seed(id: &str) -> u64 {
    id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The computer's place at the board.
pub(crate) fn seat(level: Level) -> crate::store::games::Seat {
    crate::store::games::Seat {
        level: Some(level.number()),
        name: format!("Computer level {}", level.number()),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_thinks_its_clock_away() {
        let blitz = Control::Live { limit: 180_000, increment: 2000 };
        assert_eq!(thinking_time(blitz, Some(180_000)), LONGEST_THOUGHT);
        assert!(thinking_time(blitz, Some(1000)) <= Duration::from_millis(500));
        assert!(thinking_time(blitz, Some(10)) <= Duration::from_millis(20));
        assert_eq!(thinking_time(Control::Unlimited, None), LONGEST_THOUGHT);
    }
}
