//! Keys for incremental position hashes.
//!
//! Piece keys come from a table; the rarer features use [`key`], which mixes a domain and a value on the fly.
//! Source: A. Zobrist, "A new hashing method with application for game playing" (1970); the mixer is SplitMix64.

use super::{Area, Piece, Square};

/// What a key is about; keeps the keys of unlike features apart.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Domain {
    /// Black is to move.
    Turn = 1,
    /// Castling rights of an area.
    Castling,
    /// Usable ep square of an area.
    EnPassant,
    /// A piece in a pocket.
    Pocket,
    /// A marker on a square, with its count or owner.
    Marker,
    /// Which area is due.
    Due,
    /// A declared teleport.
    Declared,
    /// Anything else a variant needs.
    Other,
}

const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of one value of a feature.
#[inline]
pub const fn key(domain: Domain, value: u32) -> u64 {
    mix((domain as u64) << 40 | value as u64)
}

const fn piece_seed(area: usize, piece: usize, square: usize) -> u64 {
    ((area * 64 + piece) * 64 + square) as u64
}

#[cfg(not(target_arch = "wasm32"))]
static PIECES: [[[u64; 64]; 64]; 2] = {
    let mut table = [[[0; 64]; 64]; 2];
    let mut i = 0;
    while i < 2 * 64 * 64 {
        let (area, piece, square) = (i / 4096, i / 64 % 64, i % 64);
        table[area][piece][square] = mix(piece_seed(area, piece, square));
        i += 1;
    }
    table
};

/// The key of a piece on a square.
#[inline]
pub fn piece(area: Area, piece: Piece, square: Square) -> u64 {
    let (area, piece, square) = (area.index(), piece.index(), square.index());
    #[cfg(not(target_arch = "wasm32"))]
    return PIECES[area][piece][square];
    // The table would be 64 KiB of what no compression makes smaller, and everybody fetches it.
    #[cfg(target_arch = "wasm32")]
    mix(piece_seed(area, piece, square))
}
