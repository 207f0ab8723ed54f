//! Openings made by random moves, so that every game of a match is another and none is decided before it begins.

use serde::{Deserialize, Serialize};
use warpchess_engine::{AnyEngine, Limits, NodeClock, Options, Score, Signals, engine_for};
use warpchess_rules::VariantId;

/// How well an opening is looked at before it is used.
const NODES: u64 = 4000;
/// After so many openings that were not level, the most level of them is taken.
const TRIES: u64 = 200;

/// Which openings are played.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Random plies from the start of the game.
    pub plies: u32,
    /// An opening is used if a short search sees no more than this, in hundredths of a pawn.
    pub balance: i32,
    /// The same seed makes the same openings.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { plies: 8, balance: 100, seed: 1 }
    }
}

/// Makes the openings of a match, in any order.
pub struct Openings {
    variant: VariantId,
    plan: Plan,
    judge: Box<dyn AnyEngine>,
}

impl std::fmt::Debug for Openings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Openings").field("variant", &self.variant).field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl Openings {
    /// The openings of a plan.
    pub fn new(variant: VariantId, plan: Plan) -> Self {
        Self { variant, plan, judge: engine_for(variant, &Options { hash: 1, ..Options::default() }) }
    }

    /// The FEN of an opening by its number.
    pub fn fen(&mut self, number: u64) -> String {
        let mut best: Option<(i32, String)> = None;
        for attempt in 0..TRIES {
            let Some(fen) = self.random(number, attempt) else { continue };
            let Some(worth) = self.judge(&fen) else { continue };
            if worth <= self.plan.balance || self.plan.plies == 0 {
                return fen;
            }
            if best.as_ref().is_none_or(|(least, _)| worth < *least) {
                best = Some((worth, fen));
            }
        }
        best.map_or_else(|| self.variant.start().fen(), |(_, fen)| fen)
    }

    /// A position after random moves; `None` when the game was over too soon.
    fn random(&self, number: u64, attempt: u64) -> Option<String> {
        let mut position = self.variant.start();
        let mut state = mix(mix(self.plan.seed) ^ mix(number)) ^ attempt;
        for _ in 0..self.plan.plies {
            let moves = position.legal_moves();
            state = mix(state);
            let index = state.checked_rem(moves.len() as u64)? as usize;
            position.play(moves[index]);
        }
        position.outcome().is_none().then(|| position.fen())
    }

    /// How far from level it looks; `None` when somebody is mated.
    fn judge(&mut self, fen: &str) -> Option<i32> {
        self.judge.clear();
        self.judge.set_game(Some(fen), &[]).ok()?;
        let clock = NodeClock { per_second: 1_000_000 };
        match self.judge.search(&Limits::nodes(NODES), &clock, &Signals::new(), &mut |_| ()).score {
            Score::Cp(cp) => Some(cp.abs()),
            Score::Mate(_) => None,
        }
    }
}

/// SplitMix64: a number that looks like chance, the same for the same seed.
pub const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn openings_are_alike_for_a_seed_differ_and_are_level() {
        for variant in VariantId::all() {
            let plan = Plan { seed: 5, ..Plan::default() };
            let mut openings = Openings::new(variant, plan);
            let fens: Vec<String> = (0..4).map(|n| openings.fen(n)).collect();
            assert_eq!(fens.iter().collect::<BTreeSet<_>>().len(), 4, "{variant}: {fens:?}");
            // In another order, too.
            assert_eq!(Openings::new(variant, plan).fen(3), fens[3]);
            assert_ne!(Openings::new(variant, Plan { seed: 6, ..plan }).fen(3), fens[3]);
            for fen in &fens {
                assert!(openings.judge(fen).is_some_and(|worth| worth <= plan.balance), "{variant}: {fen}");
            }
        }
    }

    #[test]
    fn without_plies_it_is_the_start() {
        let variant = VariantId::default();
        assert_eq!(Openings::new(variant, Plan { plies: 0, balance: 0, seed: 1 }).fen(7), variant.info().start_fen);
    }
}
