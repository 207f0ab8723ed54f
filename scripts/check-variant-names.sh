#!/usr/bin/env bash
# A variant's name stands in its own file, the registry, texts, data and tests: nowhere else in the code.
#
# Not looked at: crates/rules/src/variants/, files and modules of tests, crates/oracle (which is for tests alone), the
# page's texts, and lines that are comments.
source "$(dirname "$0")/lib.sh"

# As names of things and as texts, in whatever case: PortalDuel, portal_duel, "portalduel".
unique='pocket_?mutation|porthole|portal_?duel|twin_?portal|split_?portal'
# This one is a word for what a piece does, too: only the text and the type are names.
word="[\"'\`/]teleport[\"'\`]|variants::Teleport|<Teleport>"

files=$(git ls-files --cached --others --exclude-standard 'crates/*/src/*' 'web/src/*' |
    grep -E '\.(rs|ts|js|svelte|html|css)$' |
    grep -vE '^crates/rules/src/variants/|^crates/oracle/|/tests?(\.rs|/)|_tests?\.rs$|\.(test|spec)\.|/i18n/|/locales/')
[ -n "$files" ] || die "there is no code to look at"

# Rust's unit tests are the last module of a file.
found=$(printf '%s\n' "$files" | xargs awk -v unique="$unique" -v word="$word" '
    FNR == 1 { tests = 0 }
    /^#\[cfg\(test\)\]/ { tests = 1 }
    tests || /^[ \t]*(\/\/|\*|\/\*|<!--)/ { next }
    tolower($0) ~ unique || $0 ~ word { print FILENAME ":" FNR ": " $0 }
')
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    die "a variant is named in the lines above; what is its own belongs in its file below crates/rules/src/variants/"
fi
say "no variant is named outside its own file: $(printf '%s\n' "$files" | wc -l) files looked at"
