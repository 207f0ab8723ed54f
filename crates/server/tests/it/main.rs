//! What the server promises, tested from outside.

mod common;
mod http;
mod port;
mod store;
