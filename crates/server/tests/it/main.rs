//! What the server promises, tested from outside.

mod accounts;
mod analysis;
mod archive;
mod challenges;
mod clocks;
mod cluster;
mod common;
mod computer;
mod docs;
mod explorer;
mod games;
mod http;
mod import;
mod lichess;
mod limits;
mod outage;
mod port;
mod ratings;
mod refusals;
mod scopes;
mod speed;
mod store;
mod watch;
mod ws;
