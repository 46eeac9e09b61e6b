#!/bin/bash
# Do the workloads of sorting, strings, MapReduce and synchronisation read and write what their algorithms
# say?  Each is captured at its smallest and its loads and stores, counted per work-item, are compared with
# the formula beside it.  Where they depend on the data, the program prints what the host counted.
# Status 77 without Oclgrind, the plugin or the programs.
source "$(dirname "${BASH_SOURCE[0]}")/workloads.bash"
needs apsp sortingnetworks scalarproducts mergesort stringmatch similarity pageview invertedindex \
    pagerankview storegpu neuralnet mrigridding

# All shortest ways: in each round every pair of source and vertex reads two row bounds and its distance
# and per entry three words, one with an acquire.  Each shorter way found is stored with a release, and the
# flag without.
sources=3
capture apsp grid 5 $sources
n=${said[0]:-0} m=${said[1]:-0} rounds=${said[2]:-0} ways=${said[3]:-0}
releases=$(lanes apsp release)
[ "$releases" -ge "$ways" ] || fail "apsp: $releases releases for $ways ways"
loads_stores apsp $((rounds * sources * 3 * (n + m))) $((2 * releases))
expect apsp acquire $((rounds * sources * m))

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

# Suffix tree: a match of l letters over e edges reads, per letter, one of the query and one of the genome
# or, at an edge's start, the child; per edge its two ends; two more where the letters differ or no child is
# there; and the place of the node where it ends
capture stringmatch 2048 40 20
matches=${said[1]:-0} letters=${said[2]:-0} edges=${said[3]:-0} ends=${said[4]:-0}
[ "$matches" -eq $((40 * 13)) ] || fail "stringmatch: $matches matches"
loads_stores stringmatch $((2 * (letters + edges + ends) + matches)) "$matches"

# Similarity: each vector for its norm, then both vectors and norms of each pair
documents=23 words=10 pairs=$((23 * 22 / 2))
capture similarity $documents $words
kernel similarity norms $((documents * words)) $documents 0 0
kernel similarity similarities $((2 * pairs * (words + 1))) $pairs 0 0

# Page views: where the line begins, its address and what is compared; an atomic per slot tried, one counts
capture pageview 300 40
lines=${said[0]:-0} letters=${said[2]:-0} probes=${said[3]:-0}
loads_stores pageview $((lines + letters)) 0
expect pageview atomic $((probes + lines))

# Inverted index: the text twice, beside each letter one of what is sought; 64 places sorted in 21 steps, in which what is compared and exchanged
# depends on the addresses; scans of a group of 256 add in eight steps
pages=20
capture invertedindex $pages 24 16
bytes=${said[1]:-0} links=${said[2]:-0} groups=${said[3]:-0} letters=${said[4]:-0} grouping=${said[5]:-0}
swaps=${said[6]:-0}
[ "$links" -eq 60 ] || fail "invertedindex: $links links"
kernel invertedindex count_links $((2 * bytes + 2 * pages)) $pages
kernel invertedindex scan $((pages + links)) $((pages + links + 2)) \
    $((2 * (8 * 256 - 255 + 256))) $((2 * (8 * 256 + 1)))
kernel invertedindex emit_links $((2 * bytes + 3 * pages)) $((2 * links))
kernel invertedindex sort_links $((21 * 64 + letters)) $((2 * swaps))
kernel invertedindex mark_groups $((2 * (links - 1) + grouping)) "$links"
kernel invertedindex write_groups $((links + groups)) "$groups"

# Page ranks: a line's letters (512 line ends among them) and where it begins, then 45 steps of all
n=512
capture pagerankview $n
kernel pagerankview read_views $((${said[1]:-0} + n)) $n
kernel pagerankview rank_pages $((45 * n)) $((45 * n))

# MD5: blocks of c x 64 bytes, each word read once and put into local memory, as is what ends the block;
# 64 words read per 64 bytes, and as many of two constant tables.  A block of zeros has the sum that any other program finds.
blocks=128 c=3
capture storegpu $blocks $((64 * c))
kernel storegpu md5_blocks $((blocks * (16 * c + 2 * 64 * (c + 1)))) $blocks $((blocks * 64 * (c + 1))) $((blocks * 16 * (c + 1)))
sum=$(head -c $((64 * c)) /dev/zero | md5sum | cut -d ' ' -f 1)
grep -q "first $sum," "$work/out" || fail "storegpu: zeros do not sum to $sum"

# Neural network, per picture: 6 x 169 neurons see 25 inputs, 50 x 25 see 6 x 25, 100 see 1250, 10 see 100;
# a weight for each, and a bias
capture neuralnet 1
kernel neuralnet convolve $((6 * 169 * 51 + 50 * 25 * 301)) $((6 * 169 + 50 * 25)) 0 0
kernel neuralnet connect $((100 * 2501 + 10 * 201)) 110 0 0

# Gridding: places to count, all five numbers to sort by tile; then for each tile and each row of tiles
# near it two bounds per work-item, and per sample there five numbers by one work-item; places of all those
# for all 64, and of those in reach the value and a weight
capture mrigridding 12 500
n=${said[1]:-0} hits=${said[2]:-0} staged=${said[3]:-0} rows=${said[4]:-0} cells=$((12 * 12 * 12))
kernel mrigridding count_samples $((3 * n)) 0
kernel mrigridding sort_samples $((5 * n)) $((5 * n))
[ "$(lanes mrigridding atomic)" = $((2 * n)) ] || fail "mrigridding: not two atomics per sample"
kernel mrigridding grid_tiles $((64 * 2 * rows + 5 * staged + hits)) $((2 * cells)) \
    $((64 * 3 * staged + 2 * hits)) $((5 * staged))

refused 'apsp ring' 'apsp grid 4 17' 'sortingnetworks 1000' 'scalarproducts 0' 'mergesort 256' 'stringmatch 10' \
    'similarity 1' 'pageview 0' 'invertedindex 4 7' 'pagerankview 1000' 'storegpu 100' 'neuralnet x' \
    'mrigridding 10'

finish 'sorting, strings, MapReduce and synchronisation read and write what their algorithms say'
