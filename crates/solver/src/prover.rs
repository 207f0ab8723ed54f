//! The proof: depth-first proof-number search bounded by the number of moves.
//!
//! A node asks whether the attacker mates within a given number of its own moves. That number shrinks along every line,
//! so no line repeats itself, and what is found of a position and a number holds wherever both are met again: repetition
//! cannot falsify a proof. Nothing is left out: an attack is refuted only when each of its moves is, a defence is beaten
//! only when each of its moves is.
//!
//! Sources: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002); J. Pawlewicz, Ł. Lew,
//! "Improving depth-first PN-search: 1+ε trick" (2006); the first estimate, how many answers the defender has, is L. V. Allis'.

use crate::table::{DONE, Numbers, Table};
use std::ops::ControlFlow;
use std::time::Duration;
use warpchess_engine::{Clock, Signals};
use warpchess_rules::{Color, Move, MoveSink, Position};

/// What bounds the work.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Most nodes to visit: positions that came about by playing a move.
    pub nodes: Option<u64>,
    /// Most time to take.
    pub time: Option<Duration>,
}

/// The limits were reached, or the caller said stop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// A move with what is known of the position after it.
#[derive(Copy, Clone)]
struct Child {
    m: Move,
    numbers: Numbers,
}

/// Nodes for which a long forced line is thought as easy as a short one: that finds most mates sooner.
const EAGER: u64 = 100_000;

/// Of a position that could not be looked at any more.
const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1 };

const REFUTERS: usize = 1 << 12;

/// Answers questions about one attacker's mates.
pub(crate) struct Prover<'a> {
    table: &'a mut Table,
    attacker: Color,
    limits: Limits,
    clock: &'a dyn Clock,
    signals: &'a Signals,
    pub(crate) nodes: u64,
    stopped: bool,
    /// Lists that are not in use, so that a node need not allocate one.
    spare: Vec<Vec<Child>>,
    /// How well a defender's move has refuted so far, by its squares.
    refuters: Box<[u32; REFUTERS]>,
}

fn refuter(m: Move) -> usize {
    m.to_bits() as usize % REFUTERS
}

/// Looks for a move that wins at once.
struct Finisher<'a, P> {
    position: &'a P,
    attacker: Color,
    nodes: u64,
    /// So many it may visit.
    most: u64,
    found: Option<Move>,
    /// Whether it was not allowed to look at all.
    cut: bool,
}

impl<P: Position> MoveSink for Finisher<'_, P> {
    fn push(&mut self, m: Move) -> ControlFlow<()> {
        if self.nodes == self.most {
            self.cut = true;
            return ControlFlow::Break(());
        }
        self.nodes += 1;
        if is_won(&self.position.after(m), self.attacker) {
            self.found = Some(m);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Whether the game is over and the attacker has won it.
fn is_won<P: Position>(position: &P, attacker: Color) -> bool {
    !position.has_legal_move() && position.outcome_without_moves().winner == Some(attacker)
}

impl<'a> Prover<'a> {
    pub(crate) fn new(
        table: &'a mut Table,
        attacker: Color,
        limits: Limits,
        clock: &'a dyn Clock,
        signals: &'a Signals,
    ) -> Self {
        table.forget();
        Self {
            table,
            attacker,
            limits,
            clock,
            signals,
            nodes: 0,
            stopped: false,
            spare: Vec::new(),
            refuters: Box::new([0; REFUTERS]),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.clock.elapsed(self.nodes)
    }

    fn must_stop(&mut self) -> bool {
        if !self.stopped {
            self.stopped = self.limits.nodes.is_some_and(|n| self.nodes >= n)
                || self.signals.stopped()
                || self.limits.time.is_some_and(|t| self.clock.elapsed(self.nodes) >= t);
        }
        self.stopped
    }

    /// Counts a node that is about to be visited, unless no more may be.
    fn visit(&mut self) -> Result<(), Stopped> {
        self.stopped |= self.limits.nodes.is_some_and(|most| self.nodes >= most);
        if self.stopped {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Whether the attacker, to move, mates within `moves` moves.
    pub(crate) fn attacks<P: Position>(&mut self, position: &P, moves: u8) -> Result<bool, Stopped> {
        let numbers = self.known(position, moves).unwrap_or_else(|| self.attack(position, moves, DONE, DONE).0);
        self.decision(numbers)
    }

    /// Whether the defender, to move, is mated by `moves` further moves of the attacker, or is so already.
    pub(crate) fn is_beaten<P: Position>(&mut self, position: &P, moves: u8) -> Result<bool, Stopped> {
        if let Some(over) = self.over(position) {
            return Ok(over);
        }
        if moves == 0 {
            return Ok(false);
        }
        let numbers = self.known(position, moves).unwrap_or_else(|| self.defend(position, moves, DONE, DONE).0);
        self.decision(numbers)
    }

    /// Whether it is known without further work that the defender, to move, is beaten.
    pub(crate) fn knows_beaten<P: Position>(&self, position: &P, moves: u8) -> bool {
        match self.over(position) {
            Some(won) => won,
            None => moves > 0 && self.known(position, moves) == Some(Numbers::PROVED),
        }
    }

    fn known<P: Position>(&self, position: &P, moves: u8) -> Option<Numbers> {
        self.table.probe(position.hash_key())?.numbers(moves).filter(|numbers| numbers.is_decided())
    }

    fn decision(&self, numbers: Numbers) -> Result<bool, Stopped> {
        if numbers.is_decided() { Ok(numbers.proof == 0) } else { Err(Stopped) }
    }

    /// Whether a position ends the game, and if so whether the attacker has won.
    pub(crate) fn over<P: Position>(&self, position: &P) -> Option<bool> {
        if !position.has_legal_move() {
            Some(position.outcome_without_moves().winner == Some(self.attacker))
        } else {
            position.is_insufficient().then_some(false)
        }
    }

    /// A move that wins at once. None is known of, too, where the nodes ran out: then the prover is stopped.
    fn finish<P: Position>(&mut self, position: &P) -> Option<Move> {
        let most = self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes));
        let mut finisher = Finisher { position, attacker: self.attacker, nodes: 0, most, found: None, cut: false };
        let _ = position.generate_mating(&mut finisher);
        self.nodes += finisher.nodes;
        self.stopped |= finisher.cut;
        finisher.found
    }

    /// Searches a node of the attacker until one of its numbers reaches its limit.
    fn attack<P: Position>(&mut self, position: &P, moves: u8, proof: u32, disproof: u32) -> (Numbers, Option<Move>) {
        if moves <= 1 {
            let best = if moves == 1 { self.finish(position) } else { None };
            // Who has no move at all may have won nevertheless, in games that know such ends.
            let won = best.is_some() || is_won(position, self.attacker);
            if !won && self.stopped {
                return (UNKNOWN, None);
            }
            return (if won { Numbers::PROVED } else { Numbers::REFUTED }, best);
        }
        let start = self.nodes;
        let key = position.hash_key();
        let mut children = self.spare.pop().unwrap_or_default();
        children.clear();
        let mut decided = None;
        let list = position.legal_moves();
        if list.is_empty() && is_won(position, self.attacker) {
            decided = Some((Numbers::PROVED, None));
        }
        for &m in &list {
            if self.visit().is_err() {
                self.spare.push(children);
                return (UNKNOWN, None);
            }
            let after = position.after(m);
            let numbers = self.first_of_defence(&after, moves - 1);
            if numbers.proof == 0 {
                decided = Some((numbers, Some(m)));
                break;
            }
            if numbers.disproof != 0 {
                children.push(Child { m, numbers });
            }
        }
        let (numbers, best) = decided.unwrap_or_else(|| {
            self.deepen(&mut children, proof, disproof, |prover, m, proof, disproof| {
                prover.defend(&position.after(m), moves - 1, proof, disproof).0
            })
        });
        self.spare.push(children);
        self.keep(key, moves, numbers, best, start);
        (numbers, best)
    }

    /// The first estimate of a position in which the defender is to move.
    fn first_of_defence<P: Position>(&mut self, position: &P, moves: u8) -> Numbers {
        if let Some(numbers) = self.table.probe(position.hash_key()).and_then(|entry| entry.numbers(moves)) {
            return numbers;
        }
        let answers = position.count_legal();
        if answers == 0 {
            let won = position.outcome_without_moves().winner == Some(self.attacker);
            return if won { Numbers::PROVED } else { Numbers::REFUTED };
        }
        if position.is_insufficient() {
            return Numbers::REFUTED;
        }
        // Each answer has to be met, the more laboriously the longer the mate. Without the factor, and with 1 in place of
        // the attacker's moves below, looking through all first moves of mates in five took seven times as many nodes.
        let weight = if self.nodes < EAGER { 1 } else { u32::from(moves) };
        Numbers { proof: (answers as u32).saturating_mul(weight).min(DONE - 1), disproof: 1 }
    }

    /// Searches a node of the defender, who has a move, until one of its numbers reaches its limit.
    fn defend<P: Position>(&mut self, position: &P, moves: u8, proof: u32, disproof: u32) -> (Numbers, Option<Move>) {
        let start = self.nodes;
        let key = position.hash_key();
        let mut list = position.legal_moves();
        let hint = self.table.probe(key).and_then(|entry| entry.best);
        list.sort_by_key(|&m| std::cmp::Reverse(if Some(m) == hint { u32::MAX } else { self.refuters[refuter(m)] }));
        let mut children = self.spare.pop().unwrap_or_default();
        children.clear();
        let mut decided = None;
        for &m in &list {
            if self.visit().is_err() {
                self.spare.push(children);
                return (UNKNOWN, None);
            }
            let after = position.after(m);
            let numbers = self.first_of_attack(&after, moves);
            if numbers.disproof == 0 {
                decided = Some((numbers, Some(m)));
                break;
            }
            if numbers.proof != 0 {
                children.push(Child { m, numbers });
            }
            if moves == 1 && self.nodes.is_multiple_of(256) && self.must_stop() {
                self.spare.push(children);
                return (UNKNOWN, None);
            }
        }
        let (numbers, best) = decided.unwrap_or_else(|| {
            for child in &mut children {
                child.numbers = swapped(child.numbers);
            }
            let (numbers, best) = self.deepen(&mut children, disproof, proof, |prover, m, disproof, proof| {
                swapped(prover.attack(&position.after(m), moves, proof, disproof).0)
            });
            (swapped(numbers), best)
        });
        if numbers.disproof == 0
            && let Some(m) = best
        {
            let count = &mut self.refuters[refuter(m)];
            *count = (*count + 1 + u32::from(moves)).min(1 << 30);
        }
        self.spare.push(children);
        self.keep(key, moves, numbers, best, start);
        (numbers, best)
    }

    /// The first estimate of a position in which the attacker is to move.
    fn first_of_attack<P: Position>(&mut self, position: &P, moves: u8) -> Numbers {
        if moves > 1
            && let Some(numbers) = self.table.probe(position.hash_key()).and_then(|entry| entry.numbers(moves))
        {
            return numbers;
        }
        if !position.is_insufficient() {
            if self.finish(position).is_some() {
                return Numbers::PROVED;
            }
            if moves > 1 {
                // Each of the attacker's moves has to be refuted.
                let count = (position.count_legal() as u32).clamp(1, DONE - 1);
                return Numbers { proof: 1, disproof: count };
            }
        }
        if is_won(position, self.attacker) {
            Numbers::PROVED
        } else if self.stopped {
            UNKNOWN
        } else {
            Numbers::REFUTED
        }
    }

    /// The common part of both sides' nodes, from the attacker's view: goes on at the most promising child until a limit
    /// is reached. (The defender's numbers come in and go out exchanged.)
    fn deepen(
        &mut self,
        children: &mut [Child],
        proof: u32,
        disproof: u32,
        mut search: impl FnMut(&mut Self, Move, u32, u32) -> Numbers,
    ) -> (Numbers, Option<Move>) {
        loop {
            let (mut best, mut second) = (0, DONE);
            let mut least = DONE;
            let mut sum = 0u64;
            for (i, child) in children.iter().enumerate() {
                sum += u64::from(child.numbers.disproof);
                if child.numbers.proof < least {
                    (best, second, least) = (i, least, child.numbers.proof);
                } else {
                    second = second.min(child.numbers.proof);
                }
            }
            let sum = if least == 0 { DONE } else { sum.min(u64::from(DONE - 1)) as u32 };
            let numbers = Numbers { proof: least, disproof: sum };
            let Some(child) = children.get(best).copied() else { return (Numbers::REFUTED, None) };
            if least >= proof || sum >= disproof || least == DONE {
                let numbers = if least == DONE { Numbers::REFUTED } else { numbers };
                return (numbers, Some(child.m));
            }
            if self.must_stop() {
                return (numbers, Some(child.m));
            }
            // A little more than the second best is worth, so that the search does not leap to and fro.
            let reach = second.saturating_add(1 + second / 4).min(proof);
            let rest = disproof - (sum - child.numbers.disproof.min(sum));
            children[best].numbers = search(self, child.m, reach, rest);
            if children[best].numbers.disproof == 0 {
                children[best].numbers = Numbers::REFUTED;
            }
        }
    }

    fn keep(&mut self, key: u64, moves: u8, numbers: Numbers, best: Option<Move>, start: u64) {
        // What was broken off is stored too: its numbers are only estimates.
        self.table.store(key, moves, numbers, best, self.nodes - start);
    }
}

fn swapped(numbers: Numbers) -> Numbers {
    Numbers { proof: numbers.disproof, disproof: numbers.proof }
}
