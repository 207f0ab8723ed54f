//! A position as the picture that is shown where somebody posts a link to it.

use warpchess_rules::AnyPosition;

use crate::letters::outlined;
use crate::svg;

/// Width of the card, in pixels: what sites ask for.
pub const WIDTH: u32 = 1200;
/// Height of the card, in pixels.
pub const HEIGHT: u32 = 630;
/// Space around the position.
const EDGE: u32 = 12;

/// Draws a position on a card of [`WIDTH`] × [`HEIGHT`], as SVG without a text.
///
/// # Examples
/// ```
/// let card = warpchess_diagram::card::card(&*"chess".parse::<warpchess_rules::VariantId>()?.start());
/// assert!(card.contains("viewBox=\"0 0 1200 630\"") && !card.contains("<text"));
/// # Ok::<(), warpchess_rules::variants::UnknownVariant>(())
/// ```
pub fn card(position: &dyn AnyPosition) -> String {
    let board = outlined(&svg::diagram(position));
    // A picture inside a picture: it takes the room it is given and keeps its shape.
    let inner = board.replacen(
        "<svg ",
        &format!("<svg x=\"{EDGE}\" y=\"{EDGE}\" width=\"{}\" height=\"{}\" ", WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE),
        1,
    );
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f8f6f1\"/>{inner}</svg>"
    )
}
