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

enum { QUERIES, KEYS, VALUES, OUTPUT, SUMS, TABLE, N_ARRAYS };
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

static void prologue(struct gen_warp *w);

/* Bytes of an element of the output. */
static uint64_t output_bytes(const struct generator *g)
{
    return g->c.splits > 1 || g->c.type == ML_FP32 ? 4 : 2;
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
    gen_prologue(g, 4);
    attention_tile_add_copies(g, t.query_copies, GEN_R_ADDRESS, QUERIES + 1);
    attention_tile_add_key_copies(g, &t, KEYS + 1, true);
    g->n_prologue = g->code.n;
    g->prologue = prologue;
    attention_tile_add_step(g, &t, true);
    gen_loop_end(g, 0);
    attention_tile_add_output(g, &t, output_bytes(g));
    return true;
}

/* --- streams --- */

/* Where a CTA is: its part, the head of its keys and its sequence; and the step. */
struct decode_place {
    struct attention_tile t;
    uint64_t part, head, sequence, step;
};

static struct decode_place place_of(const struct gen_warp *w, uint64_t step)
{
    const struct generator *g = w->g;
    uint64_t splits = (uint64_t)g->c.splits, heads = (uint64_t)g->c.kv_heads;
    return (struct decode_place){.t = tile_of(g),
                                 .part = w->cta % splits,
                                 .head = w->cta / splits % heads,
                                 .sequence = w->cta / splits / heads,
                                 .step = step};
}

/* The first of the CTA's heads, over all sequences. */
static uint64_t first_head(const struct generator *g, const struct decode_place *p)
{
    return p->sequence * (uint64_t)g->c.heads + p->head * shared_heads(g);
}

/* The warp's u-th vectors of the CTA's rows of queries or output, which lie side by side. */
static void access_heads(struct gen_warp *w, uint32_t code, const struct decode_place *p,
                         uint32_t array, uint64_t u)
{
    const struct generator *g = w->g;
    uint64_t bytes = array == QUERIES ? p->t.bytes : output_bytes(g);
    uint64_t part = array == QUERIES ? 0 : p->part * (uint64_t)(g->c.batch * g->c.heads);
    uint64_t row = (uint64_t)g->c.head_dim * bytes, at = u * p->t.threads + w->warp * g->width;
    uint64_t vectors = shared_heads(g) * row / ATTENTION_VECTOR;
    gen_strided_lanes(w, code, at < vectors ? vectors - at : 0,
                      gen_array(g, array) + (part + first_head(g, p)) * row + at * ATTENTION_VECTOR,
                      ATTENTION_VECTOR);
}

/* Of a tile of a step: for each lane the page's entry in the table, or (u below key_copies) its
 * u-th vector. Rows behind the end of the sequence, and steps behind the last one, are off. */
static void access_tile(struct gen_warp *w, uint32_t code, const struct decode_place *p,
                        uint32_t array, uint64_t u, uint64_t step)
{
    const struct generator *g = w->g;
    const struct attention_tile *t = &p->t;
    uint64_t pages = sequence_pages(g), page = (uint64_t)g->c.page, address[WARP_MAX_LANES];
    uint64_t end = first_tile(g, p->part + 1), all = w->mask, thread = w->warp * g->width;
    bool off = step >= cta_steps(g, w->cta);
    uint64_t known = UINT64_MAX, place = 0; /* the last entry's page */
    uint32_t n = 0;
    for (uint32_t l = 0; l < g->width; l++, thread++) {
        uint64_t row = (end - 1 - step) * t->keys + thread / t->row_vectors * t->key_copies;
        if (array != TABLE) row += u;
        if (off || row >= (uint64_t)g->c.keys) {
            w->mask &= ~(UINT64_C(1) << l);
            continue;
        }
        uint64_t entry = p->sequence * pages + row / page;
        if (array == TABLE) {
            address[n++] = gen_array(g, TABLE) + entry * TABLE_BYTES;
            continue;
        }
        if (entry != known) place = gen_permuted(g, entry, (uint64_t)g->c.batch * pages);
        known = entry;
        uint64_t at = place * page + row % page;
        at = (at * (uint64_t)g->c.kv_heads + p->head) * t->row_vectors + thread % t->row_vectors;
        address[n++] = gen_array(g, array) + at * ATTENTION_VECTOR;
    }
    gen_listed(w, code, address);
    w->mask = all;
}

/* The load from the table and the copies of a tile. */
static void access_with_table(struct gen_warp *w, uint32_t code, const struct decode_place *p,
                              uint32_t array, uint64_t number, uint64_t step)
{
    access_tile(w, code, p, number ? array : TABLE, number - 1, step);
}

static void access_in_prologue(struct gen_warp *w, uint32_t code, uint64_t number, void *of)
{
    const struct decode_place *p = of;
    if (number < p->t.query_copies)
        access_heads(w, code, p, QUERIES, number);
    else
        access_with_table(w, code, p, KEYS, number - p->t.query_copies, 0);
}

static void access_in_step(struct gen_warp *w, uint32_t code, uint64_t number, void *of)
{
    const struct decode_place *p = of;
    uint64_t tile = p->t.key_copies + 1;
    if (number < tile)
        access_with_table(w, code, p, VALUES, number, p->step);
    else
        access_with_table(w, code, p, KEYS, number - tile, p->step + 1);
}

/* The logarithms of the CTA's heads are the first warps'. */
static void access_in_epilogue(struct gen_warp *w, uint32_t code, uint64_t number, void *of)
{
    const struct generator *g = w->g;
    const struct decode_place *p = of;
    uint64_t vectors = p->t.queries * p->t.head_dim * output_bytes(g) / ATTENTION_VECTOR;
    uint64_t stores = (vectors + p->t.threads - 1) / p->t.threads, heads = shared_heads(g);
    if (number < stores) {
        access_heads(w, code, p, OUTPUT, number);
        return;
    }
    uint64_t row = w->warp * p->t.rows + (number - stores) * g->width;
    uint64_t lanes = p->t.rows - (number - stores) * g->width;
    if (row >= heads) lanes = 0;
    if (lanes > heads - row) lanes = heads - row;
    uint64_t part = p->part * (uint64_t)(g->c.batch * g->c.heads);
    gen_strided_lanes(w, code, lanes,
                      gen_array(g, SUMS) + (part + first_head(g, p) + row) * SUM_BYTES, SUM_BYTES);
}

static void prologue(struct gen_warp *w)
{
    struct decode_place p = place_of(w, 0);
    attention_tile_run(w, &p.t, 0, w->g->n_prologue, access_in_prologue, &p);
}

static void step(struct gen_warp *w, uint64_t iteration)
{
    struct decode_place p = place_of(w, iteration);
    uint32_t code = w->g->n_prologue;
    attention_tile_run(w, &p.t, code, code + w->g->n_step, access_in_step, &p);
}

static void epilogue(struct gen_warp *w)
{
    struct decode_place p = place_of(w, 0);
    uint32_t code = w->g->n_prologue + w->g->n_step;
    attention_tile_run(w, &p.t, code, w->g->code.n, access_in_epilogue, &p);
}

const struct generator_ops generator_attention_decode = {
    .name = "attention_decode",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .setup = setup,
    .step = step,
    .epilogue = epilogue,
    .shape = shape,
    .cta_steps = cta_steps,
    .tensors = tensors,
};
