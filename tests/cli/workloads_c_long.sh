#!/bin/bash
# Do the workloads after Rodinia's and Parboil's programs (fluids, wavelets, clustering, tracking, potentials,
# imaging) read and write what their algorithms say?  Each is captured at a small size and its loads and
# stores, counted per work-item, are compared with the formula beside it.  Status 77 without Oclgrind, the
# plugin or the programs.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs lbm streamcluster dwt2d heartwall cutcp mriq cp cfd vectoradd laplace3d libor tpacf wp

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
# down; every element is written once.  In shared memory a row is stored and 65 of it lifted, from three values
# each; columns read every value once and at their start three.  128 x 80, 64 x 40.
capture dwt2d 128 80 2
rows=$((2 * (80 + 3 * 3) + (40 + 2 * 3)))
kernel dwt2d dwt2d_split $((128 * 80 * 3 / 4)) $((128 * 80 * 3))
columns=$((64 * (2 * 80 + 40))) starts=$((64 * (2 * 3 + 2)))
kernel dwt2d dwt2d_level $((3 * 67 * rows)) $((3 * (128 * 80 + 64 * 40))) \
    $((3 * (3 * 65 * rows + columns + 3 * starts))) $((3 * (67 + 65) * rows))

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

capture vectoradd 1000
loads_stores vectoradd 2000 1000

# Laplace: every cell read and written once; on the inner planes, of the tiles of 32 x 4, the rows and
# columns beside them, where there are any
nx=96 ny=12 nz=7 steps=2
capture laplace3d $nx $ny $nz $steps
loads_stores laplace3d $((steps * (nx * ny * nz + (nz - 2) * 2 * ((nx / 32 - 1) * ny + (ny / 4 - 1) * nx)))) \
    $((steps * nx * ny * nz))

# Weather, per column and step: on the way up eleven arrays and two bounds of each of two table entries per level;
# four kinds of water, rain and snow, and a private word written; down again eight arrays and that word, six
# written; what fell on the ground read and written
columns=128 levels=5 steps=2
capture wp $columns $levels $steps
loads_stores wp $((columns * steps * (levels * (11 + 4 + 8 + 1) + 1))) $((columns * steps * (levels * (6 + 1 + 6) + 1)))

# LIBOR, per path: rates at the beginning (40 written); per step a normal number, and per rate still to come (t
# in all) its volatility and its last value, a new one; bonds and annuities of the last 20.  Back: 20 rates and
# bonds, the annuities for three strikes of five swaps, 20 rates, 40 adjoints; per rate to come four, one
# written; 40 adjoints out, and the value
capture libor 64
t=$((20 * 39 - 19 * 20 / 2))
loads_stores libor $((64 * (20 + 2 * t + 40 + 20 + 20 + 15 + 20 + 4 * t + 40))) \
    $((64 * (40 + t + 40 + 40 + t + 40 + 1)))

# Angular correlation: each CTA reads its first set once by tiles of 256 and all of its second set per tile;
# five bounds per pair.  Set 0 and each of two others with themselves, set 0 with each of those
n=260 sets=3
capture tpacf $n $((sets - 1))
pairs=$((sets * n * (n - 1) / 2 + (sets - 1) * n * n)) groups=$((2 * sets - 1))
kernel tpacf tpacf_count $((groups * 3 * n * (1 + 2) + 5 * pairs)) $((groups * 32)) \
    $((3 * pairs + groups * 32 * 8)) $((pairs + groups * (256 + 3 * n)))

refused 'lbm 33' 'streamcluster 100 0' 'dwt2d 96' 'dwt2d 128 20 2' \
    'heartwall 0' 'cutcp 3 13' 'mriq 1 2 3' 'cp 100' 'cfd 65' \
    'vectoradd 0' 'laplace3d 48' 'libor 65' 'tpacf 9 0' \
    'wp 100' 'wp 64 65'
finish "the programs after Rodinia and Parboil read and write as counted by hand"
