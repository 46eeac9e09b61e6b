/* stride.c - the stride microbenchmark of Khairy et al. (figure 3): thread t reads element (t /
 * stride) * 32 + t % stride, so that `stride` neighbours share a run of 32 elements: stride 32 is a
 * fully coalesced access, stride 1 touches a new line with every lane. Each access reads a new
 * region of threads / stride runs or, if a footprint is given, cycles through the same regions. */
#include "trace/generators/nest.h"

enum { RUN = 32 };

static const struct gen_param params[] = {
    GEN_PARAM(stride, GEN_INT, 32, 1, RUN, NULL,
              "neighbouring threads that share a run; divides 32"),
    GEN_PARAM(arithmetic, GEN_INT, 1, 0, 64, NULL, "operations per element"),
    GEN_PARAM(footprint, GEN_SIZE, 0, 0, 0x1p40, NULL, "bytes before it wraps; 0: never"),
};

static uint64_t region_bytes(const struct generator *g)
{
    uint64_t stride = (uint64_t)g->c.stride;
    return (g->threads + stride - 1) / stride * RUN * (uint64_t)g->c.element_bytes;
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    if (RUN % g->c.stride)
        return error_input(e, "%s: stride = %lld; allowed are 1, 2, 4, 8, 16, 32", path,
                           (long long)g->c.stride);
    g->items = (uint64_t)(g->c.iterations * g->c.unroll);
    if (g->c.footprint) {
        g->items = (uint64_t)g->c.footprint / region_bytes(g);
        if (g->items == 0)
            return error_input(e,
                               "%s: footprint = %lld is less than what the threads touch once; at "
                               "least %llu bytes",
                               path, (long long)g->c.footprint,
                               (unsigned long long)region_bytes(g));
    }
    gen_prologue(g, 1);
    gen_let(g, "t", "first + lane");
    gen_set(g, "run", RUN);
    gen_set(g, "region", region_bytes(g) / (uint64_t)g->c.element_bytes);
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u), GEN_R_ADDRESS, g->c.element_bytes, 1);
        gen_set(g, "u", (uint64_t)u);
        gen_at(g, 0, g->c.element_bytes,
               "(step * unroll + u) % items * region + t / stride * run + t % stride");
    }
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, GEN_R_SUM, (uint16_t)(GEN_R_DATA + 4 * u));
    gen_loop_end(g, 1);
    gen_exit(g);
    return true;
}

const struct generator_ops generator_stride = {
    .name = "stride",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
