#!/bin/bash
# Makes what corrects estimates and says how far they may be off: configs/calibrations/ranges.cfg (the kernel of errors and the ranges,
# learned from many programs and machines), and a calibration for every preset, in the folder beside that of presets.
#   scripts/calibrations.sh [DIR]
# A calibration that is there is renewed: its runs get today's estimates, and nothing is simulated.  Where there is none, where no
# run of it is of the preset as it is now (its values have changed), and with FRESH=1 its runs are simulated.  Runs of the cycle
# model are kept in DIR (build/calibrations): a killed script goes on where it was.  Simulating all takes some 75 minutes of one core; capturing the suites takes another five.
# Presets of real cards (those with an `evidence` block) are larger: they get CARD_POINTS machines, and of the programs those that
# are simulated within about a second; elementwise and tiled_matmul besides.
# Environment: PLUMB (build/rel/plumb), BENCH (build/rel: the folder of bench_calibration_runs and bench_error_model), JOBS (2): presets
# at a time, FRESH (empty): simulate all, POINTS (5), CARD_POINTS (2): machines of each preset, PRESETS (all): names of presets, MORE: further programs for the kernel and the ranges.
# Printed: the errors of each calibration, and what bench_error_model says of programs that were not learned from.
set -euo pipefail
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
export plumb=${PLUMB:-build/rel/plumb} points=${POINTS:-5} card_points=${CARD_POINTS:-2} runs=${1:-build/calibrations}
bench=${BENCH:-build/rel}
mkdir -p "$runs"

suite() { # NAME: the paths of its programs, which are captured if need be
    "$plumb" trace suite "$1" -q > /dev/null
    "$plumb" trace suite "$1" --list --json -q | jq -r '.programs[] | select(.path) | .path'
}

# All programs are simulated within a few seconds on every preset: gather, gather-zipf and stream are not.
# Block and offset reads, elementwise and tiled_matmul are measured operations of real cards.
{
    ls configs/workloads/*.cfg configs/workloads/fwt.plt configs/workloads/quick/*.plt |
        grep -v -e /gather.cfg -e /gather-zipf.cfg -e /stream.cfg -e /block_read.cfg -e /offset_read.cfg \
            -e /elementwise.cfg -e /tiled_matmul.cfg
    for name in frc mshr coh; do suite "$name"; done
} | awk -F/ '!seen[$0]++' > "$runs/programs"
sed "s:^$PWD/::" "$runs/programs" | sort -u > "$runs/programs.new"
mv "$runs/programs.new" "$runs/programs"

{
    grep -v -e /pagerank -e /handoff.cfg -e /matmul.cfg -e /eigenvalue -e /recursivegaussian -e /quasirandom \
        -e /floydwarshall -e /rx540-gather.cfg "$runs/programs"
    printf 'configs/workloads/%s.cfg\n' elementwise tiled_matmul
} > "$runs/card-programs"

renew() { # CALIBRATION PROGRAM...: status 3 where its preset has moved away from all of its runs
    local kept=$1 new said
    new=$runs/$(basename "$1")
    cp "$kept" "$new"
    said=$("$plumb" calibrate --renew "$new" "${@:2}" --threads 1 -q | tr '\n' ' ' | tr -s ' ') || return 1
    [[ $said != *'as it is now'* ]] || { rm "$new"; return 3; }
    mv "$new" "$kept"
    sed -n 's/.*\(mean error.*)\).*/\1/p' <<< "$said"
}

calibrate() { # FILE
    local name said programs=programs machines=$points
    name=$(basename "$1" .cfg)
    mkdir -p "${1%/gpus/*}/calibrations"
    if grep -q '^evidence' "$1"; then programs=card-programs machines=$card_points; fi
    local cal=${1%/gpus/*}/calibrations/$name.cal of
    mapfile -t of < "$runs/$programs"
    if [ -z "${FRESH:-}" ] && [ -e "$cal" ]; then
        said=$(renew "$cal" "${of[@]}")
        case $? in
        0) echo "$name: $said"; return ;;
        3) ;; # its runs are of other values
        *) return 1 ;;
        esac
    fi
    "$plumb" calibrate "$name" "${of[@]}" --points "$machines" --db "$runs/$name.db" -o "$cal" --threads 1 -q |
        sed -n "s/.*mean error/$name: simulated, mean error/p"
}
export -f calibrate renew
for file in configs/gpus/*.cfg papers/*/gpus/*.cfg; do
    ! grep -q "^$(basename "$file" .cfg)," configs/sheets.csv || continue # from data sheets: none
    [ -z "${PRESETS:-}" ] || [[ " $PRESETS " == *" $(basename "$file" .cfg) "* ]] || continue
    echo "$file"
done |
    xargs -P "${JOBS:-2}" -I {} bash -o pipefail -c 'calibrate {}'

# The kernel of errors and the ranges learn from the runs of all calibrations, and from machines that differ in what these do not
# vary, with the programs that come with plumb and the few of others in tests/data/foreign (the judging half: bench/error_model.csv).
mapfile -t learned < <(grep '^configs/workloads/' "$runs/programs" | grep -v -e /pagerank -e /floydwarshall -e /eigenvalue
    ls tests/data/foreign/*.plt; tr ' ' '\n' <<< "${MORE:-}" | sed '/^$/d')
THREADS=${JOBS:-2} "$bench/bench_calibration_runs" "$runs/errors.db" rx540,4,3 rx570,4,3 qv100,4,3 hd7770-fgcs18,4,3 vega64,1,1 \
    hd7870,1,1 gtx480,1,1 titanv,1,1 hd7770-pdp16,1,1 fermi-vws,1,1 v100,1,1 a100-80,1,1 rtx3090,1,1 mi100,1,1 h100-sxm,1,1 \
    apu-quickrelease,1,1 -- "${learned[@]}"
"$bench/bench_error_model" -o configs/calibrations/ranges.cfg "$runs/errors.db" configs/calibrations/*.cal papers/*/calibrations/*.cal
