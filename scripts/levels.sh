#!/usr/bin/env bash
# Plays each level of the engine against the one below it, in every game, and writes docs/levels.md. What was played is kept in
# build/levels: called again, it goes on.
#
#   PAIRS="1 2" GAMES="chess"      only these lower levels, only these games
#   COUNT=60                       games a match, for the lower levels; COUNT_7 and such for one of them
#   CONCURRENCY=1                  games at a time
#   WARPCHESS=path                 the program
source "$(dirname "$0")/lib.sh"

WARPCHESS=${WARPCHESS:-target/release/warpchess}
[ -x "$WARPCHESS" ] || cargo build --release -p warpchess
folder=build/levels
mkdir -p "$folder"
# Strong levels win what both see as won. Weak ones have to show it.
for lower in ${PAIRS:-1 2 3 4 5 6 7}; do
    upper=$((lower + 1))
    for game in ${GAMES:-$("$WARPCHESS" variants | awk '{ print $1 }')}; do
        count=COUNT_$lower
        early=()
        [ "$lower" -lt 5 ] || early=(--win 5:700)
        say "$game: level $upper against level $lower"
        "$WARPCHESS" match "$game" --first "level=$upper" --second "level=$lower" --games "${!count:-${COUNT:-60}}" --plies 6 \
            --seed 2026 --concurrency "${CONCURRENCY:-1}" ${early[@]+"${early[@]}"} \
            --state "$folder/$game.$lower.state" --json >"$folder/$game.$lower.new"
        mv "$folder/$game.$lower.new" "$folder/$game.$lower.json"
    done
done
node scripts/levels-table.mjs "$folder" >docs/levels.md
say "docs/levels.md is written"
