//! The tree below the root: principal variation search.
//! Source: <https://www.chessprogramming.org/Principal_Variation_Search>.

use crate::correction::{Correction, Places};
use crate::eval::Accumulator;
use crate::history::Earlier;
use crate::picker::{Hints, Mode, Picker, is_noisy};
use crate::score::{EVAL_BOUND, INFINITE, MATE, MATE_BOUND, MAX_PLY};
use crate::tt::{Bound, Found};
use crate::worker::{Ply, REDUCTION, Worker};
use std::ops::ControlFlow;
use warpchess_rules::{Move, MoveSink, Position, Which};

/// A position with what the search keeps beside it.
pub(crate) struct Placed<P> {
    pub(crate) position: P,
    pub(crate) accumulator: Accumulator,
    pub(crate) check: bool,
    /// See [`TranspositionTable::touch`](crate::tt::TranspositionTable).
    #[allow(dead_code)]
    pub(crate) touched: u64,
}

/// What is known of a node before its moves are searched.
#[derive(Copy, Clone)]
pub(crate) struct Node {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    pub(crate) cut: bool,
    pub(crate) pv: bool,
    /// The static evaluation; `-INFINITE` in check.
    pub(crate) eval: i32,
    pub(crate) improving: bool,
    pub(crate) found: Option<Found>,
    /// Whether it is or was on a principal variation.
    pub(crate) table_pv: bool,
    pub(crate) excluded: Option<Move>,
    /// Whether there is only one move, so that the node was extended for that.
    pub(crate) forced: bool,
}

/// What came of searching the moves.
struct Tried {
    best: i32,
    best_move: Option<Move>,
    count: i32,
}

/// Stops when a second move shows that there is a choice.
#[derive(Default)]
struct Only {
    first: Option<Move>,
    choice: bool,
}

impl MoveSink for Only {
    fn push(&mut self, m: Move) -> ControlFlow<()> {
        if self.first.is_some() {
            self.choice = true;
            return ControlFlow::Break(());
        }
        self.first = Some(m);
        ControlFlow::Continue(())
    }
}

/// The only legal move, if there is just one.
pub(crate) fn only_move<P: Position>(position: &P) -> Option<Move> {
    let mut only = Only::default();
    let _ = position.generate(Which::All, &mut only);
    if only.choice { None } else { only.first }
}

impl Worker<'_> {
    /// Plays a move; the caller takes its key off again.
    #[inline]
    pub(crate) fn play<P: Position>(
        &mut self,
        position: &P,
        accumulator: Accumulator,
        m: Move,
        ply: usize,
    ) -> Placed<P> {
        let slot = self.memory.history.slot(position, m);
        let mut next = position.clone();
        let mut listener = self.shared.evaluator.listen(accumulator);
        next.play_unchecked(m, &mut listener);
        let accumulator = listener.accumulator;
        let key = next.hash_key();
        self.keys.push(key);
        let touched = self.shared.table.touch(key);
        self.memory.stack[ply].slot = Some(slot);
        let since_null = self.memory.stack[ply].since_null + 1;
        self.memory.stack[ply + 1].since_null = since_null;
        self.nodes += 1;
        let check = next.in_check();
        Placed { position: next, accumulator, check, touched }
    }

    /// The value of a position in which the side to move has no legal move.
    pub(crate) fn without_moves<P: Position>(&self, position: &P, ply: usize) -> i32 {
        match position.outcome_without_moves().winner {
            None => 0,
            Some(winner) if winner == position.turn() => MATE - ply as i32,
            Some(_) => ply as i32 - MATE,
        }
    }

    /// Whether the position counts as a draw by itself or by what was before. One repetition within the search is enough,
    /// since what was possible once is possible again; of positions from before the root two are needed.
    /// Source: <https://www.chessprogramming.org/Repetitions>.
    pub(crate) fn is_draw<P: Position>(&self, placed: &Placed<P>, ply: usize) -> bool {
        let position = &placed.position;
        let clock = usize::from(position.halfmove_clock());
        // Mate on the hundredth ply comes before the draw.
        if (clock >= 100 || position.automatic_draw().is_some()) && (!placed.check || position.has_legal_move()) {
            return true;
        }
        let here = self.keys.len() - 1;
        let reach = clock.min(self.memory.stack[ply].since_null).min(here);
        let key = self.keys[here];
        let mut seen = 0;
        let mut back = 4;
        while back <= reach {
            if self.keys[here - back] == key {
                if here - back > self.root {
                    return true;
                }
                seen += 1;
                if seen == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    pub(crate) fn evaluate<P: Position>(&self, placed: &Placed<P>) -> i32 {
        self.shared.evaluator.evaluate(&placed.position, placed.accumulator)
    }

    /// A static evaluation with what was learnt about such positions.
    #[inline]
    pub(crate) fn corrected<P: Position>(&self, position: &P, eval: i32, ply: usize) -> i32 {
        let places = self.places(position, ply);
        let sum = self.memory.correction.sum(places) * self.shared.params.correction / 256;
        (eval + sum).clamp(-EVAL_BOUND, EVAL_BOUND)
    }
    #[inline]
    fn places<P: Position>(&self, position: &P, ply: usize) -> Places {
        Correction::places(position, ply.checked_sub(1).and_then(|i| self.memory.stack[i].slot))
    }

    pub(crate) fn earlier(&self, ply: usize) -> Earlier {
        let slot = |back: usize| ply.checked_sub(back).and_then(|i| self.memory.stack[i].slot);
        [slot(1), slot(2), slot(4)]
    }

    /// The value of a position between `alpha` and `beta`, searched `depth` plies deep. `cut` says that it is expected to
    /// be at least `beta`.
    pub(crate) fn node<P: Position>(
        &mut self,
        placed: &Placed<P>,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        self.memory.pv[ply].clear();
        if self.must_stop() {
            return 0;
        }
        let pv = beta - alpha > 1;
        self.seldepth = self.seldepth.max(ply);
        let Placed { position, accumulator, check, .. } = placed;
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
        // Mate distance pruning: a mate found nearer the root makes this node irrelevant.
        // Source: <https://www.chessprogramming.org/Mate_Distance_Pruning>.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        // A turn without a choice is no turn; search on through it.
        let forced = P::INFO.alternating() && only_move(position).is_some();
        if forced && ply < MAX_PLY / 2 {
            depth = depth.max(0) + 1;
        }
        if depth <= 0 {
            // Right after a null move: is mate threatened?
            let threats = self.memory.stack[ply - 1].slot.is_none();
            return self.quiesce(placed, alpha, beta, ply, threats);
        }

        let excluded = self.memory.stack[ply].excluded;
        let key = self.keys[self.keys.len() - 1];
        let found = if excluded.is_none() { self.shared.table.probe(key, ply) } else { None };
        if let Some(found) = found
            && !pv
            && found.depth >= depth
            && position.halfmove_clock() < 90
        {
            let decides = match found.bound {
                Bound::Exact => true,
                Bound::Lower => found.value >= beta,
                Bound::Upper => found.value <= alpha,
            };
            if decides {
                return found.value;
            }
        }
        let table_move = found.and_then(|f| f.best);
        let table_pv = pv || found.is_some_and(|f| f.pv);
        let p = self.shared.params;
        let (raw, eval) = if check {
            (-INFINITE, -INFINITE)
        } else if excluded.is_some() {
            let eval = self.memory.stack[ply].eval;
            (eval, eval)
        } else {
            let raw = found.and_then(|f| f.eval).unwrap_or_else(|| self.evaluate(placed));
            (raw, self.corrected(position, raw, ply))
        };
        self.memory.stack[ply].eval = eval;
        self.memory.stack[ply + 1].killers = [None; 2];
        self.memory.stack[ply + 1].excluded = None;
        // A value from the table says more about the position than its static evaluation.
        let guess = match found {
            Some(found) if !check && found.says_more_than(eval) => found.value,
            _ => eval,
        };
        let before = |back: usize| ply.checked_sub(back).map(|i| self.memory.stack[i].eval).filter(|&e| e != -INFINITE);
        let improving = !check && before(2).or_else(|| before(4)).is_some_and(|before| eval > before);

        if !pv && !check && excluded.is_none() && !forced {
            // Reverse futility: far above beta a shallow search will not come down to it.
            // Source: <https://www.chessprogramming.org/Reverse_Futility_Pruning>.
            if depth <= p.reverse_futility_depth
                && guess - p.reverse_futility_margin * (depth - i32::from(improving)) >= beta
                && guess.abs() < MATE_BOUND
                && beta > -MATE_BOUND
            {
                return beta + (guess - beta) * p.reverse_futility_share / 256;
            }
            // Razoring: far below alpha only captures can help.
            // Source: <https://www.chessprogramming.org/Razoring>.
            if depth <= p.razor_depth && guess + p.razor_margin * depth < alpha {
                let value = self.quiesce(placed, alpha, alpha + 1, ply, false);
                if value <= alpha {
                    return value;
                }
            }
            // Null move: if passing is still good enough, a move will be too.
            // Source: <https://www.chessprogramming.org/Null_Move_Pruning>; not where passing may be worth more than moving.
            if !P::INFO.zugzwang
                && depth >= p.null_depth
                && eval >= beta
                && guess >= beta
                && beta > -MATE_BOUND
                && ply >= self.null_from
                && self.memory.stack[ply - 1].slot.is_some()
                && Self::fighters(position) > 1
                && let Some(passed) = position.null_move()
            {
                let reduction = p.null_base
                    + depth / p.null_divisor
                    + ((guess - beta) / p.null_eval_divisor).clamp(0, p.null_eval_most);
                self.memory.stack[ply].slot = None;
                self.memory.stack[ply + 1].since_null = 0;
                self.keys.push(passed.hash_key());
                self.nodes += 1;
                let next = Placed { check: passed.in_check(), position: passed, accumulator: *accumulator, touched: 0 };
                let value = -self.node(&next, -beta, -beta + 1, depth - 1 - reduction, ply + 1, !cut);
                self.keys.pop();
                if self.stopped {
                    return 0;
                }
                if value >= beta {
                    let value = if value > MATE_BOUND { beta } else { value };
                    if self.null_from > 0 || depth < p.null_verified_depth {
                        return value;
                    }
                    // Deep down the tree a zugzwang overlooked costs more than a second look without null moves.
                    // Source: <https://www.chessprogramming.org/Null_Move_Pruning#Verified_Null-Move_Pruning>.
                    let shallow = depth - 1 - reduction;
                    self.null_from = ply + 3 * shallow.max(0) as usize / 4 + 1;
                    let verified = self.node(placed, beta - 1, beta, shallow.max(1), ply, false);
                    self.null_from = 0;
                    if self.stopped {
                        return 0;
                    }
                    if verified >= beta {
                        return value;
                    }
                }
            }
        }
        // Without a table move a full search would be poorly ordered.
        // Source: <https://www.chessprogramming.org/Internal_Iterative_Reductions>.
        if depth >= p.internal_reduction_depth && table_move.is_none() && (pv || cut) && excluded.is_none() {
            depth -= 1;
        }
        let node = Node { alpha, beta, depth, ply, cut, pv, eval, improving, found, table_pv, excluded, forced };
        let mut picker = self.memory.pickers.pop().unwrap_or_default();
        let probable = if check || forced { None } else { self.probable_cut(placed, &mut picker, &node) };
        let tried = match probable {
            Some(value) => Err(value),
            None => Ok(self.moves(placed, &mut picker, node)),
        };
        self.memory.pickers.push(picker);
        if self.stopped {
            return 0;
        }
        let Tried { best, best_move, count } = match tried {
            Ok(tried) => tried,
            Err(value) => return value,
        };
        if count == 0 {
            // With a move left out there may be others in truth.
            return if excluded.is_some() { alpha } else { self.without_moves(position, ply) };
        }
        if excluded.is_none() {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            if !check
                && best.abs() < MATE_BOUND
                && best_move.is_none_or(|m| !is_noisy(position, m))
                && !(bound == Bound::Lower && best <= eval)
                && !(bound == Bound::Upper && best >= eval)
            {
                let places = self.places(position, ply);
                self.memory.correction.learn(places, depth, best - raw);
            }
            let eval = (!check).then_some(raw);
            let found = Found { best: best_move, value: best, eval, depth, bound, pv: table_pv };
            self.shared.table.store(key, ply, found);
        }
        best
    }

    /// Searches the moves of a node.
    #[inline(never)]
    fn moves<P: Position>(&mut self, placed: &Placed<P>, picker: &mut Picker, node: Node) -> Tried {
        let p = self.shared.params;
        let Placed { position, accumulator, .. } = placed;
        let Node { mut alpha, beta, depth, ply, cut, pv, found, excluded, .. } = node;
        let earlier = self.earlier(ply);
        let hints = Hints {
            table: found.and_then(|f| f.best),
            killers: self.memory.stack[ply].killers,
            counter: self.memory.history.counter(earlier[0]),
            earlier,
        };
        picker.begin(Mode::All, hints);
        let mut tried = Tried { best: -INFINITE, best_move: None, count: 0 };
        let (mut skip_quiet, mut table_noisy) = (false, false);
        while let Some(picked) = picker.next(position, &self.memory.history, self.shared.evaluator, p, skip_quiet) {
            let m = picked.m;
            if Some(m) == excluded {
                continue;
            }
            tried.count += 1;
            let count = tried.count;
            if tried.best > -MATE_BOUND
                && self.prunes(position, &Node { alpha, ..node }, picked, count, &mut skip_quiet)
            {
                continue;
            }
            let mut extension = 0;
            if Some(m) == hints.table {
                table_noisy = picked.noisy;
                extension = match self.singular(placed, &node, m) {
                    Ok(extension) => extension,
                    Err(value) => return Tried { best: value, best_move: Some(m), ..tried },
                };
            }
            let next = self.play(position, *accumulator, m, ply);
            // Check extension: where there is something to decide, and not near the leaves, where it makes trees large and
            // quiescence sees what follows. Source: <https://www.chessprogramming.org/Check_Extensions>.
            if extension == 0
                && next.check
                && depth >= p.check_depth
                && (node.eval == -INFINITE || node.eval.abs() >= p.check_unrest)
                && ply < 2 * self.depth
            {
                extension = 1;
            }
            self.memory.stack[ply + 1].doubled = self.memory.stack[ply].doubled + i32::from(extension > 1);
            let full = depth - 1 + extension;
            let mut value = -INFINITE;
            if count > 1 {
                let mut reduced = full;
                if depth >= p.reduction_depth && count > p.reduction_count + i32::from(pv) {
                    let r = self.reduction(&node, picked, count, next.check, table_noisy) / REDUCTION;
                    reduced = (full - r.max(0)).max(1).min(full);
                }
                value = -self.node(&next, -alpha - 1, -alpha, reduced, ply + 1, true);
                if value > alpha && reduced < full {
                    // How good it looks says how deep to look again.
                    let deeper = value > tried.best + p.research_deeper && full - reduced > 1;
                    let again = full + i32::from(deeper) - i32::from(value < tried.best + p.research_shallower);
                    if again > reduced {
                        value = -self.node(&next, -alpha - 1, -alpha, again, ply + 1, !cut);
                    }
                }
            }
            if count == 1 && !pv {
                value = -self.node(&next, -beta, -alpha, full, ply + 1, !cut);
            } else if pv && (count == 1 || value > alpha) {
                value = -self.node(&next, -beta, -alpha, full, ply + 1, false);
            }
            self.keys.pop();
            if self.stopped {
                return tried;
            }
            if value > tried.best {
                tried.best = value;
                if value > alpha {
                    alpha = value;
                    tried.best_move = Some(m);
                    if pv {
                        self.keep_pv(ply, m);
                    }
                    if value >= beta {
                        self.reward(position, ply, m, picked.noisy, depth, &picker.quiets, &picker.noisies, earlier);
                        break;
                    }
                }
            }
            if picked.noisy {
                picker.noisies.push(m);
            } else {
                picker.quiets.push(m);
            }
        }
        tried
    }

    /// How many pieces other than pawns and kings the side to move has: with one or none zugzwang is common.
    fn fighters<P: Position>(position: &P) -> u32 {
        let us = position.turn();
        position.boards().iter().map(|b| (b.color(us) & !b.pawns() & !b.kings(us)).len()).sum()
    }

    pub(crate) fn keep_pv(&mut self, ply: usize, m: Move) {
        let (head, tail) = self.memory.pv.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&tail[0]);
    }

    /// After a move that was too good: it and those tried before it in vain change their standing.
    #[allow(clippy::too_many_arguments)]
    fn reward<P: Position>(
        &mut self,
        position: &P,
        ply: usize,
        m: Move,
        noisy: bool,
        depth: i32,
        quiets: &[Move],
        noisies: &[Move],
        earlier: Earlier,
    ) {
        let p = self.shared.params;
        let bonus = (p.bonus_depth * depth - p.bonus_base).min(p.bonus_most);
        let (us, area) = (position.turn(), position.area());
        if !noisy {
            let Ply { killers, .. } = &mut self.memory.stack[ply];
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
            self.memory.history.set_counter(earlier[0], m);
            let slot = self.memory.history.slot(position, m);
            self.memory.history.update_quiet(us, area, m, slot, earlier, bonus);
            for &other in quiets {
                let slot = self.memory.history.slot(position, other);
                self.memory.history.update_quiet(us, area, other, slot, earlier, -bonus);
            }
        } else {
            let slot = self.memory.history.slot(position, m);
            let victim = position.captured(m).map(|p| p.role());
            self.memory.history.update_noisy(slot, victim, bonus);
        }
        for &other in noisies {
            let slot = self.memory.history.slot(position, other);
            let victim = position.captured(other).map(|p| p.role());
            self.memory.history.update_noisy(slot, victim, -bonus);
        }
    }
}
