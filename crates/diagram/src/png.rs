//! Pictures as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The SVG cannot be read.
    #[error("the picture cannot be drawn: {0}")]
    Svg(String),
    /// It cannot be written.
    #[error("the picture cannot be written: {0}")]
    Png(String),
}

/// The most pixels of a picture.
const MOST: u32 = 4_000_000;

/// Draws an SVG in its own size. Texts are left out: see [`crate::card`].
///
/// # Errors
/// When it is no SVG, or too large.
///
/// # Examples
/// ```
/// let square = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><rect width='8' height='8'/></svg>";
/// assert!(warpchess_diagram::png::png(square)?.starts_with(b"\x89PNG"));
/// # Ok::<(), warpchess_diagram::png::PngError>(())
/// ```
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| PngError::Svg(error.to_string()))?;
    let size = tree.size().to_int_size();
    let mut pixels = Some(size)
        .filter(|size| size.width().saturating_mul(size.height()) <= MOST)
        .and_then(|size| Pixmap::new(size.width(), size.height()))
        .ok_or_else(|| PngError::Svg(format!("{} × {} pixels", size.width(), size.height())))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Png(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::VariantId;

    #[test]
    fn every_game_has_a_card_that_is_not_blank() {
        for variant in VariantId::all() {
            let bytes = png(&crate::card::card(&*variant.start(), &crate::card::Told::default())).expect("a picture");
            let pixels = Pixmap::decode_png(&bytes).expect("a PNG");
            assert_eq!((pixels.width(), pixels.height()), (crate::card::WIDTH, crate::card::HEIGHT), "{variant}");
            let colors: std::collections::HashSet<_> =
                pixels.pixels().iter().map(|p| (p.red(), p.green(), p.blue())).collect();
            assert!(colors.len() > 20, "{variant}: squares and pieces of {} colors", colors.len());
        }
    }
}
