//! Positions as pictures, drawn from what the rules crate tells of them; nothing here knows a game.
#![forbid(unsafe_code)]

pub mod card;
mod letters;
#[cfg(feature = "png")]
pub mod png;
pub mod svg;
pub mod text;
