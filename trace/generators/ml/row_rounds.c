/* row_rounds.c - see row_rounds.h. */
#include "trace/generators/ml/row_rounds.h"

struct row_rounds row_rounds_of(const struct generator *g)
{
    uint64_t width = (uint64_t)g->c.width, vector = (uint64_t)g->c.vector;
    uint64_t block = (uint64_t)g->c.block_threads, round = block * vector;
    struct row_rounds r = {.vectors = width / vector};
    if (row_operator_of(g) == ROW_SOFTMAX) {
        r.vectors = width / round * block;
        r.elements = width % round;
    }
    r.by_vector = (r.vectors + block - 1) / block;
    r.all = r.by_vector + (r.elements + block - 1) / block;
    return r;
}

/* PyTorch's SoftMax_getBlockSize: the smallest power of two that leaves each thread at most two
 * vectors (one where these are single elements), at least a warp. From 1,024 vectors on it is 512
 * (of single elements 1,024). */
static int64_t softmax_threads(const struct generator *g)
{
    int64_t most = g->c.width / g->c.vector, threads = 1;
    if (most > 1024) most = 1024;
    if (g->c.vector > 1) most /= 2;
    while (threads < most)
        threads *= 2;
    return threads > g->width ? threads : g->width;
}

/* As PyTorch's kernels have it: those of norms take 4 elements of every type. */
static int64_t widest_vector(const struct generator *g)
{
    enum { NORM_VECTOR = 4 };
    return row_operator_of(g) == ROW_SOFTMAX ? INST_MAX_WIDTH / row_element_bytes(g) : NORM_VECTOR;
}

static bool choose_vector(struct generator *g, const char *path, struct error *e)
{
    struct gen_config *c = &g->c;
    int64_t most = INST_MAX_WIDTH / row_element_bytes(g), asked = c->vector;
    if (!asked)
        for (c->vector = widest_vector(g); c->width % c->vector;)
            c->vector /= 2;
    if (c->vector > most || c->vector & (c->vector - 1) || c->width % c->vector)
        return error_input(e,
                           "%s: vector = %lld; an access is a power of two of elements up to %lld "
                           "that divides width = %lld",
                           path, (long long)asked, (long long)most, (long long)c->width);
    return true;
}

bool row_rounds_choose(struct generator *g, const char *path, struct error *e)
{
    struct gen_config *c = &g->c;
    if (!choose_vector(g, path, e)) return false;
    if (!c->block_threads) c->block_threads = softmax_threads(g);
    if (c->block_threads % g->width)
        return error_input(e, "%s: block_threads = %lld; a multiple of a warp's %u lanes", path,
                           (long long)c->block_threads, g->width);
    if (c->block_threads & (c->block_threads - 1))
        return error_input(e, "%s: block_threads = %lld; its reduction needs a power of two", path,
                           (long long)c->block_threads);
    return true;
}
