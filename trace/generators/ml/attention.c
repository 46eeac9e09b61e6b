/* attention.c - attention of a sequence of queries: O = softmax(Q K^T) V for each head.
 *
 * CTA x + blocks * (b + batch * h) makes block x of the queries of head h of sequence b. It copies
 * its queries and the last tile of keys that they see to shared memory, asynchronously and 16 bytes
 * a lane in the order of rows; then it goes from that tile to the first one as attention_tile.h
 * says: keys and values come by asynchronous copies, one tile of either at a time, while sums and
 * output stay in registers. At last the output goes through shared memory and is stored, 16 bytes a
 * lane, and then a logarithm of 4 bytes for each query. Copies and stores of rows behind the end of
 * a sequence are predicated off; what is computed of them isn't.
 *
 * Arrays are [sequence][position][head][element]; `heads / kv_heads` neighbouring heads share keys
 * and values. With causal = "yes", query i sees keys 0 to i + keys - queries, so that CTAs differ
 * in their number of steps; the operations that mask the tiles on the diagonal are left out. Tiles
 * are as FlashAttention-2 has them on A100: 128 queries by 128 keys up to head_dim = 64, by 64 keys
 * up to 128, else 64 by 64; of fp32, 64 by 32; on wavefronts of 64 lanes with fewer keys, so that a
 * CTA fits into 64 KB. Source: attention_tile.h. */
#include "trace/generators/ml/attention_tile.h"

enum { QUERIES, KEYS, VALUES, OUTPUT, SUMS, N_ARRAYS };
static const char *const tensors[] = {"q", "k", "v", "output", "lse", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};

static const struct gen_param params[] = {
    GEN_PARAM(batch, GEN_INT, 1, 1, 1 << 20, NULL, "sequences"),
    GEN_PARAM(heads, GEN_INT, 16, 1, 1 << 16, NULL, "heads of queries"),
    GEN_PARAM(kv_heads, GEN_INT, 0, 0, 1 << 16, NULL, "heads of keys and values; 0: heads"),
    GEN_PARAM(queries, GEN_INT, 1024, 1, 0x1p31, NULL, "queries of a sequence"),
    GEN_PARAM(keys, GEN_INT, 0, 0, 0x1p31, NULL, "keys of a sequence; 0: queries"),
    GEN_PARAM(head_dim, GEN_INT, 64, 16, 256, NULL, "elements of a head's row"),
    GEN_PARAM(causal, GEN_CHOICE, 0, 0, 0, no_yes, "whether queries see no later keys"),
    GEN_PARAM(block_queries, GEN_INT, 0, 0, 1024, NULL, "queries of a CTA; 0: as the source"),
    GEN_PARAM(block_keys, GEN_INT, 0, 0, 1024, NULL, "keys of a tile; 0: as the source"),
    GEN_PARAM(type, GEN_CHOICE, ML_FP32, 0, 0, ml_type_names, "of all arrays"),
};

/* --- sizes --- */

static struct attention_tile tile_of(const struct generator *g)
{
    return attention_tile_of(g, (uint64_t)g->c.block_queries, (uint64_t)g->c.block_keys);
}

static void choose_sizes(struct generator *g)
{
    struct gen_config *c = &g->c;
    bool tensor = c->type != ML_FP32, given = c->block_keys;
    if (!c->kv_heads) c->kv_heads = c->heads;
    if (!c->keys) c->keys = c->queries;
    if (!c->block_queries) c->block_queries = tensor && c->head_dim <= 128 ? 128 : 64;
    if (given) return;
    c->block_keys = !tensor ? 32 : c->head_dim <= 64 ? 128 : 64;
    attention_tile_fit(g, (uint64_t)c->block_queries, &c->block_keys);
}

static uint64_t query_blocks(const struct generator *g)
{
    return (uint64_t)((g->c.queries + g->c.block_queries - 1) / g->c.block_queries);
}

/* The keys that the queries of a CTA see, and their tiles. */
static uint64_t keys_seen(const struct generator *g, uint64_t cta)
{
    uint64_t keys = (uint64_t)g->c.keys, behind = (uint64_t)(g->c.keys - g->c.queries);
    uint64_t end = (cta % query_blocks(g) + 1) * (uint64_t)g->c.block_queries + behind;
    return g->c.causal && end < keys ? end : keys;
}

static uint64_t cta_steps(const struct generator *g, uint64_t cta)
{
    uint64_t tile = (uint64_t)g->c.block_keys;
    return (keys_seen(g, cta) + tile - 1) / tile;
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    choose_sizes(g);
    if (g->c.heads % g->c.kv_heads)
        return error_input(e, "%s: heads = %lld, kv_heads = %lld; allowed are divisors of heads",
                           path, (long long)g->c.heads, (long long)g->c.kv_heads);
    if (g->c.causal && g->c.queries > g->c.keys)
        return error_input(e, "%s: queries = %lld, keys = %lld; causal queries have a key each",
                           path, (long long)g->c.queries, (long long)g->c.keys);
    struct attention_tile t = tile_of(g);
    if (!attention_tile_check(&t, path, e)) return false;
    double sequences = (double)g->c.batch * (double)g->c.heads;
    if (!gen_check_ctas(sequences * (double)query_blocks(g), path, e)) return false;
    g->c.ctas = g->c.batch * g->c.heads * (int64_t)query_blocks(g);
    g->even_ctas = !g->c.causal;
    g->c.warps_per_cta = ATTENTION_WARPS;
    g->c.iterations = (g->c.keys + g->c.block_keys - 1) / g->c.block_keys;
    return true;
}

/* --- code --- */

static void prologue(struct gen_warp *w);

static bool setup(struct generator *g, const char *path, struct error *e)
{
    struct attention_tile t = tile_of(g);
    double row = (double)(t.row_vectors * ATTENTION_VECTOR), batch = (double)g->c.batch;
    double queries = batch * (double)g->c.queries * (double)g->c.heads;
    double keys = batch * (double)g->c.keys * (double)g->c.kv_heads;
    double bytes[N_ARRAYS] = {queries * row, keys * row, keys * row, queries * row, queries * 4};
    if (!gen_place_checked(g, path, N_ARRAYS, bytes, e)) return false;
    g->shared_bytes = (uint32_t)attention_tile_shared_bytes(&t);
    gen_prologue(g, 4);
    attention_tile_add_copies(g, t.query_copies, GEN_R_ADDRESS, QUERIES + 1);
    attention_tile_add_key_copies(g, &t, KEYS + 1, false);
    g->n_prologue = g->code.n;
    g->prologue = prologue;
    attention_tile_add_step(g, &t, false);
    gen_loop_end(g, 0);
    attention_tile_add_output(g, &t, t.bytes);
    return true;
}

/* --- streams --- */

/* Where a CTA is: its first query, its head and sequence; and the step. */
struct attention_place {
    struct attention_tile t;
    uint64_t first, head, sequence, step;
};

static struct attention_place place_of(const struct gen_warp *w, uint64_t step)
{
    const struct generator *g = w->g;
    uint64_t blocks = query_blocks(g), sequences = (uint64_t)g->c.batch;
    return (struct attention_place){.t = tile_of(g),
                                    .first = w->cta % blocks * (uint64_t)g->c.block_queries,
                                    .sequence = w->cta / blocks % sequences,
                                    .head = w->cta / blocks / sequences,
                                    .step = step};
}

/* The warp's u-th vectors of `rows` rows from `first` on, of which there are `end`. */
static void access_rows(struct gen_warp *w, uint32_t code, const struct attention_place *p,
                        uint32_t array, uint64_t u, uint64_t first, uint64_t rows, uint64_t end)
{
    const struct generator *g = w->g;
    bool query = array == QUERIES || array == OUTPUT;
    uint64_t heads = (uint64_t)(query ? g->c.heads : g->c.kv_heads), per_row = p->t.row_vectors;
    uint64_t head = query ? p->head : p->head / (uint64_t)(g->c.heads / g->c.kv_heads);
    uint64_t address[WARP_MAX_LANES], all = w->mask, vector = u * p->t.threads;
    vector += w->warp * g->width;
    uint32_t n = 0;
    for (uint32_t l = 0; l < g->width; l++, vector++) {
        uint64_t row = first + vector / per_row;
        uint64_t at = (p->sequence * (uint64_t)(query ? g->c.queries : g->c.keys) + row) * heads;
        if (vector / per_row >= rows || row >= end)
            w->mask &= ~(UINT64_C(1) << l);
        else
            address[n++] =
                gen_array(g, array) + ((at + head) * per_row + vector % per_row) * ATTENTION_VECTOR;
    }
    gen_listed(w, code, address);
    w->mask = all;
}

static void access_queries(struct gen_warp *w, uint32_t code, const struct attention_place *p,
                           uint32_t array, uint64_t u)
{
    access_rows(w, code, p, array, u, p->first, p->t.queries, (uint64_t)w->g->c.queries);
}

/* Tiles are taken from the last one to the first; behind that, copies are off. */
static void access_tile(struct gen_warp *w, uint32_t code, const struct attention_place *p,
                        uint32_t array, uint64_t u, uint64_t step)
{
    uint64_t steps = cta_steps(w->g, w->cta), rows = step < steps ? p->t.keys : 0;
    uint64_t first = rows ? (steps - 1 - step) * p->t.keys : 0;
    access_rows(w, code, p, array, u, first, rows, (uint64_t)w->g->c.keys);
}

static void access_in_prologue(struct gen_warp *w, uint32_t code, uint64_t number, void *of)
{
    const struct attention_place *p = of;
    if (number < p->t.query_copies)
        access_queries(w, code, p, QUERIES, number);
    else
        access_tile(w, code, p, KEYS, number - p->t.query_copies, 0);
}

static void access_in_step(struct gen_warp *w, uint32_t code, uint64_t number, void *of)
{
    const struct attention_place *p = of;
    if (number < p->t.key_copies)
        access_tile(w, code, p, VALUES, number, p->step);
    else
        access_tile(w, code, p, KEYS, number - p->t.key_copies, p->step + 1);
}

/* The logarithms of the warp's queries stand side by side: [sequence][head][query]. */
static void access_in_epilogue(struct gen_warp *w, uint32_t code, uint64_t number, void *of)
{
    const struct attention_place *p = of;
    if (number < p->t.query_copies) {
        access_queries(w, code, p, OUTPUT, number);
        return;
    }
    const struct generator *g = w->g;
    uint64_t done = (number - p->t.query_copies) * g->width, queries = (uint64_t)g->c.queries;
    uint64_t query = p->first + w->warp * p->t.rows + done, lanes = p->t.rows - done;
    if (query >= queries) lanes = 0;
    if (lanes > queries - query) lanes = queries - query;
    uint64_t row = (p->sequence * (uint64_t)g->c.heads + p->head) * queries + query;
    gen_strided_lanes(w, code, lanes, gen_array(g, SUMS) + row * 4, 4);
}

static void prologue(struct gen_warp *w)
{
    struct attention_place p = place_of(w, 0);
    attention_tile_run(w, &p.t, 0, w->g->n_prologue, access_in_prologue, &p);
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    struct attention_place p = place_of(w, iteration);
    uint32_t code = w->g->n_prologue;
    attention_tile_run(w, &p.t, code, code + w->g->n_step, access_in_step, &p);
}

static void epilogue(struct gen_warp *w)
{
    struct attention_place p = place_of(w, 0);
    uint32_t code = w->g->n_prologue + w->g->n_step;
    attention_tile_run(w, &p.t, code, w->g->code.n, access_in_epilogue, &p);
}

const struct generator_ops generator_attention = {
    .name = "attention",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
    .epilogue = epilogue,
    .shape = shape,
    .cta_steps = cta_steps,
    .tensors = tensors,
};
