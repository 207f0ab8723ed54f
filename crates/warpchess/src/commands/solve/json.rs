//! Solutions for programs.

use serde_json::{Value, json};
use warpchess_rules::notation::san;
use warpchess_rules::{AnyPosition, Move};
use warpchess_solver::{Answer, Defence, Verdict};

use super::Solved;
use super::text::{after, duals};

pub(super) fn solved(solved: &Solved) -> Value {
    let Solved { variant, start, asked, solution, .. } = solved;
    let start = &**start;
    let (verdict, mate, shortest) = match solution.verdict {
        Verdict::Mate { moves, shortest } => ("mate", Some(moves), shortest),
        Verdict::NoMate => ("noMate", None, false),
        Verdict::Undecided => ("undecided", None, false),
    };
    let keys = solution.keys.iter().map(|key| {
        let mut value = named(start, key.m);
        value["mate"] = key.mate.into();
        value["tree"] = tree(&*after(start, key.m), &key.tree);
        value
    });
    let tries = solution.tries.iter().map(|attempt| {
        let mut value = named(start, attempt.m);
        let after = after(start, attempt.m);
        value["refutations"] = attempt.refutations.iter().map(|&m| named(&*after, m)).collect();
        value
    });
    json!({
        "variant": variant.id(),
        "fen": start.fen(),
        "asked": asked,
        "verdict": verdict,
        "mate": mate,
        "shortest": shortest,
        "short": shortest && mate.is_some_and(|moves| moves < *asked),
        "keys": keys.collect::<Vec<_>>(),
        "allKeys": solution.all_keys,
        "duals": solution.keys.iter().map(|key| duals(&key.tree)).sum::<usize>(),
        "tries": tries.collect::<Vec<_>>(),
        "complete": solution.complete,
        "found": solution.found.map(|found| json!({
            "uci": found.m.to_string(), "nodes": found.nodes, "seconds": found.time.as_secs_f64(),
        })),
        "nodes": solution.nodes,
        "seconds": solution.time.as_secs_f64(),
    })
}

fn named(position: &dyn AnyPosition, m: Move) -> Value {
    json!({ "uci": m.to_string(), "san": san::write(position, m) })
}

fn tree(position: &dyn AnyPosition, defences: &[Defence]) -> Value {
    let defence = |defence: &Defence| {
        let mut value = named(position, defence.m);
        let next = after(position, defence.m);
        value["mate"] = defence.mate.into();
        value["answers"] = defence.answers.iter().map(|answer| follow(&*next, answer)).collect();
        value
    };
    defences.iter().map(defence).collect()
}

fn follow(position: &dyn AnyPosition, answer: &Answer) -> Value {
    let mut value = named(position, answer.m);
    value["tree"] = tree(&*after(position, answer.m), &answer.defences);
    value
}
