//! A study as a picture: who wins, how long games are and how they end, and when what is special is used.

use warpchess_rules::MoveKind;

use crate::features::Feature;
use crate::report::{Bin, Report};
use crate::study::Beginning;
use crate::svg::{Anchor, Drawing, escape, step};

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 760.0;
const MARGIN: f64 = 28.0;
/// At most so many curves can be told apart.
const CURVES: usize = 6;

/// Colors for both schemes, the curves' being those of M. Okabe and K. Ito that color-blind people can tell apart.
const STYLE: &str = "\
svg{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
.page{fill:#fdfcf9}.title{font-size:22px;font-weight:600}.head{font-size:14px;font-weight:600}
text{fill:#22262b;font-size:12px}.soft{fill:#5d656e}.big{font-size:14px;font-weight:600}
.grid{stroke:#dcdcd6;stroke-width:1}.axis{stroke:#8a9199;stroke-width:1}.half{stroke:#8a9199;stroke-dasharray:4 3}
.white{fill:#fff;stroke:#8a9199;stroke-width:1}.drawn{fill:#a9b0b7;stroke:#8a9199;stroke-width:1}
.black{fill:#33383e;stroke:#33383e;stroke-width:1}.onblack{fill:#fff}.onwhite{fill:#22262b}
.error{stroke:#c8371a;stroke-width:2}.mean{fill:#c8371a}.bar{fill:#4a7fb5}
.curve{fill:none!important;stroke-width:2.2;stroke-linejoin:round}.dot{stroke:none}
.c0{stroke:#0072b2;fill:#0072b2}.c1{stroke:#d55e00;fill:#d55e00}.c2{stroke:#009e73;fill:#009e73}
.c3{stroke:#cc79a7;fill:#cc79a7}.c4{stroke:#b58900;fill:#b58900}.c5{stroke:#56b4e9;fill:#56b4e9}
@media (prefers-color-scheme:dark){
.page{fill:#16191d}text{fill:#e7e9eb}.soft{fill:#a3abb3}.grid{stroke:#2d3238}.axis,.half{stroke:#6b737c}
.white{fill:#f2f0ea;stroke:#f2f0ea}.drawn{fill:#7b838b;stroke:#7b838b}.black{fill:#0a0b0d;stroke:#8a9199}
.error{stroke:#ff7a5c}.mean{fill:#ff7a5c}.bar{fill:#6fa3d8}
.c0{stroke:#4aa8e0;fill:#4aa8e0}.c1{stroke:#f08a3c;fill:#f08a3c}.c2{stroke:#2fc79a;fill:#2fc79a}
.c4{stroke:#e0b33a;fill:#e0b33a}}";

/// Draws a report. The picture needs nothing else, and suits light and dark pages.
pub fn chart(report: &Report) -> String {
    let mut d = Drawing::default();
    d.raw(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         role=\"img\" aria-labelledby=\"title description\">"
    ));
    d.raw(&format!("<title id=\"title\">{}: self-play</title>", escape(report.name)));
    d.raw(&format!("<desc id=\"description\">{}</desc>", escape(&description(report))));
    d.raw(&format!("<style>{STYLE}</style>"));
    d.rect("page", [0.0, 0.0, WIDTH, HEIGHT], "");
    d.text("title", [MARGIN, 42.0], Anchor::Start, report.name);
    d.text("soft", [MARGIN, 62.0], Anchor::Start, &terms(report));
    results(&mut d, report, [MARGIN, 88.0, WIDTH - 2.0 * MARGIN, 34.0]);
    let (left, right) = (MARGIN, WIDTH / 2.0 + 18.0);
    let width = WIDTH / 2.0 - MARGIN - 18.0;
    lengths(&mut d, report, Panel { x: left, y: 180.0, width, height: 246.0 });
    endings(&mut d, report, Panel { x: right, y: 180.0, width, height: 246.0 });
    uses(&mut d, report, Panel { x: left, y: 462.0, width, height: 268.0 });
    choices(&mut d, report, Panel { x: right, y: 462.0, width, height: 268.0 });
    d.raw("</svg>");
    d.into_text()
}

fn terms(report: &Report) -> String {
    let beginning = match report.beginning {
        Beginning::Start(variety) => {
            format!("{} plies of choice within {:.2} pawns", variety.plies, f64::from(variety.within) / 100.0)
        }
        Beginning::Random(plan) => format!("after {} random plies", plan.plies),
    };
    format!("{} games of the engine against itself, {}, {beginning}, seed {}", report.games, report.effort, report.seed)
}

fn description(report: &Report) -> String {
    let Some(white) = &report.white else { return "No games.".into() };
    format!(
        "White scores {} with an error of {}: {} wins, {} draws, {} losses. A game has {:.0} plies (median).",
        percent(white.score.value),
        percent(white.score.error),
        white.wins,
        white.draws,
        white.losses,
        report.plies.median
    )
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// White's wins, draws and losses as one bar, White's score with its error below.
fn results(d: &mut Drawing, report: &Report, [x, y, width, height]: [f64; 4]) {
    let Some(white) = &report.white else { return };
    let games = report.games.max(1) as f64;
    let mut at = x;
    for (class, on, word, count) in [
        ("white", "onwhite", "White wins", white.wins),
        ("drawn", "onwhite", "draws", white.draws),
        ("black", "onblack", "Black wins", white.losses),
    ] {
        let share = count as f64 / games;
        let part = width * share;
        d.rect(class, [at, y, part, height], &format!("{word}: {count}"));
        let text = format!("{word} {}", percent(share));
        if part > 7.0 * text.len() as f64 {
            d.text(&format!("big {on}"), [at + part / 2.0, y + height / 2.0 + 5.0], Anchor::Middle, &text);
        } else if part > 44.0 {
            d.text(on, [at + part / 2.0, y + height / 2.0 + 4.0], Anchor::Middle, &percent(share));
        }
        at += part;
    }
    let score = white.score;
    let place = |share: f64| x + width * share;
    let line = y + height + 14.0;
    d.line("half", [place(0.5), y - 6.0, place(0.5), line + 8.0]);
    d.line("error", [place(score.low), line, place(score.high), line]);
    for end in [score.low, score.high] {
        d.line("error", [place(end), line - 5.0, place(end), line + 5.0]);
    }
    d.raw(&format!("<circle class=\"mean\" cx=\"{:.1}\" cy=\"{line:.1}\" r=\"4\"/>", place(score.value)));
    let text = format!("White scores {:.1} ± {:.1} %", 100.0 * score.value, 100.0 * score.error);
    // On the side with more room, so that it never runs over the error.
    if score.value < 0.6 {
        d.text("big", [place(score.high).max(place(0.5)) + 12.0, line + 5.0], Anchor::Start, &text);
    } else {
        d.text("big", [place(score.low).min(place(0.5)) - 12.0, line + 5.0], Anchor::End, &text);
    }
}

/// Where a part of the picture is.
#[derive(Copy, Clone)]
struct Panel {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Panel {
    /// Where things are drawn: within the scales.
    const fn inner(self) -> Self {
        Self { x: self.x + 40.0, y: self.y + 30.0, width: self.width - 40.0, height: self.height - 74.0 }
    }
    const fn bottom(self) -> f64 {
        self.y + self.height
    }
    /// The title, and a scale from nought.
    fn frame(self, d: &mut Drawing, title: &str, most: f64, unit: &str) {
        let inner = self.inner();
        d.text("head", [self.x, self.y + 8.0], Anchor::Start, title);
        let step = step(most);
        let mut value = 0.0;
        while value <= most + step * 1e-6 {
            let y = inner.bottom() - inner.height * value / most;
            d.line(if value == 0.0 { "axis" } else { "grid" }, [inner.x, y, inner.x + inner.width, y]);
            let digits = usize::from(step < 1.0);
            d.text("soft", [inner.x - 6.0, y + 4.0], Anchor::End, &format!("{value:.digits$}{unit}"));
            value += step;
        }
    }
    /// Moves below a row of bins, as many as there is room for.
    fn moves(self, d: &mut Drawing, bins: &[(u16, Option<u16>)]) {
        let inner = self.inner();
        let wide = inner.width / bins.len().max(1) as f64;
        let labels: Vec<String> =
            bins.iter().map(|(from, to)| to.map_or_else(|| format!("{from}+"), |to| format!("{from}–{to}"))).collect();
        let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as f64;
        let every = ((7.2 * longest + 8.0) / wide).ceil().max(1.0) as usize;
        for (i, label) in labels.iter().enumerate().filter(|(i, _)| i % every == 0) {
            d.text("soft", [inner.x + wide * (i as f64 + 0.5), inner.bottom() + 16.0], Anchor::Middle, label);
        }
        d.text("soft", [inner.x + inner.width, inner.bottom() + 33.0], Anchor::End, "full move");
    }
    /// The middle of a bin at a height.
    fn point(self, i: usize, bins: usize, share: f64) -> [f64; 2] {
        let inner = self.inner();
        [inner.x + inner.width * (i as f64 + 0.5) / bins.max(1) as f64, inner.bottom() - inner.height * share]
    }
}

fn ceiling(values: impl Iterator<Item = f64>) -> f64 {
    let most = values.fold(0.0, f64::max);
    if most <= 0.0 { 1.0 } else { most * 1.06 }
}

fn lengths(d: &mut Drawing, report: &Report, panel: Panel) {
    let total = |l: &crate::report::Length| (l.white + l.drawn + l.black) as f64;
    let most = ceiling(report.lengths.iter().map(total));
    panel.frame(d, "Length of games, by result", most, "");
    let inner = panel.inner();
    let wide = inner.width / report.lengths.len().max(1) as f64;
    for (i, length) in report.lengths.iter().enumerate() {
        let mut y = inner.bottom();
        for (class, word, count) in [
            ("white", "White wins", length.white),
            ("drawn", "draws", length.drawn),
            ("black", "Black wins", length.black),
        ] {
            let height = inner.height * count as f64 / most;
            y -= height;
            d.rect(class, [inner.x + wide * i as f64 + 2.0, y, wide - 4.0, height], &format!("{word}: {count}"));
        }
    }
    panel.moves(d, &report.lengths.iter().map(|l| (l.from, l.to)).collect::<Vec<_>>());
    let plies = &report.plies;
    let text = format!(
        "plies: median {:.0}, half of the games {:.0} to {:.0}",
        plies.median, plies.lower_quartile, plies.upper_quartile
    );
    d.text("soft", [inner.x, inner.bottom() + 33.0], Anchor::Start, &text);
}

fn endings(d: &mut Drawing, report: &Report, panel: Panel) {
    d.text("head", [panel.x, panel.y + 8.0], Anchor::Start, "How games end");
    let games = report.games.max(1) as f64;
    let (left, wide) = (panel.x + 170.0, panel.width - 170.0 - 56.0);
    for (i, ending) in report.endings.iter().take(6).enumerate() {
        let y = panel.y + 28.0 + 24.0 * i as f64;
        let total = ending.white + ending.drawn + ending.black;
        d.text("", [left - 10.0, y + 13.0], Anchor::End, &words(&ending.reason));
        let mut x = left;
        for (class, word, count) in [
            ("white", "White wins", ending.white),
            ("drawn", "draws", ending.drawn),
            ("black", "Black wins", ending.black),
        ] {
            let part = wide * count as f64 / games;
            d.rect(class, [x, y, part, 16.0], &format!("{word}: {count}"));
            x += part;
        }
        d.text("soft", [x + 6.0, y + 13.0], Anchor::Start, &percent(total as f64 / games));
    }
    let facts = facts(report);
    // Below the last of the bars, or at the foot.
    let bars = panel.y + 28.0 + 24.0 * report.endings.len().min(6) as f64 + 16.0;
    let first = bars.max(panel.bottom() - 11.0 - 18.0 * (facts.len() as f64 - 1.0));
    for (i, (what, value)) in facts.iter().enumerate() {
        let y = first + 18.0 * i as f64;
        d.text("soft", [panel.x, y], Anchor::Start, what);
        d.text("", [panel.x + panel.width, y], Anchor::End, value);
    }
}

/// What is told in words.
fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let decides = &report.decides;
    let mut facts = Vec::new();
    if report.uses.iter().any(|one| one.special) {
        let beside = |share: Option<crate::Share>, chance: f64| {
            share.map_or_else(|| "-".into(), |s| format!("{}, by chance {}", percent(s.value), percent(chance)))
        };
        facts.push(("special in the winner's last 3 turns", beside(decides.finish, decides.finish_chance)));
        facts.push(("the turn that won was special", beside(decides.blow, decides.blow_chance)));
    }
    facts.push(("lead changes a game", format!("{:.2}", report.leads.changes)));
    if let Some(shortest) = report.shortest.first() {
        facts.push(("shortest win", format!("{} plies", shortest.plies)));
    }
    facts
}

/// A name in JSON as words: `fiftyMoves` is fifty moves.
pub(crate) fn words(name: &str) -> String {
    name.chars().fold(String::new(), |mut text, c| {
        if c.is_uppercase() {
            text.push(' ');
        }
        text.extend(c.to_lowercase());
        text
    })
}

fn uses(d: &mut Drawing, report: &Report, panel: Panel) {
    // In a game without anything special, what there is.
    let any = report.uses.iter().any(|one| one.special);
    let mut shown: Vec<_> = report
        .uses
        .iter()
        .filter(|one| one.turns > 0 && !one.part && one.special == any && one.feature != Feature::Kind(MoveKind::Place))
        .collect();
    shown.sort_by_key(|one| std::cmp::Reverse(one.turns));
    shown.truncate(CURVES);
    let long = |bins: &[Bin]| bins.iter().take_while(|bin| bin.turns >= 20).count().max(bins.len().min(2));
    let bins = shown.iter().map(|one| long(&one.by_move)).max().unwrap_or(0);
    let most =
        ceiling(shown.iter().flat_map(|one| one.by_move.iter().take(bins)).map(|bin| 100.0 * bin.mean)).min(100.0);
    let title = if any { "Special moves in 100 turns" } else { "Castling, en passant, promotion in 100 turns" };
    panel.frame(d, title, most, "");
    let Some(first) = shown.first() else { return };
    for (i, one) in shown.iter().enumerate() {
        let points: Vec<[f64; 2]> = one
            .by_move
            .iter()
            .take(bins)
            .enumerate()
            .map(|(place, bin)| panel.point(place, bins, 100.0 * bin.mean / most))
            .collect();
        d.curve(&format!("c{i}"), &points);
    }
    let scale: Vec<_> = first.by_move.iter().take(bins).map(|bin| (bin.from, bin.to)).collect();
    panel.moves(d, &scale);
    // Where the curves leave most room: they tend to begin high or to rise late, so the legend goes below.
    let inner = panel.inner();
    let mut at = [inner.x - 30.0, inner.bottom() + 33.0];
    for (i, one) in shown.iter().enumerate() {
        let wide = 24.0 + 6.4 * one.label.chars().count() as f64;
        if at[0] + wide > inner.x + inner.width - if at[1] > inner.bottom() + 34.0 { 0.0 } else { 60.0 } {
            at = [inner.x - 30.0, at[1] + 17.0];
        }
        d.raw(&format!("<circle class=\"dot c{i}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\"/>", at[0] + 5.0, at[1] - 4.0));
        d.text("", [at[0] + 14.0, at[1]], Anchor::Start, one.label);
        at[0] += wide;
    }
}

fn choices(d: &mut Drawing, report: &Report, panel: Panel) {
    let all = &report.choices.by_move;
    let bins = all.iter().take_while(|bin| bin.turns >= 20).count().max(all.len().min(2));
    let shown = &all[..bins];
    let most = ceiling(shown.iter().map(|bin| bin.mean));
    panel.frame(d, "Legal moves to choose from", most, "");
    let inner = panel.inner();
    let wide = inner.width / bins.max(1) as f64;
    for (i, bin) in shown.iter().enumerate() {
        let height = inner.height * bin.mean / most;
        let title = format!("{:.1} moves in {} turns", bin.mean, bin.turns);
        d.rect("bar", [inner.x + wide * i as f64 + 3.0, inner.bottom() - height, wide - 6.0, height], &title);
    }
    panel.moves(d, &shown.iter().map(|bin| (bin.from, bin.to)).collect::<Vec<_>>());
    let text = format!("mean {:.1}, most {:.0}", report.choices.turns.mean, report.choices.turns.most);
    d.text("soft", [inner.x, inner.bottom() + 33.0], Anchor::Start, &text);
}
