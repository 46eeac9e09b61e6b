/* The generators of embedding bags and experts: who reads what how often, and whether what is drawn
 * follows its law; refused sizes, those of sparse products included. */
#include "tests/support/ml_streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- embedding bags --- */

struct bags {
    uint64_t tables, rows, width, bags, lookups, bytes, lanes, warps;
    struct ml_array array[4]; /* offsets, indices, tables, output */
    uint32_t *offsets, *indices, *output;
    uint32_t *drawn;                      /* by table and row: look-ups */
    uint64_t row, left, looked_up, wrong; /* the row that is being read, its vectors to come */
};

/* Rows are read whole and one after another, from the bag's table. */
static void read_row(struct bags *b, const struct warp_inst *w, uint64_t table)
{
    uint64_t vectors = b->width * b->bytes / 16;
    for (uint32_t k = 0; k < ml_lanes(w); k++) {
        uint64_t v = ml_offset(&b->array[2], warp_inst_addr(w, k), 16) / 16;
        if (!b->left) {
            b->row = v / vectors;
            b->left = vectors;
            b->drawn[b->row]++;
            b->looked_up++;
        }
        b->wrong += v != b->row * vectors + vectors - b->left || b->row / b->rows != table;
        b->left--;
    }
}

static void look_up(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct bags *b = of;
    uint64_t bag = cta * b->warps + warp, table = bag / b->bags;
    if (w->si->cls == OP_EXIT) {
        b->wrong += b->looked_up != (table < b->tables ? b->lookups : 0) || b->left;
        b->looked_up = 0;
    }
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    if (w->si->buffer == 3) {
        read_row(b, w, table);
        return;
    }
    uint32_t *const counts[] = {b->offsets, b->indices, NULL, b->output};
    uint32_t array = w->si->buffer - 1u, width = w->si->width;
    for (uint32_t k = 0; k < ml_lanes(w); k++) {
        uint64_t at = ml_offset(&b->array[array], warp_inst_addr(w, k), width) / width;
        counts[array][at]++;
        if (array == 1) b->wrong += at / b->lookups != bag;
        if (array == 3) b->wrong += at * 4 / b->width != bag % b->bags * b->tables + table;
    }
}

static struct program *open_bags(struct bags *b, const char *more)
{
    char text[400];
    uint64_t all = b->tables * b->bags;
    snprintf(text, sizeof text,
             "generator = \"embedding\"; tables = %llu; rows = %llu; width = %llu; bags = %llu; "
             "lookups = %llu; type = \"%s\"; %s",
             (unsigned long long)b->tables, (unsigned long long)b->rows,
             (unsigned long long)b->width, (unsigned long long)b->bags,
             (unsigned long long)b->lookups, b->bytes == 4 ? "fp32" : "fp16", more);
    struct program *p = ml_open(text, (uint32_t)b->lanes);
    ml_place(b->array,
             (uint64_t[]){(all + 1) * 8, all * b->lookups * 8,
                          b->tables * b->rows * b->width * b->bytes, all * b->width * 4},
             4);
    b->warps = 512 / b->lanes;
    b->offsets = ml_counts(all + 1);
    b->indices = ml_counts(all * b->lookups);
    b->output = ml_counts(all * b->width / 4);
    b->drawn = ml_counts(b->tables * b->rows);
    ml_visit(p, 0, look_up, b);
    return p;
}

static void close_bags(struct bags *b, struct program *p)
{
    free(b->offsets), free(b->indices), free(b->output), free(b->drawn);
    program_close(p);
}

static void bags_read_their_rows(void **state)
{
    (void)state;
    static const struct bags cases[] = {
        {2, 100, 128, 5, 20, 4, .lanes = 32},  {3, 7, 64, 11, 33, 2, .lanes = 32},
        {1, 1, 4, 1, 1, 4, .lanes = 32},       {5, 1000, 300, 3, 65, 4, .lanes = 32},
        {2, 50, 1024, 4, 129, 2, .lanes = 64}, {1, 997, 48, 17, 50, 4, .lanes = 64},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bags b = cases[i];
        uint64_t all = b.tables * b.bags, lanes = b.lanes;
        struct program *p = open_bags(&b, i % 2 ? "unroll = 3;" : "");
        assert_int_equal(b.wrong, 0);
        ml_all_are(b.indices, all * b.lookups, 1, "index");
        ml_all_are(b.output, all * b.width / 4, 1, "vector of the output");
        /* all lanes load a warp's two offsets, each of which two bags need but the outer ones */
        assert_int_equal(b.offsets[0], lanes);
        assert_int_equal(b.offsets[all], lanes);
        ml_all_are(b.offsets + 1, all - 1, 2 * (uint32_t)lanes, "offset");
        close_bags(&b, p);
    }
}

/* The share of the first rank is that of the law's density between 1 and 2. */
/* PyTorch's own: offsets, indices, weights, output, bag_of, bag_size. */
struct own_bags {
    uint64_t rows, width, bags, lookups, bytes, lanes;
    struct ml_array array[6];
    uint32_t *count[6];
};

static void look_up_own(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct own_bags *b = of;
    (void)cta, (void)warp;
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    uint32_t array = w->si->buffer - 1u, width = w->si->width;
    for (uint32_t k = 0; k < ml_lanes(w); k++)
        b->count[array][ml_offset(&b->array[array], warp_inst_addr(w, k), width) / width]++;
}

/* The one row of the table is read by all look-ups; each element of a bag needs its index. */
static void own_bags_read_their_rows(void **state)
{
    (void)state;
    static const struct own_bags cases[] = {{1, 128, 5, 20, 4, .lanes = 32},
                                            {1, 100, 2100, 3, 2, .lanes = 32},
                                            {1, 1, 9000, 1, 4, .lanes = 64}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct own_bags b = cases[i];
        uint64_t n[6] = {b.bags + 1,       b.bags * b.lookups, b.width,
                         b.bags * b.width, b.bags * b.lookups, b.bags};
        uint64_t bytes[6] = {8, 8, b.bytes, b.bytes, 8, 8}, sizes[6];
        char text[200];
        snprintf(text, sizeof text,
                 "generator = \"embedding_bag\"; rows = %llu; width = %llu; bags = %llu; lookups = "
                 "%llu; type = \"%s\";",
                 (unsigned long long)b.rows, (unsigned long long)b.width,
                 (unsigned long long)b.bags, (unsigned long long)b.lookups,
                 b.bytes == 4 ? "fp32" : "bf16");
        struct program *p = ml_open(text, (uint32_t)b.lanes);
        for (unsigned k = 0; k < 6; k++) {
            sizes[k] = n[k] * bytes[k];
            b.count[k] = ml_counts(n[k]);
        }
        ml_place(b.array, sizes, 6);
        ml_visit(p, 0, look_up_own, &b);
        ml_all_are(b.count[1], n[1], (uint32_t)b.width, "index");
        ml_all_are(b.count[2], n[2], (uint32_t)(b.bags * b.lookups), "element of the row");
        ml_all_are(b.count[3], n[3], 1, "element of the output");
        ml_all_are(b.count[4], n[4], 1, "bag of a look-up");
        ml_all_are(b.count[5], n[5], (uint32_t)b.width, "size of a bag");
        for (unsigned k = 0; k < 6; k++)
            free(b.count[k]);
        program_close(p);
    }
}

static void rows_follow_zipf(void **state)
{
    (void)state;
    static const double exponents[] = {0, 0.5, 1, 1.2};
    for (unsigned i = 0; i < 4; i++) {
        struct bags b = {1, 1000, 4, 1000, 50, 4, .lanes = 32};
        char more[60];
        snprintf(more, sizeof more, "exponent = %g;", exponents[i]);
        struct program *p = open_bags(&b, more);
        double q = 1 - exponents[i], n = (double)b.rows, draws = 50000;
        double first = fabs(q) < 1e-9 ? log(2) / log(n + 1) : (pow(2, q) - 1) / (pow(n + 1, q) - 1);
        double error = sqrt(draws * first * (1 - first));
        if (fabs(b.drawn[0] - draws * first) > 4 * error)
            fail_msg("exponent %g: the first row is drawn %u times, not %.0f +- %.0f", exponents[i],
                     b.drawn[0], draws * first, error);
        close_bags(&b, p);
    }
}

/* --- experts --- */

struct routed {
    uint64_t tokens, width, experts, top_k, bytes, lanes;
    struct ml_array gathered[4], scattered[4];
    uint64_t *token_of, *place_of, *place_read; /* of a place; of a copy */
    uint32_t *read, *written, *scales;
    uint64_t wrong, copy;
};

static uint64_t row_vectors(const struct routed *r)
{
    return r->width * r->bytes / 16;
}

/* A place's row is its token's, vector by vector. */
static void gather(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct routed *r = of;
    (void)warp;
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    uint32_t array = w->si->buffer - 1u, width = w->si->width;
    for (uint32_t k = 0; k < ml_lanes(w); k++) {
        uint64_t at = ml_offset(&r->gathered[array], warp_inst_addr(w, k), width) / width;
        if (array == 0) {
            if (!r->read[cta * row_vectors(r) + at % row_vectors(r)]++)
                r->token_of[cta] = at / row_vectors(r);
            r->wrong += r->token_of[cta] != at / row_vectors(r);
        }
        if (array == 1) r->wrong += at != cta;
        if (array == 2) {
            r->written[at]++;
            r->wrong += at / row_vectors(r) != cta;
        }
        if (array == 3) r->place_of[at] = cta;
    }
}

/* A token reads the rows of its copies where the gathering has put them. */
static void scatter(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *of)
{
    struct routed *r = of;
    (void)warp;
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    uint32_t array = w->si->buffer - 1u, width = w->si->width;
    for (uint32_t k = 0; k < ml_lanes(w); k++) {
        uint64_t at = ml_offset(&r->scattered[array], warp_inst_addr(w, k), width) / width;
        if (array == 0) {
            r->read[at]++;
            r->wrong += at / row_vectors(r) != r->place_of[r->copy];
        }
        if (array == 1) r->copy = at;
        if (array == 2) r->scales[at] = 1;
        if (array == 1 || array == 2) r->wrong += at / r->top_k != cta || at != r->copy;
        if (array == 3) {
            r->written[at]++;
            r->wrong += at / row_vectors(r) != cta;
        }
    }
}

static struct program *open_routed(const struct routed *r, const char *name, double exponent)
{
    char text[300];
    snprintf(
        text, sizeof text,
        "generator = \"%s\"; tokens = %llu; width = %llu; experts = %llu; top_k = %llu; type = "
        "\"%s\"; exponent = %g;",
        name, (unsigned long long)r->tokens, (unsigned long long)r->width,
        (unsigned long long)r->experts, (unsigned long long)r->top_k,
        r->bytes == 4 ? "fp32" : "bf16", exponent);
    return ml_open(text, (uint32_t)r->lanes);
}

/* Tokens ascend among an expert's copies, so they descend between experts only; every token has
 * top_k copies. */
static void check_order(const struct routed *r)
{
    uint64_t copies = r->tokens * r->top_k, descents = 0;
    uint32_t *count = ml_counts(r->tokens);
    for (uint64_t place = 0; place < copies; place++) {
        count[r->token_of[place]]++;
        if (place) descents += r->token_of[place] <= r->token_of[place - 1];
        assert_int_equal(r->place_of[place] < copies, 1);
    }
    assert_true(descents < r->experts);
    ml_all_are(count, r->tokens, (uint32_t)r->top_k, "token");
    for (uint64_t copy = 0; copy < copies; copy++)
        assert_int_equal(r->token_of[r->place_of[copy]], copy / r->top_k);
    free(count);
}

static void experts_rows_go_and_come_back(void **state)
{
    (void)state;
    static const struct routed cases[] = {
        {50, 1024, 8, 2, 2, .lanes = 32},     {1, 4, 1, 1, 4, .lanes = 32},
        {33, 600, 16, 16, 4, .lanes = 32},    {64, 4096, 64, 8, 2, .lanes = 64},
        {100, 2056, 1024, 3, 2, .lanes = 32},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct routed r = cases[i];
        uint64_t copies = r.tokens * r.top_k, row = r.width * r.bytes, vectors = row_vectors(&r);
        ml_place(r.gathered, (uint64_t[]){r.tokens * row, copies * 4, copies * row, copies * 4}, 4);
        ml_place(r.scattered, (uint64_t[]){copies * row, copies * 4, copies * 4, r.tokens * row},
                 4);
        r.token_of = calloc(copies, sizeof *r.token_of);
        r.place_of = calloc(copies, sizeof *r.place_of);
        r.read = ml_counts(copies * vectors);
        r.written = ml_counts(copies * vectors);
        r.scales = ml_counts(copies);
        struct program *p = open_routed(&r, "moe_gather", i * 0.5);
        ml_visit(p, 0, gather, &r);
        program_close(p);
        ml_all_are(r.read, copies * vectors, 1, "vector");
        ml_all_are(r.written, copies * vectors, 1, "copied vector");
        check_order(&r);
        memset(r.read, 0, copies * vectors * sizeof *r.read);
        memset(r.written, 0, copies * vectors * sizeof *r.written);
        p = open_routed(&r, "moe_scatter", i * 0.5);
        ml_visit(p, 0, scatter, &r);
        program_close(p);
        assert_int_equal(r.wrong, 0);
        ml_all_are(r.read, copies * vectors, 1, "expert's vector");
        ml_all_are(r.written, r.tokens * vectors, 1, "summed vector");
        ml_all_are(r.scales, copies, 1, "weight");
        free(r.token_of), free(r.place_of), free(r.read), free(r.written), free(r.scales);
    }
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
#define E "generator = \"embedding\"; "
#define M "generator = \"moe_gather\"; "
#define S "generator = \"spmm\"; "
    static const struct refused wrong[] = {
        {E "width = 5;", "whole vectors"},
        {E "width = 4096;", "at most 8 vectors"},
        {E "lookups = 0;", "lookups"},
        {E "tables = 65536; rows = 2147483648; width = 1024;", "tensors take"},
        {E "tables = 65536; bags = 2147483648;", "CTAs"},
        {E "iterations = 3;", "iterations"},
        {"generator = \"embedding_bag\"; lookups = 1025;", "lookups"},
        {M "top_k = 9; experts = 8;", "1 to experts = 8"},
        {M "tokens = 16777216; top_k = 8;", "tokens * top_k"},
        {M "tokens = 0;", "tokens"},
        {"generator = \"moe_scatter\"; width = 7;", "whole vectors"},
        {S "unroll = 3;", "power of two"},
        {S "degree = 20.0; columns = 10;", "at most columns = 10"},
        {S "degree = 0.0;", "set degrees = \"regular\""},
        {S "rows = 16777216; degree = 1000.0;", "non-zeros"},
        {S "rows = 16777216; width = 1048576; degree = 1.0;", "CTAs"},
        {S "columns = 2147483648; width = 1048576;", "tensors take"},
    };
#undef E
#undef M
#undef S
    check_refused(wrong, sizeof wrong / sizeof *wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bags_read_their_rows),    cmocka_unit_test(own_bags_read_their_rows),
        cmocka_unit_test(rows_follow_zipf),        cmocka_unit_test(experts_rows_go_and_come_back),
        cmocka_unit_test(wrong_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
