//! What the server promises, tested from outside.

mod accounts;
mod challenges;
mod clocks;
mod cluster;
mod common;
mod computer;
mod games;
mod http;
mod lichess;
mod limits;
mod port;
mod ratings;
mod store;
mod ws;
