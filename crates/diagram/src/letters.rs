//! Letters as lines, for pictures that are drawn where there are no fonts.

use std::fmt::Write;

/// Width of a letter with the space after it, and the height of a capital, in the units of the drawings below.
const ADVANCE: f32 = 13.0;
const HEIGHT: f32 = 16.0;
/// Height of a letter in the picture.
const SIZE: f32 = 20.0;

/// A letter in a box 10 wide with its feet at 16.
const fn outline(letter: char) -> Option<&'static str> {
    Some(match letter {
        'a' => "M8.5 8V16M8.5 11.5Q8.5 7 5 7Q1.5 7 1.5 11.5Q1.5 16 5 16Q8.5 16 8.5 11.5",
        'b' => "M1.5 1V16M1.5 11.5Q1.5 7 5 7Q8.5 7 8.5 11.5Q8.5 16 5 16Q1.5 16 1.5 11.5",
        'c' => "M8.5 8.6Q7 7 5 7Q1.5 7 1.5 11.5Q1.5 16 5 16Q7 16 8.5 14.4",
        'd' => "M8.5 1V16M8.5 11.5Q8.5 7 5 7Q1.5 7 1.5 11.5Q1.5 16 5 16Q8.5 16 8.5 11.5",
        'e' => "M1.5 11.5H8.5Q8.5 7 5 7Q1.5 7 1.5 11.5Q1.5 16 5 16Q7 16 8.3 14.5",
        'f' => "M8 1.6Q4.5 .5 4.5 4V16M1.5 7H7.5",
        'g' => "M8.5 7V17Q8.5 20 5 20Q3 20 1.8 19M8.5 11.5Q8.5 7 5 7Q1.5 7 1.5 11.5Q1.5 16 5 16Q8.5 16 8.5 11.5",
        'h' => "M1.5 1V16M1.5 10.5Q2.5 7 5.2 7Q8.5 7 8.5 10.5V16",
        'A' => "M.5 16L5 1L9.5 16M2.2 11H7.8",
        'B' => "M1.5 1V16H5Q9 16 9 12Q9 8.2 5 8.2H1.5M1.5 1H4.8Q8 1 8 4.6Q8 8.2 5 8.2",
        '0' => "M5 1Q1.3 1 1.3 8.5Q1.3 16 5 16Q8.7 16 8.7 8.5Q8.7 1 5 1Z",
        '1' => "M2 4.2L5.5 1V16",
        '2' => "M1.5 4.6Q1.5 1 5 1Q8.5 1 8.5 4.5Q8.5 7 5.5 10L1.5 16H8.8",
        '3' => "M1.5 2.5Q3 1 5 1Q8.3 1 8.3 4.5Q8.3 8 4.5 8Q8.8 8 8.8 12Q8.8 16 5 16Q2.5 16 1.2 14.3",
        '4' => "M6.8 16V1L1 11.5H9",
        '5' => "M8 1H2.5L2 7.8Q3.2 6.8 5 6.8Q8.8 6.8 8.8 11.3Q8.8 16 5 16Q2.5 16 1.2 14.3",
        '6' => "M7.8 2Q6.8 1 5.4 1Q1.5 1 1.5 9Q1.5 16 5.2 16Q8.7 16 8.7 11.8Q8.7 7.8 5.2 7.8Q2.3 7.8 1.5 10.8",
        '7' => "M1.2 1H8.8L4 16",
        '8' => {
            "M5 8Q1.8 7.5 1.8 4.5Q1.8 1 5 1Q8.2 1 8.2 4.5Q8.2 7.5 5 8Q1.2 8.5 1.2 12Q1.2 16 5 16Q8.8 16 8.8 12Q8.8 8.5 5 8"
        }
        '9' => "M2.2 15Q3.2 16 4.6 16Q8.5 16 8.5 8Q8.5 1 4.8 1Q1.3 1 1.3 5.2Q1.3 9.2 4.8 9.2Q7.7 9.2 8.5 6.2",
        'i' => "M5 7V16M5 2.5V3",
        'j' => "M6 7V17Q6 20 3 20M6 2.5V3",
        'k' => "M1.5 1V16M8 7L1.5 12M4.4 10L8.5 16",
        'l' => "M4 1V13.5Q4 16 7 16",
        'm' => "M1 7V16M1 9Q1.6 7 3 7Q5 7 5 10V16M5 10Q5 7 7 7Q9 7 9 10V16",
        'n' => "M1.5 7V16M1.5 10.5Q2.5 7 5.2 7Q8.5 7 8.5 10.5V16",
        'o' => "M5 7Q1.5 7 1.5 11.5Q1.5 16 5 16Q8.5 16 8.5 11.5Q8.5 7 5 7Z",
        'p' => "M1.5 7V20M1.5 11.5Q1.5 7 5 7Q8.5 7 8.5 11.5Q8.5 16 5 16Q1.5 16 1.5 11.5",
        'q' => "M8.5 7V20M8.5 11.5Q8.5 7 5 7Q1.5 7 1.5 11.5Q1.5 16 5 16Q8.5 16 8.5 11.5",
        'r' => "M2.5 7V16M2.5 10.5Q3.5 7 7.8 7.3",
        's' => "M8 8.4Q7 7 5 7Q2 7 2 9.2Q2 11 5 11.5Q8.3 12 8.3 13.9Q8.3 16 5 16Q2.6 16 1.6 14.4",
        't' => "M4.5 3V13.5Q4.5 16 7.8 15.7M1.5 7H7.8",
        'u' => "M1.5 7V12.5Q1.5 16 4.8 16Q7.5 16 8.5 12.5M8.5 7V16",
        'v' => "M1.2 7L5 16L8.8 7",
        'w' => "M.5 7L2.8 16L5 8L7.2 16L9.5 7",
        'x' => "M1.5 7L8.5 16M8.5 7L1.5 16",
        'y' => "M1.2 7L5 16M8.8 7L4.2 18.5Q3.6 20 1.8 20",
        'z' => "M1.5 7H8.5L1.5 16H8.5",
        'C' => "M9 3.2Q7.6 1 5.2 1Q1 1 1 8.5Q1 16 5.2 16Q7.6 16 9 13.8",
        'D' => "M1.5 1V16H4Q9 16 9 8.5Q9 1 4 1Z",
        'E' => "M8.5 1H1.5V16H8.5M1.5 8.2H7.5",
        'F' => "M8.5 1H1.5V16M1.5 8.2H7.5",
        'G' => "M9 3.2Q7.6 1 5.2 1Q1 1 1 8.5Q1 16 5.2 16Q9 16 9 12V9.5H5.5",
        'H' => "M1.5 1V16M8.5 1V16M1.5 8.2H8.5",
        'I' => "M5 1V16M2.5 1H7.5M2.5 16H7.5",
        'J' => "M7.5 1V12Q7.5 16 4.2 16Q1.5 16 1.2 13",
        'K' => "M1.5 1V16M8.8 1L1.5 9.5M4 7L9 16",
        'L' => "M1.5 1V16H8.5",
        'M' => "M1 16V1L5 9L9 1V16",
        'N' => "M1.5 16V1L8.5 16V1",
        'O' => "M5 1Q1 1 1 8.5Q1 16 5 16Q9 16 9 8.5Q9 1 5 1Z",
        'P' => "M1.5 16V1H5Q8.8 1 8.8 5Q8.8 9 5 9H1.5",
        'Q' => "M5 1Q1 1 1 8.5Q1 16 5 16Q9 16 9 8.5Q9 1 5 1ZM6 12.5L9.2 17.5",
        'R' => "M1.5 16V1H5Q8.8 1 8.8 5Q8.8 9 5 9H1.5M5 9L9 16",
        'S' => "M8.6 3.2Q7.4 1 5 1Q1.4 1 1.4 4.6Q1.4 7.6 5 8.2Q8.8 9 8.8 12.2Q8.8 16 5 16Q2.2 16 1 13.6",
        'T' => "M5 1V16M.8 1H9.2",
        'U' => "M1.5 1V11Q1.5 16 5 16Q8.5 16 8.5 11V1",
        'V' => "M.8 1L5 16L9.2 1",
        'W' => "M.3 1L2.6 16L5 4L7.4 16L9.7 1",
        'X' => "M1 1L9 16M9 1L1 16",
        'Y' => "M1 1L5 8.5L9 1M5 8.5V16",
        'Z' => "M1.2 1H8.8L1.2 16H8.8",
        '-' => "M2.5 10.5H7.5",
        '–' => "M.8 10.5H9.2",
        '_' => "M.5 17.5H9.5",
        '.' => "M5 15.5V16",
        '·' => "M5 10V10.5",
        ',' => "M5.2 15L4 19",
        ':' => "M5 9V9.5M5 15.5V16",
        '(' => "M7 -.5Q3.5 3 3.5 8.5Q3.5 14 7 17.5",
        ')' => "M3 -.5Q6.5 3 6.5 8.5Q6.5 14 3 17.5",
        '\'' => "M5 1V5",
        _ => return None,
    })
}

/// A picture of [`crate::svg`] with every text drawn as lines. Of a text with a colon what stands before it is drawn;
/// letters without a drawing leave a gap.
pub(crate) fn outlined(svg: &str) -> String {
    let mut drawn = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some((before, found)) = rest.split_once("<text ") {
        drawn.push_str(before);
        let Some((text, after)) = found.split_once("</text>") else { break };
        if let Some((attributes, words)) = text.split_once('>') {
            draw(&mut drawn, attributes, words);
        }
        rest = after;
    }
    drawn.push_str(rest);
    drawn
}

fn draw(svg: &mut String, attributes: &str, words: &str) {
    let number =
        |name: &str| -> Option<f32> { attributes.split_once(&format!("{name}=\""))?.1.split_once('"')?.0.parse().ok() };
    let (Some(x), Some(y)) = (number("x"), number("y")) else { return };
    let words = words.split(':').next().unwrap_or_default();
    let scale = SIZE / HEIGHT;
    let ink = if attributes.contains("class=\"count\"") { "#fff" } else { "#3b3f45" };
    put(svg, words, x - width(words, SIZE) / 2.0, y - SIZE, scale, ink);
}

/// How much of the width a letter takes.
const fn advance(letter: char) -> f32 {
    match letter {
        'i' | 'l' | '.' | ',' | ':' | '\'' | '·' | ' ' => 8.0,
        'm' | 'w' | 'M' | 'W' => 14.0,
        _ => ADVANCE,
    }
}

/// How wide words are whose capitals are `size` high.
pub(crate) fn width(words: &str, size: f32) -> f32 {
    let all: f32 = words.chars().map(advance).sum();
    (all - (ADVANCE - 10.0)).max(0.0) * size / HEIGHT
}

/// Words with their feet at `y`, capitals `size` high; letters without a drawing leave a gap.
pub(crate) fn line(svg: &mut String, words: &str, x: f32, y: f32, size: f32) {
    put(svg, words, x, y - size, size / HEIGHT, "#1c2124");
}

fn put(svg: &mut String, words: &str, x: f32, y: f32, scale: f32, ink: &str) {
    let _ = write!(
        svg,
        "<g fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\" stroke-linecap=\"round\" stroke-linejoin=\"round\" \
         transform=\"translate({x} {y}) scale({scale})\">"
    );
    let mut at = 0.0;
    for letter in words.chars() {
        if let Some(lines) = outline(letter) {
            // In the middle of what it takes.
            let left = at + (advance(letter) - ADVANCE) / 2.0;
            let _ = write!(svg, "<path transform=\"translate({left} 0)\" d=\"{lines}\"/>");
        }
        at += advance(letter);
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::VariantId;

    #[test]
    fn no_text_is_left_that_would_need_a_font() {
        for variant in VariantId::all() {
            let svg = outlined(&crate::svg::diagram(&*variant.start()));
            assert!(!svg.contains("<text"), "{variant}");
            assert!(svg.contains("stroke-linecap"), "{variant}: the coordinates are drawn");
        }
    }

    #[test]
    fn what_cards_say_has_drawings() {
        let names = VariantId::all().flat_map(|variant| variant.info().names[0].chars());
        let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain("-–_.·,:()".chars()).chain(names);
        for letter in letters.filter(|&letter| letter != ' ') {
            assert!(outline(letter).is_some(), "{letter}");
        }
    }
}
