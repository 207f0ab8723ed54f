//! The rules for the browser: [`warpchess_wire::handle`] behind a C ABI.
//!
//! The module has no imports. It exports its `memory`, and four functions:
//!
//! - `alloc(len: u32) -> u32`: memory for a request.
//! - `call(ptr: u32, len: u32) -> u64`: takes the request there, a JSON text in UTF-8, and frees its memory; gives the
//!   reply's address in the upper and its length in the lower 32 bits.
//! - `dealloc(ptr: u32, len: u32)`: frees a reply, or a request that was not sent.
//! - `panic_message() -> u64`: packed like a reply, what went wrong in a `call` that trapped. That is a fault of the
//!   program, never of the request, and the instance is good for nothing else afterwards.
//!
//! On other targets than WebAssembly this crate is empty.
#![deny(unsafe_code)]

#[cfg(target_arch = "wasm32")]
mod abi;
