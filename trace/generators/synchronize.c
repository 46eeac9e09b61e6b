/* synchronize.c - kernels that synchronise often and reuse data in between: in each step a warp
 * reads its left neighbour's flag, acquires, loads `unroll` pieces of a table that all warps share
 * and nobody writes, one after the other, computes, releases, and sets its own flag. The fewer the
 * loads of a step, the more often it synchronises; what an acquire takes from an L1 is the table.
 *
 * A trace cannot wait for a flag: each is read once. Source: QuickRelease, section 1 (applications
 * with frequent synchronisation). */
#include "trace/generators/nest.h"

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
    gen_let(g, "me", "cta * warps + warp");
    gen_load(g, GEN_R_INDEX, GEN_R_ADDRESS, FLAG_BYTES, 1);
    gen_at(g, 0, FLAGS_APART, "(me + ctas * warps - 1) % (ctas * warps)");
    gen_op(g, OP_ACQUIRE, REG_NONE, GEN_R_INDEX, REG_NONE, "LDACQ");
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u),
                 u ? (uint16_t)(GEN_R_DATA + 4 * (u - 1)) : GEN_R_ADDRESS + 2, g->c.element_bytes,
                 2);
        gen_set(g, "u", (uint64_t)u);
        gen_at(g, 1, g->c.element_bytes, "(me + step * unroll + u) % items * lanes + lane");
    }
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, (uint16_t)(GEN_R_DATA + 4 * u), REG_NONE);
    gen_op(g, OP_RELEASE, REG_NONE, REG_NONE, REG_NONE, "STREL");
    gen_store(g, GEN_R_INDEX, GEN_R_ADDRESS, FLAG_BYTES, 1);
    gen_at(g, 0, FLAGS_APART, "me");
    gen_loop_end(g, 2);
    gen_exit(g);
    return true;
}

const struct generator_ops generator_synchronize = {
    .name = "synchronize",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
