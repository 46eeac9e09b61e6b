#!/bin/bash
# What plumb is for, in a few minutes: calibrates the estimator for the Radeon RX 540 by sampled runs, sweeps 108
# variations of it over a captured program and two generators, and shows how far the answers may be trusted.
#   scripts/demo.sh [FOLDER]     results go to FOLDER (build/demo-results), the program is ./plumb
set -eu
export PLUMB_BANK=off # figures are those without a bank of runs
cd "$(dirname "$0")/.."
source scripts/steps.bash

results=${1:-build/demo-results}
sweep=configs/sweeps/rx540-demo.cfg
programs=(workloads/fwt.plt workloads/rx540-stream.cfg workloads/rx540-gather.cfg)
plumb=./plumb
seed=2026

step=0
say() { printf '\n=== %d of 6: %s (%d s so far)\n' $((step += 1)) "$*" "$SECONDS"; }

build() {
    watched "configuring" cmake -S . -B build/demo -G Ninja -DCMAKE_BUILD_TYPE=Release
    watched "building" cmake --build build/demo --target plumb
    ln -sf build/demo/plumb plumb
}

say "packages and build"
scripts/deps.sh
build
mkdir -p "$results"
rm -f "$results"/rx540-demo.{cal,db,db-wal,db-shm,csv,html}

say "calibrating: 8 machines x 3 programs, sampled"
$plumb calibrate $sweep -o "$results/rx540-demo.cal" --points 8 --error 0.05

say "sweep: 108 machines x 3 programs, estimated"
use=(--db "$results/rx540-demo.db" --cal "$results/rx540-demo.cal")
$plumb sweep run $sweep "${use[@]}"
$plumb sweep export $sweep "${use[@]}" --csv -o "$results/rx540-demo.csv"

say "the best of them, and the front"
$plumb sweep status $sweep "${use[@]}" | sed -n '/ best: /,$p'

say "the machine as it is: simulate beside sample beside estimate"
$plumb compare rx540 "${programs[@]}" --engine simulate,sample,estimate --cal "$results/rx540-demo.cal" |
    grep -E '^  (rx540, |cycles |l[12]\.hit_rate |dram\.(bandwidth_gbps|row_hit_rate) )'

say "how far off? 20 points simulated, seed $seed"
$plumb sweep check $sweep "${use[@]}" --simulate 20 --seed $seed > "$results/rx540-demo-check.txt"
sed -n '/^  error .*mean/,$p' "$results/rx540-demo-check.txt" # the points are in the file

$plumb report "$results/rx540-demo.db" -o "$results/rx540-demo.html" 2> /dev/null
printf '\n./plumb is the program (./plumb --help); all points are in %s\n' "$results/rx540-demo.csv"
echo "For a page of them, open $(realpath "$results/rx540-demo.html") in a browser."
