/* gather.c - sum += table[index[i]]: indices are loaded in a stream, and the table items that they
 * name are gathered.
 *
 * Indices are uniform, or follow a power law: rank r of n is drawn with density about r^-exponent
 * (the continuous bounded form of Zipf's law, inverted in closed form), and ranks are spread over
 * the table by steps of its golden section, so that popular items are not next to each other. */
#include "trace/generators/nest.h"

enum { UNIFORM, ZIPF };
static const char *const distributions[] = {"uniform", "zipf", NULL};
enum { INDEX_BYTES = 4 };

static const struct gen_param params[] = {
    GEN_PARAM(footprint, GEN_SIZE, 1 << 20, 1, 0x1p34, NULL, "bytes of the table"),
    GEN_PARAM(distribution, GEN_CHOICE, UNIFORM, 0, 0, distributions, "of the items"),
    GEN_PARAM(exponent, GEN_REAL, 1.0, 0.01, 8.0, NULL, "of the power law"),
    GEN_PARAM(arithmetic, GEN_INT, 1, 0, 64, NULL, "operations per item"),
};

static uint64_t item_index(const struct generator *g, const uint64_t *access)
{
    if (g->c.distribution == UNIFORM) return gen_hash_below(g, *access, g->items);
    return gen_zipf_item(g, *access, g->items, g->c.exponent);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    uint64_t accesses = g->threads * (uint64_t)(g->c.iterations * g->c.unroll);
    g->items = (uint64_t)(g->c.footprint / g->c.element_bytes);
    if (g->items == 0)
        return error_input(e, "%s: footprint is less than one element of element_bytes", path);
    g->jump = gen_golden_jump(g->items);
    gen_place_arrays(g, accesses * INDEX_BYTES);
    gen_prologue(g, 1);
    gen_define(g, "item", item_index, 1);
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, (uint16_t)(GEN_R_INDEX + u), GEN_R_ADDRESS, INDEX_BYTES, 1);
        gen_set(g, "u", (uint64_t)u);
        gen_at(g, 0, INDEX_BYTES, "(step * unroll + u) * threads + first + lane");
    }
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_op(g, OP_INT, (uint16_t)(GEN_R_DATA2 + 4 * u), (uint16_t)(GEN_R_INDEX + u), REG_NONE,
               "IMAD.WIDE");
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u), (uint16_t)(GEN_R_DATA2 + 4 * u),
                 g->c.element_bytes, 2);
        gen_set(g, "u", (uint64_t)u);
        gen_at(g, 1, g->c.element_bytes, "item((step * unroll + u) * threads + first + lane)");
    }
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, GEN_R_SUM, (uint16_t)(GEN_R_DATA + 4 * u));
    gen_loop_end(g, 1);
    gen_exit(g);
    return true;
}

const struct generator_ops generator_gather = {
    .name = "gather",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
