/* attention_decode.c - attention of one query per sequence and head over a cache of keys and values
 * in pages.
 *
 * CTA x + splits * (h + kv_heads * b) takes the queries of all heads that share the keys of head h
 * of sequence b, and the x-th part of its tiles of keys. It works as attention.c does, from the
 * part's last tile to its first, with the shared heads as the rows of a tile of 64 queries (of fp32
 * half as many as a warp has lanes): rows behind them aren't loaded or stored, but multiplied. A
 * thread copies vectors of neighbouring rows of a tile that lie in one page: in front of the copies
 * of either tile it loads the page's number from the block table (4 bytes), which is
 * [sequence][page of the sequence].
 *
 * Pages are [page][row][kv head][element], of keys and of values; which page is where is a
 * permutation that the seed fixes. The queries are [sequence][head][element].
 * splits = 1: the output is stored as the queries lie, and a logarithm of 4 bytes per head.
 * splits > 1: each part stores its output in fp32, [part][sequence][head][element], and its
 * logarithms, [part][sequence][head], which attention_combine adds up.
 * Tiles have 256 keys up to head_dim = 64, 128 up to 128, else 64; of fp32, 32; on wavefronts of 64
 * lanes fewer, so that a CTA fits into 64 KB.
 * Source: attention_tile.h, and compute_attn_1rowblock_splitkv with block tables in the same file.
 * There the parts are of equal length but the last ones; here they differ by one tile at most. */
#include "trace/generators/ml/attention_tile.h"

enum { N_ARRAYS = ATTENTION_TABLE };
static const char *const tensors[] = {"q", "k", "v", "output", "lse", "table", NULL};
enum { TABLE_BYTES = 4, SUM_BYTES = 4, TILE_QUERIES = 64 };

static const struct gen_param params[] = {
    GEN_PARAM(batch, GEN_INT, 16, 1, 1 << 20, NULL, "sequences"),
    GEN_PARAM(heads, GEN_INT, 32, 1, 1 << 16, NULL, "heads of queries"),
    GEN_PARAM(kv_heads, GEN_INT, 8, 1, 1 << 16, NULL, "heads of keys and values"),
    GEN_PARAM(keys, GEN_INT, 1024, 1, 0x1p31, NULL, "keys of a sequence"),
    GEN_PARAM(head_dim, GEN_INT, 128, 16, 256, NULL, "elements of a head's row"),
    GEN_PARAM(page, GEN_INT, 16, 1, 1 << 20, NULL, "keys of a page"),
    GEN_PARAM(splits, GEN_INT, 1, 1, 1 << 16, NULL, "CTAs that share the keys of a sequence"),
    GEN_PARAM(block_keys, GEN_INT, 0, 0, 1024, NULL, "keys of a tile; 0: as the source"),
    GEN_PARAM(type, GEN_CHOICE, ML_FP32, 0, 0, ml_type_names, "of all arrays"),
};

/* --- sizes --- */

static uint64_t tile_queries(const struct generator *g)
{
    return g->c.type != ML_FP32 ? TILE_QUERIES : g->width / 2;
}

static struct attention_tile tile_of(const struct generator *g)
{
    return attention_tile_of(g, tile_queries(g), (uint64_t)g->c.block_keys);
}

/* Heads that share keys. */
static uint64_t shared_heads(const struct generator *g)
{
    return (uint64_t)(g->c.heads / g->c.kv_heads);
}

static uint64_t sequence_pages(const struct generator *g)
{
    return (uint64_t)((g->c.keys + g->c.page - 1) / g->c.page);
}

static uint64_t sequence_tiles(const struct generator *g)
{
    return (uint64_t)((g->c.keys + g->c.block_keys - 1) / g->c.block_keys);
}

/* The first tile of a part; that of part `splits` is the end. */
static uint64_t first_tile(const struct generator *g, uint64_t part)
{
    return part * sequence_tiles(g) / (uint64_t)g->c.splits;
}

static uint64_t cta_steps(const struct generator *g, uint64_t cta)
{
    uint64_t part = cta % (uint64_t)g->c.splits;
    return first_tile(g, part + 1) - first_tile(g, part);
}

static bool check_sizes(const struct generator *g, const struct attention_tile *t, const char *path,
                        struct error *e)
{
    if (g->c.heads % g->c.kv_heads || shared_heads(g) > t->queries)
        return error_input(e,
                           "%s: heads = %lld, kv_heads = %lld; at most %llu heads share keys, "
                           "equally many each",
                           path, (long long)g->c.heads, (long long)g->c.kv_heads,
                           (unsigned long long)t->queries);
    if ((uint64_t)g->c.splits > sequence_tiles(g))
        return error_input(e,
                           "%s: splits = %lld; the keys make %llu tiles of %lld, and a part has at "
                           "least one: set splits to at most %llu or a smaller block_keys",
                           path, (long long)g->c.splits, (unsigned long long)sequence_tiles(g),
                           (long long)g->c.block_keys, (unsigned long long)sequence_tiles(g));
    if (!attention_tile_check(t, path, e)) return false;
    if (t->keys * t->row_vectors % t->threads || t->threads % t->row_vectors)
        return error_input(
            e, "%s: head_dim = %lld, tiles of %lld keys; %llu threads don't divide it", path,
            (long long)g->c.head_dim, (long long)g->c.block_keys, (unsigned long long)t->threads);
    return (uint64_t)g->c.page % t->key_copies == 0 ||
           error_input(e, "%s: page = %lld; a thread copies %llu rows of one page", path,
                       (long long)g->c.page, (unsigned long long)t->key_copies);
}

static void choose_tile(struct generator *g)
{
    struct gen_config *c = &g->c;
    bool tensor = c->type != ML_FP32;
    if (c->block_keys) return;
    c->block_keys = !tensor ? 32 : c->head_dim <= 64 ? 256 : c->head_dim <= 128 ? 128 : 64;
    attention_tile_fit(g, tile_queries(g), &c->block_keys);
}

static bool shape(struct generator *g, const char *path, struct error *e)
{
    choose_tile(g);
    struct attention_tile t = tile_of(g);
    if (!check_sizes(g, &t, path, e)) return false;
    g->c.ctas = g->c.batch * g->c.kv_heads * g->c.splits;
    g->c.warps_per_cta = ATTENTION_WARPS;
    g->even_ctas = sequence_tiles(g) % (uint64_t)g->c.splits == 0;
    g->c.iterations = 1;
    for (uint64_t part = 0; part < (uint64_t)g->c.splits; part++)
        if ((int64_t)cta_steps(g, part) > g->c.iterations)
            g->c.iterations = (int64_t)cta_steps(g, part);
    return true;
}

/* --- code --- */

/* Bytes of an element of the output. */
static uint64_t output_bytes(const struct generator *g)
{
    return g->c.splits > 1 || g->c.type == ML_FP32 ? 4 : 2;
}

/* CTAs take the parts of a sequence and head, then heads of keys, then sequences. */
static void name_places(struct generator *g, const struct attention_tile *t)
{
    gen_set(g, "row_vectors", t->row_vectors);
    gen_set(g, "output_vectors", t->head_dim * output_bytes(g) / ATTENTION_VECTOR);
    gen_set(g, "key_copies", t->key_copies);
    gen_set(g, "warp_rows", t->rows);
    gen_set(g, "shared_heads", shared_heads(g));
    gen_set(g, "pages", sequence_pages(g));
    gen_set(g, "tiles", sequence_tiles(g));
    gen_let(g, "part", "cta % splits");
    gen_let(g, "head", "cta / splits % kv_heads");
    gen_let(g, "sequence", "cta / splits / kv_heads");
    gen_let(g, "first_head", "sequence * heads + head * shared_heads");
    gen_let(g, "of_part", "part * (batch * heads) + first_head");
    gen_let(g, "tile_end", "(part + 1) * tiles / splits");
}

/* The queries or the output of the CTA's heads lie side by side, and so do their logarithms, which
 * are the first warps'. */
static void access_heads(struct generator *g, uint16_t buffer)
{
    gen_let(g, "vector", "u * cta_threads + thread");
    gen_let(g, "row", "warp * warp_rows + u * lanes + lane");
    if (buffer == ATTENTION_QUERIES) {
        gen_at(g, buffer - 1, ATTENTION_VECTOR, "first_head * row_vectors + vector");
        gen_if(g, "vector < shared_heads * row_vectors");
    } else if (buffer == ATTENTION_OUTPUT) {
        gen_at(g, buffer - 1, ATTENTION_VECTOR, "of_part * output_vectors + vector");
        gen_if(g, "vector < shared_heads * output_vectors");
    } else {
        gen_at(g, buffer - 1, SUM_BYTES, "of_part + row");
        gen_if(g, "u * lanes + lane < warp_rows && row < shared_heads");
    }
}

/* A lane's page of a tile in the table, or its u-th vector of it. Rows behind the end of the
 * sequence, and steps behind the last one, are off. */
static void access_tile(struct generator *g, uint16_t buffer)
{
    bool table = buffer == ATTENTION_TABLE;
    gen_let(g, "first", "(tile_end - 1 - at) * block_keys + thread / row_vectors * key_copies");
    gen_let(g, "key", table ? "first" : "first + u");
    gen_let(g, "entry", "sequence * pages + key / page");
    gen_let(g, "row", "permuted(entry, batch * pages) * page + key % page");
    if (table)
        gen_at(g, buffer - 1, TABLE_BYTES, "entry");
    else
        gen_at(g, buffer - 1, ATTENTION_VECTOR,
               "(row * kv_heads + head) * row_vectors + thread % row_vectors");
    gen_if(g, "at < tile_end - part * tiles / splits && key < keys");
}

static void access_array(struct generator *g, uint16_t buffer)
{
    bool tile = buffer == ATTENTION_KEYS || buffer == ATTENTION_VALUES || buffer == ATTENTION_TABLE;
    (tile ? access_tile : access_heads)(g, buffer);
}

static bool setup(struct generator *g, const char *path, struct error *e)
{
    struct attention_tile t = tile_of(g);
    double row = (double)(t.row_vectors * ATTENTION_VECTOR), batch = (double)g->c.batch;
    double heads = batch * (double)g->c.heads, parts = (double)g->c.splits;
    double pages = batch * (double)sequence_pages(g);
    double keys = pages * (double)g->c.page * (double)g->c.kv_heads * row;
    double output = parts * heads * (double)t.head_dim * (double)output_bytes(g);
    double bytes[N_ARRAYS] = {heads * row,        keys, keys, output, parts * heads * SUM_BYTES,
                              pages * TABLE_BYTES};
    if (!gen_place_checked(g, path, N_ARRAYS, bytes, e)) return false;
    g->shared_bytes = (uint32_t)attention_tile_shared_bytes(&t);
    name_places(g, &t);
    gen_prologue(g, 4);
    attention_tile_add_copies(g, t.query_copies, GEN_R_ADDRESS, ATTENTION_QUERIES, access_array);
    attention_tile_add_key_copies(g, &t, ATTENTION_KEYS, "0", true, access_array);
    g->n_prologue = g->code.n;
    attention_tile_add_step(g, &t, true, access_array);
    gen_loop_end(g, 0);
    attention_tile_add_output(g, &t, output_bytes(g), access_array);
    return true;
}

const struct generator_ops generator_attention_decode = {
    .name = "attention_decode",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .shape = shape,
    .cta_steps = cta_steps,
    .tensors = tensors,
};
