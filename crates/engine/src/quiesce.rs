//! Quiescence: a position is judged only when nothing is left to be taken at once.
//! Source: <https://www.chessprogramming.org/Quiescence_Search>.

use crate::node::{Placed, only_move};
use crate::picker::{Hints, Mode, Picker, gain};
use crate::score::{INFINITE, MATE_BOUND, MAX_PLY};
use crate::see::wins_at_least;
use crate::tt::{Bound, Found};
use crate::worker::Worker;
use warpchess_rules::{Move, Position};

/// What the moves of a quiescent node are tried against.
struct Window {
    alpha: i32,
    beta: i32,
    ply: usize,
    pv: bool,
    /// The static evaluation; none in check.
    eval: Option<i32>,
    best: i32,
}

/// What came of them.
struct Takes {
    best: i32,
    best_move: Option<Move>,
    count: i32,
}

impl Worker<'_> {
    /// Captures and promotions only, until the position is quiet; all moves when in check; `checks` adds quiet moves that give
    /// check.
    pub(crate) fn quiesce<P: Position>(
        &mut self,
        placed: &Placed<P>,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        checks: bool,
    ) -> i32 {
        self.memory.pv[ply].clear();
        if self.must_stop() {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        let Placed { position, check, .. } = placed;
        let check = *check;
        if position.king_destroyed() {
            return self.without_moves(position, ply);
        }
        if self.is_draw(placed, ply) {
            return 0;
        }
        if ply >= MAX_PLY {
            return if check { 0 } else { self.evaluate(placed) };
        }
        let pv = beta - alpha > 1;
        let key = self.keys[self.keys.len() - 1];
        let found = self.shared.table.probe(key, ply);
        if let Some(found) = found
            && !pv
        {
            let decides = match found.bound {
                Bound::Exact => !checks,
                Bound::Lower => found.value >= beta,
                Bound::Upper => found.value <= alpha && !checks,
            };
            if decides {
                return found.value;
            }
        }
        let original = alpha;
        let forced = if P::INFO.alternating() && !check { only_move(position) } else { None };
        let (mut best, mut eval, mut raw) = (-INFINITE, None, None);
        if !check && forced.is_none() {
            let value = found.and_then(|f| f.eval).unwrap_or_else(|| self.evaluate(placed));
            raw = Some(value);
            best = self.corrected(position, value, ply);
            eval = Some(best);
            // A value from the table says more about the position than its static evaluation.
            if let Some(found) = found
                && found.says_more_than(best)
                && found.value.abs() < MATE_BOUND
            {
                best = found.value;
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mode = if check || forced.is_some() {
            Mode::All
        } else if checks {
            Mode::Checks
        } else {
            Mode::Noisy
        };
        let earlier = self.earlier(ply);
        let hints = Hints { table: found.and_then(|f| f.best), earlier, ..Hints::default() };
        let mut picker = self.memory.pickers.pop().unwrap_or_default();
        picker.begin(mode, hints);
        let window = Window { alpha, beta, ply, pv, eval, best };
        let outcome = self.takes(placed, &mut picker, window, mode);
        self.memory.pickers.push(picker);
        if self.stopped {
            return 0;
        }
        let Takes { best, best_move, count } = outcome;
        // Without captures it may be mate, stalemate or worse.
        if count == 0 && !(eval.is_some() && position.has_legal_move()) {
            return self.without_moves(position, ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let pv = pv || found.is_some_and(|f| f.pv);
        self.shared.table.store(key, ply, Found { best: best_move, value: best, eval: raw, depth: 0, bound, pv });
        best
    }

    /// Tries the moves of a quiescent node.
    fn takes<P: Position>(
        &mut self,
        placed: &Placed<P>,
        picker: &mut Picker,
        Window { mut alpha, beta, ply, pv, eval, mut best }: Window,
        mode: Mode,
    ) -> Takes {
        let Placed { position, accumulator, .. } = placed;
        let params = self.shared.params;
        let (mut count, mut best_move, mut evasions) = (0, None, 0);
        while let Some(picked) = picker.next(position, &self.memory.history, self.shared.evaluator, params, false) {
            let m = picked.m;
            count += 1;
            // Delta pruning. Source: <https://www.chessprogramming.org/Delta_Pruning>.
            if let Some(eval) = eval
                && !picked.check
                && eval + gain(position, self.shared.evaluator, m) + self.shared.params.delta_margin <= alpha
            {
                continue;
            }
            // Out of check the first quiet moves by history do; only where none of them helps are the others looked at.
            // Source: <https://github.com/official-stockfish/Stockfish> (`quietCheckEvasions`).
            if placed.check && !picked.noisy && best > -MATE_BOUND {
                evasions += 1;
                if evasions > params.quiet_evasions {
                    continue;
                }
            }
            // A capture that loses the exchange seldom changes anything.
            // Source: <https://www.chessprogramming.org/Quiescence_Search#Limiting_Quiescence>.
            if mode != Mode::All && !wins_at_least(position, self.shared.evaluator, m, 0) {
                continue;
            }
            let next = self.play(position, *accumulator, m, ply);
            let value = -self.quiesce(&next, -beta, -alpha, ply + 1, false);
            self.keys.pop();
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(m);
                    if pv {
                        self.keep_pv(ply, m);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        Takes { best, best_move, count }
    }
}
