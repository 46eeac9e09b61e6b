/* transpose.c - out = transposed(in) of n x n elements, grid-stride over pieces of a row as wide as
 * a warp ("naive": the store goes down a column, a row apart) or over tiles of width x width that a
 * CTA turns in shared memory ("tiled": rows in, rows out).  Shared rows are one element longer than
 * a tile, as is usual against bank conflicts. */
#include "trace/generators/kit.h"

enum { NAIVE, TILED };
static const char *const kernels[] = {"naive", "tiled", NULL};

static const struct gen_param params[] = {
    GEN_PARAM(kernel, GEN_CHOICE, TILED, 0, 0, kernels, "from place to place or by tiles"),
    GEN_PARAM(n, GEN_INT, 1024, 64, 1 << 20, NULL, "rows and columns; a multiple of 64"),
};

/* Accesses of a warp in a step. */
static uint32_t count_rows(const struct generator *g)
{
    return g->c.kernel == TILED ? g->width / g->warps : (uint32_t)g->c.unroll;
}

static bool check_shape(const struct generator *g, const char *path, struct error *e)
{
    if (g->c.n % WARP_MAX_LANES)
        return error_input(e, "%s: n = %lld; a multiple of 64 is allowed", path, (long long)g->c.n);
    if (g->c.kernel == NAIVE) return true;
    if (g->width % g->warps || count_rows(g) > GEN_MAX_UNROLL)
        return error_input(e,
                           "%s: %u warps of %u lanes; tiles need a divisor of the lanes, with at "
                           "most %u rows per warp",
                           path, g->warps, g->width, (unsigned)GEN_MAX_UNROLL);
    return g->c.unroll == 1 ||
           error_input(e, "%s: unroll = %lld; a tile's rows decide it, leave it out", path,
                       (long long)g->c.unroll);
}

static void add_code(struct generator *g)
{
    gen_prologue(g, 2);
    for (uint32_t r = 0; r < count_rows(g); r++)
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * r), GEN_R_ADDRESS, g->c.element_bytes, 1);
    if (g->c.kernel == TILED) {
        for (uint32_t r = 0; r < count_rows(g); r++)
            gen_shared(g, OP_SHARED_STORE, (uint16_t)(GEN_R_DATA + 4 * r));
        gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
        for (uint32_t r = 0; r < count_rows(g); r++)
            gen_shared(g, OP_SHARED_LOAD, (uint16_t)(GEN_R_DATA + 4 * r));
        gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    }
    for (uint32_t r = 0; r < count_rows(g); r++)
        gen_store(g, (uint16_t)(GEN_R_DATA + 4 * r), GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
    gen_loop_end(g, 2);
    gen_exit(g);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    if (!check_shape(g, path, e)) return false;
    uint64_t n = (uint64_t)g->c.n, pieces = n / g->width;
    g->items = g->c.kernel == TILED ? pieces * pieces : pieces * n;
    gen_place_arrays(g, n * n * (uint64_t)g->c.element_bytes);
    if (g->c.kernel == TILED)
        g->shared_bytes = g->width * (g->width + 1) * (uint32_t)g->c.element_bytes;
    add_code(g);
    return true;
}

static uint64_t element_address(const struct gen_warp *w, uint32_t array, uint64_t row,
                                uint64_t column)
{
    const struct generator *g = w->g;
    return gen_array(g, array) + (row * (uint64_t)g->c.n + column) * (uint64_t)g->c.element_bytes;
}

static void step_naive(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    uint64_t pieces = (uint64_t)g->c.n / g->width, all = (uint64_t)g->c.ctas * g->warps;
    uint64_t unroll = (uint64_t)g->c.unroll, first = iteration * unroll;
    for (uint32_t store = 0; store < 2; store++)
        for (uint64_t u = 0; u < unroll; u++) {
            uint64_t piece = ((first + u) * all + w->thread / g->width) % g->items;
            uint64_t row = piece / pieces, column = piece % pieces * g->width;
            uint32_t code = g->n_prologue + (uint32_t)(store * unroll + u);
            if (store)
                gen_strided(w, code, element_address(w, 1, column, row),
                            g->c.n * g->c.element_bytes);
            else
                gen_strided(w, code, element_address(w, 0, row, column), g->c.element_bytes);
        }
    gen_plain_range(w, g->n_prologue + (uint32_t)(2 * unroll), g->n_prologue + g->n_step);
}

static void step_tiled(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    uint64_t tiles = (uint64_t)g->c.n / g->width, bytes = (uint64_t)g->c.element_bytes;
    uint64_t tile = (iteration * (uint64_t)g->c.ctas + w->cta) % g->items;
    uint64_t down = tile / tiles * g->width, right = tile % tiles * g->width;
    uint64_t own = (uint64_t)w->warp * count_rows(g), shared_row = (g->width + 1) * bytes;
    uint32_t code = g->n_prologue;
    for (uint64_t r = own; r < own + count_rows(g); r++)
        gen_strided(w, code++, element_address(w, 0, down + r, right), g->c.element_bytes);
    for (uint64_t r = own; r < own + count_rows(g); r++)
        gen_strided(w, code++, r * shared_row, g->c.element_bytes);
    gen_plain(w, code++);
    for (uint64_t r = own; r < own + count_rows(g); r++)
        gen_strided(w, code++, r * bytes, (int64_t)shared_row);
    gen_plain(w, code++);
    for (uint64_t r = own; r < own + count_rows(g); r++)
        gen_strided(w, code++, element_address(w, 1, right + r, down), g->c.element_bytes);
    gen_plain_range(w, code, g->n_prologue + g->n_step);
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    if (w->g->c.kernel == TILED)
        step_tiled(w, iteration);
    else
        step_naive(w, iteration);
}

const struct generator_ops generator_transpose = {
    .name = "transpose",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
};
