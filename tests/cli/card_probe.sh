#!/bin/bash
# Does workloads/probe read what it counts?  Captured under Oclgrind, its loads and stores are held to the closed
# forms beside them; run under PoCL at its smallest, where that is installed, it writes the columns of measured
# curves, and its kernels find every sum as the loads that it counts make it.  Status 77 without Oclgrind.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs probe

# The chase: two kilobytes are 16 nodes, visited once each (and the place and the sum read and written), then
# three times 100,000 loads and three times twice as many.
capture probe --experiment pchase_latency --points 1 --max-mb 1
[ "${said[*]}" = '1 0' ] || fail "the chase says: ${said[*]}"
kernel probe chase_round $((16 + 2)) 3
kernel probe chase $((9 * 100000 + 6)) 6

# Streams, five times each: elements of four arrays in a megabyte; triad reads three and writes one, the
# stencils read three and five neighbours.
n=$((1048576 / 4 / 8))
capture probe --experiment stream_triad --points 1 --max-mb 1
kernel probe stream_triad $((5 * 3 * n)) $((5 * n))
capture probe --experiment stream_3pt --points 1 --max-mb 1
kernel probe stream_3pt $((5 * 3 * n)) $((5 * n))
capture probe --experiment stream_read --points 1 --max-mb 1
kernel probe stream_read $((5 * n)) 0

refused 'probe --points 0' 'probe --points' 'probe --device 200' 'probe --speed 1' 'probe --max-mb x'

icd=${PLUMB_POCL_ICD:-/etc/OpenCL/vendors/pocl.icd}
if [ -f "$icd" ]; then
    export OCL_ICD_VENDORS=$icd POCL_CACHE_DIR=$work/pocl
    status 'probe under PoCL' 0 timeout 300 "$programs/probe" --points 2 --max-mb 2 --seconds 2 --mhz 1000 \
        --name 'a card, new' -o "$work/curves.csv"
    grep -q ' 0 wrong$' "$work/err" || fail "probe under PoCL: $(tail -n 1 "$work/err")"
    # The columns of configs/curves, a unit for each experiment, numbers where numbers belong
    awk -F, 'NR == 1 { if ($0 != "gpu,experiment,x_name,x,value,unit,extra,source") print "header: " $0; next }
        BEGIN { split("pchase_latency l2_read_bw shared_buffer_read_bw l1_stride_float stream_init stream_read \
                       stream_scale stream_triad stream_3pt stream_5pt", wanted, " ") }
        { seen[$2] = 1 }
        NF != 8 || $1 != "a card  new" || $4 !~ /^[0-9.e+]+$/ || $5 !~ /^[0-9.e+-]+$/ || $5 <= 0 { print "row: " $0 }
        $6 != ($2 == "pchase_latency" ? "cycles" : $2 ~ /^l1_stride/ ? "B/clk/SM" : "GB/s") { print "unit: " $0 }
        END { for (i in wanted) if (!seen[wanted[i]]) print "no " wanted[i] }' "$work/curves.csv" > "$work/bad"
    [ -s "$work/bad" ] && fail "probe under PoCL: $(cat "$work/bad")"
fi

finish 'the probe reads what it counts'
