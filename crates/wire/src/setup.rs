//! Positions taken to pieces, for editors: a set-up may be as wrong as it likes, and is told what is wrong with it.
//!
//! Which fields a FEN has follows from what the game is made of; what may stand in them is for the game to say.

use serde::{Deserialize, Serialize};
use warpchess_rules::info::AreaInfo;
use warpchess_rules::{Color, FenError, FenField, MarkerKind, Piece, VariantId, VariantInfo};

use crate::error::{Error, Field};

/// The longest FEN that is looked at.
const MAX_LEN: usize = 2048;
/// The most pieces or markers of a set-up.
const MAX_THINGS: usize = 512;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Owner {
    White,
    Black,
}

impl From<Owner> for Color {
    fn from(owner: Owner) -> Self {
        match owner {
            Owner::White => Self::White,
            Owner::Black => Self::Black,
        }
    }
}

impl From<Color> for Owner {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Spot {
    Board { area: char, square: String },
    Pocket { pocket: Owner },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct What {
    color: Owner,
    role: char,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PieceAt {
    piece: What,
    at: Spot,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PortalAt {
    owner: Option<Owner>,
    at: Spot,
    count: u8,
}

/// Everything that a FEN tells, field by field. Texts are as they stand in the FEN, lists have an entry an area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    pieces: Vec<PieceAt>,
    portals: Vec<PortalAt>,
    turn: Owner,
    /// The area due, where turns alternate.
    area: Option<char>,
    castling: Vec<String>,
    ep: Vec<String>,
    /// White's and Black's declarations, where turns alternate.
    intents: Vec<String>,
    halfmove: String,
    fullmove: String,
}

/// A set-up, its FEN, and what is wrong with it.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    setup: Setup,
    /// In the usual form if there is nothing wrong.
    fen: String,
    problem: Option<Error>,
}

impl Judged {
    /// Takes a FEN to pieces. Fields may be missing at its end.
    ///
    /// # Errors
    /// When the text cannot be shown as a set-up; one that is merely not allowed can.
    pub(crate) fn read(variant: VariantId, fen: &str) -> Result<Self, Error> {
        let position = variant.from_fen(fen);
        let text = position.as_ref().map_or_else(|_| fen.to_owned(), |position| position.fen());
        let setup = read(variant.info(), &text)?;
        Ok(Self { setup, fen: text, problem: position.err().map(Error::from) })
    }

    /// Puts a FEN together.
    pub(crate) fn write(variant: VariantId, setup: Setup) -> Result<Self, Error> {
        if setup.pieces.len() > MAX_THINGS || setup.portals.len() > MAX_THINGS {
            let plain = Error::new(Field::Request, format_args!("more than {MAX_THINGS} pieces or portals"));
            return Err(plain.because("things", [("most", MAX_THINGS.to_string())]));
        }
        let text = write(variant.info(), &setup);
        Ok(match variant.from_fen(&text) {
            Ok(position) => Self { setup, fen: position.fen(), problem: None },
            Err(error) => Self { setup, fen: text, problem: Some(error.into()) },
        })
    }
}

/// First file and number of files.
fn files(area: &AreaInfo) -> (u8, u8) {
    let used = area.squares.into_iter().map(|square| square.file());
    let (least, most) = used.fold((7, 0), |(least, most), file| (file.min(least), file.max(most)));
    (least, most.saturating_sub(least) + 1)
}

fn square_name(file: u8, rank: u8) -> String {
    format!("{}{}", (b'a' + file) as char, rank + 1)
}

fn is_square(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// Whose portals a game has: nobody's, each side's, or there are none.
enum Portals {
    None,
    Neutral,
    Owned,
}

fn portals(info: &VariantInfo) -> Portals {
    let portal = info.markers.iter().find(|marker| marker.kind == MarkerKind::Portal);
    match portal.map(|marker| marker.owner) {
        None => Portals::None,
        Some(None) => Portals::Neutral,
        Some(Some(_)) => Portals::Owned,
    }
}

/// What stands in a field: never nothing, and never two words.
fn word(text: &str) -> String {
    let word: String = text.chars().filter(|c| !c.is_whitespace()).take(64).collect();
    if word.is_empty() { "-".to_owned() } else { word }
}

fn words(texts: &[String], count: usize, joint: &str) -> String {
    let words: Vec<String> =
        (0..count).map(|i| texts.get(i).map_or_else(|| "-".to_owned(), |text| word(text))).collect();
    words.join(joint)
}

fn write(info: &VariantInfo, setup: &Setup) -> String {
    let letter = |what: &What| {
        let role = what.role;
        if what.color == Owner::White { role.to_ascii_uppercase() } else { role.to_ascii_lowercase() }
    };
    let placements: Vec<String> = info.areas.iter().map(|area| placement(area, setup, &letter)).collect();
    let mut fields = vec![placements.join("|")];
    if info.pocket {
        let pocketed = |owner| {
            let there = setup.pieces.iter().filter(move |p| p.at == Spot::Pocket { pocket: owner });
            there.map(|p| letter(&p.piece)).collect::<String>()
        };
        fields[0] += &format!("[{}{}]", pocketed(Owner::White), pocketed(Owner::Black));
    }
    fields.push(Color::from(setup.turn).letter().to_string());
    let areas = info.areas.len();
    if info.alternating() {
        fields.push(setup.area.unwrap_or('-').to_string());
    }
    fields.push(words(&setup.castling, areas, "|"));
    fields.push(words(&setup.ep, areas, "|"));
    match portals(info) {
        Portals::None => {}
        Portals::Neutral => fields.push(word(&neutral(setup))),
        Portals::Owned => {
            let of = |owner| setup.portals.iter().find(|p| p.owner == Some(owner)).and_then(|p| p.at.square());
            fields.push(format!("{}{}", of(Owner::White).unwrap_or("-"), of(Owner::Black).unwrap_or("-")));
        }
    }
    if info.alternating() {
        fields.push(words(&setup.intents, 2, "/"));
    }
    fields.push(word(&setup.halfmove));
    fields.push(word(&setup.fullmove));
    fields.join(" ")
}

impl Spot {
    fn square(&self) -> Option<&str> {
        match self {
            Self::Board { square, .. } if is_square(square) => Some(square),
            _ => None,
        }
    }
}

fn neutral(setup: &Setup) -> String {
    let squares = setup.portals.iter().filter_map(|p| Some(p.at.square()?.repeat(usize::from(p.count))));
    squares.collect()
}

fn placement(area: &AreaInfo, setup: &Setup, letter: &dyn Fn(&What) -> char) -> String {
    let (first, width) = files(area);
    let here = area.area.letter();
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut gap = 0;
        for file in first..first + width {
            let spot = Spot::Board { area: here, square: square_name(file, rank) };
            match setup.pieces.iter().find(|p| p.at == spot) {
                Some(p) => {
                    if gap > 0 {
                        text += &gap.to_string();
                    }
                    gap = 0;
                    text.push(letter(&p.piece));
                }
                None => gap += 1,
            }
        }
        if gap > 0 {
            text += &gap.to_string();
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// What is wrong, for people who read English and, as a word with its values, for those who do not.
fn bad<const N: usize>(
    field: FenField,
    problem: String,
    code: &'static str,
    params: [(&'static str, String); N],
) -> Error {
    Error::from(FenError::new(field, problem)).because(code, params)
}

fn read(info: &VariantInfo, fen: &str) -> Result<Setup, Error> {
    if fen.len() > MAX_LEN {
        let problem = format!("{} bytes of text, at most {MAX_LEN} expected", fen.len());
        return Err(bad(FenField::Text, problem, "long", [("most", MAX_LEN.to_string())]));
    }
    let mut fields = fen.split_ascii_whitespace();
    let (placements, pocket) = match fields.next() {
        None => return Err(bad(FenField::Text, "there is no text".to_owned(), "missing", [])),
        Some(text) => text.split_once('[').unwrap_or((text, "")),
    };
    let mut pieces = Vec::new();
    let parts: Vec<&str> = placements.split('|').collect();
    if parts.len() != info.areas.len() {
        let problem = format!("{} parts joined by '|', {} expected", parts.len(), info.areas.len());
        let params = [("n", parts.len().to_string()), ("needed", info.areas.len().to_string())];
        return Err(bad(FenField::Placement, problem, "areas", params));
    }
    for (area, text) in info.areas.iter().zip(parts) {
        read_placement(area, text, &mut pieces)?;
    }
    for c in pocket.trim_end_matches(']').chars() {
        let piece = what(c).ok_or_else(|| {
            bad(
                FenField::Pocket,
                format!("'{c}' is not the letter of a piece"),
                "pocketLetter",
                [("text", c.to_string())],
            )
        })?;
        pieces.push(PieceAt { at: Spot::Pocket { pocket: piece.color }, piece });
    }
    let turn = match fields.next() {
        None | Some("w") => Owner::White,
        Some("b") => Owner::Black,
        Some(other) => {
            let problem = format!("'{}', 'w' or 'b' expected", short(other));
            return Err(bad(FenField::Side, problem, "side", [("text", excerpt(other))]));
        }
    };
    let area = if info.alternating() {
        let letters = || info.areas.iter().map(|area| area.area.letter());
        let due = fields.next().unwrap_or("A");
        let found = letters().find(|letter| due == letter.to_string());
        Some(found.ok_or_else(|| {
            let known: Vec<String> = letters().map(|letter| format!("'{letter}'")).collect();
            let problem = format!("'{}', {} expected", short(due), known.join(" or "));
            bad(FenField::Area, problem, "area", [("text", excerpt(due))])
        })?)
    } else {
        None
    };
    let mut texts = |joint: char| -> Vec<String> { fields.next().unwrap_or("-").split(joint).map(short).collect() };
    let (castling, ep) = (texts('|'), texts('|'));
    let portals = match portals(info) {
        Portals::None => Vec::new(),
        Portals::Neutral => read_neutral(info, &texts(' ').concat())?,
        Portals::Owned => read_owned(info, &texts(' ').concat())?,
    };
    let intents = if info.alternating() { texts('/') } else { Vec::new() };
    let mut number = |usual: &str| fields.next().map_or_else(|| usual.to_owned(), short);
    let (halfmove, fullmove) = (number("0"), number("1"));
    Ok(Setup { pieces, portals, turn, area, castling, ep, intents, halfmove, fullmove })
}

fn short(text: &str) -> String {
    text.chars().take(1024).collect()
}

/// As much of a text as a sentence has room for.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

fn what(letter: char) -> Option<What> {
    let piece = Piece::from_letter(letter).ok()?;
    Some(What { color: piece.color().into(), role: piece.role().letter() })
}

fn read_placement(area: &AreaInfo, text: &str, pieces: &mut Vec<PieceAt>) -> Result<(), Error> {
    let (first, width) = files(area);
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        let problem = format!("{} ranks, 8 expected", ranks.len());
        return Err(bad(FenField::Placement, problem, "ranks", [("n", ranks.len().to_string())]));
    }
    for (rank, text) in (0..8).rev().zip(ranks) {
        let mut file = 0;
        for c in text.chars() {
            if let Some(gap) = c.to_digit(10) {
                file += gap as u8;
            } else {
                let piece = what(c).ok_or_else(|| {
                    let problem = format!("'{c}' in rank {} is not the letter of a piece", rank + 1);
                    let params = [("text", c.to_string()), ("rank", (rank + 1).to_string())];
                    bad(FenField::Placement, problem, "letter", params)
                })?;
                let square = square_name(first + file.min(width - 1), rank);
                pieces.push(PieceAt { piece, at: Spot::Board { area: area.area.letter(), square } });
                file += 1;
            }
            if file > width {
                break;
            }
        }
        if file != width {
            let problem = format!("rank {} does not have {width} squares", rank + 1);
            let params = [("rank", (rank + 1).to_string()), ("width", width.to_string())];
            return Err(bad(FenField::Placement, problem, "width", params));
        }
    }
    Ok(())
}

fn on_first_area(info: &VariantInfo, square: &str) -> Spot {
    Spot::Board { area: info.areas.first().map_or('A', |area| area.area.letter()), square: square.to_owned() }
}

fn read_neutral(info: &VariantInfo, text: &str) -> Result<Vec<PortalAt>, Error> {
    let mut found: Vec<PortalAt> = Vec::new();
    if text == "-" {
        return Ok(found);
    }
    let letters: Vec<char> = text.chars().collect();
    for pair in letters.chunks(2) {
        let square: String = pair.iter().collect();
        if !is_square(&square) {
            let problem = format!("'{square}' is not a square");
            return Err(bad(FenField::Portals, problem, "square", [("text", square)]));
        }
        let at = on_first_area(info, &square);
        match found.iter_mut().find(|p| p.at == at) {
            Some(p) => p.count = p.count.saturating_add(1),
            None => found.push(PortalAt { owner: None, at, count: 1 }),
        }
    }
    Ok(found)
}

fn read_owned(info: &VariantInfo, text: &str) -> Result<Vec<PortalAt>, Error> {
    let mut found = Vec::new();
    let mut rest = text;
    for owner in [Owner::White, Owner::Black] {
        if let Some(left) = rest.strip_prefix('-') {
            rest = left;
        } else if let Some((square, left)) = rest.split_at_checked(2).filter(|(square, _)| is_square(square)) {
            found.push(PortalAt { owner: Some(owner), at: on_first_area(info, square), count: 1 });
            rest = left;
        } else if !rest.is_empty() {
            break;
        }
    }
    if rest.is_empty() {
        return Ok(found);
    }
    let problem = format!("'{}' is not a square or '-'", short(rest));
    Err(bad(FenField::Portals, problem, "square", [("text", excerpt(rest))]))
}
