#!/bin/bash
# Do the workloads of sorting, strings, MapReduce and synchronisation read and write what their algorithms
# say?  Each is captured at its smallest and its loads and stores, counted per work-item, are compared with
# the formula beside it.  Where they depend on the data, the program prints what the host counted.
# Status 77 without Oclgrind, the plugin or the programs.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs apsp sortingnetworks scalarproducts mergesort

# All shortest ways: in each round every pair of source and vertex reads two row bounds and its distance
# and per entry three words.  Each shorter way found is stored, and the flag.
sources=3
capture apsp grid 5 $sources
n=${said[0]:-0} m=${said[1]:-0} rounds=${said[2]:-0} ways=${said[3]:-0}
loads_stores apsp $((rounds * sources * 3 * (n + m))) "$(lanes apsp store)"
[ "$(lanes apsp store)" -ge $((2 * ways)) ] || fail "apsp: less than $ways ways stored"

# Bitonic sort: keys and values are read and written once per launch.  In local memory a pair's stage reads
# four and writes four: 45 stages make tiles of 512, nine end each of the merges beyond.
n=2048 all=$((3 * n)) merges=2 far=$((1 + 2))
capture sortingnetworks $n 3
kernel sortingnetworks sort_tiles $((2 * all)) $((2 * all)) $(((2 + 2 * 45) * all)) $(((2 + 2 * 45) * all))
kernel sortingnetworks merge_far $((far * 2 * all)) $((far * 2 * all)) 0 0
kernel sortingnetworks merge_near $((merges * 2 * all)) $((merges * 2 * all)) \
    $((merges * (2 + 2 * 9) * all)) $((merges * (2 + 2 * 9) * all))

# Scalar products: 1,024 sums per pair of vectors, added in 1,023 steps
vectors=7 n=1500
capture scalarproducts $vectors $n 3
kernel scalarproducts scalar_products $((2 * vectors * n)) $vectors \
    $((vectors * (2 * 1023 + 1))) $((vectors * (1024 + 1023)))

# Merge sort: nine merges in local memory, in which a pair of elements of runs of 2^k is read, ranked in
# k + 1 reads each, and written.  Later merges read and write all and a tile's two bounds, the last of a
# pair of runs one, per work-item; searches for the bounds read two keys per step, as the host counts them.
n=4096 tiles=$((4096 / 512)) merges=3
capture mergesort $n
steps=${said[1]:-0}
kernel mergesort sort_tiles $((2 * n)) $((2 * n)) $((n / 2 * (9 * 4 + 2 * 45) + 2 * n)) $((2 * n + 9 * 2 * n))
kernel mergesort find_splits $((2 * steps)) $((merges * tiles)) 0 0
bounds=$((merges * 2 * tiles - (tiles / 2 + tiles / 4 + tiles / 8)))
kernel mergesort merge_tiles $((merges * 2 * n + 256 * bounds)) $((merges * 2 * n))
expect mergesort shared_store $((merges * n)) merge_tiles

refused 'apsp ring' 'apsp grid 4 17' 'sortingnetworks 1000' 'scalarproducts 0' 'mergesort 256'

finish 'sorting, strings, MapReduce and synchronisation read and write what their algorithms say'
