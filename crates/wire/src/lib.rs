//! Games as JSON, for every client: the browser through WebAssembly, the HTTP API, the command line.
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
mod premove;
mod request;
mod search;
pub mod view;
mod why;

pub use error::{Error, Field};
pub use premove::premoves;
pub use request::{Answer, GameText, Request, handle};
pub use search::{Found, Search};
pub use why::{Tried, Why};
