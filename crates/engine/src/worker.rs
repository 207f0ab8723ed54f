//! One thread's search from the root: iterative deepening with aspiration windows over the root moves.
//! Sources: <https://www.chessprogramming.org/Iterative_Deepening>,
//! <https://www.chessprogramming.org/Aspiration_Windows>.

use crate::correction::Correction;
use crate::eval::{Accumulator, Evaluator};
use crate::history::{History, Slot};
use crate::limits::{Clock, Limits, Signals};
use crate::params::Params;
use crate::picker::Picker;
use crate::report::{Bound, Info, Line, SearchResult};
use crate::score::{INFINITE, MATE, MATE_BOUND, MAX_PLY, Score};
use crate::time::{Schedule, Standing};
use crate::tt::TranspositionTable;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use warpchess_rules::{Move, Position};

/// Parts of a ply in which reductions are counted.
pub(crate) const REDUCTION: i32 = 1024;

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) evaluator: &'a Evaluator,
    pub(crate) params: &'a Params,
    pub(crate) limits: &'a Limits,
    pub(crate) signals: &'a Signals,
    pub(crate) clock: &'a dyn Clock,
    /// Nodes visited by the helping threads, added up now and then.
    pub(crate) helped: AtomicU64,
    /// Set when the first thread is done, so that the others are too.
    pub(crate) done: AtomicBool,
}

/// What a thread keeps from one search to the next.
pub(crate) struct Memory {
    pub(crate) history: History,
    pub(crate) correction: Correction,
    /// Pickers not in use.
    #[expect(clippy::vec_box, reason = "a picker taken out and put back is a pointer moved, not its lists")]
    pub(crate) pickers: Vec<Box<Picker>>,
    pub(crate) stack: Vec<Ply>,
    pub(crate) pv: Vec<Vec<Move>>,
}

/// What the search knows of one ply of the line it is on.
#[derive(Clone, Default)]
pub(crate) struct Ply {
    pub(crate) eval: i32,
    /// Slot of the move that leads on from here; none for a null move.
    pub(crate) slot: Option<Slot>,
    pub(crate) killers: [Option<Move>; 2],
    /// Plies since a null move.
    pub(crate) since_null: usize,
    /// The move left out while it is tested for being the only good one.
    pub(crate) excluded: Option<Move>,
    /// Extensions by two plies on the way here.
    pub(crate) doubled: i32,
}

impl Memory {
    pub(crate) fn new<P: Position>() -> Self {
        Self {
            history: History::new(P::INFO),
            correction: Correction::new(),
            pickers: Vec::new(),
            stack: vec![Ply::default(); MAX_PLY + 4],
            pv: vec![Vec::new(); MAX_PLY + 4],
        }
    }
}

/// A move at the root with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) m: Move,
    pub(crate) value: i32,
    pub(crate) previous: i32,
    pub(crate) bound: Bound,
    pub(crate) seldepth: usize,
    pub(crate) pv: Vec<Move>,
    pub(crate) nodes: u64,
}

pub(crate) struct Worker<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) memory: &'a mut Memory,
    /// Hash keys of the game up to the root and of the line searched; the root's is at `root`.
    pub(crate) keys: Vec<u64>,
    pub(crate) root: usize,
    pub(crate) nodes: u64,
    pub(crate) seldepth: usize,
    /// Null moves are made only from this ply on, while one is being verified.
    pub(crate) null_from: usize,
    /// Plies of the iteration under way; extensions stop when a line is twice as long.
    pub(crate) depth: usize,
    pub(crate) stopped: bool,
    /// Plies of reduction by depth and number of the move, in [`REDUCTION`]ths.
    pub(crate) reductions: Box<[[i32; 64]; 64]>,
    schedule: Schedule,
    roots: Vec<RootMove>,
    /// 0 for the thread that reports and keeps the time.
    number: usize,
    told: u64,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, memory: &'a mut Memory, keys: Vec<u64>, number: usize) -> Self {
        let p = shared.params;
        let mut reductions = Box::new([[0; 64]; 64]);
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (count, r) in row.iter_mut().enumerate().skip(1) {
                let value = p.reduction_base + (depth as f64).ln() * (count as f64).ln() / p.reduction_divisor;
                *r = (value.max(0.0) * f64::from(REDUCTION)) as i32;
            }
        }
        Self {
            shared,
            memory,
            root: keys.len() - 1,
            keys,
            nodes: 0,
            seldepth: 0,
            null_from: 0,
            depth: 0,
            stopped: false,
            reductions,
            schedule: Schedule::new(shared.limits),
            roots: Vec::new(),
            number,
            told: 0,
        }
    }

    /// The legal root moves among those asked for.
    fn set_roots<P: Position>(&mut self, position: &P) {
        let limits = self.shared.limits;
        self.roots = position
            .legal_moves()
            .iter()
            .filter(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m))
            .map(|&m| RootMove {
                m,
                value: -INFINITE,
                previous: -INFINITE,
                bound: Bound::Exact,
                seldepth: 0,
                pv: vec![m],
                nodes: 0,
            })
            .collect();
    }

    /// Searches beside the first thread until that is done; what comes of it is in the table.
    /// Source: <https://www.chessprogramming.org/Lazy_SMP>.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn help<P: Position>(mut self, position: &P) {
        let accumulator = self.shared.evaluator.accumulate(position);
        self.set_roots(position);
        // Every other thread is one iteration ahead, so that not all do the same.
        let mut depth = (self.number % 2) as i32;
        while !self.roots.is_empty() && depth < MAX_PLY as i32 - 1 && !self.must_stop() {
            depth += 1;
            self.depth = depth as usize;
            for root in &mut self.roots {
                root.previous = root.value;
                root.value = -INFINITE;
            }
            self.aspire(position, accumulator, depth, 0, &mut |_| ());
        }
        self.tell_nodes();
    }

    fn tell_nodes(&mut self) {
        self.shared.helped.fetch_add(self.nodes - self.told, Relaxed);
        self.told = self.nodes;
    }

    /// Nodes of all threads.
    fn total(&self) -> u64 {
        self.nodes + self.shared.helped.load(Relaxed)
    }

    /// Searches the position and tells of each iteration.
    pub(crate) fn search<P: Position>(mut self, position: &P, info: &mut dyn FnMut(&Info<'_>)) -> SearchResult {
        let result = self.iterate(position, info);
        self.shared.done.store(true, Relaxed);
        result
    }

    fn iterate<P: Position>(&mut self, position: &P, info: &mut dyn FnMut(&Info<'_>)) -> SearchResult {
        let limits = self.shared.limits;
        let accumulator = self.shared.evaluator.accumulate(position);
        self.set_roots(position);
        let mut depth = 0;
        if self.roots.is_empty() {
            let value = if position.has_legal_move() { 0 } else { self.without_moves(position, 0) };
            self.wait_for_stop();
            return self.result(Score::from_value(value), depth);
        }
        let lines = limits.multipv.clamp(1, self.roots.len());
        let deepest = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1) as i32;
        while depth < deepest && !self.stopped {
            depth += 1;
            self.depth = depth as usize;
            for root in &mut self.roots {
                root.previous = root.value;
                root.value = -INFINITE;
            }
            let mut complete = 0;
            for line in 0..lines {
                self.seldepth = 0;
                self.aspire(position, accumulator, depth, line, info);
                if self.stopped {
                    break;
                }
                complete += 1;
            }
            if self.stopped {
                depth -= 1;
                // What was not searched in this iteration keeps its place behind what was.
                for root in &mut self.roots[complete..] {
                    if root.value == -INFINITE {
                        root.value = root.previous;
                    }
                }
                break;
            }
            self.report(depth, lines, info);
            let best = &self.roots[0];
            let effort = best.nodes as f64 / self.nodes.max(1) as f64;
            let standing = Standing { best: best.m, value: best.value, depth, effort };
            if self.schedule.enough(standing, self.elapsed(), self.roots.len()) && !self.waits() {
                break;
            }
            if self.found_mate(best.value) && !self.waits() {
                break;
            }
        }
        self.wait_for_stop();
        if self.roots[0].value == -INFINITE {
            // Stopped before a single move was searched.
            let standing = self.shared.evaluator.evaluate(position, accumulator);
            self.roots.iter_mut().for_each(|root| root.value = standing);
        }
        let score = Score::from_value(self.roots[0].value);
        self.result(score, depth)
    }

    /// Whether only the caller may end the search.
    fn waits(&self) -> bool {
        self.shared.limits.infinite || self.shared.signals.pondering()
    }

    fn wait_for_stop(&self) {
        // A protocol must not hear of the result of an infinite search before it says stop.
        #[cfg(not(target_arch = "wasm32"))]
        while self.waits() && !self.shared.signals.stopped() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    fn found_mate(&self, value: i32) -> bool {
        self.shared.limits.mate.is_some_and(|n| value > MATE_BOUND && MATE - value < 2 * n as i32)
    }

    /// One iteration for one line: the window around the last value is widened until the value falls inside.
    fn aspire<P: Position>(
        &mut self,
        position: &P,
        accumulator: Accumulator,
        depth: i32,
        line: usize,
        info: &mut dyn FnMut(&Info<'_>),
    ) {
        let p = self.shared.params;
        let previous = self.roots[line].previous;
        let mut delta = p.aspiration_window;
        let (mut alpha, mut beta) = if depth >= p.aspiration_depth && previous.abs() < MATE_BOUND {
            (previous - delta, previous + delta)
        } else {
            (-INFINITE, INFINITE)
        };
        loop {
            let value = self.root(position, accumulator, alpha, beta, depth, line);
            // Stable: moves that failed low keep the order of the last iteration.
            self.roots[line..].sort_by_key(|r| std::cmp::Reverse(r.value));
            if self.stopped || alpha < value && value < beta {
                return;
            }
            self.report(depth, line + 1, info);
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
            } else {
                beta = (value + delta).min(INFINITE);
            }
            delta += delta / 2;
            if delta > 1000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// All root moves from `line` on.
    fn root<P: Position>(
        &mut self,
        position: &P,
        accumulator: Accumulator,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        line: usize,
    ) -> i32 {
        let check = position.in_check();
        let floor = alpha;
        let mut best = -INFINITE;
        self.memory.stack[0] = Ply { since_null: self.root, ..Ply::default() };
        self.memory.stack[0].eval = self.shared.evaluator.evaluate(position, accumulator);
        for i in line..self.roots.len() {
            let m = self.roots[i].m;
            let before = self.nodes;
            let first = i == line;
            let next = self.play(position, accumulator, m, 0);
            let extension = i32::from(check || self.roots.len() == 1);
            let mut value = -INFINITE;
            if !first {
                let mut reduction = 0;
                if depth >= 3 && i >= line + 3 && !next.check && !check {
                    let count = (i - line).min(63);
                    reduction = (self.reductions[depth.min(63) as usize][count] / REDUCTION - 1).clamp(0, depth - 2);
                }
                value = -self.node(&next, -alpha - 1, -alpha, depth - 1 + extension - reduction, 1, true);
                if value > alpha && reduction > 0 {
                    value = -self.node(&next, -alpha - 1, -alpha, depth - 1 + extension, 1, true);
                }
            }
            if first || value > alpha {
                value = -self.node(&next, -beta, -alpha, depth - 1 + extension, 1, false);
            }
            self.keys.pop();
            if self.stopped {
                return best;
            }
            let root = &mut self.roots[i];
            root.nodes += self.nodes - before;
            if first || value > alpha {
                root.value = value;
                root.bound = match value {
                    _ if value <= floor => Bound::Upper,
                    _ if value >= beta => Bound::Lower,
                    _ => Bound::Exact,
                };
                root.seldepth = self.seldepth;
                root.pv.truncate(1);
                root.pv.extend_from_slice(&self.memory.pv[1]);
            } else {
                root.value = -INFINITE;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn elapsed(&self) -> std::time::Duration {
        self.shared.clock.elapsed(self.total())
    }

    /// Looks whether it is time to stop; cheap enough for every node.
    #[inline]
    pub(crate) fn must_stop(&mut self) -> bool {
        self.stopped |= self.shared.signals.stopped()
            || self.shared.limits.nodes.is_some_and(|n| self.nodes >= n)
            || self.nodes.is_multiple_of(512) && self.is_over();
        self.stopped
    }

    /// What is looked at less often.
    #[cold]
    fn is_over(&mut self) -> bool {
        if self.number > 0 {
            self.tell_nodes();
            return self.shared.done.load(Relaxed);
        }
        self.shared.limits.nodes.is_some_and(|n| self.total() >= n)
            || self.schedule.timed() && !self.shared.signals.pondering() && self.schedule.over(self.elapsed())
    }

    fn lines(&self, count: usize) -> Vec<Line> {
        self.roots
            .iter()
            .take(count)
            .map(|r| {
                let value = if r.value == -INFINITE { r.previous } else { r.value };
                Line {
                    score: Score::from_value(value),
                    bound: r.bound,
                    moves: r.pv.clone(),
                    seldepth: r.seldepth as u32,
                }
            })
            .collect()
    }

    fn report(&self, depth: i32, count: usize, info: &mut dyn FnMut(&Info<'_>)) {
        info(&Info {
            depth: depth as u32,
            lines: &self.lines(count),
            nodes: self.total(),
            time: self.elapsed(),
            permille_full: self.shared.table.permille_full(),
        });
    }

    fn result(&self, score: Score, depth: i32) -> SearchResult {
        let lines = self.lines(self.shared.limits.multipv.max(1));
        let pv = lines.first().map_or(Vec::new(), |l| l.moves.clone());
        SearchResult {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            score,
            depth: depth.max(0) as u32,
            seldepth: self.roots.first().map_or(0, |r| r.seldepth as u32),
            nodes: self.total(),
            time: self.elapsed(),
            pv,
            lines,
        }
    }
}
