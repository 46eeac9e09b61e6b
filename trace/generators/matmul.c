/* matmul.c - the naive product C = A B: a thread per element of C, rows of n elements; the loop
 * goes over the `iterations * unroll` columns of A.  A warp reads one element of A, which all lanes
 * share, and a piece of a row of B, which every row of C reads again. */
#include "trace/generators/nest.h"

static const struct gen_param params[] = {
    GEN_PARAM(n, GEN_INT, 256, 64, 1 << 20, NULL,
              "columns of B and C; a multiple of 64 that divides the threads"),
};

static uint64_t inner_steps(const struct generator *g)
{
    return (uint64_t)(g->c.iterations * g->c.unroll);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    uint64_t n = (uint64_t)g->c.n, rows = g->threads / n;
    if (n % WARP_MAX_LANES || g->threads % n)
        return error_input(e,
                           "%s: n = %lld with %llu threads; a multiple of 64 that divides them is "
                           "allowed",
                           path, (long long)g->c.n, (unsigned long long)g->threads);
    uint64_t larger = rows > n ? rows : n, most = larger * inner_steps(g);
    gen_place_arrays(g, (most > g->threads ? most : g->threads) * (uint64_t)g->c.element_bytes);
    gen_prologue(g, 3);
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_set(g, "u", (uint64_t)u);
        gen_let(g, "k", "step * unroll + u");
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u), GEN_R_ADDRESS, g->c.element_bytes, 1);
        gen_at(g, 0, g->c.element_bytes, "first / n * (iterations * unroll) + k");
        gen_load(g, (uint16_t)(GEN_R_DATA2 + 4 * u), GEN_R_ADDRESS + 2, g->c.element_bytes, 2);
        gen_at(g, 1, g->c.element_bytes, "k * n + first % n + lane");
    }
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_op(g, g->c.element_bytes == 8 ? OP_FP64 : OP_FP32, GEN_R_SUM,
               (uint16_t)(GEN_R_DATA + 4 * u), (uint16_t)(GEN_R_DATA2 + 4 * u), "FFMA");
    gen_loop_end(g, 2);
    gen_store(g, GEN_R_SUM, GEN_R_ADDRESS + 4, g->c.element_bytes, 3);
    gen_at(g, 2, g->c.element_bytes, "first + lane");
    gen_exit(g);
    return true;
}

const struct generator_ops generator_matmul = {
    .name = "matmul",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
