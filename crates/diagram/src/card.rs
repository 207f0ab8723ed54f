//! A position as the picture that is shown where somebody posts a link to it.

use std::fmt::Write;

use warpchess_rules::{AnyPosition, Effect, Place};

use crate::letters::{line, outlined, width};
use crate::svg;

/// Width of the card, in pixels: what sites ask for.
pub const WIDTH: u32 = 1200;
/// Height of the card, in pixels.
pub const HEIGHT: u32 = 630;
/// Space around the position.
const EDGE: u32 = 12;
/// Height of the words below a position that takes the whole width.
const BELOW: u32 = 84;
/// Height of the letters of a title and of what else is said, and of a line of either with the space after it.
const TITLE: f32 = 36.0;
const WORDS: f32 = 25.0;
const LEADING: f32 = 1.9;

/// What a card says beside its position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What it is: the game's name.
    pub title: String,
    /// What there is to say of it: who plays, how it stands.
    pub lines: Vec<String>,
    /// What the last move touched.
    pub last: Vec<Place>,
}

impl Told {
    /// The places that a move touched, from what it did.
    #[must_use]
    pub fn touched(effects: &[Effect]) -> Vec<Place> {
        let places = effects.iter().flat_map(|effect| match *effect {
            Effect::Move { from, to, .. } | Effect::MarkerMove { from, to, .. } => vec![from, to],
            Effect::Add { at, .. } | Effect::MarkerAdd { at, .. } => vec![at],
            Effect::Remove { .. } | Effect::MarkerRemove { .. } => Vec::new(),
        });
        let mut found: Vec<Place> = Vec::new();
        for place in places {
            if !found.contains(&place) {
                found.push(place);
            }
        }
        found
    }
}

/// Draws a position and what is told of it on a card of [`WIDTH`] × [`HEIGHT`], as SVG without a text.
///
/// # Examples
/// ```
/// use warpchess_diagram::card::{Told, card};
///
/// let told = Told { title: "Chess".to_owned(), ..Told::default() };
/// let card = card(&*"chess".parse::<warpchess_rules::VariantId>()?.start(), &told);
/// assert!(card.contains("viewBox=\"0 0 1200 630\"") && !card.contains("<text"));
/// # Ok::<(), warpchess_rules::variants::UnknownVariant>(())
/// ```
pub fn card(position: &dyn AnyPosition, told: &Told) -> String {
    let board = outlined(&svg::after(position, &told.last));
    let broad = position.info().boards.len() > 1;
    let side = HEIGHT - 2 * EDGE;
    // One board leaves room at its side, two leave it below.
    let (wide, high) = if broad { (WIDTH - 2 * EDGE, side - BELOW) } else { (side, side) };
    // A picture inside a picture: it takes the room it is given and keeps its shape.
    let inner =
        board.replacen("<svg ", &format!("<svg x=\"{EDGE}\" y=\"{EDGE}\" width=\"{wide}\" height=\"{high}\" "), 1);
    let mut card = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f6f6f3\"/>{inner}"
    );
    if broad {
        let words = std::iter::once(told.title.as_str()).chain(told.lines.iter().map(String::as_str));
        let words = words.collect::<Vec<_>>().join(" · ");
        write_line(
            &mut card,
            &words,
            (EDGE * 3) as f32,
            (EDGE + high + BELOW / 2) as f32,
            (WIDTH - 6 * EDGE) as f32,
            WORDS,
        );
    } else {
        let left = (side + 3 * EDGE) as f32;
        let room = WIDTH as f32 - left - (2 * EDGE) as f32;
        let mut y = 170.0;
        for (words, size) in std::iter::once((&told.title, TITLE)).chain(told.lines.iter().map(|words| (words, WORDS)))
        {
            for part in wrapped(words, room, size) {
                write_line(&mut card, &part, left, y, room, size);
                y += size * LEADING;
            }
            y += size * 0.5;
        }
        write_line(&mut card, "Warpchess", left, (HEIGHT - 4 * EDGE) as f32, room, WORDS);
    }
    let _ = write!(card, "</svg>");
    card
}

/// Words in lines of no more than `room`, broken where there is a space.
fn wrapped(words: &str, room: f32, size: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(last) if width(last, size) + width(" ", size) + width(word, size) <= room => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// One line, as small as it must be to fit.
fn write_line(card: &mut String, words: &str, x: f32, y: f32, room: f32, size: f32) {
    let size = if width(words, size) > room { size * room / width(words, size) } else { size };
    line(card, words, x, y, size);
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::{Game, VariantId};

    #[test]
    fn a_card_tells_the_game_who_plays_and_the_last_move() {
        for variant in VariantId::all() {
            let mut game = Game::new(variant);
            let first = game.position().legal_moves()[0].to_string();
            game.play_uci(&first).expect("a legal move");
            let bare = card(game.position(), &Told::default());
            let told = Told {
                title: variant.info().names[0].to_owned(),
                lines: vec!["Ann – Bob".to_owned()],
                last: Told::touched(game.effects(0)),
            };
            let full = card(game.position(), &told);
            assert!(full.matches("class=\"last\"").count() > bare.matches("class=\"last\"").count(), "{variant}");
            let letters = |card: &str| card.matches("<path transform=").count();
            assert!(letters(&full) > letters(&bare) + 7, "{variant}");
            assert!(!full.contains("<text"), "{variant}");
        }
    }

    #[test]
    fn long_words_stay_on_the_card() {
        let lines = wrapped("Portal Chess, moving portals", 300.0, TITLE);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, TITLE) <= 300.0), "{lines:?}");
        let mut drawn = String::new();
        write_line(&mut drawn, &"m".repeat(60), 0.0, 0.0, 500.0, WORDS);
        assert!(drawn.contains("scale("), "{drawn}");
    }
}
