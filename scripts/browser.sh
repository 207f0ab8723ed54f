#!/usr/bin/env bash
# Prints the path of the Chromium that the browser tests use: $CHROMIUM, or the first of the usual names.
source "$(dirname "$0")/lib.sh"

if [ -n "${CHROMIUM:-}" ]; then
    have "$CHROMIUM" || die "CHROMIUM is '$CHROMIUM', and there is no such program"
    command -v "$CHROMIUM"
    exit
fi
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name"; then exit; fi
done
die "Chromium is missing: install it, or name one with CHROMIUM=/path/to/it"
