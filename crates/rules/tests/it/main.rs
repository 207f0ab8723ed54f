//! The rules crate as its users meet it. One program for all of these tests, since each would link every game anew.

mod bad_fens;
mod conformance;
mod cozy;
mod fuzz;
mod game;
mod mating;
mod oracle;
mod pgn;
mod properties;
mod san;
mod san_forms;
mod toy_variant;
