/* handoff.c - producers and consumers: in each step a CTA reads what its left neighbour produced in
 * the previous step and produces as much for its right one. It reads the neighbour's flag,
 * acquires, loads `unroll` elements per thread, computes, stores its own, releases, and sets its
 * flag.
 *
 * A trace cannot wait for a flag: each is read once. A CTA's data alternate between two halves, so
 * that a consumer never reads data that are written in the same step. */
#include "trace/generators/kit.h"

static const struct gen_param params[] = {
    GEN_PARAM(arithmetic, GEN_INT, 1, 0, 64, NULL, "operations per element"),
};
enum { FLAG_BYTES = 4, FLAGS_APART = 128 };

static bool setup(struct generator *g, const char *path, struct error *e)
{
    (void)path, (void)e;
    g->items = 2 * g->threads * (uint64_t)g->c.unroll;
    gen_place_arrays(g,
                     g->items * (uint64_t)g->c.element_bytes + (uint64_t)g->c.ctas * FLAGS_APART);
    gen_prologue(g, 2);
    gen_load(g, GEN_R_INDEX, GEN_R_ADDRESS, FLAG_BYTES, 1);
    gen_op(g, OP_ACQUIRE, REG_NONE, GEN_R_INDEX, REG_NONE, "LDACQ");
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u), GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, (uint16_t)(GEN_R_DATA + 4 * u), REG_NONE);
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_store(g, (uint16_t)(GEN_R_DATA + 4 * u), GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
    gen_op(g, OP_RELEASE, REG_NONE, REG_NONE, REG_NONE, "STREL");
    gen_store(g, GEN_R_INDEX, GEN_R_ADDRESS, FLAG_BYTES, 1);
    gen_loop_end(g, 2);
    gen_exit(g);
    return true;
}

static uint64_t flag_address(const struct generator *g, uint64_t cta)
{
    return gen_array(g, 0) + cta * FLAGS_APART;
}

/* Address of the warp's element u in the block that CTA `cta` produces in that step. */
static uint64_t element_address(const struct gen_warp *w, uint64_t cta, uint64_t step, uint64_t u)
{
    const struct generator *g = w->g;
    uint64_t unroll = (uint64_t)g->c.unroll, in_cta = (uint64_t)g->warps * g->width;
    uint64_t block = step % 2 * (uint64_t)g->c.ctas + cta;
    uint64_t n = (block * unroll + u) * in_cta + (uint64_t)w->warp * g->width;
    return gen_array(g, 1) + n * (uint64_t)g->c.element_bytes;
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    uint64_t ctas = (uint64_t)g->c.ctas, left = (w->cta + ctas - 1) % ctas;
    uint64_t unroll = (uint64_t)g->c.unroll;
    uint32_t code = g->n_prologue;
    gen_strided(w, code++, flag_address(g, left), 0);
    gen_plain(w, code++);
    for (uint64_t u = 0; u < unroll; u++)
        gen_strided(w, code++, element_address(w, left, iteration + 1, u), g->c.element_bytes);
    uint32_t stores = code + (uint32_t)(g->c.arithmetic * g->c.unroll);
    gen_plain_range(w, code, stores);
    for (uint64_t u = 0; u < unroll; u++)
        gen_strided(w, stores++, element_address(w, w->cta, iteration, u), g->c.element_bytes);
    gen_plain(w, stores++);
    gen_strided(w, stores++, flag_address(g, w->cta), 0);
    gen_plain_range(w, stores, g->n_prologue + g->n_step);
}

const struct generator_ops generator_handoff = {
    .name = "handoff",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
};
