//! A position as an SVG picture that stands alone: no style sheet, script or font of its own is needed.

use std::fmt::Write;

use warpchess_rules::info::BoardInfo;
use warpchess_rules::{AnyPosition, Color, MarkerKind, MarkerView, Piece, Place, Powers, Square};

/// The drawings, shared with the web client.
const SPRITE: &str = include_str!("../../../assets/pieces.svg");
/// Side of a square, in the picture's units.
const SQUARE: u32 = 100;
/// Space for coordinates around a board.
const MARGIN: u32 = 40;
/// Gap between the halves of a divided board.
const GAP: u32 = 30;
/// Space between two boards.
const BETWEEN: u32 = 60;
/// Height of a pocket or of the title above a board.
const STRIP: u32 = 120;

const STYLE: &str = "\
.light{fill:#e9ebe2}.dark{fill:#9db3a5}.last{fill:#ecc43c;fill-opacity:.55}.frame{fill:none;stroke:#3b3f45;stroke-width:3}\
text{font-family:system-ui,sans-serif;fill:#3b3f45;font-size:26px;text-anchor:middle}\
.w .piece-body{fill:#fdfdfb;stroke:#22282b}.b .piece-body{fill:#2b3134;stroke:#0b0d0e}\
.piece-body{stroke-width:4.5;stroke-linejoin:round}\
.piece-detail{fill:none;stroke-width:4;stroke-linecap:round;stroke-linejoin:round}\
.w .piece-detail{stroke:#22282b}.b .piece-detail{stroke:#dfe4e2}.w .piece-dot{fill:#22282b}.b .piece-dot{fill:#dfe4e2}\
.badge-plate{stroke-width:3}.w .badge-plate{fill:#3a2a86;stroke:#fdfdfb}.b .badge-plate{fill:#ffe7a3;stroke:#0b0d0e}\
.badge-sign{fill:none;stroke-linecap:round}.w .badge-sign{stroke:#fff}.b .badge-sign{stroke:#1b1405}\
.badge-solid{stroke-width:2;stroke-linejoin:round}.w .badge-solid{fill:#fff;stroke:#fff}.b .badge-solid{fill:#1b1405;stroke:#1b1405}\
.portal{fill:none;stroke:#5a2fd0;stroke-width:7}.portal.white{stroke:#b36200}\
.portal.black{stroke:#0c5f8f;stroke-dasharray:12 7}.locked{fill:#2a2a33;fill-opacity:.35;stroke:#2a2a33;stroke-width:9}\
.count{fill:#fff;font-size:24px;font-weight:bold}.plate-count{fill:#5a2fd0}\
.link{fill:none;stroke:#5a2fd0;stroke-opacity:.6;stroke-width:3;stroke-dasharray:6 5}\
.check{fill:none;stroke:#d3261b;stroke-width:8}.arrow{stroke:#5a2fd0;stroke-width:8;stroke-dasharray:4 14;stroke-linecap:round}\
.tray{fill:#eceeea;stroke:#8b8f95;stroke-width:2}";

/// Where things are in the picture.
struct Layout<'a> {
    position: &'a dyn AnyPosition,
    boards: Vec<(BoardInfo, u32)>,
    top: u32,
}

/// Draws a position.
///
/// # Examples
/// ```
/// let svg = warpchess_diagram::svg::diagram(&*"chess".parse::<warpchess_rules::VariantId>()?.start());
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// # Ok::<(), warpchess_rules::variants::UnknownVariant>(())
/// ```
pub fn diagram(position: &dyn AnyPosition) -> String {
    after(position, &[])
}

/// The same, with the places marked that the last move touched.
pub fn after(position: &dyn AnyPosition, last: &[Place]) -> String {
    let info = position.info();
    let mut x = MARGIN;
    let boards = info
        .boards
        .iter()
        .map(|&board| {
            let left = x;
            x += board_width(&board) + BETWEEN;
            (board, left)
        })
        .collect();
    let width = x - BETWEEN + MARGIN;
    let titled = info.alternating();
    let top = if info.pocket { STRIP } else { MARGIN } + if titled { MARGIN } else { 0 };
    let height = top + 8 * SQUARE + if info.pocket { STRIP } else { MARGIN } + MARGIN / 2;
    let layout = Layout { position, boards, top };

    let mut svg = String::with_capacity(32 * 1024);
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\
         <title>{}: {}</title><style>{STYLE}</style>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f6f6f3\"/>",
        info.names[0],
        position.fen()
    );
    for &(board, left) in &layout.boards {
        layout.draw_board(&mut svg, &board, left);
    }
    for (x, y) in last.iter().filter(|at| matches!(at, Place::Board(..))).filter_map(|&at| layout.corner(at)) {
        let _ = write!(svg, "<path class=\"last\" d=\"M{x} {y}h100v100h-100z\"/>");
    }
    layout.links(&mut svg);
    let markers = position.markers();
    for view in &markers {
        layout.marker(&mut svg, view);
    }
    for (area, square) in position.checked_kings() {
        if let Some((x, y)) = layout.corner(Place::Board(area, square)) {
            let _ = write!(svg, "<rect class=\"check\" x=\"{}\" y=\"{}\" width=\"92\" height=\"92\"/>", x + 4, y + 4);
        }
    }
    if info.pocket {
        for color in Color::ALL {
            if let Some((x, y)) = layout.corner(Place::Pocket(color)) {
                let _ =
                    write!(svg, "<rect class=\"tray\" x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\" rx=\"12\"/>");
            }
        }
    }
    for (at, piece) in position.pieces() {
        if let Some(corner) = layout.corner(at) {
            draw_piece(&mut svg, piece, corner);
        }
    }
    for view in &markers {
        layout.arrow(&mut svg, view);
    }
    svg.push_str("</svg>\n");
    svg
}

fn board_width(board: &BoardInfo) -> u32 {
    8 * SQUARE + GAP * board.dividers.len() as u32
}

/// Offset of a file from the left edge of its board.
fn file_x(board: &BoardInfo, file: u8) -> u32 {
    let gaps = board.dividers.iter().filter(|&&divider| divider < (b'a' + file) as char).count() as u32;
    u32::from(file) * SQUARE + gaps * GAP
}

impl Layout<'_> {
    /// The upper left corner of a place's square; `None` for what is not drawn.
    fn corner(&self, place: Place) -> Option<(u32, u32)> {
        match place {
            Place::Board(area, square) => {
                let id = self.position.info().areas.iter().find(|info| info.area == area)?.board;
                let (board, left) = self.boards.iter().find(|(board, _)| board.id == id)?;
                Some((left + file_x(board, square.file()), self.top + u32::from(7 - square.rank()) * SQUARE))
            }
            Place::Pocket(color) => Some((MARGIN, self.side_y(color))),
            // Between the boards, level with its owner's side.
            Place::Transit(color) => {
                let (board, left) = self.boards.first()?;
                let x = left + board_width(board) + BETWEEN / 2;
                Some((
                    x.saturating_sub(SQUARE / 2),
                    if color == Color::White { self.top + 6 * SQUARE } else { self.top + SQUARE },
                ))
            }
            Place::Hand(_) => None,
        }
    }

    fn side_y(&self, color: Color) -> u32 {
        match color {
            Color::White => self.top + 8 * SQUARE + MARGIN - 4,
            Color::Black => 8,
        }
    }

    fn draw_board(&self, svg: &mut String, board: &BoardInfo, left: u32) {
        let info = self.position.info();
        for square in Square::all() {
            let (x, y) = (left + file_x(board, square.file()), self.top + u32::from(7 - square.rank()) * SQUARE);
            let class = if (square.file() + square.rank()) % 2 == 0 { "dark" } else { "light" };
            let _ = write!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\"/>");
        }
        for index in 0..8u8 {
            let x = left + file_x(board, index) + SQUARE / 2;
            let _ =
                write!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", self.top + 8 * SQUARE + 28, (b'a' + index) as char);
            let y = self.top + u32::from(7 - index) * SQUARE + SQUARE / 2 + 9;
            let _ = write!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", left - 18, index + 1);
        }
        if info.alternating() {
            for area in info.areas.iter().filter(|area| area.board == board.id) {
                let files: Vec<u32> =
                    area.squares.into_iter().map(|square| left + file_x(board, square.file())).collect();
                let (Some(&first), Some(&last)) = (files.iter().min(), files.iter().max()) else { continue };
                let due = if area.area == self.position.area() { ": to move here" } else { "" };
                let _ = write!(
                    svg,
                    "<text x=\"{}\" y=\"{}\">{}{due}</text>",
                    (first + last + SQUARE) / 2,
                    self.top - 12,
                    area.area.letter()
                );
            }
        }
        let _ = write!(
            svg,
            "<rect class=\"frame\" x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            self.top,
            board_width(board),
            8 * SQUARE
        );
    }

    /// Squares linked for good bear the number of their pair.
    fn links(&self, svg: &mut String) {
        for (number, &(a, b)) in self.position.info().links.iter().enumerate() {
            for (area, square) in [a, b] {
                let Some((x, y)) = self.corner(Place::Board(area, square)) else { continue };
                let _ = write!(
                    svg,
                    "<circle class=\"link\" cx=\"{}\" cy=\"{}\" r=\"44\"/><text x=\"{}\" y=\"{}\" font-size=\"20\">{}</text>",
                    x + 50,
                    y + 50,
                    x + 86,
                    y + 26,
                    number + 1
                );
            }
        }
    }

    fn marker(&self, svg: &mut String, view: &MarkerView) {
        let Some((x, y)) = self.corner(view.at) else { return };
        let (cx, cy) = (x + 50, y + 50);
        match view.marker.kind {
            MarkerKind::Portal => {
                let owner = view.marker.owner.map_or("", Color::name);
                let _ = write!(svg, "<circle class=\"portal {owner}\" cx=\"{cx}\" cy=\"{cy}\" r=\"43\"/>");
                if view.count > 1 {
                    let _ = write!(
                        svg,
                        "<circle class=\"plate-count\" cx=\"{0}\" cy=\"{1}\" r=\"17\"/><text class=\"count\" x=\"{0}\" y=\"{2}\">{3}</text>",
                        x + 82,
                        y + 18,
                        y + 26,
                        view.count
                    );
                }
            }
            MarkerKind::Locked => {
                let _ = write!(svg, "<circle class=\"locked\" cx=\"{cx}\" cy=\"{cy}\" r=\"40\"/>");
            }
            MarkerKind::Declared | MarkerKind::Blocked => {}
        }
    }

    /// A declared teleport points to where it leads.
    fn arrow(&self, svg: &mut String, view: &MarkerView) {
        if view.marker.kind != MarkerKind::Declared {
            return;
        }
        let (Some((x1, y1)), Some((x2, y2))) = (self.corner(view.at), view.to.and_then(|to| self.corner(to))) else {
            return;
        };
        let _ = write!(
            svg,
            "<line class=\"arrow\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/><circle cx=\"{}\" cy=\"{}\" r=\"12\" fill=\"#5a2fd0\"/>",
            x1 + 50,
            y1 + 50,
            x2 + 50,
            y2 + 50,
            x2 + 50,
            y2 + 50
        );
    }
}

/// The inside of a drawing of the sprite; nothing if there is none of that name.
fn symbol(id: &str) -> &'static str {
    let start = SPRITE.find(&format!("id=\"{id}\""));
    let inside = start.and_then(|start| SPRITE[start..].split_once('>'));
    inside.and_then(|(_, rest)| rest.split_once("</symbol>")).map_or("", |(inside, _)| inside.trim())
}

fn draw_piece(svg: &mut String, piece: Piece, (x, y): (u32, u32)) {
    let role = piece.role();
    let _ = write!(
        svg,
        "<g class=\"{}\" transform=\"translate({x} {y})\">{}",
        piece.color().letter(),
        symbol(&format!("piece-{}", role.shape()))
    );
    for badge in role.badges() {
        let left = if badge == Powers::STEP { 0.0 } else { 58.0 };
        let _ = write!(
            svg,
            "<g transform=\"translate({left} 57) scale(1.05)\">{}</g>",
            symbol(&format!("badge-{}", badge.name()))
        );
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpchess_rules::{Area, Role, VariantId};

    #[test]
    fn every_role_has_a_drawing() {
        for role in Role::ALL {
            assert!(symbol(&format!("piece-{}", role.shape())).contains("class=\"piece-body\""), "{role:?}");
            for badge in role.badges() {
                assert!(symbol(&format!("badge-{}", badge.name())).contains("class=\"badge-plate\""), "{role:?}");
            }
        }
    }

    #[test]
    fn every_piece_and_square_of_every_game_is_drawn() {
        for variant in VariantId::all() {
            let position = variant.start();
            let svg = diagram(&*position);
            let squares = svg.matches("width=\"100\" height=\"100\"/>").count();
            assert_eq!(squares, 64 * position.info().boards.len(), "{variant}");
            let drawn = svg.matches("<g class=\"w\"").count() + svg.matches("<g class=\"b\"").count();
            assert_eq!(drawn, position.pieces().len(), "{variant}");
        }
    }

    #[test]
    fn areas_of_a_divided_board_do_not_touch() {
        let board = BoardInfo { id: 'A', dividers: &['d'] };
        assert_eq!(file_x(&board, 4) - file_x(&board, 3), SQUARE + GAP);
        assert_eq!(file_x(&board, 3) - file_x(&board, 2), SQUARE);
    }

    #[test]
    fn places_in_hand_are_not_drawn() {
        let position = "chess".parse::<VariantId>().map(VariantId::start).expect("chess");
        let layout = Layout { position: &*position, boards: Vec::new(), top: 0 };
        assert_eq!(layout.corner(Place::Hand(Color::White)), None);
        assert_eq!(layout.corner(Place::Board(Area::A, Square::A1)), None, "no board, no place");
    }
}
