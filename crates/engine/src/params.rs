//! Every number of the search that may be tuned.

/// Tunable numbers of the search. Margins are in hundredths of a pawn, depths in plies.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub struct Params {
    /// Half-width of the first aspiration window, and the depth from which windows are used.
    pub aspiration_window: i32,
    pub aspiration_depth: i32,
    /// Null move: least depth, base reduction, depth divisor of the reduction, margin divisor of the reduction.
    pub null_depth: i32,
    pub null_base: i32,
    pub null_divisor: i32,
    pub null_eval_divisor: i32,
    /// From this depth a null move that succeeds is verified.
    pub null_verified_depth: i32,
    /// Reverse futility: greatest depth, margin a ply.
    pub reverse_futility_depth: i32,
    pub reverse_futility_margin: i32,
    /// Futility: greatest depth, base and margin a ply.
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
    /// History value that makes one ply of reduction.
    pub reduction_history: i32,
    /// Pruning of moves that lose an exchange: greatest depth, loss allowed a ply to noisy moves, and to quiet ones a ply
    /// squared.
    pub exchange_depth: i32,
    pub exchange_noisy: i32,
    pub exchange_quiet: i32,
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
            null_divisor: 4,
            null_eval_divisor: 200,
            null_verified_depth: 10,
            reverse_futility_depth: 7,
            reverse_futility_margin: 85,
            futility_depth: 5,
            futility_base: 100,
            futility_margin: 90,
            razor_depth: 2,
            razor_margin: 250,
            late_move_depth: 5,
            late_move_base: 4,
            late_move_growth: 1,
            reduction_base: 0.6,
            reduction_divisor: 2.3,
            reduction_history: 6000,
            exchange_depth: 6,
            exchange_noisy: 100,
            exchange_quiet: 25,
            delta_margin: 150,
            internal_reduction_depth: 5,
        }
    }
}
