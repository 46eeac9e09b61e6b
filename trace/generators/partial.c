/* partial.c - stores that leave sectors incomplete: lanes write one element each, `stride` bytes
 * apart.  "once": the rest of each run of `stride` bytes is never written.  "filled": the next
 * stride / element_bytes - 1 accesses write the rest, an element per run and access, so that a line
 * is complete only after all of them. */
#include "trace/generators/nest.h"

enum { ONCE, FILLED };
static const char *const kernels[] = {"once", "filled", NULL};

static const struct gen_param params[] = {
    GEN_PARAM(kernel, GEN_CHOICE, ONCE, 0, 0, kernels, "whether the rest is written later"),
    GEN_PARAM(stride, GEN_INT, 32, 2, 4096, NULL, "bytes from lane to lane; a power of two"),
    GEN_PARAM(footprint, GEN_SIZE, 0, 0, 0x1p40, NULL, "bytes before it wraps; 0: never"),
};

/* Number of accesses that write a whole run. */
static uint64_t count_pieces(const struct generator *g)
{
    return g->c.kernel == FILLED ? (uint64_t)(g->c.stride / g->c.element_bytes) : 1;
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    uint64_t stride = (uint64_t)g->c.stride;
    if ((stride & (stride - 1)) || g->c.stride < g->c.element_bytes)
        return error_input(e,
                           "%s: stride = %lld; a power of two from element_bytes = %lld on is "
                           "allowed",
                           path, (long long)g->c.stride, (long long)g->c.element_bytes);
    g->items = g->threads * (uint64_t)(g->c.iterations * g->c.unroll);
    if (g->c.footprint) g->items = (uint64_t)g->c.footprint / stride / g->width * g->width;
    if (g->items == 0)
        return error_input(e, "%s: footprint = %lld is less than one warp's runs", path,
                           (long long)g->c.footprint);
    gen_place_arrays(g, g->items * stride);
    gen_prologue(g, 1);
    gen_set(g, "pieces", count_pieces(g));
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_store(g, GEN_R_THREAD, GEN_R_ADDRESS, g->c.element_bytes, 1);
        gen_set(g, "u", (uint64_t)u);
        gen_let(g, "k", "step * unroll + u");
        gen_at(g, 0, 1,
               "((k / pieces * threads + first) % items + lane) * stride + "
               "k % pieces * element_bytes");
    }
    gen_loop_end(g, 1);
    gen_exit(g);
    return true;
}

const struct generator_ops generator_partial = {
    .name = "partial",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
