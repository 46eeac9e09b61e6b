/* Captures with unrolled loops and loads first (`--unroll`): the order of small kernels by hand
 * (tests/data/capture/scheduled.cl), and the same accesses of each work-item as without. That each
 * value is computed before it is needed, the programs say themselves: they check their results,
 * which Oclgrind computes in the new order. */
#include "base/memory/alloc.h"
#include "tests/support/capture_run.h"

struct lane_access {
    uint32_t lane;
    uint8_t cls, space, width;
    uint64_t addr;
    uint64_t no; /* in the warp's stream */
};

struct accesses {
    struct lane_access *at;
    size_t n, cap;
};

static void capture_as(const char *name, const char *options, const char *what)
{
    capture_run(capture_path(name), "", options, what);
}

/* --- by hand --- */

/* A warp's stream: L and S for global loads and stores, l and s for shared ones, B for a barrier, f
 * for float and i for other arithmetic; jumps and the exit are left out. */
static char letter(const struct static_inst *si)
{
    static const char letter[OP_N] = {
        [OP_LOAD] = 'L', [OP_STORE] = 'S',   [OP_SHARED_LOAD] = 'l', [OP_SHARED_STORE] = 's',
        [OP_INT] = 'i',  [OP_BARRIER] = 'B', [OP_FP32] = 'f'};
    return letter[si->cls];
}

/* `of`: the letters that count. */
static void expect_stream(const char *what, const char *options, const char *of, const char *wanted)
{
    struct error e = {0};
    struct warp_inst w;
    struct cursor c = {0};
    char got[256];
    size_t n = 0;
    capture_as("stream.plt", options, what);
    struct program *p = capture_open(capture_path("stream.plt"), 0);
    struct reader *r = reader_new(p, &e);
    assert_non_null(r);
    assert_true(cursor_seek(&c, r, 0, 0, 0, 0, &e));
    while (cursor_next(&c, &w, &e) == GOT_INST && n + 1 < sizeof got) {
        char s = letter(w.si);
        if (s && strchr(of, s)) got[n++] = s;
    }
    got[n] = '\0';
    assert_string_equal(got, wanted);
    cursor_release(&c);
    reader_free(r);
    program_close(p);
}

static void loads_stand_first_where_no_store_forbids_it(void **state)
{
    (void)state;
    if (!capture_possible()) skip();
    expect_stream("straight.sim", "", "LSi", "iiLiiLiiSiiLiiiLiiS");
    expect_stream("straight.sim", "--unroll 4", "LSi", "iiLiLiiiSiiLiiLiiiS");
}

static void loads_pass_writes_of_other_memory_but_no_barrier(void **state)
{
    (void)state;
    if (!capture_possible()) skip();
    expect_stream("apart.sim", "", "LlsBS", "LssLlBLS");
    expect_stream("apart.sim", "--unroll 2", "LlsBS", "LLsslBLS");
}

static void rounds_of_a_loop_load_together(void **state)
{
    (void)state;
    if (!capture_possible()) skip();
    expect_stream("looped.sim", "", "Lf", "LfLfLfLfLfLfLfLfLfLf");
    expect_stream("looped.sim", "--unroll 1", "Lf", "LfLfLfLfLfLfLfLfLfLf");
    expect_stream("looped.sim", "--unroll 2", "Lf", "LLffLLffLLffLLffLLff");
    expect_stream("looped.sim", "--unroll 4", "Lf", "LfLfLLLLffffLLLLffff");
    expect_stream("looped.sim", "--unroll 16", "Lf", "LfLfLfLfLfLfLfLfLfLf");
}

static void loads_that_need_others_follow_them_all(void **state)
{
    (void)state;
    if (!capture_possible()) skip();
    expect_stream("gathered.sim", "", "Llf", "fLlfLlfLlfLlf");
    expect_stream("gathered.sim", "--unroll 4", "Llf", "fLLLLllllffff");
}

/* --- the same accesses --- */

static void add_accesses(struct accesses *a, const struct warp_inst *w)
{
    uint32_t k = 0;
    for (uint32_t lane = 0; lane < WARP_MAX_LANES; lane++) {
        if (!(w->mask >> lane & 1)) continue;
        assert_true(mem_grow(&a->at, &a->cap, a->n + 1, sizeof *a->at));
        a->at[a->n] = (struct lane_access){
            lane, w->si->cls, w->si->space, w->si->width, warp_inst_addr(w, k++), a->n};
        a->n++;
    }
}

static void read_warp(struct accesses *a, struct reader *r, uint32_t launch, uint64_t cta,
                      uint32_t warp)
{
    struct error e = {0};
    struct cursor c = {0};
    struct warp_inst w;
    enum got got;
    a->n = 0;
    assert_true(cursor_seek(&c, r, launch, cta, warp, 0, &e));
    while ((got = cursor_next(&c, &w, &e)) == GOT_INST)
        if (inst_has_addresses(w.si)) add_accesses(a, &w);
    assert_int_equal(got, GOT_END);
    cursor_release(&c);
}

static int by_lane_in_order(const void *x, const void *y)
{
    const struct lane_access *a = x, *b = y;
    if (a->lane != b->lane) return a->lane < b->lane ? -1 : 1;
    return (a->no > b->no) - (a->no < b->no);
}

static int by_lane_and_place(const void *x, const void *y)
{
    const struct lane_access *a = x, *b = y;
    if (a->lane != b->lane) return a->lane < b->lane ? -1 : 1;
    if (a->addr != b->addr) return a->addr < b->addr ? -1 : 1;
    if (a->cls != b->cls) return a->cls < b->cls ? -1 : 1;
    if (a->width != b->width) return a->width < b->width ? -1 : 1;
    return (a->space > b->space) - (a->space < b->space);
}

typedef int ordering(const void *, const void *);

static void expect_same(struct accesses *a, struct accesses *b, ordering *order, const char *what)
{
    if (a->n != b->n) fail_msg("%s: %zu accesses of a warp, unrolled %zu", what, a->n, b->n);
    if (a->n == 0) return;
    qsort(a->at, a->n, sizeof *a->at, order);
    qsort(b->at, b->n, sizeof *b->at, order);
    for (size_t i = 0; i < a->n; i++)
        if (by_lane_and_place(&a->at[i], &b->at[i]) != 0)
            fail_msg("%s: access %zu differs", what, i);
}

static void compare(const char *what, const char *unroll, ordering *order)
{
    struct error e = {0};
    struct accesses a = {0}, b = {0};
    capture_as("plain.plt", "", what);
    capture_as("unrolled.plt", unroll, what);
    struct program *p = capture_open(capture_path("plain.plt"), 0);
    struct program *q = capture_open(capture_path("unrolled.plt"), 0);
    struct reader *r = reader_new(p, &e), *s = reader_new(q, &e);
    assert_true(r && s);
    assert_int_equal(program_launches(p), program_launches(q));
    for (uint32_t i = 0; i < program_launches(p); i++) {
        const struct launch *l = program_launch(p, i);
        for (uint64_t k = 0; k < l->ctas * l->warps_per_cta; k++) {
            read_warp(&a, r, i, k / l->warps_per_cta, (uint32_t)(k % l->warps_per_cta));
            read_warp(&b, s, i, k / l->warps_per_cta, (uint32_t)(k % l->warps_per_cta));
            expect_same(&a, &b, order, what);
        }
    }
    mem_free(a.at);
    mem_free(b.at);
    reader_free(r);
    reader_free(s);
    program_close(p);
    program_close(q);
}

static void work_items_access_what_they_did(void **state)
{
    static const char *const programs[] = {
        "spmv rmat 8",    "pagerank rmat 7 1", "scalarproducts 4 4096",
        "atax 128 128",   "histogram 16384",   "laplace3d 64 16 8 1",
        "transpose 128",  "kmeans 1024 8 5 1", "stencil 32 32 8 1",
        "conv2d 64",      "matmul 128 1",      "lud 32",
        "nested.sim",     "mixed.sim",         "called.sim",
        "triangular.sim", "straight.sim",      "apart.sim",
        "looped.sim",     "counted.sim",       "gathered.sim"};
    (void)state;
    if (!capture_possible()) skip();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        compare(programs[i], "--unroll 4", by_lane_and_place);
        compare(programs[i], "--unroll 3 --registers 64", by_lane_and_place);
    }
}

/* Its store may change what the next round loads. */
static void a_store_in_the_loop_keeps_the_order(void **state)
{
    (void)state;
    if (!capture_possible()) skip();
    compare("bfs rmat 8", "--unroll 4", by_lane_in_order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_stand_first_where_no_store_forbids_it),
        cmocka_unit_test(loads_pass_writes_of_other_memory_but_no_barrier),
        cmocka_unit_test(rounds_of_a_loop_load_together),
        cmocka_unit_test(loads_that_need_others_follow_them_all),
        cmocka_unit_test(work_items_access_what_they_did),
        cmocka_unit_test(a_store_in_the_loop_keeps_the_order),
    };
    return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
