/* stencil.c - a five-point stencil: out[y][x] from in[y][x] and its four neighbours, rows of n
 * elements. Grid-stride: access k of a thread is element k * threads + thread of the plane, modulo
 * its elements if a footprint is given. The input has one more row above and below; the left and
 * right neighbours of a row's ends are the ends of the adjacent rows, so that no lane is idle. */
#include "trace/generators/nest.h"

enum { POINTS = 5, OUTPUT = POINTS, MOST_UNROLLED = 4 };

static const struct gen_param params[] = {
    GEN_PARAM(n, GEN_INT, 1024, 64, 1 << 24, NULL, "elements of a row; a multiple of 64"),
    GEN_PARAM(arithmetic, GEN_INT, 1, 1, 64, NULL, "operations per point"),
    GEN_PARAM(footprint, GEN_SIZE, 0, 0, 0x1p40, NULL,
              "bytes over both planes before it wraps; 0: never"),
};

static bool choose_elements(struct generator *g, const char *path, struct error *e)
{
    uint64_t element = (uint64_t)g->c.element_bytes, row = (uint64_t)g->c.n;
    if (g->c.n % WARP_MAX_LANES)
        return error_input(e, "%s: n = %lld; a multiple of 64 is allowed", path, (long long)g->c.n);
    g->items = g->threads * (uint64_t)(g->c.iterations * g->c.unroll);
    if (g->c.footprint) g->items = (uint64_t)g->c.footprint / (2 * element) / row * row;
    if (g->items == 0)
        return error_input(e, "%s: footprint = %lld is less than two rows; at least %llu bytes",
                           path, (long long)g->c.footprint,
                           (unsigned long long)(2 * row * element));
    gen_place_arrays(g, (g->items + 3 * row) * element);
    return true;
}

/* Point 0 is the centre, which becomes the sum. */
static uint16_t data_register(int64_t u, uint32_t point)
{
    if (point == 0) return (uint16_t)(GEN_R_DATA + 4 * u);
    return (uint16_t)(GEN_R_DATA2 + 4 * ((POINTS - 1) * u + point - 1));
}

/* The input has a row more in front. */
static void access_point(struct generator *g, int32_t array, int64_t u, uint32_t point)
{
    static const char *const places[] = {"n", "0", "n - 1", "n + 1", "2 * n", "0"};
    gen_set(g, "u", (uint64_t)u);
    gen_let(g, "place", places[point]);
    gen_at(g, array, g->c.element_bytes,
           "((step * unroll + u) * threads + first) % items + place + lane");
}

static void add_code(struct generator *g)
{
    gen_prologue(g, 2);
    for (int64_t u = 0; u < g->c.unroll; u++)
        for (uint32_t k = 0; k < POINTS; k++) {
            gen_load(g, data_register(u, k), GEN_R_ADDRESS, g->c.element_bytes, 1);
            access_point(g, 0, u, k);
        }
    for (int64_t u = 0; u < g->c.unroll; u++)
        for (uint32_t k = 1; k < POINTS; k++)
            gen_arithmetic(g, data_register(u, 0), data_register(u, k));
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_store(g, data_register(u, 0), GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
        access_point(g, 1, u, OUTPUT);
    }
    gen_loop_end(g, 2);
    gen_exit(g);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    if (g->c.unroll > MOST_UNROLLED)
        return error_input(e, "%s: unroll = %lld; a stencil allows 1 to %d", path,
                           (long long)g->c.unroll, MOST_UNROLLED);
    if (!choose_elements(g, path, e)) return false;
    add_code(g);
    return true;
}

const struct generator_ops generator_stencil = {
    .name = "stencil",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
