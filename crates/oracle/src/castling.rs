//! Castling: rights, and the squares it concerns.

use crate::board::{Board, Color, Square};

/// The side of the board to which the king castles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wing {
    King,
    Queen,
}

impl Wing {
    pub(crate) const ALL: [Wing; 2] = [Wing::King, Wing::Queen];
}

/// The squares of one way to castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Castling {
    pub(crate) king_from: Square,
    pub(crate) king_to: Square,
    /// The square the king passes over.
    pub(crate) king_over: Square,
    pub(crate) rook_from: Square,
}

impl Castling {
    pub(crate) fn new(color: Color, wing: Wing) -> Castling {
        let square = |file| Square::at(file, color.rank(1)).expect("a file from a to h");
        let (king_to, king_over, rook_from) = match wing {
            Wing::King => (6, 5, 7),
            Wing::Queen => (2, 3, 0),
        };
        Castling {
            king_from: square(4),
            king_to: square(king_to),
            king_over: square(king_over),
            rook_from: square(rook_from),
        }
    }

    /// The squares between king and rook.
    pub(crate) fn between(self) -> impl Iterator<Item = Square> {
        let low = self.king_from.min(self.rook_from);
        let high = self.king_from.max(self.rook_from);
        Square::all().filter(move |&square| low < square && square < high)
    }

    /// Whether king and rook stand where they castle from.
    fn stands(self, board: &Board, color: Color) -> bool {
        board.has(self.king_from)
            && board.has(self.rook_from)
            && board.holds(self.king_from, color, 'K')
            && board.holds(self.rook_from, color, 'R')
    }

    /// Moves king and rook.
    pub(crate) fn play(self, board: &mut Board) {
        let king = board.take(self.king_from);
        board.set(self.king_to, king);
        let rook = board.take(self.rook_from);
        board.set(self.king_over, rook);
    }
}

/// Which ways to castle neither side has lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Rights([[bool; 2]; 2]);

impl Rights {
    const LETTERS: [(char, Color, Wing); 4] = [
        ('K', Color::White, Wing::King),
        ('Q', Color::White, Wing::Queen),
        ('k', Color::Black, Wing::King),
        ('q', Color::Black, Wing::Queen),
    ];

    /// Reads some of `KQkq` in this order, or `-`.
    pub(crate) fn read(text: &str, board: &Board) -> Result<Rights, String> {
        let mut rights = Rights::default();
        for (letter, color, wing) in Rights::LETTERS {
            if text.contains(letter) {
                if !Castling::new(color, wing).stands(board, color) {
                    return Err(format!("castling: `{letter}` without king and rook in place"));
                }
                rights.0[color.index()][wing as usize] = true;
            }
        }
        if rights.write() == text {
            Ok(rights)
        } else {
            Err(format!("castling: `{text}` is neither `-` nor some of `KQkq` in this order"))
        }
    }

    pub(crate) fn write(self) -> String {
        let letters: String = Rights::LETTERS
            .into_iter()
            .filter(|&(_, color, wing)| self.has(color, wing))
            .map(|(letter, _, _)| letter)
            .collect();
        if letters.is_empty() { "-".to_owned() } else { letters }
    }

    pub(crate) fn has(self, color: Color, wing: Wing) -> bool {
        self.0[color.index()][wing as usize]
    }

    /// Something left or arrived on the square: what has its king or rook there is lost.
    pub(crate) fn touch(&mut self, square: Square) {
        for (_, color, wing) in Rights::LETTERS {
            let castling = Castling::new(color, wing);
            if square == castling.king_from || square == castling.rook_from {
                self.0[color.index()][wing as usize] = false;
            }
        }
    }

    /// Calls `emit` with every way in which `color` may castle, save that the king's destination may
    /// be attacked. `attacked` tells whether the king of `color` is attacked on a board.
    pub(crate) fn each(
        self,
        board: &Board,
        color: Color,
        attacked: &dyn Fn(&Board) -> bool,
        emit: &mut dyn FnMut(Wing),
    ) {
        for wing in Wing::ALL {
            if !self.has(color, wing) {
                continue;
            }
            let castling = Castling::new(color, wing);
            if castling.between().any(|square| !board.is_empty(square)) || attacked(board) {
                continue;
            }
            let mut halfway = board.clone();
            let king = halfway.take(castling.king_from);
            halfway.set(castling.king_over, king);
            if !attacked(&halfway) {
                emit(wing);
            }
        }
    }
}
