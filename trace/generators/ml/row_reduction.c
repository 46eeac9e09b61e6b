/* row_reduction.c - softmax, layer norm and RMS norm over the rows of a matrix of rows x width.
 *
 * Softmax of rows of up to 1,024 elements (4 KB) keeps each row in the registers of a warp
 * (row_warp.c); everything else gives each row a CTA that reads it again in every pass
 * (row_block.c). `method` chooses the other one.
 *
 * Sources: pytorch/pytorch aten/src/ATen/native/cuda/SoftMax.cu, PersistentSoftmax.cuh and
 * layer_norm_kernel.cu, as of release 2.0. That has no kernel of RMS norm, which is laid out here
 * as layer norm is. */
#include "trace/generators/ml/row_reduction.h"

static const char *const methods[] = {"auto", "block", "warp", NULL};

#define ROWS                                                                      \
    GEN_PARAM(rows, GEN_INT, 65536, 1, GEN_MAX_CTAS, NULL, "rows of the matrix"), \
        GEN_PARAM(width, GEN_INT, 2048, 1, 0x1p31, NULL, "elements of a row"),    \
        GEN_PARAM(type, GEN_CHOICE, ML_FP32, 0, 0, ml_type_names, "of the elements")

static const struct gen_param softmax_params[] = {
    ROWS,
    GEN_PARAM(vector, GEN_INT, 0, 0, 8, NULL,
              "elements of an access of method block, a power of two that divides width; 0: the "
              "most up to 16 bytes"),
    GEN_PARAM(block_threads, GEN_INT, 0, 0, 1024, NULL,
              "threads of a CTA; 0: as PyTorch chooses them, 128 with method warp"),
    GEN_PARAM(method, GEN_CHOICE, ROW_AUTO, 0, 0, methods,
              "block: a CTA for each row; warp: rows in registers; auto: warp up to 4 KB and 1,024 "
              "elements"),
};
static const struct gen_param norm_params[] = {
    ROWS,
    GEN_PARAM(vector, GEN_INT, 0, 0, 8, NULL,
              "elements of an access, a power of two that divides width; 0: the most up to 4"),
    GEN_PARAM(block_threads, GEN_INT, 128, 1, 1024, NULL, "threads of a CTA"),
};
static const char *const tensors[] = {"x", "y", "gamma", "beta", "mean", "rstd", NULL};

enum row_operator row_operator_of(const struct generator *g)
{
    if (g->ops == &generator_layernorm) return ROW_LAYERNORM;
    return g->ops == &generator_rmsnorm ? ROW_RMSNORM : ROW_SOFTMAX;
}

static void place(struct generator *g)
{
    uint64_t rows = (uint64_t)g->c.rows, width = (uint64_t)g->c.width, one = row_element_bytes(g);
    bool norm = row_operator_of(g) != ROW_SOFTMAX, layer = row_operator_of(g) == ROW_LAYERNORM;
    uint64_t bytes[ROW_TENSORS] = {
        [ROW_X] = rows * width * one,         [ROW_Y] = rows * width * one,
        [ROW_GAMMA] = norm ? width * one : 0, [ROW_BETA] = layer ? width * one : 0,
        [ROW_MEAN] = layer ? rows * 4 : 0,    [ROW_ROOT] = norm ? rows * 4 : 0,
    };
    gen_place_tensors(g, ROW_TENSORS, bytes);
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    struct gen_config *c = &g->c;
    if ((double)c->rows * (double)c->width > 0x1p46)
        return error_input(e, "%s: %lld rows of %lld elements; at most 2^46 elements", path,
                           (long long)c->rows, (long long)c->width);
    bool narrow = c->width <= 1024 && c->width * row_element_bytes(g) <= 4096;
    if (row_operator_of(g) != ROW_SOFTMAX) c->method = ROW_BLOCK;
    if (c->method == ROW_AUTO) c->method = narrow ? ROW_WARP : ROW_BLOCK;
    if (c->method == ROW_WARP) return row_warp_shape(g, path, e);
    return row_block_shape(g, path, e);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    (void)path, (void)e;
    place(g);
    if (g->c.method == ROW_WARP)
        row_warp_setup(g);
    else
        row_block_setup(g);
    return true;
}

static void epilogue(struct gen_warp *w)
{
    gen_plain(w, w->g->code.n - 1);
}

static uint64_t warp_before(const struct generator *g, uint32_t warp, uint64_t i)
{
    return g->c.method == ROW_WARP ? i * g->n_step : row_block_before(g, warp, i);
}

#define OPERATOR(name_, params_)                                                        \
    {                                                                                   \
        .name = name_, .params = params_, .n_params = sizeof params_ / sizeof *params_, \
        .setup = setup, .step = row_block_step, .epilogue = epilogue, .shape = shape,   \
        .warp_before = warp_before, .tensors = tensors                                  \
    }

const struct generator_ops generator_softmax = OPERATOR("softmax", softmax_params);
const struct generator_ops generator_layernorm = OPERATOR("layernorm", norm_params);
const struct generator_ops generator_rmsnorm = OPERATOR("rmsnorm", norm_params);
