//! How pieces move on a board, apart from any game's own rules.

mod checking;
mod directions;
mod lines;
pub mod orthodox;
mod tables;

pub use checking::Checking;
pub use directions::Direction;
pub use lines::{
    between, bishop_attacks, bishop_rays, line, nightrider_attacks, nightrider_rays, queen_attacks, rook_attacks,
    rook_rays,
};
pub use tables::{king_attacks, knight_attacks, pawn_attack_set, pawn_attacks};
