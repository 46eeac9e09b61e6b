/* Generators of microbenchmarks: which addresses their threads touch, against closed forms. */
#include "tests/support/trace_support.h"
#include "trace/program/cursor.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

struct touched {
    uint64_t load[MOST], store[MOST];
    uint32_t loads, stores;
};

static struct program *open_text(const char *text)
{
    struct error e = {0};
    struct program *p =
        program_generate("microbenchmark", text, &(struct program_opts){.warp_width = 32}, &e);
    check_ok(p, &e);
    return p;
}

/* The addresses of one CTA's accesses, warp after warp, lane after lane. */
static void read_cta(const struct program *p, uint64_t cta, struct touched *t)
{
    struct error e = {0};
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    check_ok(r, &e);
    t->loads = t->stores = 0;
    for (uint32_t warp = 0; warp < program_launch(p, 0)->warps_per_cta; warp++) {
        check_ok(cursor_seek(&c, r, 0, cta, warp, 0, &e), &e);
        while (cursor_next(&c, &w, &e) == GOT_INST)
            for (uint32_t k = 0; k < (uint32_t)__builtin_popcountll(w.mask); k++) {
                if (w.si->cls == OP_LOAD && t->loads < MOST)
                    t->load[t->loads++] = warp_inst_addr(&w, k);
                if (w.si->cls == OP_STORE && t->stores < MOST)
                    t->store[t->stores++] = warp_inst_addr(&w, k);
            }
    }
    cursor_release(&c);
    reader_free(r);
}

/* Every round visits every node once, two rounds visit them in the same order, and neighbours in
 * the order are no neighbours in memory. */
static void a_random_ring_is_one_cycle(void **state)
{
    (void)state;
    static struct touched t;
    static const uint32_t nodes[] = {1, 2, 3, 16, 17, 1000, 1024, 4097};
    for (unsigned i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        char text[256];
        uint32_t n = nodes[i], next = 0;
        snprintf(text, sizeof text,
                 "generator = \"pointer_chase\"; order = \"random\"; ctas = 1; warps_per_cta = 1; "
                 "stride = 128; footprint = %u; iterations = %u;",
                 n * 128, 2 * n);
        struct program *p = open_text(text);
        read_cta(p, 0, &t);
        assert_int_equal(t.loads, 2 * n);
        bool *seen = calloc(n, sizeof *seen);
        for (uint32_t k = 0; k < n; k++) {
            uint64_t node = (t.load[k] - t.load[0] + 128 * (uint64_t)n) / 128 % n;
            assert_false(seen[node]);
            seen[node] = true;
            assert_int_equal(t.load[k], t.load[n + k]);
            next += k > 0 && t.load[k] == t.load[k - 1] + 128;
        }
        if (n > 100) assert_in_range(next, 0, n / 50);
        free(seen);
        program_close(p);
    }
}

/* A thread's element of every array, 64 elements and those to skip behind the array's beginning,
 * and its neighbours. */
static void elementwise_kernels_touch_their_elements(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        uint32_t loads, arrays, stores;
    } kernels[] = {{"init", 0, 0, 1},  {"read", 1, 1, 0}, {"scale", 1, 1, 1},
                   {"triad", 3, 3, 1}, {"3pt", 3, 1, 1},  {"5pt", 5, 1, 1}};
    static struct touched t;
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char text[256];
        unsigned skip = 1000 * i;
        snprintf(
            text, sizeof text,
            "generator = \"elementwise\"; kernel = \"%s\"; ctas = 3; warps_per_cta = 2; "
            "block_threads = 48; element_bytes = 8; array_bytes = 4194304; shared_bytes = 512; "
            "skip = %u;",
            kernels[i].kernel, skip);
        struct program *p = open_text(text);
        const struct launch *l = program_launch(p, 0);
        assert_int_equal(l->block[0], 48);
        assert_int_equal(l->shared_bytes, 512);
        read_cta(p, 2, &t);
        assert_int_equal(t.loads, 48 * kernels[i].loads);
        assert_int_equal(t.stores, 48 * kernels[i].stores);
        uint64_t element = (64 + skip + 2 * 48) * 8; /* of the CTA's first thread */
        for (uint32_t k = 0; k < 48 * kernels[i].stores; k++)
            assert_int_equal(t.store[k], UINT64_C(0x1000000000) + 4194304 * kernels[i].arrays +
                                             element + 8 * k);
        for (uint32_t k = 0; k < kernels[i].loads; k++) {
            uint64_t array = kernels[i].arrays > 1 ? 4194304 * k : 0;
            int64_t away = kernels[i].arrays > 1 ? 0 : 8 * ((int64_t)k - kernels[i].loads / 2);
            uint64_t want = UINT64_C(0x1000000000) + array + element + (uint64_t)away;
            assert_int_equal(t.load[32 * k], want); /* the first warp */
            assert_int_equal(t.load[32 * kernels[i].loads + 16 * k], want + 256); /* the second */
        }
        program_close(p);
    }
}

/* CTA i reads every element of block i mod R once a round. */
static void blocks_are_read_whole(void **state)
{
    (void)state;
    static struct touched t;
    static const char *const orders[] = {"interleaved", "apart"};
    for (unsigned o = 0; o < 2; o++) {
        char text[256];
        bool seen[3 * 4096] = {0};
        snprintf(
            text, sizeof text,
            "generator = \"block_read\"; order = \"%s\"; ctas = 5; warps_per_cta = 2; blocks = 3; "
            "footprint = 98304; element_bytes = 8; unroll = 2; iterations = 16;",
            orders[o]);
        struct program *p = open_text(text);
        for (uint64_t cta = 0; cta < 3; cta++) {
            read_cta(p, cta, &t);
            assert_int_equal(t.loads, 4096);
            for (uint32_t k = 0; k < t.loads; k++) {
                uint64_t element = (t.load[k] - UINT64_C(0x1000000000)) / 8;
                assert_in_range(element, 0, 3 * 4096 - 1);
                assert_false(seen[element]);
                seen[element] = true;
            }
        }
        static struct touched again;
        read_cta(p, 0, &t);
        read_cta(p, 3, &again);
        assert_memory_equal(t.load, again.load, t.loads * sizeof *t.load);
        program_close(p);
    }
}

static void offsets_repeat_after_their_period(void **state)
{
    (void)state;
    static struct touched t;
    struct program *p = open_text("generator = \"offset_read\"; ctas = 1; warps_per_cta = 4; "
                                  "stride = 5; unroll = 8; iterations = 2; element_bytes = 4;");
    read_cta(p, 0, &t);
    assert_int_equal(t.loads, 4 * 32 * 8 * 2);
    for (uint32_t warp = 0; warp < 4; warp++)
        for (uint32_t access = 0; access < 16; access++)
            for (uint32_t lane = 0; lane < 32; lane++)
                assert_int_equal(t.load[(warp * 16 + access) * 32 + lane],
                                 UINT64_C(0x1000000000) +
                                     4 * ((warp * 32 + lane) % 64 * 5 + access % 8 * 4));
    program_close(p);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } wrong[] = {
        {"generator = \"elementwise\"; block_threads = 300;", "block_threads = 300"},
        {"generator = \"elementwise\"; array_bytes = 4096;", "array_bytes = 4096"},
        {"generator = \"elementwise\"; array_bytes = 4194304; skip = 1048576;", "the launch needs"},
        {"generator = \"elementwise\"; unroll = 5;", "unroll = 5"},
        {"generator = \"block_read\"; footprint = 1000;", "footprint = 1000"},
        {"generator = \"block_read\"; unroll = 9;", "unroll = 9"},
        {"generator = \"offset_read\"; period = 0;", "period is out of range"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error e = {0};
        assert_null(program_generate("wrong", wrong[i].text, NULL, &e));
        assert_int_equal(e.kind, ERROR_INPUT);
        assert_non_null(strstr(e.text, wrong[i].error));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_ring_is_one_cycle),
        cmocka_unit_test(elementwise_kernels_touch_their_elements),
        cmocka_unit_test(blocks_are_read_whole),
        cmocka_unit_test(offsets_repeat_after_their_period),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
