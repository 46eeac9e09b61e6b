#!/bin/bash
# Do the workloads (graphs, sparse and dense matrices, stencils, dynamic programming, searches) read and
# write what their algorithms say?  Each is captured at its smallest and its loads and stores, counted per
# work-item, are compared with the formula beside it.  Graph programs print what their graphs are like, as
# counted on the host.  Status 77 without Oclgrind, the plugin or the programs.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs bfs

# Breadth-first search: in each of L launches every vertex reads its distance; each of the R reached
# reads two row bounds once and, per entry, the neighbour and its distance (E entries in all).  All but the
# source are written once, with the flag.
for graph in 'rmat 7' 'grid 6' 'uniform 7'; do
    # shellcheck disable=SC2086
    capture bfs $graph
    n=${said[0]:-0} r=${said[1]:-0} e=${said[2]:-0} l=${said[3]:-0}
    loads_stores bfs $((l * n + 2 * r + 2 * e)) $((2 * (r - 1)))
done

# K-means: swapping n x d; then per round, point, centre and dimension two reads, per point one write
n=300 d=4 k=3 rounds=2
capture kmeans $n $d $k $rounds
loads_stores kmeans $((n * d + rounds * n * k * d * 2)) $((n * d + rounds * n))

# PageRank: two row bounds per vertex and three reads per entry, then one read and one write per vertex
rounds=2
capture pagerank rmat 7 $rounds
n=${said[0]:-0} m=${said[1]:-0}
loads_stores pagerank $((rounds * (2 * n + 3 * m + n))) $((rounds * 2 * n))

# Colouring: every vertex reads its colour twice a round; those without one (V in all) read row bounds,
# priority and maximum, and per entry (E) the neighbour and its colour and, if it has none either (O), its
# priority.  They write the maximum, then a colour or the flag.
capture color rmat 6
n=${said[0]:-0} rounds=${said[2]:-0} v=${said[3]:-0} e=${said[4]:-0} o=${said[5]:-0}
loads_stores color $((2 * rounds * n + 4 * v + 2 * e + o)) $((2 * v))

# Sparse product: two row bounds per row, value, column and element per entry
capture spmv rmat 7
n=${said[0]:-0} m=${said[1]:-0}
loads_stores spmv $((2 * n + 3 * m)) "$n"

# 3 x 3 convolution of the inner cells
n=40
capture conv2d $n
loads_stores conv2d $((9 * (n - 2) * (n - 2))) $(((n - 2) * (n - 2)))

# Three products, two reads per multiplication
n=16
capture mm3 $n
loads_stores mm3 $((6 * n * n * n)) $((3 * n * n))

# A record per element of a product, two reads per multiplication
capture mmrecords $n 8
loads_stores mmrecords $((2 * n * n * 8)) $((n * n))

# The matrix by rows and by columns, each element beside one of a vector
capture atax 40 50
loads_stores atax $((2 * 2 * 40 * 50)) $((40 + 50))

# Tiles of 16 x 16 that keep 16 - 2 x steps: each work-item of a group reads power and temperature
n=37 steps=2 launches=2
groups=$(((n + 15 - 2 * steps) / (16 - 2 * steps)))
capture hotspot $n $steps $launches
loads_stores hotspot $((launches * groups * groups * 256 * 2)) $((launches * n * n))

# Layer of n inputs to 16 units: forwards each input once per group and each weight once; a group of 16
# inputs writes 16 sums.  Back, delta, input, weight and last move of each weight; the bias's 16 weights
# without the input, which is one.
n=256
capture backprop $n
loads_stores backprop $((n + 16 * n + 4 * 16 * n + 3 * 16)) $((n + 2 * 16 * n + 2 * 16))

# Alignment: tiles read 16 x 16 similarities and the 33 scores above and left of them
n=48 t=3
capture nw $n
loads_stores nw $((t * t * (256 + 33))) $((n * n))
expect nw barrier $((t * t * 16 * 32))

# LU decomposition in t x t tiles: t diagonal ones, t (t - 1) / 2 pairs of a right and a lower one that
# read the diagonal one too, and 1 + 4 + ... + (t - 1)^2 inner ones that read two others
t=4
capture lud $((16 * t))
pairs=$((t * (t - 1) / 2)) inner=$(((t - 1) * t * (2 * t - 1) / 6))
loads_stores lud $((256 * (t + 3 * pairs + 3 * inner))) $((256 * (t + 2 * pairs + inner)))

# Diffusion: one read per cell for the sums, two written per group of 256; then the cell, its four
# neighbours and their four indices, five written; then two indices, three readinesses, four slopes and the
# cell, one written
n=24 rounds=2
capture srad $n $rounds
loads_stores srad $((rounds * n * n * (1 + 9 + 10))) \
    $((rounds * (2 * ((n * n + 255) / 256) + n * n * (5 + 1))))

# Cheapest ways: with strips of 256 - 2 x rows, each work-item of a strip and its rims that stands on the
# field reads what is above once, and a cost per row
width=300 height=10 rows=3 strip=250
on_field=$((256 - rows + width - strip + rows)) # the first strip has no left rim, the second no right one
capture pathfinder $width $height $rows
loads_stores pathfinder $((3 * on_field * (1 + rows))) $((3 * width))

# A place in one read of 8 bytes
capture nn 1000
loads_stores nn 1000 1000

# Elimination: with r rows left, r multipliers of two reads, r (r + 1) elements of three, r right-hand
# sides of two; the sums over r = 1 .. n - 1
n=20
sum=$((n * (n - 1) / 2)) squares=$(((n - 1) * n * (2 * n - 1) / 6))
for rows in 0 1; do # whose neighbours share a row, or are rows
    capture gaussian $n $rows
    loads_stores gaussian $((2 * sum + 3 * (squares + sum) + 2 * sum)) $((sum + squares + sum + sum))
done

# Betweenness from S sources: on each of L levels, forwards and backwards, every vertex reads its distance.
# Forwards, those not reached yet look (V looks) at two row bounds and per entry (E) at a neighbour and its
# distance; of pairs on neighbouring levels (P), once, at the number of ways; found ones write three words.
# Backwards, each reached one (R) once at bounds and entries (D), for pairs at two more words, at its own
# ways, and but for the sources at its centrality; it writes its share and, again, that.
sources=2
capture bc rmat 6 $sources
n=${said[0]:-0} l=${said[1]:-0} v=${said[2]:-0} e=${said[3]:-0} r=${said[4]:-0} d=${said[5]:-0}
p=${said[6]:-0}
loads_stores bc $((2 * l * n + 2 * v + 2 * e + 3 * p + 3 * r + 2 * d + r - sources)) \
    $((3 * (r - sources) + r + r - sources))

# Shortest ways, R rounds: who is active depends on the order of the work-items, but each that becomes so
# writes two words more in sssp_advance, and then reads bounds, distance and two words per entry, for each
# of which it does an atomic minimum
capture sssp grid 6
n=${said[0]:-0} rounds=${said[2]:-0}
active=$((1 + ($(lanes sssp store sssp_advance) - rounds * n) / 2))
expect sssp load $((rounds * n)) sssp_advance
expect sssp load $((rounds * n + 3 * active + 2 * $(lanes sssp atomic))) sssp_relax

# Look-ups: each of a group's work-items reads the query and, per level, two keys; one reads the child
queries=20 order=16
capture btree 1000 $queries $order
levels=${said[2]:-0}
[ "$levels" -eq 3 ] || fail "btree: $levels levels" # 16 x 16 < 1000 <= 16 x 16 x 16
loads_stores btree $((queries * (order + levels * (2 * order + 1)))) $queries

# Columns of cells: two reads, then five per inner plane
capture stencil 20 18 6 2
loads_stores stencil $((2 * 18 * 16 * (2 + 5 * 4))) $((2 * 18 * 16 * 4))

finish 'all read and write as counted by hand'
