//! What is seen in one game.

use warpchess_rules::{AnyPosition, Color, Game, Move, MoveKind, Role};

use crate::features::Feature;
use crate::play::Recorded;

/// A turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// Whose.
    pub color: Color,
    /// In which full move, from 1.
    pub number: u16,
    /// How many legal moves there were.
    pub choices: u32,
    /// What it was besides a move.
    pub features: Vec<Feature>,
    /// Whether it took an enemy piece away.
    pub captures: bool,
    /// Whether it left the opponent in check.
    pub checks: bool,
    /// What a piece became by it.
    pub becomes: Option<Role>,
    /// What the mover thought of the position before it, from White's view, in hundredths of a pawn.
    pub score: i32,
}

impl Turn {
    /// Whether it was of a kind that chess does not have and that can decide a game.
    pub fn special(&self) -> bool {
        self.features.iter().any(|feature| feature.decides())
    }
}

/// What was seen in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Facts {
    /// The game's number, from 0.
    pub number: u64,
    /// Who won.
    pub winner: Option<Color>,
    /// Why it ended.
    pub ending: String,
    /// Its turns.
    pub turns: Vec<Turn>,
    /// What the pieces of both sides were worth at the start and are at the end, in hundredths of a pawn.
    pub material: [i32; 2],
    /// The first move, as people write it.
    pub first: Option<String>,
    /// The whole game, as people write it.
    pub text: String,
    /// Where it began, if not at the game's own start.
    pub fen: Option<String>,
}

/// Takes the facts from a game that was played over.
///
/// # Errors
/// When the record does not belong to the game.
pub fn measure(game: &Game, recorded: &Recorded) -> Result<Facts, String> {
    let unlike = || format!("{} moves and {} scores", game.len(), recorded.scores.len());
    if recorded.scores.len() != game.len() {
        return Err(unlike());
    }
    let mut turns = Vec::with_capacity(game.len());
    let mut text = String::new();
    let mut first = None;
    for (ply, (m, &score)) in game.moves().zip(&recorded.scores).enumerate() {
        let (before, after) = game.position_at(ply).zip(game.position_at(ply + 1)).ok_or_else(unlike)?;
        let color = before.turn();
        let effects = game.effects(ply);
        let number = before.fullmove_number();
        let san = game.san(ply).ok_or_else(unlike)?;
        match color {
            Color::White => text += &format!("{}{number}. ", if ply == 0 { "" } else { " " }),
            Color::Black if ply == 0 => text += &format!("{number}... "),
            Color::Black => text.push(' '),
        }
        text += &san;
        first.get_or_insert(san);
        let enemies = |position: &dyn AnyPosition| pieces(position, !color);
        turns.push(Turn {
            color,
            number,
            choices: before.legal_moves().len() as u32,
            features: Feature::of_turn(before, m, effects),
            captures: enemies(after) < enemies(before),
            checks: after.in_check(),
            becomes: m.role().filter(|_| changes(before, m)),
            score,
        });
    }
    Ok(Facts {
        number: recorded.number,
        winner: recorded.winner.map(Color::from),
        ending: recorded.ending.clone(),
        material: [0, game.len()].map(|ply| game.position_at(ply).map_or(0, material)),
        turns,
        first,
        text,
        fen: recorded.fen.clone(),
    })
}

fn pieces(position: &dyn AnyPosition, color: Color) -> usize {
    position.pieces().iter().filter(|(_, piece)| piece.color() == color).count()
}

/// Whether the role of a move is another than that of the piece that moves. What is dropped was in the pocket as it is.
fn changes(before: &dyn AnyPosition, m: Move) -> bool {
    m.kind() != MoveKind::Drop && before.piece_at(before.area(), m.from()).map(|piece| piece.role()) != m.role()
}

fn material(position: &dyn AnyPosition) -> i32 {
    position.pieces().iter().map(|(_, piece)| position.info().value(piece.role())).sum()
}

/// From so much on, in hundredths of a pawn, a side leads.
const LEAD: i32 = 100;
/// From so much on, if it lasts, the game is decided.
const DECISIVE: i32 = 200;

impl Facts {
    /// How often the lead went from one side to the other.
    pub fn lead_changes(&self) -> u32 {
        let mut leader = None;
        let mut changes = 0;
        for turn in &self.turns {
            let now = match turn.score {
                LEAD.. => Color::White,
                ..=-100 => Color::Black,
                _ => continue,
            };
            if leader.is_some_and(|leader| leader != now) {
                changes += 1;
            }
            leader = Some(now);
        }
        changes
    }

    /// Whether the winner had been behind.
    pub fn comeback(&self) -> bool {
        self.winner.is_some_and(|winner| self.turns.iter().any(|turn| of(winner, turn.score) <= -LEAD))
    }

    /// The winner's turn that decided: the last one before, or the first one at which, the winner was ahead for good. The index
    /// of a ply; `None` for draws.
    pub fn blow(&self) -> Option<usize> {
        let winner = self.winner?;
        let ahead = self.turns.iter().rev().take_while(|turn| of(winner, turn.score) >= DECISIVE).count();
        let from = (self.turns.len() - ahead).min(self.turns.len().checked_sub(1)?);
        // Where the loser is to move and already lost, the move before was it.
        (0..=from).rev().find(|&ply| self.turns[ply].color == winner)
    }

    /// Whether what is special about the game was among the winner's last three turns.
    pub fn special_finish(&self) -> bool {
        let Some(winner) = self.winner else { return false };
        self.turns.iter().rev().filter(|turn| turn.color == winner).take(3).any(Turn::special)
    }

    /// Whether the turn that decided was special.
    pub fn special_blow(&self) -> bool {
        self.blow().is_some_and(|ply| self.turns[ply].special())
    }
}

/// A score from the view of a side.
fn of(color: Color, score: i32) -> i32 {
    match color {
        Color::White => score,
        Color::Black => -score,
    }
}
