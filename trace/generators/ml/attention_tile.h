/* attention_tile.h - what the attention kernels do with a tile of keys and values in shared memory:
 * the code of a step, and of the copies that bring tiles.
 *
 * A CTA has four warps and holds `queries` rows of queries, a quarter of them for each warp. In a
 * step it waits for the tile of keys, begins the copies of the tile of values, multiplies queries
 * and keys, waits for the values, begins the copies of the next tile of keys, replaces the products
 * by exponentials of what they are above the rows' running maximum (rescaling sums and output where
 * the maximum has grown), and adds their product with the values to the output in registers.
 *
 * 16-bit inputs are multiplied by matrix instructions of 16 rows; a warp reads fragments of 16 x 16
 * from shared memory (ldmatrix.x4), and its probabilities stay in registers. fp32 is multiplied by
 * multiply-adds: lanes stand in 8 columns, operands are read as vectors of 16 bytes, and
 * probabilities pass through shared memory.
 * Source: FlashAttention-2 (Dao 2023, arXiv 2307.08691) and compute_attn_1rowblock in its code
 * (Dao-AILab/flash-attention, flash_fwd_kernel); of fp32 the memory-efficient attention of
 * xFormers (CUTLASS, 41_fused_multi_head_attention). */
#pragma once

#include "trace/generators/ml/ml_math.h"

enum { ATTENTION_WARPS = 4, ATTENTION_VECTOR = 16 };
/* Buffers: that of array k is k + 1. */
enum {
    ATTENTION_QUERIES = 1,
    ATTENTION_KEYS,
    ATTENTION_VALUES,
    ATTENTION_OUTPUT,
    ATTENTION_SUMS, /* logarithms */
    ATTENTION_TABLE /* of pages */
};

/* The sizes of a CTA's tiles, and of a warp's part. */
struct attention_tile {
    bool tensor;
    uint64_t queries, keys, head_dim, bytes; /* rows of the tiles; elements of a row; of one */
    uint64_t rows;                           /* queries of a warp */
    uint64_t threads;                        /* of the CTA */
    uint64_t across;                         /* lanes that share a row of a product */
    uint64_t row_vectors;                    /* vectors of 16 bytes in a row of a head */
    uint64_t query_copies, key_copies;       /* vectors of a thread in a tile */
};

struct attention_tile attention_tile_of(const struct generator *g, uint64_t queries, uint64_t keys);
/* Whether the tile can be divided among the warps, with registers for its sums. */
bool attention_tile_check(const struct attention_tile *t, const char *path, struct error *e);
uint64_t attention_tile_shared_bytes(const struct attention_tile *t);
/* Halves the keys of a tile until a CTA fits the shared memory of a compute unit with wavefronts of
 * 64 lanes, 64 KB (AMD CDNA 3 instruction set architecture, "LDS"). */
void attention_tile_fit(const struct generator *g, uint64_t queries, int64_t *keys);

/* --- code --- */
/* Says where the last instruction goes, an access to the buffer: in it `u` is the number of the
 * thread's vector, and of keys and values `at` the step that multiplies them. */
typedef void attention_access_fn(struct generator *g, uint16_t buffer);
/* n copies of a thread, of one array; they go past the L1 (cp.async.cg). */
void attention_tile_add_copies(struct generator *g, uint64_t n, uint16_t address, uint16_t buffer,
                               attention_access_fn *access);
/* Those of the tile of keys or values of a step, and the end of their group; `table`: a load of the
 * page's number stands in front of them. */
void attention_tile_add_key_copies(struct generator *g, const struct attention_tile *t,
                                   uint16_t buffer, const char *step, bool table,
                                   attention_access_fn *access);
/* The step without its loop's end. */
void attention_tile_add_step(struct generator *g, const struct attention_tile *t, bool table,
                             attention_access_fn *access);
/* Adds the division of the output by the rows' sums, its way through shared memory in elements of
 * `bytes`, and its stores and those of the rows' logarithms of sums. */
void attention_tile_add_output(struct generator *g, const struct attention_tile *t, uint64_t bytes,
                               attention_access_fn *access);
