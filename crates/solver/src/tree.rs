//! What comes after a first move: defences and answers, and how tries fail.

use crate::prover::{Prover, Stopped};
use warpchess_rules::{Move, Position};

/// A move of the defender, and what it is answered with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence {
    /// The move.
    pub m: Move,
    /// In how many further moves the attacker mates, the fewest possible; 0 when the defence itself loses at once.
    pub mate: u32,
    /// Every move that does so. More than one is a dual.
    pub answers: Vec<Answer>,
}

/// A move of the attacker within a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move.
    pub m: Move,
    /// What the defender can play then; empty when it ends the game, and for all answers of a dual but the first.
    pub defences: Vec<Defence>,
}

impl Defence {
    /// Whether there is a choice of answers.
    pub fn is_dual(&self) -> bool {
        self.answers.len() > 1
    }
}

/// A first move that is refuted by few defences only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Try {
    /// The move.
    pub m: Move,
    /// The defences against which there is no mate in time.
    pub refutations: Vec<Move>,
}

fn sorted<P: Position>(position: &P) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_cached_key(ToString::to_string);
    moves
}

impl Try {
    /// The try that leads to `position`, if at least one defence there fails and at least one but not more than `most`
    /// refute a mate in `moves` further moves.
    pub(crate) fn of<P: Position>(
        prover: &mut Prover<'_>,
        position: &P,
        m: Move,
        moves: u8,
        most: usize,
    ) -> Result<Option<Self>, Stopped> {
        if moves == 0 || prover.over(position).is_some() {
            return Ok(None);
        }
        let mut refutations = Vec::new();
        let defences = sorted(position);
        for &defence in &defences {
            if !prover.attacks(&position.after(defence), moves)? {
                refutations.push(defence);
                if refutations.len() > most {
                    return Ok(None);
                }
            }
        }
        let is_try = !refutations.is_empty() && refutations.len() < defences.len();
        Ok(is_try.then_some(Self { m, refutations }))
    }
}

/// Grows solution trees.
pub(crate) struct Grower<'p, 'a> {
    prover: &'p mut Prover<'a>,
    /// Moves that may still be put in.
    left: usize,
    cut: bool,
}

impl<'p, 'a> Grower<'p, 'a> {
    pub(crate) fn new(prover: &'p mut Prover<'a>, moves: usize) -> Self {
        Self { prover, left: moves, cut: false }
    }

    /// Whether something was left out for want of room.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    fn take(&mut self) -> bool {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.cut = true,
        }
        !self.cut
    }

    /// Every defence in a position in which the attacker mates in `moves` further moves.
    pub(crate) fn defences<P: Position>(&mut self, position: &P, moves: u8) -> Result<Vec<Defence>, Stopped> {
        let mut defences = Vec::new();
        if self.prover.over(position).is_some() {
            return Ok(defences);
        }
        for m in sorted(position) {
            if !self.take() {
                break;
            }
            let after = position.after(m);
            let mate = if self.prover.over(&after).is_some() {
                0
            } else {
                let mut mate = 1;
                while mate < moves && !self.prover.attacks(&after, mate)? {
                    mate += 1;
                }
                mate
            };
            let answers = if mate == 0 { Vec::new() } else { self.answers(&after, mate)? };
            defences.push(Defence { m, mate: mate.into(), answers });
        }
        Ok(defences)
    }

    fn answers<P: Position>(&mut self, position: &P, mate: u8) -> Result<Vec<Answer>, Stopped> {
        let mut answers = Vec::new();
        for m in sorted(position) {
            let after = position.after(m);
            if !self.prover.is_beaten(&after, mate - 1)? {
                continue;
            }
            if !self.take() {
                break;
            }
            let defences = if answers.is_empty() { self.defences(&after, mate - 1)? } else { Vec::new() };
            answers.push(Answer { m, defences });
        }
        Ok(answers)
    }
}
