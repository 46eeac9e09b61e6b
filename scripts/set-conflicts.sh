#!/bin/bash
# Do estimates know the conflicts of power-of-two strides?  Estimated beside simulated cycles and hit rates of programs whose
# lanes are a power of two apart, then the same over steps of the caches' capacity and ways.
#   scripts/set-conflicts.sh [-w] PROGRAM...      -w: the steps, too
# PLUMB names the binary, MACHINES and STEPPED the machines.  A step whose sign is wrong where simulate moves by more than 5 %
# is marked with !.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
plumb=${PLUMB:-build/release/plumb}
machines=${MACHINES:-rx540 rx570 qv100 hd7770-fgcs18}
stepped=${STEPPED:-rx540 rx570 hd7770-fgcs18}
steps="l2.bank_kb:64,128,256,512 l1.kb:8,16,32 l2.ways:8,16,32,64"
what_if=
[ "${1:-}" = -w ] && { what_if=1; shift; }
[ $# -gt 0 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }

ask() { # ENGINE MACHINE PROGRAM [SET]: cycles, L1's and L2's hit rate
    "$plumb" "$1" "$2" "$3" ${4:+--set "$4"} --json 2> /dev/null |
        jq -r '[.cycles, .l1.hit_rate // 0, .l2.hit_rate // 0] | join(" ")'
}

for machine in $machines; do
    for program in "$@"; do
        echo "$machine $(basename "$program" .plt) $(ask estimate "$machine" "$program") $(ask simulate "$machine" "$program")"
    done
done | awk '{ printf "%-14s %-12s estimated %9.0f, simulated %9.0f (%+4.0f %%)  L1 %.2f, %.2f  L2 %.2f, %.2f\n",
              $1, $2, $3, $6, 100 * ($3 / $6 - 1), $4, $7, $5, $8 }'

[ "$what_if" ] || exit 0
for machine in $stepped; do
    for step in $steps; do
        for program in "$@"; do
            line="$machine ${step%%:*} $(basename "$program" .plt)"
            for value in $(echo "${step#*:}" | tr , ' '); do
                e=$(ask estimate "$machine" "$program" "${step%%:*}=$value") || continue
                s=$(ask simulate "$machine" "$program" "${step%%:*}=$value") || continue
                line="$line $value ${e%% *} ${s%% *}"
            done
            echo "$line"
        done
    done
done | awk '{ printf "%-14s %-10s %-12s", $1, $2, $3
              for (i = 4; i + 2 <= NF; i += 3) {
                  wrong = i > 4 && ($(i + 2) / $(i - 1) - 1) ^ 2 > 0.0025 && ($(i + 2) - $(i - 1)) * ($(i + 1) - $(i - 2)) <= 0
                  moved += i > 4 && ($(i + 2) / $(i - 1) - 1) ^ 2 > 0.0025
                  bad += wrong
                  printf "  %s: %.0f, %.0f%s", $i, $(i + 1), $(i + 2), wrong ? "!" : ""
              }
              print "" }
        END { printf "%d of %d steps that simulate moves by more than 5 %% have the wrong sign\n", bad, moved }'
