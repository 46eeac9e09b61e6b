/* The attention generators: every vector of a tile is brought once, in the order of tiles, and
 * products have as many matrix instructions as multiply-adds need. */
#include "tests/support/ml_streams.h"

#include <stdlib.h>
#include <string.h>

enum { VECTOR = 16 };

/* An attention of 16 bits or fp32, and what its CTAs have brought. */
struct attended {
    uint64_t batch, heads, kv_heads, queries, keys, dim, bytes, rows, tile, width;
    bool causal;
    int groups;               /* warpgroups of a CTA; 0: its warps multiply alone */
    struct ml_array array[5]; /* q, k, v, output, lse */
    uint32_t *read[3];        /* by vector */
    uint32_t *stored, *sums;  /* by vector, by query */
    uint64_t cta, commits, products;
    uint64_t wrong;
};

static uint64_t blocks(const struct attended *a)
{
    return (a->queries + a->rows - 1) / a->rows;
}

/* The keys that a CTA sees: those of its last query. */
static uint64_t keys_of(const struct attended *a, uint64_t cta)
{
    uint64_t most = 0, first = cta % blocks(a) * a->rows;
    for (uint64_t i = first; i < first + a->rows; i++)
        for (uint64_t j = most; j < a->keys; j++)
            if (!a->causal || j <= i + a->keys - a->queries) most = j + 1;
    return most;
}

/* A load of queries, keys or values: by its group of copies, from the right tile. */
static void bring(struct attended *a, const struct warp_inst *w, uint64_t cta, uint32_t array)
{
    uint64_t vectors = a->dim * a->bytes / VECTOR,
             steps = (keys_of(a, cta) + a->tile - 1) / a->tile;
    uint64_t heads = array ? a->kv_heads : a->heads, head = cta / blocks(a) / a->batch;
    uint64_t rows = array ? a->keys : a->queries;
    if (array) head = head * a->kv_heads / a->heads;
    for (uint32_t k = 0; k < ml_lanes(w); k++) {
        uint64_t v = ml_offset(&a->array[array], warp_inst_addr(w, k), VECTOR) / VECTOR;
        uint64_t row = v / vectors / heads % rows, block = row / (array ? a->tile : a->rows);
        /* groups: queries and the last keys, then values and the keys before them in turn */
        uint64_t back = array == 0 ? 0 : array == 1 ? a->commits / 2 : (a->commits - 1) / 2;
        uint64_t wanted = array ? steps - 1 - back : cta % blocks(a);
        a->wrong +=
            v / vectors % heads != head || v / vectors / heads / rows != cta / blocks(a) % a->batch;
        a->wrong += block != wanted || (array == 2) != a->commits % 2;
        a->read[array][row * vectors + v % vectors]++;
    }
}

static void store(struct attended *a, const struct warp_inst *w)
{
    bool sums = w->si->buffer == 5;
    for (uint32_t k = 0; k < ml_lanes(w); k++) {
        uint32_t width = w->si->width;
        uint64_t at = ml_offset(&a->array[sums ? 4 : 3], warp_inst_addr(w, k), width) / width;
        (sums ? a->sums : a->stored)[at]++;
    }
}

static void check_cta(struct attended *a, uint64_t cta)
{
    uint64_t vectors = a->dim * a->bytes / VECTOR, first = cta % blocks(a) * a->rows;
    uint64_t end = first + a->rows < a->queries ? first + a->rows : a->queries;
    uint64_t tiles = (keys_of(a, cta) + a->tile - 1) / a->tile * a->tile;
    uint64_t seen = tiles < a->keys ? tiles : a->keys;
    ml_all_are(a->read[0] + first * vectors, (end - first) * vectors, 1, "query's vector");
    for (uint32_t k = 1; k < 3; k++) {
        ml_all_are(a->read[k], seen * vectors, 1, "key's vector");
        ml_all_are(a->read[k] + seen * vectors, (a->keys - seen) * vectors, 0,
                   "later key's vector");
    }
    memset(a->read[0], 0, a->queries * vectors * sizeof **a->read);
    memset(a->read[1], 0, a->keys * vectors * sizeof **a->read);
    memset(a->read[2], 0, a->keys * vectors * sizeof **a->read);
}

static void attend(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct attended *a = of;
    (void)warp;
    if (cta != a->cta) check_cta(a, a->cta);
    a->cta = cta;
    if (w->si->cls == OP_EXIT) a->commits = 0;
    a->commits += w->si->cls == OP_COPY_COMMIT;
    a->products += w->si->cls == (a->groups ? OP_WGMMA : OP_TENSOR);
    a->products += w->si->cls == OP_FP32 && a->bytes == 4 && w->si->n_src == 3;
    if (w->si->cls == OP_LOAD) bring(a, w, cta, w->si->buffer - 1u);
    if (w->si->cls == OP_STORE) store(a, w);
}

static const char *type_of(const struct attended *a)
{
    return a->bytes == 4 ? "fp32" : "bf16";
}

/* Multiply-adds of both products: of whole tiles. */
static uint64_t multiply_adds(const struct attended *a)
{
    uint64_t n = 0;
    for (uint64_t cta = 0; cta < blocks(a) * a->batch * a->heads; cta++)
        n += (keys_of(a, cta) + a->tile - 1) / a->tile * a->tile * a->rows * a->dim * 2;
    return n;
}

static void check_attention(struct attended a)
{
    char text[400];
    uint64_t row = a.dim * a.bytes, q = a.batch * a.queries * a.heads;
    uint64_t kv = a.batch * a.keys * a.kv_heads * row;
    snprintf(
        text, sizeof text,
        "generator = \"attention\"; batch = %llu; heads = %llu; kv_heads = %llu; queries = %llu;"
        "keys = %llu; head_dim = %llu; causal = \"%s\"; block_queries = %llu; block_keys = "
        "%llu; type = \"%s\"; warpgroup = %d;",
        (unsigned long long)a.batch, (unsigned long long)a.heads, (unsigned long long)a.kv_heads,
        (unsigned long long)a.queries, (unsigned long long)a.keys, (unsigned long long)a.dim,
        a.causal ? "yes" : "no", (unsigned long long)a.rows, (unsigned long long)a.tile,
        type_of(&a), a.groups ? 4 : 1);
    struct program *p = ml_open(text, (uint32_t)a.width);
    ml_place(a.array, (uint64_t[]){q * row, kv, kv, q * row, q * 4}, 5);
    a.read[0] = ml_counts(a.queries * row / VECTOR);
    a.read[1] = ml_counts(a.keys * row / VECTOR);
    a.read[2] = ml_counts(a.keys * row / VECTOR);
    a.stored = ml_counts(q * row / VECTOR);
    a.sums = ml_counts(q);
    assert_int_equal(program_launch(p, 0)->ctas, blocks(&a) * a.batch * a.heads);
    assert_int_equal(program_launch(p, 0)->warps_per_cta, a.groups ? 4 * a.groups : 4);
    ml_visit(p, 0, attend, &a);
    check_cta(&a, a.cta);
    assert_int_equal(a.wrong, 0);
    ml_all_are(a.stored, q * row / VECTOR, 1, "vector of the output");
    ml_all_are(a.sums, q, 1, "logarithm");
    uint64_t each = a.bytes == 4 ? a.width : a.width == 64 ? 4096 : 2048;
    assert_int_equal(a.products, multiply_adds(&a) / each);
    for (unsigned k = 0; k < 3; k++)
        free(a.read[k]);
    free(a.stored);
    free(a.sums);
    program_close(p);
}

static void every_vector_of_a_tile_comes_once(void **state)
{
    (void)state;
    static const struct attended cases[] = {
        {1, 1, 1, 128, 128, 64, 2, 128, 128, .width = 32},
        {2, 4, 2, 200, 300, 64, 2, 64, 32, .width = 32},
        {1, 3, 1, 97, 97, 128, 2, 128, 64, .width = 32, .causal = true},
        {1, 2, 2, 300, 333, 48, 2, 64, 80, .width = 32, .causal = true},
        {1, 2, 1, 130, 1, 16, 2, 64, 16, .width = 32},
        {1, 1, 1, 70, 200, 64, 4, 64, 32, .width = 32, .causal = true},
        {2, 2, 1, 50, 50, 32, 4, 32, 32, .width = 32},
        {1, 2, 1, 300, 300, 128, 2, 128, 128, .width = 32, .groups = 2},
        {1, 1, 1, 100, 110, 96, 2, 64, 64, .width = 32, .causal = true, .groups = 1},
        {1, 2, 2, 200, 200, 64, 2, 128, 64, .width = 64, .causal = true},
        {1, 2, 1, 100, 70, 128, 4, 64, 32, .width = 64},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        check_attention(cases[i]);
}

struct tally {
    int64_t of[OP_N];
};

static void tally(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct tally *t = of;
    (void)cta, (void)warp;
    t->of[w->si->cls]++;
}

/* What a block of queries that sees as many keys does, by class. */
static struct tally tally_of(int queries, int block_keys, const char *settings)
{
    char text[200];
    struct tally t = {0};
    snprintf(text, sizeof text,
             "generator = \"attention\"; heads = 1; queries = %d; block_queries = %d; block_keys = "
             "%d; type = \"bf16\"; %s",
             queries, queries, block_keys, settings);
    struct program *p = ml_open(text, 32);
    ml_visit(p, 0, tally, &t);
    program_close(p);
    return t;
}

/* A warp's instruction is of 32 scores. A mask compares and selects; without fast math, the
 * multiply-add in front of an exponential is a product and a sum, and a comparison and two products
 * keep denormal numbers. */
static void scores_are_masked_and_scaled(void **state)
{
    static const struct {
        int queries, keys;
    } cases[] = {{128, 64}, {128, 128}, {64, 64}};
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        int queries = cases[i].queries, keys = cases[i].keys;
        struct tally plain = tally_of(queries, keys, ""),
                     causal = tally_of(queries, keys, "causal = \"yes\";"),
                     exact = tally_of(queries, keys, "fast_math = \"no\";");
        int64_t scores = (int64_t)queries * queries / 32;
        assert_int_equal(causal.of[OP_INT] - plain.of[OP_INT], 2 * scores);
        assert_int_equal(causal.of[OP_FP32], plain.of[OP_FP32]);
        assert_int_equal(exact.of[OP_INT] - plain.of[OP_INT], scores);
        assert_int_equal(exact.of[OP_FP32] - plain.of[OP_FP32], 3 * scores);
        assert_int_equal(exact.of[OP_SFU], plain.of[OP_SFU]);
    }
}

/* --- decoding --- */

struct decoded {
    uint64_t batch, heads, kv_heads, keys, dim, bytes, page, splits, width;
    struct ml_array array[6]; /* q, k, v, output, lse, table */
    uint32_t *read[2];        /* by sequence, key, head and vector */
    uint32_t *queries, *stored, *sums;
    uint64_t *page_of;              /* of an entry of the table, plus one; */
    uint32_t *entries;              /* entries of a page */
    uint64_t entry[WARP_MAX_LANES]; /* that the lanes have loaded */
    uint64_t wrong, steps;
};

static uint64_t pages(const struct decoded *d)
{
    return (d->keys + d->page - 1) / d->page;
}

static void look_up_pages(struct decoded *d, const struct warp_inst *w)
{
    uint32_t k = 0;
    for (uint32_t l = 0; l < d->width; l++)
        if (w->mask >> l & 1) d->entry[l] = ml_offset(&d->array[5], warp_inst_addr(w, k++), 4) / 4;
}

static void bring_from_page(struct decoded *d, const struct warp_inst *w, uint64_t cta)
{
    uint64_t vectors = d->dim * d->bytes / VECTOR, head = cta / d->splits % d->kv_heads;
    uint32_t array = w->si->buffer - 1u, k = 0;
    for (uint32_t l = 0; l < d->width; l++) {
        if (!(w->mask >> l & 1)) continue;
        uint64_t v = ml_offset(&d->array[array], warp_inst_addr(w, k++), VECTOR) / VECTOR;
        uint64_t page = v / vectors / d->kv_heads / d->page,
                 row = v / vectors / d->kv_heads % d->page;
        uint64_t entry = d->entry[l], key = entry % pages(d) * d->page + row;
        if (!d->page_of[entry]) {
            d->page_of[entry] = page + 1;
            d->entries[page]++;
        }
        d->wrong += d->page_of[entry] != page + 1 || v / vectors % d->kv_heads != head;
        d->wrong += entry / pages(d) != cta / d->splits / d->kv_heads || key >= d->keys;
        uint64_t sequence = entry / pages(d);
        d->read[array - 1]
               [((sequence * d->keys + key) * d->kv_heads + head) * vectors + v % vectors]++;
    }
}

static void decode(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct decoded *d = of;
    (void)warp;
    static const unsigned arrays[] = {0, 0, 1, 2, 3, 4, 5};
    d->steps += w->si->cls == OP_BRANCH;
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    if (w->si->buffer == 6)
        look_up_pages(d, w);
    else if (w->si->buffer == 2 || w->si->buffer == 3)
        bring_from_page(d, w, cta);
    else
        for (uint32_t k = 0; k < ml_lanes(w); k++) {
            const struct ml_array *a = &d->array[arrays[w->si->buffer]];
            uint64_t at = ml_offset(a, warp_inst_addr(w, k), w->si->width) / w->si->width;
            (w->si->buffer == 1 ? d->queries : w->si->buffer == 4 ? d->stored : d->sums)[at]++;
        }
}

static void check_decoding(struct decoded d)
{
    char text[400];
    uint64_t row = d.dim * d.bytes, heads = d.batch * d.heads, out = d.splits > 1 ? 4 : d.bytes;
    uint64_t all_pages = d.batch * pages(&d), cache = all_pages * d.page * d.kv_heads * row;
    uint64_t read = d.batch * d.keys * d.kv_heads * row / VECTOR;
    uint64_t stored = d.splits * heads * d.dim * out;
    snprintf(
        text, sizeof text,
        "generator = \"attention_decode\"; batch = %llu; heads = %llu; kv_heads = %llu; keys = "
        "%llu; head_dim = %llu; page = %llu; splits = %llu; type = \"%s\";",
        (unsigned long long)d.batch, (unsigned long long)d.heads, (unsigned long long)d.kv_heads,
        (unsigned long long)d.keys, (unsigned long long)d.dim, (unsigned long long)d.page,
        (unsigned long long)d.splits, d.bytes == 4 ? "fp32" : "fp16");
    struct program *p = ml_open(text, (uint32_t)d.width);
    ml_place(d.array,
             (uint64_t[]){heads * row, cache, cache, stored, d.splits * heads * 4, all_pages * 4},
             6);
    d.read[0] = ml_counts(read);
    d.read[1] = ml_counts(read);
    d.queries = ml_counts(heads * row / VECTOR);
    d.stored = ml_counts(stored / VECTOR);
    d.sums = ml_counts(d.splits * heads);
    d.page_of = calloc(all_pages, sizeof *d.page_of);
    d.entries = ml_counts(all_pages);
    ml_visit(p, 0, decode, &d);
    assert_int_equal(d.wrong, 0);
    ml_all_are(d.read[0], read, 1, "key's vector");
    ml_all_are(d.read[1], read, 1, "value's vector");
    ml_all_are(d.queries, heads * row / VECTOR, (uint32_t)d.splits, "query's vector");
    ml_all_are(d.stored, stored / VECTOR, 1, "vector of the output");
    ml_all_are(d.sums, d.splits * heads, 1, "logarithm");
    ml_all_are(d.entries, all_pages, 1, "page");
    free(d.read[0]), free(d.read[1]), free(d.queries), free(d.stored), free(d.sums);
    free(d.page_of), free(d.entries);
    program_close(p);
}

static void every_key_of_the_cache_comes_once(void **state)
{
    (void)state;
    static const struct decoded cases[] = {
        {2, 8, 2, 512, 128, 2, 16, 1, .width = 32}, {3, 4, 4, 777, 64, 2, 32, 3, .width = 32},
        {1, 16, 1, 1, 128, 2, 16, 1, .width = 32},  {2, 8, 8, 300, 64, 4, 16, 2, .width = 32},
        {2, 8, 2, 515, 128, 2, 16, 4, .width = 64}, {1, 8, 1, 200, 128, 4, 8, 1, .width = 64},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        check_decoding(cases[i]);
}

/* CTAs that are equal aren't counted one by one, however many they are. */
static void launches_of_equal_ctas_may_be_large(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "generator = \"attention\"; heads = 65536; queries = 65536;",
        "generator = \"attention_decode\"; batch = 262144; keys = 256; splits = 8;",
        "generator = \"gemm\"; M = 1048576; N = 1048576; K = 128; split_k = 2; tile_m = 128;",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct error e = {0};
        struct program *p =
            program_generate("large", texts[i], &(struct program_opts){.warp_width = 32}, &e);
        if (!p) fail_msg("%s", e.text);
        uint64_t ctas = program_launch(p, 0)->ctas;
        assert_true(ctas > 1 << 24 || i == 1);
        assert_true(program_cta_start(p, 0, ctas) == ctas * program_cta_start(p, 0, 1));
        program_close(p);
    }
}

/* --- adding parts --- */

struct combined {
    uint64_t rows, dim, splits;
    struct ml_array array[4]; /* parts, lse, output, all_lse */
    uint32_t *count[4];
};

static void combine(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct combined *c = of;
    (void)cta, (void)warp;
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    uint32_t array = w->si->buffer - 1u, width = w->si->width;
    for (uint32_t k = 0; k < ml_lanes(w); k++)
        c->count[array][ml_offset(&c->array[array], warp_inst_addr(w, k), width) / width]++;
}

static void parts_are_added_once(void **state)
{
    (void)state;
    static const uint64_t cases[][4] = {/* heads, dim, splits, width */
                                        {8, 128, 4, 32},
                                        {13, 64, 7, 32},
                                        {5, 80, 200, 32},
                                        {7, 256, 2, 64},
                                        {3, 16, 3, 64}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        struct combined c = {.rows = 3 * cases[i][0], .dim = cases[i][1], .splits = cases[i][2]};
        uint64_t n = c.rows * c.dim;
        snprintf(text, sizeof text,
                 "generator = \"attention_combine\"; batch = 3; heads = %llu; head_dim = %llu; "
                 "splits = %llu; type = \"fp16\";",
                 (unsigned long long)cases[i][0], (unsigned long long)c.dim,
                 (unsigned long long)c.splits);
        struct program *p = ml_open(text, (uint32_t)cases[i][3]);
        uint64_t bytes[] = {c.splits * n * 4, c.splits * c.rows * 4, n * 2, c.rows * 4};
        uint64_t units[] = {c.splits * n / 4, c.splits * c.rows, n / 4, c.rows};
        ml_place(c.array, bytes, 4);
        for (unsigned k = 0; k < 4; k++)
            c.count[k] = ml_counts(units[k]);
        ml_visit(p, 0, combine, &c);
        for (unsigned k = 0; k < 4; k++) {
            ml_all_are(c.count[k], units[k], 1, "part of an array");
            free(c.count[k]);
        }
        program_close(p);
    }
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
#define A "generator = \"attention\"; "
#define D "generator = \"attention_decode\"; "
    static const struct refused wrong[] = {
        {A "heads = 6; kv_heads = 4;", "divisors of heads"},
        {A "queries = 0;", "queries"},
        {A "queries = 2147483648; heads = 48; head_dim = 256;", "tensors take"},
        {A "queries = 2147483648; heads = 65536; batch = 1048576;", "CTAs"},
        {A "queries = 2147483648; heads = 65536; batch = 1048576; block_queries = 16;", "CTAs"},
        {A "head_dim = 72;", "multiples of"},
        {A "block_queries = 100; type = \"fp16\";", "multiples of 64"},
        {A "block_queries = 256; block_keys = 256; type = \"fp16\";", "too large"},
        {A "causal = \"yes\"; queries = 100; keys = 50;", "a key each"},
        {A "ctas = 4;", "ctas"},
        {A "type = \"tf32\";", "fp32"},
        {D "heads = 33; kv_heads = 8;", "share keys"},
        {D "heads = 65; kv_heads = 1; type = \"fp16\";", "at most 64"},
        {D "keys = 100; splits = 5;", "at most 4 or a smaller block_keys"},
        {D "page = 7; type = \"fp16\";", "rows of one page"},
        {D "head_dim = 48; type = \"fp16\";", "don't divide"},
        {D "batch = 1048576; keys = 2147483648;", "tensors take"},
        {"generator = \"attention_combine\"; head_dim = 40;", "multiple of 16"},
        {"generator = \"attention_combine\"; splits = 1;", "2 to 256"},
        {"generator = \"attention_combine\"; splits = 0;", "splits"},
    };
#undef A
#undef D
    check_refused(wrong, sizeof wrong / sizeof *wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vector_of_a_tile_comes_once),
        cmocka_unit_test(scores_are_masked_and_scaled),
        cmocka_unit_test(every_key_of_the_cache_comes_once),
        cmocka_unit_test(launches_of_equal_ctas_may_be_large),
        cmocka_unit_test(parts_are_added_once),
        cmocka_unit_test(wrong_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
