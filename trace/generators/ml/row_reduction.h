/* row_reduction.h - how operators that reduce rows are divided between row_reduction.c (parameters,
 * grids), row_block.c (a CTA for each row) and row_warp.c (rows in the registers of a warp). */
#pragma once

#include "trace/generators/ml/ml_math.h"

enum row_operator { ROW_SOFTMAX, ROW_LAYERNORM, ROW_RMSNORM };
enum row_method { ROW_AUTO, ROW_BLOCK, ROW_WARP };
/* The arrays of every operator; those that it does not have are empty. */
enum row_tensor { ROW_X, ROW_Y, ROW_GAMMA, ROW_BETA, ROW_MEAN, ROW_ROOT, ROW_TENSORS };

enum row_operator row_operator_of(const struct generator *g);
static inline uint32_t row_element_bytes(const struct generator *g)
{
    return ml_type_bytes(g->c.type);
}

bool row_block_shape(struct generator *g, const char *path, struct error *e);
void row_block_setup(struct generator *g);
void row_block_step(struct gen_warp *w, uint64_t step);
uint64_t row_block_before(const struct generator *g, uint32_t warp, uint64_t step);

bool row_warp_shape(struct generator *g, const char *path, struct error *e);
void row_warp_setup(struct generator *g);
