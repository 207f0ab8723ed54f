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

# Every corpus begins with what vectors/ holds. An input is a game's id on a line, then text.
seed() {
    local dir=fuzz/corpus/$1 file variant
    mkdir -p "$dir"
    for file in vectors/*.moves.tsv; do
        variant=$(basename "$file" .moves.tsv)
        case $1 in
        fen)
            awk -F '\t' -v id="$variant" -v dir="$dir" '
                !/^#/ { out = dir "/" id "-" NR; printf "%s\n%s", id, $1 >out; close(out) }' "$file"
            ;;
        uci)
            awk -F '\t' -v id="$variant" -v dir="$dir" '
                /^#/ { next }
                $2 == "status" { out = dir "/" id "-" $1; printf "%s\n%s", id, game >out; close(out); game = ""; next }
                { game = game $2 " " }' "${file/.moves./.games.}"
            ;;
        esac
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
