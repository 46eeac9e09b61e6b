/* Is what plumb trace info says of reuse, coalescing, sharing, rows and dependence what an obvious
 * count says, and what closed forms of known access patterns say? */
#include "estimator/characterize/characterize.h"
#include "base/memory/alloc.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"
#include "trace/plt/writer.h"
#include "trace/program/cursor.h"

#include <stdio.h>
#include <stdlib.h>

struct subject {
    struct program *p;
    struct program_summary s;
    struct character c;
};

static void subject_open(struct subject *t, const char *path, uint32_t width, uint32_t warps)
{
    struct error e = {0};
    t->p = program_open(path, &(struct program_opts){.warp_width = width}, &e);
    if (!t->p) fail_msg("%s", e.text);
    if (!program_summarize(&t->s, t->p, NULL, &e) ||
        !character_collect(&t->c, t->p, &t->s, warps, NULL, &e))
        fail_msg("%s", e.text);
}

static void subject_config(struct subject *t, const char *text, uint32_t width, uint32_t warps)
{
    subject_open(t, folder_text("program.cfg", text), width, warps);
}

static void subject_close(struct subject *t)
{
    character_fini(&t->c);
    program_summary_fini(&t->s);
    program_close(t->p);
}

/* --- the slow reference: every warp's memory instructions in lists, taken in turns --- */

enum { WARPS = 32, INSTS = 128, LINES = 64, STACK = 1 << 16 };
struct plain_inst {
    uint64_t line[LINES];
    uint32_t n;
};
struct plain {
    struct plain_inst inst[WARPS][INSTS];
    uint32_t n[WARPS];
    uint64_t stack[STACK];
    uint32_t depth, first, accesses, at_distance[STACK];
};

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void plain_lines(struct plain_inst *to, const struct warp_inst *w)
{
    uint64_t all[WARP_MAX_LANES];
    uint32_t lanes = (uint32_t)__builtin_popcountll(w->mask);
    for (uint32_t i = 0; i < lanes; i++)
        all[i] = warp_inst_addr(w, i) / 128; /* aligned accesses only */
    qsort(all, lanes, sizeof *all, by_value);
    for (uint32_t i = 0; i < lanes; i++)
        if (i == 0 || all[i] != all[i - 1]) to->line[to->n++] = all[i];
}

static void plain_read(struct plain *f, const struct program *p)
{
    struct error e = {0};
    struct cursor c = {0};
    struct warp_inst w;
    struct reader *r = reader_new(p, &e);
    const struct launch *l = program_launch(p, 0);
    assert_non_null(r);
    for (uint32_t i = 0; i < l->ctas * l->warps_per_cta; i++) {
        assert_true(cursor_seek(&c, r, 0, i / l->warps_per_cta, i % l->warps_per_cta, 0, &e));
        while (cursor_next(&c, &w, &e) == GOT_INST)
            if (inst_op_is_global(w.si->cls)) plain_lines(&f->inst[i][f->n[i]++], &w);
    }
    cursor_release(&c);
    reader_free(r);
}

static void plain_touch(struct plain *f, uint64_t line)
{
    uint32_t at = 0;
    while (at < f->depth && f->stack[at] != line)
        at++;
    f->accesses++;
    if (at == f->depth)
        f->depth++, f->first++;
    else
        f->at_distance[at]++;
    memmove(&f->stack[1], &f->stack[0], at * sizeof f->stack[0]);
    f->stack[0] = line;
}

/* All warps have as many memory instructions and there is no barrier, so that waves of CTAs end
 * together: each resident warp in turn takes one, then the end; the next wave begins. */
static void plain_run(struct plain *f, uint32_t warps, uint32_t resident)
{
    for (uint32_t wave = 0; wave < warps; wave += resident)
        for (uint32_t k = 0; k < f->n[0]; k++)
            for (uint32_t w = wave; w < wave + resident && w < warps; w++)
                for (uint32_t i = 0; i < f->inst[w][k].n; i++)
                    plain_touch(f, f->inst[w][k].line[i]);
}

static void curve_is_that_of_a_list(void **state)
{
    (void)state;
    struct subject t;
    struct plain *f = mem_new(1, sizeof *f);
    assert_non_null(f);
    subject_config(
        &t,
        "generator = \"gather\"; footprint = \"64KB\"; distribution = \"zipf\"; exponent "
        "= 0.9; ctas = 16; warps_per_cta = 2; iterations = 12; unroll = 2;",
        32, 8);
    plain_read(f, t.p);
    plain_run(f, 32, 8);
    assert_int_equal(t.c.all.accesses, f->accesses);
    assert_int_equal(t.c.all.first, f->first);
    assert_true(f->accesses > 10000 && f->first > 400);
    uint32_t misses = f->accesses, capacity = 0;
    for (uint32_t lines = 1; lines <= 1024; lines *= 2) {
        for (; capacity < lines; capacity++)
            misses -= f->at_distance[capacity];
        assert_near(character_miss_ratio(&t.c.all, lines), (double)misses / f->accesses, 1e-12);
    }
    assert_true(misses == f->first); /* 1,024 lines hold the table and the indices */
    subject_close(&t);
    mem_free(f);
}

static void chase_is_a_step_at_its_footprint(void **state)
{
    (void)state;
    struct subject t;
    subject_config(&t,
                   "generator = \"pointer_chase\"; footprint = \"64KB\"; stride = 128; order = "
                   "\"scattered\"; ctas = 1; warps_per_cta = 1; iterations = 256; unroll = 8;",
                   32, CHARACTER_WARPS);
    const struct character_kernel *k = &t.c.all;
    assert_int_equal(k->accesses, 2048); /* four times round a ring of 512 */
    assert_int_equal(k->first, 512);
    assert_near(character_miss_ratio(k, 496), 1, 0);
    assert_near(character_miss_ratio(k, 512), 0.25, 0);
    assert_int_equal(k->row_accesses, 512); /* the rest would hit in 1 MB */
    assert_int_equal(k->lines[SHARING_WARP], 512);
    assert_int_equal(k->reuse[REUSER_WARP], 2048 - 512);
    assert_int_equal(k->waits, 2048); /* each load needs the one before; the last one at the end */
    assert_int_equal(k->flight[1], 2048);
    subject_close(&t);
}

static void strides_have_their_transactions(void **state)
{
    (void)state;
    for (uint32_t stride = 1; stride <= 32; stride *= 2) {
        struct subject t;
        char text[160];
        snprintf(
            text, sizeof text,
            "generator = \"stride\"; stride = %u; ctas = 2; warps_per_cta = 3; iterations = 4;",
            stride);
        subject_config(&t, text, 32, CHARACTER_WARPS);
        const struct coalescing *k = &t.c.all.access[ACCESS_LOAD];
        uint32_t runs = 32 / stride; /* each of 4 * stride bytes at the head of a line */
        for (uint32_t g = 0; g < CHARACTER_GRAINS; g++) {
            uint32_t grain = character_grain[g], per_run = (4 * stride + grain - 1) / grain;
            assert_int_equal(k->transactions[g], k->requests * runs * per_run);
            assert_int_equal(k->ideal[g], k->requests * 128 / grain);
        }
        assert_int_equal(k->requests, 2 * 3 * 4);
        assert_int_equal(k->lanes, 32 * k->requests);
        assert_int_equal(k->bytes, 128 * k->requests);
        subject_close(&t);
    }
}

static void rows_of_a_stream_open_once(void **state)
{
    (void)state;
    struct subject t; /* one warp reads 4,096 lines in a row: 256 rows of 16 lines */
    subject_config(&t,
                   "generator = \"stride\"; stride = 32; ctas = 1; warps_per_cta = 1; iterations = "
                   "4096;",
                   32, CHARACTER_WARPS);
    assert_int_equal(t.c.all.row_accesses, 4096);
    assert_int_equal(t.c.all.row_hits, 4096 - 256);
    assert_int_equal(t.s.all.pages, 128);
    subject_close(&t);
    /* lines 2 KB apart: each opens a row of its own */
    subject_config(&t,
                   "generator = \"pointer_chase\"; footprint = \"2MB\"; stride = 2048; order = "
                   "\"sequential\"; ctas = 1; warps_per_cta = 1; iterations = 1024; unroll = 1;",
                   32, CHARACTER_WARPS);
    assert_int_equal(t.c.all.row_accesses, 1024);
    assert_int_equal(t.c.all.row_hits, 0);
    subject_close(&t);
}

/* --- a program by hand: who shares what is known line by line --- */

enum {
    OWN = 0x100000,
    EXTRA = 0x110000,
    CTAS_LINE = 0x200000,
    EVERYONES = 0x300000,
    WRITTEN = 0x400000
};
enum { HAND_CTAS = 4, HAND_WARPS = 2 };

struct hand {
    struct writer *w;
    uint32_t load_a, load_b, load_c, add, barrier, store, exit;
};

static void hand_code(struct hand *h)
{
    struct static_inst load = {.cls = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = 1};
    struct static_inst add = {.pc = 16, .cls = OP_INT, .dst = 3, .n_src = 2, .src = {1, 2}};
    struct static_inst barrier = {.pc = 24, .cls = OP_BARRIER, .dst = REG_NONE};
    struct static_inst store = {.pc = 32,
                                .cls = OP_STORE,
                                .space = SPACE_GLOBAL,
                                .width = 4,
                                .dst = REG_NONE,
                                .n_src = 1,
                                .src = {3}};
    struct static_inst end = {.pc = 40, .cls = OP_EXIT, .dst = REG_NONE};
    h->load_a = writer_code(h->w, &load, NULL);
    load.dst = 2;
    load.pc = 8;
    h->load_b = writer_code(h->w, &load, NULL);
    load.dst = 4;
    load.pc = 12;
    h->load_c = writer_code(h->w, &load, NULL);
    h->add = writer_code(h->w, &add, NULL);
    h->barrier = writer_code(h->w, &barrier, NULL);
    h->store = writer_code(h->w, &store, NULL);
    h->exit = writer_code(h->w, &end, NULL);
}

static void hand_inst(struct hand *h, uint32_t warp, uint32_t code, uint64_t mask, uint64_t addr)
{
    struct error e = {0};
    uint64_t list[WARP_MAX_LANES];
    for (uint32_t i = 0; i < WARP_MAX_LANES; i++)
        list[i] = addr + 4 * i;
    if (!writer_inst(h->w, warp, code, mask, addr ? list : NULL, &e)) fail_msg("%s", e.text);
}

/* Each warp: its own line, its CTA's line, then (after using both) everyone's line with one lane;
 * the CTA's second warp one more of its own; a barrier, its own line again with 8 lanes, and a
 * store to a line of its own. */
static void hand_warp(struct hand *h, uint32_t cta, uint32_t warp)
{
    const uint64_t all = UINT32_MAX, own = OWN + 128 * (cta * HAND_WARPS + warp);
    hand_inst(h, warp, h->load_a, all, own);
    hand_inst(h, warp, h->load_b, all, CTAS_LINE + 128 * cta);
    hand_inst(h, warp, h->add, all, 0);
    hand_inst(h, warp, h->load_a, 1, EVERYONES);
    if (warp == 1) hand_inst(h, warp, h->load_c, all, EXTRA + 128 * cta);
    hand_inst(h, warp, h->barrier, all, 0);
    hand_inst(h, warp, h->load_b, 0xff, own);
    hand_inst(h, warp, h->store, all, own - OWN + WRITTEN);
    hand_inst(h, warp, h->exit, all, 0);
}

static const char *hand_program(void)
{
    struct error e = {0};
    const char *path = in_folder("hand.plt");
    struct hand h = {.w = writer_new(path, 32, "", &e)};
    struct launch l = {
        .name = "hand", .grid = {HAND_CTAS, 1, 1}, .block = {32 * HAND_WARPS, 1, 1}, .header = ""};
    assert_non_null(h.w);
    assert_true(writer_copy(h.w, COMMAND_COPY_TO_DEVICE, CTAS_LINE + 64, 256, &e));
    for (uint32_t launch = 0; launch < 2; launch++) {
        assert_true(writer_launch_begin(h.w, &l, &e));
        hand_code(&h);
        for (uint32_t c = 0; c < HAND_CTAS; c++) {
            assert_true(writer_cta_begin(h.w, &e));
            for (uint32_t w = 0; w < HAND_WARPS; w++)
                hand_warp(&h, c, w);
            assert_true(writer_cta_end(h.w, &e));
        }
        assert_true(writer_launch_end(h.w, &e));
    }
    assert_true(writer_commit(h.w, &e));
    return path;
}

static void sharing_is_known(const struct character_kernel *k)
{
    /* per launch: 12 own and 8 written lines, a line for each of 4 CTAs, one for all */
    assert_int_equal(k->lines[SHARING_WARP], 2 * 20);
    assert_int_equal(k->lines[SHARING_CTA], 2 * 4);
    assert_int_equal(k->lines[SHARING_CTAS], 2 * 1);
    /* per launch 44 accesses to 25 lines; the second one finds all of them from the first */
    assert_int_equal(k->accesses, 2 * 44);
    assert_int_equal(k->first, 25);
    assert_int_equal(k->reuse[REUSER_LAUNCH], 25);
    assert_int_equal(k->reuse[REUSER_WARP], 2 * 8); /* its own line again */
    /* the CTA's line by its second warp, everyone's by the CTA's second warp */
    assert_int_equal(k->reuse[REUSER_CTA], 2 * (4 + 4));
    assert_int_equal(k->reuse[REUSER_OTHER_CTA], 2 * 3); /* from CTA to next CTA */
    assert_int_equal(k->cta_distance[0], 2 * 3);
}

static void hand_made_program_is_as_made(void **state)
{
    (void)state;
    struct subject t;
    const char *path = hand_program();
    for (uint32_t warps = HAND_WARPS; warps <= 8; warps *= 2) {
        subject_open(&t, path, 0, warps);
        const struct character_kernel *k = &t.c.all;
        sharing_is_known(k);
        /* two loads before the add; the other two or three are waited for at the end */
        assert_int_equal(k->waits, 2 * 16);
        assert_int_equal(k->flight[2], 2 * (8 + 4));
        assert_int_equal(k->flight[3], 2 * 4);
        assert_int_equal(t.s.all.by_lanes[1], 2 * 8);
        assert_int_equal(t.s.all.by_lanes[8], 2 * 8);
        assert_int_equal(t.s.all.by_lanes[32], 2 * (8 * 6 + 4));
        assert_int_equal(t.s.all.lines, 25);
        assert_int_equal(t.s.all.read_only, 17);
        assert_int_equal(t.s.all.write_only, 8);
        assert_int_equal(k->access[ACCESS_LOAD].transactions[0], 2 * (8 * (4 + 4 + 1 + 1) + 4 * 4));
        assert_int_equal(k->access[ACCESS_LOAD].bytes, 2 * (8 * (128 + 128 + 4 + 32) + 4 * 128));
        subject_close(&t);
    }
    uint32_t n;
    subject_open(&t, path, 0, 8);
    struct region *r = program_regions(&t.s, t.p, &n);
    /* gaps of almost 1 MB join; the copy cuts before the CTAs' lines and after three of them */
    assert_int_equal(n, 3);
    assert_int_equal(r[0].lines, 12);
    assert_int_equal(r[1].lines, 3);
    assert_int_equal(r[1].first, CTAS_LINE);
    assert_int_equal(r[2].lines, 1 + 1 + 8);
    assert_int_equal(r[2].write_only, 8);
    mem_free(r);
    subject_close(&t);
}

/* Own line again: after the barrier, so after all first accesses of the CTA. */
static void barriers_hold_the_turns(void **state)
{
    (void)state;
    struct subject t;
    subject_open(&t, hand_program(), 0, HAND_WARPS);
    /* Turns of one CTA: a a', b b, e e, x (barrier) a a': four other lines in between; without a
     * barrier the first warp would be back at its line before x */
    assert_int_equal((uint64_t)t.c.all.distance.count[4], 2 * 8);
    subject_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curve_is_that_of_a_list),
        cmocka_unit_test(chase_is_a_step_at_its_footprint),
        cmocka_unit_test(strides_have_their_transactions),
        cmocka_unit_test(rows_of_a_stream_open_once),
        cmocka_unit_test(hand_made_program_is_as_made),
        cmocka_unit_test(barriers_hold_the_turns),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
