#!/bin/bash
# Do the workloads after Rodinia's and Parboil's programs (fluids, wavelets, clustering, tracking, potentials,
# imaging) read and write what their algorithms say?  Each is captured at a small size and its loads and
# stores, counted per work-item, are compared with the formula beside it.  Status 77 without Oclgrind, the
# plugin or the programs.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs lbm streamcluster dwt2d heartwall cutcp mriq cp cfd

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
if [ "$s" -eq 0 ] || [ "$s" -ge $((candidates * n)) ]; then fail "streamcluster: $s switches"; fi
loads_stores streamcluster $((candidates * (4 * d + n * (d + 2)) + 3 * (candidates * n - s))) \
    $((candidates * n + s))

# Wavelets: splitting reads three bytes of a pixel by words.  On each level of each component, strips of 64
# columns and three of the rim read every row once, and three more rows per 32, the height of a CTA's way
# down; every element is written once.  128 x 80, 64 x 40.
capture dwt2d 128 80 2
rows=$((2 * (80 + 3 * 3) + (40 + 2 * 3)))
kernel dwt2d dwt2d_split $((128 * 80 * 3 / 4)) $((128 * 80 * 3))
kernel dwt2d dwt2d_level $((3 * 67 * rows)) $((3 * (128 * 80 + 64 * 40)))

# Tracking, per point and frame: its corner by each of 256; the window of w x w cut out, summed up down the
# columns and (two tables) along the rows; the template of s x s for its sums; per place (q x q) template and
# window beside each other and four corners of two tables, its correlation; that once more; the template renewed
points=5 frames=3 s=9 q=7 w=15
capture heartwall $points $frames 4 3
loads_stores heartwall \
    $((points * frames * (2 * 256 + 4 * w * w + s * s + q * q * (2 * s * s + 8 + 1) + 2 * s * s))) \
    $((points * frames * (5 * w * w + q * q + s * s + 2)))

# Cut-off potential: of each bin near by, eight atoms are staged by eight work-items that look up where it
# lies.  At 4 angstroms those are the 27 next to a group's; at 6 the 125 up to two away but for the corners,
# of which a gap of 4 in all three directions (6.9) parts it
capture cutcp 2 4
loads_stores cutcp $((8 * 27 * 8 * 2)) $((16 * 16 * 16))
capture cutcp 2 6
loads_stores cutcp $((8 * (125 - 8) * 8 * 2)) $((16 * 16 * 16))

# MRI-Q: two per sample for the magnitude; per launch of up to 1024 samples five per voxel, two written, and
# of each sample four words from constant memory
voxels=100 samples=1030
capture mriq $voxels $samples
kernel mriq mriq_magnitude $((2 * samples)) $samples
kernel mriq mriq_q $((voxels * (2 * 5 + 4 * samples))) $((voxels * 2 * 2))

# Direct potential: eight points per work-item read and written, an atom (16 bytes of constant memory) for all
capture cp 128 16 50
loads_stores cp $((128 * 16 + 128 * 16 * 50 / 8)) $((128 * 16))

# Gas: a step's factor from five variables and the cell's shape; then three times the flux (five variables,
# four neighbours, four normals of three, five variables of each neighbour there is, F in all) and the stage
# (factor, five old ones, five fluxes).  Six cells of four faces per cube, two faces without a neighbour per
# square of the hull
cubes=4 steps=2
capture cfd $cubes $steps
n=$((6 * cubes * cubes * cubes)) f=$((4 * 6 * cubes * cubes * cubes - 6 * 2 * cubes * cubes))
loads_stores cfd $((steps * (6 * n + 3 * (5 * n + 16 * n + 5 * f) + 3 * 11 * n))) \
    $((steps * (n + 3 * 5 * n + 3 * 5 * n)))

refused 'lbm 33' 'streamcluster 100 0' 'dwt2d 96' 'dwt2d 128 20 2' \
    'heartwall 0' 'cutcp 3 13' 'mriq 1 2 3' 'cp 100' 'cfd 65'
finish "the programs after Rodinia and Parboil read and write as counted by hand"
