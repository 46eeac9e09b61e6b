/* attention_combine.c - the second kernel of attention_decode with splits > 1: adds the parts'
 * outputs, each weighted by its share of the sum of exponentials.
 *
 * A CTA of 128 threads takes neighbouring rows (heads, over all sequences): 4 where head_dim is a
 * multiple of 128, 8 where it is one of 64, else 16. It loads the logarithms of its rows of all
 * parts (4 bytes a lane, rows side by side), exchanges them through shared memory and makes weights
 * of them. A step takes a part: it loads the rows of the part's output (16 bytes a lane, side by
 * side; they are neighbours) and adds them, times their weight from shared memory, to sums in
 * registers. At last the output is stored, 4 elements a lane, and a logarithm of 4 bytes per row.
 * Source: combine_attn_seqk_parallel in the code of FlashAttention-2 (flash_fwd_kernel). */
#include "trace/generators/ml/attention_tile.h"

enum { PARTS, SUMS, OUTPUT, ALL_SUMS, N_ARRAYS };
static const char *const tensors[] = {"parts", "lse", "output", "all_lse", NULL};
enum { THREADS = 128, WIDE = 4, SUM_BYTES = 4, MOST_VECTORS = 8, MOST_LOADS = 64 };

/* Registers: of vector v its part and its sums; logarithms. */
enum {
    R_PART = GEN_R_OWN,
    R_SUM = R_PART + MOST_VECTORS,
    R_LOGARITHM = R_SUM + WIDE * MOST_VECTORS,
    R_END = R_LOGARITHM + MOST_LOADS
};
_Static_assert((int)R_END <= (int)GEN_REGISTERS, "registers are numbered below this");

static const struct gen_param params[] = {
    GEN_PARAM(batch, GEN_INT, 16, 1, 1 << 20, NULL, "sequences"),
    GEN_PARAM(heads, GEN_INT, 32, 1, 1 << 16, NULL, "heads of queries"),
    GEN_PARAM(head_dim, GEN_INT, 128, 16, 256, NULL, "elements of a head's row"),
    GEN_PARAM(splits, GEN_INT, 4, 2, 256, NULL, "parts; attention_decode stores 1 finished"),
    GEN_PARAM(type, GEN_CHOICE, ML_FP32, 0, 0, ml_type_names, "of the output"),
};

/* --- sizes --- */

static uint64_t all_rows(const struct generator *g)
{
    return (uint64_t)(g->c.batch * g->c.heads);
}

static uint64_t cta_rows(const struct generator *g)
{
    return g->c.head_dim % 128 == 0 ? 4 : g->c.head_dim % 64 == 0 ? 8 : 16;
}

/* Vectors of four elements of a thread. */
static uint32_t thread_vectors(const struct generator *g)
{
    return (uint32_t)((cta_rows(g) * (uint64_t)g->c.head_dim / WIDE + THREADS - 1) / THREADS);
}

static uint32_t thread_logarithms(const struct generator *g)
{
    return (uint32_t)(((uint64_t)g->c.splits * cta_rows(g) + THREADS - 1) / THREADS);
}

static uint64_t output_bytes(const struct generator *g)
{
    return (uint64_t)WIDE * ml_type_bytes(g->c.type);
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    if (g->c.head_dim % 16)
        return error_input(e, "%s: head_dim = %lld; a multiple of 16 is allowed", path,
                           (long long)g->c.head_dim);
    g->c.ctas = (int64_t)((all_rows(g) + cta_rows(g) - 1) / cta_rows(g));
    g->c.block_threads = THREADS;
    g->c.iterations = g->c.splits;
    return true;
}

/* --- code --- */

static void add_shared(struct generator *g, uint16_t n, uint8_t cls)
{
    for (uint16_t u = 0; u < n; u++) {
        gen_set(g, "u", u);
        gen_shared_bytes(g, cls, R_LOGARITHM + u, SUM_BYTES);
        gen_at(g, NEST_SHARED, SUM_BYTES, "u * cta_threads + thread");
    }
}

/* Rows' maxima and sums of exponentials, and the weights. */
static void add_weights(struct generator *g)
{
    uint16_t n = (uint16_t)thread_logarithms(g);
    for (uint16_t u = 0; u < n; u++) {
        gen_set(g, "u", u);
        gen_let(g, "part", "(u * cta_threads + thread) / rows");
        gen_let(g, "row", "(u * cta_threads + thread) % rows");
        gen_load(g, R_LOGARITHM + u, GEN_R_ADDRESS + 2, SUM_BYTES, SUMS + 1);
        gen_at(g, SUMS, SUM_BYTES, "part * all_rows + cta * rows + row");
        gen_if(g, "part < splits && cta * rows + row < all_rows");
    }
    add_shared(g, n, OP_SHARED_STORE);
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    add_shared(g, n, OP_SHARED_LOAD);
    for (uint16_t u = 0; u < n; u++)
        gen_op(g, OP_FP32, GEN_R_SUM, GEN_R_SUM, R_LOGARITHM + u, "FMNMX");
    for (uint16_t u = 0; u < n; u++) {
        gen_op(g, OP_SFU, R_LOGARITHM + u, R_LOGARITHM + u, GEN_R_SUM, "MUFU.EX2");
        gen_op(g, OP_FP32, GEN_R_DATA, GEN_R_DATA, R_LOGARITHM + u, "FADD");
    }
    gen_op(g, OP_SFU, GEN_R_DATA, GEN_R_DATA, REG_NONE, "MUFU.LG2");
    add_shared(g, n, OP_SHARED_STORE);
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
}

/* The last instruction accesses vector v of a thread of the CTA's rows of a part. */
static void access_vector(struct generator *g, int32_t array, int64_t bytes, uint32_t v,
                          const char *part)
{
    gen_set(g, "v", v);
    gen_let(g, "part", part);
    gen_let(g, "vector", "v * cta_threads + thread");
    gen_at(g, array, bytes, "(part * all_rows + cta * rows) * row_vectors + vector");
    gen_if(g, "vector < rows * row_vectors && "
              "cta * rows * row_vectors + vector < all_rows * row_vectors");
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    double rows = (double)all_rows(g), splits = (double)g->c.splits;
    double elements = rows * (double)g->c.head_dim;
    double bytes[N_ARRAYS] = {splits * elements * 4, splits * rows * SUM_BYTES,
                              elements / WIDE * (double)output_bytes(g), rows * SUM_BYTES};
    uint16_t vectors = (uint16_t)thread_vectors(g);
    if (!gen_place_checked(g, path, N_ARRAYS, bytes, e)) return false;
    g->shared_bytes = (uint32_t)((uint64_t)g->c.splits * cta_rows(g) * SUM_BYTES);
    gen_set(g, "rows", cta_rows(g));
    gen_set(g, "all_rows", all_rows(g));
    gen_set(g, "row_vectors", (uint64_t)g->c.head_dim / WIDE);
    gen_prologue(g, N_ARRAYS);
    add_weights(g);
    g->n_prologue = g->code.n;
    gen_shared_bytes(g, OP_SHARED_LOAD, GEN_R_INDEX, SUM_BYTES);
    gen_at(g, NEST_SHARED, SUM_BYTES, "step * rows");
    for (uint16_t v = 0; v < vectors; v++) {
        gen_load(g, R_PART + v, GEN_R_ADDRESS, ATTENTION_VECTOR, PARTS + 1);
        access_vector(g, PARTS, ATTENTION_VECTOR, v, "step");
    }
    for (uint16_t n = 0; n < WIDE * vectors; n++)
        gen_fma(g, R_SUM + n, R_PART + n / WIDE, GEN_R_INDEX);
    gen_loop_end(g, 1);
    for (uint16_t v = 0; v < vectors; v++) {
        gen_store(g, (uint16_t)(R_SUM + WIDE * v), GEN_R_ADDRESS + 4, (int64_t)output_bytes(g),
                  OUTPUT + 1);
        access_vector(g, OUTPUT, (int64_t)output_bytes(g), v, "0");
    }
    gen_store(g, GEN_R_DATA, GEN_R_ADDRESS + 6, SUM_BYTES, ALL_SUMS + 1);
    gen_at(g, ALL_SUMS, SUM_BYTES, "cta * rows + thread");
    gen_if(g, "thread < rows && cta * rows + thread < all_rows");
    gen_exit(g);
    return true;
}

const struct generator_ops generator_attention_combine = {
    .name = "attention_combine",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .shape = shape,
    .tensors = tensors,
};
