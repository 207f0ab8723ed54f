//! One file a game, and one line a game in the registry below.

mod chess;
mod howe;
mod pocketmutation;
mod portalduel;
mod porthole;
mod splitportal;
mod teleport;
mod twinportal;

use crate::VariantInfo;
use crate::notation::fen::FenError;
use crate::position::{AnyPosition, Position};
use std::fmt;
use std::str::FromStr;

/// Lists the games. The order is the one in which people are shown them.
macro_rules! registry {
    ($($module:ident::$name:ident,)*) => {
        $(pub use $module::$name;)*

        /// Every game, with a check that has to be done for each.
        static ENTRIES: &[Entry] = &[$(Entry::of::<$name>(),)*];

        impl VariantId {
            /// Runs generic code with this game's type: one `match`, everything below it is static.
            pub fn visit<V: VariantVisitor>(self, visitor: V) -> V::Output {
                let mut i = 0;
                $(
                    if self.0 as usize == i {
                        return visitor.visit::<$name>();
                    }
                    i += 1;
                )*
                unreachable!("variant {i}")
            }
        }
    };
}

registry! {
    chess::Chess,
    teleport::Teleport,
    pocketmutation::PocketMutation,
    porthole::Porthole,
    portalduel::Portalduel,
    twinportal::TwinPortal,
    splitportal::SplitPortal,
}

struct Entry {
    info: &'static VariantInfo,
    start: fn() -> Box<dyn AnyPosition>,
    from_fen: fn(&str) -> Result<Box<dyn AnyPosition>, FenError>,
    random_setup: fn(u64) -> Option<Box<dyn AnyPosition>>,
}

impl Entry {
    const fn of<P: Position>() -> Self {
        Self {
            info: P::INFO,
            start: || Box::new(P::start()),
            from_fen: |fen| Ok(Box::new(P::from_fen(fen)?)),
            random_setup: |seed| Some(Box::new(P::random_setup(seed)?)),
        }
    }
}

/// Generic code to run for a game that is only known at run time.
pub trait VariantVisitor {
    /// What it returns.
    type Output;
    /// Runs with the game's type.
    fn visit<P: Position>(self) -> Self::Output;
}

/// One of the games.
///
/// # Examples
/// ```
/// use warpchess_rules::VariantId;
/// let chess: VariantId = "chess".parse()?;
/// assert_eq!(chess.start().legal_moves().len(), 20);
/// # Ok::<(), warpchess_rules::variants::UnknownVariant>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariantId(u8);

/// A name that no game has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown variant '{name}', expected one of {}", VariantId::all().map(|v| v.info().id).collect::<Vec<_>>().join(", "))]
pub struct UnknownVariant {
    /// The name, shortened.
    pub name: String,
}

impl VariantId {
    /// All games.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..ENTRIES.len()).map(|i| Self(i as u8))
    }
    fn entry(self) -> &'static Entry {
        &ENTRIES[self.0 as usize]
    }
    /// What the game is made of.
    pub fn info(self) -> &'static VariantInfo {
        self.entry().info
    }
    /// Its id.
    pub fn id(self) -> &'static str {
        self.info().id
    }
    /// The position it begins with.
    pub fn start(self) -> Box<dyn AnyPosition> {
        (self.entry().start)()
    }
    /// Reads a position.
    ///
    /// # Errors
    /// Names the field of the FEN at fault.
    pub fn from_fen(self, fen: &str) -> Result<Box<dyn AnyPosition>, FenError> {
        (self.entry().from_fen)(fen)
    }
    /// A set-up from a seed, where the game's sources leave the set-up open.
    pub fn random_setup(self, seed: u64) -> Option<Box<dyn AnyPosition>> {
        (self.entry().random_setup)(seed)
    }
    /// The game that goes by a name, however written; for names people wrote, as in a PGN.
    ///
    /// # Errors
    /// When no game is called so.
    pub fn from_name(name: &str) -> Result<Self, UnknownVariant> {
        Self::all()
            .find(|v| v.info().is_named(name))
            .ok_or_else(|| UnknownVariant { name: crate::notation::fen::excerpt(name) })
    }
}

/// The first of the registry: the game of those who name none.
impl Default for VariantId {
    fn default() -> Self {
        Self(0)
    }
}

impl FromStr for VariantId {
    type Err = UnknownVariant;
    fn from_str(id: &str) -> Result<Self, UnknownVariant> {
        Self::all().find(|v| v.id() == id).ok_or_else(|| UnknownVariant { name: crate::notation::fen::excerpt(id) })
    }
}

impl fmt::Display for VariantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for VariantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
