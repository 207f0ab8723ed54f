//! Solutions for people.

use std::io::{self, Write};

use warpchess_rules::notation::san;
use warpchess_rules::{AnyPosition, Move};
use warpchess_solver::{Answer, Defence, Solution, Verdict};

use super::Solved;

/// Keys and verdict, then tries, and trees if asked for.
pub(super) fn solved(out: &mut dyn Write, solved: &Solved, trees: bool) -> io::Result<()> {
    let Solved { start, solution, .. } = solved;
    let shortest = solution.keys.first().map_or(0, |key| key.mate);
    for key in &solution.keys {
        write!(out, "{} {}", key.m, san::write(&**start, key.m))?;
        if key.mate > shortest {
            write!(out, " (mate in {})", key.mate)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", verdict(solved))?;
    details(out, solved, trees)
}

/// Tries, and trees if asked for.
pub(super) fn details(out: &mut dyn Write, solved: &Solved, trees: bool) -> io::Result<()> {
    let Solved { start, solution, .. } = solved;
    for attempt in &solution.tries {
        let after = after(&**start, attempt.m);
        let refutations: Vec<String> = attempt.refutations.iter().map(|&m| san::write(&*after, m) + "!").collect();
        writeln!(out, "try: {} {}? {}", attempt.m, san::write(&**start, attempt.m), refutations.join(", "))?;
    }
    for key in solution.keys.iter().filter(|key| trees && !key.tree.is_empty()) {
        writeln!(out, "\n1. {}!", san::write(&**start, key.m))?;
        for line in defences(&*after(&**start, key.m), &key.tree, 1) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// What was proved, in words.
pub(super) fn verdict(solved: &Solved) -> String {
    let Solved { solution, asked, .. } = solved;
    let mut text = match solution.verdict {
        Verdict::NoMate => format!("no mate in {asked}"),
        Verdict::Undecided => format!("not decided within the limits: mate in {asked} is neither proved nor refuted"),
        Verdict::Mate { moves, shortest } => {
            let short = moves < *asked && shortest;
            let mut text = if short {
                format!("short mate: mate in {moves} instead of {asked}")
            } else {
                solution.verdict.to_string()
            };
            let count = solution.keys.iter().filter(|key| key.mate == moves).count();
            let later = solution.keys.len() - count;
            text += &match count {
                _ if solved.first_key => ", the first key found".to_owned(),
                _ if !solution.all_keys => ", other first moves not decided".to_owned(),
                1 => ", one key".to_owned(),
                _ => format!(", cooked: {count} keys"),
            };
            if later > 0 {
                text += &format!(", {later} longer ways within {asked}");
            }
            let duals: usize = solution.keys.iter().map(|key| duals(&key.tree)).sum();
            match duals {
                0 => {}
                1 => text += ", a dual after 1 defence",
                _ => text += &format!(", duals after {duals} defences"),
            }
            text
        }
    };
    if !solution.complete && matches!(solution.verdict, Verdict::Mate { .. } | Verdict::NoMate) {
        text += "; what follows is cut off by the limits";
    }
    text
}

/// Defences in the tree after which there is a choice.
pub(super) fn duals(tree: &[Defence]) -> usize {
    let below = |defence: &Defence| defence.answers.iter().map(|answer| duals(&answer.defences)).sum::<usize>();
    tree.iter().map(|defence| usize::from(defence.is_dual()) + below(defence)).sum()
}

/// What it cost.
pub(super) fn effort(solution: &Solution) -> String {
    let found = solution.found.map_or_else(String::new, |found| {
        format!("first key after {:.3} s ({} nodes); ", found.time.as_secs_f64(), found.nodes)
    });
    format!("{found}{:.3} s, {} nodes", solution.time.as_secs_f64(), solution.nodes)
}

pub(super) fn after(position: &dyn AnyPosition, m: Move) -> Box<dyn AnyPosition> {
    let mut next = position.boxed_clone();
    next.play(m);
    next
}

/// The defences of a position after the attacker's move `number`, those with the same answers in one line.
fn defences(position: &dyn AnyPosition, tree: &[Defence], number: usize) -> Vec<String> {
    let mut groups: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for defence in tree {
        let text = san::write(position, defence.m);
        let below = answers(&*after(position, defence.m), &defence.answers, number + 1);
        match groups.iter_mut().find(|group| group.1 == below) {
            Some((texts, _)) => texts.push(text),
            None => groups.push((vec![text], below)),
        }
    }
    let indent = "   ".repeat(number);
    let mut lines = Vec::new();
    for (texts, below) in groups {
        let mut below = below.into_iter();
        let first = below.next().unwrap_or_else(|| "loses at once".to_owned());
        lines.push(format!("{indent}{number}... {}  {first}", texts.join(", ")));
        lines.extend(below);
    }
    lines
}

/// The answers to a defence, in one line, and what comes after them.
fn answers(position: &dyn AnyPosition, answers: &[Answer], number: usize) -> Vec<String> {
    let Some(main) = answers.first() else { return Vec::new() };
    let texts: Vec<String> = answers.iter().map(|answer| san::write(position, answer.m)).collect();
    let dual = if texts.len() > 1 { " (dual)" } else { "" };
    let mut lines = vec![format!("{number}. {}{dual}", texts.join(" / "))];
    lines.extend(defences(&*after(position, main.m), &main.defences, number));
    lines
}
