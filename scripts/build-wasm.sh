#!/usr/bin/env bash
# Builds crates/wasm for the browser: web/wasm/rules.wasm, and web/wasm/engine.wasm with the computer player.
# With an argument (rules or engine) only that one.
source "$(dirname "$0")/lib.sh"

"$ROOT/scripts/wasm-toolchain.sh"
# shellcheck source=/dev/null
source "$ROOT/build/wasm-toolchain/env"

target=wasm32-unknown-unknown
# Flags meant for the machine's own processor must not reach this target, so they are set anew. The search recurses
# deeply: the stack is four times the linker's default.
export RUSTFLAGS='-C target-feature=+simd128 -C link-arg=-zstack-size=4194304'
unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET
mkdir -p web/wasm

# module NAME PROFILE FLAG…: builds crates/wasm with this profile and these flags and puts it at web/wasm/NAME.wasm.
module() {
    local name=$1 profile=$2 built=target-wasm/$target/$2/warpchess_wasm.wasm
    shift 2
    say "building $name.wasm ($WASM_WAY)"
    cargo build --locked --profile "$profile" --package warpchess-wasm --target "$target" --target-dir target-wasm \
        ${WASM_BUILD_STD:+"$WASM_BUILD_STD"} "$@"
    # The time stamp moves only when the bytes do: what depends on the file is not built again for nothing.
    cmp -s "$built" "web/wasm/$name.wasm" || install -m 644 "$built" "web/wasm/$name.wasm"
    say "web/wasm/$name.wasm: $(wc -c <"web/wasm/$name.wasm") bytes"
}

# Two modules: the page begins with the rules alone and fetches the computer player when it is asked to play.
[ "${1:-rules}" != rules ] || module rules wasm-small
[ "${1:-engine}" != engine ] || module engine wasm --features engine
