#!/usr/bin/env bash
# Sets up what is missing, builds everything, and serves it. Arguments are those of `warpchess serve`, e.g. --port 9000.
source "$(dirname "$0")/lib.sh"

# An empty PORT is none.
[ -n "${PORT:-}" ] || unset PORT
"$ROOT/scripts/setup.sh" run
"$ROOT/scripts/build-wasm.sh"
"$ROOT/scripts/build-web.sh"
timed "building the program (the first time takes some minutes)" cargo build --locked --release --package warpchess
# Games outlast the server, and `make clean` takes them away.
mkdir -p build
export WARPCHESS_DATABASE="${WARPCHESS_DATABASE:-sqlite:build/warpchess.db}"
exec target/release/warpchess serve "$@"
