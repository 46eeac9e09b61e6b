/* gemm_choice.h - the tiles, stages and splits of a matrix product, as a library chooses them for a
 * card.
 *
 * Candidates are the tiles that cuBLAS's and CUTLASS's kernels have; for 16-bit types of warps of
 * 64 lanes those of hipBLASLt's; FP32 has none there. The one is taken that ends first by this
 * rule: a wave is the CTAs that all SMs hold together; a step of its loop takes the longest of the
 * multiply-adds of the SM's CTAs, their tiles on the way from the L2 to the SM, those of all SMs
 * out of the L2, and the latency of a tile that is fetched stages - 1 steps ahead; a CTA adds the
 * latency of its first tile and the stores of its last; a wave takes at least what its part of the
 * matrices keeps the memory busy. Where fewer CTAs than SMs share the product, its K is split into
 * 1 to 16 parts, whichever number ends first. With warps of 32 lanes on matrix units and layout tn
 * a step reads whole lines of rows along K. Among equals the larger tile is taken; with 64 lanes
 * the smaller, as hipBLASLt takes MT16x16x512 for one row.
 *
 * Stages fill an SM's shared memory where warpgroups multiply (nvjet_64x16_64x16, _128x64_64x8,
 * _256x128_64x4 of cuBLAS 13 on an H100 are that many); else they are those of the names of
 * cuBLAS's ampere_*_s16816gemm_* kernels.
 *
 * Source: NVIDIA cuBLAS and CUTLASS, names of kernels (configs/curves/operators.csv,
 * operators_hopper.csv); ROCm/hipBLASLt, names of kernels for gfx942; stream-K's analysis of waves,
 * Osama et al., PPoPP 2023. */
#pragma once

#include "trace/generators/kit.h"

/* Sets tiles, warps, stages, splits, clusters and bands of g->c where none of them is set and
 * g->card is known; else none of these. Sets g->follows_card. */
void gemm_choose(struct generator *g);
/* "256x128x64, 4 stages, cluster 1x2, K in 2 parts" */
void gemm_chosen(const struct gen_config *c, struct text *out);
