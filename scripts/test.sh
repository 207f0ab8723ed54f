#!/usr/bin/env bash
# Sets up what is missing and runs every check and test. With arguments, only the steps of those names.
# All steps are run, also after one that failed; the last line tells how many passed.
source "$(dirname "$0")/lib.sh"

only=("$@")
mapfile -t names < <(sed -n 's/^step \([a-z-]*\) .*/\1/p' "$0")
for name in "${only[@]}"; do
    [[ " ${names[*]} " == *" $name "* ]] || die "there is no step '$name'; the steps are: ${names[*]}"
done
passed=0
failed=()
started=$SECONDS

# step NAME "what it does" command…
step() {
    local name=$1 what=$2
    shift 2
    if [ "${#only[@]}" -gt 0 ] && [[ " ${only[*]} " != *" $name "* ]]; then return; fi
    if timed "$name: $what" "$@" </dev/null; then
        passed=$((passed + 1))
    else
        failed+=("$name")
    fi
}

in_web() { (cd web && npm run --silent "$1"); }

rust_tests() {
    if have cargo-nextest; then
        cargo nextest run --locked --workspace --no-fail-fast
    else
        cargo test --locked --workspace --lib --bins --tests --no-fail-fast
    fi
}

# Positions and games of vectors/, the deep counts too, as fast as they are computed for players.
deep_vectors() { cargo test --locked --release --package warpchess-rules --test vectors -- --include-ignored; }

licenses() {
    node scripts/check-licenses.mjs || return
    if have cargo-deny; then cargo deny --locked check licenses bans sources; fi
}

wasm_clippy() {
    # shellcheck source=/dev/null
    source build/wasm-toolchain/env
    if [ "$WASM_WAY" != rustup ]; then
        say "skipped: this toolchain has no clippy for WebAssembly"
        return
    fi
    cargo clippy --locked --package warpchess-wasm --target wasm32-unknown-unknown --target-dir target-wasm -- -D warnings
}

say "setting up what is missing"
"$ROOT/scripts/setup.sh" test </dev/null

step fmt "the code is formatted" cargo fmt --all --check
step names "no variant is named outside its own file" scripts/check-variant-names.sh
step copies "vectors/ is what it was copied from" scripts/check-vectors-copy.sh
step licenses "licences of all that is built in" licenses
step clippy "no warnings from clippy" cargo clippy --locked --workspace --all-targets -- -D warnings
step rust "unit, integration and property tests" rust_tests
step doctests "examples in the documentation" cargo test --locked --workspace --doc
step docs "documentation without warnings" env RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps
step wasm-build "the rules for the browser" scripts/build-wasm.sh
step wasm-clippy "no warnings from clippy for WebAssembly" wasm_clippy
step wasm "the rules as the browser runs them" node --test crates/wasm/tests/*.test.mjs
step web-check "types of the page" in_web check
step web-lint "the page's code is clean" in_web lint
step web-unit "unit tests of the page" in_web test
step web-build "the page" scripts/build-web.sh
step release "the program" cargo build --locked --release --package warpchess
step browser "the page in a browser, against the real server" scripts/browser-tests.sh
step python "the engine and the API through clients that others made" scripts/python-tests.sh
step vectors "every position, count and game of vectors/, deep ones too" deep_vectors
step fuzz "readers of text from outside, fed at random" scripts/fuzz.sh 20

say "took $(((SECONDS - started) / 60)) min $(((SECONDS - started) % 60)) s"
if [ "${#failed[@]}" -gt 0 ]; then
    echo "failed steps: ${failed[*]}" >&2
fi
echo "$passed passed, ${#failed[@]} failed"
[ "${#failed[@]}" -eq 0 ]
