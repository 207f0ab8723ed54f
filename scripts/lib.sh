# shellcheck shell=bash
# Sourced by the other scripts: where the project is, progress lines, and sentences for what is missing.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

# One line of progress.
say() { printf '==> %s\n' "$*"; }

# The end, with one sentence that names what was wrong and what to do.
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# timed "what it does" command…: says it, runs it, says how long it took or that it failed. Passes the exit code on.
timed() {
    local what=$1 start=$SECONDS code=0
    shift
    say "$what"
    "$@" || code=$?
    if [ "$code" -eq 0 ]; then
        printf '    done in %d s: %s\n' "$((SECONDS - start))" "$what"
    else
        printf '    FAILED after %d s (exit code %d): %s\n' "$((SECONDS - start))" "$code" "$what" >&2
    fi
    return "$code"
}

# apt_install NAME…: installs Debian packages where that can be done without asking, else names them.
apt_install() {
    if have apt-get && [ "$(id -u)" -eq 0 ]; then
        export DEBIAN_FRONTEND=noninteractive
        if ! apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1; then
            # The lists may be old or not there yet.
            apt-get update -qq || die "apt-get update failed, and these packages are needed: $*"
            apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
                die "apt-get could not install: $*"
        fi
    elif have apt-get; then
        die "missing: $*. Install with: sudo apt-get install $*"
    else
        die "missing: $* (Debian's package names). Install what your system calls these, then run this again"
    fi
}
