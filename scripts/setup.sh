#!/usr/bin/env bash
# Sets up what is missing. `setup.sh run`: to build and run the program. `setup.sh test`: to test it, too. `setup.sh servers`:
# to test the server alone.
source "$(dirname "$0")/lib.sh"

for_what=${1:-run}
RUST_NEEDED=1.90
NODE_NEEDED=20.19

# at_least VERSION NEEDED
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

compilers() {
    have cargo && have rustc ||
        die "Rust is missing: install version $RUST_NEEDED or newer from https://rustup.rs, then run this again"
    local rust
    rust=$(rustc --version | awk '{print $2}')
    at_least "$rust" "$RUST_NEEDED" || die "Rust is $rust, and $RUST_NEEDED or newer is needed: run 'rustup update stable'"
    have cc || apt_install gcc libc6-dev
}

node_packages() {
    have node && have npm || die "Node.js is missing: install version $NODE_NEEDED or newer with npm (https://nodejs.org)"
    local node
    node=$(node --version)
    at_least "${node#v}" "$NODE_NEEDED" || die "Node.js is ${node#v}, and $NODE_NEEDED or newer is needed (https://nodejs.org)"
    [ -f web/package-lock.json ] || die "web/package-lock.json is missing: this is no whole copy of the project"
    # npm writes this file at the end of an installation.
    if [ web/node_modules/.package-lock.json -nt web/package-lock.json ]; then return; fi
    (cd web && timed "installing the page's npm packages" npm ci --no-audit --no-fund --loglevel=error)
    touch web/node_modules/.package-lock.json
}

browser() {
    "$ROOT/scripts/browser.sh" >/dev/null 2>&1 && return
    timed "installing Chromium for the browser tests" apt_install chromium fonts-dejavu-core
    "$ROOT/scripts/browser.sh" >/dev/null
}

# The server's tests run on a database of this kind too, which they start for themselves.
database() {
    have initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null && return
    timed "installing PostgreSQL for the server's tests" apt_install postgresql
}

# And two servers at once on a bus of this kind.
bus() {
    have nats-server || [ -x /usr/sbin/nats-server ] && return
    timed "installing NATS for the server's tests" apt_install nats-server
}

# And the balancer of deploy/ before them.
balancer() {
    have haproxy || [ -x /usr/sbin/haproxy ] && return
    timed "installing HAProxy for the tests of deploy/" apt_install haproxy
}

compilers
if [ "$for_what" = servers ]; then
    database
    bus
    exit
fi
node_packages
"$ROOT/scripts/wasm-toolchain.sh"
case $for_what in
run) ;;
test)
    for tool in cargo-fmt cargo-clippy; do
        have "$tool" || timed "installing ${tool#cargo-} (rustup)" rustup component add "${tool/cargo-fmt/rustfmt}" ||
            die "$tool is missing: it comes with Rust's component ${tool/cargo-fmt/rustfmt}"
    done
    browser
    database
    bus
    balancer
    scripts/python-tests.sh setup
    ;;
*) die "setup.sh is for 'run', 'test' or 'servers', not '$for_what'" ;;
esac
