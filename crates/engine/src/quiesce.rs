//! Quiescence: a position is judged only when nothing is left to be taken at once.
//! Source: <https://www.chessprogramming.org/Quiescence_Search>.

use crate::node::{Placed, only_move};
use crate::picker::{Hints, Mode, Picker, gain};
use crate::score::{EVAL_BOUND, INFINITE, MAX_PLY};
use crate::see::wins_at_least;
use crate::tt::{Bound, Found};
use crate::worker::Worker;
use warpchess_rules::Position;

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
        let Placed { position, accumulator, check, .. } = placed;
        let check = *check;
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
        let (mut best, mut eval) = (-INFINITE, None);
        if !check && forced.is_none() {
            let value = found.and_then(|f| f.eval).unwrap_or_else(|| self.evaluate(placed));
            debug_assert!(value.abs() <= EVAL_BOUND);
            eval = Some(value);
            best = value;
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
        let mut picker = Picker::new(mode, hints);
        let (mut count, mut best_move) = (0, None);
        while let Some(picked) = picker.next(position, &self.memory.history, self.shared.evaluator, false) {
            let m = picked.m;
            count += 1;
            // Delta pruning. Source: <https://www.chessprogramming.org/Delta_Pruning>.
            if let Some(eval) = eval
                && !picked.check
                && eval + gain(position, self.shared.evaluator, m) + self.shared.params.delta_margin <= alpha
            {
                continue;
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
                return 0;
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
        self.shared.table.store(key, ply, Found { best: best_move, value: best, eval, depth: 0, bound });
        best
    }
}
