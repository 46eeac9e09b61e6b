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
#include "trace/generators/nest.h"

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

/* The u-th accesses of a thread to A and B in step `at` of the loop. */
static void access_tile(struct generator *g, bool b)
{
    if (b)
        gen_at(g, 1, g->c.element_bytes, "(at * depth + v / tile) * n + left + v % tile");
    else
        gen_at(g, 0, g->c.element_bytes,
               "(top + v / depth) * (iterations * depth) + at * depth + v % depth");
}

static void begin_access(struct generator *g, int64_t u)
{
    gen_set(g, "u", (uint64_t)u);
    gen_let(g, "v", "u * cta_threads + thread");
}

/* Copies behind the last step are off. */
static void add_copies(struct generator *g, const char *at)
{
    gen_let(g, "at", at);
    for (int64_t u = 0; u < g->c.unroll; u++)
        for (uint16_t b = 0; b < 2; b++) {
            begin_access(g, u);
            gen_copy(g, b ? GEN_R_ADDRESS + 2 : GEN_R_ADDRESS, g->c.element_bytes, b + 1);
            access_tile(g, b);
            gen_if(g, "at < iterations");
        }
    gen_op(g, OP_COPY_COMMIT, REG_NONE, REG_NONE, REG_NONE, "LDGDEPBAR");
}

static void add_loads(struct generator *g)
{
    gen_let(g, "at", "step");
    for (uint16_t u = 0; u < 2 * g->c.unroll; u++) {
        begin_access(g, u / 2);
        gen_load(g, R_LOADED + u, u % 2 ? GEN_R_ADDRESS + 2 : GEN_R_ADDRESS, g->c.element_bytes,
                 u % 2 + 1);
        access_tile(g, u % 2);
    }
    for (uint16_t u = 0; u < 2 * g->c.unroll; u++) {
        begin_access(g, u / 2);
        gen_set(g, "b", u % 2);
        gen_shared(g, OP_SHARED_STORE, R_LOADED + u);
        gen_at(g, NEST_SHARED, g->c.element_bytes, "b * (tile * depth) + v");
    }
}

static void add_product(struct generator *g, const struct tiling *t)
{
    uint8_t cls = g->c.element_bytes == 8 ? OP_FP64 : OP_FP32;
    for (uint64_t k = 0; k < t->depth; k++) {
        gen_set(g, "k", k);
        for (uint64_t i = 0; i < t->down; i++) {
            gen_set(g, "i", i);
            gen_shared(g, OP_SHARED_LOAD, (uint16_t)(R_A + i));
            gen_at(g, NEST_SHARED, g->c.element_bytes,
                   "2 * buffer * (tile * depth) + (thread / per_row * down + i) * depth + k");
        }
        for (uint64_t j = 0; j < t->across; j++) {
            gen_set(g, "j", j);
            gen_shared(g, OP_SHARED_LOAD, (uint16_t)(R_B + j));
            gen_at(g, NEST_SHARED, g->c.element_bytes,
                   "(2 * buffer + 1) * (tile * depth) + k * tile + thread % per_row + j * per_row");
        }
        for (uint64_t r = 0; r < t->down * t->across; r++)
            gen_op(g, cls, (uint16_t)(R_SUM + r), (uint16_t)(R_A + r / t->across),
                   (uint16_t)(R_B + r % t->across), cls == OP_FP64 ? "DFMA" : "FFMA");
    }
}

static void name_sizes(struct generator *g, const struct tiling *t)
{
    gen_set(g, "depth", t->depth);
    gen_set(g, "down", t->down);
    gen_set(g, "across", t->across);
    gen_set(g, "per_row", t->per_row);
    gen_set(g, "ahead", t->ahead);
    gen_let(g, "buffer", "step % (ahead + 1)");
    gen_let(g, "top", "cta / (n / tile) * tile");
    gen_let(g, "left", "cta % (n / tile) * tile");
}

static void add_code(struct generator *g, const struct tiling *t)
{
    name_sizes(g, t);
    gen_prologue(g, 3);
    for (uint64_t s = 0; s < t->ahead; s++) {
        gen_set(g, "s", s);
        add_copies(g, "s");
    }
    g->n_prologue = g->code.n;
    if (!t->ahead) add_loads(g);
    if (t->ahead) gen_copy_wait(g, (uint32_t)t->ahead - 1);
    gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    if (t->ahead) add_copies(g, "step + ahead");
    add_product(g, t);
    if (!t->ahead) gen_op(g, OP_BARRIER, REG_NONE, REG_NONE, REG_NONE, "BAR.SYNC");
    gen_loop_end(g, 2);
    for (uint64_t r = 0; r < t->down * t->across; r++) {
        gen_set(g, "r", r);
        gen_store(g, (uint16_t)(R_SUM + r), GEN_R_ADDRESS + 4, g->c.element_bytes, 3);
        gen_at(g, 2, g->c.element_bytes,
               "(top + thread / per_row * down + r / across) * n + "
               "left + thread % per_row + r % across * per_row");
    }
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

static const char *const tensors[] = {"a", "b", "c", NULL};

const struct generator_ops generator_tiled_matmul = {
    .name = "tiled_matmul",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .tensors = tensors,
};
