/* embedding.c - embedding bags: out[b][t] = the sum of the rows that bag b looks up in table t.
 *
 * A CTA has 512 threads. Each of its warps takes a bag of a table: warp v of the launch bag
 * v % bags of table v / bags. It loads where its look-ups begin and end (two offsets of 8 bytes,
 * the same for all lanes). In a step it loads the indices of up to as many look-ups as it has lanes
 * (8 bytes a lane, side by side) and passes them on by shuffles; a bag's look-ups are divided into
 * steps of equal length. For each look-up it loads the row, 16 bytes a lane, with lanes beyond the
 * row's end off, `unroll` look-ups before the first use, and adds it to sums of fp32 in registers.
 * At last it stores the sums, 16 bytes a lane. Shared memory isn't used.
 *
 * Rows are drawn by Zipf's law (gen_zipf_rank); the ranks are spread over a table by steps of its
 * golden section, so that popular rows are not next to each other.
 * Source: the forward kernel of FBGEMM's table-batched embeddings without weights
 * (pytorch/FBGEMM, embedding_forward_split_kernel_template.cu). */
#include "trace/generators/ml/ml_math.h"

enum { THREADS = 512, INDEX_BYTES = 8, VECTOR = 16, MOST_VECTORS = 8, SUM_BYTES = 4 };
enum { OFFSETS, INDICES, TABLES, OUTPUT, N_ARRAYS };
static const char *const tensors[] = {"offsets", "indices", "weights", "output", NULL};

/* Registers: of a vector, its look-up u and number v; of a sum, vector v and element. */
enum {
    R_ROW = GEN_R_OWN,
    R_SUM = R_ROW + GEN_MAX_UNROLL * MOST_VECTORS,
    R_WIDE = R_SUM + MOST_VECTORS * VECTOR / 2,
    R_END = R_WIDE + VECTOR / 2
};
_Static_assert((int)R_END <= (int)GEN_REGISTERS, "registers are numbered below this");

static const struct gen_param params[] = {
    GEN_PARAM(tables, GEN_INT, 8, 1, 1 << 16, NULL, "tables"),
    GEN_PARAM(rows, GEN_INT, 100000, 1, 0x1p31, NULL, "rows of a table"),
    GEN_PARAM(width, GEN_INT, 128, 4, 4096, NULL, "elements of a row"),
    GEN_PARAM(bags, GEN_INT, 512, 1, 0x1p31, NULL, "bags of each table (the batch)"),
    GEN_PARAM(lookups, GEN_INT, 20, 1, 1 << 20, NULL, "rows that a bag looks up in a table"),
    GEN_PARAM(exponent, GEN_REAL, 1.0, 0, 8.0, NULL, "of Zipf's law of the rows; 0: uniform"),
    GEN_PARAM(type, GEN_CHOICE, ML_FP32, 0, 0, ml_type_names,
              "of the rows; sums and output are fp32"),
    GEN_PARAM(unroll, GEN_INT, 4, 1, GEN_MAX_UNROLL, NULL, "look-ups in flight before a use"),
};

/* --- sizes --- */

static uint64_t row_vectors(const struct generator *g)
{
    return (uint64_t)g->c.width * ml_type_bytes(g->c.type) / VECTOR;
}

/* Vectors of a lane. */
static uint32_t lane_vectors(const struct generator *g)
{
    return (uint32_t)((row_vectors(g) + g->width - 1) / g->width);
}

static uint32_t vector_elements(const struct generator *g)
{
    return g->c.type == ML_FP32 ? VECTOR / 4 : VECTOR / 2;
}

/* Look-ups of a step. */
static uint32_t step_lookups(const struct generator *g)
{
    return (uint32_t)((g->c.lookups + g->c.iterations - 1) / g->c.iterations);
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    if (g->c.width * ml_type_bytes(g->c.type) % VECTOR)
        return error_input(e, "%s: width = %lld; rows are whole vectors of %d bytes", path,
                           (long long)g->c.width, (int)VECTOR);
    if (lane_vectors(g) > MOST_VECTORS)
        return error_input(e, "%s: width = %lld; a lane holds at most %d vectors of %d bytes", path,
                           (long long)g->c.width, (int)MOST_VECTORS, (int)VECTOR);
    int64_t warps = THREADS / g->width;
    g->c.block_threads = THREADS;
    g->c.ctas = (g->c.tables * g->c.bags + warps - 1) / warps;
    g->c.iterations = (g->c.lookups + g->width - 1) / g->width;
    return true;
}

/* --- code --- */

static uint16_t row_register(const struct generator *g, uint32_t u, uint32_t v)
{
    return (uint16_t)(R_ROW + u * lane_vectors(g) + v);
}

static void add_vector(struct generator *g, uint32_t u, uint32_t v)
{
    uint32_t elements = vector_elements(g);
    for (uint32_t k = 0; k < elements; k++) {
        uint16_t sum = (uint16_t)(R_SUM + v * elements + k), value = row_register(g, u, v);
        if (g->c.type != ML_FP32) {
            gen_op(g, OP_FP32, (uint16_t)(R_WIDE + k), value, REG_NONE, "HADD2.F32");
            value = (uint16_t)(R_WIDE + k);
        }
        gen_op(g, OP_FP32, sum, sum, value, "FADD");
    }
}

static void add_lookups(struct generator *g, uint32_t n)
{
    for (uint32_t u = 0; u < n; u++) {
        uint16_t index = (uint16_t)(GEN_R_INDEX + u);
        gen_op(g, OP_INT, index, GEN_R_DATA, REG_NONE, "SHFL.IDX");
        gen_op(g, OP_INT, (uint16_t)(GEN_R_DATA2 + 4 * u), index, REG_NONE, "IMAD.WIDE");
    }
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < lane_vectors(g); v++)
            gen_load(g, row_register(g, u, v), (uint16_t)(GEN_R_DATA2 + 4 * u), VECTOR, TABLES + 1);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < lane_vectors(g); v++)
            add_vector(g, u, v);
}

/* Stores of a vector's sums. */
static uint32_t vector_stores(const struct generator *g)
{
    return vector_elements(g) * SUM_BYTES / VECTOR;
}

static void prologue(struct gen_warp *w);

static void add_code(struct generator *g)
{
    uint32_t unroll = (uint32_t)g->c.unroll, n = step_lookups(g);
    gen_prologue(g, N_ARRAYS);
    gen_load(g, GEN_R_COUNT, GEN_R_ADDRESS, INDEX_BYTES, OFFSETS + 1);
    gen_load(g, GEN_R_DATA + 4, GEN_R_ADDRESS, INDEX_BYTES, OFFSETS + 1);
    gen_op(g, OP_INT, GEN_R_ADDRESS + 2, GEN_R_COUNT, GEN_R_DATA + 4, "IMAD.WIDE");
    g->n_prologue = g->code.n;
    g->prologue = prologue;
    gen_load(g, GEN_R_DATA, GEN_R_ADDRESS + 2, INDEX_BYTES, INDICES + 1);
    for (uint32_t j = 0; j < n; j += unroll)
        add_lookups(g, n - j < unroll ? n - j : unroll);
    gen_loop_end(g, 1);
    for (uint32_t v = 0; v < lane_vectors(g); v++)
        for (uint32_t s = 0; s < vector_stores(g); s++)
            gen_store(g, (uint16_t)(R_SUM + v * vector_elements(g) + 4 * s), GEN_R_ADDRESS + 6,
                      VECTOR, OUTPUT + 1);
    gen_exit(g);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    double bags = (double)g->c.tables * (double)g->c.bags;
    double row = (double)row_vectors(g) * VECTOR;
    double bytes[N_ARRAYS] = {(bags + 1) * INDEX_BYTES, bags * (double)g->c.lookups * INDEX_BYTES,
                              (double)g->c.tables * (double)g->c.rows * row,
                              bags * (double)g->c.width * SUM_BYTES};
    if (!gen_place_checked(g, path, N_ARRAYS, bytes, e)) return false;
    g->items = (uint64_t)g->c.rows;
    g->jump = gen_golden_jump(g->items);
    add_code(g);
    return true;
}

/* --- streams --- */

/* The warp's bag, over all tables. */
static uint64_t bag_of(const struct gen_warp *w)
{
    return w->cta * w->g->warps + w->warp;
}

/* Turns the lanes of a warp off for which there is no bag; returns those that there are. */
static uint64_t mask_bag(struct gen_warp *w)
{
    uint64_t all = w->mask;
    if (bag_of(w) >= (uint64_t)(w->g->c.tables * w->g->c.bags)) w->mask = 0;
    return all;
}

static void prologue(struct gen_warp *w)
{
    uint64_t all = mask_bag(w), at = gen_array(w->g, OFFSETS) + bag_of(w) * INDEX_BYTES;
    uint32_t code = w->g->n_prologue - 3;
    gen_plain_range(w, 0, code);
    gen_strided(w, code, at, 0);
    gen_strided(w, code + 1, at + INDEX_BYTES, 0);
    gen_plain(w, code + 2);
    w->mask = all;
}

/* Where the row of a look-up begins, counted over all bags. */
static uint64_t row_address(const struct gen_warp *w, uint64_t lookup)
{
    const struct generator *g = w->g;
    uint64_t row = gen_zipf_item(g, lookup, g->items, g->c.exponent);
    uint64_t table = bag_of(w) / (uint64_t)g->c.bags;
    return gen_array(g, TABLES) + (table * g->items + row) * row_vectors(g) * VECTOR;
}

/* Rows of `n` look-ups in flight, of which the bag has `left`; returns the code behind them. */
static uint32_t look_up(struct gen_warp *w, uint64_t lookup, uint32_t n, uint64_t left,
                        uint32_t code)
{
    const struct generator *g = w->g;
    uint32_t vectors = lane_vectors(g), adds = vector_elements(g) * (g->c.type == ML_FP32 ? 1 : 2);
    uint64_t all = w->mask;
    gen_plain_range(w, code, code + 2 * n);
    code += 2 * n;
    for (uint32_t u = 0; u < n; u++) {
        w->mask = u < left ? all : 0;
        uint64_t row = row_address(w, lookup + u);
        for (uint32_t v = 0; v < vectors; v++) {
            uint64_t first = (uint64_t)v * g->width;
            gen_strided_lanes(w, code++, row_vectors(g) - first, row + first * VECTOR, VECTOR);
        }
    }
    for (uint32_t u = 0; u < n; u++, code += vectors * adds) {
        w->mask = u < left ? all : 0;
        gen_plain_range(w, code, code + vectors * adds);
    }
    w->mask = all;
    return code;
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    uint64_t all = mask_bag(w), lookups = (uint64_t)g->c.lookups;
    uint32_t n = step_lookups(g), unroll = (uint32_t)g->c.unroll, code = g->n_prologue;
    uint64_t first = iteration * n, left = first < lookups ? lookups - first : 0;
    uint64_t lookup = bag_of(w) * lookups + first;
    gen_strided_lanes(w, code++, left < n ? left : n, gen_array(g, INDICES) + lookup * INDEX_BYTES,
                      INDEX_BYTES);
    for (uint32_t j = 0; j < n; j += unroll)
        code =
            look_up(w, lookup + j, n - j < unroll ? n - j : unroll, j < left ? left - j : 0, code);
    gen_plain_range(w, code, g->n_prologue + g->n_step);
    w->mask = all;
}

static void epilogue(struct gen_warp *w)
{
    const struct generator *g = w->g;
    uint64_t all = mask_bag(w), row = (uint64_t)g->c.width * SUM_BYTES;
    uint64_t tables = (uint64_t)g->c.tables, bags = (uint64_t)g->c.bags;
    uint64_t stores = vector_stores(g), stride = stores * VECTOR;
    uint64_t out = gen_array(g, OUTPUT) + (bag_of(w) % bags * tables + bag_of(w) / bags) * row;
    uint32_t code = g->n_prologue + g->n_step;
    for (uint64_t v = 0; v < lane_vectors(g); v++)
        for (uint64_t s = 0; s < stores; s++)
            gen_strided_lanes(w, code++, row_vectors(g) - v * g->width,
                              out + v * g->width * stride + s * VECTOR, (int64_t)stride);
    w->mask = all;
    gen_plain(w, code);
}

const struct generator_ops generator_embedding = {
    .name = "embedding",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
    .epilogue = epilogue,
    .shape = shape,
    .tensors = tensors,
};
