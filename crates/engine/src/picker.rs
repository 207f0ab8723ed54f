//! Hands out moves best first, generating no more than is needed: the table's move, then captures, then the rest.
//! Source: <https://www.chessprogramming.org/Move_Generation#Staged_Move_Generation>.

use crate::checks::CheckSquares;
use crate::eval::Evaluator;
use crate::history::{Earlier, History, Slot, role_at};
use crate::params::Params;
use crate::see::{KING, wins_at_least};
use smallvec::SmallVec;
use warpchess_rules::{Color, Move, MoveKind, MoveList, Position, Role, Square, Which};

/// What orders quiet moves at a node.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Hints {
    pub(crate) table: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    pub(crate) counter: Option<Move>,
    /// Slots of the moves one, two and four plies before.
    pub(crate) earlier: Earlier,
}

#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Stage {
    #[default]
    Table,
    MakeNoisy,
    Noisy,
    MakeQuiet,
    Quiet,
    Losing,
    Done,
}

/// A move as it is handed out.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Picked {
    pub(crate) m: Move,
    pub(crate) score: i32,
    /// Whether it changes material. The table's move is looked at, the others come from the generator's classes.
    pub(crate) noisy: bool,
    /// Whether it checks directly. Not looked at for the table's move.
    pub(crate) check: bool,
}

/// Which moves a picker hands out.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) enum Mode {
    #[default]
    All,
    /// Only those that change material.
    Noisy,
    /// Those and the quiet ones that give check.
    Checks,
}

/// The lists are long: pickers are kept off the stack and used again, see [`Memory`](crate::worker::Memory).
#[derive(Default)]
pub(crate) struct Picker {
    stage: Stage,
    mode: Mode,
    hints: Hints,
    moves: MoveList,
    /// Twice the score of each move, and one more if it checks.
    scores: SmallVec<[i32; 256]>,
    next: usize,
    noisy: SmallVec<[Move; 32]>,
    losing: SmallVec<[(Move, i32); 16]>,
    checks: CheckSquares,
    /// For the caller to note what it has searched in vain.
    pub(crate) quiets: SmallVec<[Move; 64]>,
    pub(crate) noisies: SmallVec<[Move; 32]>,
}

const KILLER: i32 = 1 << 20;

impl Picker {
    /// Begins anew, for another position.
    pub(crate) fn begin(&mut self, mode: Mode, hints: Hints) {
        self.stage = Stage::Table;
        self.mode = mode;
        self.hints = hints;
        self.moves.clear();
        self.noisy.clear();
        self.losing.clear();
        self.quiets.clear();
        self.noisies.clear();
    }

    /// The next move. `skip_quiet` leaves out quiet moves that do not check from here on.
    pub(crate) fn next<P: Position>(
        &mut self,
        position: &P,
        history: &History,
        evaluator: &Evaluator,
        params: &Params,
        skip_quiet: bool,
    ) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeNoisy;
                    if let Some(m) = self.hints.table {
                        let noisy = is_noisy(position, m);
                        if noisy || self.mode == Mode::All {
                            return Some(Picked { m, score: i32::MAX, noisy, check: false });
                        }
                        self.hints.table = None;
                    }
                }
                Stage::MakeNoisy => {
                    let _ = position.generate(Which::Noisy, &mut self.moves);
                    self.noisy.extend_from_slice(&self.moves);
                    self.scores.clear();
                    if !self.moves.is_empty() {
                        self.checks = CheckSquares::of(position);
                    }
                    for &m in &self.moves {
                        let victim = position.captured(m).map(|p| p.role());
                        let gain = gain_with(position, evaluator, m, victim);
                        let slot = history.slot(position, m);
                        let score = gain * params.order_gain - mover_value(position, evaluator, m)
                            + history.noisy(slot, victim) / params.order_noisy;
                        self.scores.push(2 * score + i32::from(self.checks.gives(position, m)));
                    }
                    self.next = 0;
                    self.stage = Stage::Noisy;
                }
                Stage::Noisy => match self.best() {
                    Some((m, score)) if Some(m) != self.hints.table => {
                        if self.mode == Mode::All && !wins_at_least(position, evaluator, m, 0) {
                            self.losing.push((m, score));
                            continue;
                        }
                        return Some(Picked { m, score: score >> 1, noisy: true, check: score & 1 != 0 });
                    }
                    Some(_) => {}
                    None => self.stage = if self.mode == Mode::Noisy { Stage::Done } else { Stage::MakeQuiet },
                },
                Stage::MakeQuiet => {
                    self.next = 0;
                    self.stage = Stage::Quiet;
                    self.make_quiet(position, history, params);
                }
                Stage::Quiet => match self.best() {
                    Some((m, score)) => {
                        let check = score & 1 != 0;
                        if check || !skip_quiet {
                            return Some(Picked { m, score: score >> 1, noisy: false, check });
                        }
                    }
                    None => {
                        self.losing.reverse();
                        self.stage = Stage::Losing;
                    }
                },
                Stage::Losing => match self.losing.pop() {
                    Some((m, score)) => {
                        return Some(Picked { m, score: score >> 1, noisy: true, check: score & 1 != 0 });
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Generates quiet moves and gives them their scores.
    fn make_quiet<P: Position>(&mut self, position: &P, history: &History, params: &Params) {
        self.moves.clear();
        self.scores.clear();
        let _ = position.generate(Which::All, &mut self.moves);
        let (us, area) = (position.turn(), position.area());
        if self.noisy.is_empty() {
            self.checks = CheckSquares::of(position);
        }
        let hints = &self.hints;
        let mut movers = Movers::default();
        let mut kept = 0;
        for i in 0..self.moves.len() {
            let m = self.moves[i];
            if Some(m) == hints.table || self.noisy.contains(&m) {
                continue;
            }
            let check = self.checks.gives(position, m);
            if self.mode == Mode::Checks && !check {
                continue;
            }
            let score = if Some(m) == hints.killers[0] {
                KILLER + 2
            } else if Some(m) == hints.killers[1] {
                KILLER + 1
            } else if Some(m) == hints.counter {
                KILLER
            } else {
                let slot = movers.slot(position, history, m);
                history.quiet(us, area, m, slot, hints.earlier) + if check { params.order_check } else { 0 }
            };
            self.moves[kept] = m;
            kept += 1;
            self.scores.push(2 * score + i32::from(check));
        }
        self.moves.truncate(kept);
    }

    /// The best of what is left, by one step of selection sort.
    fn best(&mut self) -> Option<(Move, i32)> {
        let at = self.next;
        let mut best = at;
        let mut score = *self.scores.get(at)?;
        for (i, &other) in self.scores.iter().enumerate().skip(at + 1) {
            if other > score {
                (best, score) = (i, other);
            }
        }
        let m = self.moves[best];
        self.moves[best] = self.moves[at];
        self.scores[best] = self.scores[at];
        self.next += 1;
        Some((m, score))
    }
}

/// Slots of moves in a row: a generator hands out a piece's moves together, so its role is looked up once.
#[derive(Default)]
struct Movers {
    last: Option<(Square, usize)>,
}

impl Movers {
    #[inline]
    fn slot<P: Position>(&mut self, position: &P, history: &History, m: Move) -> Slot {
        if m.kind() != MoveKind::Normal {
            return history.slot(position, m);
        }
        let from = m.from();
        let mover = match self.last {
            Some((square, mover)) if square == from => mover,
            _ => history.mover(position, m),
        };
        self.last = Some((from, mover));
        history.slot_of(position.turn(), mover, m.to())
    }
}

/// Whether a move is among those that change material.
#[inline]
pub(crate) fn is_noisy<P: Position>(position: &P, m: Move) -> bool {
    match m.kind() {
        MoveKind::Promotion | MoveKind::EnPassant => true,
        MoveKind::DoubleStep | MoveKind::Castle | MoveKind::Drop | MoveKind::Pass | MoveKind::Place => false,
        MoveKind::Pocket | MoveKind::Shift => position.noisy_moves().contains(&m),
        MoveKind::Swap => m.role().is_some(),
        _ => m.role().is_some() || position.captured(m).is_some(),
    }
}

/// What a move wins at once.
#[inline]
pub(crate) fn gain<P: Position>(position: &P, evaluator: &Evaluator, m: Move) -> i32 {
    gain_with(position, evaluator, m, position.captured(m).map(|p| p.role()))
}

/// The same with the piece captured already known.
#[inline]
fn gain_with<P: Position>(position: &P, evaluator: &Evaluator, m: Move, victim: Option<Role>) -> i32 {
    let worth = |role: Role| evaluator.values[role.index()];
    let victim = victim.map_or(0, worth);
    match (m.kind(), m.role()) {
        (MoveKind::Pocket, Some(role)) => worth(role) - mover_value(position, evaluator, m),
        // A portal's move can take many pieces of both sides with it.
        (MoveKind::Shift, _) => {
            let mut listener = evaluator.listen(Default::default());
            let mut next = position.clone();
            next.play_unchecked(m, &mut listener);
            if next.king_destroyed() {
                return KING;
            }
            let white = listener.accumulator.placement.eg();
            if position.turn() == Color::White { white } else { -white }
        }
        (MoveKind::Promotion | MoveKind::Swap | MoveKind::Travel, Some(role)) => {
            victim + worth(role) - worth(Role::Pawn)
        }
        _ => victim,
    }
}

#[inline]
fn mover_value<P: Position>(position: &P, evaluator: &Evaluator, m: Move) -> i32 {
    role_at(position, position.area(), m).map_or(0, |r| evaluator.values[r.index()])
}
