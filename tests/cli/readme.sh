#!/bin/bash
# Does what README.md prints work as it is printed?  Its commands are typed line by line in an empty folder that leads to
# the repository; each must end well, and what it prints must hold the lines that stand below it, in their order and, but
# for what "even" names, to the last digit ("..." stands for any lines).
#   tests/cli/readme.sh [FILE.md]     README=FILE.md does the same
set -u
plumb=$(realpath "${PLUMB:-build/test/plumb}")
readme=$(realpath "${README:-${1:-README.md}}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"
mkdir "$work/here" "$work/here/build"
for folder in configs docs scripts share; do ln -s "$PWD/$folder" "$work/here/$folder"; done
ln -s "$plumb" "$work/here/plumb"
ln -s "$(dirname "$plumb")" "$work/here/build/demo" # where the two commands of the README leave it

# Why a command is not typed here; nothing: it is.
captures=
[ -x "$(dirname "$plumb")/workloads/fwt" ] && command -v oclgrind > /dev/null || captures=no
reason() { # COMMAND
    case $1 in
    scripts/*) echo 'installs packages and builds' ;;
    *' long/'* | */long-stencil.cfg*) echo 'a long program: half a minute with conservation checks' ;;
    *'trace suite frc'*) echo 'captures 20 programs: a minute' ;;
    './plumb calibrate '*) echo 'samples 16 runs: a minute with conservation checks; tests/cli/calibrate_long.sh' ;;
    *'trace capture'* | *own.plt* | *' x.plt'*) [ -z "$captures" ] || echo 'no Oclgrind, or no programs for it' ;;
    esac
}

# What a sweep asks for is cut, not left out: 200 points with 12 simulated take a minute.
shorter() { # COMMAND
    sed -e 's/^points  *= 200;/points = 4;/; s/points = 12;/points = 2;/; s/"fwt", "rx540-stream"/"quick\/lud", "quick\/bfs"/' \
        -e 's/--simulate 20/--simulate 2/' <<< "$1"
}

# Fenced blocks as records "COMMAND\x1fLINES\x1e": behind "$ " or, in blocks without, each line that runs something.
records() {
    awk '
        function put() { if (command != "") printf "%s\x1f%s\x1e", command, lines; command = lines = "" }
        /^```/ { put(); inside = !inside; prompts = 0; document = 0; next }
        !inside { next }
        document { command = command "\n" $0; if ($0 == "END") document = 0; next }
        /^\$ / { put(); prompts = 1; command = substr($0, 3); document = command ~ /<< END$/; next }
        prompts { lines = lines $0 "\n"; next }
        /^(\.\/|scripts\/)/ { put(); command = $0 }
        END { put() }' "$readme"
}

even() { # times of this machine and the memory of this build are no figures
    sed -E 's/^(host +)[0-9.]+ s$/\1TIME/; s/(a simulation needs) [0-9.]+ MB/\1 SOME MB/; s/ +$//'
}

# follows LINES FILE: the lines stand in the file one after the other, but where "..." leaves some out
follows() {
    awk 'NR == FNR { want[++n] = $0; next } { have[++m] = $0 }
        function dots(s) { return s ~ /^ *\.\.\.$/ }
        END {
            at = 1; free = 1 # before the first line a program may say what it did to get there
            for (i = 1; i <= n; i++) {
                if (dots(want[i])) { free = 1; continue }
                if (free) while (at <= m && have[at] != want[i]) at++
                if (at > m || have[at] != want[i]) { print want[i]; exit 1 }
                at++; free = 0
            }
        }' "$1" "$2"
}

cd "$work/here" || exit 1
typed=0 compared=0
while IFS=$'\x1f' read -r -d $'\x1e' command lines; do
    why=$(reason "$command")
    [ -z "$why" ] || { echo "left out: ${command%%$'\n'*}: $why"; continue; }
    start=$(date +%s%N)
    timeout 120 bash -c "$(shorter "$command")" > "$work/out" 2> "$work/err" < /dev/null
    got=$?
    [ -z "${README_TIMES:-}" ] || echo "$((($(date +%s%N) - start) / 1000000)) ms: ${command%%$'\n'*}"
    typed=$((typed + 1))
    [ "$got" -eq 0 ] || { fail "${command%%$'\n'*}: exit status $got"; head -3 "$work/err"; continue; }
    [ -n "$lines" ] || continue
    compared=$((compared + 1))
    even <<< "${lines%$'\n'}" > "$work/wanted"
    even < "$work/out" > "$work/had"
    missing=$(follows "$work/wanted" "$work/had") ||
        { fail "${command%%$'\n'*}: prints something else than: $missing"; head -40 "$work/had"; }
done < <(records)
# A README that lost its form would pass by holding nothing.
[ "$typed" -ge 15 ] && [ "$compared" -ge 5 ] || fail "only $typed commands typed, $compared of them compared"
exit $((failed > 0))
