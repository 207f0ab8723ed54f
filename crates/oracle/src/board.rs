//! Squares, pieces and a mailbox board.

use std::fmt;
use std::ops::RangeInclusive;

/// A side of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Color {
    White,
    Black,
}

impl Color {
    pub(crate) const ALL: [Color; 2] = [Color::White, Color::Black];

    pub(crate) fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// The direction in which this side's pawns advance, in ranks.
    pub(crate) fn forward(self) -> i8 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// The index (0 = rank 1) of this side's `n`-th rank, counted from 1 at its own edge.
    pub(crate) fn rank(self, n: i8) -> i8 {
        match self {
            Color::White => n - 1,
            Color::Black => 8 - n,
        }
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// A square a1..h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Square(u8);

impl Square {
    /// The square at zero-based `file` and `rank`, if there is one.
    pub(crate) fn at(file: i8, rank: i8) -> Option<Square> {
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        on_board.then_some(Square((rank * 8 + file) as u8))
    }

    /// All squares, a1, b1, … h8: sorted by rank, then file.
    pub(crate) fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    pub(crate) fn file(self) -> i8 {
        (self.0 % 8) as i8
    }

    pub(crate) fn rank(self) -> i8 {
        (self.0 / 8) as i8
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Reads a name such as `e4`.
    pub(crate) fn read(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Square::at((file - b'a') as i8, (rank - b'1') as i8),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = (b'a' + self.file() as u8) as char;
        write!(f, "{file}{}", self.rank() + 1)
    }
}

/// A piece or pawn: its side, and its letter in upper case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) color: Color,
    pub(crate) role: char,
}

impl Piece {
    pub(crate) fn new(color: Color, role: char) -> Piece {
        Piece { color, role }
    }

    /// Reads a FEN letter, if its upper case is one of `roles`.
    pub(crate) fn read(letter: char, roles: &str) -> Option<Piece> {
        let role = letter.to_ascii_uppercase();
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        roles.contains(role).then_some(Piece { color, role })
    }

    /// The FEN letter: upper case for White, lower case for Black.
    pub(crate) fn letter(self) -> char {
        match self.color {
            Color::White => self.role,
            Color::Black => self.role.to_ascii_lowercase(),
        }
    }
}

/// A mailbox board of all eight ranks and some neighbouring files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    first_file: i8,
    last_file: i8,
    squares: [Option<Piece>; 64],
}

impl Board {
    fn empty(files: RangeInclusive<char>) -> Board {
        Board {
            first_file: *files.start() as i8 - b'a' as i8,
            last_file: *files.end() as i8 - b'a' as i8,
            squares: [None; 64],
        }
    }

    /// Reads a FEN placement of a board with the given files.
    pub(crate) fn read(text: &str, files: RangeInclusive<char>, roles: &str) -> Result<Board, String> {
        let mut board = Board::empty(files);
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 8 {
            return Err(format!("placement: {} ranks instead of 8", rows.len()));
        }
        let width = board.last_file - board.first_file + 1;
        for (row, rank) in rows.iter().zip((0..8).rev()) {
            let wrong = |what: &str| format!("placement: rank {} `{row}`: {what}", rank + 1);
            let mut file = board.first_file;
            let mut after_digit = false;
            for letter in row.chars() {
                if let Some(digit @ 1..=8) = letter.to_digit(10) {
                    if after_digit {
                        return Err(wrong("two numbers side by side"));
                    }
                    file += digit as i8;
                    after_digit = true;
                } else {
                    let piece = Piece::read(letter, roles)
                        .ok_or_else(|| wrong(&format!("no piece has the letter `{letter}`")))?;
                    let square =
                        Square::at(file, rank).filter(|&square| board.has(square)).ok_or_else(|| wrong("too long"))?;
                    board.set(square, Some(piece));
                    file += 1;
                    after_digit = false;
                }
                if file > board.last_file + 1 {
                    return Err(wrong("too long"));
                }
            }
            if file != board.last_file + 1 {
                return Err(wrong(&format!("not {width} squares")));
            }
        }
        Ok(board)
    }

    /// The FEN placement.
    pub(crate) fn write(&self) -> String {
        let mut rows = Vec::new();
        for rank in (0..8).rev() {
            let mut row = String::new();
            let mut gap = 0;
            for file in self.first_file..=self.last_file {
                match Square::at(file, rank).and_then(|square| self.get(square)) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            row += &gap.to_string();
                        }
                        gap = 0;
                        row.push(piece.letter());
                    }
                }
            }
            if gap > 0 {
                row += &gap.to_string();
            }
            rows.push(row);
        }
        rows.join("/")
    }

    /// Whether the square belongs to this board.
    pub(crate) fn has(&self, square: Square) -> bool {
        (self.first_file..=self.last_file).contains(&square.file())
    }

    pub(crate) fn get(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    pub(crate) fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.index()] = piece;
    }

    /// Lifts whatever stands on the square.
    pub(crate) fn take(&mut self, square: Square) -> Option<Piece> {
        self.squares[square.index()].take()
    }

    pub(crate) fn is_empty(&self, square: Square) -> bool {
        self.get(square).is_none()
    }

    pub(crate) fn holds(&self, square: Square, color: Color, role: char) -> bool {
        self.get(square) == Some(Piece { color, role })
    }

    pub(crate) fn holds_color(&self, square: Square, color: Color) -> bool {
        self.get(square).is_some_and(|piece| piece.color == color)
    }

    /// All squares of one side's pieces, with the pieces.
    pub(crate) fn pieces(&self, color: Color) -> impl Iterator<Item = (Square, Piece)> {
        Square::all()
            .filter_map(|square| Some((square, self.get(square)?)))
            .filter(move |(_, piece)| piece.color == color)
    }

    pub(crate) fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color).find(|(_, piece)| piece.role == 'K').map(|(square, _)| square)
    }

    pub(crate) fn count_kings(&self, color: Color) -> usize {
        self.pieces(color).filter(|(_, piece)| piece.role == 'K').count()
    }

    /// The square one step away, if it is on this board.
    pub(crate) fn step(&self, from: Square, (files, ranks): (i8, i8)) -> Option<Square> {
        Square::at(from.file() + files, from.rank() + ranks).filter(|&to| self.has(to))
    }
}
