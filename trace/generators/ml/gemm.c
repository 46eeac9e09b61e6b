/* gemm.c - the matrix product C = A B of row-major matrices, `batch` times: A[M,K], and B[K,N]
 * (layout = nn) or B kept as [N,K] (tn, as cuBLAS names the product of a linear layer, whose
 * transposed operand holds the weights). Tiles, order and instructions: gemm_tiles.h.
 *
 * Defaults: fp32 has the tile of NVIDIA's sgemm_128x128 kernels through registers (256 threads);
 * the other types CUTLASS's 128 x 128 with 64 bytes of K, four warps of 64 x 64 and four stages. */
#include "base/memory/alloc.h"
#include "trace/generators/ml/gemm_choice.h"
#include "trace/generators/ml/gemm_tiles.h"

const char *const gemm_types[] = {"fp32", "tf32", "fp16", "bf16", NULL};
static const char *const layouts[] = {"nn", "tn", NULL};
const char *const gemm_rasters[] = {"n", "m", NULL};
static const char *const tensors[] = {"a", "b", "c", NULL};

static const struct gen_param params[] = {
    GEN_PARAM(M, GEN_INT, 1024, 1, INT32_MAX, NULL, "rows of A and C"),
    GEN_PARAM(N, GEN_INT, 1024, 1, INT32_MAX, NULL, "columns of B and C"),
    GEN_PARAM(K, GEN_INT, 1024, 1, INT32_MAX, NULL, "columns of A, rows of B"),
    GEN_PARAM(batch, GEN_INT, 1, 1, INT32_MAX, NULL, "products, each of matrices of its own"),
    GEN_PARAM(type, GEN_CHOICE, 0, 0, 0, gemm_types, "of A, B and C; sums are fp32"),
    GEN_PARAM(layout, GEN_CHOICE, 0, 0, 0, layouts, "whether B's rows go along N (nn) or K (tn)"),
    GEMM_PARAMS,
};

static struct gemm_tiles tiles_of(const struct generator *g)
{
    struct gemm_tiles t;
    gemm_tiles_derive(&t, g);
    return t;
}

uint64_t gemm_cta_steps(const struct generator *g, uint64_t cta)
{
    struct gemm_tiles t = tiles_of(g);
    return gemm_tiles_cta_steps(&t, cta);
}

/* Of a convolution, A is the image, whose elements g->items counts. */
bool gemm_setup(struct generator *g, const char *path, struct error *e)
{
    struct gemm_tiles t = tiles_of(g);
    uint64_t a = g->c.window ? g->items : t.batch * t.M * t.K;
    const uint64_t bytes[] = {a * t.bytes, t.batch * t.K * t.N * t.bytes,
                              t.batch * t.M * t.N * t.c_bytes};
    struct gemm_tiles *own = g->own = mem_new(1, sizeof *own);
    gen_place_tensors(g, 3, bytes);
    if (!own) return error_no_memory(e);
    *own = t;
    return gemm_code_add(g, own, path, e);
}

const struct generator_ops generator_gemm = {
    .name = "gemm",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = gemm_setup,
    .shape = gemm_tiles_shape,
    .cta_steps = gemm_cta_steps,
    .tensors = tensors,
    .chosen = gemm_chosen,
};
