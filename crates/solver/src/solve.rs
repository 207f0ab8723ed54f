//! A problem from the question to the verdict.

use crate::prover::{Limits, Prover, Stopped};
use crate::table::Table;
use crate::tree::{Defence, Grower, Try};
use std::time::Duration;
use warpchess_engine::{Clock, Signals};
use warpchess_rules::{Move, Outcome, Position};

/// The longest mate that can be asked for, in moves of the side that mates.
pub const MAX_MOVES: u32 = 100;

/// How many of the first moves that mate are looked for.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Keys {
    /// The first one proved; whether there is a shorter mate or another key is not asked.
    First,
    /// All that mate in the fewest moves possible.
    #[default]
    Shortest,
    /// All that mate within the moves asked for.
    All,
}

/// What is asked, and how much work it may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Which keys.
    pub keys: Keys,
    /// The solution tree of each key.
    pub tree: bool,
    /// First moves that fail to at most so many defences; 0 for none.
    pub tries: usize,
    /// Most moves in all trees together.
    pub tree_moves: usize,
    /// Size of the table of positions in mebibytes.
    pub hash: usize,
    /// Bounds on the work, for all of it together.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { keys: Keys::default(), tree: false, tries: 0, tree_moves: 50_000, hash: 64, limits: Limits::default() }
    }
}

/// A question that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemError {
    /// Nobody is to move any more.
    #[error("the game is over ({}): there is nothing to solve", .0.status())]
    Over(Outcome),
    /// No mate, or one that is too long.
    #[error("mate in {0}: a number of moves from 1 to {MAX_MOVES} expected")]
    Moves(u32),
    /// The table cannot be had.
    #[error("no memory for a table of {0} MiB")]
    Memory(usize),
}

/// What was proved.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The side to move mates in at most so many moves.
    Mate {
        /// Moves of the side that mates.
        moves: u32,
        /// Whether it is proved that there is no shorter mate.
        shortest: bool,
    },
    /// There is no mate within the moves asked for.
    NoMate,
    /// The limits were reached before anything was proved.
    Undecided,
}

/// A first move that mates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// The move.
    pub m: Move,
    /// In how many moves it mates at most, itself counted; the fewest possible unless only the first key was asked for.
    pub mate: u32,
    /// The defences and what they are answered with; empty unless asked for, or when the key ends the game.
    pub tree: Vec<Defence>,
}

/// When the first key was proved.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The key.
    pub m: Move,
    /// Nodes visited until then.
    pub nodes: u64,
    /// Time taken until then.
    pub time: Duration,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// What was proved.
    pub verdict: Verdict,
    /// The keys, shortest mates first, then by UCI text.
    pub keys: Vec<Key>,
    /// Whether every key that was asked for is there. `false` also when only the first was.
    pub all_keys: bool,
    /// Tries, by UCI text.
    pub tries: Vec<Try>,
    /// Whether trees and tries are complete: neither a limit nor the bound on the size of trees has cut them off.
    pub complete: bool,
    /// When it was known that there is a mate.
    pub found: Option<Found>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Solves a problem: mate in `moves` by the side to move.
///
/// # Errors
/// When the game is over or `moves` is not between 1 and [`MAX_MOVES`].
pub fn solve<P: Position>(
    position: &P,
    moves: u32,
    options: &Options,
    clock: &dyn Clock,
    signals: &Signals,
) -> Result<Solution, ProblemError> {
    let n = u8::try_from(moves).ok().filter(|&n| (1..=MAX_MOVES).contains(&u32::from(n)));
    let n = n.ok_or(ProblemError::Moves(moves))?;
    if !position.has_legal_move() {
        return Err(ProblemError::Over(position.outcome_without_moves()));
    }
    // Not `automatic_draw`: a problem's clocks do not count.
    if position.is_insufficient() {
        return Err(ProblemError::Over(position.outcome().unwrap_or_else(|| position.outcome_without_moves())));
    }
    let mut table = Table::new(options.hash).ok_or(ProblemError::Memory(options.hash))?;
    let prover = Prover::new(&mut table, position.turn(), options.limits, clock, signals);
    let mut solver = Solver {
        position,
        prover,
        options,
        solution: Solution {
            verdict: Verdict::Undecided,
            keys: Vec::new(),
            all_keys: false,
            tries: Vec::new(),
            complete: true,
            found: None,
            nodes: 0,
            time: Duration::ZERO,
        },
    };
    if solver.run(n) == Err(Stopped) {
        solver.solution.complete = false;
    }
    let Solver { prover, mut solution, .. } = solver;
    solution.nodes = prover.nodes;
    solution.time = prover.elapsed();
    Ok(solution)
}

struct Solver<'a, P> {
    position: &'a P,
    prover: Prover<'a>,
    options: &'a Options,
    solution: Solution,
}

impl<P: Position> Solver<'_, P> {
    /// Goes through the questions in the order in which their answers matter, so that what a limit cuts off is the last.
    fn run(&mut self, n: u8) -> Result<(), Stopped> {
        let Some((first, within)) = self.first_key(n)? else {
            self.solution.verdict = Verdict::NoMate;
            self.solution.all_keys = true;
            return self.tries(n);
        };
        self.solution.verdict = Verdict::Mate { moves: within.into(), shortest: within == 1 };
        self.solution.found = Some(Found { m: first, nodes: self.prover.nodes, time: self.prover.elapsed() });
        self.solution.keys = vec![Key { m: first, mate: within.into(), tree: Vec::new() }];
        if self.options.keys != Keys::First {
            self.keys(first, within, n)?;
        }
        let longest = if self.options.keys == Keys::Shortest { self.shortest().unwrap_or(n) } else { n };
        if self.options.tree {
            self.trees()?;
        }
        self.tries(longest)
    }

    fn shortest(&self) -> Option<u8> {
        self.solution.keys.iter().map(|key| key.mate as u8).min()
    }

    /// A move that mates within `n` moves, and within how many it is known to.
    fn first_key(&mut self, n: u8) -> Result<Option<(Move, u8)>, Stopped> {
        let mut moves = self.position.legal_moves();
        moves.sort_by_cached_key(ToString::to_string);
        // A mate in few moves is found at once if there is one; the long way round is not to be searched for it.
        for within in [1, 2, n] {
            if within <= n
                && (within == n || within < n.saturating_sub(1))
                && self.prover.attacks(self.position, within)?
            {
                for &m in &moves {
                    if self.prover.knows_beaten(&self.position.after(m), within - 1) {
                        return Ok(Some((m, within)));
                    }
                }
                // The table has lost it again.
                for &m in &moves {
                    if self.prover.is_beaten(&self.position.after(m), within - 1)? {
                        return Ok(Some((m, within)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// All keys asked for, with the length of each.
    fn keys(&mut self, first: Move, within: u8, n: u8) -> Result<(), Stopped> {
        let mut left = self.position.legal_moves();
        left.sort_by_cached_key(ToString::to_string);
        let mut keys: Vec<Key> = Vec::new();
        let mut shortest = None;
        for length in 1..=n {
            if shortest.is_none() && length < within && !self.prover.attacks(self.position, length)? {
                continue;
            }
            if shortest.is_none() {
                // There is a mate in `length`, and it is the shortest.
                shortest = Some(length);
                self.solution.verdict = Verdict::Mate { moves: length.into(), shortest: true };
                if length < within {
                    self.solution.keys.clear();
                } else {
                    self.solution.keys.truncate(1);
                }
            }
            let mut rest = Vec::new();
            for m in left {
                if self.prover.is_beaten(&self.position.after(m), length - 1)? {
                    keys.push(Key { m, mate: length.into(), tree: Vec::new() });
                    if m != first || length != within {
                        self.solution.keys.push(Key { m, mate: length.into(), tree: Vec::new() });
                    }
                } else {
                    rest.push(m);
                }
            }
            left = rest.into_iter().collect();
            self.solution.keys.clone_from(&keys);
            if self.options.keys == Keys::Shortest {
                break;
            }
        }
        self.solution.all_keys = true;
        Ok(())
    }

    fn trees(&mut self) -> Result<(), Stopped> {
        let mut grower = Grower::new(&mut self.prover, self.options.tree_moves);
        for key in &mut self.solution.keys {
            key.tree = grower.defences(&self.position.after(key.m), key.mate as u8 - 1)?;
        }
        self.solution.complete &= !grower.is_cut();
        Ok(())
    }

    fn tries(&mut self, n: u8) -> Result<(), Stopped> {
        if self.options.tries == 0 {
            return Ok(());
        }
        let mut moves = self.position.legal_moves();
        moves.sort_by_cached_key(ToString::to_string);
        for &m in &moves {
            if self.solution.keys.iter().any(|key| key.m == m) {
                continue;
            }
            if let Some(found) = Try::of(&mut self.prover, &self.position.after(m), m, n - 1, self.options.tries)? {
                self.solution.tries.push(found);
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Mate { moves, shortest: true } => write!(f, "mate in {moves}"),
            Self::Mate { moves, shortest: false } => write!(f, "mate in at most {moves}"),
            Self::NoMate => f.write_str("no mate"),
            Self::Undecided => f.write_str("not decided"),
        }
    }
}
