/* Do the sets of CTAs per page hold what an independent walk finds, do launches get the formation
 * that the thesis draws, and do limits end the reading? */
#include "trace/analysis/page_sharing.h"
#include "tests/support/touched_pages.h"
#include "tests/support/written.h"
#include "trace/program/cursor.h"
#include "trace/program/summary.h"

static const struct page_limits no_limits = {1 << 30, UINT64_MAX, UINT64_MAX, UINT64_MAX};

/* --- the walk --- */

enum { ARRAY_SHIFT = 21 }; /* generators' arrays lie at multiples of 2 MiB from 2^36 on */

/* Of arrays of up to 1 MB: 256 pages of 4 KB each, side by side in the table. */
static uint64_t table_addr(uint64_t addr)
{
    uint64_t from = addr - (UINT64_C(1) << 36);
    return (from >> ARRAY_SHIFT << 20) + (from & ((1 << ARRAY_SHIFT) - 1));
}

static struct touched_pages *walk(const struct program *p, uint32_t launch)
{
    struct error e = {0};
    struct cursor c = {0};
    struct warp_inst w;
    struct reader *r = reader_new(p, &e);
    const struct launch *l = program_launch(p, launch);
    struct touched_pages *t = touched_pages_new(4096, (uint32_t)l->ctas);
    for (uint32_t cta = 0; cta < t->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            assert_true(cursor_seek(&c, r, launch, cta, warp, 0, &e));
            while (cursor_next(&c, &w, &e) == GOT_INST)
                for (uint32_t i = 0;
                     inst_op_is_global(w.si->cls) && i < (uint32_t)__builtin_popcountll(w.mask);
                     i++)
                    touched_pages_add(t, cta, table_addr(warp_inst_addr(&w, i)), w.si->width);
        }
    cursor_release(&c);
    reader_free(r);
    return t;
}

static uint32_t parts_in_set(const struct page_sets *s, const struct page_set *p, uint32_t cta)
{
    for (uint32_t r = p->first_run; r < p->first_run + p->n_runs; r++)
        if (s->run[r].first <= cta && cta <= s->run[r].last) return s->run[r].parts;
    return 0;
}

static void assert_same_page(const struct page_sets *s, const struct page_set *p,
                             const struct touched_pages *t)
{
    uint32_t at = (uint32_t)(table_addr(p->number * 4096) / 4096), ctas = 0;
    assert_true(at < TABLE_PAGES);
    for (uint32_t c = 0; c < t->ctas; c++) {
        assert_int_equal(parts_in_set(s, p, c), touched_parts(t, at, c));
        ctas += t->parts[at][c] != 0;
    }
    assert_int_equal(p->ctas, ctas);
    for (uint32_t r = p->first_run + 1; r < p->first_run + p->n_runs; r++)
        assert_true(
            s->run[r - 1].last + 1 < s->run[r].first ||
            (s->run[r - 1].last < s->run[r].first && s->run[r - 1].parts != s->run[r].parts));
}

static struct page_sets collect(const struct program *p, uint32_t page_bytes,
                                const struct page_limits *limits)
{
    struct error e = {0};
    struct page_sets s;
    struct reader *r = reader_new(p, &e);
    if (!page_sets_collect(&s, p, r, 0, page_bytes, limits, NULL, &e)) fail_msg("%s", e.text);
    reader_free(r);
    return s;
}

static void assert_sets_of(const char *text)
{
    struct program *p = run_program(text, 32);
    struct touched_pages *t = walk(p, 0);
    struct page_sets s = collect(p, 4096, &no_limits);
    uint32_t pages = 0;
    for (uint32_t i = 0; i < TABLE_PAGES; i++) {
        bool any = false;
        for (uint32_t c = 0; c < t->ctas; c++)
            any = any || t->parts[i][c];
        pages += any;
    }
    assert_int_equal(s.ctas, t->ctas);
    assert_int_equal(s.n_pages, pages);
    assert_true(pages > 10);
    for (uint32_t i = 0; i < s.n_pages; i++)
        assert_same_page(&s, &s.page[i], t);
    page_sets_fini(&s);
    mem_free(t);
    program_close(p);
}

static void sets_are_those_of_a_walk(void **state)
{
    (void)state;
    assert_sets_of("generator = \"gather\"; footprint = \"512KB\"; ctas = 40; warps_per_cta = 2;"
                   " iterations = 6; unroll = 2;");
    assert_sets_of("generator = \"transpose\"; n = 256; ctas = 16;");
    assert_sets_of("generator = \"stream\"; kernel = \"copy\"; ctas = 100; warps_per_cta = 2; "
                   "iterations = 5;");
}

/* --- formations of programs --- */

/* Figure 34 as a program: CTAs of 32 by 2 threads with 16 bytes each tile a matrix of two CTAs'
 * width; a row of 1 KB is a page. */
static struct program *figure_34(void)
{
    struct written t = written_begin(32);
    struct error e = {0};
    const struct launch l = {.name = "cenergy", .grid = {2, 2, 1}, .block = {32, 2, 1}};
    assert_true(writer_launch_begin(t.w, &l, &e));
    const struct static_inst store = {
        .cls = OP_STORE, .space = SPACE_GLOBAL, .width = 16, .dst = REG_NONE};
    const struct static_inst end = {.pc = 8, .cls = OP_EXIT, .dst = REG_NONE};
    for (uint32_t c = 0; c < 4; c++) {
        assert_true(writer_cta_begin(t.w, &e));
        for (uint32_t warp = 0; warp < 2; warp++) {
            uint64_t addr[32];
            for (uint32_t i = 0; i < 32; i++)
                addr[i] = 0x10000 + UINT64_C(1024) * (2 * (c / 2) + warp) + 512 * (c % 2) + 16 * i;
            assert_true(
                writer_inst(t.w, warp, writer_code(t.w, &store, NULL), UINT32_MAX, addr, &e));
            assert_true(writer_inst(t.w, warp, writer_code(t.w, &end, NULL), UINT32_MAX, NULL, &e));
        }
        assert_true(writer_cta_end(t.w, &e));
    }
    assert_true(writer_launch_end(t.w, &e));
    return written_end(&t);
}

static void figure_34_has_stride_two(void **state)
{
    (void)state;
    struct error e = {0};
    struct batch_formation f;
    struct program *p = figure_34();
    assert_true(page_sharing_stride(p, 0, 1024, &f, &e));
    assert_int_equal(f.kind, BATCH_STRIDE);
    print_message("TEMP-EX-FIG34,%u\n", f.stride); /* papers/mao/studies/temp-examples.sh */
    assert_int_equal(f.stride, 2);
    /* All four share the only page of 4 KB. */
    assert_true(page_sharing_stride(p, 0, 4096, &f, &e));
    assert_int_equal(f.stride, 1);
    program_close(p);
}

static void pages_of_a_stream_belong_to_one_batch(void **state)
{
    (void)state;
    struct error e = {0};
    struct program_summary k;
    struct page_sharing s;
    struct program *p = run_program(
        "generator = \"stream\"; kernel = \"copy\"; ctas = 64; warps_per_cta = 8; iterations = 4;",
        32);
    assert_true(program_summarize(&k, p, NULL, &e));
    assert_true(page_sharing_collect(&s, p, &k, 4096, NULL, &e));
    assert_int_equal(s.kernel[0].formation.kind, BATCH_STRIDE);
    assert_int_equal(s.kernel[0].formation.stride, 4);
    assert_int_equal(s.kernel[0].launches, 1);
    assert_int_equal(s.kernel[0].ctas, 64);
    assert_int_equal(s.all.all.pages, k.all.pages);
    assert_int_equal(s.all.all.by_sharer[SHARER_ONE], k.all.pages);
    assert_int_equal(s.all.strided.by_distance[0], k.all.pages);
    page_sharing_fini(&s);
    program_summary_fini(&k);
    program_close(p);
}

/* --- limits --- */

static void limits_end_the_reading(void **state)
{
    (void)state;
    struct program *p =
        run_program("generator = \"stream\"; kernel = \"copy\"; ctas = 64; warps_per_cta = 2;"
                    " iterations = 4; unroll = 1;",
                    32);
    struct page_limits m = no_limits;
    m.ctas = 10;
    struct page_sets s = collect(p, 4096, &m);
    assert_int_equal(s.ctas, 10);
    page_sets_fini(&s);
    m = no_limits;
    m.accesses = 17; /* a CTA has 2 warps x 4 rounds x 2 arrays = 16 */
    s = collect(p, 4096, &m);
    assert_int_equal(s.ctas, 2);
    page_sets_fini(&s);
    m = no_limits;
    m.runs = 1;
    s = collect(p, 4096, &m);
    assert_true(s.ctas > 1 && s.ctas < 64);
    page_sets_fini(&s);
    m = no_limits;
    m.ctas = 0;
    s = collect(p, 4096, &m);
    assert_int_equal(s.ctas, 1);
    page_sets_fini(&s);
    program_close(p);
}

static void failed_allocations_are_said(void **state)
{
    (void)state;
    struct error e = {0};
    struct batch_formation f;
    struct program *p = figure_34();
    unsigned nth = 1;
    for (bool ok = false; !ok; nth++) {
        shim_fail_after(SHIM_ALLOC, nth);
        ok = page_sharing_stride(p, 0, 1024, &f, &e);
        shim_fail_after(SHIM_ALLOC, 0);
    }
    assert_true(nth > 6);
    assert_int_equal(f.stride, 2);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_those_of_a_walk),
        cmocka_unit_test(figure_34_has_stride_two),
        cmocka_unit_test(pages_of_a_stream_belong_to_one_batch),
        cmocka_unit_test(limits_end_the_reading),
        cmocka_unit_test(failed_allocations_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
