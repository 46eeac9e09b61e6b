#!/bin/bash
# What does a sample save?  Processor time (user, one thread) of simulate, of sample at first use and of sample again.
# Usage: scripts/sample-cost.sh PLUMB MACHINE PROGRAM...
# A line of CSV for each program, a head before them: seconds, share of the instructions simulated, error of the
# cycles and what half width was stated, of seed 1.  A simulation that is known already may be handed over:
# TRUTH/MACHINE-PROGRAM.json (from simulate --json) and .time (its seconds first), TRUTH being a folder.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
[ $# -ge 3 ] || { sed -n 3p "$0" | cut -c3- >&2; exit 2; }
plumb=$1 machine=$2
shift 2
export PLUMB_SUITES=${PLUMB_SUITES:-${XDG_CACHE_HOME:-$HOME/.cache}/plumb/suites}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%U
timed() { # seconds of a command whose JSON goes to the file $1
    { time "${@:2}" --json -q > "$1" 2> "$work/errors"; } 2>&1 || { cat "$work/errors" >&2; return 1; }
}
echo "machine,program,instructions,simulate_s,first_s,again_s,whole,simulated,error,half_width"
for program in "$@"; do
    name=$(basename "$program") name=${name%.*}
    known=${TRUTH:-$work}/$machine-$name
    if [ -s "$known.json" ] && [ -s "$known.time" ]; then
        cp "$known.json" "$work/full" && read -r simulate _ < "$known.time"
    else
        simulate=$(timed "$work/full" "$plumb" simulate "$machine" "$program")
    fi
    export XDG_CACHE_HOME=$work/cache-$name
    first=$(timed "$work/first" "$plumb" sample "$machine" "$program" --threads 1 --seed 1) || continue
    again=$(timed "$work/again" "$plumb" sample "$machine" "$program" --threads 1 --seed 1)
    rm -rf "$XDG_CACHE_HOME"
    jq -rn --arg row "$machine,$name" --arg times "$simulate,$first,$again" \
        --slurpfile full "$work/full" --slurpfile some "$work/first" \
        '$full[0] as $f | $some[0] as $s | "\($row),\($f.warp_instructions),\($times),\($s.confidence.half_width == 0),\(
            $s.confidence.simulated_share),\($s.cycles / $f.cycles - 1),\($s.confidence.half_width)"'
done
