/* Generators: counts and addresses against closed forms, dependences that are real, random access.
 */
#include "tests/support/generator_refused.h"
#include "trace/plt/repack.h"
#include "trace/program/summary.h"

#include <unistd.h>

static struct program *open_config(const char *text, uint32_t width)
{
    struct error e;
    const char *path = scratch_path("generator.cfg");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    struct program *p = program_open(path, &(struct program_opts){.warp_width = width}, &e);
    check_ok(p, &e);
    unlink(path);
    return p;
}

static void summary_of(struct program_summary *s, const struct program *p)
{
    struct error e;
    check_ok(program_verify(p, &e), &e);
    check_ok(program_summarize(s, p, NULL, &e), &e);
}

static void stream_counts(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        uint64_t loads, arithmetic;
    } kernels[] = {{"copy", 1, 0}, {"scale", 1, 1}, {"add", 2, 1}, {"triad", 2, 1}};
    for (unsigned i = 0; i < 4; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "generator = \"stream\"; kernel = \"%s\"; ctas = 6; warps_per_cta = 2; iterations "
                 "= 5; unroll = 2;",
                 kernels[i].kernel);
        struct program *p = open_config(text, 32);
        struct program_summary s;
        summary_of(&s, p);
        uint64_t warps = 6 * 2, accesses = warps * 5 * 2;
        assert_int_equal(s.all.warps, warps);
        assert_int_equal(s.all.by_class[OP_LOAD], accesses * kernels[i].loads);
        assert_int_equal(s.all.by_class[OP_STORE], accesses);
        assert_int_equal(s.all.by_class[OP_FP32], accesses * kernels[i].arithmetic);
        assert_int_equal(s.all.by_class[OP_EXIT], warps);
        assert_int_equal(s.all.lanes, 32 * s.all.instructions);
        /* Every element of every array once: 32 lanes x 4 bytes are one line. */
        assert_int_equal(s.all.lines, accesses * (kernels[i].loads + 1));
        assert_int_equal(s.all.sectors, 4 * s.all.lines);
        program_summary_fini(&s);
        program_close(p);
    }
}

static void stream_wraps_at_its_footprint(void **state)
{
    (void)state;
    struct program *p =
        open_config("generator = \"stream\"; kernel = \"copy\"; ctas = 8; warps_per_cta = 4;"
                    "iterations = 16; footprint = \"32KB\"; element_bytes = 8;",
                    64);
    struct program_summary s;
    summary_of(&s, p);
    assert_int_equal(s.all.lines, 32768 / 128);
    assert_int_equal(s.all.by_class[OP_LOAD], 8 * 4 * 16);
    assert_int_equal(s.all.lanes, 64 * s.all.instructions);
    program_summary_fini(&s);
    program_close(p);
}

/* A load of 32 threads with stride s touches 32 / s runs of 128 bytes. */
static void stride_touches_as_many_lines(void **state)
{
    (void)state;
    for (uint32_t stride = 1; stride <= 32; stride *= 2) {
        char text[200];
        snprintf(text, sizeof text,
                 "generator = \"stride\"; stride = %u; ctas = 3; warps_per_cta = 2; iterations = "
                 "4; unroll = 2;",
                 stride);
        struct program *p = open_config(text, 32);
        struct program_summary s;
        summary_of(&s, p);
        uint64_t accesses = 3 * 2 * 4 * 2;
        assert_int_equal(s.all.by_class[OP_LOAD], accesses);
        assert_int_equal(s.all.lines, accesses * (32 / stride));
        assert_int_equal(s.all.sectors,
                         accesses * (32 / stride) * (stride * 4 < 32 ? 1 : stride * 4 / 32));
        program_summary_fini(&s);
        program_close(p);
    }
}

/* The address of every lane by Khairy's formula. */
static void stride_addresses(void **state)
{
    (void)state;
    struct error e;
    struct program *p = open_config(
        "generator = \"stride\"; stride = 4; ctas = 2; warps_per_cta = 2; iterations = 2;", 32);
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    check_ok(cursor_seek(&c, r, 0, 1, 1, 0, &e), &e);
    uint64_t region = 0, n = 0;
    while (cursor_next(&c, &w, &e) == GOT_INST) {
        if (w.si->cls != OP_LOAD) continue;
        for (uint32_t lane = 0; lane < 32; lane++) {
            uint64_t tid = 96 + lane;
            assert_int_equal(warp_inst_addr(&w, lane),
                             0x1000000000 + region + (tid / 4 * 32 + tid % 4) * 4);
        }
        region += 128 / 4 * 128;
        n++;
    }
    assert_int_equal(n, 2);
    cursor_release(&c);
    reader_free(r);
    program_close(p);
}

static void gather_stays_in_its_table(void **state)
{
    (void)state;
    struct program *p = open_config(
        "generator = \"gather\"; ctas = 8; warps_per_cta = 4; iterations = 32; footprint = 16384;",
        32);
    struct program_summary s;
    summary_of(&s, p);
    uint64_t accesses = 8 * 4 * 32;
    assert_int_equal(s.all.by_class[OP_LOAD], 2 * accesses);
    /* 32 indices are one line; 32,768 uniform draws miss none of the table's 128 lines. */
    assert_int_equal(s.all.lines, accesses + 16384 / 128);
    program_summary_fini(&s);
    program_close(p);
}

/* With exponent 1, rank r of n is drawn with probability log(1 + 1/r) / log(n + 1). */
static void zipf_has_its_shares(void **state)
{
    (void)state;
    struct error e;
    enum { N = 1024 };
    struct program *p =
        open_config("generator = \"gather\"; distribution = \"zipf\"; exponent = 1.0; ctas = 16;"
                    "warps_per_cta = 4; iterations = 100; footprint = 4096;",
                    32);
    static uint32_t seen[N];
    uint64_t draws = 0, most = 0;
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    for (uint64_t cta = 0; cta < 16; cta++)
        for (uint32_t warp = 0; warp < 4; warp++) {
            check_ok(cursor_seek(&c, r, 0, cta, warp, 0, &e), &e);
            while (cursor_next(&c, &w, &e) == GOT_INST)
                for (uint32_t lane = 0; w.si->cls == OP_LOAD && w.si->buffer == 2 && lane < 32;
                     lane++, draws++)
                    seen[warp_inst_addr(&w, lane) % 4096 / 4]++;
        }
    for (uint32_t i = 0; i < N; i++)
        if (seen[i] > most) most = seen[i];
    double share = (double)most / (double)draws, expected = 0.6931471805599453 / 6.9324478915726509;
    assert_true(share > 0.97 * expected && share < 1.03 * expected);
    cursor_release(&c);
    reader_free(r);
    program_close(p);
}

static uint32_t chase_once(const char *order, uint64_t *seen_lines)
{
    struct error e;
    char text[200];
    snprintf(
        text, sizeof text,
        "generator = \"pointer_chase\"; ctas = 1; warps_per_cta = 1; iterations = 64; unroll = 4;"
        "footprint = 32768; stride = 128; order = \"%s\";",
        order);
    struct program *p = open_config(text, 32);
    struct program_summary s;
    summary_of(&s, p);
    assert_int_equal(s.all.by_class[OP_LOAD], 256);
    *seen_lines = s.all.lines;
    program_summary_fini(&s);
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    uint32_t neighbours = 0;
    uint64_t before = 0;
    check_ok(cursor_seek(&c, r, 0, 0, 0, 0, &e), &e);
    while (cursor_next(&c, &w, &e) == GOT_INST) {
        if (w.si->cls != OP_LOAD) continue;
        assert_int_equal(w.mask, 1);
        assert_int_equal(w.si->n_src, 1);
        assert_int_equal(w.si->dst, w.si->src[0]); /* the load brings the next load's address */
        neighbours += warp_inst_addr(&w, 0) - before == 128;
        before = warp_inst_addr(&w, 0);
    }
    cursor_release(&c);
    reader_free(r);
    program_close(p);
    return neighbours;
}

static void chase_passes_every_node(void **state)
{
    (void)state;
    uint64_t lines;
    assert_int_equal(chase_once("sequential", &lines), 255);
    assert_int_equal(lines, 256);
    assert_int_equal(chase_once("scattered", &lines), 0);
    assert_int_equal(lines, 256);
}

/* A tree over T threads of W warps: log2 T levels; level with t threads busies t / 32 warps, at
 * least one. */
static void reduction_has_its_tree(void **state)
{
    (void)state;
    struct program *p =
        open_config("generator = \"reduction\"; ctas = 5; warps_per_cta = 8; iterations = 6;", 32);
    struct program_summary s;
    summary_of(&s, p);
    uint64_t levels = 8, busy = 4 + 2 + 1 + 1 + 1 + 1 + 1 + 1, ctas = 5, warps = 8;
    assert_int_equal(s.all.by_class[OP_BARRIER], ctas * warps * (levels + 1));
    assert_int_equal(s.all.by_class[OP_SHARED_LOAD], ctas * 2 * busy);
    assert_int_equal(s.all.by_class[OP_SHARED_STORE], ctas * (warps + busy));
    assert_int_equal(s.all.by_class[OP_LOAD], ctas * warps * 6);
    assert_int_equal(s.all.by_class[OP_STORE], ctas);
    assert_int_equal(s.all.lines, ctas * warps * 6 + 1);
    assert_int_equal(program_launch(p, 0)->shared_bytes, 256 * 4);
    program_summary_fini(&s);
    program_close(p);
}

/* Every use comes after what makes it: a source register was written before, or is never written.
 */
static void sources_are_written_before_use(void **state)
{
    (void)state;
    static const char *const names[] = {"stream",        "stride",    "gather",
                                        "pointer_chase", "reduction", "stencil",
                                        "matmul",        "handoff",   "synchronize"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        struct error e;
        char text[100];
        snprintf(text, sizeof text, "generator = \"%s\"; ctas = 1; iterations = 2; unroll = 3;",
                 names[i]);
        struct program *p = open_config(text, 32);
        struct reader *r = reader_new(p, &e);
        struct cursor c = {0};
        struct warp_inst w;
        bool written[256] = {0};
        uint32_t loads = 0;
        check_ok(cursor_seek(&c, r, 0, 0, 0, 0, &e), &e);
        while (cursor_next(&c, &w, &e) == GOT_INST) {
            for (uint32_t k = 0; k < w.si->n_src; k++) {
                uint16_t src = w.si->src[k];
                assert_true(src < program_launch(p, 0)->n_registers);
                if (w.si->cls == OP_LOAD || w.si->cls == OP_STORE) assert_true(written[src]);
            }
            if (w.si->dst != REG_NONE) written[w.si->dst] = true;
            loads += w.si->cls == OP_LOAD;
        }
        assert_true(loads >= 6);
        cursor_release(&c);
        reader_free(r);
        program_close(p);
    }
}

static uint32_t registers_of(const char *config)
{
    struct program *p = open_config(config, 32);
    uint32_t n = program_launch(p, 0)->registers_per_lane;
    assert_int_equal(n, program_launch(p, 0)->n_registers);
    program_close(p);
    return n;
}

/* Thread, CTA and counter take one register each, an address two, an element its bytes / 4. */
static void registers_are_dense(void **state)
{
    (void)state;
    const uint32_t common = 3;
    assert_int_equal(registers_of("generator = \"stream\"; kernel = \"triad\"; unroll = 2;"),
                     common + 3 * 2 + 2 * 2);
    assert_int_equal(registers_of("generator = \"stream\"; kernel = \"copy\"; unroll = 4;"
                                  "element_bytes = 16;"),
                     common + 2 * 2 + 4 * 4);
    /* index, its item's address and the item, per access; the sum; arrays' address */
    assert_int_equal(registers_of("generator = \"gather\"; unroll = 16;"),
                     common + 2 + 1 + 16 * (1 + 2 + 1));
}

/* Long kernels have seek points; standing at one equals getting there, and counts agree. */
static void segments_are_made_on_their_own(void **state)
{
    (void)state;
    struct error e;
    struct program *p = open_config(
        "generator = \"gather\"; ctas = 3; warps_per_cta = 2; iterations = 3000; unroll = 2;", 32);
    uint32_t segments = program_segments(p, 0, 2);
    assert_true(segments > 3);
    struct reader *r = reader_new(p, &e);
    struct cursor walk = {0}, jump = {0};
    struct warp_inst a, b;
    check_ok(cursor_seek(&walk, r, 0, 2, 1, 0, &e), &e);
    for (uint32_t s = 1; s < segments; s++) {
        check_ok(cursor_seek(&jump, r, 0, 2, 1, s, &e), &e);
        assert_int_equal(2 * jump.done, program_segment_start(p, 0, 2, s)); /* two equal warps */
        cursor_skip(&walk, jump.done - walk.done, &e);
        for (unsigned i = 0; i < 50; i++) {
            struct event want;
            assert_int_equal(cursor_next(&walk, &a, &e), GOT_INST);
            event_of(&want, &a);
            assert_int_equal(cursor_next(&jump, &b, &e), GOT_INST);
            assert_event(&want, &b);
        }
    }
    cursor_release(&walk);
    cursor_release(&jump);
    reader_free(r);
    program_close(p);
}

static void repacked_equals_generated(void **state)
{
    (void)state;
    struct error e;
    const char *path = scratch_path("repacked.plt");
    struct program *p =
        open_config("generator = \"reduction\"; ctas = 7; iterations = 3; launches = 2;", 64);
    check_ok(program_repack(p, path, "generator", &e), &e);
    struct program *q = program_open(path, NULL, &e);
    check_ok(q, &e);
    struct program_summary a, b;
    summary_of(&a, p);
    summary_of(&b, q);
    assert_int_equal(program_launches(q), 2);
    assert_memory_equal(&a.all, &b.all, offsetof(struct kernel_summary, touched));
    program_summary_fini(&a);
    program_summary_fini(&b);
    program_close(p);
    program_close(q);
    unlink(path);
}

static struct digest digest_of(const char *text, uint32_t width)
{
    struct program *p = open_config(text, width);
    struct digest d = program_digest(p);
    program_close(p);
    return d;
}

static void digest_is_of_the_parameters(void **state)
{
    (void)state;
    const char *plain = "generator = \"gather\"; ctas = 4;";
    struct digest d = digest_of(plain, 32);
    assert_true(
        digest_equal(d, digest_of("ctas = 4; generator = \"gather\"; // same\nunroll = 1;", 32)));
    assert_false(digest_equal(d, digest_of("generator = \"gather\"; ctas = 4; seed = 2;", 32)));
    assert_false(digest_equal(d, digest_of(plain, 64)));
}

static void wrong_parameters_are_refused(void **state)
{
    (void)state;
    static const struct refused wrong[] = {
        {"generator = \"strem\";", "allowed are \"stream\""},
        {"ctas = 3;", "no generator is named"},
        {"generator = \"stream\";\nctas = 0;", ":2: ctas is out of range; allowed are 1 to"},
        {"generator = \"stream\";\nctas = \"many\";", ":2: ctas"},
        {"generator = \"stream\";\nunrol = 2;", "did you mean unroll"},
        {"generator = \"stream\";\nstride = 2;", "no parameter stride"},
        {"generator = \"stream\"; kernel = \"quad\";", "\"triad\""},
        {"generator = \"stream\"; element_bytes = 3;", "allowed are 1, 2, 4, 8, 16"},
        {"generator = \"stream\"; footprint = 64;", "one warp's elements"},
        {"generator = \"stream\"; footprint = \"64 lightyears\";", "a size such as"},
        {"generator = \"stream\"; warp_width = 48;", "allowed are 32 and 64"},
        {"generator = \"stride\"; stride = 3;", "1, 2, 4, 8, 16, 32"},
        {"generator = \"reduction\"; warps_per_cta = 3;", "power of two"},
        {"generator = \"pointer_chase\"; footprint = 64; stride = 128;", "at least one node"},
        {"generator = \"gather\"; exponent = 99.0;", "out of range"},
        {"generator = \"gather\"; exponent = \"big\";", "a number"},
    };
    check_refused(wrong, sizeof wrong / sizeof *wrong);
}

/* 64 lanes in the configuration, 32 in the machine: the same threads in twice as many warps. */
static void width_follows_the_machine(void **state)
{
    (void)state;
    const char *text =
        "generator = \"stream\"; warp_width = 64; ctas = 2; warps_per_cta = 3; iterations = 2;";
    struct program *wide = open_config(text, 64), *narrow = open_config(text, 32);
    assert_int_equal(program_launch(wide, 0)->warps_per_cta, 3);
    assert_int_equal(program_launch(narrow, 0)->warps_per_cta, 6);
    struct program_summary a, b;
    summary_of(&a, wide);
    summary_of(&b, narrow);
    assert_int_equal(a.all.lanes, b.all.lanes);
    assert_int_equal(a.all.lines, b.all.lines);
    program_summary_fini(&a);
    program_summary_fini(&b);
    program_close(wide);
    program_close(narrow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_counts),
        cmocka_unit_test(stream_wraps_at_its_footprint),
        cmocka_unit_test(stride_touches_as_many_lines),
        cmocka_unit_test(stride_addresses),
        cmocka_unit_test(gather_stays_in_its_table),
        cmocka_unit_test(zipf_has_its_shares),
        cmocka_unit_test(chase_passes_every_node),
        cmocka_unit_test(reduction_has_its_tree),
        cmocka_unit_test(sources_are_written_before_use),
        cmocka_unit_test(registers_are_dense),
        cmocka_unit_test(segments_are_made_on_their_own),
        cmocka_unit_test(repacked_equals_generated),
        cmocka_unit_test(digest_is_of_the_parameters),
        cmocka_unit_test(wrong_parameters_are_refused),
        cmocka_unit_test(width_follows_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
