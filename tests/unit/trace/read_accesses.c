/* Readers of accesses to global memory alone: the sources that make their streams leave out the
 * addresses of all others, and nothing else. */
#include "base/text/name_list.h"
#include "tests/support/trace_support.h"
#include "trace/program/catalog.h"
#include "trace/program/cursor.h"

#include <string.h>

enum { WARPS = 3, MOST = 20000 /* accesses of a warp that are compared */ };

struct pair {
    struct reader *whole, *narrow;
    struct cursor a, b;
};

static void compare_access(const struct warp_inst *x, const struct warp_inst *y)
{
    assert_int_equal(x->code, y->code);
    assert_true(x->mask == y->mask);
    for (uint32_t k = 0; k < (uint32_t)__builtin_popcountll(x->mask); k++)
        assert_true(warp_inst_addr(x, k) == warp_inst_addr(y, k));
}

static uint32_t compare_warp(struct pair *p, uint32_t launch, uint64_t cta, uint32_t warp,
                             uint32_t segment)
{
    struct error e = {0};
    struct warp_inst x, y;
    uint32_t n = 0;
    check_ok(cursor_seek(&p->a, p->whole, launch, cta, warp, segment, &e), &e);
    check_ok(cursor_seek(&p->b, p->narrow, launch, cta, warp, segment, &e), &e);
    while (n < MOST) {
        enum got got = cursor_next_access(&p->a, &x, &e);
        assert_int_equal(cursor_next_access(&p->b, &y, &e), got);
        assert_true(p->a.done == p->b.done);
        assert_int_not_equal(got, GOT_ERROR);
        if (got == GOT_END) break;
        compare_access(&x, &y);
        n++;
    }
    return n;
}

static uint32_t compare_launch(const struct program *p, struct pair *r, uint32_t launch)
{
    uint32_t n = 0;
    const struct launch *l = program_launch(p, launch);
    uint64_t ctas[] = {0, l->ctas / 2, l->ctas - 1};
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t w = 0; w < WARPS; w++)
            n += compare_warp(r, launch, ctas[i], w * (l->warps_per_cta - 1) / (WARPS - 1),
                              program_segments(p, launch, ctas[i]) / 2);
    return n;
}

static uint32_t compare_program(const char *name)
{
    struct error e = {0};
    struct program *p = program_open(name, &(struct program_opts){0}, &e);
    check_ok(p, &e);
    struct pair r = {.whole = reader_new(p, &e), .narrow = reader_new_accesses(p, &e)};
    check_ok(r.whole && r.narrow, &e);
    uint32_t launches = program_launches(p), step = launches / 8 + 1, n = 0;
    for (uint32_t i = 0; i < launches; i += step)
        n += compare_launch(p, &r, i);
    cursor_release(&r.a);
    cursor_release(&r.b);
    reader_free(r.whole);
    reader_free(r.narrow);
    program_close(p);
    return n;
}

/* Every program that comes with plumb but the long ones, which are the same generators. */
static void a_narrow_reader_delivers_the_same_accesses(void **state)
{
    (void)state;
    struct name_list names;
    struct error e = {0};
    check_ok(catalog_names(&names, &e), &e);
    assert_true(names.n > 50);
    uint64_t n = 0;
    for (size_t i = 0; i < names.n; i++)
        if (strncmp(names.item[i], "long/", 5) != 0) n += compare_program(names.item[i]);
    name_list_fini(&names);
    assert_true(n > 100000);
}

/* What only shared memory reads has no addresses in such a stream, which is what makes it cheap. */
static void a_narrow_stream_has_no_shared_addresses(void **state)
{
    (void)state;
    struct error e = {0};
    struct program *p = program_open("tiled_matmul", &(struct program_opts){0}, &e);
    check_ok(p, &e);
    struct reader *r = reader_new_accesses(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    uint32_t shared = 0;
    check_ok(cursor_seek(&c, r, 0, 0, 0, 0, &e), &e);
    while (cursor_next(&c, &w, &e) == GOT_INST) {
        bool global = inst_op_is_global(w.si->cls) && w.mask;
        assert_int_equal(w.form != ADDR_NONE, global);
        shared += w.si->space == SPACE_SHARED;
    }
    assert_true(shared > 1000);
    cursor_release(&c);
    reader_free(r);
    program_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_narrow_reader_delivers_the_same_accesses),
        cmocka_unit_test(a_narrow_stream_has_no_shared_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
