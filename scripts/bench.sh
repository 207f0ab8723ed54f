#!/usr/bin/env bash
# Measures move generation against cozy-chess. Arguments go to the benchmark: a variant's name for its rows alone.
source "$(dirname "$0")/lib.sh"

have cargo || die "Rust is missing: install it from https://rustup.rs, then run this again"
# The folder says how it is built: both sides with every instruction that this processor has.
cd bench
timed "building the benchmark" cargo build --locked --release
timed "measuring (some minutes; best on a machine that does nothing else)" cargo run --locked --release --quiet -- "$@"
