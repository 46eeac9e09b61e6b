/* l2_sectors.c - conventional miss management of an L2 whose lines have sectors: a miss of a
 * sector fetches that sector and no more, a line's sectors are fetched side by side, and what
 * leaves dirty are the sectors that were written. */
#include "tests/support/hand.h"

enum { LINE_BYTES = 128, SECTOR_BYTES = 32, LINES = 96, SECTORS = 4 };

/* A slice of 8 KB: 64 lines of four sectors in sets of 4. */
#define SMALL                                                                           \
    "sm.count=1", "l1.enabled=false", "l2.banks=1", "l2.bank_kb=8", "l2.ways=4",        \
        "l2.mshr.entries=64", "l2.index=modulo", "dram.channels=1", "l2.alloc=on_miss", \
        "dram.model=fixed", "dram.clock_mhz=1132"
#define CONVENTIONAL SMALL, "l2.miss_management=conventional"

/* Every `step`-th sector of LINES lines, one after the other. */
static uint32_t walk(struct hand_op *op, uint8_t cls, uint32_t step)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < LINES * SECTORS; i += step)
        op[n++] = (struct hand_op){.cls = cls,
                                   .space = SPACE_GLOBAL,
                                   .addr = (1 << 20) + (uint64_t)SECTOR_BYTES * i,
                                   .lanes = 8,
                                   .stride = 4,
                                   .after = cls == OP_LOAD};
    op[n] = (struct hand_op){.cls = OP_N};
    return n;
}

static void a_miss_fetches_its_sector(void **state)
{
    (void)state;
    for (uint32_t step = 1; step <= SECTORS; step *= 2) {
        struct hand_op op[LINES * SECTORS + 1];
        uint32_t n = walk(op, OP_LOAD, step);
        struct metrics m = HAND("qv100", op, 1, CONVENTIONAL);
        assert_int_equal(run_value(&m, "l2.fetches"), n);
        assert_int_equal(run_value(&m, "l2.misses"), n);
        assert_int_equal(run_value(&m, "l2.writebacks"), 0);
    }
}

/* Of the lines, 64 stay; the others leave with the sectors that were written. */
static void dirty_sectors_leave(void **state)
{
    (void)state;
    for (uint32_t step = 1; step <= SECTORS; step *= 2) {
        struct hand_op op[LINES * SECTORS + 1];
        walk(op, OP_STORE, step);
        struct metrics m = HAND("qv100", op, 1, CONVENTIONAL, "l2.write_miss=lazy_fetch");
        assert_int_equal(run_value(&m, "l2.writebacks"), (LINES - 64) * SECTORS / step);
        assert_int_equal(run_value(&m, "l2.fetches"), 0);
    }
}

/* One load of a whole line takes its slot behind one of a sector by what the ports and the memory
 * add, not by three more fetches: the fetches of a line's sectors overlap. */
static void sectors_of_a_line_are_fetched_side_by_side(void **state)
{
    (void)state;
    static const char *const rules[] = {"l2.line_wait=queue", "l2.line_wait=nack"};
    for (uint32_t k = 0; k < 2; k++) {
        struct hand_op one[] = {{.cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 1 << 20},
                                {.cls = OP_N}};
        struct hand_op all[] = {
            {.cls = OP_LOAD, .space = SPACE_GLOBAL, .addr = 1 << 20, .stride = 4, .lanes = 32},
            {.cls = OP_N}};
        struct metrics a = HAND("qv100", one, 1, CONVENTIONAL, "dram.fixed_latency=400", rules[k]);
        struct metrics b = HAND("qv100", all, 1, CONVENTIONAL, "dram.fixed_latency=400", rules[k]);
        double more = run_value(&b, "cycles") - run_value(&a, "cycles");
        assert_int_equal(run_value(&b, "l2.fetches"), SECTORS);
        assert_true(more >= 1 && more < 100);
    }
}

/* The same behind victims that are dirty: the line's other sectors wait for the eviction, and are
 * then fetched together. */
static void sectors_wait_for_one_eviction(void **state)
{
    (void)state;
    enum { DIRTY = 64 };
    struct hand_op op[DIRTY + 3];
    uint32_t n = 0;
    for (; n < DIRTY; n++)
        op[n] = (struct hand_op){.cls = OP_STORE,
                                 .space = SPACE_GLOBAL,
                                 .addr = (1 << 20) + (uint64_t)LINE_BYTES * n,
                                 .lanes = 8,
                                 .stride = 4};
    op[n++] = (struct hand_op){.cls = OP_FENCE};
    op[n++] = (struct hand_op){.cls = OP_LOAD,
                               .space = SPACE_GLOBAL,
                               .addr = (1 << 20) + LINE_BYTES * DIRTY,
                               .lanes = 32,
                               .stride = 4};
    op[n] = (struct hand_op){.cls = OP_N};
    struct metrics m = HAND("qv100", op, 1, CONVENTIONAL, "l2.write_miss=lazy_fetch",
                            "dram.fixed_latency=400", "l2.eviction_end=written");
    assert_int_equal(run_value(&m, "l2.writebacks"), 1);
    assert_int_equal(run_value(&m, "l2.fetches"), SECTORS);
    double wait = run_value(&m, "latency.load_mean");
    assert_true(wait > 800 && wait < 1300); /* out, in, and the way between; not in four times */
}

/* Whole lines, whose sectors travel together, meet a slice with three MSHRs: its first sectors are
 * fetched, the others wait. Those that went hold no place: the fetches take as long as their number
 * and the entries say. */
static void lines_that_stall_partway_hold_no_place(void **state)
{
    (void)state;
    enum { LATENCY = 3000, N = LINES * SECTORS };
    struct hand_op op[LINES + 1];
    for (uint32_t i = 0; i < LINES; i++)
        op[i] = (struct hand_op){.cls = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .addr = (1 << 20) + (uint64_t)LINE_BYTES * i,
                                 .lanes = 32,
                                 .stride = 4};
    op[LINES] = (struct hand_op){.cls = OP_N};
    struct metrics three =
        HAND("qv100", op, 1, "sm.count=1", "l2.banks=1", "dram.channels=1", "l2.mshr.entries=3",
             "dram.model=fixed", "dram.clock_mhz=1132", "dram.fixed_latency=3000");
    assert_int_equal(run_value(&three, "l2.fetches"), N);
    assert_in_range((uintmax_t)run_value(&three, "cycles"), N / 3 * LATENCY,
                    (uintmax_t)(1.1 * N / 3 * LATENCY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_stall_partway_hold_no_place),
        cmocka_unit_test(a_miss_fetches_its_sector),
        cmocka_unit_test(dirty_sectors_leave),
        cmocka_unit_test(sectors_of_a_line_are_fetched_side_by_side),
        cmocka_unit_test(sectors_wait_for_one_eviction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
