//! A position as text. Pieces are their letters; what lies under or around them is told by brackets:
//! `(N)` on a neutral portal, `[N]` on White's, `{N}` on Black's, `<N>` on a spent one, `:N:` on a fixed link.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use warpchess_rules::info::AreaInfo;
use warpchess_rules::{AnyPosition, Area, Color, MarkerKind, MarkerView, Piece, Place, Square};

const WHITE: Style = Style::new().bold();
const BLACK: Style = AnsiColor::Yellow.on_default();
const MARKER: Style = AnsiColor::Cyan.on_default();
const DIM: Style = Style::new().dimmed();

/// The boards of a position, the pockets, and what is going on in words. Colors are ANSI escapes: print it through
/// something that drops them where they are not wanted.
///
/// # Examples
/// ```
/// let text = warpchess_diagram::text::board(&*"chess".parse::<warpchess_rules::VariantId>()?.start());
/// assert!(text.contains("White to move"));
/// # Ok::<(), warpchess_rules::variants::UnknownVariant>(())
/// ```
pub fn board(position: &dyn AnyPosition) -> String {
    let info = position.info();
    let boards: Vec<Vec<String>> = info
        .boards
        .iter()
        .map(|board| {
            let areas: Vec<&AreaInfo> = info.areas.iter().filter(|area| area.board == board.id).collect();
            one_board(position, &areas, board.dividers)
        })
        .collect();
    let mut text = String::new();
    for line in 0..boards.first().map_or(0, Vec::len) {
        let parts: Vec<&str> = boards.iter().map(|board| board[line].as_str()).collect();
        let _ = writeln!(text, "{}", parts.join("     ").trim_end());
    }
    text.push_str(&below(position));
    text
}

fn one_board(position: &dyn AnyPosition, areas: &[&AreaInfo], dividers: &[char]) -> Vec<String> {
    let markers = position.markers();
    let gap = |file: u8| if dividers.contains(&((b'a' + file) as char)) { " | " } else { "" };
    let mut lines = Vec::new();
    if position.info().alternating() {
        let mut title = String::from("   ");
        let width = 24 / areas.len() + if dividers.is_empty() { 0 } else { 1 };
        for area in areas {
            let due = area.area == position.area();
            let name = format!("{}{}", area.area.letter(), if due { ": to move here" } else { "" });
            let _ = write!(title, "{name:^width$}");
        }
        lines.push(title);
    }
    for rank in (0..8u8).rev() {
        let mut line = format!("{DIM}{}{DIM:#}  ", rank + 1);
        for file in 0..8u8 {
            let square = Square::new(rank * 8 + file);
            let area = areas.iter().find(|area| area.squares.has(square)).map_or(Area::A, |area| area.area);
            line.push_str(&cell(position, &markers, area, square));
            line.push_str(gap(file));
        }
        lines.push(line);
    }
    let mut files = String::from("   ");
    for file in 0..8u8 {
        let _ = write!(files, "{DIM} {} {DIM:#}{}", (b'a' + file) as char, " ".repeat(gap(file).len()));
    }
    lines.push(files);
    lines
}

fn cell(position: &dyn AnyPosition, markers: &[MarkerView], area: Area, square: Square) -> String {
    let here = Place::Board(area, square);
    let lies = |m: &&MarkerView| m.at == here && matches!(m.marker.kind, MarkerKind::Portal | MarkerKind::Locked);
    let (open, close) = match markers.iter().find(lies).map(|m| (m.marker.kind, m.marker.owner, m.count)) {
        Some((MarkerKind::Locked, _, _)) => ('<', '>'),
        Some((_, Some(Color::White), _)) => ('[', ']'),
        Some((_, Some(Color::Black), _)) => ('{', '}'),
        // A stack tells how many portals it has instead of its closing bracket.
        Some((_, None, count @ 2..=9)) => ('(', (b'0' + count) as char),
        Some((_, None, 10..)) => ('(', '+'),
        Some(_) => ('(', ')'),
        None if position.info().linked(area, square).is_some() => (':', ':'),
        None => (' ', ' '),
    };
    let face = match position.piece_at(area, square) {
        Some(piece) => paint(piece),
        None => format!("{DIM}.{DIM:#}"),
    };
    if open == ' ' { format!(" {face} ") } else { format!("{MARKER}{open}{MARKER:#}{face}{MARKER}{close}{MARKER:#}") }
}

fn paint(piece: Piece) -> String {
    let style = match piece.color() {
        Color::White => WHITE,
        Color::Black => BLACK,
    };
    format!("{style}{}{style:#}", piece.letter())
}

/// What does not fit on a board: pockets, pieces under way, portals to place, declared teleports, whose turn it is.
fn below(position: &dyn AnyPosition) -> String {
    let info = position.info();
    let pieces = position.pieces();
    let markers = position.markers();
    let mut text = String::new();
    for color in Color::ALL {
        let name = title(color);
        let held = |place| pieces.iter().find(|&&(at, _)| at == place).map(|&(_, piece)| piece);
        if info.pocket {
            let piece = held(Place::Pocket(color)).map_or_else(|| "empty".into(), paint);
            let _ = writeln!(text, "{name}'s pocket: {piece}");
        }
        if let Some(piece) = held(Place::Transit(color)) {
            let _ = writeln!(text, "{name}'s {} is between the boards: {}", piece.role().name(), paint(piece));
        }
        if markers.iter().any(|m| m.at == Place::Hand(color)) {
            let _ = writeln!(text, "{name}'s portal is not placed yet");
        }
    }
    for view in &markers {
        let blocked = match view.marker.kind {
            MarkerKind::Declared => "",
            MarkerKind::Blocked => " (blocked)",
            MarkerKind::Portal | MarkerKind::Locked => continue,
        };
        let to = view.to.map_or_else(String::new, |to| format!(" to {}", spot(to)));
        let _ = writeln!(
            text,
            "{} has declared a teleport from {}{to}{blocked}",
            view.marker.owner.map_or("", title),
            spot(view.at)
        );
    }
    let mut state = format!("{} to move", title(position.turn()));
    if info.alternating() {
        let _ = write!(state, " on {}", position.area().letter());
    }
    if position.in_check() {
        state.push_str(", in check");
    }
    if let Some(outcome) = position.outcome() {
        state = format!("{}: {}", outcome.score(), outcome.status());
    }
    let _ = writeln!(text, "{state}\n{}", position.fen());
    text
}

fn title(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn spot(place: Place) -> String {
    match place {
        Place::Board(area, square) => format!("{}{square}", area.letter()),
        Place::Pocket(color) => format!("{}'s pocket", title(color)),
        Place::Transit(_) => "between the boards".into(),
        Place::Hand(color) => format!("{}'s hand", title(color)),
    }
}
