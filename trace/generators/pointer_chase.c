/* pointer_chase.c - p = *p: each load's address is the value of the previous load. A ring of
 * footprint / stride nodes, `stride` bytes apart, is visited in order, scattered (with a step of
 * about the golden section of the ring, made coprime to it, so that the chain still visits every
 * node) or in a pseudo-random order that visits every node once a round. One lane per warp chases;
 * warps start evenly spread over the ring. */
#include "trace/generators/nest.h"

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

/* The node that the chain of a warp of the launch visits with its k-th load. */
static uint64_t node_at(const struct generator *g, const uint64_t *v)
{
    uint64_t warps = g->threads / g->width, k = v[1];
    uint64_t start = (uint64_t)((unsigned __int128)v[0] * g->items / warps);
    uint64_t place = (start + (uint64_t)((unsigned __int128)k * g->jump % g->items)) % g->items;
    return g->c.order == RANDOM ? gen_permuted(g, place, g->items) : place;
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    g->items = (uint64_t)(g->c.footprint / g->c.stride);
    if (g->items == 0)
        return error_input(e, "%s: footprint = %lld is less than stride = %lld; at least one node",
                           path, (long long)g->c.footprint, (long long)g->c.stride);
    g->jump = g->c.order == SCATTERED ? gen_golden_jump(g->items) : 1;
    gen_prologue(g, 1);
    gen_define(g, "node", node_at, 2);
    gen_only(g, "lane == 0");
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, GEN_R_ADDRESS, GEN_R_ADDRESS, POINTER_BYTES, 1);
        gen_set(g, "u", (uint64_t)u);
        gen_at(g, 0, g->c.stride, "node(cta * warps + warp, step * unroll + u)");
        for (int64_t i = 0; i < g->c.arithmetic; i++)
            gen_op(g, OP_INT, GEN_R_ADDRESS, GEN_R_ADDRESS, REG_NONE, "LOP3");
    }
    gen_loop_end(g, 0);
    gen_only(g, "");
    gen_exit(g);
    return true;
}

const struct generator_ops generator_pointer_chase = {
    .name = "pointer_chase",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
