/* gemm_tiles.h - matrix products C[M,N] = A[M,K] B[K,N] by tiles, which gemm.c and convolution.c
 * share: how the operands are cut, the code of a warp and its streams.
 *
 * A CTA computes tile_m x tile_n elements of C, and a warp its part of them. In a step the CTA
 * brings tile_k columns of its rows of A and as many rows of its columns of B to shared memory, and
 * multiplies them in slices: of one k (fp32, on the FP32 units) or as deep as a matrix instruction
 * (kit.h: 16 with 16-bit inputs, 8 of TF32). The operands of a slice are read from shared memory
 * to registers while the slice before it is multiplied, spread evenly among its instructions, and
 * so are the accesses to memory of a step among those of its first slice.
 *
 * stages = 1: two buffers in shared memory; a step loads the next tiles to registers, and stores
 * them to the other buffer in front of its last slice (in the middle of it, if there are only two)
 * and its one barrier.
 * stages > 1: a buffer for each stage, filled by asynchronous copies stages - 1 steps ahead; a step
 * waits for the copies of the next one, and for all warps, in front of its last slice.
 * Source: the main loops MmaPipelined and MmaMultistage of NVIDIA's CUTLASS.
 *
 * Shared memory: an operand of the matrix units keeps its layout of memory, with the 16-byte pieces
 * of 128 bytes swizzled so that fragments are read without conflicts (CUTLASS's
 * layout TensorOpMultiplicand). Fragments of 16 x 16 elements (TF32: 16 x 8) are read as
 * LDSM.x4 does, 512 bytes for a warp; those of TF32 whose rows are not along K need the same bytes
 * in more instructions, which is not modelled. An operand of the FP32 units has a row for each k;
 * if its rows of memory are along K it is transposed on its way (element by element in copies),
 * into rows that are 16 bytes longer.
 *
 * Vectors between memory and registers or shared memory have 16 bytes, or fewer where the rows of
 * memory are no multiples of them. Lanes past the edges of a matrix are predicated off, as are the
 * copies behind the last step.
 *
 * The end of a CTA scales its sums and stores them straight from registers, in vectors of up to 16
 * bytes (a lane of the matrix units' warps stores the vector that an exchange through shared memory
 * would give it; the exchange is not modelled). With split_k > 1 every CTA adds its sums to
 * C by atomics of 4 bytes, whatever the type; there is no second launch.
 *
 * warpgroup = 4: four warps down the tile read each fragment of B once, a quarter each, as Hopper's
 * wgmma reads B from shared memory once for a warpgroup; the copies stay those of threads, not of
 * the TMA.
 *
 * cluster_m, cluster_n: so many CTAs down the tiles share columns of B, across them rows of A, and
 * each fetches one part of what they share, which the TMA multicasts to all. What comes from the
 * others takes no place at an SM's port here, and CTAs of a cluster do not wait for each other.
 *
 * CTAs beside each other in the raster share rows of A (raster = n) or columns of B (m). With
 * swizzle = s the raster goes over bands of s tiles across it (CUTLASS's
 * GemmIdentityThreadblockSwizzle, whose CTAs without a tile are left out). Splits come behind all
 * tiles, products of the batch behind all splits.
 *
 * Why this is no text of kernels/: the raster's last band divides by a width that depends on the
 * CTA, lanes and vectors are found by searches, and accesses are woven into the products by a count
 * that runs over both, so that the derivations, the raster and the weaving would stay in C or
 * become rows of the engine that nothing else uses. What a text could say, where each access goes,
 * already stands in gemm_code.c as the expressions that a text would have. */
#pragma once

#include "trace/generators/nest.h"

enum gemm_type { GEMM_FP32, GEMM_TF32, GEMM_FP16, GEMM_BF16 };
enum gemm_layout { GEMM_NN, GEMM_TN };
enum gemm_raster { GEMM_RASTER_N, GEMM_RASTER_M };
enum { GEMM_FRAGMENT = 16 /* rows or columns */, GEMM_FRAGMENT_BYTES = 512 };

/* One operand: its rows of memory go along K, or across it (then a row is one k). */
struct gemm_operand {
    bool along_k;
    uint64_t tile;            /* rows of A or columns of B in a CTA's tile */
    uint64_t vector;          /* elements per lane and access */
    uint64_t per_row, n;      /* vectors of a row of the tile in memory, and of the part fetched */
    uint64_t parts;           /* of the tile, each fetched by a CTA of the cluster for all */
    uint32_t accesses;        /* of each thread in a step */
    uint64_t pitch, at, size; /* bytes: of a row in shared memory; where in a buffer; of its part */
    uint32_t warp_tile, fragment, fragments; /* elements of a warp; of a lane's read; reads */
};

struct gemm_tiles {
    uint64_t M, N, K, batch, splits;
    uint64_t tiles_m, tiles_n, steps; /* steps: of all splits */
    uint64_t tile_k, bytes, c_bytes;  /* bytes of an element of A and B, of C */
    uint64_t c_vector;                /* elements of C per lane and store */
    bool tensor;
    uint32_t width, threads, warps_m, warps_n, group;
    uint32_t lanes_m, lanes_n; /* of a warp on the FP32 units */
    uint32_t depth, slices;    /* k of a slice, slices of a step */
    uint32_t stages, buffers;
    uint64_t buffer_bytes;
    struct gemm_operand a, b;
};

/* Derives *t from g->c and g->width. */
void gemm_tiles_derive(struct gemm_tiles *t, const struct generator *g);
/* Sets what parameters leave open (0), refuses what cannot be, and sets c.ctas, c.iterations and
 * c.warps_per_cta. */
bool gemm_tiles_shape(struct generator *g, const char *path, struct error *e);
uint64_t gemm_tiles_cta_steps(const struct gemm_tiles *t, uint64_t cta);

/* A CTA's tile. */
struct gemm_place {
    uint64_t product, split, m, n, first, steps; /* first: step of the loop over all of K */
};
struct gemm_place gemm_tiles_place(const struct gemm_tiles *t, const struct generator *g,
                                   uint64_t cta);

/* Of a lane: sums (of the matrix units, instructions of a slice), stores of C. */
uint32_t gemm_tiles_sums(const struct gemm_tiles *t);
uint32_t gemm_tiles_stores(const struct gemm_tiles *t);
/* Steps whose tiles are on their way before the first one. */
static inline uint32_t gemm_tiles_ahead(const struct gemm_tiles *t)
{
    return t->stages > 1 ? t->stages - 1 : 1;
}
/* Stores to shared memory that a loaded vector needs: one, or one for each element where it is
 * transposed. */
static inline uint64_t gemm_tiles_stored_apart(const struct gemm_tiles *t,
                                               const struct gemm_operand *o)
{
    return !t->tensor && o->along_k ? o->vector : 1;
}
/* The product of a slice in front of which the CTA hands over to the next step, if it is the last
 * one: the first, or the middle one where loads through registers would have but half of the step
 * to come back in (the instructions of Volta and Turing are less deep than a slice here). */
static inline uint32_t gemm_tiles_hand_over(const struct gemm_tiles *t, uint32_t slice)
{
    return t->stages == 1 && t->slices == 2 && slice == 1 ? gemm_tiles_sums(t) / 2 : 0;
}
/* Of n accesses that are spread over products, how many stand in front of product i + 1. */
static inline uint32_t gemm_tiles_spread(uint32_t n, uint32_t products, uint32_t i)
{
    return (uint32_t)(((uint64_t)n * (i + 1) + products - 1) / products);
}
/* Bytes per lane of a fragment. */
static inline uint32_t gemm_tiles_fragment_bytes(const struct gemm_tiles *t,
                                                 const struct gemm_operand *o)
{
    return t->tensor ? GEMM_FRAGMENT_BYTES / t->width : o->fragment * (uint32_t)t->bytes;
}

/* Adds the code; sets n_prologue, n_step and shared_bytes. */
bool gemm_code_add(struct generator *g, const struct gemm_tiles *t, const char *path,
                   struct error *e);

/* The parameters of tiles, which gemm and convolution have alike. */
#define GEMM_PARAMS                                                                               \
    GEN_PARAM(tile_m, GEN_INT, 0, 0, 256, NULL, "rows of C in a CTA's tile; 0: as the type has"), \
        GEN_PARAM(tile_n, GEN_INT, 0, 0, 256, NULL, "columns of C in a CTA's tile; 0: likewise"), \
        GEN_PARAM(tile_k, GEN_INT, 0, 0, 128, NULL, "columns of A in a step; 0: likewise"),       \
        GEN_PARAM(warps_m, GEN_INT, 0, 0, 32, NULL, "warps down a CTA's tile; 0: likewise"),      \
        GEN_PARAM(warps_n, GEN_INT, 0, 0, 32, NULL, "warps across a CTA's tile; 0: likewise"),    \
        GEN_PARAM(stages, GEN_INT, 0, 0, 16, NULL,                                                \
                  "tiles on their way; 1: through registers, more: asynchronous copies"),         \
        GEN_PARAM(raster, GEN_CHOICE, 0, 0, 0, gemm_rasters,                                      \
                  "what consecutive CTAs go along: columns (n) or rows (m) of C"),                \
        GEN_PARAM(swizzle, GEN_INT, 0, 0, 64, NULL,                                               \
                  "tiles across the raster in a band of it; 0: 1"),                               \
        GEN_PARAM(split_k, GEN_INT, 0, 0, 65535, NULL,                                            \
                  "CTAs that share K of a tile; more than 1 add by atomics; 0: 1"),               \
        GEN_PARAM(warpgroup, GEN_INT, 0, 0, 4, NULL,                                              \
                  "warps down that read fragments of B together: 1 (mma.sync), 4 (wgmma); 0: 1"), \
        GEN_PARAM(cluster_m, GEN_INT, 0, 0, 8, NULL,                                              \
                  "CTAs down the tiles that each fetch a part of B for all (multicast); 0: 1"),   \
        GEN_PARAM(cluster_n, GEN_INT, 0, 0, 8, NULL,                                              \
                  "CTAs across the tiles that each fetch a part of A for all; 0: 1")
extern const char *const gemm_types[], *const gemm_rasters[];

/* What gemm and convolution do alike. */
bool gemm_setup(struct generator *g, const char *path, struct error *e);
uint64_t gemm_cta_steps(const struct generator *g, uint64_t cta);

/* The last instruction accesses element (side, k) of convolution.c's A, of `bytes`; g->c.window is
 * not 0. */
void gemm_access_image(struct generator *g, int64_t bytes);
