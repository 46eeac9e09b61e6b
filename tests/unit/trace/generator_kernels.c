/* Generators of whole kernels (transpose, stencil, matmul, partial stores, hand-over): counts
 * against closed forms, every address against the kernel written down as a loop. */
#include "tests/support/generator_refused.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BASE_SHIFT = 21 }; /* arrays lie at multiples of 2 MiB from 2^36 on */
static const uint64_t BASE = UINT64_C(1) << 36;

static struct program *open_config(const char *text, uint32_t width)
{
    struct error e;
    const char *path = scratch_path("kernel.cfg");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    struct program *p = program_open(path, &(struct program_opts){.warp_width = width}, &e);
    check_ok(p, &e);
    check_ok(program_verify(p, &e), &e);
    unlink(path);
    return p;
}

/* All lane accesses of a program, counted by element of each array. */
struct touched {
    uint32_t *loads[3], *stores[3]; /* [array][element] */
    uint64_t n;
};

typedef void visit_fn(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *ctx);

static void visit(const struct program *p, visit_fn *fn, void *ctx)
{
    struct error e;
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    const struct launch *l = program_launch(p, 0);
    for (uint64_t cta = 0; cta < l->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            check_ok(cursor_seek(&c, r, 0, cta, warp, 0, &e), &e);
            while (cursor_next(&c, &w, &e) == GOT_INST)
                fn(&w, cta, warp, ctx);
        }
    cursor_release(&c);
    reader_free(r);
}

/* Instructions by class and distinct lines of 128 bytes. */
struct counts {
    uint64_t by_class[OP_N], lines;
    bool seen[3 << (BASE_SHIFT - 7)];
};

static void count_one(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *ctx)
{
    struct counts *c = ctx;
    (void)cta, (void)warp;
    c->by_class[w->si->cls]++;
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    for (uint32_t k = 0; k < (uint32_t)__builtin_popcountll(w->mask); k++) {
        uint64_t line = (warp_inst_addr(w, k) - BASE) / 128;
        assert_true(line < sizeof c->seen);
        c->lines += !c->seen[line];
        c->seen[line] = true;
    }
}

static void counts_of(struct counts *c, const struct program *p)
{
    memset(c, 0, sizeof *c);
    visit(p, count_one, c);
}

static void touch(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *ctx)
{
    struct touched *t = ctx;
    (void)cta, (void)warp;
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    for (uint32_t k = 0; k < (uint32_t)__builtin_popcountll(w->mask); k++) {
        uint64_t at = warp_inst_addr(w, k) - BASE, array = at >> BASE_SHIFT;
        uint64_t element = (at & ((UINT64_C(1) << BASE_SHIFT) - 1)) / w->si->width;
        assert_true(array < 3 && element < t->n);
        (w->si->cls == OP_LOAD ? t->loads : t->stores)[array][element]++;
    }
}

/* n: at least as many elements as the largest array has. */
static void count(struct touched *t, const struct program *p, uint64_t n)
{
    t->n = n;
    for (unsigned i = 0; i < 3; i++) {
        t->loads[i] = calloc(n, sizeof **t->loads);
        t->stores[i] = calloc(n, sizeof **t->stores);
        assert_true(t->loads[i] && t->stores[i]);
    }
    visit(p, touch, t);
}

static void forget(struct touched *t)
{
    for (unsigned i = 0; i < 3; i++) {
        free(t->loads[i]);
        free(t->stores[i]);
    }
}

static void all_are(const uint32_t *count, uint64_t from, uint64_t to, uint32_t wanted)
{
    for (uint64_t i = from; i < to; i++)
        assert_int_equal(count[i], wanted);
}

/* --- transpose --- */

struct turned {
    uint64_t n, block, wrong, lanes;
    uint64_t read[32 * WARP_MAX_LANES], reads, writes; /* of one step of a warp */
};

/* What a lane reads in block (y, x) it writes in block (x, y); naive blocks are single elements. */
static void turn(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *ctx)
{
    struct turned *t = ctx;
    (void)cta, (void)warp;
    uint32_t lanes = (uint32_t)__builtin_popcountll(w->mask);
    if (w->si->cls == OP_BRANCH) t->reads = t->writes = 0;
    for (uint32_t k = 0; k < lanes && w->si->cls == OP_LOAD; k++)
        t->read[t->reads++] = (warp_inst_addr(w, k) - BASE) / 4;
    for (uint32_t k = 0; k < lanes && w->si->cls == OP_STORE; k++) {
        uint64_t to = (warp_inst_addr(w, k) - BASE - (1 << BASE_SHIFT)) / 4;
        uint64_t from = t->read[t->writes++];
        t->wrong += to / t->n / t->block != from % t->n / t->block ||
                    to % t->n / t->block != from / t->n / t->block;
        t->lanes++;
    }
}

static void transposes_pass_all_elements_once(void **state)
{
    (void)state;
    static const char *const kernels[] = {"naive", "tiled"};
    enum { N = 256 };
    for (unsigned width = 32; width <= 64; width += 32)
        for (unsigned k = 0; k < 2; k++) {
            char text[200];
            /* naive: 64 warps of 32 lanes; tiled: 8 CTAs with a tile each */
            snprintf(text, sizeof text,
                     "generator = \"transpose\"; kernel = \"%s\"; n = %d; ctas = 8; warps_per_cta "
                     "= 8; warp_width = %u; iterations = %u;",
                     kernels[k], N, width,
                     k ? N / width * (N / width) / 8 : N * N / (8 * 8 * width));
            struct program *p = open_config(text, width);
            struct touched t;
            count(&t, p, N * N);
            all_are(t.loads[0], 0, N * N, 1);
            all_are(t.stores[1], 0, N * N, 1);
            forget(&t);
            struct turned turned = {.n = N, .block = k ? width : 1};
            visit(p, turn, &turned);
            assert_int_equal(turned.lanes, N * N);
            assert_int_equal(turned.wrong, 0);
            program_close(p);
        }
}

/* A naive store touches a line per lane, a tile's only one. */
static void tiles_coalesce_what_naive_stores_scatter(void **state)
{
    (void)state;
    struct counts s;
    struct program *p =
        open_config("generator = \"transpose\"; kernel = \"tiled\"; n = 128; ctas = "
                    "16; warps_per_cta = 8; iterations = 1;",
                    32);
    counts_of(&s, p);
    uint64_t tiles = 16, rows = 32;
    assert_int_equal(s.by_class[OP_LOAD], tiles * rows);
    assert_int_equal(s.by_class[OP_STORE], tiles * rows);
    assert_int_equal(s.by_class[OP_SHARED_LOAD], tiles * rows);
    assert_int_equal(s.by_class[OP_SHARED_STORE], tiles * rows);
    assert_int_equal(s.by_class[OP_BARRIER], tiles * 8 * 2);
    assert_int_equal(s.lines, 2 * 128 * 128 * 4 / 128);
    assert_int_equal(program_launch(p, 0)->shared_bytes, 32 * 33 * 4);
    program_close(p);
}

/* --- stencil --- */

/* Rows of 128: every element of the plane is the centre once, and each neighbour's neighbour. */
static void stencils_read_five_points(void **state)
{
    (void)state;
    enum { N = 128, ROWS = 16, ALL = N * ROWS };
    struct program *p = open_config("generator = \"stencil\"; n = 128; ctas = 4; warps_per_cta = 4;"
                                    "iterations = 2; unroll = 2; arithmetic = 2;",
                                    32);
    uint32_t wanted[ALL + 2 * N] = {0};
    for (unsigned i = N; i < ALL + N; i++) {
        wanted[i]++;
        wanted[i - 1]++;
        wanted[i + 1]++;
        wanted[i - N]++;
        wanted[i + N]++;
    }
    struct touched t;
    count(&t, p, ALL + 2 * N);
    assert_memory_equal(t.loads[0], wanted, sizeof wanted);
    all_are(t.stores[1], 0, ALL, 1);
    forget(&t);
    struct counts s;
    counts_of(&s, p);
    uint64_t accesses = ALL / 32;
    assert_int_equal(s.by_class[OP_LOAD], 5 * accesses);
    assert_int_equal(s.by_class[OP_FP32], 2 * 4 * accesses);
    assert_int_equal(s.by_class[OP_STORE], accesses);
    program_close(p);
    p = open_config("generator = \"stencil\"; n = 1024; ctas = 64; footprint = \"64KB\";", 64);
    counts_of(&s, p);
    /* half of it each: the input has a row above, one below, and a line left and right of them */
    assert_int_equal(s.lines, 2 * 256 + 2 * 32 - 2 + 2);
    program_close(p);
}

/* --- matmul --- */

static void products_read_rows_and_columns(void **state)
{
    (void)state;
    enum { N = 64, ROWS = 32, DEPTH = 24 };
    struct program *p = open_config("generator = \"matmul\"; n = 64; ctas = 8; warps_per_cta = 8;"
                                    "iterations = 12; unroll = 2;",
                                    32);
    struct touched t;
    count(&t, p, N * ROWS);
    /* an element of A by all N threads of its row, an element of B once per row of C */
    all_are(t.loads[0], 0, ROWS * DEPTH, N);
    all_are(t.loads[0], ROWS * DEPTH, N * ROWS, 0);
    all_are(t.loads[1], 0, DEPTH * N, ROWS);
    all_are(t.stores[2], 0, ROWS * N, 1);
    forget(&t);
    struct counts s;
    counts_of(&s, p);
    uint64_t warps = ROWS * N / 32;
    assert_int_equal(s.by_class[OP_LOAD], 2 * DEPTH * warps);
    assert_int_equal(s.by_class[OP_FP32], DEPTH * warps);
    assert_int_equal(s.by_class[OP_STORE], warps);
    program_close(p);
}

/* --- partial stores --- */

static void partial_stores_leave_or_fill_sectors(void **state)
{
    (void)state;
    struct touched t;
    const char *common = "generator = \"partial\"; stride = 16; ctas = 2; warps_per_cta = 4; ";
    char text[300];
    enum { THREADS = 256, RUNS = 4 * THREADS, PER_RUN = 4 };
    snprintf(text, sizeof text, "%s kernel = \"once\"; iterations = 4;", common);
    struct program *p = open_config(text, 32);
    count(&t, p, RUNS * PER_RUN);
    for (unsigned i = 0; i < RUNS * PER_RUN; i++)
        assert_int_equal(t.stores[0][i], i % PER_RUN == 0);
    forget(&t);
    program_close(p);
    snprintf(text, sizeof text, "%s kernel = \"filled\"; iterations = 8; unroll = 2;", common);
    p = open_config(text, 32);
    count(&t, p, RUNS * PER_RUN);
    all_are(t.stores[0], 0, RUNS * PER_RUN, 1);
    forget(&t);
    struct counts s;
    counts_of(&s, p);
    assert_int_equal(s.by_class[OP_STORE], 8 * 16);
    assert_int_equal(s.by_class[OP_LOAD], 0);
    program_close(p);
}

/* --- hand-over --- */

struct handed {
    uint64_t half;        /* elements of a half, all CTAs */
    uint64_t per_cta;     /* of one step */
    uint64_t step, wrong; /* of the warp being visited */
    uint64_t ctas, loads, stores;
    unsigned stage;
};

/* The order in a step: flag, acquire, loads, stores, release, flag. */
static void check_stage(struct handed *h, const struct warp_inst *w)
{
    static const uint8_t order[] = {OP_LOAD,  OP_ACQUIRE, OP_LOAD,    OP_LOAD,
                                    OP_STORE, OP_STORE,   OP_RELEASE, OP_STORE};
    uint8_t cls = w->si->cls;
    if (cls != OP_LOAD && cls != OP_STORE && cls != OP_ACQUIRE && cls != OP_RELEASE) return;
    h->wrong += cls != order[h->stage];
    h->stage = (h->stage + 1) % (unsigned)sizeof order;
}

static void hand(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *ctx)
{
    struct handed *h = ctx;
    (void)warp;
    if (w->si->cls == OP_EXIT) h->step = 0;
    check_stage(h, w);
    if (w->si->cls == OP_BRANCH) h->step++;
    if (w->si->cls != OP_LOAD && w->si->cls != OP_STORE) return;
    bool load = w->si->cls == OP_LOAD;
    uint64_t owner = load ? (cta + h->ctas - 1) % h->ctas : cta;
    uint64_t at = warp_inst_addr(w, 0) - BASE;
    if (w->si->buffer == 1) {
        h->wrong += at != owner * 128;
        return;
    }
    uint64_t element = (at - (1 << BASE_SHIFT)) / 4, half = element / h->half;
    h->wrong += element % h->half / h->per_cta != owner;
    h->wrong += half != (h->step + load) % 2; /* what was made in the step before */
    load ? h->loads++ : h->stores++;
}

static void consumers_read_what_producers_made(void **state)
{
    (void)state;
    struct program *p = open_config("generator = \"handoff\"; ctas = 5; warps_per_cta = 2; unroll "
                                    "= 2; iterations = 6;",
                                    32);
    struct handed h = {.ctas = 5, .per_cta = 2 * 32 * 2, .half = 5 * 2 * 32 * 2};
    visit(p, hand, &h);
    assert_int_equal(h.wrong, 0);
    assert_int_equal(h.loads, 5 * 2 * 2 * 6);
    assert_int_equal(h.stores, h.loads);
    struct counts s;
    counts_of(&s, p);
    assert_int_equal(s.by_class[OP_ACQUIRE], 5 * 2 * 6);
    assert_int_equal(s.by_class[OP_RELEASE], 5 * 2 * 6);
    assert_int_equal(s.lines, 5 + 2 * h.half * 4 / 128);
    program_close(p);
}

/* What a program of `synchronize` does: it reads a table that nobody writes, between an acquire and
 * a release, and a flag before. */
struct synced {
    uint64_t table_bytes;
    uint32_t wrong, loads, flags, stores;
    bool acquired;
};

static void synchronise(const struct warp_inst *w, uint64_t cta, uint32_t warp, void *ctx)
{
    struct synced *h = ctx;
    (void)cta, (void)warp;
    if (w->si->cls == OP_ACQUIRE) h->acquired = true;
    if (w->si->cls == OP_RELEASE) h->acquired = false;
    bool load = w->si->cls == OP_LOAD;
    if (!load && w->si->cls != OP_STORE) return;
    h->stores += !load;
    h->flags += load && w->si->buffer == 1;
    if (w->si->buffer != 2) return;
    h->loads++;
    uint64_t table = warp_inst_addr(w, 0) & ~(h->table_bytes - 1);
    h->wrong +=
        !load || !h->acquired || table != warp_inst_addr(w, 63) / h->table_bytes * h->table_bytes;
}

static void synchronising_warps_share_a_table(void **state)
{
    (void)state;
    struct program *p = open_config("generator = \"synchronize\"; ctas = 3; warps_per_cta = 2; "
                                    "unroll = 4; iterations = 5; footprint = 1024;",
                                    64);
    struct synced h = {.table_bytes = 1024};
    visit(p, synchronise, &h);
    assert_int_equal(h.wrong, 0);
    assert_int_equal(h.loads, 3 * 2 * 5 * 4);
    assert_int_equal(h.flags, 3 * 2 * 5);
    assert_int_equal(h.stores, 3 * 2 * 5); /* of flags */
    struct counts s;
    counts_of(&s, p);
    assert_int_equal(s.by_class[OP_ACQUIRE], 3 * 2 * 5);
    assert_int_equal(s.by_class[OP_RELEASE], 3 * 2 * 5);
    assert_int_equal(s.lines, 6 + 1024 / 128); /* flags and the table */
    program_close(p);
}

/* --- what is refused --- */

static void wrong_shapes_are_refused(void **state)
{
    (void)state;
    static const struct refused wrong[] = {
        {"generator = \"transpose\"; n = 100;", "a multiple of 64"},
        {"generator = \"transpose\"; warps_per_cta = 3;", "a divisor of the lanes"},
        {"generator = \"transpose\"; warps_per_cta = 1;", "at most 16 rows"},
        {"generator = \"transpose\"; unroll = 2;", "a tile's rows decide it"},
        {"generator = \"stencil\"; n = 100;", "a multiple of 64"},
        {"generator = \"stencil\"; unroll = 5;", "allows 1 to 4"},
        {"generator = \"stencil\"; footprint = 1024;", "less than two rows; at least 8192"},
        {"generator = \"matmul\"; n = 192; ctas = 1;", "divides them"},
        {"generator = \"partial\"; stride = 24;", "a power of two"},
        {"generator = \"partial\"; stride = 2;", "from element_bytes = 4 on"},
        {"generator = \"partial\"; footprint = 64;", "one warp's runs"},
    };
    check_refused(wrong, sizeof wrong / sizeof *wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transposes_pass_all_elements_once),
        cmocka_unit_test(tiles_coalesce_what_naive_stores_scatter),
        cmocka_unit_test(stencils_read_five_points),
        cmocka_unit_test(products_read_rows_and_columns),
        cmocka_unit_test(partial_stores_leave_or_fill_sectors),
        cmocka_unit_test(consumers_read_what_producers_made),
        cmocka_unit_test(synchronising_warps_share_a_table),
        cmocka_unit_test(wrong_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
