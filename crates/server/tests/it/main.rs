//! What the server promises, tested from outside.

mod accounts;
mod clocks;
mod common;
mod games;
mod http;
mod lichess;
mod limits;
mod port;
mod ratings;
mod store;
