//! Lines that tell what a search has found.

use std::fmt::{self, Write};
use std::time::Duration;

use warpchess_engine::{Bound, Info, Line, SearchResult};
use warpchess_rules::{Move, VariantId};

/// Before this a line outside its window is not worth telling: the next comes at once.
const BOUNDS_FROM: Duration = Duration::from_secs(1);

/// What stands behind the score.
#[derive(Copy, Clone)]
struct Work {
    depth: u32,
    nodes: u64,
    time: Duration,
    permille_full: Option<u32>,
}

fn line(work: Work, number: usize, line: &Line) -> String {
    let mut text = String::with_capacity(160);
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let _ = write!(
        text,
        "info depth {} seldepth {} multipv {number} score {}{bound} {work}",
        work.depth,
        line.seldepth.max(work.depth.min(line.moves.len() as u32)),
        line.score
    );
    text.push_str(" pv");
    for m in &line.moves {
        let _ = write!(text, " {m}");
    }
    text
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In the first millisecond the rate would be infinite.
        let rate = u128::from(self.nodes) * 1_000_000 / self.time.as_micros().max(1000);
        write!(f, "nodes {} nps {rate}", self.nodes)?;
        if let Some(full) = self.permille_full {
            write!(f, " hashfull {full}")?;
        }
        write!(f, " time {}", self.time.as_millis())
    }
}

/// The lines of an iteration, or the one line that fell outside its window, if that is worth telling.
pub(crate) fn iteration(info: &Info<'_>) -> Option<String> {
    let work = Work { depth: info.depth, nodes: info.nodes, time: info.time, permille_full: Some(info.permille_full) };
    let last = info.lines.last()?;
    if last.bound != Bound::Exact {
        return (info.time >= BOUNDS_FROM).then(|| line(work, info.lines.len(), last));
    }
    let lines: Vec<String> = info.lines.iter().enumerate().map(|(i, l)| line(work, i + 1, l)).collect();
    Some(lines.join("\n"))
}

/// What the search ended with, for when it differs from what was told last.
pub(crate) fn end(result: &SearchResult) -> String {
    // What stopped the first iteration has seen one ply of its line all the same.
    let work = Work { depth: result.depth.max(1), nodes: result.nodes, time: result.time, permille_full: None };
    if result.pv.is_empty() {
        return format!("info depth 0 score {}", result.score);
    }
    let bound = result.lines.iter().find(|l| l.moves == result.pv).map_or(Bound::Exact, |l| l.bound);
    let found = Line { score: result.score, bound, moves: result.pv.clone(), seldepth: result.seldepth };
    line(work, 1, &found)
}

/// `bestmove …`. The text `0000` is a move here, so that a game without moves needs another.
pub(crate) fn best(best: Option<Move>, ponder: Option<Move>) -> String {
    match (best, ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
    }
}

/// What Fairy-Stockfish tells of a game when it is chosen, so that boards can show it:
/// `info string variant ID files 8 ranks 8 pocket N template fairy startpos FEN`. The pocket is counted in kinds of pieces that it
/// may hold, as there. Of two boards one is measured; a second line tells how many areas the FEN has.
pub(crate) fn variant(variant: VariantId) -> String {
    let info = variant.info();
    // Kings are never pocketed: every other role may be.
    let pocket = if info.pocket { info.roles.iter().filter(|r| r.value > 0).count() } else { 0 };
    let mut text = format!(
        "info string variant {} files 8 ranks 8 pocket {pocket} template fairy startpos {}",
        info.id, info.start_fen
    );
    if info.alternating() {
        let areas: Vec<String> = info
            .areas
            .iter()
            .map(|area| format!("{} on board {} ({} squares)", area.area.letter(), area.board, area.squares.len()))
            .collect();
        let _ = write!(
            text,
            "\ninfo string areas {}: their placements are joined by | in the FEN; 0000 is a pass or a declared teleport",
            areas.join(", ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_engine::Score;
    use warpchess_rules::notation::uci;

    fn id(name: &str) -> VariantId {
        name.parse().expect("a game")
    }

    #[test]
    fn a_line_has_all_words_in_their_order() {
        let moves = vec![uci::parse(&*id("chess").start(), "e2e4").expect("legal")];
        let found = Line { score: Score::Mate(-2), bound: Bound::Exact, moves, seldepth: 9 };
        let mut info = Info {
            depth: 5,
            lines: std::slice::from_ref(&found),
            nodes: 4000,
            time: Duration::from_millis(20),
            permille_full: 3,
        };
        assert_eq!(
            iteration(&info).expect("a line"),
            "info depth 5 seldepth 9 multipv 1 score mate -2 nodes 4000 nps 200000 hashfull 3 time 20 pv e2e4"
        );
        let bounded = Line { score: Score::Cp(31), bound: Bound::Lower, ..found.clone() };
        info.lines = std::slice::from_ref(&bounded);
        assert_eq!(iteration(&info), None);
        info.time = Duration::from_secs(2);
        assert!(iteration(&info).is_some_and(|text| text.contains(" score cp 31 lowerbound nodes 4000 nps 2000 ")));
    }

    #[test]
    fn a_game_is_told_as_fairy_stockfish_does() {
        assert_eq!(
            variant(id("chess")),
            "info string variant chess files 8 ranks 8 pocket 0 template fairy \
             startpos rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        assert!(variant(id("pocketmutation")).contains(" pocket 18 template"));
        let two = variant(id("splitportal"));
        assert!(two.ends_with("0000 is a pass or a declared teleport") && two.lines().count() == 2, "{two}");
        assert!(two.contains("areas A on board A (32 squares), B on board A (32 squares):"), "{two}");
    }
}
