//! Every number of the search that may be tuned.

/// Tunable numbers of the search. Margins are in hundredths of a pawn, depths in plies.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub struct Params {
    /// Half-width of the first aspiration window, and the depth from which windows are used.
    pub aspiration_window: i32,
    pub aspiration_depth: i32,
    /// Null move: least depth, base reduction, depth divisor of the reduction, margin divisor of the reduction and
    /// the most that makes.
    pub null_depth: i32,
    pub null_base: i32,
    pub null_divisor: i32,
    pub null_eval_divisor: i32,
    pub null_eval_most: i32,
    /// From this depth a null move that succeeds is verified.
    pub null_verified_depth: i32,
    /// Reverse futility: greatest depth, margin a ply.
    pub reverse_futility_depth: i32,
    pub reverse_futility_margin: i32,
    /// Share (of 256) of what is above beta that is returned.
    pub reverse_futility_share: i32,
    /// Futility: greatest depth left after the reduction, base and margin a ply of that.
    pub futility_depth: i32,
    pub futility_base: i32,
    pub futility_margin: i32,
    /// Razoring: greatest depth, margin a ply.
    pub razor_depth: i32,
    pub razor_margin: i32,
    /// Late move pruning: greatest depth, moves at depth 0, growth with the square of the depth.
    pub late_move_depth: i32,
    pub late_move_base: i32,
    pub late_move_growth: i32,
    /// Late move reductions: base and divisor of the logarithmic formula, in hundredths.
    pub reduction_base: f64,
    pub reduction_divisor: f64,
    /// Least depth of reductions, moves searched in full before them, and history value that makes one ply of them.
    pub reduction_depth: i32,
    pub reduction_count: i32,
    pub reduction_history: i32,
    /// What makes reductions larger or smaller, in 1024ths of a ply: an expected cut; a principal variation, now or in an
    /// earlier search; a check; an evaluation that does not rise; a table move that takes; a move that takes; a killer.
    pub reduction_cut: i32,
    pub reduction_pv: i32,
    pub reduction_table_pv: i32,
    pub reduction_check: i32,
    pub reduction_worsening: i32,
    pub reduction_table_noisy: i32,
    pub reduction_noisy: i32,
    pub reduction_killer: i32,
    /// How far above the best a reduced search must be for a second look a ply deeper, and below which it is a ply shallower.
    pub research_deeper: i32,
    pub research_shallower: i32,
    /// History bonus: a ply's worth, what is taken off, largest.
    pub bonus_depth: i32,
    pub bonus_base: i32,
    pub bonus_most: i32,
    /// Order of moves: weight of what a capture wins against the taker's worth, divisor of its history, bonus of a quiet check.
    pub order_gain: i32,
    pub order_noisy: i32,
    pub order_check: i32,
    /// Share (of 256) of what was learnt about static evaluations that is believed.
    pub correction: i32,
    /// Pruning of quiet moves with a bad history: greatest depth left after the reduction, how bad a ply of that.
    pub history_depth: i32,
    pub history_margin: i32,
    /// Singular extensions: least depth, up to which ply in 16ths of the iteration's depth, margin a ply in 16ths, how far below it a second ply is added, how often on one line,
    /// plies taken off when others may be as good, and the same where a cut is expected.
    pub singular_depth: i32,
    pub singular_reach: i32,
    pub singular_margin: i32,
    pub singular_double: i32,
    pub singular_most_doubled: i32,
    pub singular_negative: i32,
    pub singular_negative_cut: i32,
    /// Cuts by captures that are far above beta: least depth, margin, plies less.
    pub probable_depth: i32,
    pub probable_margin: i32,
    pub probable_reduction: i32,
    /// Pruning of moves that lose an exchange: greatest depth, greatest depth left after the reduction for quiet moves, loss
    /// allowed a ply to noisy moves, and to quiet ones a ply left squared.
    pub exchange_depth: i32,
    pub exchange_quiet_depth: i32,
    pub exchange_noisy: i32,
    pub exchange_quiet: i32,
    /// Check extensions: least depth, and how far the static evaluation must be from level.
    pub check_depth: i32,
    pub check_unrest: i32,
    /// Quiet moves out of check that quiescence tries once it has one that is not mate.
    pub quiet_evasions: i32,
    /// Delta pruning in quiescence: what a capture may win beyond its victim.
    pub delta_margin: i32,
    /// Depth at which a node without a table move is searched less deep.
    pub internal_reduction_depth: i32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            aspiration_window: 25,
            aspiration_depth: 5,
            null_depth: 3,
            null_base: 3,
            null_divisor: 3,
            null_eval_divisor: 150,
            null_eval_most: 4,
            null_verified_depth: 10,
            reverse_futility_depth: 7,
            reverse_futility_margin: 85,
            reverse_futility_share: 128,
            futility_depth: 2,
            futility_base: 90,
            futility_margin: 80,
            razor_depth: 2,
            razor_margin: 250,
            late_move_depth: 8,
            late_move_base: 4,
            late_move_growth: 1,
            reduction_base: 0.6,
            reduction_divisor: 2.3,
            reduction_depth: 3,
            reduction_count: 2,
            reduction_history: 8000,
            reduction_cut: 1024,
            reduction_pv: 1024,
            reduction_table_pv: 700,
            reduction_check: 1024,
            reduction_worsening: 800,
            reduction_table_noisy: 700,
            reduction_noisy: 1500,
            reduction_killer: 1200,
            research_deeper: 60,
            research_shallower: 8,
            bonus_depth: 160,
            bonus_base: 80,
            bonus_most: 1800,
            order_gain: 16,
            order_noisy: 8,
            order_check: 12000,
            correction: 100,
            history_depth: 4,
            history_margin: 3000,
            singular_depth: 8,
            singular_reach: 32,
            singular_margin: 20,
            singular_double: 20,
            singular_most_doubled: 6,
            singular_negative: 1,
            singular_negative_cut: 0,
            probable_depth: 5,
            probable_margin: 180,
            probable_reduction: 4,
            exchange_depth: 7,
            exchange_quiet_depth: 7,
            exchange_noisy: 100,
            exchange_quiet: 15,
            check_depth: 6,
            check_unrest: 50,
            quiet_evasions: 2,
            delta_margin: 150,
            internal_reduction_depth: 4,
        }
    }
}
