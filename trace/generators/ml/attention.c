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

enum { N_ARRAYS = ATTENTION_SUMS };
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

static uint64_t count_steps(const struct generator *g, const uint64_t *cta)
{
    return cta_steps(g, *cta);
}

/* CTAs take the blocks of a sequence and head, then sequences, then heads. */
static void name_places(struct generator *g, const struct attention_tile *t)
{
    gen_define(g, "cta_steps", count_steps, 1);
    gen_set(g, "blocks", query_blocks(g));
    gen_set(g, "shared_heads", (uint64_t)(g->c.heads / g->c.kv_heads));
    gen_set(g, "row_vectors", t->row_vectors);
    gen_set(g, "warp_rows", t->rows);
    gen_let(g, "first_query", "cta % blocks * block_queries");
    gen_let(g, "sequence", "cta / blocks % batch");
    gen_let(g, "head", "cta / blocks / batch");
    gen_let(g, "vector", "0");
}

/* Arrays are [sequence][position][head][element], logarithms [sequence][head][query]. Tiles are
 * taken from the last one to the first; behind that, copies are off. */
static void access_array(struct generator *g, uint16_t buffer)
{
    bool query = buffer == ATTENTION_QUERIES || buffer == ATTENTION_OUTPUT;
    gen_let(g, "vector", "u * cta_threads + thread");
    gen_let(g, "in_tile", "vector / row_vectors");
    if (buffer == ATTENTION_SUMS) {
        gen_let(g, "query", "first_query + warp * warp_rows + u * lanes + lane");
        gen_at(g, ATTENTION_SUMS - 1, 4, "(sequence * heads + head) * queries + query");
        gen_if(g, "u * lanes + lane < warp_rows && query < queries");
    } else if (query) {
        gen_let(g, "row", "sequence * queries + first_query + in_tile");
        gen_at(g, buffer - 1, ATTENTION_VECTOR,
               "(row * heads + head) * row_vectors + vector % row_vectors");
        gen_if(g, "in_tile < block_queries && first_query + in_tile < queries");
    } else {
        gen_let(g, "key", "(cta_steps(cta) - 1 - at) * block_keys + in_tile");
        gen_let(g, "row", "(sequence * keys + key) * kv_heads + head / shared_heads");
        gen_at(g, buffer - 1, ATTENTION_VECTOR, "row * row_vectors + vector % row_vectors");
        gen_if(g, "at < cta_steps(cta) && in_tile < block_keys && key < keys");
    }
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    struct attention_tile t = tile_of(g);
    double row = (double)(t.row_vectors * ATTENTION_VECTOR), batch = (double)g->c.batch;
    double queries = batch * (double)g->c.queries * (double)g->c.heads;
    double keys = batch * (double)g->c.keys * (double)g->c.kv_heads;
    double bytes[N_ARRAYS] = {queries * row, keys * row, keys * row, queries * row, queries * 4};
    if (!gen_place_checked(g, path, N_ARRAYS, bytes, e)) return false;
    g->shared_bytes = (uint32_t)attention_tile_shared_bytes(&t);
    name_places(g, &t);
    gen_prologue(g, 4);
    attention_tile_add_copies(g, t.query_copies, GEN_R_ADDRESS, ATTENTION_QUERIES, access_array);
    attention_tile_add_key_copies(g, &t, ATTENTION_KEYS, "0", false, access_array);
    g->n_prologue = g->code.n;
    attention_tile_add_step(g, &t, false, access_array);
    gen_loop_end(g, 0);
    attention_tile_add_output(g, &t, t.bytes, access_array);
    return true;
}

const struct generator_ops generator_attention = {
    .name = "attention",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .shape = shape,
    .cta_steps = cta_steps,
    .tensors = tensors,
};
