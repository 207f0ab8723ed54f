//! Games as JSON, for every client: the browser through WebAssembly, the HTTP API, the command line.
//!
//! Without the feature `engine` there is no search: the rules alone are a quarter of the size.
//!
//! [`handle`] takes a request and gives a reply, bytes to bytes. What is in them is described at [`Request`] and
//! [`view`].
//!
//! # Examples
//! ```
//! let reply = warpchess_wire::handle(br#"{"op": "view", "variant": "chess", "moves": ["e2e4"]}"#);
//! assert!(reply.starts_with(br#"{"ok":{"#));
//! ```
#![forbid(unsafe_code)]

mod error;
mod forms;
mod memory;
mod premove;
mod request;
#[cfg(feature = "engine")]
mod search;
mod setup;
mod tree;
pub mod view;
mod why;

pub use error::{Error, Field};
pub use memory::Memory;
pub use premove::premoves;
pub use request::{Answer, GameText, Request, handle, handle_with};
#[cfg(feature = "engine")]
pub use search::{Analyse, Analysis, Found, Search};
pub use setup::{Judged, Setup};
pub use tree::{FirstGame, Tree, TreeMove};
pub use view::Named;
pub use why::{Tried, Why};
