//! Portal chess on one board cut into two halves. The rules are those of [`howe`](super::howe).

use super::howe::{FEATURES, Geometry, Howe};
use crate::core::{Area, Bitboard, Castling, Color, MoveKind, Role, Side, Square};
use crate::info::{AreaInfo, BoardInfo, Link, RoleInfo, VariantInfo};

/// A position of portal chess on one divided board.
pub type SplitPortal = Howe<TwoHalves>;

/// Files a to d and files e to h of one board, linked on the edge files of each half.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum TwoHalves {}

const SHIFT: i8 = 4;
const LEFT: Bitboard = Bitboard::QUEENSIDE;
const RIGHT: Bitboard = Bitboard(!LEFT.0);
const PORTALS: Bitboard = Bitboard::EMPTY.with(Square::A4).with(Square::D4).with(Square::A5).with(Square::D5);

const fn link(square: Square) -> Link {
    ((Area::A, square), (Area::B, square.offset(SHIFT)))
}

impl Geometry for TwoHalves {
    const INFO: &'static VariantInfo = &INFO;
    const AREAS: [Bitboard; 2] = [LEFT, RIGHT];
    const PORTALS: [Bitboard; 2] = [PORTALS, PORTALS.shift(SHIFT)];
    const SHIFT: i8 = SHIFT;
    const RIGHTS: [Castling; 2] =
        [Castling::NONE, Castling::NONE.with(Color::White, Side::King).with(Color::Black, Side::King)];
}

/// Riders are worth less where no line is longer than four files.
const ROLES: &[RoleInfo] = &[
    RoleInfo { role: Role::Pawn, value: 100, class: None },
    RoleInfo { role: Role::Knight, value: 280, class: None },
    RoleInfo { role: Role::Bishop, value: 270, class: None },
    RoleInfo { role: Role::Rook, value: 450, class: None },
    RoleInfo { role: Role::Queen, value: 780, class: None },
    RoleInfo { role: Role::King, value: 0, class: None },
];

static INFO: VariantInfo = VariantInfo {
    id: "splitportal",
    names: [
        "Portal Chess on one divided board",
        "Ajedrez de portales en un tablero dividido",
        "Портальные шахматы на разделённой доске",
    ],
    summary: [
        "One board cut in two: you move in the halves in turn, and only portals lead across the cut.",
        "Un tablero cortado en dos: se juega en las mitades por turno, y solo los portales cruzan el corte.",
        "Доска разрезана надвое: ходят на половинах по очереди, и только порталы ведут через разрез.",
    ],
    aliases: &[
        "Portal Chess on one divided board (Howe, one set)",
        "Portal Chess (Howe, one set)",
        "Split Portal Chess",
    ],
    start_fen: "rnbq/pppp/4/4/4/4/PPPP/RNBQ|kbnr/pppp/4/4/4/4/PPPP/KBNR w A -|Kk -|- -/- 0 1",
    boards: &[BoardInfo { id: 'A', dividers: &['d'] }],
    areas: &[
        AreaInfo { area: Area::A, board: 'A', squares: LEFT },
        AreaInfo { area: Area::B, board: 'A', squares: RIGHT },
    ],
    roles: ROLES,
    markers: &[],
    links: &[link(Square::A4), link(Square::D4), link(Square::A5), link(Square::D5)],
    pocket: false,
    castling: true,
    kinds: &[
        MoveKind::Normal,
        MoveKind::Promotion,
        MoveKind::EnPassant,
        MoveKind::Castle,
        MoveKind::Declare,
        MoveKind::Transfer,
        MoveKind::Pass,
    ],
    features: FEATURES,
    zugzwang: true,
    rules_version: 1,
};
