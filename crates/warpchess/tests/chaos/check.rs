//! What must be true of every game when all is over.

use std::collections::HashMap;

use serde_json::Value;
use warpchess_rules::{Game, VariantId};

use crate::world::{Ack, INCREMENT, LIMIT, World};

/// What the server makes good of lag at most: three tenths of what a move may take in a game of forty.
const MOST_LAG: i64 = 3 * (LIMIT / 40 + INCREMENT) / 10;
/// Plies before which no time is taken off.
const OPENING: usize = 2;

/// What a clock showed after each ply: White's and Black's.
type Clocks = (i64, i64);

/// Looks at all games. What is found goes to `world.wrong`; the number of moves in all games is given.
pub(crate) async fn check(world: &World) -> usize {
    let games = world.games.lock().unwrap().clone();
    let mut acks: HashMap<String, Vec<Ack>> = HashMap::new();
    for ack in world.acks.lock().unwrap().iter() {
        acks.entry(ack.game.clone()).or_default().push(ack.clone());
    }
    let mut moves = 0;
    for game in games {
        // Every node has to tell the same.
        let mut told = Vec::new();
        for node in &world.nodes {
            let state = node.read(&format!("/api/games/{game}")).await;
            let events = node.read(&format!("/api/games/{game}/events")).await;
            let (Some(state), Some(Value::Array(events))) = (state, events) else {
                world.wrong(format!("{game} cannot be read"));
                continue;
            };
            told.push((state, events));
        }
        let Some((state, events)) = told.first() else { continue };
        for (other, other_events) in &told[1..] {
            if other["moves"] != state["moves"] || other["seq"] != state["seq"] || other_events != events {
                world.wrong(format!("{game}: the nodes differ"));
            }
        }
        match one(state, events, &acks.remove(&game).unwrap_or_default()) {
            Ok(played) => moves += played,
            Err(wrong) => world.wrong(format!("{game}: {wrong}")),
        }
    }
    for game in acks.keys() {
        world.wrong(format!("moves were acknowledged in {game}, of which nobody knows"));
    }
    moves
}

/// One game: how many moves were played in it, those taken back included.
fn one(state: &Value, events: &[Value], acks: &[Ack]) -> Result<usize, String> {
    let variant: VariantId = text(&state["variant"]).parse().map_err(|error| format!("{error}"))?;
    let mut board = Game::new(variant);
    let mut clocks: Vec<Clocks> = vec![(LIMIT, LIMIT)];
    let (mut played, mut turn_began) = (0, 0);
    for (number, event) in (1..).zip(events) {
        if event["seq"] != number {
            return Err(format!("event {number} has the number {}", event["seq"]));
        }
        let at = event["at"].as_i64().unwrap_or(0);
        let ply = usize::try_from(event["ply"].as_u64().unwrap_or(0)).unwrap_or(0);
        let shown = || -> Result<Clocks, String> {
            let clock = |color: &str| event["clock"][color].as_i64().ok_or(format!("event {number} has no clock"));
            Ok((clock("white")?, clock("black")?))
        };
        match text(&event["kind"]) {
            "start" => turn_began = at,
            "move" => {
                let mover = board.position().turn();
                if event["by"] != mover.name() {
                    return Err(format!(
                        "event {number} is a move of {} when {} is to move",
                        event["by"],
                        mover.name()
                    ));
                }
                board.play_uci(text(&event["uci"])).map_err(|error| format!("event {number}: {error}"))?;
                if board.len() != ply {
                    return Err(format!("event {number} is for ply {ply} and was played as {}", board.len()));
                }
                let (before, after) = (*clocks.last().unwrap_or(&(0, 0)), shown()?);
                let by_white = mover.name() == "white";
                let (mine, others) = if by_white { (before.0, before.1) } else { (before.1, before.0) };
                let (mine_after, others_after) = if by_white { (after.0, after.1) } else { (after.1, after.0) };
                clock(mine, mine_after, (at - turn_began).max(0), ply)
                    .map_err(|why| format!("event {number}: {why}"))?;
                if others != others_after {
                    return Err(format!("event {number}: the other clock went from {others} to {others_after}"));
                }
                clocks.push(after);
                turn_began = at;
                played += 1;
            }
            "takeback" => {
                while board.len() > ply {
                    board.take_back();
                }
                clocks.truncate(ply + 1);
                if clocks.last() != Some(&shown()?) {
                    return Err(format!("event {number}: after the takeback {:?}, not {:?}", shown()?, clocks.last()));
                }
                turn_began = at;
            }
            _ => {}
        }
    }
    let here: Vec<String> = board.moves().map(|m| m.to_string()).collect();
    if state["moves"] != Value::from(here.clone()) || state["seq"] != events.len() {
        return Err(format!("the events make {here:?} by number {}, the game says {state}", events.len()));
    }
    for Ack { seq, ply, uci, .. } in acks {
        let event = usize::try_from(seq - 1).ok().and_then(|index| events.get(index));
        let event = event.ok_or_else(|| format!("{uci} was acknowledged as event {seq}, which is not there"))?;
        if event["kind"] != "move" || event["uci"] != **uci || event["ply"] != *ply {
            return Err(format!("{uci} was acknowledged as event {seq} at ply {ply}, which is {event}"));
        }
    }
    Ok(played)
}

/// Whether a mover's clock is right after a turn that took `elapsed` milliseconds.
fn clock(before: i64, after: i64, elapsed: i64, ply: usize) -> Result<(), String> {
    let (least, most) = if ply <= OPENING {
        (before, before)
    } else {
        let without = before - elapsed + INCREMENT;
        (without, without + MOST_LAG.min(elapsed))
    };
    if (least..=most).contains(&after) {
        return Ok(());
    }
    Err(format!("the mover's clock went from {before} to {after} in {elapsed} ms: expected {least} to {most}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn game() -> (Value, Vec<Value>) {
        let clock = |white: i64, black: i64| json!({ "white": white, "black": black, "running": null });
        let events = vec![
            json!({ "seq": 1, "at": 0, "kind": "start" }),
            json!({ "seq": 2, "at": 900, "kind": "move", "by": "white", "ply": 1, "uci": "e2e4", "clock": clock(LIMIT, LIMIT) }),
            json!({ "seq": 3, "at": 1900, "kind": "move", "by": "black", "ply": 2, "uci": "e7e5", "clock": clock(LIMIT, LIMIT) }),
            json!({ "seq": 4, "at": 3900, "kind": "move", "by": "white", "ply": 3, "uci": "g1f3", "clock": clock(LIMIT - 1000, LIMIT) }),
        ];
        (json!({ "variant": "chess", "moves": ["e2e4", "e7e5", "g1f3"], "seq": 4 }), events)
    }

    fn ack(seq: i64, ply: usize, uci: &str) -> Ack {
        Ack { game: String::new(), seq, ply, uci: uci.to_owned() }
    }

    #[test]
    fn a_game_as_it_should_be_passes() {
        let (state, events) = game();
        assert_eq!(one(&state, &events, &[ack(2, 1, "e2e4"), ack(4, 3, "g1f3")]), Ok(3));
    }

    #[test]
    fn what_is_wrong_is_found() {
        let (state, events) = game();
        let wrong = |change: &dyn Fn(&mut Value, &mut Vec<Value>), acks: &[Ack]| {
            let (mut state, mut events) = (state.clone(), events.clone());
            change(&mut state, &mut events);
            one(&state, &events, acks).unwrap_err()
        };
        let nothing = |_: &mut Value, _: &mut Vec<Value>| {};
        assert!(wrong(&nothing, &[ack(5, 4, "b8c6")]).contains("not there"), "a lost move");
        assert!(wrong(&nothing, &[ack(3, 2, "c7c5")]).contains("acknowledged"), "another in its place");
        assert!(wrong(&|_, events| drop(events.remove(2)), &[]).contains("number"), "a gap");
        assert!(wrong(&|_, events| events[2]["uci"] = "e7e4".into(), &[]).contains("event 3"), "an illegal move");
        assert!(wrong(&|_, events| events[3]["clock"]["white"] = (LIMIT + 1000).into(), &[]).contains("clock"));
        assert!(wrong(&|_, events| events[3]["clock"]["black"] = 5.into(), &[]).contains("other clock"));
        assert!(wrong(&|state, _| state["moves"] = json!(["e2e4"]), &[]).contains("the game says"));
    }
}
