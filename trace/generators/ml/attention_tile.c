/* attention_tile.c - see attention_tile.h. */
#include "trace/generators/ml/attention_tile.h"

enum { FRAGMENT = 16 }; /* rows and columns of what a warp reads from shared memory at a time */
enum { COLUMN_LANES = 8, MOST_SCORES = 64, MOST_OUTPUTS = 128, MOST_OPERANDS = 32, MOST_ROWS = 16 };
enum { MOST_KEYS = MOST_OPERANDS * COLUMN_LANES }; /* also of the elements of a head */

/* Registers: sums of the products, operands, and of a row its maximum, sum and scale. Probabilities
 * of 16 bits take the place of the scores that they were made of. */
enum {
    R_SCORE = GEN_R_OWN,
    R_OUTPUT = R_SCORE + MOST_SCORES,
    R_LEFT = R_OUTPUT + MOST_OUTPUTS,
    R_RIGHT = R_LEFT + MOST_OPERANDS,
    R_MAXIMUM = R_RIGHT + MOST_OPERANDS,
    R_TOTAL = R_MAXIMUM + MOST_ROWS,
    R_SCALE = R_TOTAL + MOST_ROWS,
    R_END = R_SCALE + MOST_ROWS
};
_Static_assert((int)R_END <= (int)GEN_REGISTERS, "registers are numbered below this");

/* A product of a warp: rows x columns, over `depth`. */
struct product {
    uint64_t columns, depth;
    uint16_t sum;
    bool probabilities; /* the left operand is the softmax's result */
};

/* --- sizes --- */

struct attention_tile attention_tile_of(const struct generator *g, uint64_t queries, uint64_t keys)
{
    bool tensor = g->c.type != ML_FP32;
    struct attention_tile t = {.tensor = tensor,
                               .queries = queries,
                               .keys = keys,
                               .head_dim = (uint64_t)g->c.head_dim,
                               .bytes = ml_type_bytes(g->c.type),
                               .rows = queries / ATTENTION_WARPS,
                               .threads = (uint64_t)ATTENTION_WARPS * g->width,
                               .across = tensor ? g->width == 64 ? 16 : 4 : COLUMN_LANES};
    t.row_vectors = t.head_dim * t.bytes / ATTENTION_VECTOR;
    t.query_copies = gen_divide_up(queries * t.row_vectors, t.threads);
    t.key_copies = gen_divide_up(keys * t.row_vectors, t.threads);
    return t;
}

static uint64_t warp_lanes(const struct attention_tile *t)
{
    return t->threads / ATTENTION_WARPS;
}

/* Rows of a warp's part of which a lane has elements. */
static uint64_t lane_rows(const struct attention_tile *t)
{
    return t->rows * t->across / warp_lanes(t);
}

/* Sums of a lane in a product: accumulators of a matrix instruction, or elements. */
static uint64_t count_sums(const struct attention_tile *t, uint64_t columns)
{
    uint64_t elements = t->rows * columns / warp_lanes(t);
    return t->tensor ? elements / GEN_TENSOR_SUM : elements;
}

bool attention_tile_check(const struct attention_tile *t, const char *path, struct error *e)
{
    uint64_t part = t->tensor ? FRAGMENT : warp_lanes(t) / COLUMN_LANES;
    uint64_t columns = t->tensor ? FRAGMENT : COLUMN_LANES * ATTENTION_VECTOR / 4;
    if (t->queries % (ATTENTION_WARPS * part) || t->queries == 0)
        return error_input(e, "%s: tiles of %llu queries; allowed are multiples of %llu", path,
                           (unsigned long long)t->queries,
                           (unsigned long long)(ATTENTION_WARPS * part));
    if (t->keys % columns || t->keys == 0 || t->head_dim % columns)
        return error_input(e,
                           "%s: tiles of %llu keys, head_dim = %llu; allowed are multiples of %llu",
                           path, (unsigned long long)t->keys, (unsigned long long)t->head_dim,
                           (unsigned long long)columns);
    if (count_sums(t, t->keys) > MOST_SCORES || count_sums(t, t->head_dim) > MOST_OUTPUTS ||
        lane_rows(t) > MOST_ROWS || t->keys > MOST_KEYS || t->head_dim > MOST_KEYS)
        return error_input(e,
                           "%s: tiles of %llu queries and %llu keys of %llu elements; they are too "
                           "large for a CTA's registers",
                           path, (unsigned long long)t->queries, (unsigned long long)t->keys,
                           (unsigned long long)t->head_dim);
    return true;
}

uint64_t attention_tile_shared_bytes(const struct attention_tile *t)
{
    uint64_t probabilities = t->tensor ? 0 : t->queries * t->keys * t->bytes;
    return (t->queries + 2 * t->keys) * t->head_dim * t->bytes + probabilities;
}

void attention_tile_fit(const struct generator *g, uint64_t queries, int64_t *keys)
{
    enum { LDS_BYTES = 64 << 10 };
    int64_t least = g->c.type == ML_FP32 ? COLUMN_LANES * ATTENTION_VECTOR / 4 : FRAGMENT;
    while (g->width == WARP_MAX_LANES && *keys > least) {
        struct attention_tile t = attention_tile_of(g, queries, (uint64_t)*keys);
        if (attention_tile_shared_bytes(&t) <= LDS_BYTES) return;
        *keys /= 2;
    }
}

/* --- code: products --- */

void attention_tile_add_copies(struct generator *g, uint64_t n, uint16_t address, uint16_t buffer,
                               attention_access_fn *access)
{
    for (uint64_t u = 0; u < n; u++) {
        gen_copy_past_l1(g, address, ATTENTION_VECTOR, buffer);
        gen_set(g, "u", u);
        access(g, buffer);
    }
}

/* Operands and results lie so that a warp's accesses have no bank conflicts (they are swizzled, or
 * their rows padded): as good as side by side. Operands of multiply-adds are a vector for each lane
 * of a row, the same for all rows. */
static void add_shared(struct generator *g, uint8_t cls, uint16_t value, int64_t bytes)
{
    gen_shared_bytes(g, cls, value, bytes);
    gen_at(g, NEST_SHARED, bytes, "thread");
}

static void add_operand(struct generator *g, uint16_t value)
{
    gen_shared_bytes(g, OP_SHARED_LOAD, value, ATTENTION_VECTOR);
    gen_at(g, NEST_SHARED, ATTENTION_VECTOR, "warp * lanes + lane % 8");
}

/* Columns of a matrix instruction's result. */
static uint64_t result_columns(const struct generator *g)
{
    return g->width == 64 ? 16 : 8;
}

/* The left operand of a warp's 16 rows i and of 16 probabilities k. */
static uint16_t packed_register(const struct generator *g, const struct attention_tile *t,
                                uint64_t i, uint64_t k)
{
    uint64_t wide = result_columns(g);
    return (uint16_t)(R_SCORE + i * (t->keys / wide) + k * (FRAGMENT / wide));
}

static void add_tensor_product(struct generator *g, const struct attention_tile *t,
                               const struct product *p)
{
    int64_t lane_bytes = FRAGMENT * FRAGMENT * 2 / (int64_t)g->width;
    uint64_t wide = result_columns(g), rows = t->rows / FRAGMENT, across = p->columns / wide;
    for (uint64_t k = 0; k < p->depth / FRAGMENT; k++) {
        for (uint64_t i = 0; i < rows && !p->probabilities; i++)
            add_shared(g, OP_SHARED_LOAD, (uint16_t)(R_LEFT + i), lane_bytes);
        for (uint64_t j = 0; j < p->columns / FRAGMENT; j++)
            add_shared(g, OP_SHARED_LOAD, (uint16_t)(R_RIGHT + j), lane_bytes);
        for (uint64_t i = 0; i < rows; i++)
            for (uint64_t j = 0; j < across; j++)
                gen_tensor(g, (uint16_t)(p->sum + i * across + j),
                           p->probabilities ? packed_register(g, t, i, k) : (uint16_t)(R_LEFT + i),
                           (uint16_t)(R_RIGHT + j * wide / FRAGMENT));
    }
}

/* Four steps of depth at a time. The queries and keys are read along it; of values, of which it
 * counts the rows, a vector has four columns. */
static void add_fma_product(struct generator *g, const struct attention_tile *t,
                            const struct product *p)
{
    enum { WIDE = 4 };
    uint64_t rows = lane_rows(t), across = p->columns / COLUMN_LANES;
    for (uint64_t k = 0; k < p->depth / WIDE; k++) {
        for (uint64_t i = 0; i < rows; i++)
            add_operand(g, (uint16_t)(R_LEFT + i));
        for (uint64_t j = 0; j < across; j++)
            add_operand(g, (uint16_t)(R_RIGHT + j));
        for (uint64_t n = 0; n < WIDE; n++)
            for (uint64_t i = 0; i < rows; i++)
                for (uint64_t j = 0; j < across; j++) {
                    uint64_t vector = p->probabilities ? n * (across / WIDE) + j / WIDE : j;
                    gen_fma(g, (uint16_t)(p->sum + i * across + j), (uint16_t)(R_LEFT + i),
                            (uint16_t)(R_RIGHT + vector));
                }
    }
}

static void add_product(struct generator *g, const struct attention_tile *t, struct product p)
{
    if (t->tensor)
        add_tensor_product(g, t, &p);
    else
        add_fma_product(g, t, &p);
}

/* --- code: softmax --- */

/* One operation on each element of the lane's part of a product, in each with its row's value;
 * neighbours in the code belong to different sums, so that they don't wait for each other. */
static void add_by_element(struct generator *g, const struct attention_tile *t, uint64_t columns,
                           uint16_t sum, uint16_t row_value, bool reduce, const char *mnemonic)
{
    uint64_t sums = count_sums(t, columns), each = t->tensor ? GEN_TENSOR_SUM : 1;
    uint64_t rows = lane_rows(t);
    for (uint64_t k = 0; k < each; k++)
        for (uint64_t s = 0; s < sums; s++) {
            uint16_t element = (uint16_t)(sum + s), value = (uint16_t)(row_value + (s + k) % rows);
            gen_op(g, OP_FP32, reduce ? value : element, element, value, mnemonic);
        }
}

/* Lanes that share a row exchange their maxima. */
static void add_row_maxima(struct generator *g, const struct attention_tile *t)
{
    for (uint64_t r = 0; r < lane_rows(t); r++)
        for (uint64_t lanes = 1; lanes < t->across; lanes *= 2) {
            gen_op(g, OP_INT, R_LEFT, (uint16_t)(R_MAXIMUM + r), REG_NONE, "SHFL.BFLY");
            gen_op(g, OP_FP32, (uint16_t)(R_MAXIMUM + r), (uint16_t)(R_MAXIMUM + r), R_LEFT,
                   "FMNMX");
        }
    for (uint16_t r = 0; r < lane_rows(t); r++) {
        gen_op(g, OP_FP32, R_SCALE + r, R_MAXIMUM + r, R_SCALE + r, "FFMA");
        gen_op(g, OP_SFU, R_SCALE + r, R_SCALE + r, REG_NONE, "MUFU.EX2");
        gen_op(g, OP_FP32, R_TOTAL + r, R_TOTAL + r, R_SCALE + r, "FMUL");
    }
}

/* Probabilities become left operands: pairs of 16 bits in registers, or words in shared memory. */
static void add_packing(struct generator *g, const struct attention_tile *t)
{
    uint64_t sums = count_sums(t, t->keys), pairs = GEN_TENSOR_SUM / 2;
    uint64_t joined = FRAGMENT / result_columns(g); /* accumulators of 16 columns */
    for (uint64_t s = 0; s < sums; s++) {
        uint16_t sum = (uint16_t)(R_SCORE + s);
        if (!t->tensor) add_shared(g, OP_SHARED_STORE, sum, 4);
        for (uint64_t n = 0; n < pairs && t->tensor; n++)
            gen_op(g, OP_FP32, (uint16_t)(R_SCORE + s / joined * joined), sum, REG_NONE,
                   "F2FP.PACK_AB");
    }
}

static void add_softmax(struct generator *g, const struct attention_tile *t)
{
    uint64_t sums = count_sums(t, t->keys), elements = sums * (t->tensor ? GEN_TENSOR_SUM : 1);
    add_by_element(g, t, t->keys, R_SCORE, R_MAXIMUM, true, "FMNMX");
    add_row_maxima(g, t);
    add_by_element(g, t, t->head_dim, R_OUTPUT, R_SCALE, false, "FMUL");
    add_by_element(g, t, t->keys, R_SCORE, R_MAXIMUM, false, "FFMA");
    for (uint64_t n = 0; n < elements; n++)
        gen_op(g, OP_SFU, (uint16_t)(R_SCORE + n % sums), (uint16_t)(R_SCORE + n % sums), REG_NONE,
               "MUFU.EX2");
    add_by_element(g, t, t->keys, R_SCORE, R_TOTAL, true, "FADD");
    add_packing(g, t);
}

/* --- code: the kernel --- */

static void add_tile_wait(struct generator *g)
{
    gen_copy_wait(g, 0);
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
}

void attention_tile_add_key_copies(struct generator *g, const struct attention_tile *t,
                                   uint16_t buffer, const char *step, bool table,
                                   attention_access_fn *access)
{
    uint16_t address = (uint16_t)(GEN_R_ADDRESS + 2 * (buffer - 1));
    gen_let(g, "at", step);
    if (table) {
        gen_load(g, GEN_R_INDEX, GEN_R_ADDRESS + 6, 4, ATTENTION_TABLE);
        access(g, ATTENTION_TABLE);
        gen_op(g, OP_INT, address, GEN_R_INDEX, address, "IMAD.WIDE");
    }
    attention_tile_add_copies(g, t->key_copies, address, buffer, access);
    gen_op(g, OP_COPY_COMMIT, REG_NONE, REG_NONE, REG_NONE, "LDGDEPBAR");
}

void attention_tile_add_step(struct generator *g, const struct attention_tile *t, bool table,
                             attention_access_fn *access)
{
    add_tile_wait(g);
    attention_tile_add_key_copies(g, t, ATTENTION_VALUES, "step", table, access);
    add_product(g, t, (struct product){t->keys, t->head_dim, R_SCORE, false});
    add_tile_wait(g);
    attention_tile_add_key_copies(g, t, ATTENTION_KEYS, "step + 1", table, access);
    add_softmax(g, t);
    add_product(g, t, (struct product){t->head_dim, t->keys, R_OUTPUT, true});
}

void attention_tile_add_output(struct generator *g, const struct attention_tile *t, uint64_t bytes,
                               attention_access_fn *access)
{
    uint64_t sums = count_sums(t, t->head_dim), vectors = t->queries * t->head_dim * bytes;
    uint64_t words = t->rows * t->head_dim / warp_lanes(t) * bytes / 4;
    for (uint16_t r = 0; r < lane_rows(t); r++)
        gen_op(g, OP_SFU, R_SCALE + r, R_TOTAL + r, REG_NONE, "MUFU.RCP");
    add_by_element(g, t, t->head_dim, R_OUTPUT, R_SCALE, false, "FMUL");
    for (uint64_t n = 0; n < words; n++) {
        uint16_t sum = (uint16_t)(R_OUTPUT + n % sums);
        if (bytes == 2) gen_op(g, OP_FP32, sum, sum, REG_NONE, "F2FP.PACK_AB");
        add_shared(g, OP_SHARED_STORE, sum, 4);
    }
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    for (uint64_t n = 0; n < gen_divide_up(vectors / ATTENTION_VECTOR, t->threads); n++) {
        add_shared(g, OP_SHARED_LOAD, R_LEFT, ATTENTION_VECTOR);
        gen_store(g, R_LEFT, GEN_R_ADDRESS, ATTENTION_VECTOR, ATTENTION_OUTPUT);
        gen_set(g, "u", n);
        access(g, ATTENTION_OUTPUT);
    }
    for (uint64_t n = 0; n < gen_divide_up(t->rows, warp_lanes(t)); n++) {
        gen_store(g, R_TOTAL, GEN_R_ADDRESS, 4, ATTENTION_SUMS);
        gen_set(g, "u", n);
        access(g, ATTENTION_SUMS);
    }
    gen_exit(g);
}
