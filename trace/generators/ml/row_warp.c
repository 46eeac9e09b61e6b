/* row_warp.c - softmax of narrow rows in the registers of warps, as PyTorch's softmax_warp_forward.
 *
 * With P = the power of two that holds a row, a row belongs to L = min(P, warp) lanes, which take
 * two rows if P <= 128, else one: warp w of the launch has the rows from w (warp / L) batch on,
 * lane group by lane group. Element i of a row is in register i / L of lane i mod L. A warp loads
 * all its elements, one per access and lane; takes the maximum in registers, then over the lanes by
 * shuffles; exponentials and their sum likewise; divides; and stores. Lanes behind the end of a
 * row, and rows behind the last, are off. Every element is read once and written once. */
#include "trace/generators/ml/row_reduction.h"

enum { MOST_WIDTH = 1024, MOST_BATCH = 2 };
enum { R_ELEMENT = GEN_R_OWN, R_MAX = GEN_R_SUM, R_SUM = GEN_R_SUM + MOST_BATCH };

struct row_warp {
    uint32_t lanes, groups, batch, registers; /* of a row; of a warp; rows of a group */
};

static struct row_warp layout(const struct generator *g)
{
    uint32_t power = 1;
    while (power < (uint32_t)g->c.width)
        power *= 2;
    uint32_t lanes = power < g->width ? power : g->width;
    return (struct row_warp){lanes, g->width / lanes, power <= 128 ? 2 : 1, power / lanes};
}

bool row_warp_shape(struct generator *g, const char *path, struct error *e)
{
    struct gen_config *c = &g->c;
    if (c->width > MOST_WIDTH)
        return error_input(e,
                           "%s: method = \"warp\" keeps rows of up to %d elements in registers; "
                           "these have %lld",
                           path, MOST_WIDTH, (long long)c->width);
    if (c->vector > 1)
        return error_input(
            e,
            "%s: vector = %lld; rows in registers are read by single elements: leave "
            "vector out, or set method = \"block\"",
            path, (long long)c->vector);
    if (!c->block_threads) c->block_threads = 128;
    if (c->block_threads % g->width)
        return error_input(e, "%s: block_threads = %lld; a multiple of a warp's %u lanes", path,
                           (long long)c->block_threads, g->width);
    struct row_warp l = layout(g);
    int64_t of_cta = c->block_threads / g->width * l.groups * l.batch;
    c->vector = 1;
    c->ctas = (c->rows + of_cta - 1) / of_cta;
    c->iterations = 1;
    return true;
}

static uint16_t element(const struct row_warp *l, uint32_t row, uint32_t i)
{
    return (uint16_t)(R_ELEMENT + row * l->registers + i);
}

/* A butterfly over the lanes of a row. */
static void add_shuffles(struct generator *g, uint32_t lanes, uint16_t value, const char *mnemonic)
{
    for (uint32_t n = lanes / 2; n; n /= 2) {
        gen_op(g, OP_INT, GEN_R_DATA, value, REG_NONE, "SHFL.BFLY");
        gen_op(g, OP_FP32, value, value, GEN_R_DATA, mnemonic);
    }
}

static void add_row(struct generator *g, const struct row_warp *l, uint32_t row, uint32_t converted)
{
    uint16_t max = (uint16_t)(R_MAX + row), sum = (uint16_t)(R_SUM + row);
    struct ml_cost exp = ml_exp, divide = ml_cost_with(ml_divide, converted);
    for (uint32_t i = 0; i < l->registers; i++)
        for (uint32_t k = 0; k < 1 + converted; k++)
            gen_op(g, OP_FP32, max, max, element(l, row, i), "FMNMX");
    add_shuffles(g, l->lanes, max, "FMNMX");
    for (uint32_t i = 0; i < l->registers; i++) {
        ml_add_function(g, &exp, 1, element(l, row, i), element(l, row, i), max);
        gen_op(g, OP_FP32, sum, sum, element(l, row, i), "FADD");
    }
    add_shuffles(g, l->lanes, sum, "FADD");
    for (uint32_t i = 0; i < l->registers; i++)
        ml_add_function(g, &divide, 1, element(l, row, i), element(l, row, i), sum);
}

/* Register i of row `row` of every lane group. */
static void add_access(struct generator *g, const struct row_warp *l, uint32_t row, uint32_t i,
                       bool store)
{
    gen_set(g, "of_group", row);
    gen_set(g, "i", i);
    gen_let(g, "row", "((cta * warps + warp) * groups + lane / row_lanes) * batch + of_group");
    gen_let(g, "column", "i * row_lanes + lane % row_lanes");
    if (store)
        gen_store(g, element(l, row, i), GEN_R_ADDRESS + 2, row_element_bytes(g), ROW_Y + 1);
    else
        gen_load(g, element(l, row, i), GEN_R_ADDRESS, row_element_bytes(g), ROW_X + 1);
    gen_at(g, store ? ROW_Y : ROW_X, row_element_bytes(g), "row * width + column");
    gen_if(g, "row < rows && column < width");
}

void row_warp_setup(struct generator *g)
{
    struct row_warp l = layout(g);
    uint32_t converted = g->c.type != ML_FP32;
    gen_set(g, "groups", l.groups);
    gen_set(g, "row_lanes", l.lanes);
    gen_set(g, "batch", l.batch);
    gen_prologue(g, 2);
    for (uint32_t row = 0; row < l.batch; row++)
        for (uint32_t i = 0; i < l.registers; i++)
            add_access(g, &l, row, i, false);
    for (uint32_t row = 0; row < l.batch; row++)
        add_row(g, &l, row, converted);
    for (uint32_t row = 0; row < l.batch; row++)
        for (uint32_t i = 0; i < l.registers; i++)
            add_access(g, &l, row, i, true);
    g->n_step = g->code.n - g->n_prologue;
    gen_exit(g);
}
