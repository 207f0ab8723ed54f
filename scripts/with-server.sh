#!/usr/bin/env bash
# Runs a command in web/ against the real server, started on a free port with an empty database: its address is in
# BASE_URL, the browser in CHROMIUM, the program in NATIVE.
source "$(dirname "$0")/lib.sh"

NATIVE=${WARPCHESS:-$ROOT/target/release/warpchess}
[ -x "$NATIVE" ] || die "$NATIVE is missing: run 'cargo build --release', or set WARPCHESS to the program"
CHROMIUM=$("$ROOT/scripts/browser.sh")
export CHROMIUM NATIVE

log=$(mktemp)
env -u PORT "$NATIVE" serve --port 0 --database sqlite::memory: >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -f "$log"' EXIT
for _ in $(seq 100); do
    BASE_URL=$(sed -n 's/^Warpchess is at \(http:[^ ]*\).*/\1/p' "$log")
    [ -z "$BASE_URL" ] || break
    kill -0 "$server" 2>/dev/null || die "the server did not start: $(cat "$log")"
    sleep 0.1
done
[ -n "$BASE_URL" ] || die "the server printed no address within 10 s: $(cat "$log")"
export BASE_URL
say "the server is at $BASE_URL"
(cd web && "$@")
kill -0 "$server" 2>/dev/null || die "the server ended meanwhile: $(cat "$log")"
