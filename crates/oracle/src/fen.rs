//! What the FENs of all games have in common.

use crate::board::{Board, Color};

/// The blank-separated fields of a FEN, exactly as many as expected.
pub(crate) fn fields<const N: usize>(fen: &str) -> Result<[&str; N], String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let count = fields.len();
    fields.try_into().map_err(|_| format!("FEN: {count} fields instead of {N}"))
}

/// Reads the side to move.
pub(crate) fn read_side(text: &str) -> Result<Color, String> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(format!("side to move: `{text}` is neither `w` nor `b`")),
    }
}

/// Writes the side to move.
pub(crate) fn write_side(color: Color) -> &'static str {
    match color {
        Color::White => "w",
        Color::Black => "b",
    }
}

/// The two counters at the end of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clocks {
    /// Plies since the last irreversible move.
    pub(crate) half: u32,
    /// The number of the move, counted up after Black's turn.
    pub(crate) full: u32,
}

impl Clocks {
    pub(crate) fn read(half: &str, full: &str) -> Result<Clocks, String> {
        let number = |name: &str, text: &str| match text.parse::<u32>() {
            Ok(number) if number <= 1_000_000 && text.bytes().all(|b| b.is_ascii_digit()) => Ok(number),
            _ => Err(format!("{name}: `{text}` is not a number up to 1000000")),
        };
        let clocks = Clocks { half: number("halfmove clock", half)?, full: number("fullmove number", full)? };
        if clocks.full == 0 {
            return Err("fullmove number: 0 is less than 1".to_owned());
        }
        Ok(clocks)
    }

    /// The clocks after a turn of `color`.
    pub(crate) fn after(self, color: Color, irreversible: bool) -> Clocks {
        Clocks {
            half: if irreversible { 0 } else { self.half + 1 },
            full: if color == Color::Black { self.full + 1 } else { self.full },
        }
    }

    pub(crate) fn write(self) -> String {
        format!("{} {}", self.half, self.full)
    }
}

/// Writes something optional, `-` for none.
pub(crate) fn write_optional(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Checks that each side has exactly one king.
pub(crate) fn check_kings(board: &Board) -> Result<(), String> {
    for color in Color::ALL {
        let kings = board.count_kings(color);
        if kings != 1 {
            return Err(format!("placement: {color:?} has {kings} kings instead of 1"));
        }
    }
    Ok(())
}

/// Checks that no pawn stands on the first or last rank, as seen from its own side, where it cannot.
pub(crate) fn check_pawns(board: &Board, first: bool, last: bool) -> Result<(), String> {
    for color in Color::ALL {
        for (square, piece) in board.pieces(color) {
            let rank = square.rank();
            let wrong = (!first && rank == color.rank(1)) || (!last && rank == color.rank(8));
            if piece.role == 'P' && wrong {
                return Err(format!("placement: {color:?} cannot have a pawn on {square}"));
            }
        }
    }
    Ok(())
}
