#!/usr/bin/env bash
# The engine through python-chess and the API through berserk, which are unpacked into build/python. WARPCHESS names another program than the release build.
source "$(dirname "$0")/lib.sh"

python=build/python/bin/python
wanted=tests/python/requirements.txt
# Written when all is there.
stamp=build/python/ready
if ! [ "$stamp" -nt "$wanted" ]; then
    say "setting up Python in build/python"
    have python3 || apt_install python3 python3-venv
    # Debian has a part of venv in a package of its own.
    python3 -c 'import ensurepip' 2>/dev/null || apt_install python3-venv
    rm -rf build/python
    python3 -m venv build/python
    "$python" -m pip install --quiet --disable-pip-version-check --requirement "$wanted"
    touch "$stamp"
fi
[ "${1:-}" = setup ] && exit
export WARPCHESS=${WARPCHESS:-$ROOT/target/release/warpchess}
[ -x "$WARPCHESS" ] || cargo build --locked --release --package warpchess
"$python" -m unittest discover --start-directory tests/python
