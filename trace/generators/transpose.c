/* transpose.c - out = transposed(in) of n x n elements, grid-stride over pieces of a row as wide as
 * a warp ("naive": the store goes down a column, a row apart) or over tiles of width x width that a
 * CTA turns in shared memory ("tiled": rows in, rows out).  Shared rows are one element longer than
 * a tile, as is usual against bank conflicts. */
#include "trace/generators/nest.h"

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

/* A load or store of element (row, column) of an array. */
static void access_global(struct generator *g, uint32_t r, bool store)
{
    uint16_t data = (uint16_t)(GEN_R_DATA + 4 * r);
    gen_set(g, "r", r);
    if (store)
        gen_store(g, data, GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
    else
        gen_load(g, data, GEN_R_ADDRESS, g->c.element_bytes, 1);
}

static void access_shared(struct generator *g, uint32_t r, uint8_t cls, const char *element)
{
    gen_set(g, "r", r);
    gen_shared(g, cls, (uint16_t)(GEN_R_DATA + 4 * r));
    gen_at(g, NEST_SHARED, g->c.element_bytes, element);
}

static void add_naive(struct generator *g)
{
    gen_set(g, "pieces", (uint64_t)g->c.n / g->width);
    for (uint32_t store = 0; store < 2; store++)
        for (uint32_t r = 0; r < count_rows(g); r++) {
            access_global(g, r, store);
            gen_let(g, "piece",
                    "((step * unroll + r) * ctas * warps + cta * warps + warp) % items");
            gen_let(g, "row", "piece / pieces");
            gen_let(g, "column", "piece % pieces * lanes + lane");
            gen_at(g, (int32_t)store, g->c.element_bytes,
                   store ? "column * n + row" : "row * n + column");
        }
}

static void add_tiled(struct generator *g)
{
    uint32_t rows = count_rows(g);
    gen_set(g, "rows", rows);
    gen_set(g, "tiles", (uint64_t)g->c.n / g->width);
    gen_let(g, "tile", "(step * ctas + cta) % items");
    gen_let(g, "down", "tile / tiles * lanes");
    gen_let(g, "right", "tile % tiles * lanes");
    for (uint32_t r = 0; r < rows; r++) {
        access_global(g, r, false);
        gen_at(g, 0, g->c.element_bytes, "(down + warp * rows + r) * n + right + lane");
    }
    for (uint32_t r = 0; r < rows; r++)
        access_shared(g, r, OP_SHARED_STORE, "(warp * rows + r) * (lanes + 1) + lane");
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    for (uint32_t r = 0; r < rows; r++)
        access_shared(g, r, OP_SHARED_LOAD, "lane * (lanes + 1) + warp * rows + r");
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    for (uint32_t r = 0; r < rows; r++) {
        access_global(g, r, true);
        gen_at(g, 1, g->c.element_bytes, "(right + warp * rows + r) * n + down + lane");
    }
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    if (!check_shape(g, path, e)) return false;
    uint64_t n = (uint64_t)g->c.n, pieces = n / g->width;
    g->items = g->c.kernel == TILED ? pieces * pieces : pieces * n;
    gen_place_arrays(g, n * n * (uint64_t)g->c.element_bytes);
    if (g->c.kernel == TILED)
        g->shared_bytes = g->width * (g->width + 1) * (uint32_t)g->c.element_bytes;
    gen_prologue(g, 2);
    if (g->c.kernel == TILED)
        add_tiled(g);
    else
        add_naive(g);
    gen_loop_end(g, 2);
    gen_exit(g);
    return true;
}

const struct generator_ops generator_transpose = {
    .name = "transpose",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
