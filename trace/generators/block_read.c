/* block_read.c - CTAs read blocks of a buffer: CTA i reads block i mod `blocks`, each access a pair
 * of rows of one element per thread, one row from each half of the block, and sums.
 *
 * interleaved: the halves alternate row by row, and pair p of block b is at p * blocks + b in the
 * buffer; apart: blocks are contiguous, and their second half follows the first.  Access n of a
 * thread is pair n modulo the pairs of a block, so that more iterations read the block again. */
#include "trace/generators/nest.h"

enum { INTERLEAVED, APART };
static const char *const orders[] = {"interleaved", "apart", NULL};

static const struct gen_param params[] = {
    GEN_PARAM(order, GEN_CHOICE, INTERLEAVED, 0, 0, orders, "where the halves of a block lie"),
    GEN_PARAM(blocks, GEN_INT, 1, 1, 1 << 24, NULL, "of the buffer"),
    GEN_PARAM(footprint, GEN_SIZE, 1 << 20, 2, 0x1p40, NULL,
              "bytes of the buffer; whole pairs of every block"),
};
enum { PAIR = 2, MOST_UNROLLED = GEN_MAX_UNROLL / PAIR };

static uint64_t pair_bytes(const struct generator *g)
{
    return (uint64_t)PAIR * g->cta_threads * (uint64_t)g->c.element_bytes;
}

static uint16_t data_register(int64_t u, uint32_t half)
{
    return (uint16_t)(GEN_R_DATA + 4 * (PAIR * u + half));
}

static void add_code(struct generator *g)
{
    uint8_t cls = g->c.element_bytes == 8 ? OP_FP64 : OP_FP32;
    const char *add = cls == OP_FP64 ? "DADD" : "FADD";
    gen_prologue(g, 1);
    gen_let(g, "block", "cta % blocks");
    for (int64_t u = 0; u < g->c.unroll; u++)
        for (uint32_t half = 0; half < PAIR; half++) {
            gen_load(g, data_register(u, half), GEN_R_ADDRESS, g->c.element_bytes, 1);
            gen_set(g, "u", (uint64_t)u);
            gen_set(g, "half", half);
            gen_let(g, "pair", "(step * unroll + u) % items");
            gen_let(g, "row",
                    g->c.order == APART ? "(block * 2 + half) * items + pair"
                                        : "(pair * blocks + block) * 2 + half");
            gen_at(g, 0, g->c.element_bytes, "row * cta_threads + thread");
        }
    for (int64_t u = 0; u < g->c.unroll; u++) {
        gen_op(g, cls, data_register(u, 0), data_register(u, 0), data_register(u, 1), add);
        gen_op(g, cls, GEN_R_SUM, GEN_R_SUM, data_register(u, 0), add);
    }
    gen_loop_end(g, 1);
    gen_exit(g);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    uint64_t of_blocks = pair_bytes(g) * (uint64_t)g->c.blocks;
    g->items = (uint64_t)g->c.footprint / of_blocks;
    if (g->items == 0 || (uint64_t)g->c.footprint % of_blocks)
        return error_input(e, "%s: footprint = %lld; allowed are multiples of %llu bytes", path,
                           (long long)g->c.footprint, (unsigned long long)of_blocks);
    if (g->c.unroll > MOST_UNROLLED)
        return error_input(e, "%s: unroll = %lld; block_read allows 1 to %d", path,
                           (long long)g->c.unroll, MOST_UNROLLED);
    add_code(g);
    return true;
}

const struct generator_ops generator_block_read = {
    .name = "block_read",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
};
