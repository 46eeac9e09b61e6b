/* offset_read.c - strided accesses that hit in the L1: thread t reads the elements at (t mod
 * `period`) * stride + u * gap for u = 0, 1, ... unroll - 1, the same ones in every step. */
#include "trace/generators/nest.h"

static const struct gen_param params[] = {
    GEN_PARAM(stride, GEN_INT, 1, 0, 1 << 16, NULL, "elements from a thread to the next"),
    GEN_PARAM(period, GEN_INT, 64, 1, 4096, NULL, "threads after which the addresses repeat"),
    GEN_PARAM(gap, GEN_INT, 4, 0, 4096, NULL, "elements from an access to the next of its step"),
};

static bool setup(struct generator *g, const char *path, struct error *e)
{
    (void)path, (void)e;
    uint8_t cls = g->c.element_bytes == 8 ? OP_FP64 : OP_FP32;
    gen_prologue(g, 1);
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_load(g, (uint16_t)(GEN_R_DATA + 4 * u), GEN_R_ADDRESS, g->c.element_bytes, 1);
        gen_set(g, "u", (uint64_t)u);
        gen_at(g, 0, g->c.element_bytes, "thread % period * stride + u * gap");
    }
    for (int64_t u = 0; u < g->c.unroll; u++)
        gen_op(g, cls, GEN_R_SUM, GEN_R_SUM, (uint16_t)(GEN_R_DATA + 4 * u),
               cls == OP_FP64 ? "DADD" : "FADD");
    gen_loop_end(g, 1);
    gen_exit(g);
    return true;
}

const struct generator_ops generator_offset_read = {
    .name = "offset_read",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
