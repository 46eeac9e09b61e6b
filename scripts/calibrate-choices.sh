#!/bin/bash
# Calibrations of rx540 from as many runs, chosen by what they teach and by chance, end to end: what each takes, and how
# far its estimates are off at machines that no calibration saw.
# Usage: scripts/calibrate-choices.sh PLUMB TRUTH.csv [PROGRAM|suite:NAME]...     (suite:quick)
#   environment: MACHINES unseen machines (24), SEEDS calibrations by chance, seeds from 1 on (5), POINTS (8: as many runs
#   as eight machines with all programs), THREADS (2)
# The unseen machines are drawn, by a seed of their own, from the values that 'plumb calibrate rx540' varies, and simulated
# once with each program; TRUTH.csv keeps the cycles ("settings,program,cycles" under plumb's digests of both), so that a
# killed run goes on. A row a calibration: choice, seed, seconds by the clock, seconds of processor time, mean |error|
# before and after (of estimate over simulation), worst after, points.  The chosen runs do not depend on the seed.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
[ $# -ge 2 ] || { sed -n 4p "$0" | cut -c3- >&2; exit 2; }
plumb=$1 truth=$2
shift 2
programs=("${@:-suite:quick}")
threads=${THREADS:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U'

# One line of --set options for each machine.
awk -v n="${MACHINES:-24}" 'BEGIN {
    axis[1] = "l1.kb 8 16 32 64"; axis[2] = "l2.bank_kb 64 128 256 512 1024"
    axis[3] = "l2.mshr.entries 0 16 32 64 128"; axis[4] = "l2.latency 5 10 20 40"
    axis[5] = "noc.latency 2 4 8 16"; axis[6] = "dram.channels 2 4 8"; axis[7] = "dram.clock_mhz 750 1125 1500 2250"
    srand(20261122)
    while (n-- > 0) {
        line = ""
        for (i = 1; i <= 7; i++) { k = split(axis[i], v, " "); line = line " --set " v[1] "=" v[2 + int(rand() * (k - 1))] }
        print line
    }
}' > "$work/machines"

rows() { jq -r '.[] | [.machine_digest, .program_digest, .cycles] | @csv' | tr -d '"'; }

touch "$truth"
while read -r -a sets; do
    "$plumb" estimate rx540 "${programs[@]}" "${sets[@]}" --json -q | rows > "$work/estimates"
    cat "$work/estimates" >> "$work/raw"
    known=1
    while IFS=, read -r machine program _; do
        grep -q "^$machine,$program," "$truth" || known=0
    done < "$work/estimates"
    [ $known -eq 1 ] && continue
    "$plumb" simulate rx540 "${programs[@]}" "${sets[@]}" --json -q > "$work/simulated" # whole, or nothing is kept
    rows < "$work/simulated" >> "$truth"
done < "$work/machines"

# FILE of estimates: mean and worst |error|, points
errors() {
    awk -F, 'NR == FNR { truth[$1 "," $2] = $3; next }
        { e = $3 / truth[$1 "," $2] - 1; e = e < 0 ? -e : e; sum += e; n++; if (e > worst) worst = e }
        END { printf "%.4f %.4f %d\n", sum / n, worst, n }' "$truth" "$1"
}
read -r before _ _ < <(errors "$work/raw")

one() { # CHOICE SEED
    local took after worst n
    took=$({ time "$plumb" calibrate rx540 "${programs[@]}" -o "$work/it.cal" --choose "$1" --seed "$2" \
        --points "${POINTS:-8}" --threads "$threads" -q > "$work/told" 2> "$work/errors"; } 2>&1) ||
        { cat "$work/errors" >&2; exit 1; }
    : > "$work/calibrated"
    while read -r -a sets; do
        "$plumb" estimate rx540 "${programs[@]}" "${sets[@]}" --cal "$work/it.cal" --json -q | rows >> "$work/calibrated"
    done < "$work/machines"
    read -r after worst n < <(errors "$work/calibrated")
    echo "$1,$2,${took% *},${took#* },$before,$after,$worst,$n"
}

echo choice,seed,seconds,processor_seconds,before,after,worst,points
one active 1
for seed in $(seq "${SEEDS:-5}"); do
    one random "$seed"
done
