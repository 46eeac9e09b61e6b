#!/bin/bash
# What a model of the register file costs a simulation: processor time without over that with one, the least of three
# runs each, as rows of a table.  Usage: scripts/register-file-cost.sh [PROGRAM...] (of suite rf); PLUMB names plumb.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "${BASH_SOURCE[0]}")/.."
plumb=${PLUMB:-build/release/plumb}
[ $# -gt 0 ] || set -- mriq hotspot kmeans sortingnetworks bfs

path_of() { # PROGRAM: its capture
    "$plumb" trace suite rf --json | jq -r --arg name "$1" '.programs[] | select(.program == $name) | .path'
}

seconds() { # PROGRAM MACHINE [OPTION...]: the least of three
    local program=$1 machine=$2 TIMEFORMAT=%U
    shift 2
    for _ in 1 2 3; do
        { time "$plumb" simulate "$machine" "$program" -q "$@" > /dev/null; } 2>&1
    done | sort -g | head -n 1
}

echo "| program | SRAM | racetracks | with rmws and a write buffer |"
echo "| --- | --- | --- | --- |"
for name in "$@"; do
    program=$(path_of "$name")
    off=$(seconds "$program" fermi-rf --set register_file.cells=none)
    printf '| %s' "$name"
    for machine in fermi-rf fermi-rf-4p fermi-rf-rmws; do
        printf ' | %.2f' "$(jq -n "$off / $(seconds "$program" "$machine")")"
    done
    echo " |"
done
