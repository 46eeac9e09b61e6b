#!/bin/bash
# Does an estimate follow every parameter that moves the cycle model, or name it under not_modelled? Moves one parameter
# at a time of a few machines, simulates and estimates each.
# Usage: scripts/parameter-sensitivity.sh FOLDER [MACHINE PROGRAM]...     without pairs: those below
#   MACHINE is a preset and settings ("rx540 l2.ways=8"). BENCH names the binary (build/rel/bench_random_machines),
#   THREADS processes at a time (2). FOLDER keeps a table of rows for each pair, so that a killed run goes on.
# Printed, of the moves that change simulated cycles by 20 % or more where the estimate moves the other way, less than
# half as far, or twice as far (logarithms), and those that only the estimate feels (twice or more), the worst first:
# cycles of both over those of the machine itself, parameters named, the range that was stated, if any, and the move.
# A pair takes two cores one to three minutes.
set -euo pipefail
[ $# -ge 1 ] && [ $(($# % 2)) = 1 ] || { sed -n 4p "$0" | cut -c3- >&2; exit 2; }
bench=$(realpath "${BENCH:-$(dirname "$0")/../build/rel/bench_random_machines}")
folder=$1
shift
[ $# -gt 0 ] || set -- \
    rx540 'gather ctas=32 warps_per_cta=4 iterations=4 footprint=1048576' \
    vega64 'stencil ctas=39 warps_per_cta=4 iterations=2 n=256' \
    qv100 'ml/gemm M=128 N=128 K=64 type=fp32' \
    h100-sxm 'stream ctas=132 warps_per_cta=4 iterations=2 kernel=triad' \
    mi300x 'transpose ctas=32 warps_per_cta=4 iterations=4 n=512 kernel=naive' \
    gem5gpu-temp-bw 'offset_read ctas=3 warps_per_cta=2 iterations=2 stride=1025' \
    apu-quickrelease-rfo 'ml/moe-scatter tokens=8 width=64 experts=4 top_k=2' \
    fermi-rf 'tiled_matmul n=64 tile=16 ctas=4 warps_per_cta=2 iterations=2' \
    hd7770-fgcs18 quick/lud
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while [ $# -gt 0 ]; do
    table=$folder/$(printf '%s %s' "$1" "$2" | tr -cs 'a-zA-Z0-9=._-' _).csv
    MACHINE=$1 PROGRAM=$2 "$bench" "$table" 0 100000
    sqlite3 -bail -csv "$work/db" ".import '$table' one" \
        "CREATE TABLE IF NOT EXISTS rows AS SELECT *, 0.0 AS s0, 0.0 AS e0 FROM one WHERE 0;
        INSERT INTO rows SELECT one.*, base.simulated, base.estimated FROM one, one AS base
            WHERE base.number = '0' AND one.outcome <> 'none';
        DROP TABLE one;"
    shift 2
done
sqlite3 -bail -separator '  ' "$work/db" "
    CREATE TEMP VIEW moves AS SELECT ln(1.0 * simulated / s0) AS s, ln(1.0 * estimated / e0) AS e, * FROM rows
        WHERE simulated + 0 > 0 AND estimated + 0 > 0 AND number <> '0';
    CREATE TEMP VIEW wrong AS SELECT abs(s - e) AS off, * FROM moves
        WHERE (abs(s) > ln(1.2) AND (s * e < 0 OR abs(e) < abs(s) / 2 OR (abs(e) > 2 * abs(s)))
            AND NOT (stage <> 'done' AND e > s)) OR (abs(e) > ln(2) AND abs(s) < ln(1.1) AND stage = 'done');
    SELECT count(*) || ' moves, ' || (SELECT count(*) FROM wrong) || ' not followed, '
        || (SELECT count(*) FROM wrong WHERE outcome = 'missed') || ' of these outside of a stated range' FROM moves;
    SELECT printf('%8.3f simulated %8.3f estimated', exp(s), exp(e)), 'named ' || named, outcome, command FROM wrong
        ORDER BY outcome = 'missed' DESC, off DESC;"
