//! What the server promises, tested from outside.

mod clocks;
mod common;
mod games;
mod http;
mod port;
mod store;
