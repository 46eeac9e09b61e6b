/* moe.c - a mixture of experts around its products: `moe_gather` copies the rows of tokens to where
 * their experts want them, `moe_scatter` sums the experts' rows of each token. Here is who goes
 * where; the kernels are kernels/moe_gather.cfg and moe_scatter.cfg.
 *
 * Each token has top_k different experts, drawn one after another by Zipf's law among those that
 * are left; copies of tokens are sorted by expert, in the order of tokens for each. */
#include "base/memory/alloc.h"
#include "trace/generators/ml/ml_math.h"

#include <math.h>
#include <string.h>

enum { THREADS = 256, VECTOR = 16, MOST_EXPERTS = 1024, MOST_TOP_K = 16 };
extern const char kernel_moe_gather[], kernel_moe_scatter[];
static const char *const gather_tensors[] = {"input", "source", "output", "place", NULL};
static const char *const scatter_tensors[] = {"input", "place", "scale", "output", NULL};

#define ROUTING_PARAMS                                                                  \
    GEN_PARAM(tokens, GEN_INT, 1024, 1, 1 << 24, NULL, "tokens"),                       \
        GEN_PARAM(width, GEN_INT, 1024, 4, 1 << 20, NULL, "elements of a token's row"), \
        GEN_PARAM(experts, GEN_INT, 64, 1, MOST_EXPERTS, NULL, "experts"),              \
        GEN_PARAM(top_k, GEN_INT, 8, 1, MOST_TOP_K, NULL, "experts of a token"),        \
        GEN_PARAM(exponent, GEN_REAL, 0.5, 0, 8.0, NULL,                                \
                  "of Zipf's law of the experts; 0: all are equally popular"),          \
        GEN_PARAM(type, GEN_CHOICE, ML_FP32, 0, 0, ml_type_names, "of the rows; sums are fp32")

static const struct gen_param gather_params[] = {
    ROUTING_PARAMS,
    GEN_PARAM(unroll, GEN_INT, 2, 1, GEN_MAX_UNROLL, NULL, "loads in flight before a store"),
};
static const struct gen_param scatter_params[] = {ROUTING_PARAMS};

/* The copies of tokens: copy j of token t is t * top_k + j. */
struct moe_routing {
    uint64_t copies;
    uint32_t *copy_at;  /* of each sorted place */
    uint32_t *place_of; /* of each copy */
};

static uint64_t row_vectors(const struct generator *g)
{
    return (uint64_t)g->c.width * ml_type_bytes(g->c.type) / VECTOR;
}

/* --- routing --- */

/* The experts that a token has so far, in ascending order. */
struct moe_taken {
    uint32_t n, expert[MOST_TOP_K];
    double weight; /* of all of them */
};

/* The expert that u of [0, 1) chooses by weight among those that aren't taken. before: the weights
 * of all experts in front of each one and, at last, of all. */
static uint32_t choose_expert(const double *before, uint32_t n, const struct moe_taken *t, double u)
{
    double at = u * (before[n] - t->weight);
    uint32_t low = 0, high = n, k = 0;
    for (; k < t->n && at >= before[t->expert[k]]; k++)
        at += before[t->expert[k] + 1] - before[t->expert[k]];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(before[middle] <= at ? &low : &high) = middle;
    }
    /* rounding may have led to one that is taken: the next one that is not, in a ring */
    for (k = 0; k < t->n; k++)
        if (t->expert[k] == low) low = (low + 1) % n, k = UINT32_MAX;
    return low;
}

static void take_expert(struct moe_taken *t, const double *before, uint32_t expert)
{
    uint32_t k = t->n++;
    for (; k > 0 && t->expert[k - 1] > expert; k--)
        t->expert[k] = t->expert[k - 1];
    t->expert[k] = expert;
    t->weight += before[expert + 1] - before[expert];
}

/* Draws the experts of all tokens, and counts how often each is drawn. */
static void draw_experts(const struct generator *g, uint32_t *expert, uint64_t *count)
{
    double before[MOST_EXPERTS + 1] = {0};
    uint32_t n = (uint32_t)g->c.experts;
    uint64_t k = (uint64_t)g->c.top_k, tokens = (uint64_t)g->c.tokens;
    for (uint32_t i = 0; i < n; i++)
        before[i + 1] = before[i] + pow(i + 1.0, -g->c.exponent);
    for (uint64_t t = 0; t < tokens; t++) {
        struct moe_taken taken = {0};
        for (uint64_t c = t * k; c < (t + 1) * k; c++) {
            expert[c] = choose_expert(before, n, &taken, gen_hash_unit(g, c));
            take_expert(&taken, before, expert[c]);
            count[expert[c]]++;
        }
    }
}

/* Sorts the copies by expert, in the order of tokens for each. */
static void sort_copies(const struct moe_routing *r, uint64_t *count, uint32_t experts)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < experts; i++) {
        uint64_t n = count[i];
        count[i] = before;
        before += n;
    }
    for (uint64_t c = 0; c < r->copies; c++) {
        uint64_t place = count[r->place_of[c]]++;
        r->copy_at[place] = (uint32_t)c;
        r->place_of[c] = (uint32_t)place;
    }
}

static bool route(struct generator *g, struct error *e)
{
    uint64_t copies = (uint64_t)(g->c.tokens * g->c.top_k), count[MOST_EXPERTS] = {0};
    struct moe_routing *r = mem_new(1, sizeof *r + 2 * copies * sizeof(uint32_t));
    g->own = r;
    if (!r) return error_no_memory(e);
    r->copies = copies;
    r->copy_at = (uint32_t *)(r + 1);
    r->place_of = r->copy_at + copies;
    draw_experts(g, r->place_of, count);
    sort_copies(r, count, (uint32_t)g->c.experts);
    return true;
}

static const struct moe_routing *routing_of(const struct generator *g)
{
    return g->own;
}

/* --- sizes --- */

static bool check_sizes(const struct generator *g, const char *path, struct error *e)
{
    if (g->c.top_k > g->c.experts)
        return error_input(e, "%s: top_k = %lld; allowed are 1 to experts = %lld", path,
                           (long long)g->c.top_k, (long long)g->c.experts);
    if (g->c.tokens * g->c.top_k > 1 << 24)
        return error_input(e, "%s: tokens * top_k = %lld; allowed are %d", path,
                           (long long)(g->c.tokens * g->c.top_k), 1 << 24);
    return g->c.width * ml_type_bytes(g->c.type) % VECTOR == 0 ||
           error_input(e, "%s: width = %lld; rows are whole vectors of %d bytes", path,
                       (long long)g->c.width, (int)VECTOR);
}

/* ctas: one for each row of the output; unroll: vectors of a thread in a step. */
static bool choose_shape(struct generator *g, int64_t ctas, int64_t unroll, const char *path,
                         struct error *e)
{
    int64_t step = THREADS * unroll;
    g->c.ctas = ctas;
    g->c.block_threads = THREADS;
    g->c.iterations = ((int64_t)row_vectors(g) + step - 1) / step;
    return check_sizes(g, path, e);
}

static bool shape_gather(struct generator *g, const char *path, struct error *e)
{
    return choose_shape(g, g->c.tokens * g->c.top_k, g->c.unroll, path, e);
}

static bool shape_scatter(struct generator *g, const char *path, struct error *e)
{
    return choose_shape(g, g->c.tokens, 1, path, e);
}

static uint64_t find_copy(const struct generator *g, const uint64_t *place)
{
    return routing_of(g)->copy_at[*place];
}

static uint64_t find_place(const struct generator *g, const uint64_t *copy)
{
    return routing_of(g)->place_of[*copy];
}

static bool prepare(struct generator *g, struct error *e)
{
    gen_define(g, "copy_at", find_copy, 1);
    gen_define(g, "place_of", find_place, 1);
    return route(g, e);
}

const struct generator_ops generator_moe_gather = {
    .name = "moe_gather",
    .params = gather_params,
    .n_params = sizeof gather_params / sizeof *gather_params,
    .text = kernel_moe_gather,
    .prepare = prepare,
    .shape = shape_gather,
    .tensors = gather_tensors,
};

const struct generator_ops generator_moe_scatter = {
    .name = "moe_scatter",
    .params = scatter_params,
    .n_params = sizeof scatter_params / sizeof *scatter_params,
    .text = kernel_moe_scatter,
    .prepare = prepare,
    .shape = shape_scatter,
    .tensors = scatter_tensors,
};
