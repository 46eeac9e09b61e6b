/* gather.c - sum += table[index[i]]: indices are loaded in a stream, and the table items that they
 * name are gathered.
 *
 * Indices are uniform, or follow a power law: rank r of n is drawn with density about r^-exponent
 * (the continuous bounded form of Zipf's law, inverted in closed form), and ranks are spread over
 * the table by steps of its golden section, so that popular items are not next to each other. */
#include "trace/generators/kit.h"

enum { UNIFORM, ZIPF };
static const char *const distributions[] = {"uniform", "zipf", NULL};
enum { INDEX_BYTES = 4 };

static const struct gen_param params[] = {
    GEN_PARAM(footprint, GEN_SIZE, 1 << 20, 1, 0x1p34, NULL, "bytes of the table"),
    GEN_PARAM(distribution, GEN_CHOICE, UNIFORM, 0, 0, distributions, "of the items"),
    GEN_PARAM(exponent, GEN_REAL, 1.0, 0.01, 8.0, NULL, "of the power law"),
    GEN_PARAM(arithmetic, GEN_INT, 1, 0, 64, NULL, "operations per item"),
};

static bool setup(struct generator *g, const char *path, struct error *e)
{
    uint64_t accesses = g->threads * (uint64_t)(g->c.iterations * g->c.unroll);
    g->items = (uint64_t)(g->c.footprint / g->c.element_bytes);
    if (g->items == 0)
        return error_input(e, "%s: footprint is less than one element of element_bytes", path);
    g->jump = gen_golden_jump(g->items);
    gen_place_arrays(g, accesses * INDEX_BYTES);
    gen_prologue(g, 1);
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_load(g, (uint16_t)(GEN_R_INDEX + u), GEN_R_ADDRESS, INDEX_BYTES, 1);
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_op(g, OP_INT, (uint16_t)(GEN_R_DATA2 + 4 * u), (uint16_t)(GEN_R_INDEX + u), REG_NONE,
               "IMAD.WIDE");
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u), (uint16_t)(GEN_R_DATA2 + 4 * u),
                 g->c.element_bytes, 2);
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, GEN_R_SUM, (uint16_t)(GEN_R_DATA + 4 * u));
    gen_loop_end(g, 1);
    gen_exit(g);
    return true;
}

static uint64_t item_index(const struct generator *g, uint64_t access)
{
    if (g->c.distribution == UNIFORM) return gen_hash_below(g, access, g->items);
    return gen_zipf_item(g, access, g->items, g->c.exponent);
}

static void gather(struct gen_warp *w, uint32_t code, uint64_t access)
{
    const struct generator *g = w->g;
    uint64_t list[WARP_MAX_LANES], table = gen_array(g, 1);
    for (uint32_t lane = 0; lane < g->width; lane++)
        list[lane] = table + item_index(g, access + lane) * (uint64_t)g->c.element_bytes;
    gen_listed(w, code, list);
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    uint32_t unroll = (uint32_t)g->c.unroll, code = g->n_prologue;
    for (uint32_t u = 0; u < unroll; u++) {
        uint64_t access = (iteration * unroll + u) * g->threads + w->thread;
        gen_strided(w, code + u, gen_array(g, 0) + access * INDEX_BYTES, INDEX_BYTES);
    }
    gen_plain_range(w, code + unroll, code + 2 * unroll);
    for (uint32_t u = 0; u < unroll; u++)
        gather(w, code + 2 * unroll + u, (iteration * unroll + u) * g->threads + w->thread);
    gen_plain_range(w, code + 3 * unroll, code + g->n_step);
}

const struct generator_ops generator_gather = {
    .name = "gather",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
};
