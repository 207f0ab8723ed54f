//! What every game has to promise, checked on random games. For authors of variants: call [`conformance`] in a test.
//!
//! ```
//! use warpchess_rules::{testkit::Conformance, variants::Chess};
//! let report = Conformance { games: 2, plies: 20, ..Conformance::default() }.run::<Chess>()?;
//! assert!(report.positions > 20);
//! # Ok::<(), Box<warpchess_rules::testkit::Fault>>(())
//! ```

use crate::core::{Color, Effect, Marker, Move, MoveKind, MoveList, Piece, Place, Role};
use crate::notation::{san, uci};
use crate::position::{EndReason, Outcome, Position};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

/// A promise that was not kept: which one, where, and how to get there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Id of the game.
    pub variant: &'static str,
    /// The promise.
    pub promise: &'static str,
    /// What was found.
    pub detail: String,
    /// The position that it was found in.
    pub fen: String,
    /// Where the random game began, and its moves up to that position.
    pub game: (String, Vec<Move>),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<_> = self.game.1.iter().map(ToString::to_string).collect();
        write!(
            f,
            "{}: broken promise: {}\n  {}\n  in {}\n  after {} from {}",
            self.variant,
            self.promise,
            self.detail,
            self.fen,
            if moves.is_empty() { "no move".into() } else { moves.join(" ") },
            self.game.0
        )
    }
}

impl std::error::Error for Fault {}

/// What a run has seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Positions looked at.
    pub positions: usize,
    /// Moves looked at.
    pub moves: usize,
    /// How often each kind of move was legal, by the kind's name.
    pub kinds: BTreeMap<&'static str, usize>,
    /// How often games ended so, by [`EndReason::name`].
    pub ends: BTreeMap<&'static str, usize>,
}

/// A run of random games and what to check in each of their positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conformance {
    /// Games from the start, from each position of `fens`, and from as many random set-ups, if the game has them.
    pub games: usize,
    /// Plies after which a game is broken off.
    pub plies: usize,
    /// At most so many moves a position are played and looked at closely.
    pub moves: usize,
    /// The same seed makes the same games.
    pub seed: u64,
    /// Where games begin besides the start.
    pub fens: Vec<String>,
}

impl Default for Conformance {
    fn default() -> Self {
        Self { games: 30, plies: 150, moves: 6, seed: 1, fens: Vec::new() }
    }
}

/// Runs [`Conformance`] at its default size, and sees to it that every kind of move the game has was met.
///
/// # Panics
/// At the first promise that is not kept.
pub fn conformance<P: Position>() {
    match Conformance::default().run::<P>() {
        Ok(report) => {
            let missing: Vec<_> = P::INFO.kinds.iter().filter(|k| !report.kinds.contains_key(k.name())).collect();
            assert!(missing.is_empty(), "{}: no move of the kinds {missing:?} was met: {report:?}", P::INFO.id);
        }
        Err(fault) => panic!("{fault}"),
    }
}

impl Conformance {
    /// Plays the games.
    ///
    /// # Errors
    /// The first promise that is not kept.
    pub fn run<P: Position>(&self) -> Result<Report, Box<Fault>> {
        let mut run = Run::<P> { options: self, dice: Dice(self.seed), ..Run::new(self) };
        for i in 0..self.games {
            run.game(P::start())?;
            if let Some(position) = P::random_setup(self.seed.wrapping_add(i as u64)) {
                run.game(position)?;
            }
        }
        for fen in &self.fens {
            let position = P::from_fen(fen).map_err(|error| run.fault("positions given can be read", &error, fen))?;
            for _ in 0..self.games {
                run.game(position.clone())?;
            }
        }
        Ok(run.report)
    }
}

/// SplitMix64: the same numbers on every machine.
#[derive(Clone, Debug)]
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
    /// A move, rare kinds as likely as common ones every other time.
    fn choose(&mut self, moves: &[Move]) -> Move {
        let mut kinds: Vec<_> = moves.iter().map(|m| m.kind()).collect();
        kinds.sort();
        kinds.dedup();
        let kind = kinds[self.below(kinds.len())];
        let any = self.below(2) == 0;
        let eligible: Vec<_> = moves.iter().filter(|m| any || m.kind() == kind).collect();
        *eligible[self.below(eligible.len())]
    }
}

/// Pieces and markers, each with how often it is there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Things {
    pieces: HashMap<(Place, Piece), i32>,
    markers: HashMap<(Place, Marker), i32>,
}

/// Adds to a multiset; `false` when something would be taken away that is not there.
fn count<K: std::hash::Hash + Eq>(set: &mut HashMap<K, i32>, key: K, n: i32) -> bool {
    let left = set.get(&key).copied().unwrap_or(0) + n;
    if left == 0 {
        set.remove(&key);
    } else {
        set.insert(key, left);
    }
    left >= 0
}

impl Things {
    fn of<P: Position>(position: &P) -> Self {
        let mut things = Self::default();
        for (place, piece) in position.pieces() {
            count(&mut things.pieces, (place, piece), 1);
        }
        for view in position.markers() {
            count(&mut things.markers, (view.at, view.marker), i32::from(view.count));
        }
        things
    }
    /// Does an effect; `false` when what it takes or moves is not there.
    fn replay(&mut self, effect: Effect) -> bool {
        match effect {
            Effect::Add { piece, at } => count(&mut self.pieces, (at, piece), 1),
            Effect::Remove { piece, at } => count(&mut self.pieces, (at, piece), -1),
            Effect::Move { piece, from, to } => {
                count(&mut self.pieces, (from, piece), -1) && count(&mut self.pieces, (to, piece), 1)
            }
            Effect::MarkerAdd { marker, at } => count(&mut self.markers, (at, marker), 1),
            Effect::MarkerRemove { marker, at } => count(&mut self.markers, (at, marker), -1),
            Effect::MarkerMove { marker, from, to } => {
                count(&mut self.markers, (from, marker), -1) && count(&mut self.markers, (to, marker), 1)
            }
        }
    }
    /// How many pieces of each sort there are, wherever they are.
    fn material(&self) -> BTreeMap<(Color, Role), i32> {
        let mut material = BTreeMap::new();
        for (&(_, piece), n) in &self.pieces {
            *material.entry((piece.color(), piece.role())).or_default() += n;
        }
        material
    }
}

/// A FEN without its clocks.
fn without_clocks(fen: &str) -> &str {
    fen.rsplitn(3, ' ').nth(2).unwrap_or(fen)
}

struct Run<'a, P> {
    options: &'a Conformance,
    dice: Dice,
    report: Report,
    /// Every position seen, and its FEN.
    seen: HashMap<P, String>,
    by_fen: HashMap<String, P>,
    /// What a hash stood for.
    by_hash: HashMap<u64, String>,
    /// Moves of positions before, likely to be almost legal.
    stale: Vec<Move>,
    game: (String, Vec<Move>),
}

impl<'a, P: Position> Run<'a, P> {
    fn new(options: &'a Conformance) -> Self {
        Self {
            options,
            dice: Dice(options.seed),
            report: Report::default(),
            seen: HashMap::new(),
            by_fen: HashMap::new(),
            by_hash: HashMap::new(),
            stale: Vec::new(),
            game: (String::new(), Vec::new()),
        }
    }

    fn fault(&self, promise: &'static str, detail: &dyn fmt::Display, fen: &str) -> Box<Fault> {
        Box::new(Fault {
            variant: P::INFO.id,
            promise,
            detail: detail.to_string(),
            fen: fen.to_owned(),
            game: self.game.clone(),
        })
    }

    /// Plays one game at random, looking at every position.
    fn game(&mut self, start: P) -> Result<(), Box<Fault>> {
        self.game = (start.fen(), Vec::new());
        let mut position = start;
        // Who has been unable to win since a position of this game.
        let mut hopeless: [Option<String>; 2] = [None, None];
        for _ in 0..=self.options.plies {
            let moves = self.position(&position)?;
            for color in Color::ALL {
                if !position.can_win(color) {
                    hopeless[color.index()].get_or_insert_with(|| position.fen());
                }
            }
            if moves.is_empty() {
                let Outcome { winner, reason } = position.outcome_without_moves();
                *self.report.ends.entry(reason.name()).or_default() += 1;
                if let Some(fen) = winner.and_then(|color| hopeless[color.index()].as_ref()) {
                    let detail = format!("the winner could not win in {fen}");
                    return Err(self.fault("who wins could win all along", &detail, &position.fen()));
                }
                break;
            }
            let m = self.dice.choose(&moves);
            position.play_unchecked(m, &mut ());
            self.game.1.push(m);
        }
        Ok(())
    }

    /// Looks at a position and gives its legal moves.
    fn position(&mut self, position: &P) -> Result<Vec<Move>, Box<Fault>> {
        let fen = position.fen();
        self.report.positions += 1;
        let moves: Vec<Move> = position.legal_moves().to_vec();
        for m in &moves {
            *self.report.kinds.entry(m.kind().name()).or_default() += 1;
        }
        self.texts(position, &fen)?;
        self.lists(position, &moves, &fen)?;
        self.ending(position, &moves, &fen)?;
        self.board(position, &fen)?;
        let noisy: HashSet<_> = position.noisy_moves().into_iter().collect();
        let before = Things::of(position);
        let mut order = moves.clone();
        for i in 0..order.len().min(self.options.moves) {
            let j = i + self.dice.below(order.len() - i);
            order.swap(i, j);
            self.one_move(position, &before, order[i], noisy.contains(&order[i]))?;
        }
        self.stale.truncate(self.options.moves);
        self.stale.splice(0..0, order);
        Ok(moves)
    }

    /// FEN, hash and equality.
    fn texts(&mut self, position: &P, fen: &str) -> Result<(), Box<Fault>> {
        let read = P::from_fen(fen).map_err(|error| self.fault("a FEN written can be read", &error, fen))?;
        if read != *position || read.fen() != fen {
            return Err(self.fault("a FEN read is the position written", &read.fen(), fen));
        }
        for (what, one) in [("played", position), ("read", &read)] {
            let (kept, computed) = (one.hash_key(), one.compute_hash());
            if kept != computed {
                let detail = format!("{what}: {kept:016x} kept up, {computed:016x} computed");
                return Err(self.fault("the hash kept up is the hash computed", &detail, fen));
            }
        }
        if let Some(old) = self.seen.insert(position.clone(), fen.to_owned())
            && old != fen
        {
            return Err(self.fault("equal positions have equal FENs", &old, fen));
        }
        if let Some(old) = self.by_fen.insert(fen.to_owned(), position.clone())
            && old != *position
        {
            return Err(self.fault("equal FENs are equal positions", &format!("{old:?}, {position:?}"), fen));
        }
        let short = without_clocks(fen);
        if let Some(old) = self.by_hash.insert(position.hash_key(), short.to_owned())
            && old != short
        {
            return Err(self.fault("equal hashes are equal but for the clocks", &old, fen));
        }
        Ok(())
    }

    /// The list of moves against all other ways of asking for them.
    fn lists(&mut self, position: &P, moves: &[Move], fen: &str) -> Result<(), Box<Fault>> {
        let set: HashSet<_> = moves.iter().copied().collect();
        let texts: HashSet<_> = moves.iter().map(ToString::to_string).collect();
        if set.len() != moves.len() || texts.len() != moves.len() {
            let mut sorted: Vec<_> = moves.iter().map(ToString::to_string).collect();
            sorted.sort();
            let twice = sorted.windows(2).find(|w| w[0] == w[1]).map_or("", |w| &w[0]);
            return Err(self.fault("a move is listed once and its UCI text is its own", &twice, fen));
        }
        for &m in moves {
            if !P::INFO.kinds.iter().any(|k| k.name() == m.kind().name()) {
                return Err(self.fault("the game's data list every kind of move", &format!("{m:?}"), fen));
            }
        }
        let guesses = (0..16).filter_map(|_| Move::from_bits(self.dice.next() as u32 >> 5));
        for m in guesses.chain(self.stale.iter().copied()).collect::<Vec<_>>() {
            if position.is_legal(m) != set.contains(&m) {
                return Err(self.fault("a legal move is listed", &format!("{m:?}"), fen));
            }
        }
        let noisy = position.noisy_moves();
        if noisy.iter().collect::<HashSet<_>>().len() != noisy.len() {
            return Err(self.fault("a noisy move is listed once", &format!("{noisy:?}"), fen));
        }
        if let Some(m) = noisy.iter().find(|m| !set.contains(m)) {
            return Err(self.fault("a noisy move is legal", &format!("{m:?}"), fen));
        }
        let mut mating = MoveList::new();
        let _ = position.generate_mating(&mut mating);
        if let Some(m) = mating.iter().find(|m| !set.contains(m)) {
            return Err(self.fault("a move that may win at once is legal", &format!("{m:?}"), fen));
        }
        for &m in moves.iter().filter(|m| !mating.contains(m)) {
            let after = position.after(m);
            if !after.has_legal_move() && after.outcome_without_moves().winner == Some(position.turn()) {
                return Err(self.fault("a move that wins at once is listed among those", &format!("{m:?}"), fen));
            }
        }
        let counted = position.count_legal();
        if counted != moves.len() as u64 || position.has_legal_move() == moves.is_empty() {
            let detail = format!("{counted} counted, {} listed", moves.len());
            return Err(self.fault("moves counted are moves listed", &detail, fen));
        }
        Ok(())
    }

    /// The result, and what is known about it before.
    fn ending(&self, position: &P, moves: &[Move], fen: &str) -> Result<(), Box<Fault>> {
        let outcome = position.outcome();
        let decided = matches!(
            outcome.map(|o| o.reason),
            Some(EndReason::Checkmate | EndReason::Stalemate | EndReason::KingDestroyed | EndReason::GoalReached)
        );
        if decided != moves.is_empty() {
            let detail = format!("{} moves, result {outcome:?}", moves.len());
            return Err(self.fault("a game without moves is finished", &detail, fen));
        }
        let winner = outcome.and_then(|o| o.winner);
        if winner == Some(position.turn()) {
            return Err(self.fault("who has no move does not win", &format!("{outcome:?}"), fen));
        }
        let kings = position.checked_kings();
        if position.in_check() == kings.is_empty() {
            return Err(self.fault("a check is a check of a king", &format!("{kings:?}"), fen));
        }
        let king = Piece::new(position.turn(), Role::King);
        let is_there = |area, square| match position.piece_at(area, square) {
            None => position.held(position.turn()) == Some(Role::King),
            piece => piece == Some(king),
        };
        if let Some(&(area, square)) = kings.iter().find(|&&(area, square)| !is_there(area, square)) {
            return Err(self.fault("a checked king is there or lands there", &format!("{area:?} {square}"), fen));
        }
        if position.is_insufficient() && Color::ALL.into_iter().any(|c| position.can_win(c)) {
            return Err(self.fault("where neither side can win, no side can", &"insufficient material", fen));
        }
        if let Some(next) = position.null_move().filter(|_| !position.in_check())
            && (next.hash_key() != next.compute_hash() || next.turn() == position.turn())
        {
            return Err(self.fault("a null move passes the turn and keeps the hash", &next.fen(), fen));
        }
        Ok(())
    }

    /// What stands where, asked in several ways.
    fn board(&self, position: &P, fen: &str) -> Result<(), Box<Fault>> {
        let areas = || P::INFO.areas.iter().flat_map(|a| a.squares.into_iter().map(|s| (a.area, s)));
        let on_board: HashMap<_, _> =
            areas().filter_map(|(a, s)| Some((Place::Board(a, s), position.piece_at(a, s)?))).collect();
        let pieces = position.pieces();
        let board_pieces = pieces.iter().filter(|p| matches!(p.0, Place::Board(..)));
        if board_pieces.clone().count() != on_board.len()
            || !board_pieces.clone().all(|(at, p)| on_board.get(at) == Some(p))
        {
            return Err(self.fault("pieces are where squares have them", &format!("{pieces:?}"), fen));
        }
        if let Some((_, piece)) = pieces.iter().find(|p| !P::INFO.has_role(p.1.role())) {
            return Err(self.fault("the game's data list every piece", &format!("{piece:?}"), fen));
        }
        for color in Color::ALL {
            let held = pieces.iter().find(|(at, _)| *at == Place::Pocket(color) || *at == Place::Transit(color));
            if held.map(|p| p.1) != position.held(color).map(|role| Piece::new(color, role)) {
                return Err(self.fault("a piece held is among the pieces", &format!("{held:?}"), fen));
            }
        }
        let boards: usize = position.boards().iter().map(|b| b.iter().count()).sum();
        if !position.boards().is_empty() && boards != on_board.len() {
            return Err(self.fault("boards hold the pieces", &format!("{boards} for {}", on_board.len()), fen));
        }
        Ok(())
    }

    /// One legal move and what it leads to.
    fn one_move(&mut self, position: &P, before: &Things, m: Move, noisy: bool) -> Result<(), Box<Fault>> {
        self.report.moves += 1;
        let mut effects = Vec::new();
        let mut next = position.clone();
        next.play_unchecked(m, &mut effects);
        let fault = |run: &Self, promise, detail: &dyn fmt::Display| {
            Err(run.fault(promise, &format!("{m}: {detail}"), &position.fen()))
        };
        if !position.is_legal(m) {
            return fault(self, "a listed move is legal", &format!("{m:?}"));
        }
        if uci::parse(position, &m.to_string()) != Ok(m) || Move::from_bits(m.to_bits()) != Some(m) {
            return fault(self, "a move can be read as it is written", &format!("{m:?}"));
        }
        let text = san::write(position, m);
        let read = san::parse(position, &text);
        if read != Ok(m) {
            return fault(self, "a move can be read as people write it", &format!("{text} gives {read:?}"));
        }
        let mut quiet = position.clone();
        quiet.play_unchecked(m, &mut ());
        let after = position.after(m);
        if after != next || quiet != next || after.hash_key() != next.hash_key() {
            return fault(self, "a move leads to one position, whoever listens", &after.fen());
        }
        if next.hash_key() != next.compute_hash() {
            return fault(self, "the hash kept up is the hash computed", &next.fen());
        }
        let clock = next.halfmove_clock();
        let black = u16::from(position.turn() == Color::Black);
        if next.turn() == position.turn()
            || next.fullmove_number() != position.fullmove_number() + black
            || clock != 0 && clock != position.halfmove_clock() + 1
        {
            return fault(self, "turn and clocks go on by one", &next.fen());
        }
        let mut replayed = before.clone();
        for &effect in &effects {
            if !replayed.replay(effect) {
                return fault(self, "an effect takes only what is there", &format!("{effect:?} of {effects:?}"));
            }
        }
        let there = Things::of(&next);
        if replayed != there {
            return fault(
                self,
                "effects replayed rebuild the board",
                &format!("{effects:?} give {replayed:?}, not {there:?}"),
            );
        }
        let captured = position.captured(m);
        let removed: Vec<_> = effects
            .iter()
            .filter_map(|e| match e {
                Effect::Remove { piece, .. } if piece.color() != position.turn() => Some(*piece),
                _ => None,
            })
            .collect();
        // A marker's move may make pieces vanish or change; that is no capture.
        let by_marker = matches!(m.kind(), MoveKind::Place | MoveKind::Shift);
        if captured.is_some_and(|p| removed != [p]) || captured.is_none() && !removed.is_empty() && !by_marker {
            return fault(self, "what is captured is removed", &format!("{captured:?} captured, {removed:?} removed"));
        }
        if captured.is_some() && !noisy {
            return fault(self, "captures are noisy", &format!("{captured:?} captured"));
        }
        if noisy && before.material() == there.material() {
            return fault(self, "a noisy move changes material", &format!("{effects:?}"));
        }
        Ok(())
    }
}
