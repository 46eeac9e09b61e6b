#!/bin/bash
# Sets estimates and simulations of OpenCL programs (workloads/) beside the times that cards measured
# (configs/curves/programs.csv), as docs/results/programs.md and docs/results/studies/programs.csv.
#   scripts/programs.sh [CARD...]      these cards of the table (h100_sxm h200): some minutes of one core
# BUILD (build/fast: plumb with the capture's plugin, and the programs), WORK (build/programs: captures and answers, which
# are kept; what lies there is not run again), ENGINES (estimate simulate), PROGRAMS (a pattern; all), CAPTURE_LIMIT (120)
# and LIMIT (60): seconds of a processor after which a capture or a simulation is given up, NICE (10), UNROLL (4): the
# programs are also captured with so many rounds of their loops together (--unroll; 1: not), in files of their own,
# TABLES=1: only the tables. After a change of a preset remove WORK/answers: the captures do not depend on it.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
build=${BUILD:-build/fast}
work=${WORK:-build/programs}
engines=${ENGINES:-estimate simulate}
unroll=${UNROLL:-4}
unrolled=.unroll$unroll # in the names of files
table=configs/curves/programs.csv
study=docs/results/studies/programs.csv
page=docs/results/programs.md
plumb=$build/plumb
# shellcheck source=scripts/models.bash
. scripts/models.bash
models=$(models_of "$plumb" EST SIM)
answers=$work/answers/${models//[, ]/}
mkdir -p "$work/captures" "$answers"
cards=("$@")
[ ${#cards[@]} -gt 0 ] || cards=(h100_sxm h200)

# once FILE LIMIT COMMAND...: makes FILE.part into FILE; a command that takes too long leaves FILE.over, one that fails
# nothing, and neither ends the script
once() {
    local file=$1 limit=$2 got=0
    shift 2
    [ -s "$file" ] || [ -e "$file.over" ] && return
    (ulimit -S -t "$limit" && nice -n "${NICE:-10}" "$@"; exit) > "$file.log" 2>&1 || got=$?
    if [ $got -eq 0 ]; then
        mv "$file.part" "$file"
    elif [ $got -eq 152 ] || grep -q 'killed by signal 24;' "$file.log"; then # SIGXCPU, its own or of what it captures
        touch "$file.over"
    else
        echo "programs.sh: $file: $(tail -n 1 "$file.log")" >&2
    fi
    rm -f "$file.part" "$file.log"
}

# Programs with their arguments, in the order of the table.
programs() {
    tail -n +2 "$table" | cut -d, -f1 | awk '!seen[$0]++' | grep -E -- "${PROGRAMS:-.}"
}

capture() { # PROGRAM [SUFFIX OPTION...]
    local program=$1 file="$work/captures/${1// /-}${2:-}.plt"
    shift $(($# > 1 ? 2 : 1))
    # shellcheck disable=SC2086 # several words
    once "$file" "${CAPTURE_LIMIT:-120}" "$plumb" trace capture --width 32 "$@" -o "$file.part" -- \
        "$build/workloads/"$program
}

answer() { # ENGINE CARD PROGRAM [SUFFIX]
    local trace="$work/captures/${3// /-}${4:-}.plt" file="$answers/$2-${3// /-}${4:-}.$1.json"
    [ ! -s "$trace" ] ||
        once "$file" "${LIMIT:-60}" "$plumb" "$1" "${2//_/-}" "$trace" --cal none --json -q --threads 1 -o "$file.part"
}

if [ -z "${TABLES:-}" ]; then
    while read -r program; do
        capture "$program"
        [ "$unroll" = 1 ] || capture "$program" "$unrolled" --unroll "$unroll"
        for engine in $engines; do
            for card in "${cards[@]}"; do
                answer "$engine" "$card" "$program"
                answer "$engine" "$card" "$program" "$unrolled"
            done
        done
    done < <(programs)
fi

# Microseconds that a preset gives to the start of each launch.
launch_us() { # CARD
    "$plumb" machine show "${1//_/-}" --json | jq '.parameters | ."sm.launch_cycles" / ."clock.core_mhz"'
}

value() { # FILE FILTER: nothing without the file
    [ ! -s "$1" ] || jq -r "$2 | tostring" "$1"
}

{
    echo program,device,launches,measured_us,slowest_us,longest_us,empty_us,launch_us,estimate_us,simulate_us,unrolled_estimate_us,unrolled_simulate_us,warp_instructions,l2_hit_rate,dram_bytes,why_not
    for card in "${cards[@]}"; do
        launch=$(launch_us "$card")
        while IFS=, read -r program device launches us slowest longest least _; do
            [ "$device" = "$card" ] || continue
            capture="$work/captures/${program// /-}.plt" file="$answers/$card-${program// /-}"
            why=
            if [ -e "$capture.over" ]; then
                why='capture too long'
            elif [ -e "$file.simulate.json.over" ]; then
                why='simulation too long'
            fi
            echo "$program,$device,$launches,$us,$slowest,$longest,$least,$launch,$(value "$file.estimate.json" .time_us),$(
                value "$file.simulate.json" .time_us),$(value "$file$unrolled.estimate.json" .time_us),$(
                value "$file$unrolled.simulate.json" .time_us),$(value "$file.estimate.json" .warp_instructions),$(
                value "$file.estimate.json" .l2.hit_rate),$(value "$file.estimate.json" \
                '.l2.bytes_from_memory + .l2.bytes_to_memory'),$why"
        done < "$table"
    done | awk -F, -v OFS=, '{ for (i = 8; i < NF; i++) if ($i != "") $i = sprintf("%.5g", $i); print }'
} > "$study.part"
mv "$study.part" "$study"

# shellcheck source=scripts/csv-tables.sh
. scripts/csv-tables.sh
{ import_csv "$study"; cat scripts/programs.sql; } | sqlite3 -batch | with_models "$models" > "$page.part"
mv "$page.part" "$page"
