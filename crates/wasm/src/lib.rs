//! The rules for the browser.
//!
//! The module has no imports and four exports: its `memory`, and the three functions of the `abi` module.
//! [`api::handle`] is all there is behind them: a request in JSON becomes a reply in JSON. It is safe code that runs
//! on any target, so that it is tested like everything else.
#![deny(unsafe_code)]

#[cfg(target_arch = "wasm32")]
mod abi;
pub mod api;
