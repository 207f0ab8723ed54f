//! Portal chess on two boards. The rules are those of [`howe`](super::howe).

use super::howe::{FEATURES, Geometry, Howe};
use crate::core::{Area, Bitboard, Castling, Color, MoveKind, Side, Square};
use crate::info::{AreaInfo, BoardInfo, Link, ORTHODOX_ROLES, VariantInfo};

/// A position of portal chess on two boards.
pub type TwinPortal = Howe<TwoBoards>;

/// Two whole boards, linked on the edge files.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum TwoBoards {}

const fn link(square: Square) -> Link {
    ((Area::A, square), (Area::B, square))
}

const PORTALS: Bitboard = Bitboard::EMPTY.with(Square::A4).with(Square::H4).with(Square::A5).with(Square::H5);

impl Geometry for TwoBoards {
    const INFO: &'static VariantInfo = &INFO;
    const AREAS: [Bitboard; 2] = [Bitboard::ALL; 2];
    const PORTALS: [Bitboard; 2] = [PORTALS; 2];
    const SHIFT: i8 = 0;
    const RIGHTS: [Castling; 2] = [
        Castling::NONE.with(Color::White, Side::King).with(Color::White, Side::Queen),
        Castling::NONE.with(Color::Black, Side::King).with(Color::Black, Side::Queen),
    ];
}

static INFO: VariantInfo = VariantInfo {
    id: "twinportal",
    names: ["Portal Chess on two boards", "Ajedrez de portales en dos tableros", "Портальные шахматы на двух досках"],
    summary: [
        "Two boards with one king on each: you move on them in turn, and portals at the edges take pieces across.",
        "Dos tableros con un rey en cada uno: se juega en ellos por turno, y los portales del borde llevan piezas al otro.",
        "Две доски, на каждой по одному королю: ходят на них по очереди, а порталы у края переносят фигуры на другую.",
    ],
    aliases: &["Portal Chess on two boards (Howe, two sets)", "Portal Chess (Howe, two sets)", "Twin Portal Chess"],
    start_fen: "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR \
                w A KQ|kq -|- -/- 0 1",
    boards: &[BoardInfo { id: 'A', dividers: &[] }, BoardInfo { id: 'B', dividers: &[] }],
    areas: &[
        AreaInfo { area: Area::A, board: 'A', squares: Bitboard::ALL },
        AreaInfo { area: Area::B, board: 'B', squares: Bitboard::ALL },
    ],
    roles: ORTHODOX_ROLES,
    markers: &[],
    links: &[link(Square::A4), link(Square::H4), link(Square::A5), link(Square::H5)],
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
