/* synchronize.c - kernels that synchronise often and reuse data in between: in each step a warp
 * reads its left neighbour's flag, acquires, loads `unroll` pieces of a table that all warps share
 * and nobody writes, one after the other, computes, releases, and sets its own flag. The fewer the
 * loads of a step, the more often it synchronises; what an acquire takes from an L1 is the table.
 *
 * A trace cannot wait for a flag: each is read once. Source: QuickRelease, section 1 (applications
 * with frequent synchronisation). */
#include "trace/generators/kit.h"

static const struct gen_param params[] = {
    GEN_PARAM(footprint, GEN_SIZE, 8192, 256, 1 << 30, NULL, "bytes of the table"),
    GEN_PARAM(arithmetic, GEN_INT, 1, 0, 64, NULL, "operations per loaded element"),
};
enum { FLAG_BYTES = 4, FLAGS_APART = 128 };

static bool setup(struct generator *g, const char *path, struct error *e)
{
    (void)path, (void)e;
    g->items = (uint64_t)g->c.footprint / ((uint64_t)g->c.element_bytes * g->width);
    if (!g->items) g->items = 1;
    gen_place_arrays(g, (uint64_t)g->c.footprint + (uint64_t)g->c.ctas * g->warps * FLAGS_APART);
    gen_prologue(g, 2);
    gen_load(g, GEN_R_INDEX, GEN_R_ADDRESS, FLAG_BYTES, 1);
    gen_op(g, OP_ACQUIRE, REG_NONE, GEN_R_INDEX, REG_NONE, "LDACQ");
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u),
                 u ? (uint16_t)(GEN_R_DATA + 4 * (u - 1)) : GEN_R_ADDRESS + 2, g->c.element_bytes,
                 2);
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, (uint16_t)(GEN_R_DATA + 4 * u), REG_NONE);
    gen_op(g, OP_RELEASE, REG_NONE, REG_NONE, REG_NONE, "STREL");
    gen_store(g, GEN_R_INDEX, GEN_R_ADDRESS, FLAG_BYTES, 1);
    gen_loop_end(g, 2);
    gen_exit(g);
    return true;
}

static uint64_t flag_address(const struct generator *g, uint64_t warp)
{
    return gen_array(g, 0) + warp * FLAGS_APART;
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    uint64_t warps = (uint64_t)g->c.ctas * g->warps, me = w->cta * g->warps + w->warp;
    uint64_t unroll = (uint64_t)g->c.unroll, piece = (uint64_t)g->c.element_bytes * g->width;
    uint32_t code = g->n_prologue;
    gen_strided(w, code++, flag_address(g, (me + warps - 1) % warps), 0);
    gen_plain(w, code++);
    for (uint64_t u = 0; u < unroll; u++)
        gen_strided(w, code++, gen_array(g, 1) + (me + iteration * unroll + u) % g->items * piece,
                    g->c.element_bytes);
    uint32_t stores = code + (uint32_t)(g->c.arithmetic * g->c.unroll);
    gen_plain_range(w, code, stores);
    gen_plain(w, stores++);
    gen_strided(w, stores++, flag_address(g, me), 0);
    gen_plain_range(w, stores, g->n_prologue + g->n_step);
}

const struct generator_ops generator_synchronize = {
    .name = "synchronize",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
};
