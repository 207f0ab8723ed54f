#!/usr/bin/env bash
# Builds crates/wasm for the browser and puts it at web/public/rules.wasm.
source "$(dirname "$0")/lib.sh"

"$ROOT/scripts/wasm-toolchain.sh"
# shellcheck source=/dev/null
source "$ROOT/build/wasm-toolchain/env"

target=wasm32-unknown-unknown
# Flags meant for the machine's own processor must not reach this target, so they are set anew. The search recurses
# deeply: the stack is four times the linker's default.
export RUSTFLAGS='-C target-feature=+simd128 -C link-arg=-zstack-size=4194304'
unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET
say "building the rules for WebAssembly ($WASM_WAY)"
cargo build --locked --profile wasm --package warpchess-wasm --target "$target" --target-dir target-wasm \
    ${WASM_BUILD_STD:+"$WASM_BUILD_STD"}

built=target-wasm/$target/wasm/warpchess_wasm.wasm
mkdir -p web/public
# The time stamp moves only when the bytes do: what depends on the file is not built again for nothing.
cmp -s "$built" web/public/rules.wasm || install -m 644 "$built" web/public/rules.wasm
say "web/public/rules.wasm: $(wc -c <web/public/rules.wasm) bytes"
