//! An analysis as it is told: by the page's API, and in exports as clients of Lichess know it.

use serde_json::{Value, json};
use warpchess_rules::notation::{san, uci};
use warpchess_rules::{AnyPosition, Color, Game};

use super::judge::{Judgment, Summary, judge, loss};
use crate::store::analysis::{Eval, JobRow, PlyRow};

/// What is known of a game's positions.
#[derive(Debug)]
pub struct Report {
    game: Game,
    /// One for each position, from the first.
    found: Vec<Option<PlyRow>>,
}

/// A bad move.
struct Bad {
    judgment: Judgment,
    /// What was best instead, and how it goes on.
    best: Vec<String>,
}

impl Report {
    /// Of a game and what was found.
    pub fn new(game: Game, plies: Vec<PlyRow>) -> Self {
        let mut found = vec![None; game.len() + 1];
        for ply in plies {
            if let Some(place) = usize::try_from(ply.ply).ok().and_then(|ply| found.get_mut(ply)) {
                *place = Some(ply);
            }
        }
        Self { game, found }
    }

    fn eval(&self, ply: usize) -> Option<Eval> {
        self.found.get(ply)?.as_ref().map(|found| found.eval)
    }

    fn mover(&self, ply: usize) -> Option<Color> {
        self.game.position_at(ply).map(AnyPosition::turn)
    }

    /// The evaluations around the move of a ply, from 1, and who made it.
    fn step(&self, ply: usize) -> Option<(Eval, Eval, Color)> {
        let before = ply.checked_sub(1)?;
        Some((self.eval(before)?, self.eval(ply)?, self.mover(before)?))
    }

    /// Whether the move of a ply, from 1, was bad. The best move is not, whatever the numbers say.
    fn bad(&self, ply: usize) -> Option<Bad> {
        let (before, after, mover) = self.step(ply)?;
        let judgment = judge(before, after, mover)?;
        let best = self.found.get(ply - 1)?.as_ref()?.line.clone();
        let played = self.game.moves().nth(ply - 1)?.to_string();
        (best.first() != Some(&played)).then_some(Bad { judgment, best })
    }

    /// What a player did wrong.
    pub fn summary(&self, color: Color) -> Summary {
        let mut summary = Summary::default();
        for ply in 1..self.found.len() {
            if let Some((before, after, mover)) = self.step(ply)
                && mover == color
            {
                summary.add(before, after, mover, self.bad(ply).map(|bad| bad.judgment));
            }
        }
        summary
    }

    /// A line of moves as people write it.
    fn sans(&self, ply: usize, line: &[String]) -> Vec<String> {
        let mut sans = Vec::new();
        let Some(mut position) = self.game.position_at(ply).map(AnyPosition::boxed_clone) else { return sans };
        for text in line {
            let Ok(m) = uci::parse(&*position, text) else { break };
            sans.push(san::write(&*position, m));
            position.play(m);
        }
        sans
    }

    /// `Mistake. e4 was best.`
    fn comment(&self, ply: usize, bad: &Bad) -> String {
        let name = bad.judgment.name();
        match self.sans(ply - 1, bad.best.get(..1).unwrap_or_default()).first() {
            Some(best) => format!("{name}. {best} was best."),
            None => format!("{name}."),
        }
    }

    /// As the page gets it.
    pub fn json(&self) -> Vec<Value> {
        (0..self.found.len()).map(|ply| self.ply_json(ply)).collect()
    }

    fn ply_json(&self, ply: usize) -> Value {
        let mut form = json!({ "ply": ply, "eval": null, "best": null, "variation": [] });
        if let Some(before) = ply.checked_sub(1) {
            form["move"] = json!(self.game.moves().nth(before).map(|m| m.to_string()));
            form["san"] = json!(self.game.san(before));
        }
        if let Some(found) = self.found.get(ply).and_then(Option::as_ref) {
            form["eval"] = eval_json(found.eval);
            form["best"] = json!(found.line.first());
            form["variation"] = json!(found.line);
        }
        if let Some((before, after, mover)) = self.step(ply) {
            form["winLoss"] = json!((loss(before, after, mover) * 1000.0).round() / 1000.0);
        }
        if let Some(bad) = self.bad(ply) {
            form["judgment"] = json!({
                "name": bad.judgment.name(),
                "comment": self.comment(ply, &bad),
                "best": bad.best.first(),
                "bestSan": self.sans(ply - 1, bad.best.get(..1).unwrap_or_default()).first(),
            });
        }
        form
    }

    /// The array `analysis` of Lichess' exports: one entry a move.
    pub fn lichess(&self) -> Value {
        let entries = (1..self.found.len()).map(|ply| {
            let mut form = self.eval(ply).map_or_else(
                || json!({}),
                |eval| match eval {
                    Eval::Cp(cp) => json!({ "eval": cp }),
                    Eval::Mate(mate) => json!({ "mate": mate }),
                },
            );
            if let Some(bad) = self.bad(ply) {
                form["best"] = json!(bad.best.first());
                form["variation"] = json!(self.sans(ply - 1, &bad.best).join(" "));
                form["judgment"] = json!({ "name": bad.judgment.name(), "comment": self.comment(ply, &bad) });
            }
            form
        });
        entries.collect()
    }

    /// What a PGN says after the move of a ply, from 1.
    pub fn pgn(&self, ply: usize) -> Remark {
        let eval = self.eval(ply).and_then(|eval| match eval {
            Eval::Cp(cp) => Some(format!("[%eval {:.2}]", cp as f64 / 100.0)),
            // Of a game that is over there is nothing to say.
            Eval::Mate(0) => None,
            Eval::Mate(mate) => Some(format!("[%eval #{mate}]")),
        });
        let bad = self.bad(ply);
        Remark { eval, words: bad.as_ref().map(|bad| self.comment(ply, bad)), nag: bad.map(|bad| bad.judgment.nag()) }
    }
}

/// What is said about a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remark {
    /// `[%eval 0.17]`, from White's view, in pawns; `[%eval #3]` for a mate.
    pub eval: Option<String>,
    /// What was wrong with it.
    pub words: Option<String>,
    /// The number of the sign for that.
    pub nag: Option<u8>,
}

fn eval_json(eval: Eval) -> Value {
    match eval {
        Eval::Cp(cp) => json!({ "cp": cp }),
        Eval::Mate(mate) => json!({ "mate": mate }),
    }
}

/// A player's sums.
pub fn summary_json(summary: &Summary) -> Value {
    json!({
        "inaccuracy": summary.inaccuracy, "mistake": summary.mistake, "blunder": summary.blunder, "acpl": summary.acpl(),
    })
}

/// How far an analysis is, and what is known; `job` is `None` when nobody has asked, `report` when the rules of today do not
/// allow the game's moves.
pub fn form(game: &str, job: Option<&JobRow>, report: Option<&Report>) -> Value {
    let Some(job) = job else { return json!({ "game": game, "state": "none", "done": 0, "total": 0, "plies": [] }) };
    let mut form = json!({
        "game": game,
        "state": job.state.name(),
        "done": job.done,
        "total": job.total,
        "attempts": job.attempts,
        "error": job.error,
        "requestedAt": job.requested_at,
        "finishedAt": job.finished_at,
        "engine": job.engine,
        "nodes": job.nodes,
        "plies": report.map(Report::json).unwrap_or_default(),
    });
    if let Some(report) = report {
        form["white"] = summary_json(&report.summary(Color::White));
        form["black"] = summary_json(&report.summary(Color::Black));
    }
    form
}
