/* pointer_chase.c - p = *p: each load's address is the value of the previous load. A ring of
 * footprint / stride nodes, `stride` bytes apart, is visited in order, scattered (with a step of
 * about the golden section of the ring, made coprime to it, so that the chain still visits every
 * node) or in a pseudo-random order that visits every node once a round. One lane per warp chases;
 * warps start evenly spread over the ring. */
#include "trace/generators/kit.h"

enum { SEQUENTIAL, SCATTERED, RANDOM };
static const char *const orders[] = {"sequential", "scattered", "random", NULL};
enum { POINTER_BYTES = 8 };

static const struct gen_param params[] = {
    GEN_PARAM(footprint, GEN_SIZE, 1 << 20, 8, 0x1p40, NULL, "bytes of the ring"),
    GEN_PARAM(stride, GEN_INT, 128, 8, 1 << 24, NULL, "bytes between nodes"),
    GEN_PARAM(order, GEN_CHOICE, SEQUENTIAL, 0, 0, orders, "in which the nodes are linked"),
    GEN_PARAM(arithmetic, GEN_INT, 0, 0, 64, NULL,
              "operations on each pointer before it is followed"),
};

static bool setup(struct generator *g, const char *path, struct error *e)
{
    g->items = (uint64_t)(g->c.footprint / g->c.stride);
    if (g->items == 0)
        return error_input(e, "%s: footprint = %lld is less than stride = %lld; at least one node",
                           path, (long long)g->c.footprint, (long long)g->c.stride);
    g->jump = g->c.order == SCATTERED ? gen_golden_jump(g->items) : 1;
    gen_prologue(g, 1);
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, GEN_R_ADDRESS, GEN_R_ADDRESS, POINTER_BYTES, 1);
        for (int64_t i = 0; i < g->c.arithmetic; i++)
            gen_op(g, OP_INT, GEN_R_ADDRESS, GEN_R_ADDRESS, REG_NONE, "LOP3");
    }
    gen_loop_end(g, 0);
    gen_exit(g);
    return true;
}

/* The node that a chain visits k loads after `start`. */
static uint64_t node_at(const struct generator *g, uint64_t start, uint64_t k)
{
    uint64_t place = (start + (uint64_t)((unsigned __int128)k * g->jump % g->items)) % g->items;
    return g->c.order == RANDOM ? gen_permuted(g, place, g->items) : place;
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    const struct generator *g = w->g;
    uint64_t warps = g->threads / g->width, number = w->thread / g->width;
    uint64_t start = (uint64_t)((unsigned __int128)number * g->items / warps);
    uint64_t unroll = (uint64_t)g->c.unroll, all = w->mask;
    uint32_t code = g->n_prologue;
    w->mask = 1;
    for (uint64_t k = iteration * unroll; k < (iteration + 1) * unroll; k++) {
        uint64_t node = node_at(g, start, k);
        gen_strided(w, code++, GEN_BASE + node * (uint64_t)g->c.stride, 0);
        gen_plain_range(w, code, code + (uint32_t)g->c.arithmetic);
        code += (uint32_t)g->c.arithmetic;
    }
    gen_plain_range(w, code, g->n_prologue + g->n_step);
    w->mask = all;
}

const struct generator_ops generator_pointer_chase = {
    .name = "pointer_chase",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
};
