#!/usr/bin/env bash
# Runs the page's browser tests against the real server, and checks what the page promises wherever it runs.
source "$(dirname "$0")/lib.sh"

scripts/with-server.sh npm run --silent test:browser
scripts/with-server.sh node scripts/measure.mjs --check size page moves
