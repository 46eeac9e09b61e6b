#!/bin/bash
# Checks the spelling of the pages and of the comments of the library's headers with aspell (British English).
#   scripts/spelling.sh          prints each word that it does not know with its place; fails if there is any
# These words pass: those with a capital or a digit behind their first letter (names and abbreviations), those that are
# part of a file's name in the tree (programs, kernels), and those of scripts/spelling.words, one a line.
# Ends with 77 where aspell is not installed (scripts/deps.sh --check).
set -eu
cd "$(dirname "$0")/.."
command -v aspell > /dev/null || { echo "spelling.sh: aspell is not installed"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    cat scripts/spelling.words
    git ls-files | grep -oE '[A-Za-z]+'
} | tr '[:upper:]' '[:lower:]' | sort -u > "$work/known"

unknown() { # MODE FILE
    aspell --mode="$1" --lang=en_GB list < "$2" | sed "s/'s\$//" | aspell --lang=en_GB list | grep -xE '[A-Za-z][a-z]*' |
        sort -u | while read -r word; do
            grep -qxF -- "${word,,}" "$work/known" || echo "$2:$(grep -nwm1 -- "$word" "$2" | cut -d: -f1): $word"
        done
}

git ls-files '*.md' | while read -r page; do
    unknown markdown "$page"
done > "$work/found"
for header in libplumb/*.h; do
    unknown ccpp "$header" >> "$work/found"
done
cat "$work/found"
[ ! -s "$work/found" ]
