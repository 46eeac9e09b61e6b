/* reduction.c - each CTA sums its share: a grid-stride loop into a register, then a tree in shared
 * memory with a barrier per level (half the threads of the level before take part), then thread 0
 * stores the CTA's sum. */
#include "trace/generators/nest.h"

static const struct gen_param params[] = {
    GEN_PARAM(arithmetic, GEN_INT, 1, 1, 64, NULL, "operations per element"),
    GEN_PARAM(footprint, GEN_SIZE, 0, 0, 0x1p40, NULL,
              "bytes of the input before it wraps; 0: never"),
};

/* The threads below `left` add what those behind them have. */
static void add_level(struct generator *g, uint32_t left)
{
    gen_set(g, "left", left);
    gen_op(g, OP_INT, REG_NONE, GEN_R_THREAD, REG_NONE, "ISETP");
    gen_op(g, OP_BRANCH, REG_NONE, REG_NONE, REG_NONE, "BRA");
    gen_branch(g, "thread < left");
    gen_shared(g, OP_SHARED_LOAD, GEN_R_DATA);
    gen_at(g, NEST_SHARED, g->c.element_bytes, "thread + left");
    gen_shared(g, OP_SHARED_LOAD, GEN_R_SUM);
    gen_at(g, NEST_SHARED, g->c.element_bytes, "thread");
    gen_op(g, g->c.element_bytes == 8 ? OP_FP64 : OP_FP32, GEN_R_SUM, GEN_R_SUM, GEN_R_DATA,
           "FADD");
    gen_shared(g, OP_SHARED_STORE, GEN_R_SUM);
    gen_at(g, NEST_SHARED, g->c.element_bytes, "thread");
    gen_only(g, "");
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
}

static uint32_t cta_threads(const struct generator *g)
{
    return g->warps * g->width;
}

static bool choose_elements(struct generator *g, const char *path, struct error *e)
{
    g->items = g->threads * (uint64_t)(g->c.iterations * g->c.unroll);
    if (g->c.footprint)
        g->items = (uint64_t)(g->c.footprint / g->c.element_bytes) / g->width * g->width;
    if (g->items == 0)
        return error_input(e, "%s: footprint = %lld is less than one warp's elements", path,
                           (long long)g->c.footprint);
    if (cta_threads(g) & (cta_threads(g) - 1))
        return error_input(e, "%s: a CTA of %u threads; a tree needs a power of two", path,
                           cta_threads(g));
    if (g->c.element_bytes != 4 && g->c.element_bytes != 8)
        return error_input(e, "%s: element_bytes = %lld; a reduction allows 4 and 8", path,
                           (long long)g->c.element_bytes);
    gen_place_arrays(g, g->items * (uint64_t)g->c.element_bytes);
    g->shared_bytes = cta_threads(g) * (uint32_t)g->c.element_bytes;
    return true;
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    if (!choose_elements(g, path, e)) return false;
    gen_prologue(g, 2);
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u), GEN_R_ADDRESS, g->c.element_bytes, 1);
        gen_set(g, "u", (uint64_t)u);
        gen_at(g, 0, g->c.element_bytes, "((step * unroll + u) * threads + first) % items + lane");
    }
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, GEN_R_SUM, (uint16_t)(GEN_R_DATA + 4 * u));
    gen_loop_end(g, 1);
    gen_shared(g, OP_SHARED_STORE, GEN_R_SUM);
    gen_at(g, NEST_SHARED, g->c.element_bytes, "thread");
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    for (uint32_t left = cta_threads(g) / 2; left; left /= 2)
        add_level(g, left);
    gen_branch(g, "thread < 1");
    gen_store(g, GEN_R_SUM, GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
    gen_at(g, 1, g->c.element_bytes, "cta");
    gen_only(g, "");
    gen_exit(g);
    return true;
}

const struct generator_ops generator_reduction = {
    .name = "reduction",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
