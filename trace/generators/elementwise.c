/* elementwise.c - kernels that compute one element per thread from elements of streams, as
 * bandwidth benchmarks do: init a = c, read b, scale a = s b, triad a = b d + c, and the stencils
 * 3pt and 5pt on the neighbours in a row, a = s (b[-1] + b + b[1]) ...
 *
 * Access n of a thread is element skip + n * threads + thread; with one iteration there is no loop.
 * Arrays stand `array_bytes` apart, or as close as the launch's elements allow.  shared_bytes takes
 * shared memory that no instruction touches, so that fewer CTAs are resident; block_threads gives
 * CTAs whose last warp lacks lanes. */
#include "trace/generators/nest.h"

enum { INIT, READ, SCALE, TRIAD, THREE_POINT, FIVE_POINT };
static const char *const kernels[] = {"init", "read", "scale", "triad", "3pt", "5pt", NULL};

/* Loads of an element: each from an array of its own, or `loads` neighbours from one. */
static const struct {
    uint32_t loads;
    bool neighbours, stores;
} kinds[] = {
    [INIT] = {0, false, true},  [READ] = {1, false, false},      [SCALE] = {1, false, true},
    [TRIAD] = {3, false, true}, [THREE_POINT] = {3, true, true}, [FIVE_POINT] = {5, true, true},
};
enum { MOST_LOADS = 5, HALO = 64, MOST_UNROLLED = 4 };

static const struct gen_param params[] = {
    GEN_PARAM(kernel, GEN_CHOICE, SCALE, 0, 0, kernels, "what is computed"),
    GEN_PARAM(iterations, GEN_INT, 1, 1, 1 << 24, NULL, "steps of the loop; 1: no loop"),
    GEN_PARAM(block_threads, GEN_INT, 0, 0, 2048, NULL,
              "threads of a CTA; 0: as many as its warps hold"),
    GEN_PARAM(shared_bytes, GEN_INT, 0, 0, 1 << 20, NULL, "shared memory of a CTA"),
    GEN_PARAM(array_bytes, GEN_SIZE, 0, 0, 0x1p40, NULL,
              "from an array's beginning to the next one's; 0: as close as they fit"),
    GEN_PARAM(skip, GEN_INT, 0, 0, UINT64_C(1) << 36, NULL,
              "elements of the arrays before the first thread's"),
};

static uint32_t input_arrays(const struct generator *g)
{
    uint32_t loads = kinds[g->c.kernel].loads;
    return kinds[g->c.kernel].neighbours ? 1 : loads;
}

static uint32_t all_arrays(const struct generator *g)
{
    return input_arrays(g) + kinds[g->c.kernel].stores;
}

static uint16_t data_register(int64_t u, uint32_t load)
{
    return (uint16_t)(GEN_R_DATA + 4 * (MOST_LOADS * u + load));
}

static bool place_arrays(struct generator *g, const char *path, struct error *e)
{
    uint64_t element = (uint64_t)g->c.element_bytes;
    uint64_t elements = g->threads * (uint64_t)(g->c.iterations * g->c.unroll);
    uint64_t need = ((uint64_t)g->c.skip + elements + 2 * HALO) * element;
    uint64_t asked = (uint64_t)g->c.array_bytes;
    if (asked && asked < need)
        return error_input(e, "%s: array_bytes = %llu; the launch needs %llu", path,
                           (unsigned long long)asked, (unsigned long long)need);
    gen_place_arrays(g, asked ? asked : need);
    return true;
}

static void add_element(struct generator *g, int64_t u)
{
    uint32_t loads = kinds[g->c.kernel].loads;
    uint8_t cls = g->c.element_bytes == 8 ? OP_FP64 : OP_FP32;
    const char *add = cls == OP_FP64 ? "DFMA" : "FFMA";
    uint16_t first = data_register(u, 0);
    for (uint32_t k = 1; k < loads; k++)
        gen_op(g, cls, first, first, data_register(u, k), add);
    if (loads == 1) gen_op(g, cls, first, first, REG_NONE, add);
}

static void access_element(struct generator *g, uint32_t array, int64_t u, int64_t away)
{
    gen_set(g, "u", (uint64_t)u);
    gen_set(g, "away", (uint64_t)(HALO + away));
    gen_at(g, (int32_t)array, g->c.element_bytes,
           "skip + (step * unroll + u) * threads + first + lane + away");
}

static void add_code(struct generator *g)
{
    uint32_t in = input_arrays(g), loads = kinds[g->c.kernel].loads;
    bool apart = !kinds[g->c.kernel].neighbours;
    gen_prologue(g, all_arrays(g));
    for (int64_t u = 0; u < g->c.unroll; u++)
        for (uint32_t k = 0; k < loads; k++) {
            gen_load(g, data_register(u, k), (uint16_t)(GEN_R_ADDRESS + (apart ? 2 * k : 0)),
                     g->c.element_bytes, (uint16_t)(apart ? k + 1 : 1));
            access_element(g, apart ? k : 0, u, apart ? 0 : (int64_t)k - (int64_t)(loads / 2));
        }
    for (int64_t u = 0; u < g->c.unroll; u++)
        add_element(g, u);
    for (int64_t u = 0; u < g->c.unroll && kinds[g->c.kernel].stores; u++) {
        gen_store(g, data_register(u, 0), (uint16_t)(GEN_R_ADDRESS + 2 * in), g->c.element_bytes,
                  (uint16_t)(in + 1));
        access_element(g, in, u, 0);
    }
    g->n_step = g->code.n - g->n_prologue;
    if (g->c.iterations > 1) gen_loop_end(g, all_arrays(g));
    gen_exit(g);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    if (g->c.unroll > MOST_UNROLLED)
        return error_input(e, "%s: unroll = %lld; elementwise allows 1 to %d", path,
                           (long long)g->c.unroll, MOST_UNROLLED);
    if (!place_arrays(g, path, e)) return false;
    g->shared_bytes = (uint32_t)g->c.shared_bytes;
    add_code(g);
    return true;
}

const struct generator_ops generator_elementwise = {
    .name = "elementwise",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
