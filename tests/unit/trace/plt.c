/* What goes into a .plt file comes out: random streams, both widths, every address form, every seek
 * point. */
#include "tests/support/trace_support.h"

#include <string.h>
#include <unistd.h>

enum { CTAS = 4, MAX_WARPS = 2, N_CODE = 200 };

struct sample {
    uint32_t width, warps;
    bool deep; /* long enough for several segments per CTA */
    struct stream stream[CTAS][MAX_WARPS];
    bool addressed[N_CODE + 2];
    uint32_t barrier, exit;
};

static uint32_t add_code(struct writer *w, struct sample *s)
{
    for (uint32_t i = 0; i < N_CODE; i++) {
        struct static_inst si = {.pc = 16 * i, .cls = OP_INT, .dst = REG_NONE};
        s->addressed[i] = i % 3 == 0 || i > 150;
        if (s->addressed[i]) {
            si.cls = i % 2 ? OP_LOAD : OP_SHARED_STORE;
            si.space = i % 2 ? SPACE_GLOBAL : SPACE_SHARED;
            si.width = 4;
        }
        assert_int_equal(writer_code(w, &si, i % 5 ? "OP.X" : NULL), i);
        assert_int_equal(writer_code(w, &si, i % 5 ? "OP.X" : NULL), i);
    }
    struct static_inst bar = {.pc = 9000, .cls = OP_BARRIER, .dst = REG_NONE}, exit = bar;
    exit.cls = OP_EXIT;
    s->barrier = writer_code(w, &bar, "BAR");
    s->exit = writer_code(w, &exit, "EXIT");
    return s->exit;
}

/* Strides, two-level patterns, repeats, wild lists. */
static void random_addresses(struct rng *r, uint64_t *a, uint32_t lanes, uint64_t step)
{
    uint64_t base = rng_below(r, 4) ? 0x10000 + step * 128 : rng_next(r), kind = rng_below(r, 5);
    uint64_t stride = rng_below(r, 3) ? 4 : rng_below(r, 1000) - 500;
    for (uint32_t k = 0; k < lanes; k++) {
        if (kind < 2) a[k] = base + k * stride;
        if (kind == 2) a[k] = base + k / 8 * 4096 + k % 8 * 4;
        if (kind == 3) a[k] = rng_next(r);
        if (kind == 4) a[k] = base + rng_below(r, 65536);
    }
}

static uint64_t random_mask(struct rng *r, uint32_t width)
{
    uint64_t full = width == 64 ? UINT64_MAX : UINT32_MAX;
    switch (rng_below(r, 6)) {
    case 0: return rng_next(r) & full;
    case 1: return 0;
    case 2: return UINT64_C(1) << rng_below(r, width);
    default: return full;
    }
}

/* Warps between two barriers, in a random interleaving. */
static void add_round(struct writer *w, struct sample *s, struct rng *r, uint32_t cta, uint64_t n)
{
    struct error e;
    uint64_t a[WARP_MAX_LANES];
    uint32_t code[MAX_WARPS] = {0};
    uint64_t mask = random_mask(r, s->width);
    for (uint64_t i = 0; i < n * s->warps; i++) {
        uint32_t warp = (uint32_t)rng_below(r, s->warps);
        if (rng_below(r, 20) == 0) code[warp] = (uint32_t)rng_below(r, N_CODE);
        if (rng_below(r, 30) == 0) mask = random_mask(r, s->width);
        code[warp] = (code[warp] + 1) % N_CODE;
        bool addressed = s->addressed[code[warp]];
        if (addressed) random_addresses(r, a, (uint32_t)__builtin_popcountll(mask), i);
        check_ok(writer_inst(w, warp, code[warp], mask, addressed ? a : NULL, &e), &e);
        stream_add(&s->stream[cta][warp], code[warp], mask, addressed ? a : NULL);
    }
}

static void end_round(struct writer *w, struct sample *s, uint32_t cta, uint32_t code)
{
    struct error e;
    uint64_t full = s->width == 64 ? UINT64_MAX : UINT32_MAX;
    for (uint32_t warp = 0; warp < s->warps; warp++) {
        check_ok(writer_inst(w, warp, code, full, NULL, &e), &e);
        stream_add(&s->stream[cta][warp], code, full, NULL);
    }
}

static void add_cta(struct writer *w, struct sample *s, struct rng *r, uint32_t cta)
{
    struct error e;
    check_ok(writer_cta_begin(w, &e), &e);
    uint64_t rounds = cta == 0 ? 1 : cta == CTAS - 1 ? 3 : rng_below(r, 3) + 1;
    for (uint64_t i = 0; i < rounds; i++) {
        add_round(w, s, r, cta, !s->deep || cta == 0 ? 40 : cta < CTAS - 1 ? 5000 : 18000);
        end_round(w, s, cta, i + 1 < rounds ? s->barrier : s->exit);
    }
    check_ok(writer_cta_end(w, &e), &e);
}

static void make(struct sample *s, const char *path, uint32_t width, uint64_t seed, bool deep)
{
    struct error e;
    struct rng r;
    rng_seed(&r, seed, width);
    memset(s, 0, sizeof *s);
    s->width = width;
    s->deep = deep;
    s->warps = MAX_WARPS;
    struct writer *w = writer_new(path, width, "a test", &e);
    check_ok(w, &e);
    struct launch l = {.name = "kernel",
                       .id = 7,
                       .grid = {CTAS, 1, 1},
                       .block = {MAX_WARPS * width, 1, 1},
                       .registers_per_lane = 40,
                       .shared_bytes = 512,
                       .header = "key = value\n"};
    check_ok(writer_copy(w, COMMAND_COPY_TO_DEVICE, 0x7f0000001000, 4096, &e), &e);
    check_ok(writer_launch_begin(w, &l, &e), &e);
    add_code(w, s);
    for (uint32_t cta = 0; cta < CTAS; cta++)
        add_cta(w, s, &r, cta);
    check_ok(writer_launch_end(w, &e), &e);
    check_ok(writer_copy(w, COMMAND_COPY_TO_HOST, 0x7f0000002000, 64, &e), &e);
    check_ok(writer_note(w, "odd"), &e);
    check_ok(writer_commit(w, &e), &e);
}

static void drop(struct sample *s)
{
    for (uint32_t c = 0; c < CTAS; c++)
        for (uint32_t w = 0; w < MAX_WARPS; w++)
            mem_free(s->stream[c][w].event);
}

static void compare_from(struct cursor *c, const struct stream *want)
{
    struct error e;
    struct warp_inst w;
    uint64_t i = c->done;
    while (cursor_next(c, &w, &e) == GOT_INST) {
        assert_true(i < want->n);
        assert_event(&want->event[i++], &w);
        assert_int_equal(c->done, i);
    }
    assert_int_equal(i, want->n);
    assert_int_equal(cursor_next(c, &w, &e), GOT_END);
}

static void round_trip(uint32_t width, uint64_t seed, bool deep)
{
    struct sample s;
    struct error e;
    const char *path = scratch_path("roundtrip.plt");
    make(&s, path, width, seed, deep);
    struct program *p = program_open(path, &(struct program_opts){.warp_width = width}, &e);
    check_ok(p, &e);
    check_ok(program_verify(p, &e), &e);
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    uint32_t most = 0;
    uint64_t all = 0;
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        assert_int_equal(program_cta_start(p, 0, cta), all);
        for (uint32_t warp = 0; warp < s.warps; warp++) {
            check_ok(cursor_seek(&c, r, 0, cta, warp, 0, &e), &e);
            all += cursor_skip(&c, UINT64_MAX, &e);
        }
        uint32_t segments = program_segments(p, 0, cta);
        if (segments > most) most = segments;
        for (uint32_t segment = 0; segment < segments; segment++) {
            uint64_t before = 0;
            for (uint32_t warp = 0; warp < s.warps; warp++) {
                check_ok(cursor_seek(&c, r, 0, cta, warp, segment, &e), &e);
                before += c.done;
                compare_from(&c, &s.stream[cta][warp]);
            }
            assert_int_equal(program_segment_start(p, 0, cta, segment), before);
        }
    }
    assert_int_equal(program_cta_start(p, 0, CTAS), all);
    assert_true(most >= (deep ? 4 : 1));
    cursor_release(&c);
    reader_free(r);
    program_close(p);
    drop(&s);
    unlink(path);
}

/* The first CTAs alone: their streams, their count, a digest of its own; the rest is not there. */
static void a_head_has_the_first_ctas(void **state)
{
    (void)state;
    struct sample s;
    struct error e;
    const char *path = scratch_path("head.plt");
    make(&s, path, 32, 3, false);
    struct program *p = program_open(path, &(struct program_opts){.warp_width = 32}, &e);
    check_ok(p, &e);
    const uint64_t two = 2, one = 1;
    struct program *h = program_head(p, &two, &e), *less = program_head(p, &one, &e);
    check_ok(h && less, &e);
    assert_int_equal(program_launch(h, 0)->ctas, 2);
    assert_int_equal(program_launch(h, 0)->warp_instructions, program_cta_start(p, 0, 2));
    assert_true(program_launch(p, 0)->ctas > 2);
    struct digest a = program_digest(p), b = program_digest(h), c = program_digest(less);
    assert_false(digest_equal(a, b) || digest_equal(b, c) || digest_equal(a, c));
    struct reader *r = reader_new(h, &e);
    struct cursor at = {0};
    for (uint32_t warp = 0; warp < s.warps; warp++) {
        check_ok(cursor_seek(&at, r, 0, 1, warp, 0, &e), &e);
        compare_from(&at, &s.stream[1][warp]);
    }
    cursor_release(&at);
    reader_free(r);
    program_close(less);
    program_close(h);
    program_close(p);
    drop(&s);
    unlink(path);
}

static void narrow_round_trip(void **state)
{
    (void)state;
    round_trip(32, 1, true);
    for (uint64_t seed = 2; seed < 40; seed++)
        round_trip(32, seed, false);
}

static void wide_round_trip(void **state)
{
    (void)state;
    for (uint64_t seed = 40; seed < 80; seed++)
        round_trip(64, seed, false);
}

/* Where warps stand at a seek point, all have passed the same barriers. */
static void cuts_are_consistent(void **state)
{
    (void)state;
    struct sample s;
    struct error e;
    const char *path = scratch_path("cuts.plt");
    make(&s, path, 32, 5, true);
    struct program *p = program_open(path, NULL, &e);
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        for (uint32_t segment = 0; segment < program_segments(p, 0, cta); segment++) {
            uint64_t passed[MAX_WARPS] = {0};
            for (uint32_t warp = 0; warp < s.warps; warp++) {
                check_ok(cursor_seek(&c, r, 0, cta, warp, segment, &e), &e);
                for (uint64_t i = 0; i < c.done; i++)
                    passed[warp] += s.stream[cta][warp].event[i].code == s.barrier;
                assert_int_equal(passed[warp], passed[0]);
            }
        }
    }
    cursor_release(&c);
    reader_free(r);
    program_close(p);
    drop(&s);
    unlink(path);
}

/* The reference for reading by halves: filter the whole stream. */
static void half_of(const struct stream *whole, uint32_t half, const struct sample *s,
                    struct stream *out)
{
    bool over = false;
    for (size_t i = 0; i < whole->n; i++) {
        const struct event *v = &whole->event[i];
        uint64_t mask = v->mask >> (32 * half) & UINT32_MAX;
        bool final = i + 1 == whole->n && !over;
        if (!mask && !final) continue;
        uint32_t skip = half ? (uint32_t)__builtin_popcountll(v->mask & UINT32_MAX) : 0;
        stream_add(out, v->code, mask, v->addr + skip);
        over = v->code == s->exit;
    }
}

static void halves_equal_filtered_stream(void **state)
{
    (void)state;
    struct sample s;
    struct error e;
    const char *path = scratch_path("halves.plt");
    make(&s, path, 64, 11, true);
    struct program *p = program_open(path, &(struct program_opts){.warp_width = 32}, &e);
    check_ok(p, &e);
    assert_int_equal(program_launch(p, 0)->warps_per_cta, 2 * MAX_WARPS);
    assert_int_equal(program_launch(p, 0)->warp_width, 32);
    check_ok(program_verify(p, &e), &e);
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    for (uint32_t cta = 0; cta < CTAS; cta++)
        for (uint32_t warp = 0; warp < 2 * MAX_WARPS; warp++) {
            struct stream half = {0};
            half_of(&s.stream[cta][warp / 2], warp % 2, &s, &half);
            for (uint32_t segment = 0; segment < program_segments(p, 0, cta); segment++) {
                check_ok(cursor_seek(&c, r, 0, cta, warp, segment, &e), &e);
                compare_from(&c, &half);
            }
            mem_free(half.event);
        }
    cursor_release(&c);
    reader_free(r);
    program_close(p);
    drop(&s);
    unlink(path);
}

static void wider_machine_is_refused(void **state)
{
    (void)state;
    struct sample s;
    struct error e;
    const char *path = scratch_path("width.plt");
    make(&s, path, 32, 13, false);
    assert_null(program_open(path, &(struct program_opts){.warp_width = 64}, &e));
    assert_int_equal(e.kind, ERROR_INPUT);
    drop(&s);
    unlink(path);
}

static void description_is_kept(void **state)
{
    (void)state;
    struct sample s;
    struct error e;
    const char *path = scratch_path("described.plt");
    make(&s, path, 32, 17, false);
    struct program *p = program_open(path, NULL, &e);
    const struct launch *l = program_launch(p, 0);
    assert_string_equal(l->name, "kernel");
    assert_int_equal(l->id, 7);
    assert_int_equal(l->registers_per_lane, 40);
    assert_int_equal(l->shared_bytes, 512);
    assert_string_equal(l->header, "key = value\n");
    assert_string_equal(program_note(p), "a test");
    assert_string_equal(program_warning(p, 0), "odd");
    assert_int_equal(program_commands(p), 3);
    assert_int_equal(program_command(p, 0)->kind, COMMAND_COPY_TO_DEVICE);
    assert_int_equal(program_command(p, 0)->addr, 0x7f0000001000);
    assert_int_equal(program_command(p, 1)->kind, COMMAND_LAUNCH);
    assert_int_equal(program_command(p, 2)->bytes, 64);
    assert_string_equal(l->strings + l->code[1].opcode, "OP.X");
    assert_string_equal(l->strings + l->code[0].opcode, "");
    uint64_t n = 0;
    for (uint32_t c = 0; c < CTAS; c++)
        for (uint32_t w = 0; w < MAX_WARPS; w++)
            n += s.stream[c][w].n;
    assert_int_equal(l->warp_instructions, n);
    program_close(p);
    drop(&s);
    unlink(path);
}

/* Many cursors at once, moved in turn, deliver what each would alone. */
static void cursors_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct sample s;
    struct error e;
    const char *path = scratch_path("cursors.plt");
    make(&s, path, 32, 19, false);
    struct program *p = program_open(path, NULL, &e);
    struct reader *r = reader_new(p, &e);
    struct cursor *c = mem_new(CTAS * MAX_WARPS, sizeof *c);
    for (uint32_t i = 0; i < CTAS * MAX_WARPS; i++)
        check_ok(cursor_seek(&c[i], r, 0, i / MAX_WARPS, i % MAX_WARPS, 0, &e), &e);
    for (uint64_t moved = 1; moved;) {
        moved = 0;
        for (uint32_t i = 0; i < CTAS * MAX_WARPS; i++) {
            struct warp_inst w;
            uint64_t at = c[i].done;
            if (cursor_next(&c[i], &w, &e) != GOT_INST) continue;
            assert_event(&s.stream[i / MAX_WARPS][i % MAX_WARPS].event[at], &w);
            moved++;
        }
    }
    for (uint32_t i = 0; i < CTAS * MAX_WARPS; i++) {
        assert_int_equal(c[i].done, s.stream[i / MAX_WARPS][i % MAX_WARPS].n);
        cursor_release(&c[i]);
    }
    mem_free(c);
    reader_free(r);
    program_close(p);
    drop(&s);
    unlink(path);
}

/* CTAs of 96 work-items: two warps of 64, the second one half empty, are three of 32.  What the
 * index counts is what their streams deliver. */
static void a_half_without_work_items_is_no_warp(void **state)
{
    (void)state;
    struct error e;
    const char *path = scratch_path("odd.plt");
    struct launch l = {.name = "k", .grid = {CTAS, 1, 1}, .block = {96, 1, 1}};
    struct static_inst add = {.cls = OP_INT, .dst = 1}, leave = {.cls = OP_EXIT};
    struct writer *w = writer_new(path, 64, NULL, &e);
    check_ok(writer_launch_begin(w, &l, &e), &e);
    uint32_t code[2] = {writer_code(w, &add, NULL), writer_code(w, &leave, NULL)};
    for (uint32_t i = 0; i < 2 * 2 * CTAS; i++) {
        uint32_t warp = i / 2 % 2;
        if (i % 4 == 0) check_ok(writer_cta_begin(w, &e), &e);
        check_ok(writer_inst(w, warp, code[i % 2], warp ? UINT32_MAX : UINT64_MAX, NULL, &e), &e);
        if (i % 4 == 3) check_ok(writer_cta_end(w, &e), &e);
    }
    check_ok(writer_launch_end(w, &e) && writer_commit(w, &e), &e);
    struct program *p = program_open(path, &(struct program_opts){.warp_width = 32}, &e);
    check_ok(p, &e);
    check_ok(program_verify(p, &e), &e);
    assert_int_equal(program_launch(p, 0)->warps_per_cta, 3);
    assert_int_equal(program_launch(p, 0)->warp_instructions, 3 * 2 * CTAS);
    for (uint32_t cta = 0; cta <= CTAS; cta++)
        assert_int_equal(program_cta_start(p, 0, cta), 3 * 2 * cta);
    program_close(p);
    unlink(path);
}

static void unfinished_programs_are_refused(void **state)
{
    (void)state;
    struct error e;
    const char *path = scratch_path("unfinished.plt");
    struct launch l = {.name = "k", .grid = {2, 1, 1}, .block = {32, 1, 1}};
    struct static_inst add = {.cls = OP_INT, .dst = 1};
    struct writer *w = writer_new(path, 32, NULL, &e);
    check_ok(writer_launch_begin(w, &l, &e), &e);
    uint32_t code = writer_code(w, &add, NULL);
    check_ok(writer_cta_begin(w, &e), &e);
    check_ok(writer_inst(w, 0, code, 1, NULL, &e), &e);
    assert_false(writer_cta_end(w, &e));
    assert_non_null(strstr(e.text, "exit"));
    writer_abort(w);
    assert_false(file_exists(path));
    l.block[0] = 70000;
    w = writer_new(path, 32, NULL, &e);
    assert_false(writer_launch_begin(w, &l, &e));
    writer_abort(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_round_trip),
        cmocka_unit_test(a_head_has_the_first_ctas),
        cmocka_unit_test(wide_round_trip),
        cmocka_unit_test(cuts_are_consistent),
        cmocka_unit_test(halves_equal_filtered_stream),
        cmocka_unit_test(a_half_without_work_items_is_no_warp),
        cmocka_unit_test(wider_machine_is_refused),
        cmocka_unit_test(description_is_kept),
        cmocka_unit_test(cursors_do_not_disturb_each_other),
        cmocka_unit_test(unfinished_programs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
