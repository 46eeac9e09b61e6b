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

static void prologue(struct gen_warp *w);

/* Rows' maxima and sums of exponentials, and the weights. */
static void add_weights(struct generator *g)
{
    uint16_t n = (uint16_t)thread_logarithms(g);
    for (uint16_t u = 0; u < n; u++)
        gen_load(g, R_LOGARITHM + u, GEN_R_ADDRESS + 2, SUM_BYTES, SUMS + 1);
    for (uint16_t u = 0; u < n; u++)
        gen_shared_bytes(g, OP_SHARED_STORE, R_LOGARITHM + u, SUM_BYTES);
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    for (uint16_t u = 0; u < n; u++)
        gen_shared_bytes(g, OP_SHARED_LOAD, R_LOGARITHM + u, SUM_BYTES);
    for (uint16_t u = 0; u < n; u++)
        gen_op(g, OP_FP32, GEN_R_SUM, GEN_R_SUM, R_LOGARITHM + u, "FMNMX");
    for (uint16_t u = 0; u < n; u++) {
        gen_op(g, OP_SFU, R_LOGARITHM + u, R_LOGARITHM + u, GEN_R_SUM, "MUFU.EX2");
        gen_op(g, OP_FP32, GEN_R_DATA, GEN_R_DATA, R_LOGARITHM + u, "FADD");
    }
    gen_op(g, OP_SFU, GEN_R_DATA, GEN_R_DATA, REG_NONE, "MUFU.LG2");
    for (uint16_t u = 0; u < n; u++)
        gen_shared_bytes(g, OP_SHARED_STORE, R_LOGARITHM + u, SUM_BYTES);
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
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
    gen_prologue(g, N_ARRAYS);
    add_weights(g);
    g->n_prologue = g->code.n;
    g->prologue = prologue;
    gen_shared_bytes(g, OP_SHARED_LOAD, GEN_R_INDEX, SUM_BYTES);
    for (uint16_t v = 0; v < vectors; v++)
        gen_load(g, R_PART + v, GEN_R_ADDRESS, ATTENTION_VECTOR, PARTS + 1);
    for (uint16_t n = 0; n < WIDE * vectors; n++)
        gen_fma(g, R_SUM + n, R_PART + n / WIDE, GEN_R_INDEX);
    gen_loop_end(g, 1);
    for (uint16_t v = 0; v < vectors; v++)
        gen_store(g, (uint16_t)(R_SUM + WIDE * v), GEN_R_ADDRESS + 4, (int64_t)output_bytes(g),
                  OUTPUT + 1);
    gen_store(g, GEN_R_DATA, GEN_R_ADDRESS + 6, SUM_BYTES, ALL_SUMS + 1);
    gen_exit(g);
    return true;
}

/* --- streams --- */

/* The CTA's rows that there are. */
static uint64_t rows_here(const struct gen_warp *w)
{
    uint64_t rows = cta_rows(w->g), left = all_rows(w->g) - w->cta * rows;
    return left < rows ? left : rows;
}

static void access_logarithms(struct gen_warp *w, uint32_t code, uint64_t u)
{
    const struct generator *g = w->g;
    uint64_t address[WARP_MAX_LANES], all = w->mask, rows = cta_rows(g);
    uint64_t entry = u * THREADS + w->warp * g->width;
    uint32_t n = 0;
    for (uint32_t l = 0; l < g->width; l++, entry++) {
        uint64_t part = entry / rows, row = entry % rows;
        if (part >= (uint64_t)g->c.splits || row >= rows_here(w))
            w->mask &= ~(UINT64_C(1) << l);
        else
            address[n++] =
                gen_array(g, SUMS) + (part * all_rows(g) + w->cta * rows + row) * SUM_BYTES;
    }
    gen_listed(w, code, address);
    w->mask = all;
}

static void prologue(struct gen_warp *w)
{
    const struct generator *g = w->g;
    uint64_t loads = 0, n = 0;
    for (uint32_t code = 0; code < g->n_prologue; code++) {
        const struct static_inst *si = &g->code.si[code];
        if (si->cls == OP_LOAD)
            access_logarithms(w, code, loads++);
        else if (inst_has_addresses(si))
            gen_strided(w, code, (n++ % loads * THREADS + w->warp * g->width) * SUM_BYTES,
                        SUM_BYTES);
        else
            gen_plain(w, code);
    }
}

/* The warp's v-th vectors of the CTA's rows, which stand `part` times all rows from the array's
 * beginning; a vector has `bytes`. */
static void access_vectors(struct gen_warp *w, uint32_t code, uint32_t array, uint64_t part,
                           uint64_t v, uint64_t bytes)
{
    const struct generator *g = w->g;
    uint64_t row = (uint64_t)g->c.head_dim / WIDE, vectors = rows_here(w) * row;
    uint64_t at = v * THREADS + w->warp * g->width;
    uint64_t first = (part * all_rows(g) + w->cta * cta_rows(g)) * row + at;
    gen_strided_lanes(w, code, at < vectors ? vectors - at : 0, gen_array(g, array) + first * bytes,
                      (int64_t)bytes);
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    uint32_t code = g->n_prologue;
    gen_strided(w, code++, iteration * cta_rows(g) * SUM_BYTES, 0);
    for (uint64_t v = 0; v < thread_vectors(g); v++)
        access_vectors(w, code++, PARTS, iteration, v, ATTENTION_VECTOR);
    gen_plain_range(w, code, g->n_prologue + g->n_step);
}

static void epilogue(struct gen_warp *w)
{
    const struct generator *g = w->g;
    uint32_t code = g->n_prologue + g->n_step;
    for (uint64_t v = 0; v < thread_vectors(g); v++)
        access_vectors(w, code++, OUTPUT, 0, v, output_bytes(g));
    gen_strided_lanes(w, code, w->warp == 0 ? rows_here(w) : 0,
                      gen_array(g, ALL_SUMS) + w->cta * cta_rows(g) * SUM_BYTES, SUM_BYTES);
    gen_plain(w, code + 1);
}

const struct generator_ops generator_attention_combine = {
    .name = "attention_combine",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
    .epilogue = epilogue,
    .shape = shape,
    .tensors = tensors,
};
