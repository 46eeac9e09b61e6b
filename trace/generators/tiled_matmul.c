/* tiled_matmul.c - the product C = A B by tiles in shared memory: a CTA computes tile x tile
 * elements of C. In a step it brings `depth` columns of its rows of A, and as many rows of its
 * columns of B, to shared memory (`unroll` accesses of each thread for either), and multiplies
 * them; the loop goes over `iterations * depth` columns of A.
 *
 * stages = 1: loads go through registers, and barriers stand in front of and behind the product.
 * stages > 1: shared memory has a buffer for each stage. Asynchronous copies fill the buffers of
 * the next stages - 1 steps while a step computes: it waits until all groups but the stages - 2
 * youngest are complete, and then begins the copies of the step that is stages - 1 ahead.
 * Source: the multistage main loop of NVIDIA's CUTLASS. */
#include "trace/generators/kit.h"

enum { MOST_RESULTS = 16, MOST_SIDE = 4 };

/* Registers (kit.h numbers them anew). */
enum {
    R_SUM = GEN_R_DATA,
    R_A = R_SUM + MOST_RESULTS,
    R_B = R_A + MOST_SIDE,
    R_LOADED = R_B + MOST_SIDE
};
_Static_assert(R_LOADED + 2 * GEN_MAX_UNROLL <= GEN_REGISTERS, "registers are numbered below this");

static const struct gen_param params[] = {
    GEN_PARAM(n, GEN_INT, 256, 64, 1 << 20, NULL, "columns of B and C; a multiple of tile"),
    GEN_PARAM(tile, GEN_INT, 64, 8, 256, NULL,
              "rows and columns of a CTA's part of C; a power of two"),
    GEN_PARAM(stages, GEN_INT, 3, 1, 16, NULL,
              "buffers in shared memory; 1: loads through registers, else asynchronous copies"),
};

/* The shape of a thread's part of C, and of a step. */
struct tiling {
    uint64_t tile, across, down; /* across, down: columns and rows of a thread's part */
    uint64_t per_row;            /* threads side by side */
    uint64_t depth, bytes, ahead;
};

static struct tiling tiling_of(const struct generator *g)
{
    uint64_t threads = (uint64_t)g->warps * g->width, tile = (uint64_t)g->c.tile;
    struct tiling t = {.tile = tile,
                       .across = 1,
                       .depth = threads * (uint64_t)g->c.unroll / tile,
                       .bytes = (uint64_t)g->c.element_bytes,
                       .ahead = (uint64_t)g->c.stages - 1};
    uint64_t results = tile * tile / threads;
    while (t.across * t.across < results)
        t.across *= 2;
    t.down = results / t.across;
    t.per_row = tile / t.across;
    return t;
}

static bool is_power_of_two(uint64_t v)
{
    return v && !(v & (v - 1));
}

static bool check_shape(const struct generator *g, const char *path, struct error *e)
{
    uint64_t threads = (uint64_t)g->warps * g->width, tile = (uint64_t)g->c.tile;
    uint64_t n = (uint64_t)g->c.n;
    if (!is_power_of_two(tile) || n % tile || (uint64_t)g->c.ctas % (n / tile))
        return error_input(e,
                           "%s: n = %lld, tile = %lld, %lld CTAs; tile is a power of two that "
                           "divides n, and n / tile divides the CTAs",
                           path, (long long)g->c.n, (long long)g->c.tile, (long long)g->c.ctas);
    uint64_t results = tile * tile / threads;
    if (!is_power_of_two(threads) || !results || results > MOST_RESULTS ||
        threads * (uint64_t)g->c.unroll % tile)
        return error_input(e,
                           "%s: a tile of %lld x %lld for %llu threads, unroll = %lld; allowed are "
                           "1, 2, 4, 8 or 16 elements a thread, and threads * unroll a multiple "
                           "of tile",
                           path, (long long)g->c.tile, (long long)g->c.tile,
                           (unsigned long long)threads, (long long)g->c.unroll);
    return g->c.stages == 1 || g->c.element_bytes >= 4 ||
           error_input(e, "%s: element_bytes = %lld with stages = %lld; copies have 4, 8 or 16",
                       path, (long long)g->c.element_bytes, (long long)g->c.stages);
}

/* --- code --- */

static void add_copies(struct generator *g)
{
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_copy(g, GEN_R_ADDRESS, g->c.element_bytes, 1);
        gen_copy(g, GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
    }
    gen_op(g, OP_COPY_COMMIT, REG_NONE, REG_NONE, REG_NONE, "LDGDEPBAR");
}

static void add_loads(struct generator *g)
{
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, (uint16_t)(R_LOADED + 2 * u), GEN_R_ADDRESS, g->c.element_bytes, 1);
        gen_load(g, (uint16_t)(R_LOADED + 2 * u + 1), GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
    }
    for (int64_t u = 0; u < 2 * g->c.unroll; u++)
        gen_shared(g, OP_SHARED_STORE, (uint16_t)(R_LOADED + u));
}

static void add_product(struct generator *g, const struct tiling *t)
{
    uint8_t cls = g->c.element_bytes == 8 ? OP_FP64 : OP_FP32;
    for (uint64_t k = 0; k < t->depth; k++) {
        for (uint64_t i = 0; i < t->down; i++)
            gen_shared(g, OP_SHARED_LOAD, (uint16_t)(R_A + i));
        for (uint64_t j = 0; j < t->across; j++)
            gen_shared(g, OP_SHARED_LOAD, (uint16_t)(R_B + j));
        for (uint64_t r = 0; r < t->down * t->across; r++)
            gen_op(g, cls, (uint16_t)(R_SUM + r), (uint16_t)(R_A + r / t->across),
                   (uint16_t)(R_B + r % t->across), cls == OP_FP64 ? "DFMA" : "FFMA");
    }
}

static void prologue(struct gen_warp *w);

static void add_code(struct generator *g, const struct tiling *t)
{
    gen_prologue(g, 3);
    for (uint64_t s = 0; s < t->ahead; s++)
        add_copies(g);
    g->n_prologue = g->code.n;
    g->prologue = prologue;
    if (!t->ahead) add_loads(g);
    if (t->ahead) gen_copy_wait(g, (uint32_t)t->ahead - 1);
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    if (t->ahead) add_copies(g);
    add_product(g, t);
    if (!t->ahead) gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    gen_loop_end(g, 2);
    for (uint64_t r = 0; r < t->down * t->across; r++)
        gen_store(g, (uint16_t)(R_SUM + r), GEN_R_ADDRESS + 4, g->c.element_bytes, 3);
    gen_exit(g);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    if (!check_shape(g, path, e)) return false;
    struct tiling t = tiling_of(g);
    uint64_t n = (uint64_t)g->c.n, rows = (uint64_t)g->c.ctas / (n / t.tile) * t.tile;
    uint64_t inner = (uint64_t)g->c.iterations * t.depth, larger = rows > n ? rows : n;
    uint64_t shared = (uint64_t)g->c.stages * 2 * t.tile * t.depth * t.bytes;
    if (shared > UINT32_MAX || inner > UINT32_MAX)
        return error_input(e, "%s: the tiles or the matrices are too large", path);
    gen_place_arrays(g, larger * (inner > n ? inner : n) * t.bytes);
    g->shared_bytes = (uint32_t)shared;
    add_code(g, &t);
    return true;
}

/* --- streams --- */

/* The u-th accesses of a warp to A and B in a step; code: A's, B's follows. */
static void access_tiles(struct gen_warp *w, const struct tiling *t, uint64_t iteration, uint64_t u,
                         uint32_t code)
{
    const struct generator *g = w->g;
    uint64_t n = (uint64_t)g->c.n, inner = (uint64_t)g->c.iterations * t->depth;
    uint64_t top = w->cta / (n / t->tile) * t->tile, left = w->cta % (n / t->tile) * t->tile;
    uint64_t first = (u * g->warps + w->warp) * g->width, a[WARP_MAX_LANES], b[WARP_MAX_LANES];
    for (uint32_t i = 0; i < g->width; i++) {
        uint64_t at = first + i;
        uint64_t row = top + at / t->depth, column = iteration * t->depth + at % t->depth;
        a[i] = gen_array(g, 0) + (row * inner + column) * t->bytes;
        row = iteration * t->depth + at / t->tile;
        b[i] = gen_array(g, 1) + (row * n + left + at % t->tile) * t->bytes;
    }
    gen_listed(w, code, a);
    gen_listed(w, code + 1, b);
}

/* The copies of a step, predicated off behind the last one; returns the code behind them. */
static uint32_t copy_step(struct gen_warp *w, const struct tiling *t, uint64_t iteration,
                          uint32_t code)
{
    const struct generator *g = w->g;
    bool off = iteration >= (uint64_t)g->c.iterations;
    for (uint64_t u = 0; u < (uint64_t)g->c.unroll; u++, code += 2) {
        if (!off) access_tiles(w, t, iteration, u, code);
        if (off) gen_masked_range(w, code, code + 2);
    }
    gen_plain(w, code);
    return code + 1;
}

static uint32_t load_step(struct gen_warp *w, const struct tiling *t, uint64_t iteration,
                          uint32_t code)
{
    const struct generator *g = w->g;
    uint64_t unroll = (uint64_t)g->c.unroll, half = t->tile * t->depth * t->bytes;
    for (uint64_t u = 0; u < unroll; u++, code += 2)
        access_tiles(w, t, iteration, u, code);
    for (uint64_t u = 0; u < unroll; u++)
        for (uint64_t b = 0; b < 2; b++)
            gen_strided(w, code++, b * half + (u * g->warps + w->warp) * g->width * t->bytes,
                        (int64_t)t->bytes);
    return code;
}

/* A thread's elements of A, or of B, of column or row k of the tiles in a buffer. */
static uint32_t read_side(struct gen_warp *w, const struct tiling *t, uint64_t buffer, uint64_t k,
                          bool b, uint32_t code)
{
    const struct generator *g = w->g;
    uint64_t half = t->tile * t->depth * t->bytes, from = (2 * buffer + b) * half;
    uint32_t n = (uint32_t)(b ? t->across : t->down);
    if (gen_global_only(w)) {
        gen_plain_range(w, code, code + n);
        return code + n;
    }
    for (uint64_t i = 0; i < n; i++) {
        uint64_t address[WARP_MAX_LANES];
        for (uint32_t l = 0; l < g->width; l++) {
            uint64_t thread = w->warp * g->width + l;
            uint64_t row = thread / t->per_row * t->down + i;
            uint64_t column = thread % t->per_row + i * t->per_row;
            address[l] = from + (b ? k * t->tile + column : row * t->depth + k) * t->bytes;
        }
        gen_listed(w, code++, address);
    }
    return code;
}

static uint32_t multiply(struct gen_warp *w, const struct tiling *t, uint64_t iteration,
                         uint32_t code)
{
    uint64_t buffer = iteration % (t->ahead + 1);
    for (uint64_t k = 0; k < t->depth; k++) {
        code = read_side(w, t, buffer, k, false, code);
        code = read_side(w, t, buffer, k, true, code);
        uint32_t end = code + (uint32_t)(t->down * t->across);
        gen_plain_range(w, code, end);
        code = end;
    }
    return code;
}

static void prologue(struct gen_warp *w)
{
    const struct generator *g = w->g;
    struct tiling t = tiling_of(g);
    uint32_t plain = g->n_prologue - (uint32_t)t.ahead * (2 * (uint32_t)g->c.unroll + 1);
    gen_plain_range(w, 0, plain);
    for (uint64_t s = 0; s < t.ahead; s++)
        plain = copy_step(w, &t, s, plain);
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    struct tiling t = tiling_of(g);
    uint32_t code = g->n_prologue;
    if (!t.ahead) code = load_step(w, &t, iteration, code);
    if (t.ahead) gen_plain(w, code++);
    gen_plain(w, code++);
    if (t.ahead) code = copy_step(w, &t, iteration + t.ahead, code);
    code = multiply(w, &t, iteration, code);
    gen_plain_range(w, code, g->n_prologue + g->n_step);
}

static void epilogue(struct gen_warp *w)
{
    const struct generator *g = w->g;
    struct tiling t = tiling_of(g);
    uint64_t n = (uint64_t)g->c.n, top = w->cta / (n / t.tile) * t.tile;
    uint64_t left = w->cta % (n / t.tile) * t.tile;
    uint32_t code = g->n_prologue + g->n_step;
    for (uint64_t r = 0; r < t.down * t.across; r++) {
        uint64_t address[WARP_MAX_LANES];
        for (uint32_t l = 0; l < g->width; l++) {
            uint64_t thread = w->warp * g->width + l;
            uint64_t row = top + thread / t.per_row * t.down + r / t.across;
            uint64_t column = left + thread % t.per_row + r % t.across * t.per_row;
            address[l] = gen_array(g, 2) + (row * n + column) * t.bytes;
        }
        gen_listed(w, code++, address);
    }
    gen_plain(w, code);
}

static const char *const tensors[] = {"a", "b", "c", NULL};

const struct generator_ops generator_tiled_matmul = {
    .name = "tiled_matmul",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
    .epilogue = epilogue,
    .tensors = tensors,
};
