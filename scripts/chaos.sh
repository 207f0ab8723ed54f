#!/usr/bin/env bash
# The fault test in its long form: players play on while servers are killed, PostgreSQL and NATS crash, connections break and
# messages come twice, late and out of order. CHAOS_SECONDS says how long, each of the two parts; CHAOS_SEED makes other choices.
source "$(dirname "$0")/lib.sh"

"$ROOT/scripts/setup.sh" servers </dev/null
CI=true CHAOS_SECONDS=${CHAOS_SECONDS:-600} cargo test --locked --package warpchess --test chaos -- --nocapture
