//! What the server promises, tested from outside.

mod accounts;
mod common;
mod http;
mod lichess;
mod limits;
mod port;
mod ratings;
mod store;
