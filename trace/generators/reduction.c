/* reduction.c - each CTA sums its share: a grid-stride loop into a register, then a tree in shared
 * memory with a barrier per level (half the threads of the level before take part), then thread 0
 * stores the CTA's sum. */
#include "trace/generators/kit.h"

enum { LEVEL_CODES = 7 }; /* ISETP, BRA, LDS, LDS, FADD, STS, BAR */

static const struct gen_param params[] = {
    GEN_PARAM(arithmetic, GEN_INT, 1, 1, 64, NULL, "operations per element"),
    GEN_PARAM(footprint, GEN_SIZE, 0, 0, 0x1p40, NULL,
              "bytes of the input before it wraps; 0: never"),
};

static void add_level(struct generator *g)
{
    gen_op(g, OP_INT, REG_NONE, GEN_R_THREAD, REG_NONE, "ISETP");
    gen_op(g, OP_BRANCH, REG_NONE, REG_NONE, REG_NONE, "BRA");
    gen_shared(g, OP_SHARED_LOAD, GEN_R_DATA);
    gen_shared(g, OP_SHARED_LOAD, GEN_R_SUM);
    gen_op(g, g->c.element_bytes == 8 ? OP_FP64 : OP_FP32, GEN_R_SUM, GEN_R_SUM, GEN_R_DATA,
           "FADD");
    gen_shared(g, OP_SHARED_STORE, GEN_R_SUM);
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
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u), GEN_R_ADDRESS, g->c.element_bytes, 1);
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, GEN_R_SUM, (uint16_t)(GEN_R_DATA + 4 * u));
    gen_loop_end(g, 1);
    gen_shared(g, OP_SHARED_STORE, GEN_R_SUM);
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    for (uint32_t left = cta_threads(g) / 2; left; left /= 2)
        add_level(g);
    gen_store(g, GEN_R_SUM, GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
    gen_exit(g);
    return true;
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    uint64_t unroll = (uint64_t)g->c.unroll;
    uint32_t code = g->n_prologue;
    for (uint64_t n = iteration * unroll; n < (iteration + 1) * unroll; n++) {
        uint64_t element = (n * g->threads + w->thread) % g->items;
        gen_strided(w, code++, GEN_BASE + element * (uint64_t)g->c.element_bytes,
                    g->c.element_bytes);
    }
    gen_plain_range(w, code, g->n_prologue + g->n_step);
}

/* Lanes of the warp whose thread is below `left`. */
static uint64_t lanes_below(const struct gen_warp *w, uint32_t left)
{
    uint32_t first = w->warp * w->g->width;
    if (first >= left) return 0;
    uint32_t n = left - first;
    return n >= w->g->width ? w->mask : (UINT64_C(1) << n) - 1;
}

static void level(struct gen_warp *w, uint32_t code, uint32_t left)
{
    uint64_t all = w->mask, active = lanes_below(w, left);
    int64_t bytes = w->g->c.element_bytes;
    uint64_t own = (uint64_t)w->warp * w->g->width * (uint64_t)bytes;
    gen_plain_range(w, code, code + 2);
    w->mask = active;
    if (active) {
        gen_strided(w, code + 2, own + left * (uint64_t)bytes, bytes);
        gen_strided(w, code + 3, own, bytes);
        gen_plain(w, code + 4);
        gen_strided(w, code + 5, own, bytes);
    }
    w->mask = all;
    gen_plain(w, code + 6);
}

static void epilogue(struct gen_warp *w)
{
    const struct generator *g = w->g;
    int64_t bytes = g->c.element_bytes;
    uint32_t code = g->n_prologue + g->n_step;
    uint64_t all = w->mask;
    gen_strided(w, code++, (uint64_t)w->warp * g->width * (uint64_t)bytes, bytes);
    gen_plain(w, code++);
    for (uint32_t left = cta_threads(g) / 2; left; left /= 2, code += LEVEL_CODES)
        level(w, code, left);
    w->mask = lanes_below(w, 1);
    if (w->mask) gen_strided(w, code, gen_array(g, 1) + w->cta * (uint64_t)bytes, 0);
    w->mask = all;
    gen_plain(w, code + 1);
}

const struct generator_ops generator_reduction = {
    .name = "reduction",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
    .epilogue = epilogue,
};
