//! Where the search looks less deep than the rest, deeper, or not at all.

use crate::node::{Node, Placed};
use crate::picker::{Hints, Mode, Picked, Picker};
use crate::score::{INFINITE, MATE_BOUND};
use crate::see::wins_at_least;
use crate::tt::{Bound, Found};
use crate::worker::{REDUCTION, Worker};
use warpchess_rules::{Move, Position};

/// Scores beyond this are no sums of histories.
const HINTED: i32 = 1 << 19;

impl Worker<'_> {
    /// When a capture is so good that even a shallow search puts it far above beta, the full one will very likely not come
    /// down to beta. Source: <https://www.chessprogramming.org/ProbCut>.
    #[inline(never)]
    pub(crate) fn probable_cut<P: Position>(
        &mut self,
        placed: &Placed<P>,
        picker: &mut Picker,
        node: &Node,
    ) -> Option<i32> {
        let p = self.shared.params;
        let Node { beta, depth, ply, found, .. } = *node;
        let bound = beta + p.probable_margin;
        let shallow = depth - p.probable_reduction;
        if node.pv
            || depth < p.probable_depth
            || beta.abs() >= MATE_BOUND
            || node.excluded.is_some()
            || found.is_some_and(|f| f.depth >= shallow && f.value < bound)
        {
            return None;
        }
        let Placed { position, accumulator, .. } = placed;
        let hints = Hints { table: found.and_then(|f| f.best), ..Hints::default() };
        picker.begin(Mode::Noisy, hints);
        while let Some(picked) = picker.next(position, &self.memory.history, self.shared.evaluator, p, false) {
            if !wins_at_least(position, self.shared.evaluator, picked.m, bound - node.eval) {
                continue;
            }
            let next = self.play(position, *accumulator, picked.m, ply);
            let mut value = -self.quiesce(&next, -bound, -bound + 1, ply + 1, false);
            if value >= bound {
                value = -self.node(&next, -bound, -bound + 1, shallow, ply + 1, !node.cut);
            }
            self.keys.pop();
            if self.stopped {
                return Some(0);
            }
            if value >= bound {
                let key = self.keys[self.keys.len() - 1];
                let kept = Found {
                    best: Some(picked.m),
                    value,
                    eval: None,
                    depth: shallow + 1,
                    bound: Bound::Lower,
                    pv: node.table_pv,
                };
                self.shared.table.store(key, ply, kept);
                return Some(value);
            }
        }
        None
    }

    /// Whether a move need not be searched at all; and whether none of the quiet ones that are left need be.
    #[inline]
    pub(crate) fn prunes<P: Position>(
        &self,
        position: &P,
        node: &Node,
        picked: Picked,
        count: i32,
        skip_quiet: &mut bool,
    ) -> bool {
        let p = self.shared.params;
        let Node { depth, alpha, eval, improving, .. } = *node;
        // What is left of the depth of a move that would be searched late is what its pruning is judged by.
        // Source: <https://github.com/official-stockfish/Stockfish> (`lmrDepth`).
        let left = (depth - 1 - self.reductions[depth.min(63) as usize][count.min(63) as usize] / REDUCTION).max(0);
        let in_check = eval == -INFINITE;
        if !in_check && !picked.noisy && !picked.check {
            // Late move pruning. Source: <https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning>.
            let most = (p.late_move_base + p.late_move_growth * depth * depth) / (2 - i32::from(improving));
            if depth <= p.late_move_depth && count > most * (1 + i32::from(node.pv)) {
                *skip_quiet = true;
                return true;
            }
            // What is far below alpha at a low depth stays there.
            // Source: <https://www.chessprogramming.org/Futility_Pruning>.
            if !node.pv && left <= p.futility_depth && eval + p.futility_base + p.futility_margin * left <= alpha {
                *skip_quiet = true;
                return true;
            }
            // Source: <https://www.chessprogramming.org/History_Leaf_Pruning>.
            if left <= p.history_depth && picked.score < -p.history_margin * (left + 1) {
                return true;
            }
        }
        // What loses material on the spot is not worth a shallow search.
        // Source: <https://www.chessprogramming.org/Static_Exchange_Evaluation#Pruning>.
        let shallow = if picked.noisy { depth <= p.exchange_depth } else { left <= p.exchange_quiet_depth };
        if !node.pv && !in_check && shallow {
            let worst = if picked.noisy { -p.exchange_noisy * depth } else { -p.exchange_quiet * left * (left + 1) };
            return !wins_at_least(position, self.shared.evaluator, picked.m, worst);
        }
        false
    }

    /// How much deeper the table's move is to be searched; `Err` with a value good enough to leave the node at that.
    ///
    /// When all other moves are clearly worse, it is searched deeper; when even without it the value is too good, so is the
    /// node's ("multi-cut"); when it is good enough but others may be too, it is searched less deep.
    /// Sources: <https://www.chessprogramming.org/Singular_Extensions>, <https://www.chessprogramming.org/Multi-Cut>.
    pub(crate) fn singular<P: Position>(&mut self, placed: &Placed<P>, node: &Node, m: Move) -> Result<i32, i32> {
        let p = self.shared.params;
        let Node { depth, ply, .. } = *node;
        let Some(found) = node.found else { return Ok(0) };
        if depth < p.singular_depth
            || node.forced
            || node.excluded.is_some()
            || found.depth < depth - 3
            || found.bound == Bound::Upper
            || found.value.abs() >= MATE_BOUND
            || 16 * ply >= p.singular_reach as usize * self.depth
        {
            return Ok(0);
        }
        let margin = found.value - p.singular_margin * depth / 16;
        let evaluation = self.memory.stack[ply].eval;
        self.memory.stack[ply].excluded = Some(m);
        let value = self.node(placed, margin - 1, margin, (depth - 1) / 2, ply, node.cut);
        self.memory.stack[ply].excluded = None;
        self.memory.stack[ply].eval = evaluation;
        if self.stopped {
            return Err(0);
        }
        if value < margin {
            let twice = !node.pv
                && value < margin - p.singular_double
                && self.memory.stack[ply].doubled < p.singular_most_doubled;
            return Ok(1 + i32::from(twice));
        }
        if margin >= node.beta {
            return Err(margin);
        }
        if found.value >= node.beta {
            return Ok(-p.singular_negative);
        }
        Ok(if node.cut { -p.singular_negative_cut } else { 0 })
    }

    /// By how much a move is searched less deep, in [`REDUCTION`]ths of a ply.
    /// Source: <https://www.chessprogramming.org/Late_Move_Reductions>.
    #[inline]
    pub(crate) fn reduction(&self, node: &Node, picked: Picked, count: i32, check: bool, table_noisy: bool) -> i32 {
        let p = self.shared.params;
        let mut r = self.reductions[node.depth.min(63) as usize][count.min(63) as usize];
        r += p.reduction_cut * i32::from(node.cut);
        r -= p.reduction_pv * i32::from(node.pv) + p.reduction_table_pv * i32::from(node.table_pv);
        r -= p.reduction_check * i32::from(check);
        r += p.reduction_worsening * i32::from(!node.improving);
        r += p.reduction_table_noisy * i32::from(table_noisy);
        if picked.noisy {
            r - p.reduction_noisy
        } else if picked.score > HINTED {
            r - p.reduction_killer
        } else {
            r - picked.score * REDUCTION / p.reduction_history
        }
    }
}
