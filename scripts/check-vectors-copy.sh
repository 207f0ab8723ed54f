#!/usr/bin/env bash
# Where ../shared/vectors stands beside the project, says whether vectors/ still is a copy of it.
source "$(dirname "$0")/lib.sh"

origin=$ROOT/../shared/vectors
if [ ! -d "$origin" ]; then
    say "there is no ../shared/vectors: nothing to compare vectors/ with"
    exit 0
fi
if ! diff -rq "$origin" vectors; then
    die "vectors/ differs from ../shared/vectors in the files above"
fi
say "vectors/ is a copy of ../shared/vectors: $(find vectors -name '*.tsv' | wc -l) files"
