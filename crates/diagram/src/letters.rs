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
    let width = words.chars().count() as f32 * ADVANCE - (ADVANCE - 10.0);
    let ink = if attributes.contains("class=\"count\"") { "#fff" } else { "#3b3f45" };
    let _ = write!(
        svg,
        "<g fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\" stroke-linecap=\"round\" stroke-linejoin=\"round\" \
         transform=\"translate({} {}) scale({scale})\">",
        x - width * scale / 2.0,
        y - SIZE
    );
    for (i, letter) in words.chars().enumerate() {
        if let Some(lines) = outline(letter) {
            let _ = write!(svg, "<path transform=\"translate({} 0)\" d=\"{lines}\"/>", i as f32 * ADVANCE);
        }
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
    fn files_ranks_and_counts_have_drawings() {
        assert!("abcdefghAB0123456789".chars().all(|letter| outline(letter).is_some()));
    }
}
