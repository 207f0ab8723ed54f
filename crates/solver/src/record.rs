//! A solution as a game record with variations, for PGN.

use crate::solve::{Solution, Verdict};
use crate::tree::{Answer, Defence};
use warpchess_rules::notation::pgn::{Line, Node, Record, Score};
use warpchess_rules::{AnyPosition, Move, VariantId};

/// `!`, `?`: the glyphs of keys and refutations, and of tries.
const GOOD: u8 = 1;
const MISTAKE: u8 = 2;

/// The solution as a record: the first key with the first defence is the game itself; other defences, cooks, duals and
/// tries are variations. Keys and refutations are marked `!`, tries `?`, duals by a comment.
pub fn record(variant: VariantId, start: &dyn AnyPosition, solution: &Solution) -> Record {
    let mut record = Record { start: start.boxed_clone(), ..Record::new(variant) };
    let is_mate = matches!(solution.verdict, Verdict::Mate { .. });
    let mut lines = Vec::new();
    for key in &solution.keys {
        let mut line = line(key.m, &key.tree, false);
        line.moves[0].nags.push(GOOD);
        lines.push(line);
    }
    for attempt in &solution.tries {
        let mut node = Node::new(attempt.m);
        node.nags.push(MISTAKE);
        let mut line = Line { comments: Vec::new(), moves: vec![node] };
        let mut refutations = attempt.refutations.iter().map(|&m| Node { nags: vec![GOOD], ..Node::new(m) });
        if let Some(mut first) = refutations.next() {
            first.variations = refutations.map(|node| Line { comments: Vec::new(), moves: vec![node] }).collect();
            line.moves.push(first);
        }
        lines.push(line);
    }
    let mut lines = lines.into_iter();
    if let Some(mut first) = lines.next().filter(|_| is_mate) {
        first.moves[0].variations.extend(lines);
        record.line = first;
        // Without a tree the game breaks off before the mate.
        let mut end = start.boxed_clone();
        for m in record.line.moves.iter().map(|node| node.mv) {
            end.play(m);
        }
        record.score = Score::from(end.outcome());
    } else {
        record.line.comments = std::iter::once(solution.verdict.to_string()).collect();
    }
    record
}

/// A move of the attacker and what follows.
fn line(m: Move, defences: &[Defence], is_dual: bool) -> Line {
    let mut node = Node::new(m);
    if is_dual {
        node.comments.push("dual".to_owned());
    }
    let mut line = Line { comments: Vec::new(), moves: vec![node] };
    if let Some((first, others)) = defences.split_first() {
        let mut follow = reply(first);
        follow.moves[0].variations = others.iter().map(reply).collect();
        line.moves.append(&mut follow.moves);
    }
    line
}

/// A defence and its answers.
fn reply(defence: &Defence) -> Line {
    let mut reply = Line { comments: Vec::new(), moves: vec![Node::new(defence.m)] };
    if let Some((first, duals)) = defence.answers.split_first() {
        let follow = |answer: &Answer, is_dual| line(answer.m, &answer.defences, is_dual);
        let mut main = follow(first, false);
        main.moves[0].variations = duals.iter().map(|answer| follow(answer, true)).collect();
        reply.moves.append(&mut main.moves);
    }
    reply
}
