//! Opponents of graded strength. Weak ones see little and are not too particular: they choose among the moves that look
//! nearly best to them. All are bounded in nodes, so none hangs in thought, and a seed makes each play the same again.

use crate::engine::AnyEngine;
use crate::limits::{Clock, Limits, Signals};
use crate::report::SearchResult;
use std::time::Duration;
use warpchess_rules::VariantInfo;

/// A level from 1 (a beginner) to 8 (all the engine can do in its time).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// A number that is no level.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("level {0} does not exist, expected 1 to 8")]
pub struct UnknownLevel(pub u8);

/// What a level can do.
#[derive(Copy, Clone, PartialEq, Debug)]
struct Ability {
    /// In plies of one board: where turns alternate between two, the answer to a move comes twice as late.
    depth: u32,
    nodes: u64,
    /// A move may be chosen that looks so much worse than the best, in hundredths of a pawn.
    slack: i32,
}

/// Each sees what the one before does not. The weak ones differ in plies and in how particular they are, the strong ones in
/// nodes, by a factor of more than four: that is worth more than the 108 Elo of 65 % in every game, whatever the search does with
/// them. `scripts/levels.sh` measures it.
const ABILITIES: [Ability; 8] = [
    Ability { depth: 1, nodes: 3_000, slack: 300 },
    Ability { depth: 1, nodes: 3_000, slack: 80 },
    Ability { depth: 2, nodes: 8_000, slack: 60 },
    Ability { depth: 3, nodes: 16_000, slack: 35 },
    Ability { depth: 5, nodes: 40_000, slack: 20 },
    Ability { depth: 9, nodes: 30_000, slack: 0 },
    Ability { depth: 15, nodes: 130_000, slack: 0 },
    Ability { depth: u32::MAX, nodes: 600_000, slack: 0 },
];

impl Level {
    /// The weakest.
    pub const MIN: u8 = 1;
    /// The strongest.
    pub const MAX: u8 = 8;

    /// A level by its number.
    ///
    /// # Errors
    /// When it is not between [`MIN`](Self::MIN) and [`MAX`](Self::MAX).
    pub const fn new(number: u8) -> Result<Self, UnknownLevel> {
        if number < Self::MIN || number > Self::MAX { Err(UnknownLevel(number)) } else { Ok(Self(number)) }
    }
    /// All, weakest first.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        (Self::MIN..Self::MAX + 1).map(Self)
    }
    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
    const fn ability(self) -> Ability {
        ABILITIES[(self.0 - Self::MIN) as usize % ABILITIES.len()]
    }
    /// The limits it searches under in a game.
    pub fn limits(self, game: &VariantInfo) -> Limits {
        let Ability { depth, nodes, slack } = self.ability();
        let multipv = if slack > 0 { 8 } else { 1 };
        let depth = depth.saturating_mul(game.areas.len().max(1) as u32);
        Limits { depth: Some(depth), nodes: Some(nodes), multipv, ..Limits::default() }
    }

    /// Searches the engine's position and chooses a move as this level does. `movetime` bounds the time besides the level's
    /// own bounds.
    pub fn choose(
        self,
        engine: &mut dyn AnyEngine,
        movetime: Option<Duration>,
        clock: &dyn Clock,
        signals: &Signals,
        seed: u64,
    ) -> SearchResult {
        self.choose_within(engine, &Limits { movetime, ..Limits::default() }, clock, signals, seed)
    }

    /// The same under more limits than a time: the level's own bounds and these count both. Only how many lines are looked
    /// for is the level's own affair.
    pub fn choose_within(
        self,
        engine: &mut dyn AnyEngine,
        limits: &Limits,
        clock: &dyn Clock,
        signals: &Signals,
        seed: u64,
    ) -> SearchResult {
        let own = self.limits(engine.info());
        let limits = Limits {
            depth: own.depth.into_iter().chain(limits.depth).min(),
            nodes: own.nodes.into_iter().chain(limits.nodes).min(),
            multipv: own.multipv,
            ..limits.clone()
        };
        let mut result = engine.search(&limits, clock, signals, &mut |_| ());
        let slack = self.ability().slack;
        let Some(best) = result.lines.first() else { return result };
        // Even a beginner plays a mate he sees.
        if slack == 0 || best.score.mate().is_some_and(|n| n > 0) {
            return result;
        }
        let floor = best.score.value() - slack;
        let near: Vec<_> = result.lines.iter().filter(|l| l.score.value() >= floor).collect();
        // The same seed gives another choice in another position.
        let position = engine.fen().bytes().fold(seed, |h, b| mix(h ^ u64::from(b)));
        let weights: Vec<u64> = near.iter().map(|l| (l.score.value() - floor + slack / 4 + 1) as u64).collect();
        let mut ticket = mix(position) % weights.iter().sum::<u64>().max(1);
        let mut chosen = near[0];
        for (line, weight) in near.iter().zip(&weights) {
            if ticket < *weight {
                chosen = line;
                break;
            }
            ticket -= weight;
        }
        let chosen = chosen.clone();
        result.best = chosen.moves.first().copied();
        result.ponder = chosen.moves.get(1).copied();
        result.score = chosen.score;
        result.pv = chosen.moves;
        result
    }
}

/// SplitMix64.
const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
