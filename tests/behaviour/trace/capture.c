/* Captures of the same program in different ways agree: by halves with half as wide, a range of
 * CTAs with the whole, one run with the next. */
#include "tests/support/capture_run.h"

struct side {
    struct program *p;
    struct reader *r;
    struct cursor c;
    uint64_t first_cta;
};

static void side_open(struct side *s, const char *name, uint32_t width, uint64_t first_cta)
{
    struct error e = {0};
    *s = (struct side){.p = capture_open(capture_path(name), width), .first_cta = first_cta};
    s->r = reader_new(s->p, &e);
    assert_non_null(s->r);
}

static void side_close(struct side *s)
{
    cursor_release(&s->c);
    reader_free(s->r);
    program_close(s->p);
}

/* Private arrays lie between each other by the lanes of a warp: their addresses depend on its
 * width. */
static bool same_place(const struct warp_inst *x, const struct warp_inst *y, bool same_width)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(x->mask);
    if (x->si->space == SPACE_NONE || (x->si->space == SPACE_LOCAL && !same_width)) return true;
    for (uint32_t k = 0; k < lanes; k++)
        if (warp_inst_addr(x, k) != warp_inst_addr(y, k)) return false;
    return true;
}

static bool same_inst(const struct warp_inst *x, const struct warp_inst *y, bool same_width)
{
    const struct static_inst *a = x->si, *b = y->si;
    bool source = a->n_src == b->n_src;
    for (uint8_t k = 0; source && k < a->n_src; k++)
        source = a->src[k] == b->src[k];
    return a->pc == b->pc && a->cls == b->cls && a->space == b->space && a->width == b->width &&
           a->dst == b->dst && a->buffer == b->buffer && source && x->mask == y->mask &&
           same_place(x, y, same_width);
}

/* The number of instructions compared. */
static uint64_t compare_warp(struct side *a, struct side *b, uint32_t launch, uint64_t cta,
                             uint32_t warp)
{
    struct error e = {0};
    struct warp_inst x, y;
    bool same_width = program_source_width(a->p) == program_source_width(b->p);
    assert_true(cursor_seek(&a->c, a->r, launch, a->first_cta + cta, warp, 0, &e));
    assert_true(cursor_seek(&b->c, b->r, launch, b->first_cta + cta, warp, 0, &e));
    for (uint64_t n = 0;; n++) {
        enum got more = cursor_next(&a->c, &x, &e);
        assert_int_equal(cursor_next(&b->c, &y, &e), more);
        if (more != GOT_INST) return n;
        if (!same_inst(&x, &y, same_width))
            fail_msg("%s: launch %u, CTA %llu, warp %u: instruction %llu differs",
                     program_name(a->p), launch, (unsigned long long)cta, warp,
                     (unsigned long long)n);
    }
}

/* `a` holds the CTAs of `b` or more. */
static void compare_all(struct side *a, struct side *b)
{
    uint64_t n = 0;
    assert_int_equal(program_launches(a->p), program_launches(b->p));
    for (uint32_t i = 0; i < program_launches(b->p); i++) {
        const struct launch *l = program_launch(b->p, i);
        assert_string_equal(l->name, program_launch(a->p, i)->name);
        assert_int_equal(l->warps_per_cta, program_launch(a->p, i)->warps_per_cta);
        for (uint64_t cta = 0; cta < l->ctas; cta++)
            for (uint32_t warp = 0; warp < l->warps_per_cta; warp++)
                n += compare_warp(a, b, i, cta, warp);
    }
    assert_true(n > 100);
}

static const char *const programs[] = {
    "bfs rmat 8",     "spmv grid 6", "lud 32",   "histogram 16384", "color rmat 6",
    "hotspot 32 2 1", "nested.sim",  "left.sim", "called.sim",      "mixed.sim"};
enum { N_PROGRAMS = sizeof programs / sizeof *programs };

static void wide_captures_by_halves_are_narrow_ones(void **state)
{
    (void)state;
    if (!capture_possible()) skip();
    for (int i = 0; i < N_PROGRAMS; i++) {
        struct side wide, narrow;
        capture_run(capture_path("wide.plt"), "", "--width 64", programs[i]);
        capture_run(capture_path("narrow.plt"), "", "--width 32", programs[i]);
        side_open(&wide, "wide.plt", 32, 0);
        side_open(&narrow, "narrow.plt", 32, 0);
        compare_all(&wide, &narrow);
        compare_all(&narrow, &wide);
        side_close(&wide);
        side_close(&narrow);
    }
}

static void a_range_of_ctas_is_that_part_of_the_whole(void **state)
{
    (void)state;
    if (!capture_possible()) skip();
    static const char *const part[] = {"hotspot 64 2 1", "matmul 128 1", "called.sim", "mixed.sim"};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        struct side whole, some;
        const char *ctas = strstr(part[i], "mixed") ? "--ctas 1" : "--ctas 1-2";
        capture_run(capture_path("whole.plt"), "", "", part[i]);
        capture_run(capture_path("some.plt"), "", ctas, part[i]);
        side_open(&whole, "whole.plt", 0, 1);
        side_open(&some, "some.plt", 0, 0);
        const struct launch *l = program_launch(some.p, 0);
        assert_true(l->ctas < program_launch(whole.p, 0)->ctas);
        assert_non_null(strstr(l->header, "ctas = 1-"));
        assert_non_null(strstr(program_note(some.p), ctas + strlen("--ctas ")));
        compare_all(&whole, &some);
        side_close(&whole);
        side_close(&some);
    }
}

static void captures_are_the_same_byte_by_byte(void **state)
{
    (void)state;
    if (!capture_possible()) skip();
    char command[300];
    snprintf(command, sizeof command, "cmp '%s' '%s'", capture_path("one.plt"),
             capture_path("two.plt"));
    for (int i = 0; i < N_PROGRAMS; i++) {
        capture_run(capture_path("one.plt"), "", "", programs[i]);
        capture_run(capture_path("two.plt"), "", "", programs[i]);
        assert_int_equal(system(command), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_captures_by_halves_are_narrow_ones),
        cmocka_unit_test(a_range_of_ctas_is_that_part_of_the_whole),
        cmocka_unit_test(captures_are_the_same_byte_by_byte),
    };
    return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}
