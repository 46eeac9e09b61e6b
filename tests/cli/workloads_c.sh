#!/bin/bash
# Do the workloads after Rodinia's and Parboil's programs (fluids, wavelets, clustering, tracking, potentials,
# imaging) read and write what their algorithms say?  Each is captured at a small size and its loads and
# stores, counted per work-item, are compared with the formula beside it.  Status 77 without Oclgrind, the
# plugin or the programs.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs lbm streamcluster dwt2d

# Lattice-Boltzmann: per cell and step 19 densities and whether it is solid, 19 densities
steps=3 cells=$((32 * 6 * 5))
capture lbm 32 6 5 $steps
loads_stores lbm $((steps * cells * 20)) $((steps * cells * 19))

# Streaming clusters: per candidate each group of 256 reads its D coordinates, each point its own D, weight
# and cost; those that stay (all but S) read their centre, its column and the sum there, and write that; the
# others write that they switch and what it saves
n=1000 d=5 candidates=4
capture streamcluster $n $d $candidates
s=${said[1]:-0}
[ "$s" -gt 0 ] && [ "$s" -lt $((candidates * n)) ] || fail "streamcluster: $s switches"
loads_stores streamcluster $((candidates * (4 * d + n * (d + 2)) + 3 * (candidates * n - s))) \
    $((candidates * n + s))

# Wavelets: splitting reads three bytes of a pixel by words.  On each level of each component, strips of 64
# columns and three of the rim read every row once, and three more rows per 32, the height of a CTA's way
# down; every element is written once.  128 x 80, 64 x 40.
capture dwt2d 128 80 2
rows=$((2 * (80 + 3 * 3) + (40 + 2 * 3)))
kernel dwt2d dwt2d_split $((128 * 80 * 3 / 4)) $((128 * 80 * 3))
kernel dwt2d dwt2d_level $((3 * 67 * rows)) $((3 * (128 * 80 + 64 * 40)))

refused 'lbm 33' 'streamcluster 100 0' 'dwt2d 96' 'dwt2d 128 20 2'
finish "the programs after Rodinia and Parboil read and write as counted by hand"
