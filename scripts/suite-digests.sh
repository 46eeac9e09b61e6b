#!/bin/bash
# Captures suites and writes what came out into their files: digest, warp instructions and footprint of each
# program, on the line that holds `digest = "..."` behind its name.  For when the programs or what a capture
# records have changed; look at the difference before committing it.
#   scripts/suite-digests.sh [--force] [NAME...]     all suites by default; PLUMB names the program
set -eu
export PLUMB_BANK=off # figures are those without a bank of runs
plumb=${PLUMB:-build/release/plumb}
if [ ! -x "$plumb" ]; then
    echo "suite-digests.sh: there is no program $plumb; build plumb, or set PLUMB" >&2
    exit 1
fi
root=$(cd "$(dirname "$0")/.." && pwd)
suite_files() { # NAME
    compgen -G "$root/configs/workloads/suites/$1.cfg" || true
    compgen -G "$root/papers/*/workloads/suites/$1.cfg" || true
}

values=$(mktemp)
trap 'rm -f "$values"' EXIT
force=()
if [ "${1:-}" = --force ]; then
    force=(--force)
    shift
fi
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(suite_files '*' | sed 's/.*\///; s/\.cfg$//' | sort)

# program, digest, instructions, footprint of what is there
measure() {
    local name path
    "$plumb" trace suite "$1" --json | jq -r '.programs[] | select(.digest and .state != "missing")
        | "\(.program) \(.path)"' | while read -r name path; do
        "$plumb" trace info --json "$path" | jq -r --arg name "$name" \
            '"\($name) \(.digest) \(.total.warp_instructions) \(.total.lines / 8 | floor)"'
    done
}

for name in "${names[@]}"; do
    file=$(suite_files "$name")
    grep -q 'digest = ' "$file" || continue
    "$plumb" trace suite "$name" --accept "${force[@]}" || echo "$name: not whole, the rest is written" >&2
    measure "$name" > "$values"
    awk 'FILENAME == ARGV[1] { line[$1] = "digest = \"" $2 "\"; instructions = " $3 "; footprint_kb = " ($4 ? $4 : 1) ";"; next }
        match($0, /name = "[^"]*"/) { name = substr($0, RSTART + 8, RLENGTH - 9) }
        name in line { sub(/digest = .*footprint_kb = [0-9]+;/, line[name]) }
        { print }' "$values" "$file" > "$file.new"
    mv "$file.new" "$file"
done
