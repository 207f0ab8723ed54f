//! What the server promises, tested from outside.

mod challenges;
mod clocks;
mod common;
mod computer;
mod games;
mod http;
mod port;
mod store;
mod ws;
