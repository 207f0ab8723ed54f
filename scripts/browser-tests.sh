#!/usr/bin/env bash
# Runs the page's browser tests against the real server, started on a free port.
source "$(dirname "$0")/lib.sh"

program=target/release/warpchess
[ -x "$program" ] || die "$program is missing: run 'cargo build --release'"
CHROMIUM=$("$ROOT/scripts/browser.sh")
export CHROMIUM

log=$(mktemp)
env -u PORT "$program" serve --port 0 --database sqlite::memory: >"$log" 2>&1 &
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
(cd web && npm run --silent test:browser)
kill -0 "$server" 2>/dev/null || die "the server ended during the tests: $(cat "$log")"
