#!/usr/bin/env bash
# Feeds the readers of text at random: fuzz.sh SECONDS [TARGET…]. Builds with the ordinary compiler.
source "$(dirname "$0")/lib.sh"

seconds=${1:?how many seconds for each target}
shift
targets=("$@")
[ "${#targets[@]}" -gt 0 ] || mapfile -t targets < <(sed -n '/^\[\[bin\]\]/,/^name/ s/^name = "\(.*\)"/\1/p' fuzz/Cargo.toml)

have c++ || die "a C++ compiler is missing (it builds libFuzzer): install g++"
host=$(rustc -vV | sed -n 's/^host: //p')
# What cargo-fuzz sets, without the address sanitizer: that needs a nightly compiler, and the rules have no unsafe code.
# The target is named so that the flags do not reach build scripts and macros.
sancov=-Cllvm-args=-sanitizer-coverage
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module $sancov-level=4 $sancov-inline-8bit-counters $sancov-pc-table $sancov-trace-compares"
timed "building the fuzz targets" \
    cargo build --locked --release --manifest-path fuzz/Cargo.toml --target "$host" --target-dir target/fuzz

# Every corpus begins with what vectors/ holds: one file an input.
seed() {
    local target=$1 dir=fuzz/corpus/$1 file variant
    mkdir -p "$dir"
    for file in vectors/*.moves.tsv; do
        variant=$(basename "$file" .moves.tsv)
        awk -F '\t' -v target="$target" -v id="$variant" -v dir="$dir" '
            function put(text) { out = dir "/" id "-" NR; printf "%s", text >out; close(out) }
            /^#/ { next }
            target == "fen" { put($1) }
            # The first line chooses a game (by its first byte) and moves from its start.
            target == "uci" { split($3, moves, " "); put(NR % 10 id "\n" moves[1]) }
            # A move of the rest of the first line, so that every kind of text is near.
            target == "san" { n = split(sans, texts, " "); put(NR % 10 id "\n" texts[NR % n + 1]) }
            target == "pgn" && $2 != "status" { game = game " " $2 }
            target == "pgn" && $2 == "status" { put("[Variant \"" id "\"]\n\n" game " *\n"); game = "" }
        ' sans='Nf3 exd5 O-O e8=Q Nb1d2 N~g5 R~h2=Q Nb1^B Pe8^N N@e4 fxg4→c4 Ng4->c4 O@e4 Oe5 Re4→xa8 Ae4 QAa4→ QAa4→xBa4 --' \
            "$([ "$target" = pgn ] && echo "${file/.moves./.games.}" || echo "$file")"
    done
}

# fed LOG command…: runs it, with what it says in a file.
fed() {
    local log=$1
    shift
    "$@" >"$log" 2>&1
}

for target in "${targets[@]}"; do
    program=target/fuzz/$host/release/$target
    [ -x "$program" ] || die "there is no fuzz target '$target'"
    seed "$target"
    mkdir -p "fuzz/artifacts/$target"
    log=fuzz/artifacts/$target.log
    if ! timed "fuzzing $target for $seconds s" fed "$log" "$program" "fuzz/corpus/$target" -timeout=10 \
        -max_total_time="$seconds" -rss_limit_mb=2048 -max_len=3000 -print_final_stats=1 \
        -artifact_prefix="fuzz/artifacts/$target/"; then
        grep -v '^#' "$log" | tail -n 40 >&2
        die "$target failed: the input that did it is in fuzz/artifacts/$target"
    fi
    say "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, none broke it"
done
