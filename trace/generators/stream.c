/* stream.c - the STREAM kernels: copy c = a, scale b = s c, add c = a + b, triad a = b + s c
 * (McCalpin 1995).
 *
 * Grid-stride loop: access n of a thread is element n * threads + thread, modulo the elements of an
 * array when a footprint is given.  A step holds `unroll` elements: all their loads, then
 * arithmetic, then their stores. */
#include "trace/generators/nest.h"

enum { COPY, SCALE, ADD, TRIAD };
static const char *const kernels[] = {"copy", "scale", "add", "triad", NULL};

static const struct gen_param params[] = {
    GEN_PARAM(kernel, GEN_CHOICE, TRIAD, 0, 0, kernels, "which of the four"),
    GEN_PARAM(arithmetic, GEN_INT, -1, -1, 64, NULL,
              "operations per element; -1: none for copy, else 1"),
    GEN_PARAM(footprint, GEN_SIZE, 0, 0, 0x1p40, NULL,
              "bytes over all arrays before it wraps; 0: never"),
};

static uint32_t count_inputs(const struct generator *g)
{
    return g->c.kernel >= ADD ? 2 : 1;
}

static uint16_t data_register(uint32_t array, int64_t u)
{
    return (uint16_t)((array ? GEN_R_DATA2 : GEN_R_DATA) + 4 * u);
}

static bool choose_elements(struct generator *g, const char *path, struct error *e)
{
    uint64_t arrays = count_inputs(g) + 1, element = (uint64_t)g->c.element_bytes;
    g->items = g->threads * (uint64_t)(g->c.iterations * g->c.unroll);
    if (g->c.footprint) {
        g->items = (uint64_t)g->c.footprint / (arrays * element) / g->width * g->width;
        if (g->items == 0)
            return error_input(
                e, "%s: footprint = %lld is less than one warp's elements; at least %llu bytes",
                path, (long long)g->c.footprint, (unsigned long long)(arrays * element * g->width));
    }
    gen_place_arrays(g, g->items * element);
    return true;
}

static void access_element(struct generator *g, uint32_t array, int64_t u)
{
    gen_set(g, "u", (uint64_t)u);
    gen_at(g, (int32_t)array, g->c.element_bytes,
           "((step * unroll + u) * threads + first) % items + lane");
}

static void add_code(struct generator *g)
{
    uint32_t in = count_inputs(g);
    gen_prologue(g, in + 1);
    for (int64_t u = 0; u < g->c.unroll; u++)
        for (uint32_t k = 0; k < in; k++) {
            gen_load(g, data_register(k, u), (uint16_t)(GEN_R_ADDRESS + 2 * k), g->c.element_bytes,
                     (uint16_t)(k + 1));
            access_element(g, k, u);
        }
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_arithmetic(g, data_register(0, u), in > 1 ? data_register(1, u) : REG_NONE);
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_store(g, data_register(0, u), (uint16_t)(GEN_R_ADDRESS + 2 * in), g->c.element_bytes,
                  (uint16_t)(in + 1));
        access_element(g, in, u);
    }
    gen_loop_end(g, in + 1);
    gen_exit(g);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    if (g->c.arithmetic < 0) g->c.arithmetic = g->c.kernel == COPY ? 0 : 1;
    if (!choose_elements(g, path, e)) return false;
    add_code(g);
    return true;
}

const struct generator_ops generator_stream = {
    .name = "stream",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
