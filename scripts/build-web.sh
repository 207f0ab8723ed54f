#!/usr/bin/env bash
# Builds the page into web/dist, if anything it is made of is newer. The modules of web/wasm have to be there.
source "$(dirname "$0")/lib.sh"

for module in rules engine; do
    [ -f "web/wasm/$module.wasm" ] || die "web/wasm/$module.wasm is missing: run scripts/build-wasm.sh"
done
[ -d web/node_modules ] || die "web/node_modules is missing: run scripts/setup.sh"
built=web/dist/index.html
if [ -f "$built" ]; then
    newer=$(find web -path web/node_modules -prune -o -path web/dist -prune -o -type f -newer "$built" -print -quit)
    if [ -z "$newer" ]; then
        say "the page is up to date"
        exit
    fi
fi
cd web
say "building the page"
npm run --silent build
