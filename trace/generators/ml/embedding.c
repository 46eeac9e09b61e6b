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

/* Where the row of a look-up begins in its table; look-ups are counted over all bags. */
static uint64_t draw_row(const struct generator *g, const uint64_t *lookup)
{
    return gen_zipf_item(g, *lookup, g->items, g->c.exponent);
}

/* Look-up `lookup` of the step; what follows is for bags that have it. */
static void begin_lookup(struct generator *g, uint32_t lookup)
{
    gen_set(g, "j", lookup);
    gen_only(g, "bag < tables * bags && step * n + j < lookups");
}

/* Look-ups from `first` of the step on. */
static void add_lookups(struct generator *g, uint32_t first, uint32_t n)
{
    gen_only(g, "bag < tables * bags");
    for (uint32_t u = 0; u < n; u++) {
        uint16_t index = (uint16_t)(GEN_R_INDEX + u);
        gen_op(g, OP_INT, index, GEN_R_DATA, REG_NONE, "SHFL.IDX");
        gen_op(g, OP_INT, (uint16_t)(GEN_R_DATA2 + 4 * u), index, REG_NONE, "IMAD.WIDE");
    }
    for (uint32_t u = 0; u < n; u++) {
        begin_lookup(g, first + u);
        gen_let(g, "row", "bag / bags * rows + draw(bag * lookups + step * n + j)");
        for (uint32_t v = 0; v < lane_vectors(g); v++) {
            gen_set(g, "v", v);
            gen_load(g, row_register(g, u, v), (uint16_t)(GEN_R_DATA2 + 4 * u), VECTOR, TABLES + 1);
            gen_at(g, TABLES, VECTOR, "row * vectors + v * lanes + lane");
            gen_if(g, "v * lanes + lane < vectors");
        }
    }
    for (uint32_t u = 0; u < n; u++) {
        begin_lookup(g, first + u);
        for (uint32_t v = 0; v < lane_vectors(g); v++)
            add_vector(g, u, v);
    }
}

/* Stores of a vector's sums. */
static uint32_t vector_stores(const struct generator *g)
{
    return vector_elements(g) * SUM_BYTES / VECTOR;
}

static void add_code(struct generator *g)
{
    uint32_t unroll = (uint32_t)g->c.unroll, n = step_lookups(g);
    gen_define(g, "draw", draw_row, 1);
    gen_set(g, "n", n);
    gen_set(g, "vectors", row_vectors(g));
    gen_set(g, "stores", vector_stores(g));
    gen_let(g, "bag", "cta * warps + warp"); /* over all tables */
    gen_only(g, "bag < tables * bags");
    gen_prologue(g, N_ARRAYS);
    gen_load(g, GEN_R_COUNT, GEN_R_ADDRESS, INDEX_BYTES, OFFSETS + 1);
    gen_at(g, OFFSETS, INDEX_BYTES, "bag");
    gen_load(g, GEN_R_DATA + 4, GEN_R_ADDRESS, INDEX_BYTES, OFFSETS + 1);
    gen_at(g, OFFSETS, INDEX_BYTES, "bag + 1");
    gen_op(g, OP_INT, GEN_R_ADDRESS + 2, GEN_R_COUNT, GEN_R_DATA + 4, "IMAD.WIDE");
    g->n_prologue = g->code.n;
    gen_load(g, GEN_R_DATA, GEN_R_ADDRESS + 2, INDEX_BYTES, INDICES + 1);
    gen_at(g, INDICES, INDEX_BYTES, "bag * lookups + step * n + lane");
    gen_if(g, "lane < n && step * n + lane < lookups");
    for (uint32_t j = 0; j < n; j += unroll)
        add_lookups(g, j, n - j < unroll ? n - j : unroll);
    gen_only(g, "bag < tables * bags");
    gen_loop_end(g, 1);
    for (uint32_t v = 0; v < lane_vectors(g); v++)
        for (uint32_t s = 0; s < vector_stores(g); s++) {
            gen_set(g, "v", v);
            gen_set(g, "s", s);
            gen_store(g, (uint16_t)(R_SUM + v * vector_elements(g) + 4 * s), GEN_R_ADDRESS + 6,
                      VECTOR, OUTPUT + 1);
            gen_at(
                g, OUTPUT, VECTOR,
                "((bag % bags * tables + bag / bags) * vectors + v * lanes + lane) * stores + s");
            gen_if(g, "v * lanes + lane < vectors");
        }
    gen_only(g, "");
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

const struct generator_ops generator_embedding = {
    .name = "embedding",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .shape = shape,
    .tensors = tensors,
};
