/* Do the events of lanes come out as the warp instructions that they stand for, and do allocations
 * lie where they should? */
#include "tests/support/trace_support.h"

#include "trace/capture/address_layout.h"
#include "trace/capture/capture.h"

#include <string.h>
#include <unistd.h>

/* A kernel by hand: pieces in a row, the last one followed by nothing. */
struct toy {
    struct capture_kernel kernel;
    struct capture *capture;
    const char *path;
};

static struct capture_op op_of(enum op_class cls, enum mem_space space, uint32_t line)
{
    struct capture_op op = {.mnemonic = "x", .line = line, .step = CAPTURE_NO_STEP};
    op.si = (struct static_inst){.cls = (uint8_t)cls, .space = (uint8_t)space, .dst = REG_NONE};
    return op;
}

/* succ: `n` pieces, piece p is followed by p + 1; back: the last but one also by `back` if >= 0. */
static void toy_open(struct toy *t, uint32_t n, int back, int barrier, uint32_t lanes,
                     uint64_t ctas)
{
    uint32_t first[16], succ[17], edges = 0;
    bool barriers[16] = {false};
    for (uint32_t p = 0; p < n; p++) {
        first[p] = edges;
        if (p + 1 < n) succ[edges++] = p + 1;
        if (back >= 0 && p + 2 == n) succ[edges++] = (uint32_t)back;
    }
    first[n] = edges;
    if (barrier >= 0) barriers[barrier] = true;
    struct merge_flow flow = {n, first, succ, barriers};
    struct launch l = {.name = "toy", .grid = {(uint32_t)ctas, 1, 1}, .block = {lanes, 1, 1}};
    struct error e;
    t->path = scratch_path("toy.plt");
    check_ok(merge_order_init(&t->kernel.order, &flow, &e), &e);
    t->kernel.piece = mem_new(n, sizeof *t->kernel.piece);
    t->capture = capture_new(t->path, 64, "test", &e);
    assert_non_null(t->capture);
    check_ok(capture_launch_begin(t->capture, &l, &e), &e);
    capture_set_kernel(t->capture, &t->kernel);
}

static struct program *toy_close(struct toy *t)
{
    struct error e;
    check_ok(capture_launch_end(t->capture, &e), &e);
    assert_int_equal(capture_launches(t->capture), 1);
    check_ok(capture_commit(t->capture, &e), &e);
    capture_kernel_fini(&t->kernel);
    struct program *p = program_open(t->path, &(struct program_opts){0}, &e);
    if (!p) fails_with(&e);
    unlink(t->path);
    return p;
}

static void add_exit(struct toy *t, uint32_t piece, uint32_t line)
{
    struct capture_op exit = op_of(OP_EXIT, SPACE_NONE, line);
    assert_true(capture_add_op(&t->kernel.piece[piece], &exit));
}

struct walker {
    struct reader *reader;
    struct cursor cursor;
    struct warp_inst w;
};

static void walk_from(struct walker *k, struct program *p, uint32_t warp)
{
    struct error e;
    memset(k, 0, sizeof *k);
    k->reader = reader_new(p, &e);
    assert_non_null(k->reader);
    check_ok(cursor_seek(&k->cursor, k->reader, 0, 0, warp, 0, &e), &e);
}

static const struct warp_inst *next(struct walker *k)
{
    struct error e;
    assert_int_equal(cursor_next(&k->cursor, &k->w, &e), GOT_INST);
    return &k->w;
}

static void walk_ends(struct walker *k)
{
    struct error e;
    assert_int_equal(cursor_next(&k->cursor, &k->w, &e), GOT_END);
    cursor_release(&k->cursor);
    reader_free(k->reader);
}

/* 100 work-items are a full warp and one of 36 lanes. */
static void lanes_of_a_warp_share_an_instruction(void **state)
{
    (void)state;
    enum { LANES = 100 };
    struct toy t = {0};
    struct error e;
    toy_open(&t, 1, -1, -1, LANES, 1);
    struct capture_piece *p = &t.kernel.piece[0];
    struct capture_op load = op_of(OP_LOAD, SPACE_GLOBAL, 1), add = op_of(OP_INT, SPACE_NONE, 0);
    load.step = 0;
    p->steps = 1;
    add_exit(&t, 0, 2);
    assert_true(capture_add_access(p, &load, 4, NULL)); /* lines put them in order */
    assert_true(capture_add_op(p, &add));
    check_ok(capture_cta_begin(t.capture, &e), &e);
    for (uint32_t lane = LANES; lane-- > 0;) {
        uint64_t addr = 4096 + 8 * lane;
        assert_true(capture_visit(t.capture, lane, 0, 0));
        assert_true(capture_step(t.capture, lane, &addr, 1));
    }
    check_ok(capture_cta_end(t.capture, &e), &e);
    struct program *program = toy_close(&t);
    for (uint32_t warp = 0; warp < 2; warp++) {
        struct walker k;
        uint64_t mask = warp ? ((uint64_t)1 << (LANES - 64)) - 1 : UINT64_MAX;
        walk_from(&k, program, warp);
        assert_int_equal(next(&k)->si->cls, OP_INT);
        const struct warp_inst *w = next(&k);
        assert_int_equal(w->si->cls, OP_LOAD);
        assert_int_equal(w->si->width, 4);
        assert_true(w->mask == mask);
        for (uint32_t i = 0; i < (warp ? LANES - 64 : 64); i++)
            assert_int_equal(warp_inst_addr(w, i), 4096 + 8 * (64 * warp + i));
        assert_int_equal(next(&k)->si->cls, OP_EXIT);
        walk_ends(&k);
    }
    program_close(program);
}

/* Lane l makes l % 3 accesses at the first step, then one at the second. */
static void the_kth_accesses_of_all_lanes_go_together(void **state)
{
    (void)state;
    struct toy t = {0};
    struct error e;
    toy_open(&t, 1, -1, -1, 64, 1);
    struct capture_piece *p = &t.kernel.piece[0];
    struct capture_op load = op_of(OP_LOAD, SPACE_GLOBAL, 0),
                      store = op_of(OP_STORE, SPACE_GLOBAL, 1);
    p->steps = 2;
    load.step = 0;
    store.step = 1;
    for (load.slot = 0; load.slot < 2; load.slot++)
        assert_true(capture_add_access(p, &load, 4, NULL));
    assert_true(capture_add_access(p, &store, 8, NULL));
    add_exit(&t, 0, 2);
    check_ok(capture_cta_begin(t.capture, &e), &e);
    uint64_t want[2] = {0, 0};
    for (uint32_t lane = 0; lane < 64; lane++) {
        uint64_t addr[] = {1000 + lane, 2000 + lane}, last = 3000 + 8 * lane;
        for (uint32_t k = 0; k < lane % 3; k++)
            want[k] |= (uint64_t)1 << lane;
        assert_true(capture_visit(t.capture, lane, 0, 0));
        assert_true(capture_step(t.capture, lane, addr, lane % 3));
        assert_true(capture_step(t.capture, lane, &last, 1));
    }
    check_ok(capture_cta_end(t.capture, &e), &e);
    struct program *program = toy_close(&t);
    struct walker k;
    walk_from(&k, program, 0);
    for (uint32_t slot = 0; slot < 2; slot++) {
        const struct warp_inst *w = next(&k);
        uint32_t first = (uint32_t)__builtin_ctzll(want[slot]);
        assert_true(w->mask == want[slot]);
        assert_int_equal(warp_inst_addr(w, 0), 1000 * (slot + 1) + first);
    }
    const struct warp_inst *w = next(&k);
    assert_int_equal(w->si->cls, OP_STORE);
    assert_int_equal(warp_inst_addr(w, 63), 3000 + 8 * 63);
    assert_int_equal(next(&k)->si->cls, OP_EXIT);
    walk_ends(&k);
    program_close(program);
}

static void wide_accesses_are_cut_into_parts_of_16_bytes(void **state)
{
    (void)state;
    struct capture_piece p = {0};
    struct capture_op load = op_of(OP_LOAD, SPACE_GLOBAL, 0);
    load.si.dst = 7;
    assert_true(capture_add_access(&p, &load, 36, NULL));
    assert_int_equal(p.n, 3);
    const uint32_t width[] = {16, 16, 4}, offset[] = {0, 16, 32};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(p.op[i].si.width, width[i]);
        assert_int_equal(p.op[i].offset, offset[i]);
        assert_int_equal(p.op[i].si.dst, i == 2 ? 7 : REG_NONE);
    }
    mem_free(p.op);
}

/* Rounds of a loop with a barrier in it: lanes are merged barrier by barrier, or all at the end. */
static struct digest looped(bool flush)
{
    enum { BODY, BARRIER, LATCH, END, ROUNDS = 40, LANES = 96 };
    struct toy t = {0};
    struct error e;
    struct rng r;
    rng_seed(&r, 7, 0);
    toy_open(&t, 4, BODY, BARRIER, LANES, 1);
    struct capture_op load = op_of(OP_LOAD, SPACE_GLOBAL, 0),
                      bar = op_of(OP_BARRIER, SPACE_NONE, 0);
    struct capture_op branch = op_of(OP_BRANCH, SPACE_NONE, 0);
    load.step = 0;
    t.kernel.piece[BODY].steps = 1;
    assert_true(capture_add_access(&t.kernel.piece[BODY], &load, 4, NULL));
    assert_true(capture_add_op(&t.kernel.piece[BARRIER], &bar));
    assert_true(capture_add_op(&t.kernel.piece[LATCH], &branch));
    add_exit(&t, END, 0);
    check_ok(capture_cta_begin(t.capture, &e), &e);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint64_t addr = rng_below(&r, 1 << 20) * 4;
            if (round) assert_true(capture_visit(t.capture, lane, LATCH, 0));
            assert_true(capture_visit(t.capture, lane, BODY, 0));
            assert_true(capture_step(t.capture, lane, &addr, 1));
            assert_true(capture_visit(t.capture, lane, BARRIER, 0));
        }
        if (flush) check_ok(capture_flush(t.capture, &e), &e);
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        assert_true(capture_visit(t.capture, lane, LATCH, 0));
        assert_true(capture_visit(t.capture, lane, END, 0));
    }
    check_ok(capture_cta_end(t.capture, &e), &e);
    struct program *p = toy_close(&t);
    assert_int_equal(program_launch(p, 0)->warp_instructions, 2 * (3 * ROUNDS + 1));
    struct digest d = program_digest(p);
    program_close(p);
    return d;
}

static void flushing_at_barriers_changes_nothing(void **state)
{
    (void)state;
    assert_true(digest_equal(looped(true), looped(false)));
}

static void allocations_lie_one_behind_the_other(void **state)
{
    (void)state;
    struct layout l;
    layout_init(&l, 0x200000, 256);
    assert_true(layout_add(&l, 3, 1000));
    assert_true(layout_add(&l, 9, 256));
    assert_true(layout_add(&l, 4, 1));
    assert_int_equal(layout_find(&l, 3)->base, 0x200000);
    assert_int_equal(layout_find(&l, 9)->base, 0x200400);
    assert_int_equal(layout_find(&l, 4)->base, 0x200500);
    assert_int_equal(layout_find(&l, 4)->number, 3);
    assert_null(layout_find(&l, 5));
    assert_null(layout_find(&l, 1u << 20));
    layout_fini(&l);
}

static void places_given_back_are_used_again(void **state)
{
    (void)state;
    struct layout l;
    layout_init(&l, 0, 256);
    assert_true(layout_add(&l, 1, 512));
    assert_true(layout_add(&l, 2, 768));
    layout_remove(&l, 1);
    layout_remove(&l, 2);
    layout_remove(&l, 77);
    assert_null(layout_find(&l, 1));
    assert_true(layout_add(&l, 1, 600)); /* fits in none exactly */
    assert_true(layout_add(&l, 2, 512));
    assert_int_equal(layout_find(&l, 1)->base, 1280);
    assert_int_equal(layout_find(&l, 2)->base, 0);
    layout_fini(&l);
}

static void a_key_that_is_there_keeps_its_place(void **state)
{
    (void)state;
    struct layout l;
    layout_init(&l, 0, 16);
    assert_true(layout_add(&l, 1, 40));
    assert_true(layout_add(&l, 1, 40));
    assert_int_equal(layout_find(&l, 1)->base, 0);
    assert_int_equal(l.next, 48);
    layout_clear(&l, 0);
    assert_null(layout_find(&l, 1));
    assert_int_equal(l.next, 0);
    layout_fini(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_a_warp_share_an_instruction),
        cmocka_unit_test(the_kth_accesses_of_all_lanes_go_together),
        cmocka_unit_test(wide_accesses_are_cut_into_parts_of_16_bytes),
        cmocka_unit_test(flushing_at_barriers_changes_nothing),
        cmocka_unit_test(allocations_lie_one_behind_the_other),
        cmocka_unit_test(places_given_back_are_used_again),
        cmocka_unit_test(a_key_that_is_there_keeps_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
