#!/usr/bin/env bash
# Measures every game and prints the tables of docs/balance.md; the pictures go to docs/balance/. What was played is kept in
# build/balance: called again, it goes on.
#
#   GAMES="chess teleport"  only these       COUNT=400  games of each       NODES=5000  nodes a move
#   CONCURRENCY=1           games at a time  WARPCHESS=path  the program
source "$(dirname "$0")/lib.sh"

WARPCHESS=${WARPCHESS:-target/release/warpchess}
[ -x "$WARPCHESS" ] || cargo build --release -p warpchess
folder=build/balance
mkdir -p "$folder" docs/balance
for game in ${GAMES:-$("$WARPCHESS" variants | awk '{ print $1 }')}; do
    say "$game"
    "$WARPCHESS" lab "$game" --games "${COUNT:-400}" --nodes "${NODES:-5000}" --concurrency "${CONCURRENCY:-1}" \
        --state "$folder/$game.state" --pgn "$folder/$game.pgn" --json "$folder/$game.json" --svg "docs/balance/$game.svg" \
        >"$folder/$game.txt"
done
node scripts/balance-table.mjs "$folder"
