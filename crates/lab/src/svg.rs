//! A drawing, written as SVG.

use std::fmt::Write;

/// Pieces of SVG, one after the other.
#[derive(Default)]
pub(crate) struct Drawing(String);

/// Where a text stands with regard to its point.
#[derive(Copy, Clone)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

impl Drawing {
    pub(crate) fn into_text(self) -> String {
        self.0
    }
    pub(crate) fn raw(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }
    /// A rectangle; one without width or height is left out.
    pub(crate) fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4], title: &str) {
        if width < 0.05 || height < 0.05 {
            return;
        }
        let title = if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) };
        let _ = writeln!(
            self.0,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">{title}</rect>"
        );
    }
    pub(crate) fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        let _ =
            writeln!(self.0, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    }
    pub(crate) fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
        let _ = writeln!(
            self.0,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{}\">{}</text>",
            anchor.name(),
            escape(text)
        );
    }
    /// A line through points, with a dot on each.
    pub(crate) fn curve(&mut self, class: &str, points: &[[f64; 2]]) {
        let path: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.0, "<polyline class=\"curve {class}\" points=\"{}\"/>", path.join(" "));
        for [x, y] in points {
            let _ = writeln!(self.0, "<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\"/>");
        }
    }
}

/// Text that stands between tags.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The distance between lines of a scale from nought to `most` that has about five of them: 1, 2 or 5 times a power of ten.
pub(crate) fn step(most: f64) -> f64 {
    let rough = most.max(1e-6) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
    factor * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_round_steps() {
        for (most, expected) in [(100.0, 20.0), (7.0, 2.0), (0.9, 0.2), (43.0, 10.0), (1.0, 0.2)] {
            assert!((step(most) - expected).abs() < 1e-9, "{most}: {}", step(most));
        }
    }

    #[test]
    fn what_would_be_a_tag_is_written_out() {
        assert_eq!(escape("a<b> & c"), "a&lt;b&gt; &amp; c");
    }
}
