/* handoff.c - producers and consumers: in each step a CTA reads what its left neighbour produced in
 * the previous step and produces as much for its right one. It reads the neighbour's flag,
 * acquires, loads `unroll` elements per thread, computes, stores its own, releases, and sets its
 * flag.
 *
 * A trace cannot wait for a flag: each is read once. A CTA's data alternate between two halves, so
 * that a consumer never reads data that are written in the same step. */
#include "trace/generators/nest.h"

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
    gen_let(g, "left", "(cta + ctas - 1) % ctas");
    gen_load(g, GEN_R_INDEX, GEN_R_ADDRESS, FLAG_BYTES, 1);
    gen_at(g, 0, FLAGS_APART, "left");
    gen_op(g, OP_ACQUIRE, REG_NONE, GEN_R_INDEX, REG_NONE, "LDACQ");
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u), GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
        gen_set(g, "u", (uint64_t)u);
        gen_at(g, 1, g->c.element_bytes,
               "(((step + 1) % 2 * ctas + left) * unroll + u) * cta_threads + thread");
    }
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, (uint16_t)(GEN_R_DATA + 4 * u), REG_NONE);
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_store(g, (uint16_t)(GEN_R_DATA + 4 * u), GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
        gen_set(g, "u", (uint64_t)u);
        gen_at(g, 1, g->c.element_bytes,
               "((step % 2 * ctas + cta) * unroll + u) * cta_threads + thread");
    }
    gen_op(g, OP_RELEASE, REG_NONE, REG_NONE, REG_NONE, "STREL");
    gen_store(g, GEN_R_INDEX, GEN_R_ADDRESS, FLAG_BYTES, 1);
    gen_at(g, 0, FLAGS_APART, "cta");
    gen_loop_end(g, 2);
    gen_exit(g);
    return true;
}

const struct generator_ops generator_handoff = {
    .name = "handoff",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
